"""How well critics judge, and how fast: every kind on the schools web's categories and on WebKB's genres.

Leaf accuracy: ten examples for each category with at least twenty pages, three draws. A page may have several labels:
graded is how often its first label is found; how often any of them is said too. "plain" is logistic regression on
tf·idf alone. Average precision: "is it in topic X", ten examples and 150 other pages, for each of these categories.
Pages at hand, where a critic has any, are never among those it is tried on. WebKB: trained on three universities, tried
on the fourth, four ways. The default's constants were chosen on every other category ("seen"); the rest are "unseen".
Times are processor time.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from statistics import mean, pstdev
from time import process_time

import numpy as np
from numpy.typing import NDArray

from bench.figures import Figure, Report, at_least, at_most, markdown_table
from bench.labelled import LabelledWeb, labelled_web
from bench.serving import missing
from scenthound.judge.critic import Critic, Example, Learner, Lessons, Page, Probabilities
from scenthound.judge.critic_kinds import learner_of
from scenthound.judge.models.logistic import LogisticLearner
from scenthound.judge.models.temperature import calibration_error
from scenthound.judge.quality.hits import average_precision
from scenthound.settings.schema import CriticSettings
from scenthound.taxonomy import OTHERS, Topic, Topics

Flags = NDArray[np.bool_]

EXAMPLES, FEWEST, OTHER_PAGES, AT_HAND = 10, 20, 150, 3_000
DEFAULT, PLAIN = "logistic", "plain"
UNIVERSITIES = ("cornell", "texas", "washington", "wisconsin")


@dataclass(frozen=True, slots=True, kw_only=True)
class Contender:
    """A way to train critics, and how many pages at hand it is given."""

    name: str
    learner: Learner
    at_hand: int = 0


@dataclass(slots=True)
class Scores:
    """What was measured of one contender, a number for each trial."""

    numbers: dict[str, list[float]] = field(default_factory=dict)

    def add(self, **measured: float) -> None:
        for name, value in measured.items():
            self.numbers.setdefault(name, []).append(value)

    def mean(self, name: str) -> float:
        return mean(self.numbers[name])

    def spread(self, name: str) -> float:
        return pstdev(self.numbers[name])


Board = dict[str, Scores]


def run(*, quick: bool = False) -> Report:
    """Measure all critics on both webs."""
    schools, webkb = labelled_web("schools"), labelled_web("webkb")
    if schools is None or webkb is None:
        return Report(skipped=missing("schools.warc.gz or webkb.warc.gz, with its labels,"))
    kinds = contenders()
    leaves = trials(kinds, lambda one, board: sort_into_leaves(one, schools, board, draws=1 if quick else 3))
    topics = trials(kinds, lambda one, board: tell_topics(one, schools, board, every=12 if quick else 1))
    genres = trials(kinds, lambda one, board: tell_genres(one, webkb, board, ways=1 if quick else 4))
    return report(leaves, topics, genres)


def contenders() -> list[Contender]:
    """All kinds by the names of the settings; `plain` is the yardstick."""
    kinds = [Contender(name=kind, learner=learner_of(CriticSettings(kind=kind))) for kind in (DEFAULT, "bayes", "svm")]
    return [
        *kinds,
        Contender(name="LinearSVC", learner=learner_of(CriticSettings(kind="LinearSVC"))),
        Contender(name=PLAIN, learner=LogisticLearner(text=CriticSettings().text, kin=False, dimensions=0)),
        Contender(name=f"{DEFAULT}, main text", learner=learner_of(CriticSettings(kind=DEFAULT, text="main"))),
        Contender(name=at_hand_name(), learner=learner_of(CriticSettings(kind=DEFAULT)), at_hand=AT_HAND),
    ]


def at_hand_name() -> str:
    return f"{DEFAULT}, {AT_HAND:,} pages at hand"


def trials(kinds: Iterable[Contender], trial: Callable[[Contender, Scores], None]) -> Board:
    """Put every contender through a trial."""
    board: Board = {}
    for contender in kinds:
        began = process_time()
        trial(contender, board.setdefault(contender.name, Scores()))
        print(f"  {trial_name(board[contender.name])}: {contender.name}, {process_time() - began:.0f} s", flush=True)
    return board


def trial_name(scores: Scores) -> str:
    return ", ".join(f"{name} {scores.mean(name):.3f}" for name in list(scores.numbers)[:2])


def sort_into_leaves(contender: Contender, web: LabelledWeb, board: Scores, *, draws: int) -> None:
    """Train on ten examples of each category, and sort the rest."""
    categories = sizeable(web)
    for draw in range(draws):
        chance = np.random.default_rng(draw)
        drawn = draw_examples(web, categories, chance)
        spare = draw_spare(web, chance, without=set(drawn))
        asked = [n for n in web.holders_of(categories) if n not in drawn and n not in spare]
        lessons = lessons_of(web, drawn, at_hand=sorted(spare)[: contender.at_hand])
        critic, seconds = trained(contender.learner, lessons)
        said, rate = judged(critic, [web.pages[number] for number in asked])
        grade_leaves(critic, said, [web.labels[number] for number in asked], categories, board)
        board.add(training=seconds, rate=rate)


def grade_leaves(
    critic: Critic, said: Probabilities, labels: Sequence[tuple[str, ...]], categories: Sequence[str], board: Scores
) -> None:
    best = [critic.classes[number] for number in said.argmax(axis=1)]
    firsts = [next(label for label in own if label in set(categories)) for own in labels]
    right = np.array([guess == first for guess, first in zip(best, firsts, strict=True)])
    fair = np.array([guess in own for guess, own in zip(best, labels, strict=True)])
    seen = np.isin(firsts, categories[::2])
    sure = said.max(axis=1)
    board.add(first=right.mean(), any=fair.mean(), seen=right[seen].mean(), unseen=right[~seen].mean())
    board.add(error=calibration_error(sure, right), error_any=calibration_error(sure, fair))


def tell_topics(contender: Contender, web: LabelledWeb, board: Scores, *, every: int) -> None:
    """Ask of all pages not trained on or at hand whether they are in a topic, topic by topic."""
    chance = np.random.default_rng(0)
    spare = draw_spare(web, chance, without=set())
    for place, topic in list(enumerate(sizeable(web)))[::every]:
        chance = np.random.default_rng(place)
        inside = web.about(topic)
        examples = draw_some(sorted(inside), EXAMPLES, chance)
        others = draw_some(sorted(set(range(len(web.pages))) - inside), OTHER_PAGES, chance)
        lessons = lessons_of(web, dict.fromkeys(examples, topic), others, at_hand=sorted(spare)[: contender.at_hand])
        asked = [n for n in range(len(web.pages)) if n not in spare and n not in {*examples, *others}]
        critic, _ = trained(contender.learner, lessons)
        said, _ = judged(critic, [web.pages[number] for number in asked])
        relevance = said[:, critic.classes.index(topic)]
        there = np.array([number in inside for number in asked])
        precision = average_precision(there, relevance)
        board.add(precision=precision, error=calibration_error(relevance, there))
        board.add(**{"unseen" if place % 2 else "seen": precision})


def tell_genres(contender: Contender, web: LabelledWeb, board: Scores, *, ways: int) -> None:
    """Train on three universities and try the fourth; the genre "other" is OTHERS."""
    genres = [labels[0].partition("/") if labels else ("", "", "") for labels in web.labels]
    for held in UNIVERSITIES[:ways]:
        taught = [n for n, (_, _, place) in enumerate(genres) if place in UNIVERSITIES and place != held]
        asked = [n for n, (_, _, place) in enumerate(genres) if place == held]
        drawn = {number: genres[number][0] for number in taught if genres[number][0] != "other"}
        others = [number for number in taught if genres[number][0] == "other"]
        spare = draw_pages(web, contender.at_hand, np.random.default_rng(0), without={*taught, *asked})
        critic, seconds = trained(contender.learner, lessons_of(web, drawn, others, at_hand=sorted(spare)))
        said, _ = judged(critic, [web.pages[number] for number in asked])
        truth = [OTHERS if genres[number][0] == "other" else genres[number][0] for number in asked]
        grade_genres(critic, said, truth, board)
        board.add(training=seconds)


def grade_genres(critic: Critic, said: Probabilities, truth: Sequence[str], board: Scores) -> None:
    best = np.array(critic.classes)[said.argmax(axis=1)]
    real = np.array(truth)
    board.add(accuracy=float((best == real).mean()), error=calibration_error(said.max(axis=1), best == real))
    asked = [genre for genre in critic.classes if genre and (real == genre).sum() >= EXAMPLES]
    places = {genre: critic.classes.index(genre) for genre in asked}
    board.add(precision=mean(average_precision(real == genre, said[:, place]) for genre, place in places.items()))


def sizeable(web: LabelledWeb) -> list[str]:
    return [label for label, pages in web.holders.items() if len(pages) >= FEWEST]


def draw_examples(web: LabelledWeb, categories: Sequence[str], chance: np.random.Generator) -> dict[int, str]:
    """Draw examples for each category; a page is an example of one only, also where it has several labels."""
    drawn: dict[int, str] = {}
    for category in categories:
        free = [number for number in web.holders[category] if number not in drawn]
        drawn |= dict.fromkeys(draw_some(free, EXAMPLES, chance), category)
    return drawn


def draw_pages(web: LabelledWeb, count: int, chance: np.random.Generator, *, without: set[int]) -> set[int]:
    return set(draw_some([number for number in range(len(web.pages)) if number not in without], count, chance))


def draw_spare(web: LabelledWeb, chance: np.random.Generator, *, without: set[int]) -> set[int]:
    """Draw the pages that may lie at hand, on which no critic is tried; some of a small web must be left for that."""
    return draw_pages(web, min(AT_HAND, 6 * len(web.pages) // 10), chance, without=without)


def draw_some(numbers: Sequence[int], count: int, chance: np.random.Generator) -> list[int]:
    return [int(number) for number in chance.choice(numbers, min(count, len(numbers)), replace=False)]


def lessons_of(
    web: LabelledWeb, drawn: dict[int, str], others: Sequence[int] = (), *, at_hand: Sequence[int] = ()
) -> Lessons:
    topics = Topics(topics=tuple(Topic(path=path) for path in dict.fromkeys(drawn.values())))
    examples = tuple(
        Example(topic=topic, name=web.pages[number].url, page=web.pages[number]) for number, topic in drawn.items()
    )
    others_pages, hand_pages = (tuple(web.pages[number] for number in numbers) for numbers in (others, at_hand))
    return Lessons(topics=topics, examples=examples, others=others_pages, at_hand=hand_pages)


def trained(learner: Learner, lessons: Lessons) -> tuple[Critic, float]:
    began = process_time()
    critic = learner.fit(lessons, seed=0)
    return critic, process_time() - began


def judged(critic: Critic, pages: Sequence[Page]) -> tuple[Probabilities, float]:
    began = process_time()
    said = critic.judge(pages)
    return said, len(pages) / max(process_time() - began, 1e-9)


def report(leaves: Board, topics: Board, genres: Board) -> Report:
    """Lay out what was found; goals are those of the default critic as it comes."""
    best, plain = leaves[DEFAULT], leaves[PLAIN]
    figures = (
        Figure(name="leaf accuracy, any of a page's labels", value=best.mean("any"), goal=at_least(0.69)),
        Figure(name="leaf accuracy, first label", value=best.mean("first")),
        Figure(name="its lead over plain tf·idf", value=best.mean("first") - plain.mean("first"), goal=at_least(0.02)),
        Figure(
            name="average precision, lead over plain tf·idf",
            value=topics[at_hand_name()].mean("precision") - topics[PLAIN].mean("precision"),
            goal=at_least(0.03),
        ),
        Figure(name="calibration error, leaves", value=best.mean("error"), goal=at_most(0.05)),
        Figure(name="calibration error, topics", value=topics[DEFAULT].mean("error"), goal=at_most(0.05)),
        Figure(name="calibration error, WebKB", value=genres[DEFAULT].mean("error"), goal=at_most(0.05)),
        Figure(name="training the schools tree", value=best.mean("training"), unit="s", goal=at_most(10)),
        Figure(name="judging", value=best.mean("rate"), unit="pages/s", goal=at_least(3_000)),
    )
    return Report(figures=figures, text=(leaf_table(leaves), topic_table(topics), genre_table(genres)))


def leaf_table(board: Board) -> str:
    headings = [
        "leaves",
        "first label",
        "±",
        "any label",
        "seen",
        "unseen",
        "calibration error",
        "for any",
        "training s",
        "pages/s",
    ]
    rows = [
        [
            name,
            *decimals(one.mean("first"), one.spread("first"), one.mean("any"), one.mean("seen"), one.mean("unseen")),
            *decimals(one.mean("error"), one.mean("error_any")),
            f"{one.mean('training'):.1f}",
            f"{one.mean('rate'):,.0f}",
        ]
        for name, one in board.items()
    ]
    return markdown_table(headings, rows, right=range(1, len(headings)))


def topic_table(board: Board) -> str:
    headings = ["is it in topic X", "topics", "average precision", "±", "seen", "unseen", "calibration error"]
    rows = [
        [
            name,
            str(len(one.numbers["precision"])),
            *decimals(one.mean("precision"), one.spread("precision")),
            *(f"{one.mean(half):.3f}" if half in one.numbers else "–" for half in ("seen", "unseen")),
            f"{one.mean('error'):.3f}",
        ]
        for name, one in board.items()
    ]
    return markdown_table(headings, rows, right=range(1, len(headings)))


def genre_table(board: Board) -> str:
    headings = ["WebKB", "accuracy", "±", "average precision", "calibration error", "training s"]
    rows = [
        [
            name,
            *decimals(one.mean("accuracy"), one.spread("accuracy"), one.mean("precision"), one.mean("error")),
            f"{one.mean('training'):.1f}",
        ]
        for name, one in board.items()
    ]
    return markdown_table(headings, rows, right=range(1, len(headings)))


def decimals(*values: float) -> list[str]:
    return [f"{value:.3f}" for value in values]
