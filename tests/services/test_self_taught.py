"""A live crawl that teaches itself from two examples, and the user who confirms, refuses, trims and undoes.

The web is that of tests/crawl/topical_web: birds, fish and rocks, a host each.
"""

import io
import json
from pathlib import Path
from shutil import copytree

import pytest

from scenthound import StopSwitch, run_crawl
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.directory.open_store import open_store
from scenthound.crawl.engine.assemble import retrain
from scenthound.crawl.learning.learnt_note import learnt_of
from scenthound.errors import TopicsError, UsageError
from scenthound.events import Event, Notice, ignore
from scenthound.services.status.crawl_status import status_of
from scenthound.services.status.learnt_status import learnt_lines
from scenthound.services.topics.archetype_list import archetypes_of
from scenthound.services.topics.lesson_choice import lesson_pages
from scenthound.services.topics.page_feedback import Saying, say, take_back
from scenthound.services.topics.page_trim import blocks_of, trim
from scenthound.services.topics.topic_edits import Editing
from scenthound.settings.schema import Settings
from scenthound.taxonomy import Topic, Topics
from tests.cli.conftest import scenthound
from tests.crawl.topical_web import Served, topical_web, url

WANTED = Topics(topics=(Topic(path="nature/birds", good=True, examples=(url("birds", 0), url("birds", 20))),))
PAGES = 112


def made(path: Path, served: Served, *more: str) -> tuple[CrawlDirectory, Settings]:
    """Make a crawl directory whose file has the settings."""
    directory = CrawlDirectory.create(path, topics=WANTED)
    settings = directory.settings(
        served.settings("crawl.phases=auto", "crawl.archetypes=6", f"crawl.pages={PAGES}", *more)
    )
    return CrawlDirectory.create(path.with_name(f"{path.name}-set"), topics=WANTED, settings=settings), settings


def crawled(path: Path, *more: str, stops: tuple[int, ...] = ()) -> tuple[CrawlDirectory, list[str], list[str]]:
    """Crawl, with interruptions after so many pages; return what was asked for and what was told."""
    told: list[str] = []
    with topical_web() as served:
        directory, settings = made(path, served, *more)
        for after in (*stops, None):
            stop = StopSwitch()

            def hear(event: Event, after: int | None = after, stop: StopSwitch = stop) -> None:
                if isinstance(event, Notice):
                    told.append(event.text)
                elif after is not None and event.pages_this_run >= after:
                    stop.ask()

            run_crawl(directory, settings, listener=hear, stop=stop)
        return directory, served.asked(), told


@pytest.fixture(scope="module")
def taught(tmp_path_factory: pytest.TempPathFactory) -> tuple[CrawlDirectory, list[str], list[str]]:
    return crawled(tmp_path_factory.mktemp("taught") / "crawl")


@pytest.fixture
def directory(taught: tuple[CrawlDirectory, list[str], list[str]], tmp_path: Path) -> CrawlDirectory:
    copytree(taught[0].path, tmp_path / "copy")
    return CrawlDirectory.open(tmp_path / "copy")


pytestmark = pytest.mark.slow


def test_it_stays_near_the_examples_then_goes_everywhere(taught: tuple[CrawlDirectory, list[str], list[str]]) -> None:
    directory, asked, told = taught
    outside = next(place for place, one in enumerate(asked) if "birds.test" not in one)
    assert outside > 20
    assert {one.split("/")[2] for one in asked[outside:]} >= {"fish.test", "rocks.test"}
    assert any("harvests from now on" in text for text in told)
    status = status_of(directory).learnt
    assert status is not None
    assert status.phase == "harvesting"
    assert learnt_lines(status)[0].startswith("harvesting since page ")


def test_its_archetypes_are_birds_and_the_examples_stay_what_the_user_named(
    taught: tuple[CrawlDirectory, list[str], list[str]],
) -> None:
    found = archetypes_of(taught[0])
    assert 1 <= len(found) <= 4  # with two examples they make six
    assert all("birds.test" in one.url and "relevance" in one.reason for one in found)
    assert taught[0].topics() == WANTED


def test_an_interrupted_crawl_comes_to_the_same_end(
    taught: tuple[CrawlDirectory, list[str], list[str]], tmp_path: Path
) -> None:
    again, asked, _ = crawled(tmp_path / "again", stops=(15, 40, 50))
    assert archetypes_of(again) == archetypes_of(taught[0])
    assert sorted(asked) == sorted(taught[1])


