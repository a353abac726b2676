"""A crawl that knows what it looks for: examples first, then what is like them; edits of the topics are followed."""

import random
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from scenthound.crawl.critic.example_set import Gathered, gather
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.engine.assemble import StopSwitch, open_store, run_crawl
from scenthound.errors import SettingError
from scenthound.events import Event, Progress, StopCause
from scenthound.judge.critic import Example, Page
from scenthound.settings.schema import CriticSettings
from scenthound.taxonomy import NOT_WANTED, Topic, Topics
from scenthound.topics.edits import mark_good, unmark
from scenthound.types import CriticRecord, Reason
from tests.crawl.scene import Crawled, command, resume, wait_until
from tests.crawl.topical_web import Served, new, topical_web, topics, url
from tests.nursery import started
from tests.often import slowly

BY_RELEVANCE = "crawl.order=best-first"


def share(crawled: Crawled, topic: str, *, first: int = 30) -> float:
    """Return which part of the first pages fetched by the crawl is about a topic, examples left out."""
    rows = [row for row in crawled.pages() if row.depth > 0 and row.status == 200][:first]
    return sum(row.host == f"{topic}.test" for row in rows) / len(rows)


def critic_of(crawled: Crawled) -> CriticRecord:
    with open_store(crawled.directory, read_only=True) as store:
        record = store.critic()
    assert record is not None
    return record


def critics_of(crawled: Crawled) -> list[CriticRecord]:
    with open_store(crawled.directory, read_only=True) as store:
        return store.critics()


@pytest.mark.slow
def test_examples_come_first_and_do_not_count(tmp_path: Path) -> None:
    with topical_web() as served:
        crawled = resume(new(tmp_path / "crawl", topics()), served.settings("crawl.pages=10"))
        asked = served.asked()
    examples = {url(name, n) for name in ("birds", "fish", "rocks") for n in range(8)}
    assert set(asked[:24]) == examples
    assert crawled.summary.cause is StopCause.PAGES
    assert crawled.summary.census.pages == 10
    assert [row.url for row in crawled.pages() if row.url in examples] == [url("birds", n) for n in range(8)]
    assert {row.url for row in crawled.pages(everything=True)} >= examples


@pytest.mark.parametrize("kind", ["logistic", *slowly("bayes", "svm")])
def test_the_good_topic_is_found_and_the_others_are_not(tmp_path: Path, kind: str) -> None:
    with topical_web() as served:
        settings = served.settings("crawl.pages=30", f"critic.kind={kind}")
        crawled = resume(new(tmp_path / "crawl", topics()), settings)
    assert share(crawled, "birds") >= 0.6
    judged = {row.host: row.relevance for row in crawled.pages(everything=True) if row.relevance is not None}
    assert judged["birds.test"] > 0.5 > judged["fish.test"]
    assert crawled.summary.census.judged == 30
    assert crawled.trouble() == []


@pytest.mark.slow
def test_without_focus_a_crawl_spreads(tmp_path: Path) -> None:
    with topical_web() as served:
        settings = served.settings("crawl.pages=40", "crawl.order=breadth", "critic.kind=none")
        crawled = resume(new(tmp_path / "crawl", topics()), settings)
    assert share(crawled, "birds") < 0.5


@pytest.mark.slow
def test_hard_focus_follows_no_link_of_a_page_off_topic(tmp_path: Path) -> None:
    with topical_web() as served:
        settings = served.settings("crawl.focus=hard", "crawl.tunnel=0", "critic.kind=bayes")
        crawled = resume(new(tmp_path / "crawl", topics()), settings)
    assert crawled.summary.cause is StopCause.DRY
    hosts = Counter(row.host for row in crawled.pages() if row.status == 200)
    assert hosts["birds.test"] == 40
    assert hosts["rocks.test"] == 0  # only pages about fish link there
    refused = crawled.story(url("rocks", 21))
    assert refused.reason is Reason.OFF_TOPIC
    assert "off-topic" in crawled.why(url("rocks", 21))


@pytest.mark.slow
def test_a_lead_is_followed_and_not_collected(tmp_path: Path) -> None:
    """FOCUS §2.2: the way to rocks goes through fish. Nothing else changes, and fish do not count as harvest."""
    plain = topics(good="birds")
    wider = replace(plain, topics=tuple(replace(one, lead=one.path == "nature/fish") for one in plain.topics))
    with topical_web() as served:
        settings = served.settings("crawl.focus=hard", "crawl.tunnel=0", "critic.kind=bayes")
        crawled = resume(new(tmp_path / "crawl", wider), settings)
    hosts = Counter(row.host for row in crawled.pages() if row.status == 200)
    assert hosts["fish.test"] == 40
    assert hosts["rocks.test"] > 0  # only pages about fish link there
    fish = [row.relevance for row in crawled.pages() if row.host == "fish.test" and row.status == 200 and row.depth]
    assert max(one or 0.0 for one in fish) < 0.5
    assert crawled.trouble() == []


