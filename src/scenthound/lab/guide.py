"""A strategy of the lab as the guide of a crawl: it is shown each judged page, and what it says becomes priorities.

Examples are fetched before there is a critic to judge them. They are kept, and shown when it has learnt; from then on
each page is shown as it comes.
"""

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from scenthound.errors import LabError
from scenthound.lab.strategy import Seen, Strategy
from scenthound.store.base import Store
from scenthound.types import Distillation, Ending, Judgement, Link, Outcome, Reading, Reason


class StrategyGuide:
    """Guide a crawl by the strategy that `make` gives; the links of examples that are not in `start` are not followed."""

    def __init__(self, make: Callable[[], Strategy], *, start: AbstractSet[str]) -> None:
        self._make = make
        self._start = start
        self._pages: list[Outcome] = []
        self._begin()

    def _begin(self) -> None:
        self._strategy = self._make()
        self._said: dict[str, float] = {}
        self._shown = 0

    def score(self, outcomes: Sequence[Outcome]) -> list[Outcome]:
        return [self._scored(outcome) for outcome in outcomes]

    def hear(self, found: Distillation) -> Mapping[str, float]:
        """Make nothing of hubs: a strategy sees pages, and what it says of links is all that counts."""
        return {}

    def revise(self, store: Store, *, now: float) -> None:
        """Show all pages once more, as they are judged now, to a strategy that has forgotten everything."""
        self._begin()
        held = store.held([outcome.claim.url for outcome in self._pages])
        for outcome in self._pages:
            page = held.get(outcome.claim.url)
            if page is not None and page.relevance is not None:
                self._show(outcome, Judgement(relevance=page.relevance, topic=page.topic))
        store.move(self._said, now=now)

    def _scored(self, outcome: Outcome) -> Outcome:
        if outcome.ending is Ending.REDIRECT:
            return replace(outcome, moves=self._inherited(outcome))
        if outcome.ending is not Ending.PAGE:
            return outcome
        self._pages.append(outcome)
        if outcome.judgement is None:
            return outcome
        return replace(outcome, moves=self._show(outcome, outcome.judgement))

    def _inherited(self, outcome: Outcome) -> Mapping[str, float]:
        """Let the target of a redirect have the priority of the link that led there, if it has no greater one."""
        target = outcome.discoveries[0].link.url
        priority = max(outcome.claim.priority, self._said.get(target, outcome.claim.priority))
        self._said[target] = priority
        return {target: priority}

    def _show(self, outcome: Outcome, judgement: Judgement) -> dict[str, float]:
        """Let the strategy see a page; return what it says that it has not said before."""
        cited = _links(outcome)
        links = cited if self._is_followed(outcome) else ()
        said = self._strategy.see(self._seen(outcome, judgement, cited, links))
        # What stands here is said again even if it is as before: it may be waiting only since this page led to it.
        moves = {link.url: self._said.get(link.url, 0.0) for link in links}
        moves |= {url: _number(url, priority) for url, priority in said.items() if self._said.get(url) != priority}
        self._said |= moves
        return moves

    def _seen(self, outcome: Outcome, judgement: Judgement, cited: tuple[Link, ...], links: tuple[Link, ...]) -> Seen:
        claim = outcome.claim
        self._shown += 1
        return Seen(
            n=self._shown - 1,
            url=claim.url,
            host=claim.host,
            depth=claim.depth,
            relevance=judgement.relevance,
            topic=judgement.topic,
            example=claim.example,
            priority=claim.priority,
            links=links,
            cited=cited,
            reading=outcome.reading or Reading(),
        )

    def _is_followed(self, outcome: Outcome) -> bool:
        return not outcome.claim.example or outcome.claim.url in self._start


def _links(outcome: Outcome) -> tuple[Link, ...]:
    """Return the links that nothing but the topic of their page forbids to follow, each URL once, as it stands first."""
    found = {one.link.url: one.link for one in reversed(outcome.discoveries) if one.refusal in (None, Reason.OFF_TOPIC)}
    return tuple(reversed(found.values()))


def _number(url: str, priority: object) -> float:
    if not isinstance(priority, int | float) or priority != priority:
        raise LabError(f"the strategy gave {priority!r} as the priority of {url}; return numbers")
    return float(priority)
