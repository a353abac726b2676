"""What an apprentice expected and why, as `why` and `status` tell it of a real crawl."""

import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

import numpy as np
import pytest

from scenthound.apprentice.checkpoint import Checkpoints
from scenthound.apprentice.crawl_guide import CHOSEN, DRAWN
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.directory.open_store import open_store
from scenthound.crawl.order.explanation import expected_now, replayed
from scenthound.crawl.order.forecasts import leads
from scenthound.demo.served_answer import Answer
from scenthound.types import Lesson, Waiting
from tests.cli.conftest import Ran, scenthound
from tests.crawl.birds_wanted import asked_for
from tests.crawl.mixed_web import example, is_bird, mixed_web, topics
from tests.crawl.scene import resume
from tests.crawl.test_apprentice_failures import EXAMPLES, answer
from tests.often import slowly

pytestmark = pytest.mark.slow

KINDS = ["scent", *slowly("bayes")]
OTHER = "http://never.test/"


@dataclass(frozen=True, slots=True, kw_only=True)
class Crawl:
    """A finished crawl in which every tenth fetch or so was drawn by chance."""

    directory: CrawlDirectory
    lessons: list[Lesson]
    waiting: list[Waiting]
    during: list[Ran]  # what `why` said while it ran

    def why(self, url: str, *more: str) -> str:
        ran = scenthound("why", self.directory.path, url, *more)
        assert ran.code == 0, ran.err
        return ran.out

    def marked(self, mark: bytes) -> list[Lesson]:
        return [lesson for lesson in self.lessons if lesson.reasons.startswith(mark)]


