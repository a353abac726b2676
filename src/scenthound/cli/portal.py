"""`scenthound portal`: publish what a crawl has found as a site of static files."""

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scenthound.cli.shared.options import Dir, Json
from scenthound.counted import count
from scenthound.terminal import say, say_json

if TYPE_CHECKING:
    from scenthound.services.portal.publication import Published


def portal(
    path: Dir,
    out: Annotated[
        Path, typer.Option("--out", metavar="SITE", help="The folder of the site: new, empty, or made by this command.")
    ],
    as_json: Json = False,
) -> int:
    """Publish the pages on topic as a static site.

    Topics, best pages, hubs, sites, what is new, feeds, and search that runs in the reader's browser. Run it again
    after a crawl: only what changed is written. Title, colours, introduction and more are settings in [portal].
    """
    from scenthound.crawl.directory.crawl_directory import CrawlDirectory
    from scenthound.services.portal.page_groups import MARK, PageGroups
    from scenthound.services.portal.portal_types import PortalWish
    from scenthound.services.portal.publication import publish

    directory = CrawlDirectory.open(path)
    wish = PortalWish(out=out, heard=_Meter(), groups=PageGroups(directory), groups_mark=MARK)
    made = publish(directory, wish)
    if as_json:
        say_json({"out": str(out), **made.as_table()})
    else:
        say("\n".join(portal_lines(made, out)))
    return 0


def portal_lines(made: "Published", out: Path) -> list[str]:
    """Return what was made, in lines."""
    lines = [
        f"{count(made.pages, 'page')} in {count(made.topics, 'topic')}: {count(made.files, 'file')}, "
        f"{made.bytes / 1e6:,.1f} MB, in {out}",
        f"  written {made.written:,}, removed {made.removed:,}, the others are as they were ({made.seconds:.1f} s)",
    ]
    if made.opted_out:
        lines.append(f"  {made.opted_out:,} of those found opt out; portal.opt_out says how they are shown")
    if not made.sitemap:
        lines.append("  no sitemap: it needs the address of the site in portal.base_url")
    return [*lines, f"  open {(out / 'index.html').resolve().as_uri()}"]


class _Meter:
    """Shows on a terminal how far the portal is; without one, says nothing."""

    def __init__(self) -> None:
        self._shown = 0.0

    def __call__(self, step: str, done: int, pages: int) -> None:
        now = time.monotonic()
        if sys.stderr.isatty() and now - self._shown > 0.2:
            self._shown = now
            say(f"{step}: {done:,} of {pages:,}".ljust(60), end="\r", file=sys.stderr, flush=True)