@pytest.mark.slow
def test_a_dead_example_is_reported_and_stops_nothing(tmp_path: Path) -> None:
    wanted = topics()
    dead = replace(wanted.topics[0], examples=(*wanted.topics[0].examples, "http://birds.test/gone"))
    with topical_web() as served:
        directory = new(tmp_path / "crawl", replace(wanted, topics=(dead, *wanted.topics[1:])))
        crawled = resume(directory, served.settings("crawl.pages=5"))
    assert crawled.summary.census.pages == 5
    [notice] = [notice for notice in crawled.notices if "http://birds.test/gone" in notice]
    assert "gave no page: http-error" in notice


@pytest.mark.slow
def test_no_example_alive_is_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    only = topics().topics[:1]
    with topical_web() as served:
        directory = new(
            tmp_path / "crawl", replace(topics(), topics=(replace(only[0], examples=("http://birds.test/no",)),))
        )
        crawled = resume(directory, served.settings("crawl.pages=5"))
    assert crawled.summary.cause is StopCause.DRY
    assert "example add" in crawled.summary.detail


@pytest.mark.slow
def test_an_example_that_has_moved_is_learnt_from_where_it_leads(tmp_path: Path) -> None:
    wanted = topics(examples=3)
    moved = replace(wanted.topics[0], examples=("http://birds.test/moved", url("birds", 1)))
    with topical_web() as served:
        directory = new(tmp_path / "crawl", replace(wanted, topics=(moved, *wanted.topics[1:])))
        crawled = resume(directory, served.settings("crawl.pages=20"))
    assert not [notice for notice in crawled.notices if "gave no page" in notice]
    assert share(crawled, "birds", first=20) > 0.6


@pytest.mark.slow
def test_a_resumed_crawl_keeps_its_critic(tmp_path: Path) -> None:
    with topical_web() as served:
        first = resume(new(tmp_path / "crawl", topics()), served.settings("crawl.pages=10", BY_RELEVANCE))
        asked = len(served.asked())
        second = resume(first.directory, served.settings("crawl.pages=20", BY_RELEVANCE))
        assert len(served.asked()) == asked + 10
    assert critic_of(first).version == critic_of(second).version == 1
    assert not [notice for notice in second.notices if "learning" in notice]


@pytest.mark.slow
def test_marking_another_topic_good_turns_a_running_crawl(tmp_path: Path) -> None:
    directory = new(tmp_path / "crawl", topics())
    notices: list[str] = []

    def remark(event: Event) -> None:
        if isinstance(event, Progress):
            if event.pages_this_run >= 8 and directory.topics().good[0].path == "nature/birds":
                edit(directory, "fish")
        else:
            notices.append(event.text)

    with topical_web() as served:
        settings = served.settings(
            "crawl.pages=34", "fetch.delay=0.05", "apprentice.domain_share=1"
        )  # three domains in all
        bounded = directory.settings([*settings, "crawl.minutes=10"])
        run_crawl(directory, bounded, listener=remark, stop=StopSwitch())
        asked = served.asked()
    with open_store(directory, read_only=True) as store:
        rows = [row for row in store.pages() if row.status == 200]
        record = store.critic()
    assert record is not None
    assert record.good == ("nature/fish",)
    assert "the topics have changed; the crawl follows" in notices
    assert any("changed since the critic learnt; now it learns from them, judges" in notice for notice in notices)
    assert len(asked) == len(set(asked))  # nothing was fetched again
    last = Counter(row.host for row in rows[-15:])
    assert last["fish.test"] > last["birds.test"], Counter(row.host for row in rows)
    [bird] = [row for row in rows if row.url == url("birds", 9)]
    assert bird.relevance is not None
    assert bird.relevance < 0.3  # judged again under the new mark


def edit(directory: CrawlDirectory, good: str) -> None:
    history = directory.history
    with history.changing() as now:
        done = unmark(now, now.good[0].path)
        done = mark_good(done.topics, f"nature/{good}")
        history.write(done)


@pytest.mark.slow
def test_retraining_changes_nothing_where_nothing_has_changed(tmp_path: Path) -> None:
    with topical_web() as served:
        crawled = resume(new(tmp_path / "crawl", topics()), served.settings("crawl.pages=15"))
        asked = len(served.asked())
        before = {row.url: row.relevance for row in crawled.pages()}
        said = command("topics", str(crawled.directory.path), "--retrain")
        assert len(served.asked()) == asked
    assert "Nothing has changed" in said
    assert critic_of(crawled).version == 1
    assert {row.url: row.relevance for row in crawled.pages()} == before


