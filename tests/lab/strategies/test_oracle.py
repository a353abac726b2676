import pytest

from scenthound.errors import LabError
from scenthound.lab.strategies.oracle import ALIVE, GreedyOracle, Oracle
from scenthound.lab.strategies.strategy import Seen
from tests.lab.strategies.small_pages import Leaf, Web, briefing, crawl, made_up_web, seen

WEB = Web(
    pages={
        "seed": Leaf(links=("dull", "hub", "wren")),
        "dull": Leaf(),
        "wren": Leaf(relevant=True),
        "hub": Leaf(links=("robin", "finch", "index")),
        "robin": Leaf(relevant=True),
        "finch": Leaf(relevant=True),
        "index": Leaf(links=("gull", "finch")),
        "gull": Leaf(relevant=True),
    }
)


def test_the_oracle_knows_what_a_url_holds() -> None:
    oracle = Oracle(briefing(truth=WEB))
    assert oracle.see(WEB.seen("seed")) == {"dull": ALIVE, "hub": ALIVE, "wren": 1.0}


def test_the_oracle_does_not_know_what_lies_behind() -> None:
    assert crawl(WEB, Oracle(briefing(truth=WEB)), ["seed"])[:3] == ["wren", "dull", "hub"]


def test_the_greedy_oracle_takes_the_detour_that_pays() -> None:
    oracle = GreedyOracle(briefing(truth=WEB))
    assert crawl(WEB, oracle, ["seed"]) == ["wren", "hub", "robin", "finch", "index", "gull", "dull"]


def test_worth_by_hand() -> None:
    said = GreedyOracle(briefing(truth=WEB), gamma=0.5).see(WEB.seen("seed"))
    # behind the hub two relevant pages, and behind its index one more that is not among these
    assert said["hub"] == pytest.approx((0.5 * 2 / 3 + 0.25 * 1 / 2) / 1.75)
    assert [said["wren"], said["dull"]] == pytest.approx([1 / 1.75, ALIVE])


def test_what_is_found_already_is_no_yield() -> None:
    oracle = GreedyOracle(briefing(truth=WEB), gamma=0.5)
    for url in ("seed", "wren"):
        oracle.see(WEB.seen(url))
    oracle.see(seen("elsewhere", ["robin", "finch"]))
    said = [oracle.see(WEB.seen(url)) for url in ("robin", "finch")][-1]  # now the hub is what is left
    assert said["hub"] == pytest.approx(0.25 * 1 / 2 / 1.75)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_looking_at_the_head_of_the_frontier_alone_gives_the_same_crawl(seed: int) -> None:
    web = made_up_web(seed)

    class Diligent:
        """Computes everything again at each page."""

        def __init__(self) -> None:
            self.found: dict[str, None] = {}
            self.fetched: set[str] = set()

        def see(self, page: Seen) -> dict[str, float]:
            self.fetched.add(page.url)
            self.found |= dict.fromkeys([page.url, *(link.url for link in page.links)])
            return {url: self.worth(url) for url in self.found if url not in self.fetched}

        def worth(self, url: str) -> float:
            near = {link for link in web.links(url) if web.relevant(link) and link not in self.found}
            onward = {far for link in web.links(url) for far in web.links(link)}
            far = {link for link in onward if web.relevant(link) and link not in self.found} - near
            worth = web.relevant(url) + 0.5 * (len(near) / (len(near) + 1)) + 0.25 * (len(far) / (len(far) + 1))
            return max(worth / 1.75, ALIVE if web.alive(url) else 0.0)

    assert crawl(web, GreedyOracle(briefing(truth=web)), ["rock-1"]) == crawl(web, Diligent(), ["rock-1"])


@pytest.mark.parametrize("kind", [Oracle, GreedyOracle])
def test_dead_links_come_last(kind: type[Oracle] | type[GreedyOracle]) -> None:
    said = kind(briefing(truth=WEB)).see(seen("start", ["gone", "dull", "wren"]))
    assert sorted(said, key=lambda url: -said[url]) == ["wren", "dull", "gone"]
    assert said["gone"] == 0.0


@pytest.mark.parametrize("kind", [Oracle, GreedyOracle])
def test_without_the_truth_there_is_no_oracle(kind: type[Oracle]) -> None:
    with pytest.raises(LabError, match="knows_truth"):
        kind(briefing())
