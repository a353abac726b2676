"""BulkProbe and SingleProbe give the critic's own probabilities, on any tree and any pages."""

import re
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.judge.critic import Example, Lessons, Page
from scenthound.judge.models.bags import Text
from scenthound.judge.models.bayes import BayesCritic, BayesLearner
from scenthound.judge.probe.bulk import statements
from scenthound.judge.probe.documents import read_judged
from scenthound.judge.probe.probe_critic import Way, probe_one_by_one, probing
from scenthound.judge.probe.relations import KID
from scenthound.judge.probe.single import Records, probe_blob, probe_stat
from scenthound.parse.words.terms import Terms
from scenthound.taxonomy import Topic, Topics
from tests.judge.small_pages import examples, lessons, page, spoken_page
from tests.often import often

CYCLING, GOLF, MUSIC = "Sport/Cycling", "Sport/Golf", "Arts/Music"
PATHS = ("a", "a/b", "a/c", "a/c/d", "e", "f/g/h", "f/i")
WORDS = ("wheel", "road", "hill", "club", "green", "paint", "rain", "tax", "match", "score")


def counted(counts: Sequence[tuple[int, int, int]]) -> Page:
    """A page with these counts (in title, main text and the rest) of the first words."""
    title, main, rest = (
        (np.array(column, dtype=np.uint16) for column in zip(*counts, strict=True))
        if counts
        else [np.zeros(0, dtype=np.uint16)] * 3
    )
    return Page(url="http://any.test/", terms=Terms(terms=WORDS[: len(counts)], title=title, main=main, rest=rest))


count = st.tuples(st.integers(0, 3), st.integers(0, 40), st.integers(0, 5))
pages = st.builds(counted, st.lists(count, max_size=len(WORDS)))


@st.composite
def critics(draw: st.DrawFn) -> BayesCritic:
    taught = draw(st.lists(st.tuples(st.sampled_from(PATHS), pages), min_size=1, max_size=14))
    taught_lessons = Lessons(
        topics=Topics(topics=tuple(Topic(path=path) for path in PATHS)),
        examples=tuple(Example(topic=path, name="", page=page) for path, page in taught),
        others=tuple(draw(st.lists(pages, max_size=3))),
    )
    texts: list[Text] = ["main", "all"]
    text = draw(st.sampled_from(texts))
    learner = BayesLearner(text=text, features=draw(st.sampled_from([2, 5, 20])), calibrated=draw(st.booleans()))
    return learner.fit(taught_lessons)


@pytest.mark.slow
@given(critic=critics(), shown=st.lists(pages, min_size=1, max_size=6))
@often(25)
def test_both_ways_are_the_critic(critic: BayesCritic, shown: list[Page]) -> None:
    own = critic.judge(shown)
    with probing(critic) as probe:
        for way in Way:
            assert np.abs(probe.judge(shown, way) - own).max() < 1e-9
        dids = probe.add(shown, first=7)
        probe_one_by_one(probe.con, dids, Records.STAT)
        assert np.abs(read_judged(probe.con, dids, probe.numbers) - own).max() < 1e-9


@pytest.fixture(scope="module")
def critic() -> BayesCritic:
    return BayesLearner().fit(lessons(*examples(CYCLING, 6), *examples(GOLF, 6), *examples(MUSIC, 6), others=6))


def test_the_papers_tables_hold_the_critic(critic: BayesCritic) -> None:
    topics = Topics(topics=(Topic(path=CYCLING, good=True), Topic(path=GOLF), Topic(path=MUSIC)))
    with probing(critic, topics) as probe:
        rows = probe.con.execute("SELECT kcid, pcid, name, type FROM TAXONOMY ORDER BY kcid").fetchall()
        assert rows == [
            (0, None, "", "path"),
            (1, 0, "Sport", "path"),
            (2, 0, "Arts", "null"),
            (3, 0, "", "null"),
            (4, 1, CYCLING, "good"),
            (5, 1, GOLF, "null"),
            (6, 2, MUSIC, "null"),
        ]
        golf = "SELECT s.kcid, s.logtheta FROM STAT s JOIN TERM USING (tid) WHERE term = 'putter' AND pcid = 1"
        [(kcid, logtheta)] = probe.con.execute(golf)
        assert (kcid, logtheta < 0) == (5, True)


def test_a_record_of_blob_is_the_rows_of_stat(critic: BayesCritic) -> None:
    with probing(critic) as probe:
        keys = probe.con.execute("SELECT pcid, tid FROM FEATURE").fetchall()
        assert len(keys) > 50
        for c0, tid in keys:
            rows = list(probe_stat(probe.con, c0, tid))
            assert rows
            assert list(probe_blob(probe.con, c0, tid)) == rows
        assert KID.size == 12


def test_a_page_that_says_nothing_known_is_judged_by_the_priors(critic: BayesCritic) -> None:
    silent = spoken_page("http://odd.test/", "zyzzyva quincunx")
    with probing(critic) as probe:
        for way in Way:
            found = probe.judge([silent, page(GOLF, 9)], way)
            assert found[0] == pytest.approx(critic.judge([silent])[0], abs=1e-12)
        assert probe.judge([]).shape == (0, len(critic.classes))


def test_probabilities_of_inner_topics_are_sums_of_those_below(critic: BayesCritic) -> None:
    with probing(critic) as probe:
        probe.judged(probe.add([page(CYCLING, number) for number in range(20, 25)]), Way.BULK)
        sums = """
            SELECT max(abs(exp(u.lpr) - below.total)) FROM JUDGED u JOIN (
                SELECT pcid, did, sum(exp(lpr)) AS total FROM JUDGED JOIN TAXONOMY USING (kcid) GROUP BY pcid, did
            ) AS below ON below.pcid = u.kcid AND below.did = u.did"""
        [(error,)] = probe.con.execute(sums)
        assert error < 1e-12


def test_bulk_probe_reads_both_indexes_in_the_order_of_terms(critic: BayesCritic) -> None:
    """The speed hangs on this plan: STAT or FEATURE of c0 outside, and DOCUMENT sought by term."""
    with probing(critic) as probe:
        probe.judged(probe.add([page(GOLF, 1)]), Way.BULK)
        asked = [f"EXPLAIN QUERY PLAN {statement}" for statement in statements() if ":c0" in statement]
        plan = [row[3] for question in asked for row in probe.con.execute(question, {"c0": 0})]
    tables = "".join(found[1] for line in plan if (found := re.match(r"SEARCH (?:TABLE \w+ AS )?(\w)\b", line)))
    assert "std" in tables
    assert "fd" in tables
