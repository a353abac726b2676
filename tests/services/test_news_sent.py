"""News on its way out: webhooks and commands that work, fail, are slow, are not trusted, or are killed under us."""

import asyncio
import json
import os
import signal
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from scenthound.clock import VirtualClock
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.errors import UsageError
from scenthound.services.news.beside_crawl import asking_beside
from scenthound.services.news.book_edits import add_channel, add_question, remove_channel
from scenthound.services.news.channels import post as posted
from scenthound.services.news.channels import run
from scenthound.services.news.delivery import PARCEL, Post
from scenthound.services.news.question_run import NewsReport, RunWish, news_of, run_questions
from scenthound.settings.question_book import NewsCommand, SavedQuestion, Webhook
from tests.nursery import started
from tests.patience import until
from tests.services.asked_crawl import PAGES_SQL, asked_crawl, grow
from tests.services.webhook_receiver import Receiver, receiving

pytestmark = pytest.mark.slow


@pytest.fixture
def directory(tmp_path: Path) -> CrawlDirectory:
    made = asked_crawl(tmp_path / "mine")
    add_question(made, "pages", SavedQuestion(sql=PAGES_SQL))
    return made


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as found:
        yield found


def test_a_webhook_gets_what_is_new_with_its_headers(directory: CrawlDirectory, receiver: Receiver) -> None:
    add_channel(directory, Webhook(url=receiver.url, private=True, headers={"X-Secret": "s3cret"}))
    grow(directory, "alps", "Tours of the Alps")
    run_questions(directory)
    run_questions(directory)
    assert receiver.titles == ["Tours of the Alps"]
    assert (receiver.headers["x-secret"], receiver.headers["content-type"]) == ("s3cret", "application/json")
    assert receiver.got[0]["crawl"] == "mine"
    assert (directory.path / "questions.toml").stat().st_mode & 0o077 == 0


def test_a_channel_begins_with_the_next_item_and_ends_when_told(directory: CrawlDirectory, receiver: Receiver) -> None:
    grow(directory, "before", "Before")
    run_questions(directory)
    add_channel(directory, Webhook(url=receiver.url, private=True))
    grow(directory, "then", "Then")
    run_questions(directory)
    assert remove_channel(directory, receiver.url) == f"the webhook {receiver.url}"
    grow(directory, "after", "After")
    run_questions(directory)
    assert receiver.titles == ["Then"]


@pytest.mark.parametrize(
    ("channel", "said"),
    [
        (Webhook(url="http://["), "give a whole address"),
        (Webhook(url="https://example.org:99999/"), "give a whole address"),
        (NewsCommand(run=("no-such-program",)), "there is no program no-such-program"),
        (NewsCommand(run=("echo", "\0")), "there is no program echo"),
    ],
)
def test_a_channel_that_cannot_work_is_refused_at_once(
    directory: CrawlDirectory, channel: Webhook | NewsCommand, said: str
) -> None:
    before = (directory.path / "questions.toml").read_text()
    with pytest.raises(UsageError, match=said):
        add_channel(directory, channel)
    assert (directory.path / "questions.toml").read_text() == before


def test_a_kill_while_it_is_sent_loses_nothing(directory: CrawlDirectory, receiver: Receiver) -> None:
    add_channel(directory, Webhook(url=receiver.url, private=True))
    for number in range(3):
        grow(directory, f"page{number}", f"Page {number}")
        with started("questions", str(directory.path), "run") as process:
            receiver.on_post = partial(os.kill, process.pid, signal.SIGKILL)  # it has arrived; nobody hears of that
            assert process.wait() == -9
    receiver.on_post = lambda: None
    seen = set(receiver.ids)
    run_questions(directory, RunWish(insist=True))
    assert set(receiver.titles) == {"Page 0", "Page 1", "Page 2"}
    assert set(receiver.ids) == seen
    assert len(seen) == 3
    run_questions(directory)
    assert (directory.path / "news.atom").read_text().count("<entry>") == 3


