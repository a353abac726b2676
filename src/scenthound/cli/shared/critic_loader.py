"""The critic of a crawl, for commands that judge pages: the stored one, or one that learns now.

A new critic needs its examples. They are fetched as in a crawl, so the user sees progress.
"""

from dataclasses import dataclass, replace
from pathlib import Path

from scenthound.cli.work.crawl_run import run_with_view
from scenthound.crawl.critic.example_set import Gathered, Teaching, crawled_pages, gather, stage_of, teaching
from scenthound.crawl.critic.page_context import Surroundings
from scenthound.crawl.critic.stages import noted_stage
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.directory.trust_check import require_trust, saved_critic
from scenthound.crawl.engine.assemble import open_store
from scenthound.errors import DirectoryError, SettingError
from scenthound.events import StopCause
from scenthound.judge.critic import Critic, want_context
from scenthound.judge.critic_kinds import learner_of
from scenthound.settings.schema import Settings
from scenthound.taxonomy import Topics


@dataclass(frozen=True, slots=True, kw_only=True)
class AtHand:
    """A crawl with its critic."""

    directory: CrawlDirectory
    settings: Settings
    topics: Topics
    critic: Critic


def critic_at_hand(path: Path) -> AtHand:
    """Return the critic of a crawl. It learns now if the topics have changed, or if there is none yet."""
    directory = CrawlDirectory.open(path)
    settings = directory.settings()
    if settings.critic.kind == "none":
        raise SettingError('critic.kind is "none", so no page is judged; set it to "logistic" in crawl.toml')
    require_trust(directory, settings)
    if not directory.is_running():
        summary = run_with_view(directory, settings, examples_only=True)
        if summary.cause is not StopCause.LEARNT:
            raise DirectoryError(f"not all examples are fetched yet ({summary.cause}); try again")
    with open_store(directory, read_only=True) as store:
        record = store.critic()
    if record is None:
        raise DirectoryError(f"the crawl that runs in {path} has not learnt yet; try again in a moment")
    return AtHand(
        directory=directory,
        settings=settings,
        topics=directory.topics(),
        critic=saved_critic(path, record.model),
    )


def examples_at_hand(hand: AtHand) -> Gathered:
    """Return the examples for the critic, as stored now."""
    with open_store(hand.directory, read_only=True) as store:
        return gather(store, hand.topics, folder=hand.directory.path, critic=hand.settings.critic)


def teaching_at_hand(hand: AtHand, gathered: Gathered) -> Teaching:
    """Return everything that the critic would learn from now."""
    with open_store(hand.directory, read_only=True) as store:
        stage = noted_stage(store) or stage_of(crawled_pages(store, hand.topics), by_words=gathered.by_words)
        taught = teaching(store, gathered, seed=hand.settings.crawl.seed, stage=stage)
        if hand.critic.wants_text:  # the background is bags of terms: a function that reads texts would see nothing
            lessons = replace(taught.lessons, others=())
            return Teaching(lessons=lessons, said="a function of your own is tried on your examples alone")
        if not want_context(learner_of(hand.settings.critic)):
            return taught
        return replace(taught, lessons=Surroundings(store, hand.directory.archive_place).lessons(taught.lessons))
