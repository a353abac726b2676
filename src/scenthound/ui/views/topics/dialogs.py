"""The dialogs that change the topic tree: they ask for a name, a parent or URLs. Each answer is one edit."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

from nicegui import ui

from scenthound.taxonomy import is_at_or_below, parent
from scenthound.ui.api_models import EditKind, TopicEdit
from scenthound.ui.views.widgets import lines_of, titled_dialog

TOP: Final = "/"
_NAME, _EXAMPLES, _GOOD, _BELOW, _TO = "Name", "URLs, one per line", "Good", "Below which topic", "To which topic"


class TopicDialogs:
    """The dialogs of one tree. `change` makes an edit and returns whether it worked."""

    def __init__(self, place: ui.element, change: Callable[[TopicEdit], Awaitable[bool]]) -> None:
        self._place = place
        self._change = change

    def new(self, above: str = "", examples: Sequence[str] = ()) -> None:
        def wanted(fields: dict[str, Any]) -> TopicEdit:
            name = str(fields[_NAME].value or "")
            return TopicEdit(
                edit=EditKind.ADD,
                topic=f"{above}/{name}" if above else name,
                examples=lines_of(fields[_EXAMPLES].value),
                good=bool(fields[_GOOD].value),
            )

        fields = {
            _NAME: lambda: ui.input(_NAME).props("autofocus"),
            _EXAMPLES: lambda: ui.textarea(_EXAMPLES, value="\n".join(examples)),
            _GOOD: lambda: ui.checkbox("Good: I want its pages"),
        }
        self._ask(f"New topic below {above}" if above else "New topic", fields, wanted)

    def examples(self, path: str) -> None:
        self._ask(
            f"Examples of {path}",
            {_EXAMPLES: lambda: ui.textarea(_EXAMPLES).props("autofocus")},
            lambda fields: TopicEdit(
                edit=EditKind.ADD_EXAMPLES, topic=path, examples=lines_of(fields[_EXAMPLES].value)
            ),
        )

    def rename(self, path: str) -> None:
        self._ask(
            f"Rename {path}",
            {_NAME: lambda: ui.input(_NAME, value=path.rpartition("/")[2]).props("autofocus")},
            lambda fields: TopicEdit(edit=EditKind.RENAME, topic=path, to=str(fields[_NAME].value or "")),
        )

    def move(self, path: str, topics: Sequence[str]) -> None:
        """Ask for a new parent, among those that are possible."""
        places = {TOP: "the top of the tree"} | {one: one for one in topics if not is_at_or_below(one, path)}
        places.pop(parent(path) or TOP, None)
        self._ask(
            f"Move {path}",
            {_BELOW: lambda: ui.select(places, label=_BELOW, with_input=True).props("autofocus")},
            lambda fields: TopicEdit(edit=EditKind.MOVE, topic=path, to=str(fields[_BELOW].value or TOP)),
        )

    def move_example(self, path: str, example: str, topics: Sequence[str]) -> None:
        places = [one for one in topics if one != path]
        self._ask(
            f"Move {example}",
            {_TO: lambda: ui.select(places, label=_TO, with_input=True).props("autofocus")},
            lambda fields: TopicEdit(
                edit=EditKind.MOVE_EXAMPLES, topic=path, to=str(fields[_TO].value or ""), examples=[example]
            ),
        )

    def remove(self, path: str, lost: str) -> None:
        """Ask before a topic is removed. `lost` names what is removed with it."""
        removal = TopicEdit(edit=EditKind.REMOVE, topic=path)
        with self._place.client.content, titled_dialog(f"Remove {path}?") as dialog:
            ui.label(f"This also removes {lost}. You can undo it.")

            async def done() -> None:
                dialog.close()
                await self._change(removal)

            with ui.row().classes("actions"):
                ui.button("Keep it", on_click=dialog.close).props("flat no-caps")
                ui.button("Remove", on_click=done, color="negative").props("unelevated no-caps autofocus")

    def _ask(
        self, title: str, makers: dict[str, Callable[[], Any]], wanted: Callable[[dict[str, Any]], TopicEdit]
    ) -> None:
        with self._place.client.content, titled_dialog(title) as dialog:
            fields = {name: make() for name, make in makers.items()}

            async def done() -> None:
                if await self._change(wanted(fields)):
                    dialog.close()

            for field in fields.values():
                if isinstance(field, ui.input):
                    field.on("keydown.enter", done)
            with ui.row().classes("actions"):
                ui.button("Cancel", on_click=dialog.close).props("flat no-caps")
                ui.button("Save", on_click=done).props("unelevated no-caps").mark("save topic")
