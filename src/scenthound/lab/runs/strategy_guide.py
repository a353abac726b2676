"""A strategy of the lab as the guide of a crawl: it sees each judged page and returns priorities.

The crawl fetches examples before there is a critic to judge them. The guide keeps them and shows them once the critic
has learnt; from then on it shows each page as it arrives.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

from scenthound.errors import LabError
from scenthound.lab.strategies.strategy import Seen, Strategy
from scenthound.store.base import Store
from scenthound.types import Distillation, Ending, Guidance, Judgement, Link, Outcome, Reading, Reason


class StrategyGuide:
    """Guide a crawl by the strategy of `make`; the links of examples outside `start` are not followed."""

    def __init__(self, make: Callable[[], Strategy], *, start: AbstractSet[str]) -> None:
        self._make = make
        self._start = start
        self._pages: list[Outcome] = []
        self._begin()

    def _begin(self) -> None:
        self._strategy = self._make()
        self._said: dict[str, float] = {}
        self._shown = 0

    def advise(self, outcomes: Sequence[Outcome]) -> list[Guidance]:
        return [Guidance(moves=self._moves(outcome)) for outcome in outcomes]

    def hear(self, found: Distillation) -> Mapping[str, float]:
        """Ignore hubs: only what a strategy says about links counts."""
        return {}

    def revise(self, store: Store) -> Iterator[Mapping[str, float]]:
        """Show all pages once more, as they are judged now, to a strategy that has forgotten everything."""
        self._begin()
        held = store.held([outcome.claim.url for outcome in self._pages])
        for outcome in self._pages:
            page = held.get(outcome.claim.url)
            if page is not None and page.relevance is not None:
                self._show(outcome, Judgement(relevance=page.relevance, topic=page.topic))
        yield self._said

    def _moves(self, outcome: Outcome) -> Mapping[str, float]:
        """Return the priorities that follow from an outcome."""
        if outcome.ending is Ending.REDIRECT:
            return self._inherited(outcome)
        if outcome.ending is not Ending.PAGE:
            return {}
        self._pages.append(outcome)
        return {} if outcome.judgement is None else self._show(outcome, outcome.judgement)

    def _inherited(self, outcome: Outcome) -> Mapping[str, float]:
        """Give the target of a redirect the priority of the link that led there, unless it has a greater one."""
        target = outcome.discoveries[0].link.url
        priority = max(outcome.claim.priority, self._said.get(target, outcome.claim.priority))
        self._said[target] = priority
        return {target: priority}

    def _show(self, outcome: Outcome, judgement: Judgement) -> dict[str, float]:
        """Show a page to the strategy; return its new priorities."""
        cited = _links(outcome)
        links = cited if self._is_followed(outcome) else ()
        said = self._strategy.see(self._seen(outcome, judgement, cited, links))
        # Links on this page are returned even if unchanged: they may be waiting only since this page.
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
    """Return the links that only the topic of their page may forbid, each URL once, at its first place."""
    found = {one.link.url: one.link for one in reversed(outcome.discoveries) if one.refusal in (None, Reason.OFF_TOPIC)}
    return tuple(reversed(found.values()))


def _number(url: str, priority: object) -> float:
    if not isinstance(priority, int | float) or priority != priority:
        raise LabError(f"the strategy gave {priority!r} as the priority of {url}; return numbers")
    return float(priority)
