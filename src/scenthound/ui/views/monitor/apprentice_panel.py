"""The apprentice on Monitor: who leads, and what it expected of links against the results."""

from nicegui import ui

from scenthound.counted import count
from scenthound.crawl.order.forecasts import Record, leads
from scenthound.services.status.apprentice_status import ApprenticeStatus
from scenthound.ui.views.widgets import relevance


def show_apprentice(status: ApprenticeStatus) -> None:
    """Show its state, which `status` says in one line."""
    if status.lead is not None:
        _lead(status.lead)
    rows = {"chosen by it": status.chosen, "the latest of these": _latest(status), "drawn by chance": status.drawn}
    found = {name: record for name, record in rows.items() if record is not None}
    if found:
        _records(found)
    ui.label(_lessons(status, bool(found))).classes("muted")


def _latest(status: ApprenticeStatus) -> Record | None:
    same = status.latest is None or status.chosen is None or status.latest.links == status.chosen.links
    return None if same else status.latest


def _lead(lead: float) -> None:
    """Show the two weights as parts of one bar, with names, so colours are not needed to read it."""
    said = leads(lead)
    with ui.element("div").classes("lead"):
        who, _, why = said.partition(" (")
        ui.label(f"{who[:1].upper()}{who[1:]}{why.partition(')')[2]}").classes("lead-who")
        with ui.element("div").classes("lead-bar").props('role="img"') as bar:
            bar.props["aria-label"] = said
            ui.element("div").style(f"width: {100 * lead:.0f}%")
        with ui.element("div").classes("lead-names"):
            ui.label(f"apprentice {lead:.2f}")
            ui.label(f"best-first {1 - lead:.2f}")


def _records(found: dict[str, Record]) -> None:
    with ui.element("table").classes("plain apprentice"):
        with ui.element("thead"), ui.element("tr"):
            for name in ("Links", "", "Expected", "Came", "Off by"):
                with ui.element("th").props('scope="col"'):
                    ui.label(name)
        with ui.element("tbody"):
            for name, record in found.items():
                with ui.element("tr"):
                    with ui.element("th").props('scope="row"'):
                        ui.label(name)
                    with ui.element("td").classes("number"):
                        ui.label(f"{record.links:,}")
                    for what, value in (("expected", record.expected), ("came", record.came)):
                        with ui.element("td"):
                            relevance(value, name=f"relevance {what}")
                    error = record.calibration_error
                    with ui.element("td").classes("number"):
                        ui.label("–" if error is None else f"{error:.3f}")


def _lessons(status: ApprenticeStatus, judged: bool) -> str:
    lessons = f"{count(status.lessons, 'lesson')} so far."
    if not judged:
        return lessons
    return f"{lessons} “Off by” is the calibration error: 0 is perfect. Links chosen at random measure it best."
