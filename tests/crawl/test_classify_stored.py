"""`classify DIR --stored`: whoever judges, the answer is the same, and the crawl stays as it was."""

import json
import re
import sqlite3
from collections import Counter
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest

from tests.cli.conftest import scenthound
from tests.crawl.scene import resume
from tests.crawl.topical_web import new, topical_web, topics

pytestmark = pytest.mark.slow

HOW_TO = Path(__file__).parents[2] / "docs" / "how-to" / "judge-pages.md"


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("stored") / "crawl"
    with topical_web() as served:
        crawled = resume(new(path, topics()), served.settings("crawl.pages=20", "critic.kind=bayes"))
    assert crawled.summary.census.pages == 20
    return path


def judged(crawl: Path, *options: str) -> list[dict[str, object]]:
    ran = scenthound("classify", crawl, "--stored", "--json", *options)
    assert ran.code == 0, ran.err
    pages: list[dict[str, object]] = json.loads(ran.out)["pages"]
    assert f"{len(pages)} pages, examples included, judged by {options[1] if options else 'critic'} in" in ran.err
    return pages


def test_the_database_says_what_the_critic_says_and_the_crawl_says(crawl: Path) -> None:
    before = sha256((crawl / "crawl.db").read_bytes()).digest()
    own = judged(crawl)
    assert len(own) > 40  # the examples too
    for page in own:
        assert page["relevance"] == pytest.approx(page["stored_relevance"], abs=1e-9)
        assert page["topic"] == page["stored_topic"]
    for way in ("bulk", "single"):
        for page, same in zip(own, judged(crawl, "--by", way), strict=True):
            assert same["name"] == page["name"]
            assert same["probabilities"] == pytest.approx(page["probabilities"], abs=1e-9)
    assert sha256((crawl / "crawl.db").read_bytes()).digest() == before


def relevance_of(page: dict[str, object]) -> float:
    return float(str(page["relevance"]))


def test_for_people_there_is_a_line_a_page(crawl: Path) -> None:
    ran = scenthound("classify", crawl, "--stored", "--by", "bulk")
    first, *lines = ran.out.splitlines()
    assert first == "  now  stored  topic, address"
    assert re.fullmatch(r"0\.\d{3}   0\.\d{3}  nature/\w+  http://\w+\.test/page\d+\.html", lines[0])
    assert "; 0 pages with a topic that differs from the crawl's" in ran.err


def test_the_tables_can_be_kept_and_asked(crawl: Path, tmp_path: Path) -> None:
    kept = tmp_path / "probe.sqlite"
    pages = judged(crawl, "--by", "bulk", "--keep", str(kept))
    with closing(sqlite3.connect(kept)) as con:
        [best, census] = re.findall(r"```sql\n(-- In probe.sqlite.*?)```", HOW_TO.read_text("utf-8"), re.DOTALL)
        assert con.execute(best).fetchone()[0] == max(pages, key=relevance_of)["name"]
        assert dict(con.execute(census)) == Counter(page["topic"] for page in pages)
        relevance = dict(
            con.execute(
                "SELECT url, sum(exp(lpr)) FROM JUDGED JOIN TAXONOMY USING (kcid) JOIN PAGE USING (did) "
                "WHERE leaf AND type IN ('good', 'subsumed') GROUP BY did"
            )
        )
    assert relevance == pytest.approx({page["name"]: page["relevance"] for page in pages}, abs=1e-9)
    again = scenthound("classify", crawl, "--stored", "--by", "bulk", "--keep", kept)
    assert (again.code, "already exists; name another file" in again.err) == (2, True)
    assert [path.name for path in tmp_path.iterdir()] == ["probe.sqlite"]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--stored", "page.html"], "remove page.html"),
        (["--stored", "--keep", "f"], "needs --by bulk or --by single"),
        (["--by", "bulk"], "use --stored"),
        ([], "use --stored"),
    ],
)
def test_what_makes_no_sense_is_refused(crawl: Path, options: list[str], told: str) -> None:
    ran = scenthound("classify", crawl, *options)
    assert (ran.code, ran.out) == (2, "")
    assert told in ran.err
    assert ran.err.count("\n") == 1


def test_other_critics_are_refused_with_what_to_do(tmp_path: Path) -> None:
    with topical_web() as served:
        directory = new(tmp_path / "crawl", topics())
        nobody = scenthound("classify", directory.path, "--stored")
        resume(directory, served.settings("crawl.pages=1", "critic.kind=svm"))
    assert (nobody.code, "has not been crawled yet" in nobody.err) == (2, True)
    ran = scenthound("classify", tmp_path / "crawl", "--stored", "--by", "bulk")
    assert ran.code == 2
    assert 'is "svm", and only naive Bayes can be asked in SQL' in ran.err
    assert "--retrain" in ran.err
    assert scenthound("classify", tmp_path / "crawl", "--stored").code == 0
