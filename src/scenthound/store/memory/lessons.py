"""The log of lessons in memory."""

from collections.abc import Sequence

from scenthound.store.memory.rows import Page, Url
from scenthound.store.memory.state import State
from scenthound.store.rules import TEACHING, UrlState, gives_lesson
from scenthound.types import ArchiveSpot, Ending, Lesson, LessonLink, Reason


class MemoryLessons(State):
    """Verbs about lessons."""

    def lessons(self, *, after: int = 0, limit: int) -> list[Lesson]:
        return self._lessons[after : after + limit]

    def last_lesson(self) -> int:
        return len(self._lessons)

    def lesson(self, url: str) -> Lesson | None:
        n = self._numbers.get(url)
        return self._lessons[n - 1] if n else None

    def untaught(self, *, limit: int, nofollow: bool = True) -> list[tuple[Lesson, ArchiveSpot | None]]:
        found = [
            (url, page)
            for url, page in self._fetched(*TEACHING)
            if url.url not in self._numbers and gives_lesson(page.ending, url.reason, counts=page.counts)
        ]
        return [(self._lesson_of(url, page, nofollow=nofollow), page.spot) for url, page in found[:limit]]

    def teach(self, lessons: Sequence[Lesson]) -> None:
        for lesson in lessons:
            url = self._urls.get(lesson.url)
            if url and url.page and gives_lesson(url.page.ending, url.reason, counts=url.page.counts):
                self._learn(url, lesson)

    def _lesson_of(self, url: Url, page: Page, *, nofollow: bool) -> Lesson:
        judged = page.relevance is not None  # otherwise its topic is that of the page that led to it
        if page.ending is Ending.FAILED:
            return Lesson(url=url.url, relevance=0.0, failed=True)
        return Lesson(
            url=url.url,
            relevance=page.relevance,
            topics=(page.topic,) if judged and page.topic else (),
            redirect=page.ending is Ending.REDIRECT,
            followed=not url.example or (page.standing is not None and page.standing.promise is not None),
            links=self._lesson_links(url, nofollow=nofollow),
            fingerprint=page.fingerprint,
        )

    def _lesson_links(self, url: Url, *, nofollow: bool) -> tuple[LessonLink, ...]:
        links: dict[str, LessonLink] = {}
        for target, link in self._links_of(url):
            refused = target.state is UrlState.REFUSED and target.reason is not Reason.OFF_TOPIC
            if target.url not in links and not refused and not (nofollow and link.nofollow):
                links[target.url] = LessonLink(target.url, link.first_leaf, link.last_leaf)
        return tuple(links.values())
