"""What support vector machines say of a page: distances to hyperplanes, and the votes of feature spaces (BINGO §3.5).

`votes_of` is for `why`. `torn_pages` are the pages on which a meta critic abstains: an answer about these teaches most.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from typing import Final

from scenthound.crawl.critic.example_set import as_page, example_urls
from scenthound.crawl.critic.page_context import Surroundings
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.directory.trust_check import saved_critic
from scenthound.crawl.readers.stored_pages import page_of_archive
from scenthound.errors import ScenthoundError
from scenthound.judge.adaptation.adapted import AdaptedCritic
from scenthound.judge.critic import Critic, Page
from scenthound.judge.models.svm import SvmCritic
from scenthound.judge.spaces.decisions import ABSTAINED
from scenthound.judge.spaces.meta import MetaCritic
from scenthound.services.crawls.reader_store import reading
from scenthound.store.base import Store
from scenthound.types import HeldPage

KINDS: Final = ("svm", "meta")  # of critics that have hyperplanes
MOST: Final = 300  # pages that are judged again to find those on which the spaces disagree
_BATCH: Final = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Vote:
    """What one space says: the topic, how far the page lies from its hyperplane, and the ξα estimate of the space.

    `distance` is None for pages of no topic, which have no hyperplane; `topic` is None where the space has no evidence.
    """

    space: str
    topic: str | None
    distance: float | None
    precision: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Votes:
    """What all spaces say, and what comes of it; `decided` is None where they disagree."""

    votes: tuple[Vote, ...]
    decision: str
    decided: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TornPage:
    """A crawled page on which the spaces of a meta critic disagree."""

    url: str
    title: str
    relevance: float
    votes: Votes


def votes_of(directory: CrawlDirectory, store: Store, url: str) -> Votes | None:
    """Return what the critic at work says of a stored page; None for critics without hyperplanes."""
    critic, held = _critic(directory, store), store.held([url]).get(url)
    if critic is None or held is None:
        return None
    return _votes(critic, _pages(directory, store, [held]))[0]


def torn_pages(directory: CrawlDirectory, *, count: int) -> list[TornPage]:
    """Return pages on which a meta critic abstains, those nearest to the border first; none of another critic.

    Pages that are examples already are left out. Of a large crawl, only the pages nearest to the border are looked at.
    """
    with reading(directory) as store:
        critic = _critic(directory, store)
        if critic is None or not isinstance(_inner(critic), MetaCritic):
            return []
        accept, known = directory.settings().crawl.accept, set(example_urls(directory.topics()))
        near = nsmallest(MOST, _judged(store, known), key=lambda held: (abs((held.relevance or 0.0) - accept), held.n))
        found = zip(near, _votes(critic, _pages(directory, store, near)), strict=True)
        torn = [(held, votes) for held, votes in found if votes.decided is None]
    return [
        TornPage(url=held.url, title=held.title, relevance=held.relevance or 0.0, votes=votes)
        for held, votes in torn[:count]
    ]


def vote_lines(votes: Votes) -> Iterator[str]:
    """Yield the votes for `why`."""
    for vote in votes.votes:
        yield f"    {vote.space}: {_said(vote)}"
    if len(votes.votes) > 1:
        yield f"    together ({votes.decision}): {_topic(votes.decided) if votes.decided is not None else 'undecided'}"


def _said(vote: Vote) -> str:
    if vote.topic is None:
        return "no evidence"
    far = f", {vote.distance:+.2f} from the hyperplane" if vote.distance is not None else ""
    return f"{_topic(vote.topic)}{far} (precision by ξα {vote.precision:.2f})"


def _topic(path: str) -> str:
    return path or "no topic"


def _critic(directory: CrawlDirectory, store: Store) -> Critic | None:
    record = store.critic()
    if record is None or record.kind not in KINDS:
        return None
    try:
        return saved_critic(directory.path, record.model)
    except (ScenthoundError, OSError):  # it is being written, or of another version
        return None


def _inner(critic: Critic) -> Critic:
    return critic.inner if isinstance(critic, AdaptedCritic) else critic


def _judged(store: Store, known: set[str]) -> Iterator[HeldPage]:
    after = 0
    while held := store.to_judge(critic=-1, after=after, limit=_BATCH):
        after = held[-1].n
        yield from (page for page in held if page.relevance is not None and not page.redirect and page.url not in known)


def _pages(directory: CrawlDirectory, store: Store, held: Sequence[HeldPage]) -> list[Page]:
    """Return stored pages with text and context."""
    pages = [page_of_archive(directory.archive_place, one) or as_page(one) for one in held]
    return Surroundings(store, directory.archive_place).around(pages)


def _votes(critic: Critic, pages: Sequence[Page]) -> list[Votes]:
    inner = _inner(critic)
    seen = critic.templates.clean(pages) if isinstance(critic, AdaptedCritic) else list(pages)
    if isinstance(inner, MetaCritic):
        return _meta_votes(inner, seen)
    if isinstance(inner, SvmCritic):
        return [_alone(inner, page) for page in seen]
    return []


def _alone(critic: SvmCritic, page: Page) -> Votes:
    path = critic.classes[int(critic.routes([page])[0])]
    vote = _vote("terms", critic, path, page)
    return Votes(votes=(vote,), decision=critic.route, decided=path)


def _meta_votes(critic: MetaCritic, pages: Sequence[Page]) -> list[Votes]:
    heard = critic.hear(pages)
    decided = critic.decided(heard).tolist()
    found = []
    for number, page in enumerate(pages):
        votes = []
        for space, place in zip(heard.spaces, heard.votes[:, number].tolist(), strict=True):
            if place == ABSTAINED:
                votes.append(Vote(space=space, topic=None, distance=None, precision=critic.weights[space]))
            else:
                shown = critic.view(space, page)
                votes.append(_vote(space, critic.critics[space], critic.classes[place], shown))
        together = critic.classes[decided[number]] if decided[number] != ABSTAINED else None
        found.append(Votes(votes=tuple(votes), decision=str(critic.decision), decided=together))
    return found


def _vote(space: str, critic: SvmCritic, path: str, page: Page) -> Vote:
    has_plane = path in critic.hyperplanes
    distance = float(critic.distances([page])[0, critic.hyperplanes.index(path)]) if has_plane else None
    return Vote(space=space, topic=path, distance=distance, precision=critic.precision)
