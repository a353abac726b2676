"""The list of first answers that the canonical tree gives for pages of an archived web."""

from pathlib import Path

import pytest

from bench.canon_places import answers, digest_of, lines, main, reading, seconds_to_load
from bench.labelled import LabelledWeb
from scenthound.judge.critic import Page
from scenthound.parse.words.page_terms import terms_of_text
from tests.judge.test_canon import GERMAN, PLANETS

pytestmark = pytest.mark.slow


def page(url: str, text: str, language: str) -> Page:
    return Page(url=url, title=url.rpartition("/")[2], terms=terms_of_text(text, language=language))


WEB = LabelledWeb(
    pages=(
        page("http://a.test/planets", PLANETS, "en"),
        page("http://a.test/planeten", GERMAN, "de"),
        page("http://a.test/index/planets", PLANETS, "en"),
    ),
    labels=(("Space",), ("Space", "German"), ("Space",)),
)


def test_each_page_of_a_category_gets_its_first_answer() -> None:
    found = list(answers(WEB))
    assert [(one.category, one.title, one.place and one.place.leaf) for one in found] == [
        ("German", "planeten", None),
        ("Space", "planets", "Science/Astronomy/Solar system"),
        ("Space", "planeten", None),
    ]


def test_answers_are_listed_below_their_category() -> None:
    listed = list(lines(list(answers(WEB))))
    assert [line for line in listed if not line.startswith(" ")] == ["German", "Space"]
    assert listed[1].split() == ["planeten", "cannot", "be", "read"]
    assert list(lines(list(answers(WEB)), share=0.1)) == [listed[0], listed[1], "Space", listed[4]]


def test_loading_is_measured() -> None:
    assert 0 < seconds_to_load() < 10


def test_a_web_that_is_missing_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SCENTHOUND_WEBS", str(tmp_path))
    assert main([]) == 1
    assert "schools.warc.gz was not found" in capsys.readouterr().out


def test_what_a_reader_found_is_counted_and_answers_that_changed_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    found = list(answers(WEB))
    table = "title\tleaf\tread as\nplanets\tScience/Astronomy/Solar system\twrong\n"
    monkeypatch.setattr("bench.canon_places.READ_DIGEST", digest_of(found))
    [said] = reading(found, table)
    assert said.startswith("read: 0 of 3 sensible (0%), 0 doubtful, 1 wrong")
    assert len(list(reading(found[:1], table))) == 2
