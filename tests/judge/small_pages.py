"""Pages made by hand of a few words for each topic, so that a reader sees why a critic judges them as it does."""

import random

from scenthound.judge.critic import Example, Lessons, Page
from scenthound.parse.words.page_terms import terms_of_text
from scenthound.taxonomy import Topic, Topics

SAYINGS = {
    "Sport/Cycling": "bicycle pedal saddle chain helmet peloton sprocket handlebar tyre velodrome derailleur spoke",
    "Sport/Golf": "fairway putter bunker birdie caddie handicap clubhouse tee driver bogey eagle iron",
    "Arts/Music": "violin orchestra sonata melody conductor cello rhythm harmony concert opera quartet flute",
    "Arts/Painting": "canvas brush fresco pigment easel portrait gallery palette watercolour sketch varnish museum",
    "": "weather invoice kitchen passport schedule insurance parking grocery password umbrella dentist mortgage",
}
COMMON = "people year place world history number group money house water school country"


def page(topic: str, number: int, *, words: int = 60) -> Page:
    """Write a page: half of its words are the topic's, half are anybody's."""
    rng = random.Random(f"{topic} {number}")
    own, common = SAYINGS[topic].split(), COMMON.split()
    text = " ".join(rng.choice(own if place % 2 else common) for place in range(words))
    return Page(url=f"http://{topic.lower() or 'elsewhere'}.test/{number}", terms=terms_of_text(text, language="en"))


def spoken_page(url: str, text: str) -> Page:
    return Page(url=url, terms=terms_of_text(text, language="en"))


def examples(topic: str, count: int, *, first: int = 0) -> list[Example]:
    pages = [page(topic, number) for number in range(first, first + count)]
    return [Example(topic=topic, name=page.url, page=page) for page in pages]


def lessons(*taught: Example, good: tuple[str, ...] = ("Sport/Cycling",), others: int = 0) -> Lessons:
    """Teach these examples and a number of pages of no topic."""
    paths = dict.fromkeys([*(example.topic for example in taught), *good])
    topics = Topics(topics=tuple(Topic(path=path, good=path in good) for path in paths))
    return Lessons(topics=topics, examples=tuple(taught), others=tuple(page("", number) for number in range(others)))
