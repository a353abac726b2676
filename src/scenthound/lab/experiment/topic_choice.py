"""Which topics of a world are wanted, and which of them are for tuning."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase

from scenthound.errors import LabError
from scenthound.lab.experiment.experiment import LEAST_PAGES, WorldChoice
from scenthound.lab.experiment.values import Role
from scenthound.settings.file import nearest


def choose_topics(sizes: Mapping[str, int], choice: WorldChoice, *, examples: int, most: int = 0) -> dict[str, Role]:
    """Return the chosen topics with their roles, in the order of their names.

    `sizes` gives the number of pages of each topic of the world; `most` topics of a role are kept.

    >>> choice = WorldChoice(name="w", demo=7, development=("Arts*",))
    >>> chosen = choose_topics({"Arts": 90, "Arts/Music": 50, "Sport": 60, "Sport/Golf": 30}, choice, examples=10)
    >>> {topic: role.value for topic, role in chosen.items()}
    {'Arts': 'development', 'Arts/Music': 'development', 'Sport': 'test'}
    """
    for pattern in (*choice.topics, *choice.development, *choice.test):
        _refuse_strange(pattern, sizes)
    wanted = {topic: _role(topic, choice) for topic in _large(sizes, choice, examples)}
    chosen = {topic: role for topic, role in wanted.items() if role is not None}
    if not chosen:
        raise LabError(
            "no topic is left to look for; the largest of those chosen have "
            f"{_largest(sizes, choice)}: lower least_pages or examples, or choose others"
        )
    kept = {topic for role in Role for topic in spread([one for one in chosen if chosen[one] is role], most)}
    return {topic: role for topic, role in chosen.items() if topic in kept}


def spread(topics: Sequence[str], most: int) -> Sequence[str]:
    """Return at most so many of them, evenly spread; 0 means all.

    >>> spread("abcdefgh", 3)
    ['a', 'c', 'f']
    """
    if not most or len(topics) <= most:
        return topics
    return [topics[number * len(topics) // most] for number in range(most)]


def matches(topic: str, patterns: Collection[str]) -> bool:
    return any(fnmatchcase(topic, pattern) for pattern in patterns)


def _large(sizes: Mapping[str, int], choice: WorldChoice, examples: int) -> Iterator[str]:
    least = choice.least_pages or (examples + 1 if choice.topics else LEAST_PAGES)
    for topic in _candidates(sizes, choice):
        if sizes[topic] >= max(least, examples + 1):
            yield topic
        elif topic in choice.topics:
            raise LabError(
                f'topic "{topic}" has {sizes[topic]} pages that may be fetched, too few for {examples} examples and '
                "one to be "
                "found, or for least_pages; ask for fewer, or leave it out"
            )


def _candidates(sizes: Mapping[str, int], choice: WorldChoice) -> list[str]:
    inner = {topic.rpartition("/")[0] for topic in sizes} if choice.levels == "leaves" else set()
    return [
        topic for topic in sorted(sizes) if topic not in inner and (not choice.topics or matches(topic, choice.topics))
    ]


def _role(topic: str, choice: WorldChoice) -> Role | None:
    """Return the role of a topic; None if it has none."""
    develops, tests = matches(topic, choice.development), matches(topic, choice.test)
    if develops and tests:
        raise LabError(
            f'topic "{topic}" is both for development and for test; change the patterns so that it is one of them'
        )
    if develops or (choice.test and not choice.development and not tests):
        return Role.DEVELOPMENT
    return Role.TEST if tests or not choice.test else None


def _refuse_strange(pattern: str, known: Collection[str]) -> None:
    if not any(fnmatchcase(topic, pattern) for topic in known):
        guess = nearest(pattern, sorted(known))
        hint = f'did you mean "{guess}"?' if guess else "`scenthound lab world` lists the topics of a world"
        raise LabError(f'no topic is called "{pattern}"; {hint}')


def _largest(sizes: Mapping[str, int], choice: WorldChoice) -> str:
    found = sorted((-sizes[topic], topic) for topic in _candidates(sizes, choice))[:3]
    return ", ".join(f"{-size} pages ({topic})" for size, topic in found) or "no pages at all"
