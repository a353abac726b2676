"""Links to more hosts than a domain may have leave no row behind, and `why` says all the same why they are not there."""

from pathlib import Path

import pytest

from scenthound.frontier.crowds import FREE
from scenthound.taxonomy import Topic, Topics
from tests.cli.conftest import scenthound
from tests.distill.small_crawls import MadeCrawl, directory_of, page

TOPICS = Topics(topics=(Topic(path="a", good=True, examples=("http://a.test/",)),))


@pytest.fixture(scope="module")
def crowded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    hosts = [page(f"http://h{number}.farm.test/", ending="waiting") for number in range(FREE)]
    made = MadeCrawl(urls=[page("http://a.test/", 0.9), *hosts], links=[])
    return directory_of(made, tmp_path_factory.mktemp("crowded") / "crawl", TOPICS)


def test_a_link_to_one_host_too_many_has_a_reason(crowded: Path) -> None:
    ran = scenthound("why", crowded, "http://more.farm.test/page")
    assert ran.code == 1
    assert " ".join(ran.err.split()) == (
        "scenthound: http://more.farm.test/page is not known (crowded-domain): farm.test has 100 hosts and gave 0 pages so far: it may "
        "make up names, and links to more of its hosts are passed over until more pages have come from there."
    )


@pytest.mark.parametrize("url", ["http://h7.farm.test/other", "http://other.test/"])
def test_other_pages_were_just_never_seen(crowded: Path, url: str) -> None:
    """Also those of a host that is known: links there are followed."""
    assert f"{url} was never seen" in " ".join(scenthound("why", crowded, url).err.split())


def test_where_traps_are_not_looked_for_there_is_no_such_limit(crowded: Path) -> None:
    settings = crowded / "crawl.toml"
    settings.write_text("[crawl]\ntraps = false\n", encoding="utf-8")
    assert "was never seen" in scenthound("why", crowded, "http://more.farm.test/page").err
