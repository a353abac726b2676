"""The quality of a critic in words for a terminal of 100 columns, and as a dictionary for programs.

The words need no statistics: precision is "of 10 pages that it calls so", recall is "of 10 such pages".
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from textwrap import wrap
from typing import Any, Final

from scenthound.judge.distinct import Twin
from scenthound.judge.quality.hits import Hits
from scenthound.judge.quality.quality import ENOUGH, Confusion, Misplaced, Quality, Thin, TopicQuality
from scenthound.taxonomy import OTHERS

_WIDTH: Final = 100
_SHOWN: Final = 12  # entries of a kind before the rest is only counted
_SPOKEN_TERMS: Final = 8
_NEAR: Final = 10  # examples of other topics, below which nothing is known about near topics
_WORTH_CHANGING: Final = 0.1  # minimum gain in F1 to propose another threshold


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A part of the report: its heading and its entries."""

    title: str
    entries: tuple[str, ...]


def sections(quality: Quality) -> list[Section]:
    """Return the report in parts: the whole first, then topic by topic, then what the user can do."""
    parts: tuple[tuple[str, Sequence[str]], ...] = (
        ("How well will it go?", _overall(quality)),
        ("What you look for", [_topic(topic, quality) for topic in quality.topics if topic.good]),
        ("The other topics, worst first", _other_topics(quality)),
        ("Confusions", [_confusion(pair) for pair in quality.confusions]),
        ("Too few examples", [_thin(thin) for thin in quality.thin]),
        ("Perhaps under the wrong topic", [_misplaced_text(example) for example in quality.misplaced]),
        ("Repeated examples", _said_twice(quality)),
        ("Without text", [f"{name} has no text to learn from: leave it out." for name in quality.empty]),
    )
    return [Section(title=title, entries=tuple(entries)) for title, entries in parts if entries]


def words(quality: Quality) -> list[str]:
    """Return the report as lines of a terminal."""
    lines: list[str] = []
    for section in sections(quality):
        lines += ["", section.title, *_limit_entries(section.entries)]
    return lines[1:]


def as_json(quality: Quality) -> dict[str, Any]:
    """Return the report as plain lists, dictionaries, numbers and text, with the keys of `Quality` and its parts."""
    report = asdict(quality)
    report["accuracy"] = quality.accuracy
    report["relevance"] = _hits_json(quality.relevance)
    report["best"] = _hits_json(quality.best)
    for topic, plain in zip(quality.topics, report["topics"], strict=True):
        plain["hits"] = _hits_json(topic.hits)
    return {key: _plain(value) for key, value in report.items()}


def of_ten(share: float) -> str:
    """Express a share as so many of ten.

    >>> [of_ten(share) for share in (1.0, 0.97, 0.82, 0.04, 0.0)]
    ['all', 'nearly all', 'about 8', 'hardly any', 'none']
    """
    if share in (0, 1):
        return "all" if share else "none"
    if share >= 0.95:
        return "nearly all"
    return f"about {round(10 * share)}" if share >= 0.05 else "hardly any"


def _overall(quality: Quality) -> list[str]:
    if not quality.tested:
        return [_untested_text(quality)]
    return [_verdict(quality), *_better(quality), *_caveats(quality)]


def _untested_text(quality: Quality) -> str:
    deepest = max((topic.path for topic in quality.topics), key=len)
    if all(f"{deepest}/".startswith(f"{topic.path}/") for topic in quality.topics):
        return (
            "Unknown so far: all examples are of one topic, and there is nothing to compare it with. "
            "Add a topic that is near and not wanted, with examples."
        )
    return "Unknown so far: no topic has two different examples. Give each topic at least two."


def _verdict(quality: Quality) -> str:
    hits = quality.relevance
    if hits is None:
        share = quality.accuracy
        return (
            f"{_grade(share)}: of 10 pages, {of_ten(share)} get the right topic. No good topic could be tested: "
            "mark one as good, with at least two examples."
        )
    if not hits.called:
        return (
            f"Badly: none of {hits.there} pages on topic reaches the relevance at which a page counts as on topic "
            f"(crawl.accept = {quality.accept:g})."
        )
    if quality.near < _NEAR:
        what = "pages that stand for your words" if quality.by_words else "examples"
        return (
            f"It recognises {of_ten(hits.recall)} of 10 {what} that it has not seen, against pages of other "
            "topics in general. How well it separates pages close to your topic is unknown: no example shows what is "
            "near and not wanted. Give some pages of that kind a separate topic, or crawl a little and mark pages as "
            "good or not "
            "(scenthound feedback)."
        )
    return f"{_grade(hits.f1)}: of 10 pages that it calls on topic, {_shares(hits)}."


def _grade(share: float) -> str:
    """Turn a figure into a word; the borders are a convention, so that the same figure always gets the same word."""
    if share >= 0.85:
        return "Well"
    if share >= 0.7:
        return "Fairly well"
    return "With many mistakes" if share >= 0.5 else "Badly"


