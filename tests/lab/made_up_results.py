"""Results of experiments that never took place, drawn from a seed: as many worlds, topics and strategies as a test
wants.

The crawls are made up, coin by coin; scores, curves, standings and duels are computed from them as from any others.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

import numpy as np

from scenthound.lab.experiment.experiment import budget_size
from scenthound.lab.experiment.values import Outside, Results, Role, RunResult, Task, Trace, Tuning, WorldNote
from scenthound.lab.metrics.crawl_metrics import curve, score
from scenthound.lab.metrics.relatives import with_relatives
from scenthound.lab.metrics.statistics import duels, standings
from scenthound.lab.metrics.world_facts import Ground

HOSTS = 40
# The chance that a fetch of a strategy brings a wanted page, as long as none was found.
SKILLS: Mapping[str, float] = {
    "best-first": 0.50,
    "breadth": 0.26,
    "shark": 0.58,
    "context-graph": 0.46,
    "ache": 0.52,
    "apprentice": 0.70,
    "random": 0.17,
    "oracle": 0.96,
}
FIELDS = ("Arts", "Games", "Health", "Science", "Recreation/Outdoors", "Society/History")
SUBJECTS = (
    "Cycling",
    "Mining",
    "Fishing",
    "Music",
    "Weather",
    "Railways",
    "Chess",
    "Gardening",
    "Pottery",
    "Astronomy",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What to make up. `development` counts the topics of each world, at their end, that are for development."""

    worlds: Sequence[str] = ("schools",)
    topics: int = 16
    draws: int = 3
    budgets: Sequence[str] = ("n", "2n")
    host_caps: Sequence[int] = (0,)
    skills: Mapping[str, float] = field(default_factory=lambda: SKILLS)
    baseline: str = "best-first"
    development: int = 0
    tuned: bool = False
    most_fetches: int = 0
    seed: int = 7


SMALL = Plan(
    topics=7,
    draws=2,
    development=1,
    tuned=True,
    skills={name: SKILLS[name] for name in ("best-first", "shark", "random", "oracle")},
)
FEW = Plan(topics=3, draws=1, budgets=("n",), skills={"best-first": 0.3, "shark": 0.6})


def made_up(plan: Plan) -> Results:
    """Return the results of such an experiment."""
    runs = with_relatives([_run(plan, *place) for place in _places(plan)])
    names = list(plan.skills)
    return Results(
        title="Which strategy finds most?",
        about="Made-up crawls, to see what a report looks like.",
        version="0.1.0",
        seed=plan.seed,
        experiment=_experiment(plan),
        worlds=tuple(_note(world, plan) for world in plan.worlds),
        strategies=tuple(_strategy(name) for name in names),
        tunings=(_tuning(names[0]),) if plan.tuned else (),
        runs=tuple(runs),
        standings=standings(runs, seed=plan.seed),
        duels=duels(runs, baseline=plan.baseline or None, seed=plan.seed),
    )


def topic_name(number: int) -> str:
    """Return the name of a topic: no two numbers below some hundreds have the same."""
    above, subject = FIELDS[number % len(FIELDS)], SUBJECTS[number % len(SUBJECTS)]
    return f"{above}/{subject}" + (f"/Part {number}" if number >= len(FIELDS) else "")


def _places(plan: Plan) -> list[tuple[str, int, int, int, str]]:
    return [
        (world, number, draw, cap, strategy)
        for world in plan.worlds
        for number in range(plan.topics)
        for draw in range(plan.draws)
        for cap in plan.host_caps
        for strategy in plan.skills
    ]


