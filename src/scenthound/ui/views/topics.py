"""Topics: the tree with its examples and good marks, changed with a click; and where pages fall in it (FOCUS §2.1).

Branches are drawn when they are opened, so that a directory of the web with its thousands of topics opens at once.
"""

import asyncio
import json
import sys
from collections.abc import Callable
from typing import Any

from nicegui import ui

from scenthound.desk.topic_rows import TopicRow, pages_by_topic, rows_of
from scenthound.desk.topics_edit import Edited
from scenthound.taxonomy import is_address, parent
from scenthound.ui.asked import EditKind, TopicEdit
from scenthound.ui.doing import edit
from scenthound.ui.views.frame import Crawl, frame
from scenthound.ui.views.parts import asked, button, empty, fault, outside, panel

_PATIENCE = 120.0  # seconds for which pages are fetched and judged to see where they fall


def topics(crawl: Crawl) -> None:
    """Lay out the page."""
    title = f"Topics of {crawl.name}"
    with frame(title, desk=crawl.desk, crawl=crawl, here="/topics"), ui.element("div").classes("columns"):
        with ui.element("div").classes("column-wide"), panel("What is looked for"):
            tree = Tree(crawl)
        with ui.element("div"), panel("Where do these pages belong?"):
            _places(crawl, tree)


class Tree:
    """The tree of topics, drawn anew after each change."""

    def __init__(self, crawl: Crawl) -> None:
        self._crawl = crawl
        self._open: set[str] = set()
        self._rows: dict[str, list[TopicRow]] = {}
        with ui.row().classes("tree-tools"):
            button("New topic", lambda: self._ask_new(""), icon="add", label="Add a topic")
            button(
                "Undo",
                lambda: self.change(TopicEdit(edit=EditKind.UNDO)),
                icon="undo",
                label="Undo the last change of the topics",
            )
            self._words = ui.label("").classes("muted")
        self._place = ui.element("div").classes("tree").props('role="tree" aria-label="Topics"')
        ui.timer(0, self.draw, once=True)

    async def draw(self) -> None:
        counted = await asked(pages_by_topic, self._crawl.directory)
        found = await asked(
            lambda: rows_of(self._crawl.directory.topics(), counted if isinstance(counted, dict) else None)
        )
        if not isinstance(found, list):
            return
        self._rows = {}
        for row in found:
            self._rows.setdefault(parent(row.path), []).append(row)
        good = [row.path for row in found if row.good]
        self._words.text = "" if good else "None is good yet: mark what you look for."
        self._open |= {path for row in found if row.state == "path" for path in [row.path]}
        if len(found) <= 30:
            self._open |= {row.path for row in found if row.examples or row.path in self._rows}
        self._place.clear()
        with self._place:
            self._branch("", 0)
            if not found:
                empty("account_tree", "No topic yet", "Add one, with addresses of pages that you like.")

    def _branch(self, path: str, depth: int) -> None:
        for row in self._rows.get(path, []):
            self._node(row, depth)
            if row.path in self._open:
                self._branch(row.path, depth + 1)

    def _node(self, row: TopicRow, depth: int) -> None:
        below, is_open = row.path in self._rows, row.path in self._open
        name = row.path.rpartition("/")[2]
        node = ui.element("div").classes(f"node {row.state.replace(' ', '-')}").style(f"--depth: {depth}")
        node.props(
            f'role="treeitem" aria-level={depth + 1}'
            + (f" aria-expanded={'true' if is_open else 'false'}" if below or row.examples else "")
        )
        with node:
            with ui.element("div").classes("node-head"):
                if below or row.examples:
                    button(
                        "",
                        lambda: self._turn(row.path),
                        icon="expand_more" if is_open else "chevron_right",
                        label="Close" if is_open else "Open",
                    ).classes("turn")
                else:
                    ui.element("span").classes("turn")
                kind = EditKind.UNMARK if row.good else EditKind.MARK
                mark = ui.checkbox(
                    name,
                    value=row.state in ("good", "below good"),
                    on_change=lambda: self.change(TopicEdit(edit=kind, topic=row.path)),
                )
                mark.props("dense").classes("node-name").mark(f"good {row.path}")
                if row.state == "below good":
                    mark.disable()
                told = [
                    f"{len(row.examples)} ex." if row.examples else "",
                    "query" if row.query else "",
                    f"{row.pages:,} pages" if row.pages else "",
                ]
                ui.label(" · ".join(filter(None, told))).classes("muted")
                ui.element("div").classes("grow")
                self._menu(row)
            if is_open and (row.examples or row.query):
                self._examples(row)

    def _menu(self, row: TopicRow) -> None:
        with button("", lambda: None, icon="more_vert", label="Change this topic"), ui.menu().props("auto-close"):
            ui.menu_item("Add examples …", lambda: self._ask_examples(row.path))
            ui.menu_item("Add a topic below …", lambda: self._ask_new(row.path))
            ui.menu_item("Rename …", lambda: self._ask_name(row.path))
            ui.menu_item("Move …", lambda: self._ask_parent(row.path))
            ui.menu_item("Remove", lambda: self.change(TopicEdit(edit=EditKind.REMOVE, topic=row.path)))

    def _examples(self, row: TopicRow) -> None:
        with ui.element("ul").classes("examples"):
            if row.query:
                with ui.element("li"):
                    ui.label(f"“{row.query}”").classes("muted").props('dir="auto"')
            for example in row.examples:
                with ui.element("li"):
                    if is_address(example):
                        outside(example)
                    else:
                        ui.label(example).classes("mono")
                    drop = TopicEdit(edit=EditKind.DROP_EXAMPLES, topic=row.path, examples=[example])
                    button(
                        "", lambda drop=drop: self.change(drop), icon="close", label="Take this example away"
                    ).classes("drop")

    async def _turn(self, path: str) -> None:
        self._open ^= {path}
        await self.draw()

    async def change(self, wanted: TopicEdit) -> bool:
        """Make an edit, say what it means, and draw the tree as it is now."""
        done = await asked(edit, self._crawl.desk.window, self._crawl.directory, wanted)
        if isinstance(done, Edited):
            ui.notify(done.says, multi_line=True)
        await self.draw()
        return isinstance(done, Edited)

    def _ask_new(self, above: str) -> None:
        def wanted(fields: dict[str, Any]) -> TopicEdit:
            path = f"{above}/{fields['Name'].value}" if above else str(fields["Name"].value or "")
            return TopicEdit(
                edit=EditKind.ADD,
                topic=path,
                examples=_lines(fields["Examples, one address a line"].value),
                good=bool(fields["Good"].value),
            )

        self._dialog(
            "New topic", {"Name": ui.input, "Examples, one address a line": ui.textarea, "Good": ui.checkbox}, wanted
        )

    def _ask_examples(self, path: str) -> None:
        field = "Addresses, one a line"
        self._dialog(
            f"Examples of {path}",
            {field: ui.textarea},
            lambda fields: TopicEdit(edit=EditKind.ADD_EXAMPLES, topic=path, examples=_lines(fields[field].value)),
        )

    def _ask_name(self, path: str) -> None:
        self._dialog(
            f"Rename {path}",
            {"New name": ui.input},
            lambda fields: TopicEdit(edit=EditKind.RENAME, topic=path, to=str(fields["New name"].value or "")),
        )

    def _ask_parent(self, path: str) -> None:
        field = "Below which topic? / is the top"
        self._dialog(
            f"Move {path}",
            {field: ui.input},
            lambda fields: TopicEdit(edit=EditKind.MOVE, topic=path, to=str(fields[field].value or "/")),
        )

    def _dialog(
        self, title: str, makers: dict[str, Callable[[str], Any]], wanted: Callable[[dict[str, Any]], TopicEdit]
    ) -> None:
        with self._place.client.content, ui.dialog() as dialog, ui.card().classes("dialog"):
            ui.label(title).classes("title").props('dir="auto"')
            fields = {name: make(name) for name, make in makers.items()}

            async def done() -> None:
                if await self.change(wanted(fields)):
                    dialog.close()

            with ui.row().classes("actions"):
                ui.button("Cancel", on_click=dialog.close).props("flat no-caps")
                ui.button("Save", on_click=done).props("unelevated no-caps").mark("save topic")
        dialog.on("hide", dialog.delete)
        dialog.open()


