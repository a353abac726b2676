"""The in-memory store's part for critics: pages as they are judged, and what new judgements do to the frontier."""

from collections.abc import Iterable, Sequence

from scenthound.store.base import Stand
from scenthound.store.memory_lessons import MemoryLessons
from scenthound.store.memory_values import Page, Url, chain_end
from scenthound.store.rules import GIVEN, Hope, UrlState, evenly, grained
from scenthound.types import (
    CriticRecord,
    Ending,
    HeldPage,
    Judgement,
    Link,
    LinkKind,
    Reason,
    Standing,
    TopicCount,
)


class MemoryJudging(MemoryLessons):
    """Verbs about judged pages."""

    def __init__(self) -> None:
        super().__init__()
        self._critics: list[CriticRecord] = []

    def critic(self) -> CriticRecord | None:
        return max(self._critics, key=lambda record: record.version, default=None)

    def critics(self) -> list[CriticRecord]:
        return sorted(self._critics, key=lambda record: record.version)

    def engage(self, record: CriticRecord) -> None:
        self._critics = [old for old in self._critics if old.version != record.version] + [record]

    def held(self, urls: Sequence[str]) -> dict[str, HeldPage]:
        ends = {url: chain_end(self._urls[url]) for url in urls if url in self._urls}
        return {url: _held(end, end.page) for url, end in ends.items() if end.page and end.page.ending is Ending.PAGE}

    def neighbours(self, urls: Sequence[str], *, limit: int) -> list[HeldPage]:
        centre = set(self._ends(urls))
        linked = {target for end in centre for target in self._links_of(end).targets}
        found = [
            (url, page)
            for url, page in self._fetched(Ending.PAGE)
            if not url.example
            and url not in centre
            and (url in linked or not centre.isdisjoint(self._links_of(url).targets))
        ]
        return [_held(url, page) for url, page in found[:limit]]

    def cited(self, urls: Sequence[str], *, limit: int) -> list[str]:
        targets = [target for end in self._ends(urls) for target in self._links_of(end).targets]
        unasked = [url.url for url in targets if url.state in (UrlState.WAITING, UrlState.REFUSED) and not url.page]
        return list(dict.fromkeys(unasked))[:limit]

    def _ends(self, urls: Sequence[str]) -> list[Url]:
        return list(dict.fromkeys(chain_end(self._urls[url]) for url in urls if url in self._urls))

    def drawn(self, *, limit: int, first: int) -> list[HeldPage]:
        return evenly([_held(url, page) for url, page in self._distinct()[:first]], limit)

    def distinct_pages(self) -> int:
        return len(self._distinct())

    def _distinct(self) -> list[tuple[Url, Page]]:
        fetched = self._fetched(Ending.PAGE)
        return [
            (url, page) for url, page in fetched if page.terms and not (page.duplicate_of or page.near_duplicate_of)
        ]

    def to_judge(self, *, critic: int, after: int = 0, limit: int) -> list[HeldPage]:
        return [
            _held(url, page)
            for url, page in self._fetched(Ending.PAGE, Ending.REDIRECT)
            if page.n > after and page.critic != critic
        ][:limit]

    def rejudge(self, verdicts: Sequence[tuple[HeldPage, Judgement | None]], *, critic: int, stand: Stand) -> None:
        for held, judgement in sorted(verdicts, key=lambda pair: pair[0].n):
            url = self._urls[held.url]
            if url.page is None:
                continue
            if judgement is not None:
                url.page.relevance = judgement.relevance
                self._correct(url, judgement)
            standing = stand(held, judgement, self._led_by(url, url.page))
            url.page.standing, url.page.critic = standing, critic
            url.page.topic = judgement.topic if judgement else standing.topic

    def rescore(self, *, by_promise: bool, blend: bool, nofollow: bool, now: float) -> int:
        moved = 0
        for url in self._urls.values():
            off_topic = url.state is UrlState.REFUSED and url.reason is Reason.OFF_TOPIC
            if url.example or url.found_by in GIVEN or url.fetched_before:
                continue
            if not (off_topic or url.state is UrlState.WAITING):
                continue
            citing = promising(self._citing(url, nofollow=nofollow))
            moved += _move(url, citing, by_promise=by_promise, blend=blend)
        return moved

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

    def _citing(self, url: Url, *, nofollow: bool = False, redirects: bool = False) -> list[Url]:
        sources = [
            source
            for source, link in self._citations(url)
            if not (nofollow and link.nofollow) and not (redirects and link.kind is not LinkKind.REDIRECT)
        ]
        return list(dict.fromkeys(sources))

    def _citations(self, url: Url) -> list[tuple[Url, Link]]:
        """Return the links that lead to a URL, each with the URL of the page on which it stands."""
        return [
            (source, link) for source in self._urls.values() for target, link in self._links_of(source) if target is url
        ]


def promising(citing: Iterable[Url]) -> list[Page]:
    """Return the pages that promise something, the best first, and among equals the one fetched first."""
    ranks = [
        (-url.page.standing.promise, url.page.n, url.page)
        for url in citing
        if url.page and url.page.standing and url.page.standing.promise is not None
    ]
    return [page for _, _, page in sorted(ranks, key=lambda rank: rank[:2])]


def _move(url: Url, citing: Sequence[Page], *, by_promise: bool, blend: bool) -> bool:
    before = (url.state, url.hope, url.via)
    if not citing:
        url.state, url.reason, url.detail = UrlState.REFUSED, Reason.OFF_TOPIC, ""
    else:
        url.state, url.reason, url.detail, url.via = UrlState.WAITING, None, "", citing[0].url
        if by_promise:
            url.hope = hope_of_citing(citing, blend=blend)
    return before != (url.state, url.hope, url.via)


def hope_of_citing(citing: Sequence[Page], *, blend: bool) -> Hope:
    promises = [page.standing.promise or 0.0 for page in citing if page.standing]
    if not blend:
        return Hope(promises[0])
    relevances = (
        promise if page.relevance is None else page.relevance for page, promise in zip(citing, promises, strict=True)
    )
    return Hope(promises[0], sum(map(grained, relevances)), len(citing))


def _held(url: Url, page: Page) -> HeldPage:
    return HeldPage(
        n=page.n,
        url=url.url,
        title=page.title,
        language=page.language,
        digest=page.digest,
        terms=page.terms,
        redirect=page.ending is Ending.REDIRECT,
        example=url.example,
        relevance=page.relevance,
        topic=page.topic,
        spot=page.spot,
    )
