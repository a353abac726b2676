"""A query as a topic: its words are the first and only example (BINGO §2)."""

from scenthound.errors import TopicsError
from scenthound.taxonomy import Topic, Topics
from scenthound.topics.url_topics import INTEREST


def topics_of_query(words: str, *, path: str = INTEREST) -> Topics:
    """Make one good topic from the words of a query.

    >>> topics_of_query(" aries  recovery method ").good[0].query
    'aries recovery method'
    """
    query = " ".join(words.split())
    if not any(letter.isalnum() for letter in query):
        raise TopicsError('a query needs words, such as --query "long distance cycling"')
    return Topics(topics=(Topic(path=path, good=True, query=query),))
