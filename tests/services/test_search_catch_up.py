"""The index follows a crawl: texts that readers left, links found later, pages that come while it follows."""

import os
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path

import pytest

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.errors import DirectoryError
from scenthound.search.index_rows import read_state
from scenthound.search.text_spool import TextSpool
from scenthound.search.types import Weights
from scenthound.services.search.catch_up import Wish, catch_up, follow
from scenthound.services.search.crawl_search import SearchWish, let_go, search_crawl
from scenthound.services.search.indexer import indexing_beside
from scenthound.taxonomy import Topic, Topics
from tests.distill.small_crawls import MadeCrawl, directory_of, link, page
from tests.patience import PATIENCE, until

pytestmark = pytest.mark.slow

TOPICS = Topics(topics=(Topic(path="Cycling", good=True),))
DIGEST = "sha1:" + 32 * "A"
CRAWL = MadeCrawl(
    urls=[page("http://a.example/", title="Tours"), page("http://b.example/", title="Shop")],
    links=[link(0, 1)],
)


@pytest.fixture
def crawl(tmp_path: Path) -> CrawlDirectory:
    return CrawlDirectory.open(directory_of(CRAWL, tmp_path / "crawl", TOPICS))


def change(crawl: CrawlDirectory, *statements: str) -> None:
    with closing(sqlite3.connect(crawl.database)) as con, con:
        for statement in statements:
            con.execute(statement)


def found(crawl: CrawlDirectory, words: str) -> list[str]:
    wish = SearchWish(words=words, weights=Weights(text=1, meaning=0))
    return [hit.page.title for hit in search_crawl(crawl, wish).answer.hits]


def test_the_text_that_a_reader_left_is_found_without_an_archive(crawl: CrawlDirectory) -> None:
    change(crawl, f"UPDATE pages SET digest = '{DIGEST}' WHERE n = 1")
    TextSpool(crawl.texts).add(DIGEST, "a long valley road")
    assert found(crawl, '"valley road"') == ["Tours"]


def test_words_of_links_found_later_are_indexed_when_there_are_many_more(crawl: CrawlDirectory) -> None:
    change(crawl, "UPDATE links SET text = 'first words'")
    assert found(crawl, "anchor:first") == ["Shop"]
    new = "INSERT INTO links (src, position, dst, kind, text, first_leaf, last_leaf, nofollow) VALUES "
    change(
        crawl,
        new + ", ".join(f"(1, {n + 10}, 2, 'anchor', 'bargain number{n}', 0, 0, 0)" for n in range(5)),
        "UPDATE pages SET n = 3 WHERE n = 1",  # the page with the links is visited again
    )
    assert found(crawl, "anchor:bargain") == ["Shop"]
    assert sorted(found(crawl, "tours OR shop")) == ["Shop", "Tours"]


@pytest.mark.parametrize("whole", [True, False])
def test_meanings_that_a_killed_indexer_did_not_learn_are_learnt_by_the_next_question(
    tmp_path: Path, whole: bool
) -> None:
    urls = [page(f"http://a.test/{number}", 0.9, topic="Sport", title=f"Chain {number}") for number in range(30)]
    path = directory_of(
        MadeCrawl(urls=urls, links=[]), tmp_path / "crawl", Topics(topics=(Topic(path="Sport", good=True),))
    )
    directory = CrawlDirectory.open(path)
    catch_up(directory, Wish(seconds=PATIENCE))  # with an end, it learns nothing
    state = read_state(directory.search)
    assert state is not None
    assert (state.rows, state.learnt) == (30, 0)
    search_crawl(directory, SearchWish(words="chain", whole=whole))
    state = read_state(directory.search)
    assert state is not None
    assert state.learnt == 30
    let_go(directory)


@pytest.mark.parametrize("damaged", ["rows", "words/meta.json", "words/*.term", "state.json"])
def test_a_damaged_index_is_built_again(crawl: CrawlDirectory, damaged: str) -> None:
    assert found(crawl, "tours") == ["Tours"]
    let_go(crawl)  # a damaged file is met by the next process
    for path in list(crawl.search.glob(damaged)):
        path.write_bytes(b"{")
    assert found(crawl, "tours") == ["Tours"]


def test_damage_that_is_met_while_searching_is_said_with_the_cure(crawl: CrawlDirectory) -> None:
    assert found(crawl, "tours") == ["Tours"]
    let_go(crawl)
    for path in (crawl.search / "words").glob("*.term"):
        whole = path.read_bytes()
        path.write_bytes(bytes(255 - byte for byte in whole[: len(whole) // 2]) + whole[len(whole) // 2 :])
    with pytest.raises(DirectoryError, match=r"make it again with: scenthound search .* --rebuild"):
        found(crawl, "tours")
    wish = SearchWish(words="tours", weights=Weights(text=1, meaning=0), rebuild=True)
    assert [hit.page.title for hit in search_crawl(crawl, wish).answer.hits] == ["Tours"]


def test_an_index_is_built_again_while_an_indexer_follows_the_crawl(crawl: CrawlDirectory) -> None:
    class Enough(Exception):
        pass

    done, following, begun = threading.Event(), ThreadPoolExecutor(max_workers=1), threading.Event()

    def pause() -> None:
        begun.set()
        if done.wait(0.02):
            raise Enough

    indexer = following.submit(follow, crawl, pause=pause)
    try:
        assert begun.wait(PATIENCE)
        change(crawl, "UPDATE pages SET title = 'Other' WHERE n = 1")  # an index made before does not have it
        assert search_crawl(crawl, SearchWish(words="other", rebuild=True)).answer.hits[0].page.title == "Other"
        change(crawl, "UPDATE pages SET n = 9, title = 'Newer' WHERE n = 2")
        assert until(lambda: (state := read_state(crawl.search)) is not None and state.n == 9)  # it follows again
    finally:
        done.set()
        with pytest.raises(Enough):
            indexer.result()
    assert found(crawl, "newer") == ["Newer"]


def test_pages_that_come_while_the_index_follows_are_found(crawl: CrawlDirectory) -> None:
    class Enough(Exception):
        pass

    seen: list[int] = []

    def pause() -> None:
        state = read_state(crawl.search)
        assert state is not None
        seen.append(state.n)
        if len(seen) > 1:
            raise Enough
        change(crawl, "UPDATE pages SET n = 9, title = 'Newer' WHERE n = 2")

    with pytest.raises(Enough):
        follow(crawl, pause=pause)
    assert seen == [2, 9]
    catch_up(crawl, Wish())
    assert found(crawl, "newer") == ["Newer"]
    assert not found(crawl, "title:shop")


@pytest.mark.usefixtures("started_at_length")
def test_the_indexer_is_in_the_session_of_the_crawl_so_that_it_gives_way(crawl: CrawlDirectory) -> None:
    with indexing_beside(crawl, delay=0.0):
        until(lambda: bool(indexers_of(crawl)))
        (indexer,) = indexers_of(crawl)
        assert os.getsid(indexer) == os.getsid(0)
        assert os.getpgid(indexer) == indexer  # Ctrl-C is not for it


def indexers_of(crawl: CrawlDirectory) -> list[int]:
    """Return the processes that index a crawl."""
    words = (b"scenthound.services.search.indexer", os.fsencode(crawl.path))
    found: list[int] = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has just ended
            command = (process / "cmdline").read_bytes().split(b"\0")
            if all(word in command for word in words):
                found.append(int(process.name))
    return found
