"""Groups of a crawl's pages: by topic, search and site, within each other, as topics; too few pages, and wrong input."""

from pathlib import Path

import pytest

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.errors import UsageError
from scenthound.services.clusters.crawl_clusters import Clusters, ClusterWish, clusters_of
from scenthound.services.clusters.group_topic import make_topic
from scenthound.services.topics.topic_edits import Editing
from tests.services.grouped_crawl import CYCLING, HOME, grouped_crawl

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> CrawlDirectory:
    return CrawlDirectory.open(grouped_crawl(tmp_path_factory.mktemp("groups") / "crawl"))


def of(crawl: CrawlDirectory, **wish: object) -> Clusters:
    return clusters_of(crawl, ClusterWish(**wish))  # type: ignore[arg-type]


def test_a_topic_falls_into_groups_with_names_languages_and_best_pages(crawl: CrawlDirectory) -> None:
    found = of(crawl, topic="Home", groups=2)
    assert (found.topic, found.pages, found.left) == (HOME, 28, 1)
    english, german = found.groups
    assert (english.pages, english.language, german.pages, german.language) == (16, "en", 12, "de")
    assert "bread" in " ".join(english.terms)
    assert "Brot" in " ".join(german.terms)
    assert {page.host[:4] for page in german.best} == {"brot"}
    assert found.says == "28 pages fall into 2 groups."


def test_a_search_and_a_site_choose_pages(crawl: CrawlDirectory) -> None:
    assert of(crawl, words="yeast OR hefe").pages == 12
    site = of(crawl, site="tour3.test")
    assert (site.pages, len(site.groups)) == (1, 1)
    assert site.says.startswith("Fewer than 12 pages are one group")
    assert of(crawl, words="nosuchword").says == "No page is here to group."


def test_one_walks_into_a_group(crawl: CrawlDirectory) -> None:
    outer = of(crawl, groups=3)
    inner = of(crawl, groups=3, into=(1,))
    assert inner.pages == outer.groups[0].pages
    assert [group.place for group in inner.above] == ["1"]
    assert [group.place for group in inner.groups] == ["1.1", "1.2", "1.3"]
    with pytest.raises(UsageError, match=r"there is no group 1\.9; there are 3"):
        of(crawl, groups=3, into=(1, 9))


def test_a_group_becomes_a_subtopic_and_that_is_undone(tmp_path: Path) -> None:
    crawl = CrawlDirectory.open(grouped_crawl(tmp_path / "crawl"))
    group = of(crawl, topic=CYCLING, groups=2).groups[1]
    done = make_topic(crawl, ClusterWish(topic=CYCLING, groups=2, into=(2,)), name="Gears")
    assert f'"{CYCLING}/Gears" was added' in done.says
    made = crawl.topics().find(f"{CYCLING}/Gears")
    assert made is not None
    assert made.examples == tuple(page.url for page in group.best)
    Editing(crawl.path).undo()
    assert crawl.topics().find(f"{CYCLING}/Gears") is None


def test_a_group_of_all_pages_becomes_a_topic_below_the_commonest(tmp_path: Path) -> None:
    crawl = CrawlDirectory.open(grouped_crawl(tmp_path / "crawl"))
    number = next(n for n, group in enumerate(of(crawl, groups=3).groups, 1) if group.topic == CYCLING)
    assert f'"{CYCLING}/' in make_topic(crawl, ClusterWish(groups=3, into=(number,))).says


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        ({"groups": 1}, "groups: from 2 to 50"),
        ({"groups": 51}, "groups: from 2 to 50"),
        ({"topic": "Nowhere"}, 'there is no topic "Nowhere"'),
        ({"words": "chain AND"}, "cannot be read at character 10"),
    ],
)
def test_wrong_wishes_are_one_line(crawl: CrawlDirectory, wish: dict[str, object], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        of(crawl, **wish)
