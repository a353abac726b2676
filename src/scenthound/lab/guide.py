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
from scenthound.types import Discovery, Ending, Judgement, Link, Outcome, Reading, Reason


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
        links = self._links(outcome)
        said = self._strategy.see(self._seen(outcome, judgement, links))
        moves = {url: _number(url, priority) for url, priority in said.items() if self._said.get(url) != priority}
        for link in links:
            if link.url not in moves and link.url not in self._said:
                moves[link.url] = 0.0
        self._said |= moves
        return moves

    def _seen(self, outcome: Outcome, judgement: Judgement, links: tuple[Link, ...]) -> Seen:
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
            reading=outcome.reading or Reading(),
        )

    def _links(self, outcome: Outcome) -> tuple[Link, ...]:
        if outcome.claim.example and outcome.claim.url not in self._start:
            return ()
        early = outcome.judgement is None  # no link is followed before there is a critic, but afterwards
        found = {one.link.url: one.link for one in reversed(outcome.discoveries) if _may_be_followed(one, early=early)}
        return tuple(reversed(found.values()))


def _may_be_followed(found: Discovery, *, early: bool) -> bool:
    return found.refusal is None or (early and found.refusal is Reason.OFF_TOPIC)


def _number(url: str, priority: object) -> float:
    if not isinstance(priority, int | float) or priority != priority:
        raise LabError(f"the strategy gave {priority!r} as the priority of {url}; return numbers")
    return float(priority)
