"""A neighbourhood as an ECharts graph: a colour for each topic, a size for relevance, a ring for what is in the middle."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from scenthound.desk.neighbourhood import MapPage, Neighbourhood

# Told apart also by most people who see colours differently, on light and dark ground.
COLOURS: Final = ("#2e8b57", "#4477cc", "#b4508f", "#2aa7a7", "#8c6bb8", "#a3a33a", "#c0504d", "#6b8e9e")
_OTHER, _UNSEEN = "#8d8478", "#9aa0a6"
OTHER_TOPICS: Final = "other topics"
NOT_FETCHED: Final = "not fetched"
_NAMED: Final = 12  # pages whose title is written beside them; of the others on the way over them
_TITLE: Final = 34  # characters of it


@dataclass(frozen=True, slots=True, kw_only=True)
class Category:
    name: str
    colour: str


def categories_of(pages: Sequence[MapPage]) -> tuple[Category, ...]:
    """Give the topics of a map colours, those of the middle and the most frequent ones first.

    >>> page = MapPage(id=1, url="u", host="h", state="page", title="", topic="Arts", relevance=0.5, middle=True)
    >>> [one.name for one in categories_of([page])]
    ['Arts']
    """
    counted = Counter[str]()
    for page in pages:
        if page.relevance is not None:
            counted[page.topic or "no topic"] += 1000 if page.middle else 1
    names = [name for name, _ in counted.most_common()]
    found = [Category(name=name, colour=colour) for name, colour in zip(names, COLOURS, strict=False)]
    if len(names) > len(COLOURS):
        found.append(Category(name=OTHER_TOPICS, colour=_OTHER))
    if any(page.relevance is None for page in pages):
        found.append(Category(name=NOT_FETCHED, colour=_UNSEEN))
    return tuple(found)


def category_of(page: MapPage, categories: Sequence[Category]) -> str:
    """Return under which category a page falls."""
    if page.relevance is None:
        return NOT_FETCHED
    name = page.topic or "no topic"
    return name if any(one.name == name for one in categories) else OTHER_TOPICS


def options_of_map(found: Neighbourhood) -> dict[str, Any]:
    """Return what ECharts draws. Texts are drawn on a canvas, never taken for markup."""
    categories = categories_of(found.pages)
    places = {one.name: place for place, one in enumerate(categories)}
    series = {
        "id": "map",
        "type": "graph",
        "layout": "force",
        "force": {"repulsion": 220, "edgeLength": [50, 140], "gravity": 0.12, "layoutAnimation": False},
        "roam": True,
        "scaleLimit": {"min": 0.5, "max": 8},
        "cursor": "pointer",
        "edgeSymbol": ["none", "arrow"],
        "edgeSymbolSize": 5,
        "lineStyle": {"color": "#8a8f98", "opacity": 0.45, "curveness": 0.08},
        "emphasis": {"focus": "adjacency", "label": {"show": True}},
        "labelLayout": {"hideOverlap": True},
        "categories": [{"name": one.name, "itemStyle": {"color": one.colour}} for one in categories],
        "data": [
            _node(page, places[category_of(page, categories)], named=number < _NAMED)
            for number, page in enumerate(found.pages)
        ],
        "links": [{"source": str(one.source), "target": str(one.target)} for one in found.links],
    }
    tooltip = {"renderMode": "richText", "confine": True, "formatter": "{b}"}
    return {"animation": False, "tooltip": tooltip, "series": [series]}


def _node(page: MapPage, category: int, *, named: bool) -> dict[str, Any]:
    ring = {"borderColor": "#e08a1e", "borderWidth": 3} if page.middle else {}
    return {
        "id": str(page.id),
        "name": short(page.title or page.url),
        "category": category,
        "symbolSize": 7 if page.relevance is None else 7 + 13 * page.relevance,
        "itemStyle": ring,
        "label": {
            "show": named and page.relevance is not None,
            "position": "right",
            "color": "#7d848d",
            "fontSize": 11,
        },
    }


def short(text: str) -> str:
    """Cut a title so that it can stand beside a dot.

    >>> short("A short one"), len(short("x" * 80))
    ('A short one', 34)
    """
    return text if len(text) <= _TITLE else text[: _TITLE - 1] + "…"
