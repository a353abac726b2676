"""Pages near a topic's examples that are similar, each with a button to add it (FOCUS §2.1)."""

from collections.abc import Awaitable, Callable

from nicegui import ui

from scenthound.services.topics.critic_answers import Proposal, look_around
from scenthound.ui.api_models import EditKind, TopicEdit
from scenthound.ui.views.frame import Crawl
from scenthound.ui.views.topics.drag import carry_link
from scenthound.ui.views.widgets import asked, button, empty, in_browser, outside, relevance

Change = Callable[[TopicEdit], Awaitable[bool]]


class Around:
    """The panel. `ask` looks around a topic."""

    def __init__(self, crawl: Crawl, change: Change) -> None:
        self._crawl = crawl
        self._change = change
        ui.label(
            "Pages near a topic's examples, by links, that are like them. Some are fetched for this. Take those that "
            "belong to it, or drag them to another topic."
        ).classes("muted")
        with ui.row().classes("around-tools"):
            self._topic = ui.select([], label="Topic", with_input=True).props("dense outlined options-dense")
            self._look = ui.button("Look around", icon="explore", on_click=self._again).props("unelevated no-caps")
        self._place = ui.element("div").classes("proposals").props('role="list" aria-live="polite"')

    def offer(self, topics: list[str], good: list[str]) -> None:
        """Let the reader choose among topics with examples."""
        self._topic.set_options(topics, value=self._topic.value or next(iter([*good, *topics]), None))
        self._look.set_enabled(bool(topics))

    async def ask(self, topic: str) -> None:
        """Look around a topic, and scroll to the results."""
        self._topic.value = topic
        in_browser(self._place.client, "show", id=self._place.id)
        await self._again()

    async def _again(self) -> None:
        topic = self._topic.value
        if not topic:
            return
        self._look.props("loading")
        found = await asked(look_around, self._crawl.directory, topic)
        self._look.props(remove="loading")
        self._place.clear()
        with self._place:
            if found == ():
                empty("explore_off", "No similar page nearby", "Crawl a little, then try again.")
            elif isinstance(found, tuple):
                for one in found:
                    self._proposal(topic, one)

    def _proposal(self, topic: str, one: Proposal) -> None:
        with ui.element("div").classes("proposal").props('role="listitem"') as shown:
            with ui.element("div").classes("hit-main"):
                ui.label(one.title or one.url).classes("proposal-title").props('dir="auto"')
                outside(one.url)
                ui.label(f"shares {', '.join(one.shared)}").classes("muted").props('dir="auto"')
            with ui.element("div").classes("hit-side"):
                relevance(one.likeness, name="likeness")
                add = TopicEdit(edit=EditKind.ADD_EXAMPLES, topic=topic, examples=[one.url])

                async def accept() -> None:
                    if await self._change(add):
                        taken.props("icon=check").disable()
                        taken.text = "Taken"

                taken = button("Add", accept, icon="add", label=f"Add as an example of {topic}")
        carry_link(shown, one.url)
