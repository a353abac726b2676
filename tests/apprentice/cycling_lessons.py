"""Lessons by hand for the paper's apprentice, about a web in which gears are good and golf is not."""

from collections.abc import Sequence

import numpy as np

from scenthound.apprentice.bayes.bayes_model import BayesModel
from scenthound.apprentice.model import Learnt, Model
from scenthound.parse.words.word_stream import WordStream, number_of, pack
from scenthound.types import Lesson, LessonLink

LATER = 1 << 40

Leaf = str | tuple[str, str]  # text, or the text of a link and where it leads


def stream_of(leaves: Sequence[str]) -> bytes:
    """Pack words, leaf by leaf."""
    words = [[number_of(word) for word in leaf.split()] for leaf in leaves]
    return pack(
        WordStream(
            words=np.array([word for leaf in words for word in leaf], dtype=np.uint32),
            starts=np.cumsum([0, *map(len, words)]).astype(np.uint32),
        )
    )


def page(url: str, relevance: float, *leaves: Leaf, topics: tuple[str, ...] = (), followed: bool = True) -> Lesson:
    links = [LessonLink(leaf[1], place, place) for place, leaf in enumerate(leaves) if isinstance(leaf, tuple)]
    stream = stream_of([leaf[0] if isinstance(leaf, tuple) else leaf for leaf in leaves])
    return Lesson(
        url=at(url),
        relevance=relevance,
        topics=topics,
        followed=followed,
        links=tuple(LessonLink(at(link.url), link.first_leaf, link.last_leaf) for link in links),
        stream=stream,
    )


def redirect(url: str, target: str) -> Lesson:
    return Lesson(url=at(url), redirect=True, links=(LessonLink(at(target)),))


def at(name: str) -> str:
    return f"http://web.test/{name}"


def taught(
    *lessons: Lesson, d_max: int = 1, topics: bool = False, cocitation: bool = False, start: int = 1
) -> BayesModel:
    model = BayesModel(d_max=d_max, topics=topics, cocitation=cocitation, start=start)
    for lesson in lessons:
        model.learn(lesson)
    return model


def score(model: Model, name: str) -> float:
    return float(model.scores(np.array([number(model, name)]))[0])


def number(model: Model, name: str) -> int:
    known = model.ground.known(at(name))
    assert known is not None
    return known


def touched(model: Model, learnt: Learnt) -> set[str]:
    return {model.ground.names[url].removeprefix(at("")) for url in learnt.touched.tolist()}


# Gears are good, golf is not; what `more` and `other` are is still to be seen.
CYCLING = (
    page("start", 0.9, ("gear", "good"), "and", ("golf", "bad"), "then", ("gear", "more"), "or", ("golf", "other")),
    page("good", 0.9),
    page("bad", 0.1),
)


def noise(draw: np.random.Generator) -> str:
    return f"w{draw.integers(40)}"


def lists(pages: int, *, telling_at: int, seed: int = 4) -> list[Lesson]:
    """Make up lists of links: so many leaves from each is a word that tells where it leads."""
    draw = np.random.default_rng(seed)
    lessons = list[Lesson]()
    for this in range(pages):
        leaves: list[Leaf] = [noise(draw) for _ in range(60)]
        for place in range(10, 50, 10):
            good = bool(draw.random() < 0.5)
            target, word = f"{seed}/{this}.{place}", "gear" if good else "golf"
            leaves[place + telling_at] = word
            leaves[place] = (noise(draw) if telling_at else word, target)
            lessons.append(page(target, 0.9 if good else 0.1))
        lessons.insert(len(lessons) - 4, page(f"{seed}/{this}", 0.5, *leaves))
    return lessons
