"""Whose company topics keep: links between sites against chance, over time, and recipes with one's own topics."""

from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_array

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.errors import UsageError
from scenthound.services.company.chance import expected, false_discovery_rate, odds
from scenthound.services.company.own_recipes import own_recipes
from scenthound.services.company.topic_company import Company, CompanyWish, Over, Pair, company_of, links_question
from scenthound.services.sql.ask import answered
from scenthound.taxonomy import Topic, Topics
from tests.distill.small_crawls import MadeCrawl, directory_of, link, page

NAMES = ("Bikes", "Aid", "Cake", "Moon", "Sea", "Art", "Law", "Tea")
TOPICS = Topics(topics=tuple(Topic(path=name, good=name == "Bikes") for name in NAMES))
SITES = 6  # of each topic
HALF = SITES * len(NAMES)  # pages that cite; as many are cited


def _crawl() -> MadeCrawl:
    """Return topics of which bikes cite first aid, and everything else is spread evenly."""
    urls = [
        page(
            f"http://{name.lower()}{n}.test/{half}", 0.9 if name == "Bikes" else 0.1, topic=name,
            last_modified=f"Mon, 01 {'Jan' if n < 3 else 'Feb'} 2024 12:00:00 GMT",
        )
        for half in "ab" for name in NAMES for n in range(SITES)
    ]  # fmt: skip
    links = [
        link(source, target) for source in range(HALF) for target in range(HALF, 2 * HALF) if _cites(source, target)
    ]
    inside = [link(place, place + HALF) for place in range(HALF)]  # within a site: these do not count
    return MadeCrawl(urls=urls, links=[*links, *inside, *links[:3]])


def _cites(source: int, target: int) -> bool:
    citing, cited = source // SITES, (target - HALF) // SITES
    if source % SITES == target % SITES:
        return False
    much = (citing, cited) == (0, 1)
    return much or (source + target) % 3 == 0


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> CrawlDirectory:
    return CrawlDirectory.open(directory_of(_crawl(), tmp_path_factory.mktemp("company") / "crawl", TOPICS))


def pair_of(found: Company, citing: str, cited: str) -> Pair:
    return next(pair for pair in found.pairs if (pair.citing, pair.cited) == (citing, cited))


def test_a_topic_that_cites_another_more_than_chance_leads(crawl: CrawlDirectory) -> None:
    found = company_of(crawl)
    others = [pair for pair in found.pairs if pair.citing != pair.cited]
    assert (others[0].citing, others[0].cited, others[0].links) == ("Bikes", "Aid", 30)
    assert others[0].low > 1
    assert (others[0].verdict, others[0].sites) == ("more", 6)
    assert (found.pages, found.sites, found.by_page) == (2 * HALF, HALF, False)
    assert sum(pair.links for pair in found.pairs) == found.links


def test_of_many_pairs_only_those_are_marked_that_are_hardly_by_chance(crawl: CrawlDirectory) -> None:
    found = company_of(crawl).pairs
    by_interval = {(pair.citing, pair.cited) for pair in found if pair.low > 1}
    marked = {(pair.citing, pair.cited) for pair in found if pair.verdict == "more"}
    assert ("Bikes", "Aid") in marked < by_interval


def test_chance_alone_marks_nothing() -> None:
    """Sites of eight topics, each with links to all topics at random."""
    draw, topics = np.random.default_rng(1), 8
    table = np.zeros((80, topics, topics))
    for site, links in enumerate(table):
        links[site % topics] = draw.multinomial(40, draw.dirichlet(np.full(topics, 2.0)))
    found = odds(csr_array(table.reshape(80, -1)), topics)
    assert np.count_nonzero(found.low > 1) > 0  # by single intervals, some would be
    assert min(false_discovery_rate(found.p.ravel().tolist())) > 0.05


