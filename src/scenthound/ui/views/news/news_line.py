"""The line on Monitor that says how much is new since News was last looked at."""

from nicegui import ui

from scenthound.counted import count
from scenthound.services.news.unread_news import Unread, unread_news
from scenthound.ui.views.frame import Crawl
from scenthound.ui.views.widgets import asked

_EVERY = 5.0  # seconds between looks


def news_line(crawl: Crawl) -> None:
    """Add the line; it is there only while something is new."""
    line = ui.element("a").classes("notice news-line").props(f'href="{crawl.address("/news")}" role="status"')
    with line:
        said = ui.label("").props('dir="auto"')
    line.set_visibility(False)

    async def look() -> None:
        found = await asked(unread_news, crawl.directory)
        if isinstance(found, Unread):
            said.text = line_of(found)
            line.set_visibility(bool(found.count))

    ui.timer(_EVERY, look, immediate=True)


def line_of(found: Unread) -> str:
    """Say how much is new, and the newest of it.

    >>> line_of(Unread(count=2, newest="Hub gears compared", question="gears"))
    '2 new items, the last for “gears”: Hub gears compared'
    """
    return f"{count(found.count, 'new item')}, the last for “{found.question}”: {found.newest}"
