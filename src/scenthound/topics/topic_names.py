"""Names of topics: tidied when they are imported, checked, and looked up from what a user types."""

from collections.abc import Iterable, Sequence

from scenthound.errors import TopicsError
from scenthound.settings.file import nearest
from scenthound.taxonomy import Topics
from scenthound.topics.sentences import quoted

_LONGEST = 200  # characters of a name; bookmark folders sometimes have whole paragraphs


def tidy_name(text: str) -> str:
    """Make a name that fits into a path: without slashes and unprintable characters.

    >>> tidy_name(" TCP/IP\\n& more "), tidy_name("//")
    ('TCP-IP & more', 'Unnamed')
    """
    printable = "".join(letter if letter.isprintable() else " " for letter in text.replace("/", "-"))
    return " ".join(printable.split())[:_LONGEST].strip(" -") or "Unnamed"


def is_path(text: str) -> bool:
    """Return whether a text is names separated by single slashes, none of them longer than 200 characters.

    >>> is_path("Recreation/Cycling"), is_path("A//B"), is_path("A/ B"), is_path("")
    (True, False, False, False)
    """
    return text.isprintable() and all(
        part and part == part.strip() and len(part) <= _LONGEST for part in text.split("/")
    )


def find_topic(topics: Topics, typed: str) -> str:
    """Return the path that a user means: a whole path, or the end of one if it is unique.

    Case matters only if two topics differ in nothing else.
    """
    name = typed.strip().strip("/")
    candidates = ending_in(topics.nodes, name)
    if len(candidates) == 1:
        return candidates[0]
    if candidates:
        raise TopicsError(f'"{typed}" is ambiguous: {quoted(candidates)}; write the whole path')
    guess = _nearest_path(name, topics.nodes)
    known = f'did you mean "{guess}"?' if guess else f"there are {quoted(topics.nodes)}"
    raise TopicsError(f'there is no topic "{typed}"; {known}')


def ending_in(paths: Iterable[str], name: str) -> list[str]:
    """Return the path that equals a name, or else all paths that end in it.

    >>> ending_in(["Sport/Cycling", "Arts/Cycling", "Sport"], "cycling"), ending_in(["A", "B/A"], "A")
    (['Sport/Cycling', 'Arts/Cycling'], ['A'])
    """
    folded = name.casefold()
    alike = [path for path in paths if f"/{path}".casefold().endswith(f"/{folded}")]
    same = [path for path in alike if path == name] or [path for path in alike if path.casefold() == folded]
    return same or [path for path in alike if path.endswith(name)] or alike


def _nearest_path(name: str, paths: Sequence[str]) -> str:
    by_spelling = {spelling.casefold(): path for path in paths for spelling in (path.rpartition("/")[2], path)}
    return by_spelling.get(nearest(name.casefold(), list(by_spelling)), "")
