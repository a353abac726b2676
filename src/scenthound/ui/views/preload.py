"""What a page will need soon, told to the browser in its head: it asks for it at once, and not when it has found out by
itself.

The chart library lies behind three imports, and the font of the icons behind a style that is used only when the page is
built.
"""

import inspect
import re
from functools import cache
from pathlib import Path
from typing import Final

import nicegui
from nicegui import dependencies, ui

_FOLDER: Final = Path(nicegui.__file__).parent
_ICONS: Final = re.compile(r"font-family:\s*['\"]Material Icons['\"];[^}]*url\(['\"]?([^'\")]+\.woff2)", re.DOTALL)
_CHARTS: Final = re.compile(r"""from\s*["']\./(index-[\w-]+\.js)["']""")


@cache
def needed_soon(*, charts: bool) -> str:
    """Return preload links for the head of a page. Missing files are left out; the browser finds them later."""
    base = f"/_nicegui/{nicegui.__version__}"
    links = [
        f'<link rel="preload" as="font" type="font/woff2" crossorigin href="{base}/static/{name}">'
        for name in _named(_ICONS, _FOLDER / "static" / "fonts.css")
    ]
    if charts:
        links += [
            f'<link rel="modulepreload" href="{base}/esm/{key}/{name}">'
            for key, module in _chart_modules()
            for name in ("index.js", *_named(_CHARTS, module / "index.js"))
        ]
    return "".join(links)


def _chart_modules() -> list[tuple[str, Path]]:
    """Return key and folder of the chart library. NiceGUI knows it once its element is imported."""
    element = ui.echart
    folder = Path(inspect.getfile(element)).parent
    return [(key, one.path) for key, one in dependencies.esm_modules.items() if one.path.parent == folder]


def _named(pattern: re.Pattern[str], path: Path) -> list[str]:
    try:
        return pattern.findall(path.read_text(encoding="utf-8"))[:1]
    except OSError:
        return []
