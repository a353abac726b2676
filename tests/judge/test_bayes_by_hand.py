"""Naive Bayes against the papers' formulas (RELATIONAL §2.1.1), written out with exact fractions on a tree to follow by
hand.

root ──┬── Sport ──┬── Cycling   "wheel wheel road"   "wheel hill"
       │           ├── Golf      "club club green"
       │           └── (here)    "match score"
       ├── Arts                  "green paint"        "paint paint road"
       └── (OTHERS)              "rain tax"
"""

import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from scenthound.judge.critic import Example, Lessons, Page
from scenthound.judge.models.bayes import BayesLearner
from scenthound.parse.words.terms import Terms
from scenthound.taxonomy import OTHERS, Topic, Topics

Words = list[str]

CYCLING = [["wheel", "wheel", "road"], ["wheel", "hill"]]
GOLF = [["club", "club", "green"]]
HERE = [["match", "score"]]
ARTS = [["green", "paint"], ["paint", "paint", "road"]]
NOTHING = [["rain", "tax"]]
SPORT = CYCLING + GOLF + HERE


def page(words: Words) -> Page:
    counts = Counter(words)
    main = np.array(list(counts.values()), dtype=np.uint16)
    none = np.zeros_like(main)
    return Page(terms=Terms(terms=tuple(counts), title=none, main=main, rest=none))


def the_lessons() -> Lessons:
    taught = {"Sport/Cycling": CYCLING, "Sport/Golf": GOLF, "Sport": HERE, "Arts": ARTS}
    return Lessons(
        topics=Topics(topics=tuple(Topic(path=path) for path in taught)),
        examples=tuple(
            Example(topic=path, name="", page=page(words)) for path, documents in taught.items() for words in documents
        ),
        others=tuple(page(words) for words in NOTHING),
    )


def theta(term: str, child: list[Words], parent: list[Words]) -> Fraction:
    """Formula (1): what each term has been seen, plus 1, over all terms seen in the child plus those known at the
    parent.
    """
    seen = sum(words.count(term) for words in child)
    return Fraction(1 + seen, len({word for words in parent for word in words}) + sum(len(words) for words in child))


def posteriors(page: Words, children: list[list[Words]], features: set[str] | None = None) -> list[Fraction]:
    """Formula (2): the prior times the product of θ over the page's terms, divided by the sum over all children."""
    parent = [words for child in children for words in child]
    shares = []
    for child in children:
        share = Fraction(len(child), len(parent))
        for term in page:
            if term in (features or {word for words in parent for word in words}):
                share *= theta(term, child, parent)
        shares.append(share)
    return [share / sum(shares) for share in shares]


def by_hand(page: Words) -> dict[str, Fraction]:
    """The chain rule: Pr of a leaf is the product of the choices on the way to it."""
    sport, arts, nothing = posteriors(page, [SPORT, ARTS, NOTHING])
    cycling, golf, here = posteriors(page, [CYCLING, GOLF, HERE])
    leaves = {"Sport/Cycling": sport * cycling, "Sport/Golf": sport * golf, "Sport": sport * here}
    return leaves | {"Arts": arts, OTHERS: nothing}


def test_one_number_that_needs_no_computer() -> None:
    """A page "green", at the choice between Cycling, Golf and neither.

    Sport's documents know 7 terms. Cycling has 5 words, none of them "green": θ = 1/12. Golf has 3, one of them
    "green": θ = 2/10. The last has 2: θ = 1/9. The priors are 2/4, 1/4, 1/4; their products 1/24, 1/20 and 1/36.
    """
    assert posteriors(["green"], [CYCLING, GOLF, HERE]) == [Fraction(15, 43), Fraction(18, 43), Fraction(10, 43)]
    critic = BayesLearner(calibrated=False).fit(the_lessons())
    in_sport = np.exp(critic.log_posteriors([page(["green"])])[1])
    assert in_sport[0] == pytest.approx([15 / 43, 18 / 43, 10 / 43], abs=1e-12)


@pytest.mark.parametrize(
    "text",
    [
        "green",
        "wheel wheel wheel road hill",
        "club paint score tax",
        "words that nobody knows",
        "road road green green green match",
        "",
    ],
)
def test_the_critic_is_the_papers_own(text: str) -> None:
    critic = BayesLearner(calibrated=False).fit(the_lessons())
    expected = by_hand(text.split())
    [row] = critic.judge([page(text.split())])
    assert set(critic.classes) == set(expected)
    for path, probability in zip(critic.classes, row, strict=True):
        assert probability == pytest.approx(float(expected[path]), abs=1e-9, rel=1e-9)


def test_a_page_whose_probability_no_float_can_hold() -> None:
    """θ to the power of 3,000 is nothing at all unless one reckons with logarithms; the quotient of two is far from
    that.
    """
    words = ["wheel"] * 1000 + ["club"] * 1000 + ["green"] * 1000
    logs = [
        math.log(Fraction(len(child), 4))
        + sum(1000 * math.log(theta(term, child, SPORT)) for term in ("wheel", "club", "green"))
        for child in (CYCLING, GOLF, HERE)
    ]
    assert max(logs) < math.log(1e-308)
    critic = BayesLearner(calibrated=False).fit(the_lessons())
    found = critic.log_posteriors([page(words)])[1][0]
    assert found - found.max() == pytest.approx(np.array(logs) - max(logs), rel=1e-9)


def test_only_the_terms_that_tell_children_apart_are_looked_at() -> None:
    """Fisher's index by hand, and the posteriors with nothing but the three best terms of the root."""
    children = [SPORT, ARTS, NOTHING]
    terms = sorted({word for child in children for words in child for word in words})
    best = set(sorted(terms, key=lambda term: -fisher(term, children))[:3])
    assert best == {"rain", "tax", "paint"}
    critic = BayesLearner(features=3, calibrated=False).fit(the_lessons())
    assert set(critic.nodes[0].terms) == best
    words = ["paint", "tax", "wheel", "club"]
    found = np.exp(critic.log_posteriors([page(words)])[0][0])
    assert found == pytest.approx([float(share) for share in posteriors(words, children, best)], abs=1e-9)


def fisher(term: str, children: list[list[Words]]) -> Fraction:
    """How far the means of n(d, t) / n(d) lie apart, against their spread within the children and their own
    uncertainty.
    """
    rates = [[Fraction(words.count(term), len(words)) for words in child] for child in children]
    means = [sum(child, Fraction()) / len(child) for child in rates]
    between = sum(((a - b) ** 2 for i, a in enumerate(means) for b in means[:i]), Fraction())
    within = Fraction()
    for child, mean in zip(rates, means, strict=True):
        within += (sum(((rate - mean) ** 2 for rate in child), Fraction()) + mean**2) / len(child)
    return between / within
