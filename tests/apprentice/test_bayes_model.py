"""The paper's apprentice behind the guide: best-first, then naive Bayes on the words around links (APPRENTICE §3.7)."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import process_time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from scenthound.apprentice.bayes import Bayes
from scenthound.apprentice.bayes_model import NAMED, BayesModel, bounded
from scenthound.apprentice.checkpoint import Checkpoints
from scenthound.apprentice.model import Learnt, Model, State, WordOpinions
from scenthound.apprentice.offsets import HIGH_FROM, Features, cited_features, joined, text_features, topic_features
from scenthound.parse.word_stream import WordStream, number_of, pack, unpack
from scenthound.types import Lesson, LessonLink

CRITIC = WordOpinions(terms=("gear", "hub", "golf"), relevance=np.array([0.9, 0.8, 0.1]))
LATER = 1 << 40

Leaf = str | tuple[str, str]  # text, or the text of a link and where it leads


def stream_of(leaves: Sequence[str]) -> bytes:
    """Pack words, leaf by leaf."""
    words = [[number_of(word) for word in leaf.split()] for leaf in leaves]
    return pack(
        WordStream(
            words=np.array([word for leaf in words for word in leaf], dtype=np.uint32),
            starts=np.cumsum([0, *map(len, words)]).astype(np.uint32),
            page=np.zeros(0, dtype=np.uint32),
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
    model = BayesModel(CRITIC, d_max=d_max, topics=topics, cocitation=cocitation, start=start)
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


def test_at_first_the_best_page_that_cites_a_url_counts() -> None:
    model = taught(page("a", 0.3, ("golf", "x")), page("b", 0.7, ("golf", "x"), ("gear", "y")), start=100)
    assert (score(model, "x"), score(model, "y")) == (0.7, 0.7)
    (why,) = model.explain(model.reasons(number(model, "x")))
    assert why.said == "relevance of the best page that cites it"
    assert why.weight == pytest.approx(np.log(0.7 / 0.3))


def test_then_the_words_of_the_link_count() -> None:
    model = taught(*CYCLING)
    assert score(model, "more") > 0.5 > score(model, "other")


def test_a_page_has_the_score_that_it_had_before_it_was_fetched() -> None:
    model = taught(*CYCLING)
    expected, why = score(model, "more"), model.reasons(number(model, "more"))
    learnt = model.learn(page("more", 0.2))
    assert (learnt.score, learnt.reasons) == (expected, why)
    unforeseen = model.learn(page("seed", 0.9))
    assert (unforeseen.score, unforeseen.reasons, model.explain(unforeseen.reasons)) == (None, b"", [])


def test_what_a_lesson_touches_is_where_the_page_leads_and_everything_at_the_switch() -> None:
    model = taught(CYCLING[0])
    assert touched(model, model.learn(page("good", 0.9, ("hub", "new"), ("hub", "start")))) == {"new"}
    assert touched(model, model.learn(CYCLING[2])) == {"more", "other", "new"}
    assert touched(model, model.learn(page("more", 0.9, ("hub", "newer"), ("hub", "new")))) == {"new", "newer"}


@pytest.mark.parametrize(("start", "switched"), [(2, True), (3, False)])
def test_it_waits_for_so_many_lessons_that_say_something_about_links(start: int, switched: bool) -> None:
    """The start page itself is a lesson, but not about a link."""
    assert (score(taught(*CYCLING, start=start), "other") < 0.5) is switched


def test_it_waits_for_both_buckets() -> None:
    many_good = page("start", 0.9, *(("gear", f"good{i}") for i in range(5)), ("golf", "bad"), ("golf", "other"))
    model = taught(many_good, *(page(f"good{i}", 0.9) for i in range(5)))
    assert score(model, "other") == 0.9
    model.learn(page("bad", 0.1))
    assert score(model, "other") < 0.5


def test_links_to_pages_fetched_before_teach_too() -> None:
    """Nothing is learnt of a link of a page to itself."""
    model = taught(page("good", 0.9), page("bad", 0.1))
    model.learn(page("start", 0.9, ("gear", "good"), "", ("golf", "bad"), "", ("gear", "more"), "", ("hub", "start")))
    assert score(model, "more") > 0.5
    model.learn(page("next", 0.9, ("gear", "unknown"), "", ("hub", "unheard")))
    assert score(model, "unheard") == bounded(np.array([0.0]))[0]


def test_a_page_that_comes_twice_is_no_new_instance() -> None:
    assert score(taught(*CYCLING, *CYCLING[1:]), "more") == score(taught(*CYCLING), "more")


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


@pytest.mark.parametrize("d_max", [0, 1, 3])
def test_it_finds_out_itself_how_far_to_look(d_max: int) -> None:
    """The word that tells is three leaves before the link; 0 leaves the choice to the apprentice."""
    model = taught(*lists(30, telling_at=-3), d_max=d_max, start=100)
    leaves: list[Leaf] = ["gear", "x", "x", ("w1", "more"), "", "", "", "golf", "x", "x", ("w1", "other")]
    model.learn(page("last", 0.5, *leaves))
    difference = score(model, "more") - score(model, "other")
    assert difference == 0 if d_max == 1 else difference > 0.05


def test_how_far_to_look_is_chosen_once() -> None:
    """All of what is seen later has its word three leaves away, where nobody looks any more."""
    model = taught(*lists(30, telling_at=0), *lists(60, telling_at=-3, seed=5), d_max=0, start=100)
    model.learn(page("last", 0.5, "gear", "x", "x", ("w1", "more")))
    said = [part.said for part in model.explain(model.reasons(number(model, "more")))]
    assert not any("leaves" in one for one in said)


def test_links_to_what_redirects_lead_further() -> None:
    start = page("start", 0.9, ("gear", "good"), "", ("golf", "bad"), "", ("gear", "old"))
    model = taught(start, page("good", 0.9), page("bad", 0.1))
    promised = score(model, "old")
    assert touched(model, model.learn(redirect("old", "new"))) == {"new"}
    assert score(model, "new") == promised > 0.5
    model.learn(page("late", 0.9, ("golf", "older"), "", ("hub hub", "old")))
    assert len(model.ground.citing(number(model, "new"))) == 2
    model.learn(redirect("older", "old"))
    assert len(model.ground.citing(number(model, "new"))) == 3


def test_links_that_turn_out_to_lead_to_a_known_page_teach() -> None:
    """Both pages are seeds; the links to them stand on another page and go through redirects."""
    start = page(
        "start", 0.9, ("gear", "old good"), "", ("golf", "old bad"), "", ("gear", "more"), "", ("golf", "less")
    )
    model = taught(page("good", 0.9), page("bad", 0.1), start)
    assert score(model, "more") == 0.9
    model.learn(redirect("old good", "good"))
    model.learn(redirect("old bad", "bad"))
    assert score(model, "more") > 0.5 > score(model, "less")


def test_redirects_in_a_circle_lead_nowhere() -> None:
    model = taught(page("start", 0.9, ("gear", "a")), redirect("a", "b"), redirect("b", "a"))
    assert touched(model, model.learn(page("next", 0.9, ("hub", "a"), ("hub", "b")))) == set()


def test_what_no_page_cites_was_named_by_the_user() -> None:
    model = taught(*CYCLING)
    assert touched(model, model.learn(redirect("seed", "new seed"))) == set()  # it keeps the priority that it has
    assert score(model, "new seed") == NAMED


def test_links_that_are_not_followed_teach_and_promise_nothing() -> None:
    start = page("start", 0.9, ("gear", "good"), "", ("golf", "bad"), "", ("gear", "more"), followed=False)
    model = taught(start, page("good", 0.9), page("bad", 0.1))
    assert score(model, "more") == 0.0
    model.learn(page("next", 0.2, ("gear", "more"), "", ("golf", "other")))
    assert score(model, "more") > 0.5 > score(model, "other")


def test_pages_without_words_and_links_without_leaves_are_no_trouble() -> None:
    nowhere, beyond = (LessonLink(at("good"), *leaves) for leaves in ((-1, -1), (3, 4)))
    bare, odd = (Lesson(url=at("bare"), relevance=0.9, links=(LessonLink(at("x")), link)) for link in (nowhere, beyond))
    model = taught(bare, *CYCLING)
    assert score(model, "more") == score(taught(odd, *CYCLING), "more")
    assert score(model, "x") == pytest.approx(bounded(np.array([np.log(3 / 2)]))[0])  # two good links, a bad one


def test_topics_of_the_citing_page_are_features() -> None:
    lessons = [
        page("bikes", 0.5, ("here", "good"), "", ("here", "more"), topics=("Sport/Cycling",)),
        page("greens", 0.5, ("here", "bad"), "", ("here", "other"), topics=("Sport/Golf",)),
        page("good", 0.9),
        page("bad", 0.1),
    ]
    blind, seeing = taught(*lessons), taught(*lessons, topics=True)
    assert score(blind, "more") == score(blind, "other")
    assert score(seeing, "more") > score(seeing, "other")
    said = [part.said for part in seeing.explain(seeing.reasons(number(seeing, "more")))]
    assert said == ["topics of the page that cites it"]


def test_what_links_nearby_led_to_is_a_feature() -> None:
    """Good links stand together, and so do bad ones; the words are all the same."""
    for far in (False, True):
        lessons = [
            lesson
            for this in range(4)
            for lesson in (
                page(f"list{this}", 0.5, *[("x", f"good{this}.{i}") for i in range(4)], "", "", ("x", f"bad{this}.0"), ("x", f"bad{this}.1")),
                *(page(f"{name}{this}.{i}", relevance) for name, relevance, many in (("good", 0.9, 4), ("bad", 0.1, 2)) for i in range(many)),
            )
        ]  # fmt: skip
        model = taught(*lessons, cocitation=True)
        gap = ["", ""] if far else []
        learnt = model.learn(page("last", 0.5, ("x", "first"), *gap, ("x", "second")))
        assert touched(model, learnt) == {"first", "second"}
        before = score(model, "second")
        learnt = model.learn(page("first", 0.9))
        assert touched(model, learnt) == {"second"}
        said = [part.said for part in model.explain(model.reasons(number(model, "second")))]
        assert (score(model, "second") > before + 0.01) is not far
        assert ("what links near it led to" in said) is not far


def test_reasons_add_up_to_the_score_and_name_the_words_that_the_critic_knows() -> None:
    lesson = page("next", 0.9, "hub", ("gear gear", "new"), "chain")
    start = page("start", 0.9, "hub", ("gear", "good"), "", "", "hub", ("golf", "bad"), "", "", ("golf", "worse"))
    model = taught(start, page("good", 0.9), page("bad", 0.1), page("worse", 0.1), lesson)
    parts = model.explain(model.reasons(number(model, "new")))
    assert [part.said for part in parts] == [
        "words of the link, most of all 'gear'",
        "how links have turned out so far",
        "words 1 leaf before it, most of all 'hub'",
    ]
    assert bounded(np.array([sum(part.weight for part in parts)]))[0] == pytest.approx(score(model, "new"))
    assert [part.weight for part in parts] == sorted((part.weight for part in parts), key=abs, reverse=True)


@given(st.floats(-1e4, 1e4), st.floats(1e-3, 1e4))
def test_links_keep_their_order_however_sure_naive_bayes_is(log_odds: float, more: float) -> None:
    less, better = bounded(np.array([log_odds, log_odds + more])).tolist()
    assert 0.0 < less < better < 1.0


# Lessons about a small web, of all kinds that there are: a page is a row of pieces, each of some leaves, that may be links.

PLACES = 8


@dataclass(frozen=True)
class Piece:
    leaves: list[str]
    target: int | None


PIECES = st.lists(
    st.builds(
        Piece,
        leaves=st.lists(st.sampled_from(["", "a", "b", "a b", "b b c"]), max_size=2),
        target=st.none() | st.integers(0, PLACES - 1),
    ),
    max_size=6,
)


@st.composite
def logs(draw: st.DrawFn, *, redirects: bool = True) -> list[Lesson]:
    """Draw lessons, one for a URL at the most; what redirects leads to a URL with a greater number, so never in a circle."""
    urls = draw(st.permutations(range(PLACES)))[: draw(st.integers(0, PLACES - 1))]
    return [
        redirect(str(url), str(draw(st.integers(url + 1, PLACES))))
        if redirects and draw(st.integers(0, 4)) == 0
        else piecewise(str(url), draw(st.sampled_from([0.1, 0.9])), draw(PIECES), draw(st.booleans()))
        for url in urls
    ]


def piecewise(url: str, relevance: float, pieces: list[Piece], is_sport: bool) -> Lesson:
    leaves, links = list[str](), dict[str, LessonLink]()
    for piece in pieces:
        if piece.target is not None:
            first, last = (len(leaves), len(leaves) + len(piece.leaves) - 1) if piece.leaves else (-1, -1)
            links.setdefault(at(str(piece.target)), LessonLink(at(str(piece.target)), first, last))
        leaves += piece.leaves
    topics = ("Sport/Golf",) if is_sport else ("Arts",)
    stream = stream_of(leaves)
    return Lesson(url=at(url), relevance=relevance, topics=topics, links=tuple(links.values()), stream=stream)


class Afterwards:
    """All instances and promises at the end of a log, by definition: page by page, link by link."""

    def __init__(self, lessons: list[Lesson], *, d_max: int, extras: bool) -> None:
        self._moved = {lesson.url: lesson.links[0].url for lesson in lessons if lesson.redirect}
        self._pages = [lesson for lesson in lessons if not lesson.redirect]
        self._fetched = {lesson.url: place for place, lesson in enumerate(self._pages)}
        self._d_max, self._extras = d_max, extras

    def scores(self) -> dict[str, float]:
        """Return those of URLs that were not fetched, or nothing if one bucket is empty."""
        bayes, buckets = Bayes(), set[bool]()
        for lesson in self._pages:
            features = self._features(lesson)
            for row, target in enumerate(self._targets(lesson)):
                if target in self._fetched and target != lesson.url:
                    high = (self._pages[self._fetched[target]].relevance or 0.0) >= HIGH_FROM
                    bayes.learn(of(features, row), np.array([high]))
                    buckets.add(high)
        return self._best(bayes) if len(buckets) == 2 else {}

    def _best(self, bayes: Bayes) -> dict[str, float]:
        best = dict[str, float]()
        for lesson in self._pages:
            promises = bounded(bayes.log_odds(self._features(lesson))).tolist()
            for target, promise in zip(self._targets(lesson), promises, strict=True):
                if target not in self._fetched:
                    best[target] = max(best.get(target, 0.0), promise)
        return best

    def _targets(self, lesson: Lesson) -> list[str]:
        return [self._onward(link.url) for link in lesson.links]

    def _onward(self, url: str) -> str:
        return self._onward(self._moved[url]) if url in self._moved else url

    def _features(self, lesson: Lesson) -> Features:
        first, last = (np.array(side, dtype=np.int64) for side in ([one.first_leaf for one in lesson.links], [one.last_leaf for one in lesson.links]))  # fmt: skip
        words = text_features(unpack(lesson.stream), first, last, d_max=self._d_max)
        if not self._extras:
            return words
        fetched = [self._fetched.get(target, LATER) for target in self._targets(lesson)]
        relevance = [np.nan if place == LATER else self._pages[place].relevance for place in fetched]
        return joined(
            words,
            topic_features(lesson.topics, links=len(lesson.links)),
            cited_features(first, last, np.array(relevance, dtype=np.float64), np.array(fetched, dtype=np.int64), d_max=self._d_max),
        )  # fmt: skip


def of(features: Features, row: int) -> Features:
    own = features.rows == row
    count = int(np.count_nonzero(own))
    return Features(
        links=1, rows=np.zeros(count, dtype=np.int64), tokens=features.tokens[own], offsets=features.offsets[own]
    )


@pytest.mark.parametrize("extras", [False, True])
@settings(max_examples=60, deadline=None)
@given(data=st.data(), d_max=st.integers(1, 3))
def test_each_link_between_fetched_pages_is_learnt_from_once(extras: bool, data: st.DataObject, d_max: int) -> None:
    """Whether the page or its target came first, and however many redirects there are between.

    With what links nearby led to there are none: how much of that was known is said by where links led then, not now.
    """
    log = data.draw(logs(redirects=not extras))
    model = taught(*log, d_max=d_max, topics=extras, cocitation=extras)
    for url, expected in Afterwards(log, d_max=d_max, extras=extras).scores().items():
        assert score(model, url.removeprefix(at(""))) == pytest.approx(expected)


def same(one: State, other: State) -> bool:
    return one.keys() == other.keys() and all(
        array.dtype == other[name].dtype and array.tobytes() == other[name].tobytes() for name, array in one.items()
    )


@settings(max_examples=60, deadline=None)
@given(log=logs(), cut=st.integers(0, PLACES), d_max=st.integers(0, 2), extras=st.booleans())
def test_what_is_restored_goes_on_as_if_nothing_had_happened(
    log: list[Lesson], cut: int, d_max: int, extras: bool
) -> None:
    whole = taught(*log, d_max=d_max, topics=extras, cocitation=extras)
    before = taught(*log[:cut], d_max=d_max, topics=extras, cocitation=extras)
    after = taught(d_max=d_max, topics=extras, cocitation=extras)
    after.restore(before.state())
    for lesson in log[cut:]:
        assert after.learn(lesson).reasons == before.learn(lesson).reasons
    assert same(after.state(), whole.state())
    assert same(before.state(), whole.state())
    waiting = whole.ground.waiting()
    assert after.scores(waiting).tobytes() == whole.scores(waiting).tobytes()


def test_a_checkpoint_is_as_good_as_the_log(tmp_path: Path) -> None:
    lessons = lists(30, telling_at=-3)
    whole, after = taught(*lessons, d_max=0, start=100), taught(d_max=0, start=100)
    before = taught(*lessons[:101], d_max=0, start=100)
    checkpoints = Checkpoints(tmp_path)
    checkpoints.keep(before, kind="bayes", critic=1, lessons=101)
    assert checkpoints.restore(after, kind="bayes", critic=1, most=500) == 101
    for lesson in lessons[101:]:
        after.learn(lesson)
    assert same(after.state(), whole.state())


@given(log=logs(), d_max=st.integers(1, 2))
@settings(max_examples=30, deadline=None)
def test_urls_do_not_change_each_others_scores(log: list[Lesson], d_max: int) -> None:
    model = taught(*log, d_max=d_max, topics=True, cocitation=True)
    waiting = model.ground.waiting()
    alone = [model.scores(np.array([url]))[0] for url in waiting.tolist()]
    assert model.scores(waiting[::-1]).tolist() == alone[::-1]


def many_lessons(pages: int, *, urls: int, seed: int = 1) -> list[Lesson]:
    """Make up pages of 200 leaves and fifty links."""
    draw = np.random.default_rng(seed)
    return [some_page(this, draw.choice(urls, 50, replace=False), draw) for this in range(pages)]


def some_page(this: int, targets: NDArray[np.int64], draw: np.random.Generator) -> Lesson:
    sizes = draw.integers(0, 5, size=200)
    words = draw.integers(0, 20_000, size=int(sizes.sum())).astype(np.uint32)
    stream = WordStream(words=words, starts=np.cumsum([0, *sizes]).astype(np.uint32), page=words[:0])
    links = tuple(LessonLink(at(str(url)), 4 * place, 4 * place) for place, url in enumerate(targets.tolist()))
    return Lesson(url=at(str(this)), relevance=0.9 if this % 4 == 0 else 0.1, links=links, stream=pack(stream))


def test_a_page_of_fifty_links_is_learnt_quickly_and_a_frontier_scored_at_once() -> None:
    """The measured times are 0.9 ms a page, and 0.05 s for 20,000 links; much more is allowed, for machines are busy."""
    lessons = many_lessons(400, urls=10_000)
    model = BayesModel(CRITIC, d_max=5, start=50)
    begun = process_time()
    for lesson in lessons:
        model.learn(lesson)
    assert (process_time() - begun) / len(lessons) < 8e-3
    waiting = model.ground.waiting()
    begun = process_time()
    scores = model.scores(waiting)
    assert process_time() - begun < 0.5
    assert len(scores) > 8_000
