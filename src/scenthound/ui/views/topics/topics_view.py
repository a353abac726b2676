"""Topics: the tree with its examples and good marks, changed by click, key or drag; and what the critic says of it
(FOCUS §2.1).

Branches are drawn when they are opened, so that a directory of the web with its thousands of topics opens at once.
"""

import asyncio
from typing import Final

from nicegui import events, ui

from scenthound.counted import count
from scenthound.services.topics.archetype_list import archetypes_of
from scenthound.services.topics.topic_edits import Edited
from scenthound.services.topics.topic_rows import TopicRow, pages_by_topic, rows_of
from scenthound.taxonomy import is_address, is_at_or_below, parent
from scenthound.ui.actions import edit
from scenthound.ui.api_models import EditKind, TopicEdit
from scenthound.ui.views.frame import Crawl, frame
from scenthound.ui.views.topics.archetype_shelf import archetype_shelf
from scenthound.ui.views.topics.critic_places import places_panel
from scenthound.ui.views.topics.dialogs import TOP, TopicDialogs
from scenthound.ui.views.topics.drag import Carried, carried, carry, edit_of, take
from scenthound.ui.views.topics.likely_examples import Around
from scenthound.ui.views.topics.quality_view import QualityPanel, Remedies
from scenthound.ui.views.widgets import asked, button, empty, in_browser, outside, panel

_FEW: Final = 30  # topics of a tree that is drawn with all branches open
_LOOK_EVERY: Final = 0.05  # seconds, while a menu is open


def topics(crawl: Crawl) -> None:
    """Lay out the page."""
    title = f"Topics of {crawl.name}"
    with frame(title, desk=crawl.desk, crawl=crawl, here="/topics"), ui.element("div").classes("columns"):
        with ui.element("div").classes("column-wide tree-column"), panel("Topics"):
            tree = Tree(crawl)
        with ui.element("div"):
            with panel("How good is the critic?"):
                QualityPanel(crawl, Remedies(change=tree.change, look_around=tree.look_around))
            with panel("Similar pages"):
                tree.around = Around(crawl, tree.change)
            with panel("Topics of pages"):
                places_panel(crawl, tree.change)


