"""The forms of `scenthound topics` that need the critic: how good it is, where pages belong, what else is like them."""

import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from scenthound.cli.classify import pages_named
from scenthound.cli.critic_at_hand import AtHand, critic_at_hand, examples_at_hand, teaching_at_hand
from scenthound.cli.live import view_for
from scenthound.crawl.assemble import open_store, retrain
from scenthound.crawl.directory import CrawlDirectory
from scenthound.crawl.fetch_apart import fetch_apart
from scenthound.crawl.lessons import as_page
from scenthound.errors import TopicsError
from scenthound.harmless import say, say_json
from scenthound.judge.base import Page
from scenthound.judge.kinds import learner_of
from scenthound.judge.likeness import Likeness, alike
from scenthound.judge.places import place_words, places
from scenthound.judge.quality import assess
from scenthound.judge.quality_words import as_json as quality_json
from scenthound.judge.quality_words import words
from scenthound.judge.succession import Succession
from scenthound.parse.status_pages import is_status_page
from scenthound.parse.urls import canonical
from scenthound.topics.names import find_topic

CANDIDATES = 500  # neighbours that are compared with the examples


def train_again(path: Path, *, force: bool) -> int:
    """Train the critic on the topics as they are, judge everything stored again, and let the frontier follow."""
    directory = CrawlDirectory.open(path)
    with view_for(quiet=False) as view:
        found = retrain(directory, directory.settings(), listener=view.hear, insist=force)
    if found is None:
        say("Nothing has changed since the critic learnt; it stays as it is.")
        return 0
    say("\n".join(_succession(found)))
    if found.worse:
        command = shlex.join(["scenthound", "topics", str(path), "--retrain", "--force"])
        say(f"Not taken, because it is worse: {found.worse}. To take it all the same: {command}")
        return 1
    say(f"How good it is: {shlex.join(['scenthound', 'topics', str(path), 'quality'])}")
    return 0


def _succession(found: Succession) -> Iterator[str]:
    """Yield what a new critic does to the pages crawled so far."""
    yield f"{found.said[:1].upper()}{found.said[1:]}."
    if found.turned:
        yield "These change most:"
    for page in found.turned:
        yield f"  {page.before:.2f} → {page.after:.2f}  {page.url}  {page.title}".rstrip()


def show_quality(path: Path, *, as_json: bool) -> int:
    """Say how well the critic will do, tried on examples that it has not seen."""
    hand = critic_at_hand(path)
    gathered = examples_at_hand(hand)
    taught = teaching_at_hand(hand, gathered)
    found = assess(
        learner_of(hand.settings.critic),
        taught.lessons,
        seed=hand.settings.crawl.seed,
        accept=hand.settings.crawl.accept,
    )
    if as_json:
        dead = [msgspec.to_builtins(one) for one in gathered.dead]
        say_json({**quality_json(found), "dead_examples": dead, "negatives": taught.said})
        return 0
    say("\n".join(words(found)))
    say(f"\n{taught.said[:1].upper()}{taught.said[1:]}.")
    for one in gathered.dead:
        say(f'Example {one.name} of "{one.topic}" gave no page: {one.why}.')
    return 0


def show_places(path: Path, names: Sequence[str], *, as_json: bool) -> int:
    """Say into which topics pages or files fall, and which to mark good."""
    hand = critic_at_hand(path)
    found = pages_named(hand, names)
    pages = [page for page in found.values() if isinstance(page, Page)]
    failed = {name: why for name, why in found.items() if isinstance(why, str)}
    if not pages:
        raise TopicsError("; ".join(f"{name} gave no page: {why}" for name, why in failed.items()))
    ranked = places(hand.critic, pages)
    if as_json:
        say_json({"places": ranked, "failed": failed})
        return 0
    say("\n".join(place_words(ranked)))
    for name, why in failed.items():
        say(f"{name} gave no page: {why}")
    for place in ranked:
        if place.mark:
            say(f"To look for it: {shlex.join(['scenthound', 'topics', str(path), 'mark', place.path])}")
    return 0


def show_alike(path: Path, typed: str, *, fetch: int, as_json: bool) -> int:
    """Propose pages around a topic's examples that are like them; some that were never fetched are fetched now."""
    hand = critic_at_hand(path)
    topic = find_topic(hand.topics, typed)
    found = _alike(hand, topic, fetch)
    if as_json:
        rows = [
            {
                "url": one.page.url,
                "title": one.page.title,
                "likeness": one.likeness,
                "shared": one.shared,
                "nearest": one.nearest,
            }
            for one in found
        ]
        say_json(rows)
        return 0
    if not found:
        say(f'Nothing around the examples of "{topic}" is like them. Crawl a little, or look further with --fetch.')
        return 0
    for one in found:
        say(f"{one.likeness:.2f}  {one.page.url}  {one.page.title}")
        say(f"      shares {', '.join(one.shared)} with {one.nearest}")
    command = ["scenthound", "topics", str(path), "example", "add", topic, found[0].page.url]
    say(f"To take one as an example: {shlex.join(command)}")
    return 0


def _alike(hand: AtHand, topic: str, fetch: int) -> Sequence[Likeness]:
    examples = [one for one in examples_at_hand(hand).examples if one.topic == topic]
    if not examples:
        raise TopicsError(f'"{topic}" has no example that could be read; add one first')
    urls = [url for one in examples if (url := canonical(one.page.url))]
    with open_store(hand.directory, read_only=True) as store:
        near = [as_page(held) for held in store.neighbours(urls, limit=CANDIDATES)]
        unseen = store.cited(urls, limit=fetch)
    fetched = fetch_apart(unseen, hand.settings) if unseen else {}
    near += [page for page in fetched.values() if isinstance(page, Page)]
    near = [page for page in near if not is_status_page(page.title, len(page.terms))]
    return alike([one.page for one in examples], near, topic=topic, critic=hand.critic)
