"""A second visit asks whether a page has changed (RFC 9110 §13), and what has not is recorded as unchanged."""

from pathlib import Path

import pytest

from scenthound.crawl.revisit.calendar import Revisit
from scenthound.events import StopCause
from scenthound.types import Ending
from tests.crawl.scene import bad_web, new, on, resume


@pytest.mark.slow
def test_a_revisit_sends_validators_and_believes_a_304(tmp_path: Path) -> None:
    with bad_web() as web:
        directory = new(tmp_path / "crawl", [web.url("unchanged"), web.url("siblings")])
        first = resume(directory, on(web))
        second = resume(directory, on(web), revisit=Revisit.ALL)
        visits = web.visits("unchanged", "/")
    assert "8 pages to be asked for again" in second.notices
    assert [visit.headers.get("if-none-match") for visit in visits] == [None, '"one"']
    assert [visit.headers.get("if-modified-since") for visit in visits] == [None, "Wed, 21 Oct 2015 07:28:00 GMT"]
    story = second.story(web.url("unchanged"))
    assert [(attempt.ending, attempt.status) for attempt in story.attempts[1:]] == [
        (Ending.PAGE, 200),
        (Ending.UNCHANGED, 304),
    ]
    assert "unchanged since the last visit" in second.why(web.url("unchanged"))
    assert (story.state, story.page and story.page.title) == ("page", "Version one")
    assert [run.summary.cause for run in (first, second)] == [StopCause.DRY] * 2
    assert second.trouble() == []


@pytest.mark.slow
def test_a_revisit_counts_no_page_twice_and_forgets_none(tmp_path: Path) -> None:
    with bad_web() as web:
        directory = new(tmp_path / "crawl", [web.url("siblings")])
        first = resume(directory, on(web, "crawl.pages=7"))
        second = resume(directory, on(web, "crawl.pages=7"), revisit=Revisit.ALL)
        assert len(web.visits("siblings", "/page/3")) == 2
    assert second.summary.census.pages == first.summary.census.pages == 7
    assert second.summary.pages_this_run == 7  # a revisit's budget is what it asks for, whatever earlier runs did
    assert {row.url for row in first.pages()} == {row.url for row in second.pages()}
    assert second.summary.census.duplicates == 0  # a page is no duplicate of its own earlier self


@pytest.mark.slow
def test_what_a_budget_has_left_of_a_revisit_does_not_fall_to_the_next_crawl(tmp_path: Path) -> None:
    with bad_web() as web:
        directory = new(tmp_path / "crawl", [web.url("maze")])
        resume(directory, on(web, "crawl.pages=12"))
        some = resume(directory, on(web, "crawl.pages=3"), revisit=Revisit.ALL)
        before = len(web.visits("maze"))
        plain = resume(directory, on(web, "crawl.pages=14"))
        asked = web.visits("maze")[before:]
    assert some.summary.pages_this_run == 3
    assert "9 pages that an earlier run was to ask for again stay as they are" in plain.notices[0]
    assert plain.summary.pages_this_run == len(asked) == 2
    assert plain.summary.census.pages == 14
    assert plain.trouble() == []


@pytest.mark.slow
def test_the_same_revisit_goes_on_with_what_was_left(tmp_path: Path) -> None:
    with bad_web() as web:
        directory = new(tmp_path / "crawl", [web.url("maze")])
        resume(directory, on(web, "crawl.pages=8"))
        before = len(web.visits("maze"))
        resume(directory, on(web, "crawl.pages=3"), revisit=Revisit.ALL)
        resume(directory, on(web, "crawl.pages=8"))  # nothing to do: the budget is used up
        resume(directory, on(web, "crawl.pages=5", "revisit.then=stop"), revisit=Revisit.ALL)
        paths = [visit.path for visit in web.visits("maze")[before:]]
    assert len(paths) == len(set(paths)) == 8