def _run(plan: Plan, world: str, number: int, draw: int, cap: int, strategy: str) -> RunResult:
    topic_random = Random(f"{plan.seed} {world} {number}")
    wanted = round(topic_random.lognormvariate(4.6, 0.6)) + 10
    ease = topic_random.uniform(0.45, 1.0) * (0.8 if cap else 1.0)
    random = Random(f"{plan.seed} {world} {number} {draw} {cap} {strategy}")
    task = _task(plan, world, number, draw, wanted)
    budgets = {budget: budget_size(budget, wanted, most=plan.most_fetches) for budget in plan.budgets}
    fetches = max(budgets.values())
    trace = _trace(random, wanted, fetches, plan.skills[strategy] * ease * random.uniform(0.85, 1.1))
    ground = _ground(wanted, Random(f"{plan.seed} {world} {number}"))
    return RunResult(
        world=world,
        topic=task.topic,
        role=task.role,
        draw=draw,
        strategy=strategy,
        host_cap=cap,
        wanted=wanted,
        fetched=len(trace),
        stopped="budget" if len(trace) == fetches else "dry",
        digest=trace.digest,
        budgets=budgets,
        scores={budget: score(trace, task, ground, budget=size) for budget, size in budgets.items()},
        curve=curve(trace, task, ground, fetches=fetches, points=50),
    )


def _task(plan: Plan, world: str, number: int, draw: int, wanted: int) -> Task:
    role = Role.DEVELOPMENT if number >= plan.topics - plan.development else Role.TEST
    return Task(
        world=world,
        topic=topic_name(number),
        draw=draw,
        role=role,
        examples=(),
        others=(),
        start=(),
        wanted=frozenset(range(wanted)),
    )


def _trace(random: Random, wanted: int, fetches: int, skill: float) -> Trace:
    """Throw a coin for each fetch; the more is found, the harder it gets. One crawl in twelve runs dry."""
    length = fetches if random.random() > 1 / 12 else round(fetches * random.uniform(0.6, 0.95))
    numbers, found = [], 0
    for fetch in range(length):
        hit = found < wanted and random.random() < skill * (1 - 0.75 * found / wanted)
        numbers.append(found if hit else wanted + fetch)
        found += hit
    hits = np.array(numbers) < wanted
    noise = np.array([random.random() for _ in numbers])
    priority = np.clip(0.25 + 0.35 * skill * hits + 0.4 * (noise - 0.3), 0.01, 0.99)
    return Trace(
        numbers=np.array(numbers, dtype=np.int32),
        relevance=np.clip(0.7 * hits + 0.3 * noise, 0, 1),
        priority=priority,
        depth=np.ones(length, dtype=np.int32),
        repeats=noise < 0.03,
        stopped="",
        digest=f"{random.getrandbits(64):016x}",
    )


def _ground(wanted: int, random: Random) -> Ground:
    pages = wanted * 8
    host = [random.randrange(HOSTS) for _ in range(pages)]
    hops = [1 + page % 5 for page in range(pages)]
    return Ground(host=np.array(host, dtype=np.int32), hops=np.array(hops, dtype=np.int32), reachable=wanted)


def _experiment(plan: Plan) -> dict[str, object]:
    return {
        "title": "Which strategy finds most?",
        "seed": plan.seed,
        "draws": plan.draws,
        "budgets": list(plan.budgets),
        "host_caps": list(plan.host_caps),
        "baseline": plan.baseline,
        "settings": {"critic.kind": "bayes"},
        "world": [{"name": name, "demo": 7, "labels": "", "development": ["Science/*"]} for name in plan.worlds],
        "strategy": [{"name": name, "kind": name} for name in plan.skills],
    }


def _note(world: str, plan: Plan) -> WorldNote:
    return WorldNote(
        name=world,
        digest="5f3a" * 16,
        pages=5462,
        hosts=HOSTS,
        links=121_345,
        said="WARC files of a small encyclopedia, with labels for every page",
        outside=Outside.INVISIBLE,
        locked=("*/index/*",),
        truth="labels of the pages",
        most_fetches=plan.most_fetches,
    )


def _strategy(name: str) -> dict[str, object]:
    return {
        "name": name,
        "kind": name,
        "summary": f"The made-up {name}.",
        "parameters": {"gamma": 0.5} if name == "shark" else {},
        "settings": {"crawl.focus": "none"},
        "knows_truth": "oracle" in name,
    }


def _tuning(strategy: str) -> Tuning:
    tried = ({"crawl.tunnel": 0, "mean": 0.301}, {"crawl.tunnel": 2, "mean": 0.322}, {"crawl.tunnel": 4, "mean": 0.311})
    return Tuning(strategy=strategy, metric="harvest at n", tried=tried, chosen={"crawl.tunnel": 2})
