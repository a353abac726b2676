"""Before a crawl of real pages: what is foretold comes true on pages that were neither examples nor held back."""

import random
from dataclasses import dataclass

import numpy as np
import pytest

from scenthound.judge.canonical.topic_places import places
from scenthound.judge.critic import Critic, Example, Lessons, Page
from scenthound.judge.likeness import alike
from scenthound.judge.models.logistic import LogisticLearner
from scenthound.judge.quality.quality import assess
from scenthound.parse.page import read
from scenthound.parse.words.page_terms import terms_of
from scenthound.taxonomy import Topic, Topics
from scenthound.types import Fetch
from tests.parse.webs import fetches, web

pytestmark = pytest.mark.slow

GOOD = "Science/Physics/Space_Astronomy"
TOPICS = (
    GOOD,
    "Science/Physics/General_Physics",
    "Science/Biology/Mammals",
    "Science/Biology/Plants",
    "Science/Biology/Health_and_medicine",
    "Geography/European_Geography",
    "Geography/General_Geography",
    "History/World_War_II",
    "People/Writers_and_critics",
    "Everyday_life/Television",
)
TAUGHT, KEPT = 10, 30  # pages of a topic that are examples, and that nobody is shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Schools:
    """Examples of ten topics of the schools web, a critic trained on them, and other pages of the same topics."""

    lessons: Lessons
    critic: Critic
    unseen: dict[str, list[Page]]


@pytest.fixture(scope="module")
def schools() -> Schools:
    archive = web("schools")
    lines = archive.with_name("schools.labels.tsv").read_text(encoding="utf-8").splitlines()[1:]
    labels: dict[str, list[str]] = {}
    for url, topic in (line.split("\t") for line in lines):
        labels.setdefault(url, []).append(topic)
    wanted = {url: topics[0] for url, topics in labels.items() if len(topics) == 1 and topics[0] in TOPICS}
    drawn = draw(wanted)
    pages = {fetch.url: page_of(fetch) for fetch in fetches(archive) if fetch.url in drawn}
    by_topic = {topic: [pages[url] for url, its in drawn.items() if its == topic] for topic in TOPICS}
    lessons = Lessons(
        topics=Topics(topics=tuple(Topic(path=topic, good=topic == GOOD) for topic in TOPICS)),
        examples=tuple(
            Example(topic=topic, name=page.url, page=page) for topic in TOPICS for page in by_topic[topic][:TAUGHT]
        ),
    )
    unseen = {topic: by_topic[topic][TAUGHT:] for topic in TOPICS}
    return Schools(lessons=lessons, critic=LogisticLearner().fit(lessons, seed=0), unseen=unseen)


def test_what_is_foretold_of_the_critic_comes_true(schools: Schools) -> None:
    quality = assess(LogisticLearner(), schools.lessons, seed=0, budget=float("inf"))
    asked = [(topic, page) for topic, pages in schools.unseen.items() for page in pages]
    rows = schools.critic.judge([page for _, page in asked])
    best = [schools.critic.classes[place] for place in rows.argmax(axis=1)]
    accuracy = float(np.mean([topic == said for (topic, _), said in zip(asked, best, strict=True)]))
    assert quality.tested == TAUGHT * len(TOPICS)
    assert quality.accuracy == pytest.approx(accuracy, abs=0.1)
    assert quality.relevance is not None
    assert quality.relevance.average_precision > 0.8


def test_unseen_pages_find_the_topic_that_they_belong_to(schools: Schools) -> None:
    for topic, pages in schools.unseen.items():
        found = places(schools.critic, pages[:10])
        assert topic in {place.path for place in found[:2]}, topic


def test_looking_around_brings_pages_of_the_topic(schools: Schools) -> None:
    around = [page for pages in schools.unseen.values() for page in pages]
    taught = [example.page for example in schools.lessons.examples if example.topic == GOOD]
    ours = {page.url for page in schools.unseen[GOOD]}
    for critic, least in ((None, 12), (schools.critic, 16)):
        found = alike(taught, around, topic=GOOD, critic=critic, most=20)
        assert sum(likeness.page.url in ours for likeness in found) >= least


def draw(wanted: dict[str, str]) -> dict[str, str]:
    """Draw as many pages of each topic as are needed, or all that there are, by a seed of its own."""
    drawn: dict[str, str] = {}
    for topic in TOPICS:
        urls = sorted(url for url, its in wanted.items() if its == topic)
        chosen = random.Random(topic).sample(urls, min(len(urls), TAUGHT + KEPT))
        drawn |= dict.fromkeys(chosen, topic)
    return drawn


def page_of(fetch: Fetch) -> Page:
    reading = read(fetch, types=["text/html"], max_unpacked=5_000_000, product="scenthound")
    return Page(url=fetch.url, title=reading.title, language=reading.language, terms=terms_of(reading))