@pytest.mark.slow
def test_links_are_counted_over_time(crawl: CrawlDirectory) -> None:
    by_month = pair_of(company_of(crawl, CompanyWish(over=Over.MONTH)), "Bikes", "Aid")
    assert [(one.name, one.links) for one in by_month.periods] == [("2024-01", 15), ("2024-02", 15)]
    by_progress = pair_of(company_of(crawl), "Bikes", "Aid")
    assert [one.links for one in by_progress.periods] == [30, 0, 0, 0]
    assert by_progress.periods[0].name == "pages 1 to 24"


def test_pages_that_do_not_say_when_they_changed_have_no_months(tmp_path: Path) -> None:
    urls = [page(f"http://{name.lower()}.test/", 0.9, topic=name) for name in NAMES]
    made = MadeCrawl(urls=urls, links=[link(0, 1), link(2, 3)])
    found = company_of(
        CrawlDirectory.open(directory_of(made, tmp_path / "crawl", TOPICS)), CompanyWish(over=Over.MONTH)
    )
    assert (found.links, found.periods, [pair.periods for pair in found.pairs]) == (2, (), [(), ()])


def test_one_topic_is_looked_at_alone(crawl: CrawlDirectory) -> None:
    found = company_of(crawl, CompanyWish(topic="cake"))
    assert {"Cake"} == {name for pair in found.pairs for name in (pair.citing, pair.cited) if name == "Cake"}
    assert all("Cake" in (pair.citing, pair.cited) for pair in found.pairs)


@pytest.mark.slow
def test_the_links_of_a_pair_can_be_asked_for(crawl: CrawlDirectory) -> None:
    question = links_question(pair_of(company_of(crawl), "Bikes", "Aid"), by_page=False)
    with answered(crawl, question) as answer:
        rows = list(answer.rows)
    assert len({(row[0], row[2]) for row in rows}) == 30
    assert all("bikes" in str(row[0]) and "aid" in str(row[2]) for row in rows)


def test_a_crawl_of_one_site_counts_pages(tmp_path: Path) -> None:
    made = MadeCrawl(
        urls=[page(f"http://one.test/{n}", 0.5, topic=f"T{n % 2}") for n in range(4)], links=[link(0, 1), link(2, 3)]
    )
    topics = Topics(topics=(Topic(path="T0", good=True), Topic(path="T1")))
    found = company_of(CrawlDirectory.open(directory_of(made, tmp_path / "crawl", topics)))
    assert (found.by_page, found.links, found.sites) == (True, 2, 2)


def test_a_crawl_without_links_has_no_pairs(tmp_path: Path) -> None:
    made = MadeCrawl(urls=[page("http://one.test/", 0.5, topic="T")], links=[])
    topics = Topics(topics=(Topic(path="T", good=True),))
    assert company_of(CrawlDirectory.open(directory_of(made, tmp_path / "crawl", topics))).pairs == ()


def test_a_crawl_without_judged_pages_says_so(tmp_path: Path) -> None:
    made = MadeCrawl(urls=[page("http://one.test/")], links=[])
    path = directory_of(made, tmp_path / "crawl", TOPICS)
    with pytest.raises(UsageError, match="is judged yet"):
        company_of(CrawlDirectory.open(path))


def test_links_spread_evenly_are_what_chance_brings() -> None:
    gives, gets = np.array([4.0, 2.0, 8.0, 1.0, 3.0]), np.array([1.0, 5.0, 2.0, 2.0, 4.0])
    table = np.outer(gives, gets)
    table[np.diag_indices(5)] *= 10  # topics that keep to themselves change nothing for the others
    apart = ~np.eye(5, dtype=bool)
    assert np.allclose(expected(table)[apart], table[apart], rtol=1e-3)


@pytest.mark.slow
def test_recipes_have_topics_of_the_crawl(crawl: CrawlDirectory) -> None:
    typed = next(one for one in own_recipes(crawl, company_of(crawl)) if one.title == "Typed links")
    assert "b.kcid = 'Bikes'" in typed.sql
    assert "Recreation/Cycling" not in "".join(one.sql for one in own_recipes(crawl))
    for recipe in own_recipes(crawl):
        with answered(crawl, recipe.sql) as answer:
            list(answer.rows)
