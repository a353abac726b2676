"""While a crawl learns, its feature spaces must agree on a page; while it harvests, their weight decides (BINGO §3.5)."""

from scenthound.crawl.learning.crawl_phase import CrawlPhase, Progress
from scenthound.crawl.learning.learnt_note import Learnt
from scenthound.settings.schema import CrawlSettings, CriticSettings


def phase_of(phases: str, *, examples: int) -> CrawlPhase:
    """Return the phase of a new crawl with this many examples."""
    noted = [Learnt()]
    found = CrawlPhase(
        CrawlSettings(phases="auto" if phases == "auto" else "off"), learnt=lambda: noted[-1], note=noted.append
    )
    found.begin(Progress(pages=0, fewest=examples))
    return found


def test_spaces_agree_while_the_crawl_learns_and_weigh_their_votes_afterwards() -> None:
    phase, shipped = phase_of("auto", examples=2), CriticSettings(kind="meta")
    assert phase.critic(shipped).decision == "unanimous"
    phase.end("you asked for it", pages=40)
    assert phase.critic(shipped).decision == "weighted"


def test_a_crawl_without_phases_weighs_votes_from_the_beginning() -> None:
    assert phase_of("off", examples=2).critic(CriticSettings(kind="meta")).decision == "weighted"
    assert phase_of("auto", examples=9).critic(CriticSettings(kind="meta")).decision == "weighted"


def test_what_the_user_has_set_holds_in_both_phases() -> None:
    phase, own = phase_of("auto", examples=2), CriticSettings(kind="meta", decision="majority")
    assert phase.critic(own) is own
    phase.end("you asked for it", pages=40)
    assert phase.critic(own) is own
