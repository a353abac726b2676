"""Writes the demo web's text: sentences, titles and link texts from a small grammar and a topic's words.

Every text is a function of its dice, and the dice are a function of their name. So any page can be written at any time,
on any machine, without the others.
"""

import random
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any, TypeVar

T = TypeVar("T")

_MONTHS = "January February March April May June July August September October November December"
MONTHS = tuple(_MONTHS.split())


class Dice:
    """Random choices that follow from a name. Only `random()` is used: Python promises never to change its sequence."""

    def __init__(self, *name: object) -> None:
        self._random = random.Random(" ".join(map(str, name))).random

    def chance(self, probability: float) -> bool:
        return self._random() < probability

    def between(self, low: int, high: int) -> int:
        return low + int(self._random() * (high - low + 1))

    def pick(self, items: Sequence[T]) -> T:
        return items[int(self._random() * len(items))]

    def pick_early(self, items: Sequence[T]) -> T:
        """Pick one, with a strong preference for the front: the in-links then follow a power law."""
        return items[int(self._random() ** 3 * len(items))]

    def some(self, items: Sequence[T], count: int) -> list[T]:
        """Pick that many different ones, or all."""
        left = list(items)
        return [left.pop(int(self._random() * len(left))) for _ in range(min(count, len(left)))]


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """The material of a text: word lists by their name in the grammar, and sentence and title patterns."""

    nouns: tuple[str, ...]
    stuff: tuple[str, ...]
    traits: tuple[str, ...]
    deeds: tuple[str, ...]
    folk: tuple[str, ...]
    shared: dict[str, tuple[str, ...]]
    sentences: tuple[str, ...]
    titles: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Foreign:
    """The words of a language, as plurals only, which keeps its grammar simple."""

    topic: str
    lists: dict[str, tuple[str, ...]]
    sentences: tuple[str, ...]
    titles: tuple[str, ...]
    more: str
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """All words of the demo web, by topic and by language."""

    topics: dict[str, Words]
    foreign: dict[str, Foreign]
    leads: tuple[str, ...]
    vague: tuple[str, ...]
    sites: dict[str, tuple[str, ...]]


def load_vocabulary() -> Vocabulary:
    """Read words.toml."""
    data = tomllib.loads(resources.files("scenthound.demo").joinpath("words.toml").read_text("utf-8"))
    shared = {name: _split(words) for name, words in data["shared"].items()}
    grammar = data["grammar"]
    inner = {path.rpartition("/")[0] for path in data["topics"]}
    return Vocabulary(
        topics={path: _words(data["topics"], path, shared, grammar) for path in data["topics"] if path not in inner},
        foreign={language: _foreign(words) for language, words in data["foreign"].items()},
        leads=tuple(grammar["leads"]),
        vague=tuple(grammar["vague"]),
        sites={topic: _split(names) for topic, names in data["sites"].items()},
    )


_LISTS = ("nouns", "stuff", "traits", "deeds", "folk")


def _words(topics: dict[str, Any], path: str, shared: dict[str, tuple[str, ...]], grammar: dict[str, Any]) -> Words:
    own, above = topics[path], topics.get(path.rpartition("/")[0], {})
    lists = {name: _split(own[name]) + _split(above.get(name, "")) for name in _LISTS}
    return Words(**lists, shared=shared, sentences=tuple(grammar["sentences"]), titles=tuple(grammar["titles"]))


def _foreign(data: dict[str, Any]) -> Foreign:
    lists = {"many": data["many"], "stuff": data["stuff"], "do": data["deeds"], "where": data["places"]}
    return Foreign(
        topic=data["topic"],
        lists={name: _split(words) for name, words in lists.items()},
        sentences=tuple(data["sentences"]),
        titles=tuple(data["titles"]),
        more=data["more"],
        labels=tuple(data["labels"]),
    )


def _split(words: str) -> tuple[str, ...]:
    return tuple(word.replace("_", " ") for word in words.split())


