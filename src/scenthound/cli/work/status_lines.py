"""The work of `scenthound status`: the state of a crawl and what slows it down, read from its database."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from scenthound.counted import count
from scenthound.crawl.diagnosis.reader_answers import Answers, precision_words
from scenthound.crawl.diagnosis.speed import askable, explain, failures, harvest, in_seconds, refusals, total
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.services.status.apprentice_status import ApprenticeStatus, apprentice_line
from scenthound.services.status.crawl_status import status_of
from scenthound.services.status.freshness import due_count, due_line
from scenthound.services.status.learnt_status import LearntStatus, learnt_lines
from scenthound.services.why.reason_words import finding_lines, reason_words
from scenthound.terminal import say, say_json
from scenthound.types import Awaited, Census, EngineView, HostView


def show_status(path: Path, *, as_json: bool) -> int:
    directory = CrawlDirectory.open(path)
    status = status_of(directory)
    if as_json:
        say_json(status.as_table() | {"due": due_count(directory)})
    elif not directory.begun:
        say(f"{path} has not been crawled yet; it starts from {count(len(directory.seeds()), 'page')}.")
    else:
        say(
            "\n".join(
                status_lines(
                    status.census,
                    list(status.hosts),
                    now=status.now,
                    running=status.running,
                    apprentice=status.apprentice,
                    awaited=status.awaited,
                    answers=status.answers,
                    learnt=status.learnt,
                )
            )
        )
        if not isinstance(directory.store, Path):
            say(f"  store      {directory.store.shown}")
            for line in engine_lines(status.engines):
                say(line)
        if (due := due_count(directory)) is not None and due.pages:
            say(f"  {due_line(due)}")
        for line in finding_lines(status.findings):
            say(line)
    return 0


def engine_lines(engines: Sequence[EngineView]) -> Iterator[str]:
    """Yield a line for each engine.

    >>> one = EngineView(number=7, name="a:1", joined=0.0, silent=3.2, pages=1200, speed=4.21, shards=512, teaches=True)
    >>> [line.strip() for line in engine_lines([one])]
    ['engines    1', '7  a:1: 4.2 pages a second, 1,200 pages, 512 of 1,024 shards, seen 3.2 s ago, teaches']
    """
    if engines:
        yield f"  engines    {len(engines)}"
    for one in engines:
        done = f"{one.speed:.1f} pages a second, {count(one.pages, 'page')}, {one.shards:,} of 1,024 shards"
        seen = f"seen {in_seconds(one.silent)} ago"
        yield f"    {one.number:>7,}  {one.name}: {done}, {seen}{', teaches' if one.teaches else ''}"


def status_lines(
    census: Census,
    hosts: list[HostView],
    *,
    now: float,
    running: bool,
    apprentice: ApprenticeStatus | None = None,
    awaited: Awaited | None = None,
    answers: Answers | None = None,
    learnt: LearntStatus | None = None,
) -> Iterator[str]:
    """Yield the status in lines."""
    yield "running" if running else "not running"
    yield f"  pages      {census.pages:,}, examples not counted" + _brackets(_same(census))
    if (rate := harvest(census)) is not None:
        yield f"  harvest    {rate:.3f} over {count(census.judged, 'judged page')}, by the critic's own judgement"
        if answers is not None and answers.precision is not None:
            yield f"             {precision_words(answers)}"
    if apprentice is not None:
        yield f"  apprentice {apprentice_line(apprentice)}"
    for place, line in enumerate(learnt_lines(learnt) if learnt is not None else ()):
        yield f"  {'' if place else 'learnt':<10} {line}"
    flying = f" {census.claimed:,} in flight," if running else ""
    yield f"  frontier   {census.waiting:,} waiting,{flying} {census.known:,} URLs known in all"
    yield f"  redirects  {census.redirects:,}"
    yield from _reasons("failed", failures(census))
    yield from _reasons("refused", refusals(census), " (not asked for)")
    yield f"  hosts      {census.hosts:,}" + _brackets(_host_states(census, running=running))
    for host in hosts[:10]:
        yield f"    {host.waiting:>7,}  {host.host} ({_host(host, now, running=running)})"
    yield from explain(census, hosts, now, running, awaited)


def _reasons(word: str, reasons: list[tuple[str, int]], remark: str = "") -> Iterator[str]:
    yield f"  {word:<9}  {total(reasons):,}{remark if reasons else ''}"
    for reason, number in reasons:
        yield f"    {number:>7,}  {reason}: {reason_words(reason)}"


def _brackets(parts: list[str]) -> str:
    return f" ({', '.join(parts)})" if parts else ""


def _same(census: Census) -> list[str]:
    pairs = ((census.duplicates, "the same as others"), (census.near_duplicates, "nearly the same"))
    return [f"{number:,} {words}" for number, words in pairs if number]


def _host_states(census: Census, *, running: bool) -> list[str]:
    pairs = (
        (census.hosts_ready if running else askable(census), "ready"),
        (census.hosts_resting, "resting"),
        (census.hosts_busy if running else 0, "busy"),
        (census.hosts_parked if running else 0, "held back"),
        (census.hosts_bad, "bad"),
        (census.hosts_capped, "at their cap"),
    )
    idle = census.hosts - sum(number for number, _ in pairs)
    return [f"{number:,} {words}" for number, words in (*pairs, (idle, "with nothing waiting")) if number > 0]


_STATES = {"idle": "nothing waiting", "parked": "held back", "capped": "at its cap"}


def _host(host: HostView, now: float, *, running: bool) -> str:
    state = host.state if running or host.state not in ("busy", "parked") else "ready"
    due = f", due in {in_seconds(host.due - now)}" if host.due > now and host.state == "resting" else ""
    why = f", {host.reason}" if host.reason else ""
    return f"{_STATES.get(state, state)}{due}, {count(host.pages, 'page')}{why}"
