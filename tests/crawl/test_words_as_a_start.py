"""Words as a start: places to begin at are no examples, and the canonical tree says what else the words mean."""

from pathlib import Path

import pytest

from scenthound.cli.main import main
from scenthound.crawl.critic.example_set import gather, teaching
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.settings.schema import CriticSettings
from scenthound.store.memory.store import MemoryStore
from scenthound.taxonomy import Topic, Topics

START = "http://www.example.org/food"


def test_a_page_to_begin_at_is_no_example(tmp_path: Path) -> None:
    assert main(["new", str(tmp_path / "crawl"), "--query", "cooking recipes", "--start", START]) == 0
    directory = CrawlDirectory.open(tmp_path / "crawl")
    assert directory.seeds() == [START]
    assert [topic.examples for topic in directory.topics().good] == [()]


def test_a_start_that_is_no_address_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", str(tmp_path / "crawl"), "--query", "recipes", "--start", "no address"]) == 2
    assert "no address" in capsys.readouterr().err
    assert not (tmp_path / "crawl").exists()


@pytest.mark.slow
def test_words_have_the_pages_of_their_place_in_the_tree(tmp_path: Path) -> None:
    store, topics = MemoryStore(), Topics(topics=(Topic(path="Wanted", good=True, query="cooking recipes"),))
    gathered = gather(store, topics, folder=tmp_path, critic=CriticSettings())
    taught = teaching(store, gathered, seed=1, stage=0)
    words, *pages = taught.lessons.examples
    assert words.name == "cooking recipes"
    assert len(pages) >= 4
    assert {"cook", "recip"} <= {term for one in pages for term in one.page.terms.terms}
    assert not {one.page.url for one in pages} & {page.url for page in taught.lessons.others}, "not against themselves"
    assert "stand for the words" in taught.said
