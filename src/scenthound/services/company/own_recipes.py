"""The recipes of docs/how-to/ask-in-sql.md with topics of one's own in place of those of the demo crawl.

`good` is the topic that a reader wants, `citing` one that cites it, and `other` one that is about something else.
"""

from dataclasses import replace

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.services.company.topic_company import NO_TOPIC, OTHER_TOPICS, Company
from scenthound.services.sql.recipes import Recipe, recipes
from scenthound.services.topics.topic_rows import pages_by_topic
from scenthound.taxonomy import Topics, is_at_or_below

_IN_DOCS = {"good": "Recreation/Cycling", "citing": "Home/Baking", "other": "Society/Local_History"}


def own_recipes(directory: CrawlDirectory, company: Company | None = None) -> list[Recipe]:
    """Return the recipes for a crawl.

    With `company`, the citing topic is the one that cites the good one oftenest against chance. Without, topics are
    chosen by their pages, which takes no time.
    """
    return [filled(recipe, _roles(directory, company)) for recipe in recipes()]


def filled(recipe: Recipe, roles: dict[str, str]) -> Recipe:
    """Return a recipe with topics in their places.

    >>> filled(Recipe(title="", about="", sql="kcid = 'Home/Baking'"), {"citing": "Sea/O'Neill"}).sql
    "kcid = 'Sea/O''Neill'"
    """
    sql = recipe.sql
    for role, path in roles.items():
        if path:
            # a mark in between, because one of the user's topics may have the name of one in the docs
            sql = sql.replace(f"'{_IN_DOCS[role]}'", f"\x00{role}\x00")
    for role, path in roles.items():
        quoted = path.replace("'", "''")
        sql = sql.replace(f"\x00{role}\x00", f"'{quoted}'")
    return replace(recipe, sql=sql)


def _roles(directory: CrawlDirectory, company: Company | None) -> dict[str, str]:
    topics, pages = directory.topics(), pages_by_topic(directory) or {}
    known = sorted((path for path in pages if path), key=lambda path: (-pages[path], path))
    good = _good(topics, known)
    strangers = [path for path in known if not is_at_or_below(path, good) and not is_at_or_below(good, path)]
    citing = _citing(company, good) if company is not None else ""
    if citing:
        strangers = [citing, *(path for path in strangers if path != citing)]
    first, second, *_ = [*strangers, "", ""]
    return {"good": good, "citing": first, "other": second or first}


def _good(topics: Topics, known: list[str]) -> str:
    """Return the good topic with most pages, or the first."""
    found = [path for path in known if topics.is_good(path)]
    return next(iter([*found, *(topic.path for topic in topics.good), *known]), "")


def _citing(company: Company, good: str) -> str:
    named = (pair for pair in company.pairs if pair.cited == good and pair.citing != good)
    return next((pair.citing for pair in named if pair.citing not in (NO_TOPIC, OTHER_TOPICS)), "")
