"""A high harvest from one topic on one site is the critic's own opinion: the crawl says so until a reader answers."""

from pathlib import Path

import pytest

from scenthound.crawl.diagnosis.diagnose import Sight, diagnose
from scenthound.crawl.diagnosis.reader_answers import Answers, share_of
from scenthound.crawl.diagnosis.unchecked_harvest import with_answers
from scenthound.events import Finding, FindingKind
from scenthound.taxonomy import Topic, Topics
from scenthound.types import Census, RecentPage

ALONE = Topics(topics=(Topic(path="Africa", good=True, examples=("http://encyclopedia.test/Mali",)),))
UNWANTED = Topic(path="Asia", examples=tuple(f"http://encyclopedia.test/{number}" for number in range(5)))
CENSUS = Census(pages=250, judged=250, relevance_sum=215.0, waiting=900, known=1200, hosts=1)
ASKED = Answers(at=1.0, pages=250, called=10, good=9, precision=share_of(9, 10), harvest=share_of(17, 20))


def page(number: int, *, relevance: float = 0.86, host: str = "encyclopedia.test") -> RecentPage:
    return RecentPage(
        n=number,
        url=f"http://{host}/{number}",
        host=host,
        fetched_at=float(number),
        relevance=relevance,
        topic="Africa",
    )


ONE_SITE = [page(number) for number in range(100)]
MANY_SITES = [page(number, host=f"h{number % 5}.test") for number in range(100)]
LITTLE_FOUND = [page(number, relevance=0.3) for number in range(100)]


def found(
    pages: list[RecentPage], *, topics: Topics = ALONE, answers: Answers | None = None, census: Census = CENSUS
) -> list[Finding]:
    sight = Sight(path="africa", pages=pages, census=census, now=1e6, topics=topics, accept=0.5, answers=answers)
    return [one for one in diagnose(sight) if one.kind is FindingKind.UNCHECKED]


def test_the_finding_says_whose_opinion_it_is_and_asks_the_reader() -> None:
    [finding] = found(ONE_SITE)
    assert "the critic's own opinion" in finding.sentence
    assert "100 of them are from encyclopedia.test" in finding.evidence
    assert finding.command == "scenthound feedback africa --ask 20"


@pytest.mark.parametrize("pages", [MANY_SITES, LITTLE_FOUND, ONE_SITE[:99]])
def test_other_crawls_are_left_in_peace(pages: list[RecentPage]) -> None:
    assert found(pages) == []


def test_pages_that_are_not_wanted_teach_the_critic_where_the_topic_ends() -> None:
    assert found(ONE_SITE, topics=Topics(topics=(*ALONE.topics, UNWANTED))) == []


def test_a_crawl_from_words_offers_five_pages_to_confirm() -> None:
    by_words = Topics(topics=(Topic(path="Africa", good=True, query="rivers of africa"),))
    [finding] = found(MANY_SITES[:30], topics=by_words)
    assert finding.command == "scenthound feedback africa --ask 5"
    assert 'by "rivers of africa"' in finding.evidence[0]
    assert found(MANY_SITES[:29], topics=by_words) == [], "too early to choose from"
    confirmed = Topic(path="Africa", good=True, query="rivers of africa", examples=("http://h1.test/1",))
    assert found(MANY_SITES, topics=Topics(topics=(confirmed,))) == []


def test_answers_end_it_until_the_crawl_has_doubled() -> None:
    assert found(ONE_SITE, answers=ASKED) == []
    [finding] = found(ONE_SITE, answers=ASKED, census=Census(pages=501, judged=501, relevance_sum=430.0))
    assert with_answers([finding], Path("africa"), None, CENSUS) == (finding,)
    assert with_answers([finding], Path("africa"), ASKED, CENSUS) == ()
