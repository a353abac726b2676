"""Orders give a link a number; the greatest is fetched first."""

from pathlib import Path

import pytest

from scenthound.errors import SettingError
from scenthound.frontier.orders import order_by_name
from scenthound.types import Link

NEAR, FAR = 1, 5


def test_breadth_prefers_few_steps_and_depth_many() -> None:
    link = Link(url="http://a.test/")
    breadth, depth = order_by_name("breadth", seed=0), order_by_name("depth", seed=0)
    assert breadth.priority(link, NEAR, 0.5) > breadth.priority(link, FAR, 0.5)
    assert depth.priority(link, NEAR, 0.5) < depth.priority(link, FAR, 0.5)


def test_best_first_goes_by_what_the_citing_page_promises() -> None:
    order = order_by_name("best-first", seed=0)
    assert order.priority(Link(url="http://a.test/"), FAR, 0.9) > order.priority(Link(url="http://a.test/"), NEAR, 0.2)


def test_random_depends_on_seed_and_url_alone() -> None:
    links = [Link(url=f"http://a.test/{i}") for i in range(200)]
    draws = [[order_by_name("random", seed=seed).priority(link, 1, 0.5) for link in links] for seed in (1, 1, 2)]
    assert draws[0] == draws[1] != draws[2]
    assert 0.4 < sum(draws[0]) / len(links) < 0.6


def test_a_number_from_the_users_own_function(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my_order.py").write_text("def longest(link):\n    return len(link.text)\n")
    monkeypatch.chdir(tmp_path)
    order = order_by_name("my_order:longest", seed=0)
    assert order.priority(Link(url="http://a.test/", text="twelve chars"), 1, 0.5) == 12.0


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("bredth", "is not an order"),
        ("no_such_module:f", "cannot be loaded"),
        ("math:no_such_function", "cannot be loaded"),
        ("math:pi", "is not a function"),
    ],
)
def test_an_order_that_does_not_exist_is_named(name: str, words: str) -> None:
    with pytest.raises(SettingError, match=words):
        order_by_name(name, seed=0)


def test_a_function_that_gives_no_number_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "no_number.py").write_text("def nothing(link):\n    return None\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SettingError, match="return a number"):
        order_by_name("no_number:nothing", seed=0).priority(Link(url="http://a.test/"), 0, 0.5)
