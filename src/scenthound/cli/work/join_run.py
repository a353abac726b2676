"""The work of `scenthound join`: make the folder of an engine, and crawl there."""

from collections.abc import Sequence
from pathlib import Path

from scenthound.cli.shared.options import trust_if
from scenthound.cli.work.crawl_run import Run, crawl_directory, say_notice
from scenthound.store.store_place import need_driver


def join_crawl(
    url: str, folder: Path | None, *, minutes: float | None, overrides: Sequence[str], quiet: bool, trust: bool
) -> int:
    """Crawl as one more engine until it stops."""
    need_driver()
    from scenthound.services.crawls.joined_crawl import joined_folder

    directory = joined_folder(url, folder, listener=say_notice)
    trust_if(trust, directory.path)
    return crawl_directory(Run(path=directory.path, minutes=minutes, overrides=overrides, quiet=quiet))