def test_training_with_nothing_changed_changes_nothing(directory: CrawlDirectory) -> None:
    assert retrain(directory, directory.settings(), listener=ignore) is None


def test_confirmed_and_refused_archetypes_are_none_until_that_is_undone(directory: CrawlDirectory) -> None:
    first, *rest = archetypes_of(directory)
    say(directory, first.url, Saying.GOOD)
    assert first.url in directory.topics().good[0].examples
    assert list(archetypes_of(directory)) == rest
    take_back(directory, first.url)
    say(directory, first.url, Saying.NOT_GOOD)
    assert list(archetypes_of(directory)) == rest
    take_back(directory, first.url)
    assert list(archetypes_of(directory)) == [first, *rest]


def test_a_trimmed_page_teaches_by_the_chosen_blocks(directory: CrawlDirectory) -> None:
    first, *rest = archetypes_of(directory)
    blocks = blocks_of(directory, first.url)
    trim(directory, first.url, [1])
    [name] = directory.topics().good[0].example_files
    written = (directory.path / name).read_text(encoding="utf-8")
    assert blocks[0].split()[0] in written
    assert first.url in written
    assert list(archetypes_of(directory)) == rest
    Editing(directory.path).undo()
    assert list(archetypes_of(directory)) == [first, *rest]
    with pytest.raises(UsageError, match="choose at least one block"):
        trim(directory, first.url, [])
    with pytest.raises(UsageError, match=f"has the blocks 1 to {len(blocks)}"):
        trim(directory, first.url, [99])
    with pytest.raises(TopicsError, match="is an example of"):
        trim(directory, url("birds", 0), [1])


def test_the_questions_are_about_archetypes_and_doubtful_pages(directory: CrawlDirectory) -> None:
    asked = lesson_pages(directory)
    assert len({one.url for one in asked}) == 10
    assert any(one.why.startswith("an archetype: ") for one in asked)
    doubt = [abs(one.relevance - 0.5) for one in asked if "unsure" in one.why]
    with open_store(directory, read_only=True) as store:
        usual = [abs(row.relevance - 0.5) for row in store.pages() if row.relevance is not None]
    assert sum(doubt) / len(doubt) < sum(usual) / len(usual)
    assert lesson_pages(directory) == asked
    say(directory, asked[0].url, Saying.GOOD)
    assert asked[0].url not in {one.url for one in lesson_pages(directory)}


def test_teach_asks_takes_answers_and_learns(directory: CrawlDirectory, monkeypatch: pytest.MonkeyPatch) -> None:
    path = str(directory.path)
    [first, second, *_] = lesson_pages(directory)
    assert [one["url"] for one in json.loads(scenthound("teach", path, "--json").out)][:2] == [first.url, second.url]
    monkeypatch.setattr("sys.stdin", io.StringIO("y\nt\n1\nq\n"))
    ran = scenthound("teach", path)
    assert ran.code == 0, ran.err
    topic = directory.topics().good[0]
    assert first.url in topic.examples
    assert len(topic.example_files) == 1
    assert "To undo the last answer: scenthound topics" in ran.out
    assert "archetype" in scenthound("topics", path).out
    assert "surest of" in scenthound("topics", path, "archetypes").out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--blocks", "1"], "--blocks needs --trim URL"),
        (["--trim", url("birds", 5), "--blocks", "one"], '"one" is no number of a block'),
        (["--trim", "http://nowhere.test/"], "nowhere.test"),
    ],
)
def test_teach_says_in_one_line_what_is_wrong(directory: CrawlDirectory, words: list[str], said: str) -> None:
    ran = scenthound("teach", str(directory.path), *words)
    assert ran.code == 2
    assert said in ran.err
    assert len(ran.err.strip().splitlines()) == 1


def test_the_user_may_end_the_learning_phase(tmp_path: Path) -> None:
    with topical_web() as served:
        directory, settings = made(tmp_path / "crawl", served, "crawl.pages=12")
        assert "from its next start on" in scenthound("teach", str(directory.path), "--harvest").out
        run_crawl(directory, settings)
    with open_store(directory, read_only=True) as store:
        learnt = learnt_of(store)
    assert (learnt.phase, learnt.why) == ("harvesting", "you asked for it")
    assert not directory.asks_to_harvest
    assert "harvests already" in scenthound("teach", str(directory.path), "--harvest").out
