"""Check in a real browser: a finding that nobody knows the harvest leads to questions, and the answers to figures."""

import msgspec
import pytest
from playwright.sync_api import expect

from scenthound.crawl.diagnosis.advice import FINDINGS
from scenthound.crawl.diagnosis.cures import feedback_command, finding
from scenthound.crawl.diagnosis.reader_answers import latest_answers
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.events import FindingKind
from scenthound.services.topics.page_feedback import Saying, sayings_of
from scenthound.services.topics.sample import draw_sample
from scenthound.store.sqlite.store import SqliteStore
from scenthound.taxonomy import Topic, Topics
from tests.distill.small_crawls import MadeCrawl, directory_of, page
from tests.ui.in_browser import CommonWindow
from tests.ui.owner import set_by_owner

WANTED = Topics(topics=(Topic(path="Cycling", good=True, examples=("http://page0.test/",)),))


@pytest.mark.slow
def test_a_harvest_that_nobody_knows_is_checked_page_by_page(common: CommonWindow) -> None:
    pages = [page(f"http://page{n}.test/", 0.9 if n < 8 else 0.1, title=f"Page {n}") for n in range(20)]
    made = directory_of(MadeCrawl(urls=pages, links=[]), common.folder / "unknown", WANTED)
    directory = CrawlDirectory.open(made)
    set_by_owner(directory, "fetch.resolve", {"*.test": "127.0.0.1:9"})  # nobody is there
    unknown = finding(FindingKind.UNCHECKED, "nobody knows", ["on one site"], feedback_command("unknown", 20))
    with SqliteStore(directory.database) as store:
        store.note(FINDINGS, msgspec.json.encode([unknown]).decode())
    asked = draw_sample(directory, count=10).asked
    watched = common.open()
    shown = watched.go("/crawl/unknown")
    expect(shown.get_by_text("Nobody knows")).to_be_visible()
    shown.get_by_role("button", name="Say which crawled pages are good").click()
    questions = shown.locator(".dialog .proposal")
    expect(questions).to_have_count(10)
    expect(shown.locator(".dialog")).not_to_contain_text("0.9")  # the critic's opinion would be an answer
    shown.get_by_role("button", name="That is all").click()
    expect(shown.get_by_text("No answers, so nothing changes.")).to_be_visible()
    questions.nth(0).get_by_role("button", name="Yes").click()
    questions.nth(1).get_by_role("button", name="No").click()
    questions.nth(2).get_by_role("button", name="No").click()
    questions.nth(2).get_by_role("button", name="No").click()  # taken back
    shown.get_by_role("button", name="That is all").click()
    expect(shown.get_by_text("The critic learns from 2 pages.")).to_be_visible()
    shown.get_by_role("button", name="Close the questions").click()
    said = sayings_of(directory)
    assert [said.of(one.url) for one in asked[:3]] == [Saying.GOOD, Saying.NOT_GOOD, None]
    kept = latest_answers(directory.path)
    assert kept is not None
    assert kept.called == sum(one.relevance >= 0.5 for one in asked[:2])
    assert watched.errors == []
    assert watched.elsewhere == []
