"""All that is known about one URL, told in the order in which it happened."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit, urlunsplit

import msgspec

from scenthound.counted import count
from scenthound.crawl.diagnosis.speed import REFUSALS, in_seconds
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.revisit.calendar import Outlook
from scenthound.errors import UrlError
from scenthound.frontier.crowds import crowd_words, is_crowded
from scenthound.parse.robots import Rules
from scenthound.parse.urls import canonical, domain_of, host_of, typed_address
from scenthound.services.crawls.reader_store import reading
from scenthound.services.status.freshness import history_lines, outlook_of
from scenthound.services.why.apprentice_reasons import Opinion, opinion_lines, opinion_of
from scenthound.services.why.order_columns_shown import Place, place_lines, place_of
from scenthound.services.why.reason_words import KINDS, REASONS, moment, reason_words
from scenthound.store.base import Store
from scenthound.types import Attempt, Citation, Ending, Errand, LinkKind, PageRow, Reason, Story

if TYPE_CHECKING:
    from scenthound.services.topics.space_votes import Votes

_SHOWN = 5  # citing pages named; a navigation link may have thousands

_WAITS = "It waits in the frontier."
_IN_FLIGHT = {
    True: "It is being fetched now.",
    False: "It was in flight when the crawl stopped; it comes back at the next start.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """All that is known about a URL, and what the apprentice has to say of it."""

    story: Story
    opinion: Opinion
    place: Place | None = None  # in an order of columns
    now: float
    running: bool
    product: str
    outlook: Outlook | None = None
    votes: "Votes | None" = None

    def lines(self) -> Iterator[str]:
        yield from tell(
            self.story,
            now=self.now,
            product=self.product,
            running=self.running,
            opinion=self.opinion,
            place=self.place,
        )
        if self.votes is not None:
            from scenthound.services.topics.space_votes import vote_lines

            yield "  What the critic's support vector machines say now:"
            yield from vote_lines(self.votes)
        yield from history_lines(self.story, self.outlook, now=self.now)

    def as_table(self) -> dict[str, object]:
        """Return it for other programs."""
        told: dict[str, object] = msgspec.to_builtins(self.story)
        return told | {
            "order": self.opinion.order,
            "apprentice": msgspec.to_builtins(self.opinion.apprentice),
            "place": msgspec.to_builtins(self.place),
            "outlook": msgspec.to_builtins(self.outlook),
            "votes": msgspec.to_builtins(self.votes),
        }


def known_of(directory: CrawlDirectory, url: str) -> Known | str:
    """Return what is known about an address in any spelling, or in a sentence that nothing is."""
    address = canonical(typed_address(url) or "")
    if address is None:
        raise UrlError(f"{url} is not the address of a web page; write it as https://www.example.org/page")
    now, running = time.time(), directory.is_running()
    with reading(directory) as store:
        meant = [address] if "://" in url else [address, _other_scheme(address)]
        story = next(filter(None, (store.story(one, now=now) for one in meant)), None)
        if story is None:
            known = next((other for other in alike(address) if store.story(other, now=now)), "")
            hint = f"did you mean {known}?" if known else "no page fetched so far links to it, and it is not a seed."
            return _passed_over(directory, store, address) or f"{address} was never seen: {hint}"
        opinion = opinion_of(directory, store, story)
        expected = opinion.apprentice.expected if opinion.apprentice is not None else None
        place = place_of(directory, store, story, opinion.order, expected or 0.0)
        outlook = outlook_of(directory, store, story, now=now)
        votes = _votes(directory, store, story)
    product = directory.settings().fetch.user_agent
    return Known(
        story=story,
        opinion=opinion,
        place=place,
        now=now,
        running=running,
        product=product,
        outlook=outlook,
        votes=votes,
    )


def _votes(directory: CrawlDirectory, store: Store, story: Story) -> "Votes | None":
    """Ask a critic that has hyperplanes; the others are not loaded for this."""
    critic = store.critic()
    judged = story.page is not None and story.page.relevance is not None
    if critic is None or critic.kind not in ("svm", "meta") or not judged:
        return None
    from scenthound.services.topics.space_votes import votes_of

    return votes_of(directory, store, story.url)


def _passed_over(directory: CrawlDirectory, store: Store, address: str) -> str:
    """Say that links to such an address leave nothing behind, if it is so."""
    host = host_of(address)
    domain = domain_of(host)
    known = store.domain(domain)
    crowded = is_crowded(hosts=known.hosts, pages=known.pages)
    if not directory.settings().crawl.traps or not crowded or store.host(host, now=0.0):
        return ""
    said = crowd_words(domain, hosts=known.hosts, pages=known.pages)
    return f"{address} is not known ({Reason.CROWDED_DOMAIN}): {said}."


def _other_scheme(url: str) -> str:
    return url.replace("https:", "http:", 1) if url.startswith("https:") else url.replace("http:", "https:", 1)


def alike(url: str) -> Iterator[str]:
    """Yield addresses that people mean by this one: the other scheme, with and without www., a slash, or the query.

    >>> list(alike("http://a.example/x"))[:3]
    ['https://a.example/x', 'http://www.a.example/x', 'https://www.a.example/x']
    """
    parts = urlsplit(url)
    bare = parts.netloc.removeprefix("www.")
    slashed = parts.path.rstrip("/") + "/"
    paths = [(parts.path, parts.query), (slashed, ""), (slashed.rstrip("/") or "/", ""), (parts.path, "")]
    seen = {url}
    for path, query in paths:
        for host in (parts.netloc, bare, f"www.{bare}"):
            for scheme in (parts.scheme, "http", "https"):
                other = canonical(urlunsplit((scheme, host, path, query, "")))
                if other and other not in seen:
                    seen.add(other)
                    yield other


def tell(
    story: Story,
    *,
    now: float,
    product: str,
    running: bool,
    opinion: Opinion | None = None,
    place: Place | None = None,
) -> Iterator[str]:
    """Yield the story line by line."""
    yield story.url
    yield from _found(story)
    yield f"  Depth {story.depth}, priority {story.priority:g}{_demotion(story)}."
    if opinion is not None:
        yield from opinion_lines(opinion)
    if place is not None:
        yield from place_lines(place)
    yield from _robots(story, now, product)
    for number, attempt in enumerate(story.attempts, start=1):
        yield f"  {number}. {_attempt(attempt)}"
    yield from _end(story, now, running=running)


def _found(story: Story) -> Iterator[str]:
    others = _one_a_page(story.citations)[:_SHOWN]
    shown = len(others)
    if story.found_by is LinkKind.SEED:
        yield f"  Given as a starting point, {moment(story.found_at)}."
    elif story.found_by is LinkKind.BACKWARD:
        cites = (
            f"it cites {story.cites[0]}, which is good" if story.cites else "it stands on a page that cites a good one"
        )
        yield f"  Found backwards {moment(story.found_at)}: {cites}."
    elif others:
        yield f"  Found {moment(story.found_at)}, on {_cited(others[0])}."
        others = others[1:]
    else:  # the page was visited again and has lost the link
        yield f"  Found {moment(story.found_at)}, on a page that no longer links to it."
    for citation in others:
        yield f"    also found on {_cited(citation)}"
    for good in story.cites[1 if story.found_by is LinkKind.BACKWARD else 0 : _SHOWN]:
        yield f"    it also cites {good}, which is good (found backwards)"
    more = story.citing_count - shown
    if more > 0:
        yield f"    and on {count(more, 'page')} more"


def _one_a_page(citations: Sequence[Citation]) -> list[Citation]:
    """Return the first link of each citing page: a page may link to another from its menu, its text and its foot."""
    first: dict[str, Citation] = {}
    for citation in citations:
        first.setdefault(citation.url, citation)
    return list(first.values())


def _cited(citation: Citation) -> str:
    words = f' with the words "{citation.text}"' if citation.text else ""
    nofollow = ", marked nofollow" if citation.nofollow else ""
    return f"{citation.url} as {KINDS[citation.kind]}{words}{nofollow}"


def _demotion(story: Story) -> str:
    """Say that a URL was put behind others; an example stands before them, which is no demotion."""
    behind = story.demoted > 0
    why = "it looks like a trap, or its domain has had its share (apprentice.domain_share)"
    return f", put behind other URLs ({story.demoted}) because {why}" if behind else ""


def _robots(story: Story, now: float, product: str) -> Iterator[str]:
    if story.robots is None:
        yield "  robots.txt: not asked for."
        return
    answer = story.robots
    age = "expired" if answer.expires <= now else f"valid for {in_seconds(answer.expires - now)} more"
    rule = forbidding_rule(answer.text, story.url, product)
    verdict = f'does not allow it ("{rule}")' if rule else "allows it"
    yield (
        f"  robots.txt: {answer.origin}/robots.txt, fetched {moment(answer.fetched)} (status {answer.status}), "
        f"{age}, {verdict}."
    )


def forbidding_rule(text: str, url: str, product: str) -> str:
    """Return the line of a robots.txt that forbids a URL, or an empty text if it is allowed.

    A line decides if it alone, of all lines that could forbid the URL, still does so where it stands; of several the
    longest, as in RFC 9309 §2.2.2.

    >>> forbidding_rule("User-agent: *\\nDisallow: /a\\nDisallow: /b", "http://x.example/b/c", "scenthound")
    'Disallow: /b'
    """
    if Rules.parse(text, product).allows(url):
        return ""
    lines = text.splitlines()
    able = [at for at, line in enumerate(lines) if not Rules.parse(f"User-agent: *\n{line}", product).allows(url)]
    decisive = [at for at in able if not Rules.parse(_without(lines, able, at), product).allows(url)]
    return max((lines[at].strip() for at in decisive), key=len, default="its rules together")


def _without(lines: list[str], able: list[int], kept: int) -> str:
    """Empty the other rules; a line removed altogether would join two groups."""
    return "\n".join("Disallow:" if at in able and at != kept else line for at, line in enumerate(lines))


def _attempt(attempt: Attempt) -> str:
    ending = _ENDINGS[attempt.ending] + _because(attempt.reason, attempt.detail)
    if not attempt.status and attempt.reason in _UNSENT:
        return f"{moment(attempt.at)}: not asked for: {ending}."
    what = "robots.txt asked for" if attempt.errand is Errand.ROBOTS else "asked for"
    status = f"status {attempt.status}" if attempt.status else "no answer"
    where = f" from {attempt.ip}" if attempt.ip else ""
    return f"{moment(attempt.at)}: {what}, {status}{where} in {in_seconds(attempt.seconds)}: {ending}."


_UNSENT = REFUSALS | {Reason.PRIVATE_ADDRESS}


_ENDINGS = {
    Ending.PAGE: "a page",
    Ending.REDIRECT: "a redirect",
    Ending.UNCHANGED: "unchanged since the last visit",
    Ending.FAILED: "no page",
    Ending.RETRY: "to be tried again",
    Ending.RETURN: "back to the frontier",
}


def _because(reason: Reason | None, detail: str) -> str:
    words = REASONS[reason] if reason else ""
    return (f", because {words}" if words else "") + (f" ({detail})" if detail else "")


def _end(story: Story, now: float, *, running: bool) -> Iterator[str]:
    if story.reason and story.state != "waiting":
        yield f"  No page: {REASONS[story.reason]} [{story.reason}]{f' ({story.detail})' if story.detail else ''}."
    elif story.state == "waiting":
        yield f"  {_WAITS}{_host_now(story, now)}"
    elif story.state == "claimed":
        yield f"  {_IN_FLIGHT[running]}"
    if story.page is not None and story.page.ending in (Ending.PAGE, Ending.UNCHANGED):
        yield from _page(story.page)


def _host_now(story: Story, now: float) -> str:
    host = story.host
    if host.state == "bad":
        words = f" ({reason_words(host.reason)})" if host.reason else ""
        return (
            f" It will not be fetched: {host.host} is bad after {count(host.failures, 'failure')}{words}; "
            "crawl --forgive gives it another chance."
        )
    if host.state == "capped":
        return f" It will not be fetched: {host.host} has given all the pages that crawl.pages_per_host allows."
    due = f" {host.host} may be asked again in {in_seconds(host.due - now)}." if host.due > now else ""
    return f" {count(host.waiting, 'URL')} of {host.host} {'waits' if host.waiting == 1 else 'wait'} with it.{due}"


def _page(page: PageRow) -> Iterator[str]:
    title = f' "{page.title}"' if page.title else ""
    kind = " ".join(filter(None, (page.mime, page.language)))
    yield f"  Page {page.n}{title}, {kind}, fetched {moment(page.fetched_at)}."
    if page.final_url and page.final_url != page.url:
        yield f"  {page.url} led to {page.final_url}."
    if page.relevance is not None:
        topic = f", most likely about {page.topic}" if page.topic else ""
        more = [one for one in page.topics if one != page.topic]
        also = f", also about {' and '.join(more)}" if more else ""
        yield f"  Relevance {page.relevance:.2f}{topic}{also}."
    if page.duplicate_of:
        yield f"  Its content is the same as that of {page.duplicate_of}."
    if page.near_duplicate_of:
        yield f"  Its content is nearly that of {page.near_duplicate_of}."
    if page.spot is not None:
        yield f"  Archived in {page.spot.file}, {page.spot.length:,} bytes from byte {page.spot.offset:,}."
