"""Pages that stand for words: the tree's at first, then the best answers of the crawl, and nothing once pages are named."""

from scenthound.crawl.critic.stand_ins import stand_ins, topics_by_words
from scenthound.judge.canonical.query_pages import query_page
from scenthound.judge.critic import Example, Page
from scenthound.parse.words.page_terms import terms_of_text
from scenthound.taxonomy import Topic, Topics

WANTED = "Wanted"
TOPICS = Topics(topics=(Topic(path=WANTED, good=True, query="cooking recipes"),))
WORDS = Example(topic=WANTED, name="cooking recipes", page=query_page("cooking recipes"), assumed=True)


def page(name: str, text: str) -> Page:
    return Page(url=f"http://{name}.test/", terms=terms_of_text(text * 3, language="en"))


DISHES = [
    page(dish, f"A recipe for {dish}: cook it slowly in a large pot with an onion. ") for dish in ("stew", "soup")
]
OTHERS = [page(f"moon{number}", "The moon orbits the earth, and telescopes show its craters. ") for number in range(18)]


def named(found: tuple[Example, ...]) -> list[str]:
    return [one.name for one in found]


def test_before_the_crawl_the_tree_explains_the_words() -> None:
    found = stand_ins(TOPICS, [WORDS], [])
    assert len(found) >= 4
    assert all(name.startswith("background:") for name in named(found))


def test_answers_of_the_crawl_join_and_few_pages_of_the_tree_stay() -> None:
    found = stand_ins(TOPICS, [WORDS], [*OTHERS, *DISHES])
    assert {name for name in named(found) if name.startswith("http")} == {"http://stew.test/", "http://soup.test/"}
    assert 1 <= len(found) - 2 <= 10
    assert all(one.assumed for one in found), "they do not count when the critic is tried"


def test_an_example_does_not_stand_for_words_as_well() -> None:
    own = Example(topic=WANTED, name=DISHES[0].url, page=DISHES[0])
    assert DISHES[0].url not in named(stand_ins(TOPICS, [WORDS, own], [*OTHERS, *DISHES]))


def test_examples_take_over() -> None:
    own = [Example(topic=WANTED, name=dish.url, page=dish) for dish in DISHES]
    assert topics_by_words(TOPICS, [WORDS, *own]) == []
    assert stand_ins(TOPICS, [WORDS, *own], OTHERS) == ()