def test_a_failing_webhook_rests_longer_each_time_and_gets_all_in_the_end(
    directory: CrawlDirectory, receiver: Receiver
) -> None:
    hook = Webhook(url=receiver.url, private=True)
    add_channel(directory, hook)
    receiver.status, clock = 500, VirtualClock(1_000_000.0)
    grow(directory, "alps", "Tours of the Alps")
    assert run_questions(directory, RunWish(now=clock.now)).failed
    posts = []
    with news_of(directory) as store:
        post = Post(directory=directory, store=store, now=clock.now)
        for _ in range(32):
            asyncio.run(clock.sleep(30.0))
            post.deliver([hook])
            posts.append(len(receiver.got))
        assert [place for place in range(1, 32) if posts[place] > posts[place - 1]] == [1, 5, 13, 29]
        receiver.status = 204
        [sent] = post.deliver([hook], insist=True)
    assert sent.says == f"1 item sent to the webhook {receiver.url}"
    assert len(set(receiver.ids)) == 1


def test_one_channel_that_fails_holds_up_no_other(directory: CrawlDirectory, receiver: Receiver) -> None:
    add_channel(directory, Webhook(url="http://127.0.0.1:9/", private=True))
    add_channel(directory, Webhook(url=receiver.url, private=True))
    grow(directory, "alps", "Tours of the Alps")
    failed, sent = run_questions(directory).deliveries
    assert "9" in failed.trouble
    assert (sent.trouble, receiver.titles) == ("", ["Tours of the Alps"])


def test_many_news_come_in_parcels_in_their_order(directory: CrawlDirectory, receiver: Receiver) -> None:
    add_channel(directory, Webhook(url=receiver.url, private=True))
    many = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 250) SELECT i FROM n"
    add_question(directory, "numbers", SavedQuestion(sql=many, report_first=True))
    assert [len(parcel["news"]) for parcel in receiver.got] == [PARCEL, PARCEL, 50]
    assert receiver.titles == [str(number) for number in range(1, 251)]


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_private_addresses_are_reached_only_where_that_is_said(receiver: Receiver, host: str) -> None:
    url = receiver.url.replace("127.0.0.1", host)
    assert "is a private address; if you mean it, write private = true" in posted(Webhook(url=url), b"{}")
    assert posted(Webhook(url=url, private=True), b'{"news": []}') == ""


def test_a_webhook_that_answers_otherwise_has_not_taken_it(receiver: Receiver) -> None:
    receiver.status = 302
    hook = Webhook(url=receiver.url, private=True)
    assert posted(hook, b"{}") == "it answers 302 Found"
    receiver.on_post = lambda: time.sleep(0.5)
    assert posted(Webhook(url=receiver.url, private=True, seconds=0.05), b"{}") == "no answer within 0.05 s"


def test_a_command_gets_news_on_its_standard_input(directory: CrawlDirectory) -> None:
    add_channel(directory, NewsCommand(run=("tee", "got $(whoami).json")))
    grow(directory, "alps", "Tours of the Alps")
    run_questions(directory)
    got = json.loads((directory.path / "got $(whoami).json").read_text())
    assert [item["title"] for item in got["news"]] == ["Tours of the Alps"]


def test_a_command_has_a_limit_of_time_and_says_why_it_failed(tmp_path: Path) -> None:
    waits = "import subprocess; subprocess.run(['sleep', '60'])"
    late = NewsCommand(run=(sys.executable, "-c", waits), seconds=0.2)
    assert run(late, b"{}", tmp_path) == "it took longer than 0.2 s"
    fails = NewsCommand(run=(sys.executable, "-c", "import sys; sys.exit('no bell here')"))
    assert run(fails, b"x" * 1_000_000, tmp_path) == "it ended with status 1: no bell here"
    assert run(NewsCommand(run=("there-is-no-such-program",)), b"", tmp_path).startswith("it cannot be run: No such")


def test_questions_run_beside_a_crawl(directory: CrawlDirectory) -> None:
    grow(directory, "alps", "Tours of the Alps")
    with asking_beside(directory, every=0.01):
        assert until(lambda: "Tours of the Alps" in (directory.path / "news.atom").read_text())


def test_what_the_file_names_runs_only_if_its_user_trusts_it(directory: CrawlDirectory, receiver: Receiver) -> None:
    with (directory.path / "questions.toml").open("a") as file:
        file.write('[[command]]\nrun = ["touch", "mark"]\n')
        file.write(f'[[webhook]]\nurl = "{receiver.url}"\nprivate = true\n')
    run_questions(directory)
    grow(directory, "alps", "Tours of the Alps")
    report: NewsReport = run_questions(directory)
    assert [one.trouble.partition(":")[0] for one in report.deliveries] == ["you have not trusted it"] * 2
    assert not (directory.path / "mark").exists()
    assert receiver.got == []