class Writer:
    """Writes English about one subject: a few words of a topic that recur in the text."""

    def __init__(self, words: Words, dice: Dice, focus: Sequence[str] = ()) -> None:
        self._words = words
        self._dice = dice
        self._focus = tuple(focus)

    def focus(self) -> tuple[str, ...]:
        """Choose the main nouns of a text."""
        return tuple(self._dice.some(self._words.nouns, 4))

    def title(self) -> str:
        return self._fill(self._dice.pick(self._words.titles))

    def sentence(self) -> str:
        return self._fill(self._dice.pick(self._words.sentences))

    def paragraph(self, sentences: int) -> str:
        return " ".join(self._fill(pattern) for pattern in self._dice.some(self._words.sentences, sentences))

    def phrase(self) -> str:
        """Return a few words that name the subject, as link texts do."""
        noun = singular(self._noun())
        forms = (plural(self._noun()), f"{self._dice.pick(self._words.traits)} {noun}", f"{noun} and {self._stuff()}")
        return self._dice.pick(forms)

    def lead(self, pattern: str) -> tuple[str, str]:
        """Fill a sentence that leads to a link; return the parts before and after the link."""
        before, _, after = self._fill(pattern.replace("{about}", self.phrase()), but="link").partition("{link}")
        return before, after

    def _fill(self, pattern: str, but: str = "") -> str:
        said: list[str] = []

        def fill(slot: re.Match[str]) -> str:
            if slot[1] == but:
                return slot[0]
            said.append(self._unsaid(slot[1], said))
            return said[-1]

        text = _A_VOWEL.sub(r"\1n ", _SLOT.sub(fill, pattern))  # some slots follow an article of the pattern
        return text[:1].upper() + text[1:]

    def _unsaid(self, name: str, said: Sequence[str]) -> str:
        """Fill a slot, if possible with a word that is new in the sentence."""
        for _ in range(3):
            if (words := self._slot(name)) not in said:
                break
        return words

    def _slot(self, name: str) -> str:
        dice, words = self._dice, self._words
        match name:
            case "a":
                return article(self._described())
            case "the":
                return "the " + self._described()
            case "many":
                trait = dice.pick(words.traits) + " " if dice.chance(0.3) else ""
                return trait + plural(self._noun())
            case "one":
                return singular(self._noun())
            case "stuff":
                return self._stuff()
            case "trait":
                return dice.pick(words.traits)
            case "folk":
                return dice.pick(words.folk)
            case "do" | "does" | "doing" | "done":
                return conjugated(dice.pick(words.deeds), name)
            case "month":
                return dice.pick(MONTHS)
            case "year":
                return str(dice.between(1962, 2024))
            case "count":
                return dice.pick(_COUNTS)
            case "who":
                return f"{dice.pick(words.shared['people'])} {dice.pick(words.shared['surnames'])}"
            case _:
                return dice.pick(words.shared[_SHARED[name]])

    def _noun(self) -> str:
        return self._dice.pick(self._focus if self._focus and self._dice.chance(0.6) else self._words.nouns)

    def _stuff(self) -> str:
        return self._dice.pick(self._words.stuff)

    def _described(self) -> str:
        noun = singular(self._noun())
        return f"{self._dice.pick(self._words.traits)} {noun}" if self._dice.chance(0.4) else noun


_SLOT = re.compile(r"\{(\w+)\}")
_A_VOWEL = re.compile(r"\b([Aa]) (?=[aeio8]|u[mnp])", re.IGNORECASE)
_COUNTS = ("two", "three", "four", "five", "six", "seven", "eight", "ten", "twelve")
_SHARED = {"where": "places", "opinion": "opinions", "outlet": "outlets"}


class ForeignWriter:
    """Writes German or French with the interface of `Writer`."""

    def __init__(self, words: Foreign, dice: Dice) -> None:
        self._words = words
        self._dice = dice

    def title(self) -> str:
        return self._fill(self._dice.pick(self._words.titles))

    def sentence(self) -> str:
        return self._fill(self._dice.pick(self._words.sentences))

    def paragraph(self, sentences: int) -> str:
        return " ".join(self._fill(pattern) for pattern in self._dice.some(self._words.sentences, sentences))

    def phrase(self) -> str:
        return self._dice.pick(self._words.lists["many"])

    def lead(self, _pattern: str) -> tuple[str, str]:
        return self._words.more + " ", ""

    def _fill(self, pattern: str) -> str:
        left = {name: list(words) for name, words in self._words.lists.items()}  # no word twice in a sentence
        text = _SLOT.sub(lambda slot: left[slot[1]].pop(self._dice.between(0, len(left[slot[1]]) - 1)), pattern)
        return text[:1].upper() + text[1:]


def singular(noun: str) -> str:
    return noun.partition("/")[0]


def plural(noun: str) -> str:
    """Return a noun's plural.

    >>> [plural(noun) for noun in ("rope", "bench", "leaf/leaves", "frame of brood", "quarry", "jay")]
    ['ropes', 'benches', 'leaves', 'frames of brood', 'quarries', 'jays']
    """
    one, _, given = noun.partition("/")
    if given:
        return given
    first, of, rest = one.partition(" of ")
    if first.endswith(("s", "x", "z", "ch", "sh")):
        return first + "es" + of + rest
    if first.endswith("y") and first[-2] not in "aeiou":
        return first[:-1] + "ies" + of + rest
    return first + "s" + of + rest


def article(words: str) -> str:
    """Put the indefinite article before words.

    >>> article("old oven"), article("hive"), article("8-bit chip")
    ('an old oven', 'a hive', 'an 8-bit chip')
    """
    return _A_VOWEL.sub(r"\1n ", f"a {words}")


def conjugated(deed: str, form: str) -> str:
    """Return a regular verb in a form; only its first word changes.

    >>> [conjugated(verb, form) for verb, form in (("carve", "doing"), ("roll out", "done"), ("polish", "does"))]
    ['carving', 'rolled out', 'polishes']
    """
    verb, space, rest = deed.partition(" ")
    if form == "doing":
        verb = (verb[:-1] if verb.endswith("e") else verb) + "ing"
    elif form == "done":
        verb += "d" if verb.endswith("e") else "ed"
    elif form == "does":
        verb += "es" if verb.endswith(("s", "sh", "ch", "x")) else "s"
    return verb + space + rest
