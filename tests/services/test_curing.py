"""What a finding says would help is done here, or is for the reader to copy; no command is run as such."""

from pathlib import Path

import pytest

from scenthound.crawl.diagnosis.reader_answers import Answers, share_of
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.errors import TopicsError, UsageError
from scenthound.events import Finding, FindingKind
from scenthound.services.crawls.cure import Cure, Verb, cure_found, cure_of, do_cure
from scenthound.services.crawls.engine_process import Engine
from scenthound.taxonomy import Topic, Topics
from scenthound.types import Census
from tests.crawl.test_diagnosis import BANKS, BONDS, FUNDS, NEWS, farmed, forecasts, found, hosts, mixed, page, ticks

SLOWED = ticks([5.0] * 12 + [0.5] * 6)


# A reader finds one page in twenty good, where the critic says nine in ten.
ANSWERS = Answers(at=0.0, pages=100, called=20, good=1, precision=share_of(1, 20), harvest=share_of(1, 20))
ALONE = Topics(topics=(Topic(path=FUNDS, good=True),))


def every_finding() -> list[Finding]:
    """Bring about each trouble that a crawl may notice, so that all commands are there that a finding may carry."""
    trap = [page(0.7, FUNDS, host="trap.test", repeats=True, n=n) for n in range(90)]
    failing = Census(waiting=500, reasons={"dns": 90}, hosts_bad=3)
    return [
        *found(mixed((160, 0.01, BONDS), (40, 0.0, NEWS))),
        *found(mixed((70, 0.01, BONDS), (70, 0.01, BANKS), (60, 0.0, NEWS))),
        *found(mixed((60, 0.0, NEWS), (40, 0.0, BONDS), (100, 0.0, ""))),
        *found(mixed((70, 0.45, FUNDS), (30, 0.02, BONDS))),
        *found(trap + [page(0.7, FUNDS, n=n) for n in range(10)], hosts=hosts(10, 10, 10)),
        *found(farmed(264, 136), hosts=hosts(10, 10, 10, 10, 10), share=0.2),
        *found([], forecasts=forecasts((200, 1.0, 0.1))),
        *found([], failing, ticks=SLOWED, now=SLOWED[-1][0]),
        *found([], Census(waiting=100, hosts_resting=1), ticks=SLOWED, now=SLOWED[-1][0], hosts=hosts(90)),
        *found([], Census(judged=100, relevance_sum=90.0), answers=ANSWERS),
        *found([page(0.9, FUNDS, host="one.test", n=n) for n in range(100)], topics=ALONE),
        *(found([], Census(pages=300, waiting=40, reasons={why: 900}))[0] for why in ("off-topic", "outside", "too-deep")),
    ]  # fmt: skip


def test_every_command_is_understood_unless_a_word_is_to_be_filled_in() -> None:
    found = every_finding()
    assert {one.kind for one in found} == set(FindingKind) - {FindingKind.FALLING_RELEVANCE}  # helped as stagnation is
    assert {cure.verb for one in found if (cure := cure_of(one.command))} == set(Verb) - {Verb.UNDO}
    assert [one.command for one in found if cure_of(one.command) is None] == [
        "scenthound topics money example add Money/Funds URL",
        "scenthound feedback money --ask 20",  # answers that contradict the critic
        "scenthound feedback money --ask 20",  # a harvest that nobody can check
    ]
    undos = {one.command: cure_of(one.undo) for one in found if one.undo}
    for command, undo in undos.items():
        cure = cure_of(command)
        assert cure is not None
        assert undo is not None
        assert undo == Cure(verb=Verb.UNDO) or (undo.verb, undo.setting) == (Verb.SET, cure.setting)


@pytest.mark.parametrize(
    "command",
    [
        "",
        "scenthound topics web mark A; rm -r web",
        "scenthound topics web remove A",
        "scenthound crawl web --set crawl.pages=1 --set fetch.delay=0",
        "scenthound topics web example add A /etc/passwd",
        "sh -c 'scenthound topics web mark A'",
        "scenthound topics 'web mark A",
    ],
)
def test_nothing_else_is_done(command: str) -> None:
    assert cure_of(command) is None


@pytest.fixture
def directory(tmp_path: Path) -> CrawlDirectory:
    topics = Topics(topics=(Topic(path=FUNDS, good=True, examples=("http://a.test/",)), Topic(path=BONDS)))
    return CrawlDirectory.create(tmp_path / "my crawl", topics=topics)


def done(directory: CrawlDirectory, command: str) -> list[str]:
    cure = cure_of(command)
    assert cure is not None
    return do_cure(cure, directory, Engine())


@pytest.mark.slow
def test_topics_and_settings_are_changed(directory: CrawlDirectory) -> None:
    assert done(directory, "scenthound topics x mark Money --widen")[0].startswith('"Money" is good now')
    assert [topic.path for topic in directory.topics().good] == ["Money"]
    done(directory, "scenthound topics x undo")
    assert [topic.path for topic in directory.topics().good] == [FUNDS]
    done(directory, "scenthound topics x example add Money/Bonds http://b.test/")
    assert directory.topics().below(BONDS)[0].examples == ("http://b.test/",)
    done(directory, "scenthound crawl x --set crawl.pages_per_host=90")
    assert directory.settings().crawl.pages_per_host == 90
    done(directory, """scenthound crawl x --set 'fetch.locked=["ads.test", "farm.test"]'""")
    assert directory.settings().fetch.locked == ["ads.test", "farm.test"]
    done(directory, "scenthound crawl x --set crawl.order=best-first")
    assert directory.settings().crawl.order == "best-first"
    with pytest.raises(TopicsError, match="already good"):
        done(directory, "scenthound topics x mark Money/Funds")


def test_what_was_not_noticed_is_not_cured(directory: CrawlDirectory) -> None:
    with pytest.raises(UsageError, match="has not noticed"):
        cure_found(directory, FindingKind.ONE_DOMAIN, Engine())


def test_a_crawl_that_runs_is_asked_to_forgive_and_not_stopped(directory: CrawlDirectory) -> None:
    with directory.lock():
        [told] = done(directory, "scenthound crawl x --forgive")
        assert told == "Hosts that failed too often get another chance now."
        assert directory.asks_to_forgive
    directory.ask_to_forgive(False)
    assert not directory.asks_to_forgive
