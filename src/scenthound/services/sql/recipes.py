"""Questions in SQL that are often asked, for the editor of the window; docs/how-to/ask-in-sql.md tells more of each."""

import tomllib
from dataclasses import dataclass
from importlib.resources import files


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    title: str
    about: str
    sql: str


def recipes() -> list[Recipe]:
    """Return them in the order of the docs."""
    table = tomllib.loads((files("scenthound.services.sql") / "recipes.toml").read_text(encoding="utf-8"))
    return [Recipe(**one) for one in table["recipe"]]
