"""The focus rules of the papers: from a page's relevance to a promise for its links, as one small decision.

Soft and hard focus are those of FOCUS §3.1 and RELATIONAL §2.1.2, tunnelling and sharp focus those of BINGO §3.3. A
rule sees the judgement of a page and the standing of the page that led to it, and returns what the page hands on.
"""

from dataclasses import dataclass

from scenthound.settings.schema import CrawlSettings
from scenthound.taxonomy import Topics
from scenthound.types import Judgement, Standing

EVERYTHING = Standing(promise=1.0)  # without focus, all links are alike
NOTHING = Standing()


@dataclass(frozen=True, slots=True, kw_only=True)
class Focus:
    """The rule of one crawl, for the topics that are good now.

    >>> topics = Topics(topics=())
    >>> focus = Focus(settings=CrawlSettings(focus="soft", tunnel=1), topics=topics)
    >>> seed = focus.stand(Judgement(relevance=0.9), None)
    >>> detour = focus.stand(Judgement(relevance=0.1), seed)
    >>> seed.promise, detour.promise, focus.stand(Judgement(relevance=0.1), detour).promise
    (0.9, 0.45, 0.1)
    """

    settings: CrawlSettings
    topics: Topics

    def stand(self, judgement: Judgement, via: Standing | None) -> Standing:
        """Return what a page hands on; `via` is None for a seed, which is on topic because the user says so."""
        if self.settings.focus == "none":
            return Standing(promise=1.0, topic=judgement.topic)
        if via is None or self.on_topic(judgement, via):
            return Standing(promise=judgement.worth, topic=judgement.topic)
        tunnel = via.tunnel + 1
        hope = self.settings.tunnel_decay * via.promise if via.promise and tunnel <= self.settings.tunnel else None
        if self.settings.focus == "soft":
            return Standing(promise=max(judgement.worth, hope or 0.0), tunnel=tunnel, topic=judgement.topic)
        return Standing(promise=hope, tunnel=tunnel, topic=judgement.topic)

    def on_topic(self, judgement: Judgement, via: Standing) -> bool:
        """Tell whether a page is one of those that are looked for, or of a lead."""
        if self.settings.sharp and not via.tunnel and via.topic != judgement.topic:
            return False  # behind a tunnel there is no topic to be kept to
        if self.settings.focus == "hard":
            return self.topics.is_followed(judgement.topic)
        return judgement.worth >= self.settings.accept