@pytest.mark.slow
def test_the_crawl_is_learnt_from_as_it_grows_and_retraining_still_changes_nothing(tmp_path: Path) -> None:
    with topical_web() as served:
        crawled = resume(new(tmp_path / "crawl", topics()), served.settings("crawl.pages=60"))
    assert stages_of(crawled) == ["0", "50"]
    assert not any("changed since the critic learnt" in notice for notice in crawled.notices), "it only grew"
    before = {row.url: row.relevance for row in crawled.pages()}
    command("topics", str(crawled.directory.path), "--retrain")
    assert {row.url: row.relevance for row in crawled.pages()} == before
    assert crawled.trouble() == []


@pytest.mark.slow
def test_feedback_is_followed_and_undoing_it_restores_every_judgement(tmp_path: Path) -> None:
    with topical_web() as served:
        crawled = resume(new(tmp_path / "crawl", topics()), served.settings("crawl.pages=20"))
        path = str(crawled.directory.path)
        before = {row.url: row.relevance for row in crawled.pages()}
        refused = max(before, key=lambda url: before[url] or 0.0)
        said = command("feedback", path, refused, "--not-good")
        after = {row.url: row.relevance for row in crawled.pages()}
        assert "pages on topic" in said.lower()
        assert (after[refused] or 0.0) < 0.5 < (before[refused] or 0.0)
        kept = sum((relevance or 0.0) >= 0.5 for relevance in after.values())
        assert kept >= 0.6 * sum((relevance or 0.0) >= 0.5 for relevance in before.values()), "one word turns one page"
        command("feedback", path, refused, "--undo")
    assert {row.url: row.relevance for row in crawled.pages()} == before
    assert critic_of(crawled).model == "models/critic-0001", "the critic itself is back"


@pytest.mark.slow
def test_an_edit_neither_ends_a_stage_nor_begins_one(tmp_path: Path) -> None:
    """Pages that become examples are no pages of the crawl any more: fewer than fifty of them are left."""
    with topical_web() as served:
        crawled = resume(new(tmp_path / "crawl", topics()), served.settings("crawl.pages=50"))
        path = str(crawled.directory.path)
        assert stages_of(crawled) == ["0", "50"]
        before = {row.url: row.relevance for row in crawled.pages()}
        best = sorted(before, key=lambda url: -(before[url] or 0.0))
        known = {example for topic in crawled.directory.topics().topics for example in topic.examples}
        liked = [url for url in best if url not in known][:8]
        command("feedback", path, *liked, "--good")
        assert stages_of(crawled) == ["0", "50", "50"]
        command("feedback", path, *reversed(liked), "--undo")
    assert stages_of(crawled)[-1] == "50"
    assert {row.url: row.relevance for row in crawled.pages()} == before


def stages_of(crawled: Crawled) -> list[str]:
    return [record.lessons.split()[-1] for record in critics_of(crawled)]


@pytest.mark.slow
def test_a_critic_that_is_turned_on_late_reads_the_archive(tmp_path: Path) -> None:
    with topical_web() as served:
        first = resume(new(tmp_path / "crawl", topics()), served.settings("crawl.pages=30", "critic.kind=none"))
        assert {row.relevance for row in first.pages()} == {None}
        second = resume(first.directory, served.settings("crawl.pages=31"))
    judged = {row.host: row.relevance for row in second.pages() if row.relevance is not None}
    assert not [row for row in second.pages() if row.relevance is None and row.status == 200]
    assert judged["birds.test"] > 0.5


@pytest.mark.slow
def test_the_directories_above_a_relevant_page_are_tried_if_asked(tmp_path: Path) -> None:
    with topical_web() as served:
        resume(
            new(tmp_path / "crawl", topics()), served.settings("crawl.pages=10", "crawl.truncate=true", BY_RELEVANCE)
        )
        assert "http://birds.test/" in served.asked()


