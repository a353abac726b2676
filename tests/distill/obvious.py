"""The distiller once more, by the letter of its definition: slow, in plain Python, for small crawls only."""

import math
from collections import Counter
from dataclasses import dataclass

from scenthound.distill.scores import About, Rules
from scenthound.distill.site import Site
from scenthound.parse.urls import domain_of, host_of
from tests.distill.small_crawls import MadeCrawl, MadeUrl

Link = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Obvious:
    """Scores by id."""

    hubs: dict[int, float]
    authorities: dict[int, float]
    merged: dict[int, int]


def obvious(crawl: MadeCrawl, rules: Rules, about: About | None = None) -> Obvious:
    stands = standing_for(crawl)
    nodes = sorted(set(stands.values()))
    relevance = {node: _relevance(crawl, [place for place in stands if stands[place] == node]) for node in nodes}
    links = between_sites(crawl, stands, rules.site)
    if about is not None:
        base = {stands[place] for place, made in enumerate(crawl.urls) if _is_about(made, about.topic)}
        nodes = sorted(neighbourhood(base, links, rules.citing))
        links = {(u, v) for u, v in links if u in nodes and v in nodes}
        relevance = dict(zip(nodes, about.judge([node + 1 for node in nodes]), strict=True))
    site = {node: site_of(crawl, node, rules.site) for node in nodes}
    edges = endorsing(links, relevance, rules.share)
    hubs, authorities = rounds(edges, relevance, site, rules.rounds)
    return Obvious(
        hubs={node + 1: score for node, score in hubs.items()},
        authorities={node + 1: score for node, score in authorities.items()},
        merged={place + 1: node + 1 for place, node in stands.items() if place != node and node in nodes},
    )


def standing_for(crawl: MadeCrawl) -> dict[int, int]:
    """Return for each page and redirect the first page of those that are the same; none where there is no page."""
    alike = {place: {place} for place, made in enumerate(crawl.urls) if made.ending in ("page", "redirect")}
    for place in alike:
        other = crawl.urls[place].same
        if other in alike and other is not None:
            both = alike[place] | alike[other]
            for one in both:
                alike[one] = both
    found = {}
    for place, group in alike.items():
        pages = [one for one in group if crawl.urls[one].ending == "page"]
        if pages:
            found[place] = min(pages)
    return found


def between_sites(crawl: MadeCrawl, stands: dict[int, int], site: Site) -> set[Link]:
    found = set()
    for one in crawl.links:
        u, v = one.source, one.target
        if one.kind not in ("anchor", "area") or one.nofollow or u not in stands or v not in stands:
            continue
        here, there = site_of(crawl, u, site), site_of(crawl, stands[v], site)
        local = crawl.urls[v].ending == "page" and here == site_of(crawl, v, site)
        if not local and here != there and site_of(crawl, stands[u], site) != there:
            found.add((stands[u], stands[v]))
    return found


def neighbourhood(base: set[int], links: set[Link], citing: int) -> set[int]:
    around = base | {v for u, v in links if u in base}
    for page in base:
        around |= set(sorted(u for u, v in links if v == page)[:citing])
    return around


def endorsing(links: set[Link], relevance: dict[int, float | None], share: float) -> set[Link]:
    judged = sorted((r for r in relevance.values() if r is not None), reverse=True)
    if not judged:
        return set()
    threshold = judged[min(len(judged), max(1, math.ceil(len(judged) * share - 1e-9))) - 1]
    known = {node: r or 0.0 for node, r in relevance.items()}
    return {(u, v) for u, v in links if known[u] > 0 and known[v] > 0 and known[v] >= threshold}


def rounds(
    edges: set[Link], relevance: dict[int, float | None], site: dict[int, object], number: int
) -> tuple[dict[int, float], dict[int, float]]:
    votes = Counter((site[u], v) for u, v in edges)
    echoes = Counter((u, site[v]) for u, v in edges)
    hubs = {u: 1 / len({u for u, _ in edges}) for u, _ in edges}
    authorities: dict[int, float] = {}
    for _ in range(number):
        authorities = _scaled(
            {
                v: sum(hubs[u] * (relevance[v] or 0.0) / votes[site[u], v] for u, w in edges if w == v)
                for v in {v for _, v in edges}
            }
        )
        hubs = _scaled(
            {
                u: sum(authorities[v] * (relevance[u] or 0.0) / echoes[u, site[v]] for w, v in edges if w == u)
                for u in hubs
            }
        )
    return hubs, authorities


def _scaled(scores: dict[int, float]) -> dict[int, float]:
    total = sum(scores.values()) or 1.0
    return {node: score / total for node, score in scores.items()}


def site_of(crawl: MadeCrawl, place: int, site: Site) -> object:
    host = host_of(crawl.urls[place].url)
    return {Site.DOMAIN: domain_of(host), Site.HOST: host, Site.PAGE: place}[site]


def _relevance(crawl: MadeCrawl, group: list[int]) -> float | None:
    found = [crawl.urls[place].relevance for place in group if crawl.urls[place].ending == "page"]
    return max((r for r in found if r is not None), default=None)


def _is_about(made: MadeUrl, topic: str) -> bool:
    return made.ending == "page" and (made.topic == topic or made.topic.startswith(topic + "/"))