def _better(quality: Quality) -> Iterator[str]:
    """Propose another threshold if it would help much; on few pages the best one is partly luck."""
    now, best, accept = quality.relevance, quality.best, quality.best_accept
    if now is not None and best is not None and accept is not None and best.f1 >= now.f1 + _WORTH_CHANGING:
        yield (
            f"With crawl.accept = {accept:.2f} instead of {quality.accept:g} it would go better: of 10 pages that it "
            f"calls on topic, {_shares(best)}."
        )


def _caveats(quality: Quality) -> Iterator[str]:
    yield (
        f"The test used {quality.tested} pages, each judged by a critic that had not seen it "
        f"({quality.folds} rounds{_fewer(quality)}). The result holds for a mix of pages like your examples. The rarer "
        "your topic is in the crawl, the more pages are wrongly called on topic."
    )
    if quality.calibration_error is not None:
        yield (
            f"Its probabilities are off by {100 * quality.calibration_error:.0f} in 100 on average: of 100 pages with "
            "a probability of .80, so many more or fewer than 80 are right."
        )


def _fewer(quality: Quality) -> str:
    return f" instead of {quality.folds_wanted}, to save time" if quality.folds < quality.folds_wanted else ""


def _other_topics(quality: Quality) -> list[str]:
    """Describe the other topics briefly: they matter only as the contrast to the good ones."""
    tried = [(topic.hits, topic.path) for topic in quality.topics if topic.hits is not None and not topic.good]
    return [
        f"{_name(path)}: of 10 pages called so, {_shares(hits)}."
        for hits, path in sorted(tried, key=lambda pair: pair[0].f1)
    ]


def _topic(topic: TopicQuality, quality: Quality) -> str:
    noun = "page" if quality.by_words else "example"
    what = " that stand for its words" if quality.by_words else ""
    head = f"{topic.path}, {_count(topic.examples, noun)}{what}: "
    return head + _found(topic.path.rpartition("/")[2], topic.hits) + _told_by(topic)


def _found(name: str, hits: Hits | None) -> str:
    if hits is None:
        return "not tested."
    if not hits.called:
        return f"none of {hits.there} was recognised."
    return f"of 10 pages that it calls {name}, {_shares(hits)}."


def _shares(hits: Hits) -> str:
    """Put precision and recall into words that continue "of 10 pages that it calls X,"."""
    return f"{of_ten(hits.precision)} are; of 10 such pages, it finds {of_ten(hits.recall)}"


def _told_by(topic: TopicQuality) -> str:
    terms = [telling.term for telling in topic.telling if telling.weight > 0][:_SPOKEN_TERMS]
    return f" Telling words: {', '.join(terms)}." if terms else ""


def _confusion(pair: Confusion) -> str:
    what = f"Of {_count(pair.of, 'example' if pair.topic else 'page')} of {_name(pair.topic)}, "
    return f"{what}{pair.times} were taken for {_name(pair.taken_for)}."


def _thin(thin: Thin) -> str:
    if thin.by_words:
        return f"{thin.topic} has words and no example: crawl a little, and confirm some pages (scenthound feedback)."
    if not thin.examples:
        return f"{thin.topic} has no examples, so no page will be put there: add at least {ENOUGH}."
    like = f": add {thin.wanted} or more like {' and '.join(thin.like)}" if thin.like else ""
    return f"{thin.topic} has {_count(thin.examples, 'example')}; with fewer than {ENOUGH} its judgements vary{like}."


def _misplaced_text(example: Misplaced) -> str:
    return (
        f"{example.name} is an example of {example.topic}; judged unseen it looks like {_name(example.looks_like)} "
        f"(probability {example.probability:.2f})."
    )


def _said_twice(quality: Quality) -> list[str]:
    """List contradictions first: they do harm, while repeats only add nothing."""
    return [_twin(twin) for twin in sorted(quality.twins, key=lambda twin: twin.topic == twin.same_topic)]


def _twin(twin: Twin) -> str:
    if twin.topic == twin.same_topic:
        return f"{twin.name} says nearly the same as {twin.same_as}; it counts once."
    if twin.name == twin.same_as:
        return f"{twin.name} is an example of both {twin.same_topic} and {twin.topic}: keep it in one of them."
    return f"{twin.name} ({twin.topic}) says nearly the same as {twin.same_as} ({twin.same_topic}): keep one of them."


def _limit_entries(entries: Sequence[str]) -> list[str]:
    """Wrap the first entries and count the others. Never break a URL, so that it can be copied."""
    lines = [line for entry in entries[:_SHOWN] for line in _wrap_entry(entry)]
    left = len(entries) - _SHOWN
    return [*lines, f"  … and {left} more."] if left > 0 else lines


def _wrap_entry(entry: str) -> list[str]:
    return wrap(
        entry,
        width=_WIDTH,
        initial_indent="  ",
        subsequent_indent="    ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def _name(path: str) -> str:
    return "no topic" if path == OTHERS else path


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _hits_json(hits: Hits | None) -> dict[str, float] | None:
    return None if hits is None else {**asdict(hits), "precision": hits.precision, "recall": hits.recall, "f1": hits.f1}


def _plain(value: Any) -> Any:
    """Turn tuples into lists, all the way down."""
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    return [_plain(part) for part in value] if isinstance(value, list | tuple) else value
