"""A neighbourhood as an ECharts graph: colour for topic, size for relevance, a ring for the centre."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from scenthound.services.results.neighbourhood import MapPage, Neighbourhood
from scenthound.ui.views.map.layout_forces import Dot, layout, titled

# Told apart also by most people who see colours differently, on light and dark ground.
COLOURS: Final = ("#2e8b57", "#4477cc", "#b4508f", "#2aa7a7", "#8c6bb8", "#a3a33a", "#c0504d", "#6b8e9e")
_OTHER, _UNSEEN = "#8d8478", "#9aa0a6"
OTHER_TOPICS: Final = "other topics"
NOT_FETCHED: Final = "not fetched"
_NAMED: Final = 20  # pages whose title is written beside them where there is room; of the others on the way over them
_TITLE: Final = 28  # characters of it


@dataclass(frozen=True, slots=True, kw_only=True)
class Category:
    name: str
    colour: str


def categories_of(pages: Sequence[MapPage]) -> tuple[Category, ...]:
    """Assign colours to the topics of a map: first those of the centre, then the most frequent.

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
    """Return the category of a page."""
    if page.relevance is None:
        return NOT_FETCHED
    name = page.topic or "no topic"
    return name if any(one.name == name for one in categories) else OTHER_TOPICS


def options_of_map(found: Neighbourhood) -> dict[str, Any]:
    """Return the options for ECharts. Texts are drawn on a canvas, never read as markup."""
    categories = categories_of(found.pages)
    places = {one.name: place for place, one in enumerate(categories)}
    dots = dots_of(found)
    series = {
        "id": "map",
        "type": "graph",
        "layout": "none",
        "preserveAspect": True,
        "left": "12%",
        "right": "12%",
        "top": 36,
        "bottom": 36,
        "roam": True,
        "scaleLimit": {"min": 0.5, "max": 8},
        "cursor": "pointer",
        "edgeSymbol": ["none", "arrow"],
        "edgeSymbolSize": 5,
        "lineStyle": {"color": "#8a8f98", "opacity": 0.45, "curveness": 0.08},
        "emphasis": {"focus": "adjacency", "label": {"show": True}},
        "label": {"show": True, "color": "#7d848d", "fontSize": 11},
        "labelLayout": {"hideOverlap": True},
        "categories": [{"name": one.name, "itemStyle": {"color": one.colour}} for one in categories],
        "data": [
            _node(page, places[category_of(page, categories)], dot) for page, dot in zip(found.pages, dots, strict=True)
        ],
        "links": [{"source": str(one.source), "target": str(one.target)} for one in found.links],
    }
    tooltip = {"renderMode": "richText", "confine": True, "formatter": "{b}"}
    # On a phone the dots need the room: there titles come with a touch, and stand in the table.
    narrow = {"series": [{"id": "map", "label": {"show": False}, "left": 20, "right": 20, "top": 20, "bottom": 20}]}
    base = {"animation": False, "tooltip": tooltip, "series": [series]}
    return {"baseOption": base, "media": [{"query": {"maxWidth": 560}, "option": narrow}, {"option": {}}]}


def dots_of(found: Neighbourhood) -> list[Dot]:
    """Return the positions of pages and titles."""
    numbers = {page.id: number for number, page in enumerate(found.pages)}
    dots = layout(len(found.pages), [(numbers[one.source], numbers[one.target]) for one in found.links])
    named = [number < _NAMED and page.relevance is not None for number, page in enumerate(found.pages)]
    titles = [short(page.title or page.url) if on else "" for page, on in zip(found.pages, named, strict=True)]
    return titled(dots, [_size(page) for page in found.pages], titles)


def _node(page: MapPage, category: int, dot: Dot) -> dict[str, Any]:
    ring = {"borderColor": "#e08a1e", "borderWidth": 3} if page.middle else {}
    return {
        "id": str(page.id),
        "name": short(page.title or page.url),
        "category": category,
        "x": round(dot.x, 1),
        "y": round(dot.y, 1),
        "symbolSize": _size(page),
        "itemStyle": ring,
        "label": {"position": dot.side} if dot.side else {"show": False, "position": "right"},
    }


def _size(page: MapPage) -> float:
    return 7 if page.relevance is None else 7 + 13 * page.relevance


def short(text: str) -> str:
    """Shorten a title to fit beside a dot.

    >>> short("A short one"), len(short("x" * 80))
    ('A short one', 28)
    """
    return text if len(text) <= _TITLE else text[: _TITLE - 1] + "…"