def _places(crawl: Crawl, tree: Tree) -> None:
    """Ask the critic, in a process of its own, into which topics some pages fall."""
    ui.label(
        "Paste pages of what interests you: the critic says into which topics they fall, so that you can mark these good."
    ).classes("muted")
    field = ui.textarea("Addresses, one a line").props("outlined autogrow dense")
    ask = ui.button("Find their topics", icon="search").props("unelevated no-caps")
    place = ui.element("div").props('aria-live="polite"')

    async def find() -> None:
        urls = _lines(field.value)
        if not urls:
            return
        ask.props("loading")
        found = await _found_places(crawl, urls)
        ask.props(remove="loading")
        place.clear()
        if isinstance(found, str):
            fault(found)
            return
        with place:
            for one in found["places"]:
                with ui.row().classes("place-row"):
                    ui.label(one["path"] or "(no topic)").props('dir="auto"')
                    ui.label(f"{one['holds']} of {one['of']} pages, probability {one['probability']:.2f}").classes(
                        "muted"
                    )
                    if one["mark"]:
                        marked = TopicEdit(edit=EditKind.MARK, topic=one["path"])
                        button("Mark good", lambda marked=marked: tree.change(marked), icon="check", label="Mark good")
            for url, why in found["failed"].items():
                ui.label(f"{url}: {why}").classes("muted")

    ask.on_click(find)


async def _found_places(crawl: Crawl, urls: list[str]) -> dict[str, Any] | str:
    command = [sys.executable, "-m", "scenthound", "topics", str(crawl.directory.path), "find", "--json", "--", *urls]
    process = await asyncio.create_subprocess_exec(
        *command, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    try:
        out, err = await asyncio.wait_for(process.communicate(), _PATIENCE)
    except TimeoutError:
        process.terminate()
        return "it took too long; try fewer pages"
    if process.returncode:
        return (err.decode("utf-8", "replace").strip().splitlines() or ["it failed"])[-1].removeprefix("scenthound: ")
    found: dict[str, Any] = json.loads(out)
    return found


def _lines(text: str | None) -> list[str]:
    return [line.strip() for line in (text or "").splitlines() if line.strip()]
