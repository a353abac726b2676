"""Settings, topics and examples in the folders of several engines: each edit reaches all, and none is lost."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.directory.shared_folder import SharedFolder
from scenthound.errors import UsageError
from scenthound.events import Event, Notice
from scenthound.settings.schema import Settings, StoreSettings
from scenthound.settings.server_url import ServerUrl
from scenthound.store.postgres.store import PostgresStore
from scenthound.taxonomy import Topic, Topics
from tests.store.postgres_server import shared_server

pytestmark = pytest.mark.slow


@pytest.fixture
def url() -> Iterator[ServerUrl]:
    server = shared_server()
    url = ServerUrl.read(server.new_url())
    yield url
    server.psql(f'DROP SCHEMA IF EXISTS "{url.schema}" CASCADE')


def folder(path: Path, url: ServerUrl) -> CrawlDirectory:
    topics = Topics(topics=(Topic(path="Birds", good=True, examples=("http://a.test/",)),))
    return CrawlDirectory.create(path, topics=topics, settings=Settings(store=StoreSettings(url=url.shown)))


def test_an_example_file_goes_with_the_topics_that_name_it(url: ServerUrl, tmp_path: Path) -> None:
    said: list[Event] = []
    one, two = (SharedFolder(folder(tmp_path / name, url), said.append) for name in ("one", "two"))
    (tmp_path / "one" / "pages").mkdir()
    (tmp_path / "one" / "pages" / "wren.html").write_text("<p>A wren")
    topics = tmp_path / "one" / "topics.toml"
    topics.write_text(topics.read_text().replace('"http://a.test/"', '"http://a.test/", "pages/wren.html"'))
    with PostgresStore(url, engine="one") as store:
        one.sync(store)
        two.sync(store)
        assert (tmp_path / "two" / "pages" / "wren.html").read_text() == "<p>A wren"
        assert (tmp_path / "two" / "topics.toml").read_text() == topics.read_text()
        [notice] = [event.text for event in said if isinstance(event, Notice)]
        assert notice.startswith("topics.toml was edited here and elsewhere")
        said.clear()
        one.sync(store)
        two.sync(store)
        assert said == []


def test_a_crawl_that_was_moved_shares_its_files_again(url: ServerUrl, tmp_path: Path) -> None:
    directory = folder(tmp_path / "one", url)
    with PostgresStore(url, engine="one") as store:
        SharedFolder(directory, print).sync(store)
    elsewhere = ServerUrl.read(shared_server().new_url())
    text = directory.settings_file.read_text().replace(url.schema, elsewhere.schema)
    directory.settings_file.write_text(text)
    with PostgresStore(elsewhere, engine="one") as store:
        SharedFolder(directory, print).sync(store)
        assert set(store.shared_versions()) == {"crawl.toml", "topics.toml"}
    shared_server().psql(f'DROP SCHEMA "{elsewhere.schema}" CASCADE')


@pytest.mark.parametrize("name", ["../outside", "/etc/passwd", "crawl.toml", "models/critic-0001/model.json", ""])
def test_a_server_cannot_write_elsewhere_than_among_examples(url: ServerUrl, tmp_path: Path, name: str) -> None:
    directory = folder(tmp_path / "one", url)
    with PostgresStore(url, engine="one") as store:
        store.share_file(f"examples/{name}", b"mischief", after=0)
        with pytest.raises(UsageError, match="as an example file"):
            SharedFolder(directory, print).sync(store)
