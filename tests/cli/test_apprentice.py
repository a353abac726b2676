"""What one crawl's apprentice has learnt, saved, and taken along to a new crawl."""

from pathlib import Path

import pytest

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.engine.assemble import open_store
from scenthound.crawl.order.note import order_of
from tests.crawl.scene import command, resume
from tests.crawl.topical_web import new, topical_web, topics


@pytest.mark.slow
def test_a_crawl_begins_with_what_another_one_has_learnt(tmp_path: Path) -> None:
    first, second, file = tmp_path / "first", tmp_path / "second", tmp_path / "birds.npz"
    with topical_web() as served:
        resume(new(first, topics()), served.settings("crawl.pages=20"))
        assert "holds what the apprentice learnt" in command("apprentice", str(first), "--save", str(file))
        made = CrawlDirectory.create(second, topics=topics())
        said = command("apprentice", str(second), "--take", str(file))
        assert "begins with what it learnt" in said
        assert "takes the weights" not in said  # the good topic has the same name
        crawled = resume(made, served.settings("crawl.pages=5"))
    settings = crawled.directory.settings().apprentice
    assert settings.before_words
    assert (second / "learnt" / f"{settings.before}.npz").read_bytes() == file.read_bytes()
    assert crawled.trouble() == []
    with open_store(crawled.directory, read_only=True) as store:
        assert f"before={settings.before}" in (order_of(store) or "")
