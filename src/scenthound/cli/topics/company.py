"""`scenthound company`: which topics cite which, against chance and over time."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from scenthound.cli.shared.options import Dir, Json
from scenthound.terminal import say, say_json

if TYPE_CHECKING:
    from scenthound.services.company.topic_company import Company, Pair


def company(
    path: Dir,
    topic: Annotated[
        str, typer.Option("--topic", metavar="TOPIC", help="Only links from or to this topic and those below it.")
    ] = "",
    over: Annotated[
        str,
        typer.Option(
            "--over", metavar="TIME", help="progress: parts of the crawl; month: when the citing page was changed."
        ),
    ] = "progress",
    most: Annotated[int, typer.Option("--most", min=1, metavar="N", help="Show at most N pairs of topics.")] = 20,
    recipes: Annotated[
        bool, typer.Option("--recipes", help="Print the recipes of the docs in SQL, with your own topics in them.")
    ] = False,
    as_json: Json = False,
) -> int:
    """Show how often topics cite each other, compared with chance.

    Links between sites count. 2.0 means twice as many as chance would bring; in brackets a 95 % interval.
    Of the pairs marked + or -, one in twenty may be by chance.
    """
    from scenthound.crawl.directory.crawl_directory import CrawlDirectory
    from scenthound.services.company.own_recipes import own_recipes
    from scenthound.services.company.topic_company import CompanyWish, company_of, over_of

    directory = CrawlDirectory.open(path)
    found = company_of(directory, CompanyWish(topic=topic, over=over_of(over)))
    if recipes:
        filled = own_recipes(directory, found)
        if as_json:
            say_json(filled)
        else:
            say("\n\n".join(f"-- {one.title}\n{one.sql.strip()}" for one in filled))
        return 0
    if as_json:
        say_json(found)
    else:
        say("\n".join(company_lines(found, most)))
    return 0


def company_lines(found: "Company", most: int) -> Iterator[str]:
    """Yield the pairs of topics for people."""
    between = "pages (all are of one site)" if found.by_page else "sites"
    topics = f"{len(found.topics)} topics with links"
    yield f"{found.links:,} links between {between}, {found.pages:,} judged pages, {topics}."
    if not found.links:
        yield "No judged page links to a judged page of another site yet; crawl further, and ask again."
        return
    others = [pair for pair in found.pairs if pair.citing != pair.cited]
    own = [pair for pair in found.pairs if pair.citing == pair.cited]
    for title, pairs in (("Topics that cite another", others), ("Topics that keep to themselves", own)):
        if pairs:
            yield ""
            yield f"{title}: links, times chance (95 % interval), citing sites, and over time"
            yield from _rows(pairs[:most])
            if len(pairs) > most:
                yield f"  and {len(pairs) - most:,} more: --most {len(pairs)}"
    yield ""
    yield f"Over time: {'; '.join(found.periods) or 'no page says when it was changed'}"


def _rows(pairs: Sequence["Pair"]) -> Iterator[str]:
    names = [pair.citing if pair.citing == pair.cited else f"{pair.citing} → {pair.cited}" for pair in pairs]
    width = min(70, max(map(len, names)))
    for name, pair in zip(names, pairs, strict=True):
        sign = {"more": "+", "fewer": "-"}.get(pair.verdict, " ")
        times = " ".join(f"{period.ratio:.1f}" if period.ratio is not None else "–" for period in pair.periods[-6:])
        ratio = f"{pair.ratio:5.2f} ({pair.low:.2f} to {pair.high:.2f})"
        yield f"  {sign} {name:{width}}  {pair.links:6,}  {ratio:22}  {pair.sites:3}  {times}"
