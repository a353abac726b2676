"""Place the engines of a crawl on a running Ray cluster, say what becomes of them, and drain them when asked.

    wish ─► an actor for each engine, spread over the machines ─► they crawl ─► how each ended

Ray starts an actor again if its process or its machine dies, and calls `run` again there. The lease of the lost engine
ends by itself (docs/explanation/many-machines.md), so that nobody has to clean up after it.
"""

import logging
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from scenthound.counted import count
from scenthound.errors import StoreError, UsageError
from scenthound.services.cluster.engine_actor import Ending, EngineActor, EnginePlan, Place
from scenthound.settings.server_url import ServerUrl
from scenthound.store.postgres.store import PostgresStore

_LOOK: Final = 0.5  # seconds between two looks at the engines
_TELL: Final = 10.0  # seconds between two lines about their speed
_DRAIN: Final = 120.0  # seconds that engines get to finish what is in flight
_REACHED: Final = 10.0  # seconds in which the head of a cluster must answer
_CALLS: Final = 4  # threads of an actor: one runs the engine, the others answer


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterWish:
    """The engines that are wanted: how many, of which crawl, where their folders lie, and what each may use."""

    address: str
    engines: int
    folder: Path
    ray: str = "auto"
    cpus: float = 1.0
    overrides: Sequence[str] = ()
    trust: bool = False


@dataclass(slots=True, kw_only=True)
class _Placed:
    """An engine on the cluster. `place` is where it was seen last."""

    number: int
    actor: Any
    run: Any
    place: Place | None = None
    asked: Any = None
    ending: Ending | None = None


def run_engines(wish: ClusterWish, *, tell: Callable[[str], None], stops: Callable[[], bool]) -> list[Ending]:
    """Run engines until all have ended, and return how. When `stops` says so, they finish what is in flight and end."""
    url = ServerUrl.read(wish.address)
    with PostgresStore(url, read_only=True) as store:
        store.shared_versions()  # fail now if there is no such crawl
    with _connected(wish.ray) as ray:
        room = float(ray.cluster_resources().get("CPU", 0.0))
        if wish.engines * wish.cpus > room:
            tell(f"the cluster has room for {int(room // wish.cpus)} of them now; the rest start when there is more")
        placed = [_place(ray, wish, number) for number in range(1, wish.engines + 1)]
        _follow(ray, placed, url, tell=tell, stops=stops)
        return [one.ending or Ending(error="it did not end in time") for one in placed]


@contextmanager
def _connected(address: str) -> Iterator[Any]:
    """Connect to the cluster; engines that are left when this ends are ended by Ray."""
    try:
        import ray
    except ModuleNotFoundError:
        raise UsageError('Ray is not installed; install it with: pip install "scenthound[ray]"') from None
    _look_for(address)
    try:
        ray.init(address=address, namespace="scenthound", log_to_driver=False, logging_level=logging.ERROR)
    except (ConnectionError, ValueError) as error:
        said = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise UsageError(f"no Ray cluster answers ({said}); start one with: ray start --head") from None
    try:
        yield ray
    finally:
        ray.shutdown()


def _look_for(address: str) -> None:
    """Fail at once if nobody listens at an address: Ray would try for ten minutes."""
    host, _, port = address.rpartition(":")
    if not host or not port.isdigit() or "//" in host:
        return
    try:
        socket.create_connection((host, int(port)), timeout=_REACHED).close()
    except (OSError, OverflowError) as error:
        raise UsageError(f"no Ray cluster answers at {address} ({error}); start one with: ray start --head") from None


def _place(ray: Any, wish: ClusterWish, number: int) -> _Placed:
    plan = EnginePlan(
        address=wish.address,
        folder=wish.folder / f"engine-{number}",
        overrides=tuple(wish.overrides),
        trust=wish.trust,
    )
    options = {
        "num_cpus": wish.cpus,
        "max_restarts": -1,
        "max_task_retries": -1,
        "max_concurrency": _CALLS,
        "scheduling_strategy": "SPREAD",
    }
    actor = ray.remote(EngineActor).options(**options).remote(plan)
    return _Placed(number=number, actor=actor, run=actor.run.remote())


def _follow(
    ray: Any, placed: Sequence[_Placed], url: ServerUrl, *, tell: Callable[[str], None], stops: Callable[[], bool]
) -> None:
    """Look after engines until all have ended."""
    told, ends = time.monotonic(), None
    while going := [one for one in placed if one.ending is None]:
        ready, _ = ray.wait([one.run for one in going], num_returns=len(going), timeout=_LOOK)
        for one in going:
            if one.run in ready:
                one.ending = _ending(ray, one.run)
                tell(f"engine {one.number} has ended: {_said(one.ending)}")
            else:
                _notice_place(ray, one, tell)
        now = time.monotonic()
        if stops():
            if ends is None:
                ends = now + _DRAIN
                tell("stopping; the engines finish what is in flight")
            # Asked again each time: an engine that dies now comes back, and has not heard it.
            for one in going:
                one.actor.stop.remote()
            if now > ends:
                return
        if now - told >= _TELL:
            told = now
            _tell_speed(url, tell)


def _ending(ray: Any, run: Any) -> Ending:
    try:
        found: Ending = ray.get(run)
    except ray.exceptions.RayError as error:
        return Ending(error=str(error).splitlines()[0])
    return found


def _notice_place(ray: Any, one: _Placed, tell: Callable[[str], None]) -> None:
    """Ask an engine where it is, and say so when that is new."""
    if one.asked is None:
        one.asked = one.actor.where.remote()
    ready, _ = ray.wait([one.asked], timeout=0)
    if not ready:
        return
    asked, one.asked = one.asked, None
    with suppress(ray.exceptions.RayError):  # it is being started again
        place: Place = ray.get(asked)
        if place != one.place:
            tell(f"engine {one.number} {'has begun' if one.place is None else 'was lost and is back'}: {place}")
            one.place = place


def _tell_speed(url: ServerUrl, tell: Callable[[str], None]) -> None:
    with suppress(StoreError), PostgresStore(url, read_only=True) as store:  # the engines say it if the server is away
        views = store.engines()
        speed = sum(one.speed for one in views)
        tell(f"{count(len(views), 'engine')} at work, {speed:.1f} pages a second together")


def _said(ending: Ending) -> str:
    return ending.error or f"{ending.cause}, {count(ending.pages, 'page')} fetched"
