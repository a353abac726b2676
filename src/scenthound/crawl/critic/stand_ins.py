"""Pages that stand for the words of a topic until the user names pages: the canonical tree's, and the best answers
crawled.

The answers are chosen again at each stage, by the words and their place in the tree (`judge.canonical.query_pages`),
never by the critic: one wrong answer does not bring the next.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from scenthound.counted import count
from scenthound.judge.canonical.query_pages import best_answers, few_tree_pages, tree_pages
from scenthound.judge.critic import Example, Page
from scenthound.taxonomy import Topic, Topics

FEW: Final = 2  # examples of a topic, its words included, up to which its words need pages that stand for them
MOST_ANSWERS: Final = 10  # crawled pages that stand for the words of a query
PAGES_AN_ANSWER: Final = 5  # crawled pages for each of them: few at first, when hardly one is right


def topics_by_words(topics: Topics, examples: Sequence[Example]) -> list[Topic]:
    """Return the topics that have words and hardly an example."""
    own = Counter(example.topic for example in examples)
    return [topic for topic in topics.topics if topic.query and own[topic.path] <= FEW]


def stand_ins(topics: Topics, examples: Sequence[Example], at_hand: Sequence[Page]) -> tuple[Example, ...]:
    """Return pages that stand for the words of topics with few examples."""
    known = {example.page.url for example in examples}
    crawled = [page for page in at_hand if page.url not in known]
    return tuple(
        Example(topic=topic.path, name=page.url, page=page, assumed=True)
        for topic in topics_by_words(topics, examples)
        for page in _pages_for(topic.query, crawled)
    )


def _pages_for(query: str, crawled: Sequence[Page]) -> list[Page]:
    answers = best_answers(query, crawled, most=min(MOST_ANSWERS, len(crawled) // PAGES_AN_ANSWER))
    return [*few_tree_pages(query, most=MOST_ANSWERS), *answers] if answers else tree_pages(query)


def in_words(found: Sequence[Example]) -> str:
    """Say how many pages of the tree and of the crawl there are.

    >>> crawled = Example(topic="Wanted", name="http://a.test/", page=Page(url="http://a.test/"))
    >>> in_words([crawled, Example(topic="Wanted", name="background:Otter", page=Page(url="background:Otter"))])
    '1 page of the canonical tree and 1 page of the crawl'
    """
    crawled = sum(bool(example.page.site) for example in found)
    of_tree = f"{count(len(found) - crawled, 'page')} of the canonical tree"
    return f"{of_tree} and {count(crawled, 'page')} of the crawl" if crawled else of_tree
