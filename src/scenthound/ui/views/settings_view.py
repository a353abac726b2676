"""Settings: all of them with their help. Those that a running crawl applies at once are marked."""

from typing import Any

from nicegui import ui

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.services.crawls.settings_edit import SettingNow, change_settings, settings_now
from scenthound.settings.help import sections
from scenthound.ui.views.frame import Crawl, frame
from scenthound.ui.views.widgets import asked, panel


def settings(crawl: Crawl) -> None:
    """Lay out the page."""
    with frame(f"Settings of {crawl.name}", desk=crawl.desk, crawl=crawl, here="/settings"):
        Form(crawl)


class Form:
    """All settings. Changes are saved together."""

    def __init__(self, crawl: Crawl) -> None:
        self._directory: CrawlDirectory = crawl.directory
        self._fields: dict[str, Any] = {}
        self._before: dict[str, str] = {}
        now = settings_now(crawl.directory)
        with ui.row().classes("settings-tools"):
            self._search = ui.input("Find a setting", on_change=self._find).props(
                'clearable dense outlined debounce="200"'
            )
            ui.element("div").classes("grow")
            self._changed = ui.label("").classes("muted").props('role="status"')
            self._save = (
                ui.button("Save", icon="save", on_click=self._write).props("unelevated no-caps").mark("save settings")
            )
        self._rows: list[tuple[SettingNow, ui.element]] = []
        for section in sections():
            with panel(f"[{section.name}]"):
                ui.label(section.help).classes("muted")
                for one in now:
                    if one.section == section.name:
                        self._row(one)
        self._count()

    def _row(self, one: SettingNow) -> None:
        row = ui.element("div").classes("setting")
        self._rows.append((one, row))
        self._before[one.key] = one.value
        with row:
            with ui.element("div").classes("setting-words"):
                with ui.row().classes("setting-name"):
                    ui.label(one.name).classes("mono")
                    when = "read only" if one.read_only else "at once" if one.at_once else "next start"
                    ui.label(when).classes("chip at-once" if when == "at once" else "chip")
                ui.label(one.help).classes("muted")
                ui.label(f"Takes {one.takes}. Default {_cut(one.default)}.").classes("muted small")
                if one.guarded:
                    ui.label(_guarded(one)).classes("muted small")
            with ui.element("div").classes("setting-field"):
                self._fields[one.key] = self._field(one)

    def _field(self, one: SettingNow) -> Any:
        label = f'aria-label="{one.key}"'
        if one.takes == "true or false":
            return ui.switch(value=one.value == "true", on_change=self._count).props(label)
        options = one.takes.split(" or ")
        if one.takes.startswith('"') and all(option.startswith('"') for option in options):
            return ui.select(options, value=one.value, on_change=self._count).props(
                f"dense outlined options-dense {label}"
            )
        if one.read_only:
            label += " readonly"
        kind = ui.textarea if len(one.value) > 60 else ui.input
        return kind(value=one.value, on_change=self._count).props(f"dense outlined autogrow {label}").classes("mono")

    def _changes(self) -> dict[str, str]:
        now = {key: _toml(field.value) for key, field in self._fields.items()}
        return {key: value for key, value in now.items() if value != self._before[key]}

    def _count(self) -> None:
        changes = self._changes() if len(self._fields) == len(self._before) else {}
        self._changed.text = f"{len(changes)} changed" if changes else ""
        self._save.set_enabled(bool(changes))

    async def _write(self) -> None:
        changes = self._changes()
        told = await asked(change_settings, self._directory, changes)
        if isinstance(told, list):
            self._before |= changes
            self._count()
            for sentence in told:
                ui.notify(sentence, multi_line=True)

    def _find(self) -> None:
        wanted = (self._search.value or "").lower()
        for one, row in self._rows:
            row.set_visibility(wanted in f"{one.key} {one.help}".lower())


def _guarded(one: SettingNow) -> str:
    """Say why a setting, or some of its values, cannot be set here."""
    if one.read_only:
        return f"Set it in crawl.toml, not here: {one.guarded}."
    which = "Files and commands are" if one.name == "source" else '"module:function" is'
    return f"{which} set in crawl.toml, not here: {one.guarded}."


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value if value is not None else "").strip()


def _cut(text: str) -> str:
    return text if len(text) <= 60 else text[:59] + "…"
