"""The forms of `scenthound topics` that use the critic: its quality, the topics of pages, similar pages."""

import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from scenthound.cli.shared.critic_loader import AtHand, critic_at_hand, examples_at_hand, teaching_at_hand
from scenthound.cli.shared.live_view import view_for
from scenthound.cli.work.classify_pages import pages_named
from scenthound.crawl.critic.example_set import as_page
from scenthound.crawl.diagnosis.cures import feedback_command
from scenthound.crawl.diagnosis.reader_answers import Answers, answer_lines, latest_answers, tested_line
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.engine.assemble import open_store, retrain
from scenthound.crawl.engine.fetch_apart import fetch_apart
from scenthound.errors import TopicsError
from scenthound.judge.canonical.topic_places import place_words, places, without_good
from scenthound.judge.critic import Page
from scenthound.judge.critic_kinds import learner_of
from scenthound.judge.likeness import Likeness, alike
from scenthound.judge.quality.quality import Quality, assess
from scenthound.judge.quality.quality_text import as_json as quality_json
from scenthound.judge.quality.quality_text import words
from scenthound.judge.quality.succession import Succession
from scenthound.judge.spaces.estimates import estimate_lines, estimates_of
from scenthound.parse.markup.status_pages import is_status_page
from scenthound.parse.urls import canonical
from scenthound.services.topics.sample import TO_CHECK, SampledPage, pages_to_check
from scenthound.terminal import say, say_json
from scenthound.topics.topic_names import find_topic

CANDIDATES = 500  # neighbours that are compared with the examples


def train_again(path: Path, *, force: bool) -> int:
    """Train the critic on the current topics, judge all stored pages again, and reorder the frontier."""
    directory = CrawlDirectory.open(path)
    with view_for(quiet=False) as view:
        found = retrain(directory, directory.settings(), listener=view.hear, insist=force)
    if found is None:
        say("Nothing has changed since the critic learnt, so it stays as it is.")
        return 0
    say("\n".join(_succession(found)))
    if found.worse:
        command = shlex.join(["scenthound", "topics", str(path), "--retrain", "--force"])
        say(f"Not used, because it is worse: {found.worse}. To use it anyway: {command}")
        return 1
    say(f"How good it is: {shlex.join(['scenthound', 'topics', str(path), 'quality'])}")
    return 0


def _succession(found: Succession) -> Iterator[str]:
    """Yield what a new critic changes for the pages crawled so far."""
    yield f"{found.said[:1].upper()}{found.said[1:]}."
    if found.turned:
        yield "These change most:"
    for page in found.turned:
        yield f"  {page.before:.2f} → {page.after:.2f}  {page.url}  {page.title}".rstrip()


def show_quality(path: Path, *, as_json: bool) -> int:
    """Print the quality of the critic, measured on examples that it has not seen."""
    hand = critic_at_hand(path)
    gathered = examples_at_hand(hand)
    taught = teaching_at_hand(hand, gathered)
    estimates = estimates_of(hand.critic)
    found = assess(
        learner_of(hand.settings.critic),
        taught.lessons,
        seed=hand.settings.crawl.seed,
        accept=hand.settings.crawl.accept,
    )
    answers = latest_answers(path)
    to_check = pages_to_check(hand.directory, answers)
    if as_json:
        dead = [msgspec.to_builtins(one) for one in gathered.dead]
        said = {"dead_examples": dead, "negatives": taught.said, "answers": msgspec.to_builtins(answers)}
        said["estimates"] = msgspec.to_builtins(estimates)
        said["to_check"] = [one.url for one in to_check]
        say_json({**quality_json(found), **said})
        return 0
    say("\n".join(words(found)))
    if estimates:
        say("\n".join(["", *estimate_lines(estimates)]))
    say(f"\n{taught.said[:1].upper()}{taught.said[1:]}.")
    for one in gathered.dead:
        say(f'Example {one.name} of "{one.topic}" gave no page: {one.why}.')
    if answers is not None:
        say("\n".join(["", "What you said about crawled pages", *_answer_lines(answers, found)]))
    if to_check:
        say("\n".join(["", *_check_lines(path, to_check, answers)]))
    return 0


def _answer_lines(answers: Answers, found: Quality) -> Iterator[str]:
    """Yield what the answers say, also about what the test on examples expects."""
    yield from answer_lines(answers)
    if found.relevance is not None and (line := tested_line(found.relevance.precision, answers)):
        yield line


def _check_lines(path: Path, pages: Sequence[SampledPage], answers: Answers | None) -> Iterator[str]:
    """Yield the pages that are worth a look, with the command that asks about them."""
    yield "Nobody has checked crawled pages so far." if answers is None else "The crawl has grown since you answered."
    yield f"Are these {len(pages)} what you want? To answer: {feedback_command(str(path), TO_CHECK)}"
    for page in pages:
        yield f"  {page.url}  {page.title}".rstrip()


def show_places(path: Path, names: Sequence[str], *, as_json: bool) -> int:
    """Print the topics of pages or files, and which to mark good."""
    hand = critic_at_hand(path)
    found = pages_named(hand, names)
    pages = [page for page in found.values() if isinstance(page, Page)]
    failed = {name: why for name, why in found.items() if isinstance(why, str)}
    if not pages:
        raise TopicsError("; ".join(f"{name} gave no page: {why}" for name, why in failed.items()))
    ranked = without_good(places(hand.critic, pages), hand.topics)
    if as_json:
        say_json({"places": ranked, "failed": failed})
        return 0
    say("\n".join(place_words(ranked)))
    for name, why in failed.items():
        say(f"{name} gave no page: {why}")
    for place in ranked:
        if place.mark:
            say(f"To mark it good: {shlex.join(['scenthound', 'topics', str(path), 'mark', place.path])}")
    return 0


def show_alike(path: Path, typed: str, *, fetch: int, as_json: bool) -> int:
    """Propose pages near a topic's examples that are similar. Some of them are fetched now."""
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
        say(f'No page near the examples of "{topic}" is similar. Crawl a little, or fetch more with --fetch.')
        return 0
    for one in found:
        say(f"{one.likeness:.2f}  {one.page.url}  {one.page.title}")
        say(f"      shares {', '.join(one.shared)} with {one.nearest}")
    command = ["scenthound", "topics", str(path), "example", "add", topic, found[0].page.url]
    say(f"To use one as an example: {shlex.join(command)}")
    return 0


def _alike(hand: AtHand, topic: str, fetch: int) -> Sequence[Likeness]:
    examples = [one for one in examples_at_hand(hand).examples if one.topic == topic]
    if not examples:
        raise TopicsError(f'"{topic}" has no readable example; add one first')
    urls = [url for one in examples if (url := canonical(one.page.url))]
    with open_store(hand.directory, read_only=True) as store:
        near = [as_page(held) for held in store.neighbours(urls, limit=CANDIDATES)]
        unseen = store.cited(urls, limit=fetch)
    fetched = fetch_apart(unseen, hand.settings) if unseen else {}
    near += [page for page in fetched.values() if isinstance(page, Page)]
    near = [page for page in near if not is_status_page(page.title, len(page.terms))]
    return alike([one.page for one in examples], near, topic=topic, critic=hand.critic)
