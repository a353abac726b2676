"""The ξα estimates of a critic's support vector machines (Joachims 2000): its quality, foretold from training alone."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scenthound.judge.critic import Critic


@dataclass(frozen=True, slots=True, kw_only=True)
class SpaceEstimate:
    """What ξα foretells of one topic in one feature space."""

    space: str
    topic: str
    examples: int
    precision: float
    recall: float
    error: float


def estimates_of(critic: Critic) -> tuple[SpaceEstimate, ...]:
    """Return the estimates of every hyperplane; none of critics that have no support vector machines."""
    from scenthound.judge.models.svm import SvmCritic
    from scenthound.judge.spaces.meta import MetaCritic

    inner = getattr(critic, "inner", critic)
    spaces = (
        inner.critics if isinstance(inner, MetaCritic) else {"terms": inner} if isinstance(inner, SvmCritic) else {}
    )
    return tuple(
        SpaceEstimate(
            space=space,
            topic=topic,
            examples=found.examples,
            precision=found.precision,
            recall=found.recall,
            error=found.error,
        )
        for space, machine in spaces.items()
        for topic, found in machine.estimates().items()
    )


def estimate_lines(estimates: Sequence[SpaceEstimate]) -> Iterator[str]:
    """Yield the estimates as lines of a terminal."""
    yield "Foretold from training alone (ξα, which is a little pessimistic)"
    for one in estimates:
        yield (
            f"  {one.space:<10} {one.topic}: precision {one.precision:.2f}, recall {one.recall:.2f} "
            f"({one.examples} examples)"
        )