class Tree:
    """The topic tree, redrawn after each change."""

    def __init__(self, crawl: Crawl) -> None:
        self._crawl = crawl
        self._open: set[str] = set()
        self._seen: set[str] = set()
        self._rows: dict[str, list[TopicRow]] = {}
        self._paths: list[str] = []
        self._heads: dict[str, ui.element] = {}
        self._turns = asyncio.Lock()  # to draw: what was read first must not be drawn last
        self._drawn: tuple[list[TopicRow], set[str]] | None = None
        self.around: Around | None = None
        with ui.row().classes("tree-tools"):
            button("New topic", lambda: self._dialogs.new(), icon="add", label="Add a topic")
            button(
                "Undo",
                lambda: self._edit(TopicEdit(edit=EditKind.UNDO)),
                icon="undo",
                label="Undo the last change of the topics",
            )
            button(
                "Teach",
                lambda: ui.navigate.to(crawl.address("/teach")),
                icon="school",
                label="Answer the questions that teach the critic most",
            )
            self._words = ui.label("").classes("muted")
        self._place = ui.element("div").classes("tree").props('role="tree" aria-label="Topics"')
        take(self._place, "")
        ui.on("topic_drop", self._dropped)
        ui.on("topic_key", self._key)
        ui.label(
            "Drag topics, examples and proposals where they belong, or links from other pages here. Keys on a topic: "
            "↑\u00a0↓ go on, ←\u00a0→ close "
            "and open it, F2 renames it, Del removes it, Alt with ←\u00a0→ moves it out or in."
        ).classes("muted small wide-only")
        self._dialogs = TopicDialogs(self._place, self._edit)
        ui.timer(0, self.draw, once=True)

    async def draw(self) -> None:
        """Draw the topics as they are now, unless they are drawn so already. An open menu is left to the user: its
        topic is drawn again when it is closed.
        """
        async with self._turns:
            found = await self._read()
            if found is None:
                return
            self._paths = [row.path for row in found]
            self._rows = {}
            for row in found:
                self._rows.setdefault(parent(row.path), []).append(row)
            self._offer(found)
            self._open_new(found)
            while self._has_open_menu():
                await asyncio.sleep(_LOOK_EVERY)
            if (found, self._open) != self._drawn:
                self._drawn = (found, self._open.copy())
                self._redraw()

    async def _read(self) -> list[TopicRow] | None:
        counted = await asked(pages_by_topic, self._crawl.directory)
        found = await asked(
            lambda: rows_of(
                self._crawl.directory.topics(),
                counted if isinstance(counted, dict) else None,
                archetypes_of(self._crawl.directory),
            )
        )
        return found if isinstance(found, list) else None

    def _has_open_menu(self) -> bool:
        if self._place.is_deleted:  # the page was closed, perhaps with a menu open
            return False
        return any(one.value for one in self._place.descendants() if isinstance(one, ui.menu))

    def _redraw(self) -> None:
        self._place.clear()
        self._heads = {}
        with self._place:
            self._branch("", 0)
            if not self._paths:
                empty("account_tree", "No topic yet", "Add one, with URLs of pages that you like.")

    def _open_new(self, found: list[TopicRow]) -> None:
        """Open the branches with good topics, or all of a small tree. Closed branches stay closed."""
        for row in found:
            if row.path not in self._seen and (row.state in ("good", "lead", "path") or self._is_small_branch(row)):
                self._open.add(row.path)
        self._seen |= set(self._paths)

    def _is_small_branch(self, row: TopicRow) -> bool:
        return len(self._paths) <= _FEW and row.path in self._rows

    def _offer(self, found: list[TopicRow]) -> None:
        good = [row.path for row in found if row.good]
        self._words.text = "" if good else "None is good yet: mark what you look for."
        if self.around is not None:
            with_examples = [row.path for row in found if row.examples]
            self.around.offer(with_examples, [path for path in good if path in with_examples])

    def _branch(self, path: str, depth: int) -> None:
        for row in self._rows.get(path, []):
            self._node(row, depth)
            if row.path in self._open:
                self._branch(row.path, depth + 1)

    def _node(self, row: TopicRow, depth: int) -> None:
        opens, is_open = self._opens(row.path), row.path in self._open
        node = ui.element("div").classes(f"node {row.state.replace(' ', '-')}").style(f"--depth: {depth}")
        expanded = f" aria-expanded={'true' if is_open else 'false'}" if opens else ""
        node.props(f'role="treeitem" aria-level={depth + 1}{expanded}')
        with node:
            head = self._heads[row.path] = ui.element("div").classes("node-head")
            with head:
                self._head(row, opens=opens, is_open=is_open)
            if is_open and (row.examples or row.query):
                self._examples(row)
            if is_open and row.archetypes:
                archetype_shelf(self._crawl, row, self.draw)
        carry(head, row.path)
        take(node, row.path)

    def _head(self, row: TopicRow, *, opens: bool, is_open: bool) -> None:
        if opens:
            icon, label = ("expand_more", "Close") if is_open else ("chevron_right", "Open")
            button("", lambda: self._turn(row.path), icon=icon, label=label).classes("turn")
        else:
            ui.element("span").classes("turn")
        kind = EditKind.UNMARK if row.good else EditKind.MARK
        mark = ui.checkbox(
            row.path.rpartition("/")[2],
            value=row.state in ("good", "below good"),
            on_change=lambda: self._edit(TopicEdit(edit=kind, topic=row.path)),
        )
        mark.props("dense").classes("node-name").mark(f"good {row.path}")
        if row.state == "below good":
            mark.disable()
        if row.state in ("lead", "below lead"):
            ui.label("lead").classes("lead-mark").tooltip("Its links are followed, and its pages are not collected.")
        told = (
            f"{len(row.examples)} ex." if row.examples else "",
            f"{len(row.archetypes)} arch." if row.archetypes else "",
            "query" if row.query else "",
            f"{row.pages:,} pages" if row.pages else "",
        )
        ui.label(" · ".join(filter(None, told))).classes("muted")
        ui.element("div").classes("grow")
        self._menu(row)

    def _menu(self, row: TopicRow) -> None:
        with button("", lambda: None, icon="more_vert", label="Change this topic"), ui.menu().props("auto-close"):
            ui.menu_item("Add examples …", lambda: self._dialogs.examples(row.path))
            if row.examples:
                ui.menu_item("Similar pages", lambda: self.look_around(row.path))
            if row.lead:
                ui.menu_item("Do not follow it", lambda: self._edit(TopicEdit(edit=EditKind.UNMARK, topic=row.path)))
            elif row.state in ("good", "path", "other"):
                follow = TopicEdit(edit=EditKind.LEAD, topic=row.path)
                ui.menu_item("Follow it, do not collect it", lambda: self._edit(follow))
            ui.menu_item("Add a topic below …", lambda: self._dialogs.new(row.path))
            ui.menu_item("Rename …", lambda: self._dialogs.rename(row.path))
            ui.menu_item("Move …", lambda: self._dialogs.move(row.path, self._paths))
            ui.menu_item("Show on the map", lambda: ui.navigate.to(self._crawl.map_address(topic=row.path)))
            ui.menu_item("Remove …", lambda: self._remove(row.path))

    def _examples(self, row: TopicRow) -> None:
        with ui.element("ul").classes("examples"):
            if row.query:
                with ui.element("li"):
                    ui.label(f"“{row.query}”").classes("muted").props('dir="auto"')
            for example in row.examples:
                self._example(row.path, example)

    def _example(self, path: str, example: str) -> None:
        drop = TopicEdit(edit=EditKind.DROP_EXAMPLES, topic=path, examples=[example])
        with ui.element("li") as item:
            if is_address(example):
                outside(example)
            else:
                ui.label(example).classes("mono")
            with (
                button("", lambda: None, icon="more_vert", label="Change this example").classes("drop"),
                ui.menu().props("auto-close"),
            ):
                ui.menu_item("Move to another topic …", lambda: self._dialogs.move_example(path, example, self._paths))
                ui.menu_item("Take it away", lambda: self._edit(drop))
        carry(item, path, example)

    async def _turn(self, path: str) -> None:
        self._open ^= {path}
        await self.draw()
        self._focus(path, ".turn")

    async def look_around(self, path: str) -> None:
        if self.around is not None:
            await self.around.ask(path)

    async def _dropped(self, event: events.GenericEventArguments) -> None:
        what = carried(event)
        wanted = edit_of(what)
        if wanted is not None:
            await self.change(wanted)
        elif what.links and what == Carried(links=what.links, to=what.to):
            self._dialogs.new(examples=what.links)

    async def _key(self, event: events.GenericEventArguments) -> None:
        """Handle a key on a topic. Keys with Alt move it, as in outliners."""
        path, key = str(event.args.get("topic")), str(event.args.get("key"))
        if path not in self._paths:
            return
        if key == "F2":
            self._dialogs.rename(path)
        elif key == "Delete":
            await self._remove(path)
        elif key in ("ArrowLeft", "ArrowRight"):
            if (path in self._open) != (key == "ArrowRight") and self._opens(path):
                await self._turn(path)
                self._focus(path)
        elif (to := self._beside(path, inwards=key == "AltArrowRight")) is not None:
            moved = await self.change(TopicEdit(edit=EditKind.MOVE, topic=path, to=to or TOP))
            name = path.rpartition("/")[2]
            if moved:
                self._focus(f"{to}/{name}" if to else name)

    def _opens(self, path: str) -> bool:
        return path in self._rows or any(
            row.examples or row.archetypes for row in self._rows[parent(path)] if row.path == path
        )

    def _focus(self, path: str, what: str = "[role=checkbox]") -> None:
        """Focus a topic again after a redraw, which loses the focus."""
        head = self._heads.get(path)
        if head is not None:
            in_browser(self._place.client, "focus", id=head.id, what=what)

    def _beside(self, path: str, *, inwards: bool) -> str | None:
        """Return the new parent for a step in or out; None if there is none."""
        above = parent(path)
        if not inwards:
            return parent(above) if above else None
        names = [row.path for row in self._rows.get(above, [])]
        place = names.index(path)
        return names[place - 1] if place else None

    async def _remove(self, path: str) -> None:
        """Remove a topic; ask first if something is below it."""
        gone = [row for rows in self._rows.values() for row in rows if is_at_or_below(row.path, path)]
        examples, below = sum(len(row.examples) for row in gone), len(gone) - 1
        numbers = ((examples, "example", ""), (below, "topic", " below it"))
        lost = [count(number, noun) + where for number, noun, where in numbers if number]
        if any(row.query for row in gone):
            lost.insert(0, "the words that stand for an example")
        if lost:
            self._dialogs.remove(path, " and ".join(lost))
        else:
            await self._edit(TopicEdit(edit=EditKind.REMOVE, topic=path))

    async def _edit(self, wanted: TopicEdit) -> bool:
        """Edit from within the tree, and keep the focus there, or on the parent of a removed topic."""
        done = await self.change(wanted)
        self._focus(wanted.topic if wanted.topic in self._heads else parent(wanted.topic))
        return done

    async def change(self, wanted: TopicEdit) -> bool:
        """Make an edit, say what it means, and redraw the tree."""
        done = await asked(edit, self._crawl.desk.window, self._crawl.directory, wanted)
        if isinstance(done, Edited):
            ui.notify(done.says, multi_line=True)
            self._open |= {wanted.to or wanted.topic} & {*self._paths, wanted.topic}  # show what came there
        else:
            self._drawn = None  # the box that was clicked shows what did not come about
        await self.draw()
        return isinstance(done, Edited)
