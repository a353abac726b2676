"""The work of `scenthound classify`: the place of pages in the topic tree, with the probability of each step."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from scenthound.cli.shared.critic_loader import AtHand, critic_at_hand
from scenthound.crawl.critic.example_set import as_page
from scenthound.crawl.engine.assemble import open_store
from scenthound.crawl.engine.fetch_apart import fetch_apart
from scenthound.crawl.readers.stored_pages import page_of_archive, page_of_file
from scenthound.errors import UsageError
from scenthound.judge.critic import Page
from scenthound.judge.relevance import judgements, path_probabilities
from scenthound.parse.urls import canonical, typed_address
from scenthound.taxonomy import OTHERS, Topics, ancestors, is_address, parent
from scenthound.terminal import say, say_json

_OTHER_TOPICS = 3  # shown besides the most likely one


@dataclass(frozen=True, slots=True, kw_only=True)
class Classified:
    """A page and the critic's judgement."""

    name: str
    title: str
    relevance: float
    topic: str
    probabilities: Mapping[str, float]


def classify(path: Path, names: Sequence[str], *, as_json: bool) -> int:
    """Print the path of each page in the tree. Return 1 if one of them could not be fetched."""
    hand = critic_at_hand(path)
    # A name without a scheme is a file if it exists, else a URL.
    found = pages_named(hand, [name if Path(name).exists() else typed_address(name) or name for name in names])
    pages = {name: page for name, page in found.items() if isinstance(page, Page)}
    failures = {name: why for name, why in found.items() if isinstance(why, str)}
    results = list(_classified(hand, pages))
    if as_json:
        told = {"pages": results, "failed": failures}
        say_json(told)
    else:
        for result in results:
            say("\n".join(lines(result, hand.topics)))
        for name, why in failures.items():
            say(f"{name}\n  no page: {why}")
    return 1 if failures else 0


def pages_named(hand: AtHand, names: Sequence[str]) -> dict[str, Page | str]:
    """Return the page of each URL or file (from the store, from disk, or fetched now), or why there is none."""
    found: dict[str, Page | str] = {}
    for name in names:
        if not is_address(name):
            found[name] = page_of_file(Path(name))
        elif canonical(name) is None:
            raise UsageError(
                f"{name} is not the URL of a web page; write it in full, such as https://www.example.org/page"
            )
        elif (stored := _stored(hand, name)) is not None:
            found[name] = stored
    missing = [name for name in dict.fromkeys(names) if name not in found]
    found |= fetch_apart(missing, hand.settings) if missing else {}
    return {name: found[name] for name in names}


def _stored(hand: AtHand, name: str) -> Page | None:
    address = canonical(name) or name
    with open_store(hand.directory, read_only=True) as store:
        held = store.held([address]).get(address)
    if held is None:
        return None
    if held.terms and not hand.critic.wants_text:
        return as_page(held)
    return page_of_archive(hand.directory.archive_place, held)


def _classified(hand: AtHand, pages: Mapping[str, Page]) -> Iterator[Classified]:
    if not pages:
        return
    rows = hand.critic.judge(list(pages.values()))
    judged = judgements(rows, hand.critic.classes, hand.topics)
    for (name, page), row, judgement in zip(pages.items(), rows, judged, strict=True):
        yield Classified(
            name=name,
            title=page.title,
            relevance=judgement.relevance,
            topic=judgement.topic,
            probabilities=path_probabilities(row, hand.critic.classes),
        )


def lines(result: Classified, topics: Topics) -> Iterator[str]:
    """Yield the path to the most likely topic, step by step, and the next best topics."""
    yield f"{result.name}  {result.title}".rstrip()
    yield f"  relevance {result.relevance:.3f}"
    way = (*ancestors(result.topic), result.topic) if result.topic != OTHERS else (OTHERS,)
    for depth, node in enumerate(way):
        mark = " ✔" if topics.is_good(node) else ""
        yield f"  {'  ' * depth}{_name(node)}  {result.probabilities[node]:.3f}{mark}"
    others = sorted(
        (-p, node) for node, p in result.probabilities.items() if node not in way and _is_leaf(node, result)
    )
    told = ", ".join(f"{node or '(no topic)'} {-p:.3f}" for p, node in others[:_OTHER_TOPICS] if -p >= 0.001)
    if told:
        yield f"  else: {told}"


def _name(node: str) -> str:
    return node.rpartition("/")[2] or "(no topic)"


def _is_leaf(node: str, result: Classified) -> bool:
    return all(parent(other) != node for other in result.probabilities if other)
