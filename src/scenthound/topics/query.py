"""A query in words as a topic: the words are a virtual example, all the training there is at first (BINGO §2)."""

from scenthound.errors import TopicsError
from scenthound.taxonomy import Topic, Topics
from scenthound.topics.urls import INTEREST


def topics_of_query(words: str, *, path: str = INTEREST) -> Topics:
    """Make one good topic of the words of a query.

    >>> topics_of_query(" aries  recovery method ").good[0].query
    'aries recovery method'
    """
    query = " ".join(words.split())
    if not any(letter.isalnum() for letter in query):
        raise TopicsError('a query takes words, such as --query "long distance cycling"')
    return Topics(topics=(Topic(path=path, good=True, query=query),))
