"""What only the owner of a crawl can do: write what the window refuses into crawl.toml."""

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.services.crawls.settings_edit import with_setting


def set_by_owner(directory: CrawlDirectory, key: str, value: object) -> None:
    """Edit crawl.toml as its owner would, with an editor."""
    text = directory.settings_file.read_text(encoding="utf-8")
    directory.settings_file.write_text(with_setting(text, key, value), encoding="utf-8")
