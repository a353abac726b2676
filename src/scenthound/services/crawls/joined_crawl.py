"""A folder for one more engine of a crawl on a server: it gets settings, topics and examples from there.

The folder is a crawl directory like any other. It keeps what belongs to this machine: archive, models, logs.
"""

from contextlib import suppress
from pathlib import Path

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.directory.shared_folder import SETTINGS, with_server
from scenthound.errors import DirectoryError, StoreError, UsageError
from scenthound.events import Listener
from scenthound.services.crawls.shared_edits import pull
from scenthound.settings.server_url import ServerUrl, is_server_url
from scenthound.store.postgres.store import PostgresStore
from scenthound.trust import remember, server
from scenthound.whole_file import replacing_folder, write_whole


def joined_folder(address: str, folder: Path | None, *, listener: Listener) -> CrawlDirectory:
    """Return the folder of an engine of the crawl at an address; it is made if it is not there.

    Without a folder, it has the name of the crawl, in the current one.
    """
    if not is_server_url(address):
        raise UsageError(f"{address}: write postgresql://USER@HOST/DATABASE?crawl=NAME")
    url = ServerUrl.read(address)
    path = folder or Path(url.schema)
    directory = CrawlDirectory(path=path)
    if directory.settings_file.is_file():
        if directory.store != url.without_password():
            raise DirectoryError(f"{path} is another crawl; name a new folder with --dir")
    else:
        _make(directory, url)
    with suppress(OSError):  # then it is asked about when it is opened
        remember(path, [server(url.shown)])
    pull(directory, listener=listener)
    with suppress(OSError):  # who joins a crawl sends its pages where they all go
        remember(path, directory.servers())
    return CrawlDirectory.open(path)


def _make(directory: CrawlDirectory, url: ServerUrl) -> None:
    """Make a folder that names the server; everything else comes from there."""
    path = directory.path
    with PostgresStore(url, read_only=True) as store:
        settings = store.shared_file(SETTINGS)
    if settings is None:
        raise StoreError(
            f"{url.shown}: the crawl has not shared its settings yet; start it once where it is, "
            "with: scenthound crawl DIR"
        )
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise DirectoryError(f"{path} is not an empty folder; name another one with --dir")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing_folder(path) as aside:  # an engine that is killed here leaves nothing, and can join again
            made = CrawlDirectory(path=aside)
            for part in (made.archive, made.models, made.logs):
                part.mkdir()
            write_whole(made.settings_file, with_server(settings.content, url.without_password().shown))
    except OSError as error:
        raise DirectoryError(f"{path} cannot be made: {error.strerror}") from None
