"""What one engine does for all: the one that teaches publishes its critic, and looks at the crawl as a whole."""

from scenthound.crawl.critic.crawl_critic import Judging
from scenthound.crawl.engine.fellows import Fellows
from scenthound.crawl.engine.hooks import Batch, Hook


class TeachersHook(Hook):
    """Run a hook on the engine that teaches only."""

    def __init__(self, hook: Hook, fellows: Fellows) -> None:
        self._hook = hook
        self._fellows = fellows

    @property
    def busy(self) -> bool:
        return self._fellows.teaches and self._hook.busy

    def after_turn(self, batch: Batch) -> None:
        if self._fellows.teaches:
            self._hook.after_turn(batch)


class Publishing(Hook):
    """Publish a new critic, after the critic and the order: the frontier follows it by then."""

    def __init__(self, critic: Judging) -> None:
        self._critic = critic

    def after_turn(self, batch: Batch) -> None:
        self._critic.publish()
