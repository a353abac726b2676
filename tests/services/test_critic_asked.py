"""What the critic says before a crawl: asked of a process of its own, answered with values."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.errors import ScenthoundError, TopicsError
from scenthound.services.topics.critic_answers import look_around, places_of, try_out
from scenthound.taxonomy import Topic, Topics
from tests.services.small_site import PATHS, on_the_site


@pytest.fixture
def directory(tmp_path: Path) -> Iterator[CrawlDirectory]:
    with on_the_site(tmp_path / "crawl") as made:
        yield made


@pytest.mark.slow
def test_the_critic_is_tried_proposes_pages_and_says_where_others_belong(directory: CrawlDirectory) -> None:
    tried = try_out(directory)
    assert tried.quality.tested >= 8
    assert {thin.topic for thin in tried.quality.thin} == set(PATHS)
    assert tried.as_table()["accuracy"] == tried.quality.accuracy > 0.9
    [proposal] = look_around(directory, "Cycling")
    assert (proposal.url, proposal.title) == ("http://cycling.example/4", "brake")
    assert proposal.nearest.startswith("http://cycling.example/")
    found = places_of(directory, ["http://baking.example/5"])
    assert next(place.path for place in found.places if place.mark) == "Home/Baking"


def test_topics_without_examples_cannot_be_tried(tmp_path: Path) -> None:
    directory = CrawlDirectory.create(tmp_path / "crawl", topics=Topics(topics=(Topic(path="Sport", good=True),)))
    with pytest.raises(TopicsError, match="no topic has an example yet"):
        try_out(directory)


def test_files_of_this_machine_are_not_judged(directory: CrawlDirectory) -> None:
    with pytest.raises(ScenthoundError, match="passwd"):
        places_of(directory, ["/etc/passwd"])
