"""What a page must have for those who use no mouse or do not see well: names, landmarks, a focus that is seen,
contrast.

Names are those of Chromium's own accessibility tree, contrast is that of WCAG 2.2 §1.4.3 between computed colours.
"""

from collections.abc import Iterator
from typing import Any

from playwright.sync_api import Page


def nameless(page: Page) -> list[str]:
    """Return what the Tab key leads to, and dialogs, where they have no name."""
    session = page.context.new_cdp_session(page)
    tree = session.send("Accessibility.getFullAXTree")["nodes"]
    found = [node for node in tree if _needs_name(node) and not _name(node)]
    described = [
        session.send("DOM.describeNode", {"backendNodeId": node["backendDOMNodeId"]})["node"] for node in found
    ]
    attributes = [one.get("attributes", []) for one in described]
    return [" ".join(one) for one in attributes if "-1" not in one]  # with that tabindex, no key leads there


def _needs_name(node: dict[str, Any]) -> bool:
    if node.get("ignored") or node["role"]["value"] in ("RootWebArea", "main"):
        return False
    focusable = any(one["name"] == "focusable" and one["value"]["value"] for one in node.get("properties", []))
    return focusable or node["role"]["value"] == "dialog"


def _name(node: dict[str, Any]) -> str:
    return str(node.get("name", {}).get("value", "")).strip()


def landmarks(page: Page) -> dict[str, int]:
    """Count the parts by which readers of a screen find their way."""
    kinds = {"main": "main, [role=main]", "h1": "h1", "header": "header", "nav": "nav"}
    return {name: page.locator(selector).count() for name, selector in kinds.items()}


def unseen_focus(page: Page, steps: int) -> Iterator[str]:
    """Go through a page by the Tab key, and give what has the focus without showing it."""
    for _ in range(steps):
        page.keyboard.press("Tab")
        if told := page.evaluate(_FOCUS):
            yield told


_FOCUS = """() => {
    const one = document.activeElement;
    if (!one || one === document.body) return "";
    const shown = (element) => {
        const style = getComputedStyle(element);
        return style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0;
    };
    const field = one.closest(".q-field, .q-slider, .q-toggle, .q-checkbox, .cm-editor");  // these mark themselves
    const marked = field && (field.matches(".q-field--focused, .cm-focused") || shown(field) || shown(one));
    return shown(one) || marked ? "" : one.outerHTML.slice(0, 150);
}"""


def faint(page: Page) -> list[str]:
    """Return texts whose contrast to what lies behind them is too small, each with its contrast."""
    return list(page.evaluate(_FAINT))


def faint_when_settled(page: Page) -> list[str]:
    """Return the same once cards and texts have their colours: after a change of theme these come one by one."""
    for _ in range(_LOOKS):
        if not (found := faint(page)):
            break
        page.wait_for_timeout(_BETWEEN)
    return found


_LOOKS, _BETWEEN = 20, 250  # looks at a page, and milliseconds between two
_FAINT = """() => {
    const rgb = (text) => { const n = text.match(/[\\d.]+/g).map(Number); return n.length < 4 ? [...n, 1] : n; };
    const srgb = (text) => text.startsWith("color(srgb")
        ? rgb(text.slice(11)).map((value, place) => place < 3 ? value * 255 : value) : rgb(text);
    const over = (top, below) => [0, 1, 2].map((n) => top[n] * top[3] + below[n] * (1 - top[3])).concat(1);
    const light = (colour) => {
        const [r, g, b] = colour.slice(0, 3).map((value) => value / 255)
            .map((value) => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const behind = (element) => {
        const layers = [];
        for (let one = element; one; one = one.parentElement) layers.push(srgb(getComputedStyle(one).backgroundColor));
        return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255, 1]);
    };
    const found = new Set(), walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const element = node.parentElement, style = getComputedStyle(element);
        if (!node.data.trim() || !element.checkVisibility({opacityProperty: true, visibilityProperty: true})) continue;
        if (element.closest("[disabled], .disabled, [aria-disabled=true], script, style, #popup, .nicegui-error-popup, .q-icon, .skip")) continue;
        const inverted = element.closest(".cm-scroller");
        if (inverted && getComputedStyle(inverted).filter !== "none") continue;  // the colours of the light theme turned round
        const ground = behind(element), ink = over(srgb(style.color), ground);
        const [high, low] = [light(ink), light(ground)].sort((a, b) => b - a);
        const size = parseFloat(style.fontSize), large = size >= 24 || (size >= 18.6 && Number(style.fontWeight) >= 700);
        const contrast = (high + 0.05) / (low + 0.05);
        if (contrast < (large ? 3 : 4.5)) found.add(`${contrast.toFixed(2)} ${node.data.trim().slice(0, 40)}`);
    }
    return [...found];
}"""


def small_targets(page: Page, least: int = 40) -> list[str]:
    """Return what can be touched and is lower or narrower than so many pixels, each with its size."""
    return list(page.evaluate(_SMALL, least))


_SMALL = """(least) => {
    const what = "a[href], button, [role=button], [role=tab], [role=checkbox], [role=combobox], [role=menuitem], input, textarea";
    const small = new Set();
    for (const one of document.querySelectorAll(what)) {
        if (!one.checkVisibility({opacityProperty: true, visibilityProperty: true})) continue;
        if (one.closest("[disabled], .skip, .cm-editor, .q-uploader__input, .q-uploader")) continue;
        const box = (one.closest(".q-field, .q-checkbox") ?? one).getBoundingClientRect();
        if (box.width && (box.height < least - 0.5 || box.width < least - 0.5))
            small.add(`${box.width.toFixed(0)}x${box.height.toFixed(0)} ${(one.getAttribute("aria-label") ?? one.textContent).trim().slice(0, 40)}`);
    }
    return [...small];
}"""
