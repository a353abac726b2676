"""Critics and judgements in memory."""

from collections.abc import Sequence

from msgspec.structs import replace

from scenthound.store.base import Stand
from scenthound.store.memory.rows import Page, Url, held_of, promising
from scenthound.store.memory.state import State
from scenthound.store.rules import further_topics, topics_of
from scenthound.types import CriticRecord, Ending, HeldPage, Judgement, Standing, TopicCount


class MemoryJudgements(State):
    """Verbs about critics and judged pages."""

    def critic(self) -> CriticRecord | None:
        return max(self._critics, key=lambda record: record.version, default=None)

    def critics(self) -> list[CriticRecord]:
        return sorted(self._critics, key=lambda record: record.version)

    def engage(self, record: CriticRecord) -> None:
        self._critics = [old for old in self._critics if old.version != record.version] + [record]

    def to_judge(self, *, critic: int, after: int = 0, limit: int) -> list[HeldPage]:
        return [
            held_of(url, page)
            for url, page in self._fetched(Ending.PAGE, Ending.REDIRECT)
            if page.n > after and page.critic != critic
        ][:limit]

    def rejudge(self, verdicts: Sequence[tuple[HeldPage, Judgement | None]], *, critic: int, stand: Stand) -> None:
        for held, judgement in sorted(verdicts, key=lambda pair: pair[0].n):
            url = self._urls[held.url]
            if url.page is None:
                continue
            if judgement is not None:
                url.page.relevance, url.page.further_topics = judgement.relevance, further_topics(judgement)
                self._correct(url, judgement)
            standing = stand(held, judgement, self._led_by(url, url.page))
            url.page.standing, url.page.critic = standing, critic
            url.page.topic = judgement.topic if judgement else standing.topic

    def topic_counts(self) -> dict[str, TopicCount]:
        counts: dict[str, TopicCount] = {}
        for _, page in self._fetched(Ending.PAGE):
            if page.counts and page.relevance is not None:
                old = counts.get(page.topic, TopicCount())
                counts[page.topic] = TopicCount(pages=old.pages + 1, relevance=old.relevance + page.relevance)
        return counts

    def _led_by(self, url: Url, page: Page) -> Standing | None:
        """Return the standing of the best page fetched earlier that links here; to an example only a redirect leads."""
        citing = [
            source for source in self._citing(url, redirects=url.example) if source.page and source.page.n < page.n
        ]
        best = next(iter(promising(citing)), None)
        return best.hands_on() if best else None

    def _correct(self, url: Url, judgement: Judgement) -> None:
        """Let the lesson of a page, if it has one, say what a critic says now."""
        n = self._numbers.get(url.url)
        if n:
            old = self._lessons[n - 1]
            self._lessons[n - 1] = replace(old, relevance=judgement.worth, topics=topics_of(judgement))
