"""The relevance that an apprentice expects of a URL, or expected before the fetch, and the reasons for it.

The log of lessons keeps past expectations. Present ones follow from the log: an apprentice replays it from the last
checkpoint, beside a crawl that may be running.
"""

import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from scenthound.apprentice.bayes.bayes_model import BayesModel
from scenthound.apprentice.checkpoint import Checkpoints
from scenthound.apprentice.crawl_guide import DRAWN
from scenthound.apprentice.log import history, teaches, together
from scenthound.apprentice.memory.ground import Ground
from scenthound.apprentice.model import Model, Part
from scenthound.apprentice.scent import ScentModel
from scenthound.apprentice.scent_words import OWN_WORDS, explain_reasons
from scenthound.apprentice.scents import alive, requests_of, returns
from scenthound.crawl.critic.example_set import Gathered, gather
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.order.guides import brand_of, make_of, settings_of
from scenthound.crawl.order.note import order_of
from scenthound.store.base import Store
from scenthound.types import Distillation, Lesson

PATIENCE: Final = 10.0  # seconds for replaying lessons
QUOTED: Final = 3  # different words of links that are quoted
WORTH_SAYING: Final = 0.95  # what leaves more than this of the worth is not worth a word

TINY: Final = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Factor:
    """A reason why a URL comes later or sooner than its expected relevance says: its worth is multiplied by `worth`."""

    said: str
    worth: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectation:
    """The relevance expected of a URL, the parts that it is made of, and the relevance that came.

    `expected` is None if the apprentice knows no link to the URL. `drawn` says that the URL was fetched by chance.
    `lessons` is how many lessons of the log were replayed. `alive` is the chance that there is a page at all, which
    `expected` includes; None if it is unknown or next to 1. `factors` are the other things that its place in the
    frontier depends on.
    """

    expected: float | None = None
    came: float | None = None
    drawn: bool = False
    parts: tuple[Part, ...] = ()
    alive: float | None = None
    factors: tuple[Factor, ...] = ()
    lessons: int = 0
    log: int = 0


def expected_then(
    directory: CrawlDirectory, store: Store, lesson: Lesson, *, texts: Sequence[str]
) -> Expectation | None:
    """Return what was expected of a fetched page, if anything was; `texts` are the words of the links to it."""
    if lesson.score is None:
        return None
    mark, reasons = lesson.reasons[:1], lesson.reasons[1:]
    return Expectation(
        expected=lesson.score,
        came=lesson.relevance,
        drawn=mark == DRAWN,
        parts=_quoted(_in_words(directory, store, reasons), texts),
        lessons=lesson.n,
        log=lesson.n,
    )


def _in_words(directory: CrawlDirectory, store: Store, reasons: bytes) -> Sequence[Part]:
    """Put reasons into words, of whichever kind of apprentice; those that an older version has kept are none."""
    for explain in (explain_reasons, lambda kept: BayesModel().explain(kept, terms_at_hand(directory, store))):
        with suppress(ValueError):  # numbers of another kind
            if parts := explain(reasons):
                return parts
    return ()


def _quoted(parts: Sequence[Part], texts: Sequence[str]) -> tuple[Part, ...]:
    """Return parts in which the words of the link, where it is said that they speak, are quoted."""
    if not texts:
        return tuple(parts)
    quoted = ", ".join(f'"{text}"' for text in texts[:QUOTED])
    said = f"{OWN_WORDS}{'s' if len(texts) > 1 else ''} {quoted}{', …' if len(texts) > QUOTED else ''}"
    return tuple(replace(part, said=said) if part.said == OWN_WORDS else part for part in parts)


