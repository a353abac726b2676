"""`scenthound clusters`: groups of pages that are alike, with names, and topics made of them."""

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scenthound.cli.shared.options import Dir, Json
from scenthound.errors import UsageError
from scenthound.terminal import say, say_json

if TYPE_CHECKING:
    from scenthound.services.clusters.crawl_clusters import Cluster, Clusters, ClusterWish

_SHOWN = 3  # pages of a group


def clusters(
    path: Dir,
    topic: Annotated[
        str, typer.Option("--topic", metavar="TOPIC", help="Only pages of this topic and those below it.")
    ] = "",
    query: Annotated[
        str, typer.Option("--query", metavar="WORDS", help="Only pages that match a search: words, phrases, operators.")
    ] = "",
    site: Annotated[str, typer.Option("--site", metavar="SITE", help="Only pages of this host or domain.")] = "",
    groups: Annotated[
        int, typer.Option("--groups", metavar="N", help="Number of groups, 2 to 50. Default: as many as fit best.")
    ] = 0,
    into: Annotated[
        str, typer.Option("--into", metavar="PLACE", help="Show the groups within a group: 2, or 2.1 and so on.")
    ] = "",
    make: Annotated[
        str, typer.Option("--make", metavar="PLACE", help="Make this group a topic, with its best pages as examples.")
    ] = "",
    name: Annotated[str, typer.Option("--name", metavar="NAME", help="With --make: the name of the topic.")] = "",
    as_json: Json = False,
) -> int:
    """Show groups of pages that are alike.

    Each group has a name of typical words, and its best pages. The same options always give the same groups, as long as
    no page is added.
    """
    from scenthound.cli.search import Meter
    from scenthound.crawl.directory.crawl_directory import CrawlDirectory
    from scenthound.services.clusters.cluster_rows import as_table
    from scenthound.services.clusters.crawl_clusters import ClusterWish, clusters_of, into_of

    if make and into:
        raise UsageError("--into or --make, not both: --make 2.1 makes a topic of the first group in the second")
    if name and not make:
        raise UsageError("--name goes with --make: say which group becomes a topic, such as --make 2")
    directory = CrawlDirectory.open(path)
    wish = ClusterWish(topic=topic, words=query, site=site, groups=groups, into=into_of(make or into), heard=Meter())
    if make:
        return _make(path, wish, name)
    found = clusters_of(directory, wish)
    if as_json:
        say_json(as_table(found))
    else:
        say("\n".join(cluster_lines(found)))
    return 0


def _make(path: Path, wish: "ClusterWish", name: str) -> int:
    from scenthound.crawl.directory.crawl_directory import CrawlDirectory
    from scenthound.services.clusters.group_topic import make_topic

    done = make_topic(CrawlDirectory.open(path), wish, name=name)
    say(done.says)
    say(
        f"The previous version is {done.kept}; to restore it: {shlex.join(['scenthound', 'topics', str(path), 'undo'])}"
    )
    return 0


def cluster_lines(found: "Clusters") -> Iterator[str]:
    """Yield the groups for people."""
    if found.above:
        yield "In " + ", in it ".join(f"{group.place} ({group.label})" for group in found.above)
    yield found.says
    aside = [f"{found.left:,} without text" if found.left else "", _copies(found.copies)]
    if any(aside):
        yield f"Left out: {' and '.join(filter(None, aside))}."
    if found.behind:
        yield f"{found.behind:,} pages are not indexed yet: ask again in a moment"
    languages = {group.language for group in found.groups}
    for group in found.groups:
        yield ""
        yield from _group_lines(group, telling=len(languages) > 1)


def _copies(many: int) -> str:
    return "" if not many else "1 copy" if many == 1 else f"{many:,} copies"


def _group_lines(group: "Cluster", *, telling: bool) -> Iterator[str]:
    facts = [f"{group.pages:,} pages" if group.pages != 1 else "1 page"]
    facts += [group.language] if telling and group.language else []
    facts += [f"mostly {group.topic}"] if group.topic else []
    yield f"{group.place:>4}. {group.label}  ({', '.join(facts)})"
    if len(group.terms) > 3:
        yield f"      also: {', '.join(group.terms[3:])}"
    for page in group.best[:_SHOWN]:
        yield f"      {page.title or page.url}"
        yield f"        {page.url}"
