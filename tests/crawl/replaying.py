"""Goes through the log of a crawl in a process of its own: `python -m tests.crawl.replaying DIR SETTING...`.

Prints, as JSON, a digest of all that an apprentice knows then, of its weights, and the lessons before which it expected
something else than the apprentice did that was at work when they were new. With the setting "keep", it leaves a
checkpoint.
"""

import json
import sys
from hashlib import sha256
from pathlib import Path

from scenthound.apprentice.checkpoint import Checkpoints
from scenthound.apprentice.log import history, teaches
from scenthound.apprentice.model import Learnt, State
from scenthound.clock import SystemClock
from scenthound.crawl.critic.crawl_critic import Judging
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.engine.assemble import open_store
from scenthound.crawl.engine.rulebook import rulebook_of
from scenthound.crawl.order.guides import brand_of, make_of
from scenthound.events import ignore
from scenthound.settings.schema import Settings
from scenthound.store.base import Store
from scenthound.types import Distillation, Lesson

KEEP = "keep"


def digest(state: State) -> str:
    """Return something that differs if a bit does."""
    seen = sha256()
    for name in sorted(state):
        seen.update(f"{name} {state[name].dtype} {state[name].shape} ".encode() + state[name].tobytes())
    return seen.hexdigest()


def replay(path: Path, settings: Settings, *, keep: bool) -> dict[str, object]:
    directory = CrawlDirectory.open(path)
    with directory.lock(), open_store(directory) as store:
        critic = critic_of(directory, store, settings)
        model, expected = make_of(settings.apprentice)(), list[tuple[Lesson, Learnt]]()
        for one in history(store):
            if isinstance(one, Distillation):
                model.praise(one)
            elif teaches(one):
                expected.append((one, model.learn(one)))
        if keep:
            kind = brand_of(settings.apprentice)
            Checkpoints(directory.models).keep(model, kind=kind, critic=critic.version, lessons=store.last_lesson())
    compared = [(lesson, learnt) for lesson, learnt in expected if lesson.score is not None]
    return {
        "known": digest(model.state()),
        "weights": model.state()["weights"].tobytes().hex(),
        "compared": len(compared),
        "surprised": [
            lesson.n
            for lesson, learnt in compared
            if (learnt.score, learnt.reasons) != (lesson.score, lesson.reasons[1:])
        ],
    }


def critic_of(directory: CrawlDirectory, store: Store, settings: Settings) -> Judging:
    """Return the critic at work, as a crawl has it when it is resumed."""
    judging = Judging(directory=directory, settings=settings, store=store, clock=SystemClock(), listener=ignore)
    judging.begin(rulebook_of(settings, store, only=None))
    judging.learn()
    return judging


def main(path: str, *settings: str) -> None:
    wanted = CrawlDirectory.open(Path(path)).settings([one for one in settings if one != KEEP])
    print(json.dumps(replay(Path(path), wanted, keep=KEEP in settings)))


if __name__ == "__main__":
    main(*sys.argv[1:])