def expected_now(
    directory: CrawlDirectory, store: Store, url: str, *, texts: Sequence[str], patience: float = PATIENCE
) -> Expectation:
    """Return the relevance that the apprentice expects of a waiting URL.

    It takes as many lessons as it can within `patience` seconds.
    """
    model, lessons = replayed(directory, store, patience=patience)
    taken = Expectation(lessons=lessons, log=store.last_lesson())
    number = model.ground.known(url)
    if number is None:
        return taken
    one = np.array([number])
    found = replace(
        taken,
        expected=float(model.scores(one)[0]),
        parts=_quoted(model.explain(model.reasons(number), terms_at_hand(directory, store)), texts),
    )
    if not isinstance(model, ScentModel):
        return found
    chance = float(alive(model.ground, one)[0])
    share = settings_of((order_of(store) or "").partition(" ")[2]).domain_share
    return replace(
        found, alive=chance if chance < WORTH_SAYING else None, factors=tuple(_factors(model, number, share=share))
    )


def _factors(model: ScentModel, url: int, *, share: float) -> Iterator[Factor]:
    """Yield the reasons why a URL is worth less or more: its domain's share, the user's marks, near-duplicates,
    and hubs."""
    ground, one = model.ground, np.array([url])
    host = ground.urls.host.values[url]
    said = 1.0 + max(float(ground.hosts.disowned.values[host]), 0.0)
    left = float(returns(ground, one, share=share)[0]) * said
    if left < WORTH_SAYING:
        domain = np.array([ground.hosts.domain.values[host]])
        had, asked = float(ground.domains.asked.values[domain][0]), ground.totals.values[0]
        robots = float(requests_of(ground, domain)[0]) - had
        more = f", and the robots.txt of {robots:,.0f} more hosts" if robots else ""
        yield Factor(said=f"its domain has had {had:,.0f} of {asked:,.0f} fetches{more}", worth=left)
    if said > 1.0:
        yield Factor(said="you have said of pages of its domain that they are not good", worth=1.0 / said)
    new = float(model.novelty(one)[0])
    if new < WORTH_SAYING:
        yield Factor(said=_repeats(ground, url), worth=new)
    lifted = float(model.urgency(one)[0]) / max(float(model.scores(one)[0]) * left * new / said, TINY)
    if lifted > 1.0 / WORTH_SAYING:  # the setting apprentice.lift
        yield Factor(said="a hub cites it", worth=lifted)


def _repeats(ground: Ground, url: int) -> str:
    """Say how many pages of a URL's folder, or of its host if the folder is not known, repeated others."""
    for name, table, row in (
        ("folder", ground.folders, ground.urls.folder.values[url]),
        ("host", ground.hosts, ground.urls.host.values[url]),
    ):
        if compared := table.compared.values[row]:
            return f"of {compared:,.0f} pages of its {name}, {table.repeated.values[row]:,.0f} nearly repeated others"
    return "pages of its host nearly repeated others"


def replayed(directory: CrawlDirectory, store: Store, *, patience: float) -> tuple[Model, int]:
    """Return the apprentice at work, and the number of lessons that it could take within `patience` seconds."""
    settings = settings_of((order_of(store) or "").partition(" ")[2])
    model = make_of(settings, crawl=directory.path)()
    model.ground.disown(_gathered(directory, store).disowned())
    critic, end = store.critic(), time.monotonic() + patience
    version, most = critic.version if critic is not None else 0, store.last_lesson()
    done = Checkpoints(directory.models).restore(model, kind=brand_of(settings), critic=version, most=most)
    for some in together(history(store, after=done, heard=model.ground.heard)):
        if isinstance(some, Distillation):
            model.praise(some)
            continue
        if time.monotonic() >= end:
            break
        model.learn_all([lesson for lesson in some if teaches(lesson)])
        done = some[-1].n
    return model, done


def terms_at_hand(directory: CrawlDirectory, store: Store) -> Iterator[str]:
    """Yield the words of the examples. The paper's apprentice keeps only numbers of words, and can name these."""
    for example in _gathered(directory, store).examples:
        yield from example.page.terms.terms


def _gathered(directory: CrawlDirectory, store: Store) -> Gathered:
    return gather(store, directory.topics(), folder=directory.path, critic=directory.settings().critic)