@pytest.fixture(scope="module", params=KINDS)
def crawl(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Crawl:
    directory = CrawlDirectory.create(tmp_path_factory.mktemp(request.param) / "crawl", topics=topics())
    asked, during = list[str](), list[Ran]()

    def spy(url: str) -> None:
        asked.append(url)
        if len(asked) == 40:
            during.append(scenthound("why", directory.path, next(url for url in asked[20:] if "items.test" in url)))

    with mixed_web(spy) as served:
        kind = f"apprentice.kind={request.param}"
        settings = ["crawl.order=apprentice", kind, "apprentice.sample=0.2", "apprentice.start=10", "crawl.pages=70"]
        resume(directory, served.settings(*settings))
    with open_store(directory, read_only=True) as store:
        lessons, waiting = store.lessons(limit=1000), store.waiting(limit=1000)
    return Crawl(directory=directory, lessons=lessons, waiting=waiting, during=during)


def told_parts(text: str) -> list[tuple[str, float]]:
    """Return the lines with weights: what is said, and how much it weighs."""
    lines = [line.strip() for line in text.splitlines() if line.startswith("    ") and line[-1].isdigit()]
    return [(said, float(weight)) for said, _, weight in (line.rpartition(" ") for line in lines)]


def test_a_page_that_was_chosen_tells_what_was_expected_and_what_came(crawl: Crawl) -> None:
    lesson = next(one for one in reversed(crawl.marked(CHOSEN)) if is_bird(one.url))
    told = crawl.why(lesson.url)
    assert lesson.score is not None
    assert lesson.relevance is not None
    line = f"  The apprentice expected a relevance of {lesson.score:.2f} of it; it came to {lesson.relevance:.2f}.\n"
    assert line in told
    parts = told_parts(told)
    assert parts == sorted(parts, key=lambda part: -abs(part[1]))
    assert "drawn by chance" not in told


def test_words_and_yields_are_named(crawl: Crawl) -> None:
    lesson = next(one for one in reversed(crawl.marked(CHOSEN)) if is_bird(one.url))
    told = crawl.why(lesson.url)
    cited = told.split('with the words "')[1].split('"')[0]
    quoted = f'the words of the link "{cited}" +' in told  # the default apprentice says all words together,
    assert quoted or any(
        f"most of all '{word[:4]}" in told for word in cited.split()
    )  # the paper's the one that says most


def test_a_page_that_was_drawn_says_so(crawl: Crawl) -> None:
    told = crawl.why(crawl.marked(DRAWN)[0].url)
    assert "\n    drawn by chance to check the apprentice\n" in told


def test_what_waits_is_told_as_of_now(crawl: Crawl) -> None:
    birds, rocks = ([one for one in crawl.waiting if is_bird(one.url) is kind] for kind in (True, False))
    best, worst = max(birds, key=lambda one: one.priority), min(rocks, key=lambda one: one.priority)
    [good], [bad] = (
        [line for line in crawl.why(one.url).splitlines() if "The apprentice expects" in line] for one in (best, worst)
    )
    assert float(good.split()[6]) > float(bad.split()[6])
    assert "as of lesson" not in good


def test_what_divides_the_place_of_what_waits_is_told(crawl: Crawl) -> None:
    """All that waits is on one host, which has had nearly all fetches: far more than its share."""
    url = crawl.waiting[0].url
    told, opinion = crawl.why(url), json.loads(crawl.why(url, "--json"))["apprentice"]
    lines = [line.strip() for line in told.splitlines() if "for its place in the frontier also" in line]
    if "scent" not in order_noted(crawl):
        assert (lines, opinion["factors"]) == ([], [])
        return
    fetched = sum("items.test" in lesson.url for lesson in crawl.lessons)
    asked = len([lesson for lesson in crawl.lessons if lesson.score is not None])
    said = f"its domain has had {fetched} of {asked} fetches"
    assert lines == [f"for its place in the frontier also: {said}: worth 0.01 of that"]
    assert opinion["factors"] == [{"said": said, "worth": pytest.approx(0.01)}]
    assert opinion["alive"] is None  # every URL had a page


def order_noted(crawl: Crawl) -> str:
    with open_store(crawl.directory, read_only=True) as store:
        return store.note("order") or ""


def half_gone(host: str, path: str) -> Answer:
    """Answer that every other page is not there, but for the examples."""
    number = int("".join(filter(str.isdigit, path)) or 0)
    return Answer(status=404) if number % 2 and number >= EXAMPLES else answer(host, path)


def test_a_link_that_may_be_dead_says_so(tmp_path: Path) -> None:
    asked_for(tmp_path / "crawl", half_gone, order="apprentice", pages=15, examples=EXAMPLES)
    with open_store(CrawlDirectory.open(tmp_path / "crawl"), read_only=True) as store:
        url = next(one.url for one in store.waiting(limit=1000) if "/bird/" in one.url)
    opinion = json.loads(scenthound("why", tmp_path / "crawl", url, "--json").out)["apprentice"]
    assert opinion["expected"] < opinion["alive"] < 0.9
    line = f"\n    the chance that there is a page at all is {opinion['alive']:.2f}: that is counted in\n"
    assert line in scenthound("why", tmp_path / "crawl", url).out


def half_alike(host: str, path: str) -> Answer:
    """Answer every other URL, but for the examples, with one and the same page."""
    number = int("".join(filter(str.isdigit, path)) or 0)
    return answer(host, "/bird/1") if number % 2 and number >= EXAMPLES and "/bird/" in path else answer(host, path)


def test_a_link_behind_which_a_repeat_may_be_says_so(tmp_path: Path) -> None:
    asked_for(tmp_path / "crawl", half_alike, order="apprentice", pages=15, examples=EXAMPLES)
    with open_store(CrawlDirectory.open(tmp_path / "crawl"), read_only=True) as store:
        url = next(one.url for one in store.waiting(limit=1000) if "/bird/" in one.url)
        repeats = sum(page.duplicate_of != "" or page.near_duplicate_of != "" for page in store.pages(everything=True))
    [factor] = json.loads(scenthound("why", tmp_path / "crawl", url, "--json").out)["apprentice"]["factors"]
    assert factor["said"].endswith(f"pages of its folder, {repeats} nearly repeated others")
    assert factor["worth"] < 0.9
    line = f"\n    for its place in the frontier also: {factor['said']}: worth {factor['worth']:.2f} of that\n"
    assert line in scenthound("why", tmp_path / "crawl", url).out


def test_the_expectation_is_the_one_by_which_the_frontier_is_ordered(crawl: Crawl) -> None:
    with open_store(crawl.directory, read_only=True) as store:
        model, lessons = replayed(crawl.directory, store, patience=60.0)
    assert lessons == len(crawl.lessons)
    numbers = np.array([model.ground.number(one.url) for one in crawl.waiting])
    told = np.array([one.priority for one in crawl.waiting])
    expected = model.urgency(numbers)
    off = np.abs(expected - told) > 0.1  # small changes are not told at once,
    assert np.count_nonzero(off) <= 0.1 * len(off)  # and what was drawn by chance has come first before it is fetched
    assert np.corrcoef(expected[~off], told[~off])[0, 1] > 0.8


def test_json_has_the_same(crawl: Crawl) -> None:
    lesson = crawl.marked(DRAWN)[0]
    told = json.loads(crawl.why(lesson.url, "--json"))
    assert told["url"] == lesson.url
    assert told["order"].startswith("apprentice ")
    opinion = told["apprentice"]
    assert (opinion["expected"], opinion["came"], opinion["drawn"]) == (lesson.score, lesson.relevance, True)
    assert {*opinion["parts"][0]} == {"said", "weight"}


def test_it_can_be_asked_while_the_crawl_runs(crawl: Crawl) -> None:
    [ran] = crawl.during
    assert ran.code == 0, ran.err
    assert "The apprentice expects a relevance of " in ran.out or "The apprentice expected" in ran.out


def test_a_checkpoint_saves_going_through_the_log(crawl: Crawl, tmp_path: Path) -> None:
    directory = CrawlDirectory.open(shutil.copytree(crawl.directory.path, tmp_path / "copy"))
    url = crawl.waiting[0].url
    with open_store(directory, read_only=True) as store:
        in_vain = expected_now(directory, store, url, texts=(), patience=0.0)
        assert (in_vain.expected, in_vain.lessons, in_vain.log) == (None, 0, len(crawl.lessons))
        brand = (store.note("order") or "").removeprefix("apprentice ").partition(" sample")[0]
        model, lessons = replayed(directory, store, patience=60.0)
        critic = store.critic()
        assert critic is not None
        Checkpoints(directory.models).keep(model, kind=brand, critic=critic.version, lessons=lessons)
        whole = expected_now(directory, store, url, texts=(), patience=60.0)
        assert expected_now(directory, store, url, texts=(), patience=0.0) == whole
    assert whole.expected is not None


def test_an_example_and_a_url_never_seen(crawl: Crawl) -> None:
    told = crawl.why(example("birds", 0))
    assert "  The apprentice expected nothing of it: it knew no link to it, or was not yet at work.\n" in told
    assert "looks like a trap" not in told
    ran = scenthound("why", crawl.directory.path, OTHER)
    assert (ran.code, ran.out) == (1, "")
    assert f"{OTHER} was never seen" in ran.err


def test_status_has_one_line_on_it(crawl: Crawl) -> None:
    told = json.loads(scenthound("status", crawl.directory.path, "--json").out)["apprentice"]
    assert told["lessons"] == len(crawl.lessons)
    for name, mark in (("chosen", CHOSEN), ("drawn", DRAWN)):
        lessons = crawl.marked(mark)
        assert told[name]["links"] == len(lessons) > 2
        assert told[name]["expected"] == pytest.approx(mean(one.score or 0.0 for one in lessons))
        assert told[name]["came"] == pytest.approx(mean(one.relevance or 0.0 for one in lessons))
    assert told["chosen"]["calibration_error"] == pytest.approx(calibration_error(crawl.marked(CHOSEN)))
    assert told["drawn"]["calibration_error"] is None
    assert told["latest"]["links"] == told["chosen"]["links"]  # fewer than 200
    assert told["latest"]["calibration_error"] == pytest.approx(told["chosen"]["calibration_error"])
    [line] = [
        line for line in scenthound("status", crawl.directory.path).out.splitlines() if line.startswith("  apprentice ")
    ]
    assert f"{len(crawl.lessons)} lessons; {told['chosen']['links']} links chosen: " in line
    assert " drawn by chance: " in line
    if "scent" in order_noted(crawl):
        assert 0.0 < told["lead"] < 1.0
        assert line.endswith(leads(told["lead"]))
    else:
        assert told["lead"] is None
        assert "leads" not in line


def calibration_error(lessons: list[Lesson]) -> float:
    bins: dict[int, float] = {}
    for one in lessons:
        tenth = int(10 * (one.score or 0.0))
        bins[tenth] = bins.get(tenth, 0.0) + (one.score or 0.0) - (one.relevance or 0.0)
    return sum(map(abs, bins.values())) / len(lessons)


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> CrawlDirectory:
    directory = CrawlDirectory.create(tmp_path_factory.mktemp("plain") / "crawl", topics=topics())
    with mixed_web() as served:
        resume(directory, served.settings("crawl.order=breadth", "crawl.pages=12", "critic.kind=none"))
    return directory


def test_without_an_apprentice_the_order_is_named(plain: CrawlDirectory) -> None:
    waits = scenthound("why", plain.path, "http://items.test/95.html").out
    assert "  The order is breadth: no apprentice has a say in it.\n" in waits
    page = scenthound("why", plain.path, example("birds", 0))
    assert "  No apprentice was asked before it was fetched.\n" in page.out
    told = json.loads(scenthound("why", plain.path, example("birds", 0), "--json").out)
    assert (told["order"], told["apprentice"]) == ("breadth", None)
    status = scenthound("status", plain.path)
    assert "apprentice" not in status.out
    assert json.loads(scenthound("status", plain.path, "--json").out)["apprentice"] is None
