"""The demo web as the origin of a world: its planned pages, and everything one link beyond them.

That step includes redirects (followed to their end), frames, doorways, views of a page under other addresses, and dead
links. It cuts off endless parts: a world has the calendar month that a page links to, and none after it.
"""

from collections.abc import Iterable, Sequence

from scenthound.demo.served_answer import Behaviour
from scenthound.demo.web import DemoWeb
from scenthound.fetch.held import Response, fetched, unanswered
from scenthound.lab.world.labels import Label
from scenthound.parse.urls import canonical, host_of, origin_of
from scenthound.settings.schema import FetchSettings
from scenthound.types import Fetch, Reason

_NO_TOPIC = "Other/"


class Generated:
    """The demo web of a seed. Servers that do not answer are failures, as they are for a crawl."""

    def __init__(self, seed: int, settings: FetchSettings) -> None:
        self._web = DemoWeb(seed)
        self._settings = settings

    def addresses(self) -> Sequence[str]:
        """Return the planned pages, and the robots.txt of every host."""
        return (*self._web.pages, *(f"http://{host}/robots.txt" for host in self._web.hosts))

    def beyond(self, linked: Iterable[str]) -> Sequence[str]:
        """Return the links of planned pages to hosts of this web, and the targets of redirects from there."""
        known = dict.fromkeys(self.addresses())
        before = len(known)
        for url in linked:
            target: str | None = url
            while target is not None and target not in known and host_of(target) in self._web.hosts:
                known[target] = None
                location = self.fetch(target).location
                target = canonical(location, target) if location else None
        return list(known)[before:]

    def fetch(self, url: str) -> Fetch:
        answer = self._web.answer(host_of(url), url.removeprefix(origin_of(url)))
        if answer.behaviour is Behaviour.SILENT:
            return unanswered(url, Reason.FIRST_BYTE_TIMEOUT, "connected, but no answer in time")
        if answer.behaviour is Behaviour.RESET:
            return unanswered(url, Reason.RESET, "connection closed without an answer")
        cut = Reason.CUT_SHORT if answer.behaviour is Behaviour.CUT else None
        response = Response(status=answer.status, headers=answer.headers, body=answer.body, cut=cut)
        return fetched(url, response, self._settings)

    def labels(self) -> Sequence[Label]:
        """Return the topics of planned pages.

        Pages without a topic have no label, because nobody would look for them. Other views of a page have none either,
        so that a page counts once.
        """
        truth = self._web.truth.items()
        return [Label(url=url, topic=topic) for url, topic in truth if not topic.startswith(_NO_TOPIC)]
