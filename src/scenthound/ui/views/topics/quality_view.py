"""How well the crawl will go, before it starts: the critic tried on examples that it has not seen, in words and bars.

What the report finds wrong can be put right from it: an example moved, more like it looked for, a threshold set.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from nicegui import ui

from scenthound.crawl.diagnosis.reader_answers import answer_lines, tested_line
from scenthound.judge.quality.hits import Hits
from scenthound.judge.quality.quality import Quality
from scenthound.judge.quality.quality_text import Section, sections
from scenthound.services.crawls.settings_edit import change_settings
from scenthound.services.topics.critic_answers import Tried, try_out
from scenthound.taxonomy import OTHERS
from scenthound.ui.api_models import EditKind, TopicEdit
from scenthound.ui.views.frame import Crawl
from scenthound.ui.views.topics.check_dialog import ask_to_check
from scenthound.ui.views.widgets import asked, button

_SHOWN: Final = 8  # entries of a kind before the rest is only counted
_TOPICS: Final = 12  # with bars
_THRESHOLD: Final = "With crawl.accept ="  # how the sentence begins that proposes another one


@dataclass(frozen=True, slots=True, kw_only=True)
class Remedies:
    """The actions of the report: edit the topics, or look around one of them."""

    change: Callable[[TopicEdit], Awaitable[bool]]
    look_around: Callable[[str], Awaitable[None]]


class QualityPanel:
    """The panel: a button and its report."""

    def __init__(self, crawl: Crawl, remedies: Remedies) -> None:
        self._crawl = crawl
        self._remedies = remedies
        ui.label(
            "Try the critic before you start: some examples are held back, and it must say what they are. Examples "
            "that were never fetched are fetched now."
        ).classes("muted")
        with ui.row():
            self._ask = ui.button("Try the critic", icon="fact_check", on_click=self._try).props("unelevated no-caps")
            button("Check pages", lambda: ask_to_check(crawl), icon="rule", label="Say which crawled pages are good")
        self._place = ui.element("div").classes("quality").props('aria-live="polite"')

    async def _try(self) -> None:
        self._ask.props("loading")
        found = await asked(try_out, self._crawl.directory)
        self._ask.props(remove="loading")
        if isinstance(found, Tried):
            self._place.clear()
            with self._place:
                self._report(found)

    def _report(self, tried: Tried) -> None:
        quality = tried.quality
        parts = {section.title: section for section in sections(quality)}
        first, *rest = parts.values()
        _verdict(first)
        self._threshold(quality)
        _topic_bars(quality)
        remedies = {"Too few examples": self._thin, "Perhaps under the wrong topic": self._misplaced}
        for section in rest:
            if section.title in remedies:
                remedies[section.title](section, quality)
            elif section.title not in ("What you look for", "The other topics, worst first"):
                _entries(section)
        _answered(tried)
        said = [f"{tried.negatives[:1].upper()}{tried.negatives[1:]}."] if tried.negatives else []
        said += [f'Example {one.name} of "{one.topic}" gave no page: {one.why}.' for one in tried.dead]
        for line in said:
            ui.label(line).classes("muted").props('dir="auto"')

    def _threshold(self, quality: Quality) -> None:
        """Offer a better threshold, if the report proposes one."""
        if quality.best_accept is None or not any(
            "With crawl.accept" in entry for entry in sections(quality)[0].entries
        ):
            return
        value = f"{quality.best_accept:.2f}"

        async def use() -> None:
            if await asked(change_settings, self._crawl.directory, {"crawl.accept": value}) is not None:
                ui.notify(f"crawl.accept is {value} now.")

        button(f"Set crawl.accept to {value}", use, icon="tune", label=f"Set crawl.accept to {value}")

    def _thin(self, section: Section, quality: Quality) -> None:
        with _part(section.title):
            for thin in quality.thin[:_SHOWN]:
                with ui.element("div").classes("remedy"):
                    few = f"{thin.topic} has {thin.examples or 'no'} example{'' if thin.examples == 1 else 's'}"
                    ui.label(f"{few}; {thin.wanted} more would make it reliable.").props('dir="auto"')
                    if thin.examples:
                        button(
                            "Find more",
                            lambda topic=thin.topic: self._remedies.look_around(topic),
                            icon="explore",
                            label=f"Pages similar to {thin.topic}",
                        )
            _left(section)

    def _misplaced(self, section: Section, quality: Quality) -> None:
        with _part(section.title):
            for entry, one in list(zip(section.entries, quality.misplaced, strict=True))[:_SHOWN]:
                with ui.element("div").classes("remedy"):
                    ui.label(entry).props('dir="auto"')
                    if one.looks_like == OTHERS:
                        continue
                    move = TopicEdit(
                        edit=EditKind.MOVE_EXAMPLES, topic=one.topic, to=one.looks_like, examples=[one.name]
                    )
                    button(
                        "Move it",
                        lambda move=move: self._remedies.change(move),
                        icon="drive_file_move",
                        label=f"Move it to {one.looks_like}",
                    )
            _left(section)


def _answered(tried: Tried) -> None:
    """Show what a reader found among crawled pages, or that nobody has looked."""
    if tried.answers is None:
        if tried.to_check:
            ui.label("Nobody has checked crawled pages so far.")
        return
    lines = answer_lines(tried.answers)
    if tried.quality.relevance is not None:
        lines = (*lines, *filter(None, [tested_line(tried.quality.relevance.precision, tried.answers)]))
    _entries(Section(title="What you said about crawled pages", entries=lines))
    if tried.to_check:
        ui.label("The crawl has grown since you answered.")


def _verdict(section: Section) -> None:
    verdict, *caveats = section.entries
    ui.label(verdict).classes("verdict")
    proposed = [line for line in caveats if _THRESHOLD in line]
    for line in proposed:
        ui.label(line)
    if len(caveats) > len(proposed):
        with ui.expansion("How this was measured").classes("neighbours"):
            for line in caveats:
                if line not in proposed:
                    ui.label(line).classes("muted")


def _topic_bars(quality: Quality) -> None:
    """Show each tested topic: good ones first, then those with the worst results."""
    tried = [topic for topic in quality.topics if topic.hits is not None]
    tried.sort(key=lambda topic: (not topic.good, topic.hits.f1 if topic.hits else 0.0))
    with _part("Topic by topic"):
        with ui.element("div").classes("pair pair-head"):
            ui.label("")
            ui.label("correct, of 10 found").classes("muted")
            ui.label("found, of 10 existing").classes("muted")
        if quality.relevance is not None:
            _pair("All that you look for", quality.relevance, good=True)
        for topic in tried[:_TOPICS]:
            if topic.hits is not None:
                words = ", ".join(one.term for one in topic.telling if one.weight > 0)
                _pair(topic.path or "no topic", topic.hits, good=topic.good, told_by=words)
        if len(tried) > _TOPICS:
            ui.label(f"… and {len(tried) - _TOPICS} more.").classes("muted")


def _pair(name: str, hits: Hits, *, good: bool = False, told_by: str = "") -> None:
    """Show precision and recall as two bars of ten."""
    with ui.element("div").classes("pair good" if good else "pair"):
        label = ui.label(name).props('dir="auto"').classes("pair-name")
        if told_by:
            with label:
                ui.tooltip(f"Typical words: {told_by}")
        for what, share in (("right", hits.precision), ("found", hits.recall)):
            with ui.element("div").classes("relevance").props(f'role="img" aria-label="{10 * share:.1f} of 10 {what}"'):
                with ui.element("div").classes("relevance-bar"):
                    ui.element("div").style(f"width: {100 * share:.0f}%")
                ui.label(f"{10 * share:.1f}")


def _entries(section: Section) -> None:
    with _part(section.title):
        for entry in section.entries[:_SHOWN]:
            ui.label(entry).classes("remedy").props('dir="auto"')
        _left(section)


def _left(section: Section) -> None:
    if len(section.entries) > _SHOWN:
        ui.label(f"… and {len(section.entries) - _SHOWN} more.").classes("muted")


def _part(title: str) -> ui.element:
    part = ui.element("div").classes("quality-part")
    with part, ui.element("h3"):
        ui.label(title)
    return part
