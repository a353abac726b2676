"""URLs that differ only in their variable parts have one shape, and traps show in a single URL."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.parse.shapes import shape_of, suspicion

A = "http://a1.example"


@pytest.mark.parametrize(
    ("tail", "shape"),
    [
        ("/", "/"),
        ("/wp/a/Atom.htm", "/wp/a/Atom.htm"),
        ("/news/2024/05/story-77.html", "/news/#/#/story-#.html"),
        ("/2007/07/07/", "/#/#/#/"),
        ("/x/f81d4fae-7dec-11d0-a765-00a0c91e6bf6", "/x/*"),
        ("/x/deadbeef01", "/x/*"),
        ("/x/deadbeef", "/x/deadbeef"),
        ("/x/4oTy8bQx9LkPz2mNw7Rv1c", "/x/*"),
        ("/x?b=1&a=2&b=3", "/x?a&b"),
        ("/x?a=9&b=8", "/x?a&b"),
        ("/a/b/a/b/a/b/c", "/(a/b)+/c"),
        ("/a/a/a/a", "/(a)+"),
        ("/en/en/x", "/en/en/x"),
        ("/%25C3%2585land", "/%25C#%25#land"),
        ("/%C3%85land", "/%C3%85land"),
    ],
)
def test_shape(tail: str, shape: str) -> None:
    assert shape_of(A + tail) == A + shape


def test_growing_paths_and_counting_calendars_keep_one_shape() -> None:
    assert len({shape_of(f"{A}/{'a/b/' * times}x") for times in range(2, 9)}) == 1
    assert (
        len({shape_of(f"{A}/cal?month={month}&year={year}") for month in range(12) for year in range(1900, 2100)}) == 1
    )


@given(st.lists(st.sampled_from(["a", "b", "c1", "", "x?", "&k=v", "77", "deadbeef01"]), max_size=12))
def test_any_url_has_a_shape_and_perhaps_a_suspicion(parts: list[str]) -> None:
    url = f"{A}/{'/'.join(parts)}"
    assert shape_of(url).startswith(A + "/")
    assert isinstance(suspicion(url), str)


@pytest.mark.parametrize(
    ("tail", "words"),
    [
        ("/a/b/a/b/a/b/a/b/x", "path repeats a/b 4 times"),
        ("/x/y/y/y", "path repeats y 3 times"),
        ("/" + "/".join(f"f{n}" for n in range(30)), "path is 30 folders deep"),
        ("/x;sid=0123456789abcdef/y", "session id in the path"),
        ("/cal?year=2417", "calendar in the year 2417"),
        ("/calendar/2024/5/", "it walks a calendar"),
        ("/events/calendar.php?m=5&y=2020", "it walks a calendar"),
        ("/calories/5", ""),
        ("/calendar/", ""),
        ("/cal?year=2024", "it walks a calendar"),
        ("/x?a=1&a=2&a=3&a=4", "query repeats a 4 times"),
        ("/x?" + "&".join(f"k{n}=1" for n in range(25)), "query has 25 parameters"),
        ("/wp/a/Atom.htm", ""),
        ("/en/en/x", ""),
        ("/2007/07/07/", ""),
    ],
)
def test_suspicion(tail: str, words: str) -> None:
    assert suspicion(A + tail) == words
