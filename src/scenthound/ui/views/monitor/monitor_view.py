"""Monitor: the plot of the paper, live (FOCUS §2.1, fig. 1), what the crawl waits for, and what goes wrong."""

from collections.abc import Callable, Sequence

from nicegui import ui

from scenthound.crawl.diagnosis.reader_answers import precision_words
from scenthound.crawl.diagnosis.speed import failures, in_seconds, refusals, total
from scenthound.services.status.learnt_status import learnt_lines
from scenthound.services.status.pulse import RECENT
from scenthound.services.why.reason_words import reason_words
from scenthound.types import HostView
from scenthound.ui.views.frame import Crawl, frame, harvest_text
from scenthound.ui.views.monitor.apprentice_panel import show_apprentice
from scenthound.ui.views.monitor.findings_panel import show_findings
from scenthound.ui.views.monitor.relevance_plot import Plot
from scenthound.ui.views.news.news_line import news_line
from scenthound.ui.views.widgets import Bars, panel, tile
from scenthound.ui.watch import Background, Look


def monitor(crawl: Crawl) -> None:
    """Lay out the page."""
    with frame(crawl.name, desk=crawl.desk, crawl=crawl, here="", charts=True):
        said = ui.label("").classes("notice").props('role="status"')
        news_line(crawl)
        alarms = ui.element("div").classes("findings").props('role="status" aria-live="polite"')
        with ui.element("div").classes("tiles"):
            pages, rate, recent = (
                tile("Pages", "examples not counted"),
                tile("Harvest", "mean of all pages, by the critic's own judgement"),
                tile("Harvest now", f"of the latest pages, up to {RECENT}"),
            )
            speed, waiting, resting = (
                tile("Pages a second"),
                tile("Frontier", "waiting URLs"),
                tile("Hosts waiting", "until their pause ends"),
            )
            wrong = tile("Errors", "URLs that failed")
        checked = ui.label("").classes("muted").props('role="status"').mark("checked")
        checked.set_visibility(False)
        with panel("Relevance over time"):
            plot = Plot(crawl)
        with ui.element("div").classes("columns"):
            beside = ui.element("div").classes("column-wide")
            with ui.element("div"):
                failed, refused = _Reasons("Failed"), _Reasons("Not fetched")

        def show(look: Look) -> None:
            census = look.census
            pages.text, rate.text, waiting.text = f"{census.pages:,}", harvest_text(look), f"{census.waiting:,}"
            recent.text = (
                "–" if look.pulse is None or look.pulse.recent_harvest is None else f"{look.pulse.recent_harvest:.3f}"
            )
            speed.text = "–" if look.pulse is None or not look.engine.running else f"{look.pulse.pages_per_second:.1f}"
            resting.text = f"{census.hosts_resting + census.hosts_parked:,} of {census.hosts:,}"
            wrong.text = f"{total(failures(census)):,}"
            said.text = look.engine.said
            said.set_visibility(bool(look.engine.said))
            said.classes(add="failed" if look.engine.failed else "", remove="" if look.engine.failed else "failed")
            failed.show(failures(census))
            refused.show(refusals(census))

        async def prepare(look: Look) -> Callable[[], None]:
            draw, background = await plot.prepared(), await crawl.watch.background()

            def shown() -> None:
                draw()
                _background(beside, background, look)
                show_findings(alarms, crawl, background.findings)
                checked.text = _checked(background)
                checked.set_visibility(bool(checked.text))

            return shown

        crawl.live.prepare(prepare)
        crawl.live.show(show)


def _checked(background: Background) -> str:
    """Say what a reader's answers say about the critic; nothing if there are none."""
    words = precision_words(background.answers) if background.answers is not None else ""
    return f"Checked by hand: {words}." if words else ""


class _Reasons:
    """A panel with the number of URLs for each reason."""

    def __init__(self, title: str) -> None:
        with panel(title):
            self._nothing = ui.label("Nothing so far.").classes("muted")
            self._bars = Bars()

    def show(self, reasons: Sequence[tuple[str, int]]) -> None:
        self._nothing.set_visibility(not reasons)
        self._bars.show([(reason_words(reason), number, f"{number:,}") for reason, number in reasons[:8]])


def _background(place: ui.element, found: Background, look: Look) -> None:
    key = (found, bool(look.census.waiting), bool(look.census.hosts))
    if getattr(place, "shown", None) == key:
        return
    place.shown = key  # type: ignore[attr-defined]
    place.clear()
    with place:
        with panel("What the crawl waits for"):
            for sentence in found.explanation or ("Nothing is known yet.",):
                ui.label(sentence)
        if found.learnt is not None:
            with panel("What the crawl has learnt"):
                for line in learnt_lines(found.learnt):
                    ui.label(f"{line[:1].upper()}{line[1:]}.")
        if found.apprentice is not None:
            with panel("The apprentice"):
                show_apprentice(found.apprentice)
        with panel("Frontier by priority"):
            if any(found.priorities.tenths):
                tenths = [
                    (f"{tenth / 10:.1f} – {(tenth + 1) / 10:.1f}", number, f"{number:,}")
                    for tenth, number in enumerate(found.priorities.tenths)
                ]
                Bars(tenths[::-1])
                if found.priorities.drawn:
                    ui.label(f"Estimated from {found.priorities.drawn:,} of them.").classes("muted")
            else:
                ui.label("Nothing waits." if not look.census.waiting else "Counting …").classes("muted")
        with panel("Hosts with the most waiting URLs"):
            _hosts(found.hosts, look)


def _hosts(hosts: Sequence[HostView], look: Look) -> None:
    if not hosts:
        ui.label("No host is known yet." if not look.census.hosts else "Counting …").classes("muted")
        return
    with ui.element("table").classes("plain"):
        with ui.element("thead"), ui.element("tr"):
            for name in ("Host", "Waiting", "Pages", "Now"):
                with ui.element("th").props('scope="col"'):
                    ui.label(name)
        with ui.element("tbody"):
            for host in hosts:
                due = f", due in {in_seconds(host.due - look.at)}" if host.due > look.at and look.engine.running else ""
                with ui.element("tr"):
                    for text in (
                        host.host,
                        f"{host.waiting:,}",
                        f"{host.pages:,}",
                        f"{host.state}{due}{f', {host.reason}' if host.reason else ''}",
                    ):
                        with ui.element("td"):
                            ui.label(text)