@pytest.mark.slow
def test_a_function_of_the_users_is_a_critic(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "likes_eggs.py").write_text("def judge(page):\n    return 0.9 if 'plumage' in page.text else 0.1\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    with topical_web() as served:
        settings = served.settings("crawl.pages=20", "critic.kind=likes_eggs:judge")
        crawled = resume(new(tmp_path / "crawl", topics()), settings)
    assert share(crawled, "birds") >= 0.6
    assert {row.relevance for row in crawled.pages() if row.status == 200} == {0.9, 0.1}
    with open_store(crawled.directory, read_only=True) as store:
        told = CriticSettings(kind="likes_eggs:judge")
        held = gather(store, crawled.directory.topics(), folder=crawled.directory.path, critic=told).examples
    assert all("plumage" in one.page.text for one in held if one.topic == "nature/birds"), "it is tried on whole texts"


@pytest.mark.slow
def test_a_kind_of_critic_that_does_not_exist_is_refused_before_anything_is_asked_for(tmp_path: Path) -> None:
    with topical_web() as served:
        with pytest.raises(SettingError, match='did you mean "logistic"'):
            resume(new(tmp_path / "crawl", topics()), served.settings("critic.kind=logstic"))
        assert served.asked() == []


@pytest.mark.slow
def test_one_topic_alone_is_told_from_pages_of_other_topics(tmp_path: Path) -> None:
    alone = replace(topics(), topics=topics().topics[:1])
    with topical_web() as served:
        crawled = resume(new(tmp_path / "crawl", alone), served.settings("crawl.pages=25"))
    assert any("other topics stand for what is not wanted" in notice for notice in crawled.notices)
    assert share(crawled, "birds", first=25) > 0.6


@pytest.mark.slow
def test_classify_shows_the_way_through_the_tree(tmp_path: Path) -> None:
    with topical_web() as served:
        crawled = resume(new(tmp_path / "crawl", topics()), served.settings("crawl.pages=5"))
        write_settings(crawled.directory, served)
        asked = len(served.asked())
        told = command("classify", str(crawled.directory.path), url("birds", 30), url("fish", 2))
        assert len(served.asked()) == asked + 1  # the second page is stored
    assert "nature" in told
    assert "birds" in told
    note = tmp_path / "note.txt"
    note.write_text("The trout and the salmon spawn in the river, where herring, cod and pike find bait and tackle.")
    assert "fish" in command("classify", str(crawled.directory.path), str(note))


def write_settings(directory: CrawlDirectory, served: Served) -> None:
    lines = [f'delay = 0.0\nresolve = {{"*.test" = "127.0.0.1:{served.web.port}"}}']
    directory.settings_file.write_text("[read]\nworkers = 1\n[fetch]\n" + "\n".join(lines) + "\n")


@pytest.mark.slow
def test_a_crawl_killed_while_it_learns_and_judges_ends_as_if_nothing_had_been(tmp_path: Path) -> None:
    draw, directory = random.Random(3), new(tmp_path / "crawl", topics())
    with topical_web() as served:
        settings = served.settings("critic.kind=bayes", "crawl.choosy=0")
        for _ in range(6):
            start_and_kill(directory, served, settings, requests=draw.randint(1, 25), pause=draw.uniform(0, 0.2))
        crawled = resume(directory, settings)
        asked = Counter(served.asked())
        undisturbed = resume(new(tmp_path / "undisturbed", topics()), settings)
    pages = {row.url for row in undisturbed.pages(everything=True) if row.status == 200}
    assert crawled.summary.cause is StopCause.DRY
    assert {row.url for row in crawled.pages(everything=True) if row.status == 200} == pages
    assert {row.relevance is not None for row in crawled.pages(everything=True) if row.status == 200} == {True}
    assert sum(asked.values()) - len(asked) <= 6  # one request was in flight at each kill
    assert critic_of(crawled).version == 1
    assert crawled.trouble() == []


def start_and_kill(
    directory: CrawlDirectory, served: Served, settings: Sequence[str], *, requests: int, pause: float
) -> None:
    """Run the program until it has asked so many times, and a moment longer."""
    words = [word for setting in settings for word in ("--set", setting)]
    enough = len(served.asked()) + requests
    with started("crawl", str(directory.path), "--quiet", *words) as crawling:
        wait_until(lambda: len(served.asked()) >= enough or crawling.poll() is not None)
        time.sleep(pause)  # into whatever it does after that request
        crawling.kill()


def test_what_is_said_of_pages_counts_for_their_sites_the_good_against_the_others() -> None:
    said = {
        NOT_WANTED: ("http://a.x.test/1", "http://b.x.test/2", "http://y.test/1", "file.html"),
        "Birds": ("http://y.test/2",),
    }
    said["Fish"] = ("http://z.test/1",)  # another topic is nobody's reproach
    examples = tuple(Example(topic=topic, name=name, page=Page()) for topic, names in said.items() for name in names)
    topics = Topics(topics=tuple(Topic(path=path, good=path == "Birds") for path in said))
    assert Gathered(topics=topics, examples=examples, dead=(), digest="").disowned() == {"x.test": 2}
