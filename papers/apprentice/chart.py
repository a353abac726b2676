"""The topics of a world's pages, judged by a critic that knows the whole taxonomy (APPRENTICE §2.2.3).

The critic that leads a crawl of the lab knows what is wanted from what is not. The paper's knew 482 topics; this one
knows all that the world's labels name, from a few examples each.
"""

import random
from typing import Final

from scenthound.judge.critic import Example, Lessons, Page
from scenthound.judge.critic_kinds import learner_of
from scenthound.judge.relevance import judgements
from scenthound.lab.experiment.seeds import seed_of
from scenthound.lab.runs.critics import judged
from scenthound.lab.world.world import World
from scenthound.parse.words.terms import unpack
from scenthound.settings.schema import CriticSettings
from scenthound.taxonomy import Topic, Topics

KIND: Final = "bayes"  # as in the paper
EXAMPLES: Final = 10
FEWEST: Final = 4  # pages that a topic must have; at most half of them are examples

Chart = tuple[tuple[str, ...], ...]


def chart(world: World, *, seed: int) -> Chart:
    """Return the likeliest topics of each page; nothing in a world with fewer than two topics."""
    examples = tuple(_examples(world, topic, pages, seed) for topic, pages in _labelled(world).items())
    if len(examples) < 2:
        return ((),) * len(world.urls)
    topics = Topics(topics=tuple(Topic(path=own[0].topic) for own in examples))
    lessons = Lessons(topics=topics, examples=tuple(example for own in examples for example in own))
    critic = learner_of(CriticSettings(kind=KIND)).fit(lessons, seed=seed)
    return tuple(judgement.topics for judgement in judgements(judged(world, critic), critic.classes, topics))


def _labelled(world: World) -> dict[str, list[int]]:
    """Return the pages of each topic that is large enough, by what they are labelled with themselves."""
    found: dict[str, list[int]] = {}
    for number, topics in enumerate(world.labels):
        for topic in topics:
            found.setdefault(topic, []).append(number)
    return {topic: pages for topic, pages in sorted(found.items()) if len(pages) >= FEWEST}


def _examples(world: World, topic: str, pages: list[int], seed: int) -> list[Example]:
    draw = random.Random(seed_of("chart", str(seed), world.name, topic))
    drawn = draw.sample(sorted(pages, key=world.urls.__getitem__), min(EXAMPLES, len(pages) // 2))
    return [Example(topic=topic, name=world.urls[number], page=_page(world, number)) for number in drawn]


def _page(world: World, number: int) -> Page:
    url = world.urls[number]
    exchange = world.exchange(url)
    assert exchange is not None, f"{url} is a page of the world"
    return Page(url=url, language=exchange.reading.language, terms=unpack(exchange.reading.terms))
