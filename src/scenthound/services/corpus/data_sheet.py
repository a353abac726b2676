"""The data sheet of a corpus (Gebru et al., "Datasheets for Datasets", 2021): what it holds, how it was chosen, what
pages declare about their use. Counted while pages pass, so that none is kept.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.parse.robots import Rules
from scenthound.parse.urls import domain_of, origin_of
from scenthound.services.corpus.corpus_page import CorpusPage
from scenthound.services.corpus.wish import ExportWish
from scenthound.services.crawls.reader_store import reading
from scenthound.services.why.reason_words import iso
from scenthound.settings.help import all_settings, toml_value
from scenthound.store.base import Store

SCHEMA: Final = "scenthound-datasheet-1"
MOST: Final = 100  # hosts, licences and the like that are listed; the rest is counted
# Crawlers that collect for language models: a site that refuses them and not everybody opts out of that.
AI_CRAWLERS: Final = (
    "GPTBot",
    "CCBot",
    "ClaudeBot",
    "Google-Extended",
    "Applebot-Extended",
    "PerplexityBot",
    "Bytespider",
)
_SIGNALS: Final = ("content-signal", "content-usage")


@dataclass(slots=True, kw_only=True)
class Tally:
    """Counts of pages that have passed."""

    pages: int = 0
    characters: int = 0
    words: int = 0
    first: float | None = None
    last: float | None = None
    judged: int = 0
    relevance: float = 0.0
    counts: dict[str, Counter[str]] = field(default_factory=dict)
    hosts: Counter[str] = field(default_factory=Counter)
    origins: set[str] = field(default_factory=set)

    def count(self, pages: Iterable[CorpusPage]) -> Iterator[CorpusPage]:
        """Count pages as they pass."""
        for page in pages:
            self.take(page)
            yield page

    def take(self, page: CorpusPage) -> None:
        row = page.page
        self.pages += 1
        self.hosts[row.host] += 1
        self.origins.add(origin_of(page.address))
        self.first = row.fetched_at if self.first is None else min(self.first, row.fetched_at)
        self.last = row.fetched_at if self.last is None else max(self.last, row.fetched_at)
        self._add("languages", row.language or "unknown")
        self._add("topics", row.topic or "none")
        self._add("types", row.mime or "unknown")
        self._add("months", f"{datetime.fromtimestamp(row.fetched_at, UTC):%Y-%m}")
        if row.relevance is not None:
            self.judged += 1
            self.relevance += row.relevance
            low = min(9, int(row.relevance * 10))
            self._add("relevance", f"{low / 10:.1f} to {(low + 1) / 10:.1f}")
        if page.text is not None:
            self._take_text(page)

    def _take_text(self, page: CorpusPage) -> None:
        assert page.text is not None
        self.characters += len(page.text.text)
        self.words += len(page.text.text.split())
        for licence in page.text.licences or ("none declared",):
            self._add("licences", licence)
        for signal in page.text.opt_outs:
            self._add("opt_outs", signal)
        if page.text.by:
            self._add("texts_by", page.text.by)
        if page.text.note:
            self._add("without_text", page.text.note.partition(":")[0])

    def _add(self, what: str, value: str) -> None:
        self.counts.setdefault(what, Counter())[value] += 1

    def table(self, what: str) -> dict[str, int]:
        """Return the most frequent values with their numbers of pages, and how many pages have others."""
        return _most(self.counts.get(what, Counter()))


def _most(found: Counter[str]) -> dict[str, int]:
    common = dict(found.most_common(MOST))
    rest = found.total() - sum(common.values())
    return common | ({f"{len(found) - MOST:,} others": rest} if rest else {})


def sheet_of(
    directory: CrawlDirectory, wish: ExportWish, tally: Tally, *, now: float, matches: int, missing: Counter[str]
) -> dict[str, object]:
    """Put the data sheet together; `matches` is how many pages were found, before any was lost.

    `missing` counts pages by the file of the archive that was not at hand.
    """
    from scenthound import __version__

    with reading(directory) as store:
        critic = store.critic()
        robots = _robots(store, tally.origins)
    domains = {domain_of(host) for host in tally.hosts}
    return {
        "schema": SCHEMA,
        "name": directory.path.name,
        "made_at": iso(now),
        "made_by": f"scenthound {__version__}",
        "format": str(wish.form),
        "pages": tally.pages,
        "words": tally.words if wish.with_text else None,
        "characters": tally.characters if wish.with_text else None,
        "hosts": len(tally.hosts),
        "domains": len(domains),
        "fetched": {"first": _iso(tally.first), "last": _iso(tally.last)},
        "chosen": chosen(wish) | {"matches": matches},
        "critic": None
        if critic is None
        else {
            "version": critic.version,
            "kind": critic.kind,
            "good_topics": list(critic.good),
            "learnt_from": critic.said,
        },
        "mean_relevance": round(tally.relevance / tally.judged, 4) if tally.judged else None,
        "by_relevance": dict(sorted(tally.table("relevance").items())),
        "by_language": tally.table("languages"),
        "by_topic": tally.table("topics"),
        "by_type": tally.table("types"),
        "by_month": dict(sorted(tally.table("months").items())),
        "by_host": _most(tally.hosts),
        "texts_by": tally.table("texts_by"),
        "without_text": tally.table("without_text"),
        "missing_archive_files": _most(missing),
        "licences": tally.table("licences"),
        "opt_outs": tally.table("opt_outs"),
        "robots": robots,
        "settings": changed_settings(directory),
    }


def chosen(wish: ExportWish) -> dict[str, object]:
    """Return how pages were chosen, as far as something was asked for."""
    query = wish.query
    asked = {
        "topic": query.topic,
        "min_relevance": query.min_relevance,
        "language": query.language,
        "since": _iso(query.since),
        "until": _iso(query.until),
        "site": query.site,
        "type": query.mime,
        "words_in_title_or_url": query.words,
        "near_duplicates": "once" if wish.unique else "",
    }
    return {name: value for name, value in asked.items() if value not in ("", None)}


def chosen_in_words(how: Mapping[str, object]) -> str:
    """Say how pages were chosen.

    >>> chosen_in_words({"topic": "Sport/Cycling", "min_relevance": 0.5, "near_duplicates": "once"})
    'Pages about Sport/Cycling (and its subtopics), with a relevance of at least 0.5, near-duplicates once.'
    """
    words = {
        "topic": "about {} (and its subtopics)",
        "min_relevance": "with a relevance of at least {}",
        "language": "in the language {}",
        "since": "fetched since {}",
        "until": "fetched before {}",
        "site": "of the site {}",
        "type": "of the type {}",
        "words_in_title_or_url": "with “{}” in title or URL",
        "near_duplicates": "near-duplicates {}",
    }
    said = [sentence.format(how[name]) for name, sentence in words.items() if name in how]
    return f"Pages {', '.join(said)}." if said else "All pages of the crawl."


def changed_settings(directory: CrawlDirectory) -> dict[str, str]:
    """Return the settings that are not the usual ones, as TOML.

    A sheet is published with its corpus: addresses of people, proxies, private networks and commands are left out.
    """
    settings = directory.settings()
    now = [(one, getattr(getattr(settings, one.section), one.name)) for one in all_settings()]
    return {
        one.key: toml_value(value)
        for one, value in now
        if value != one.default and not one.forbids(value) and one.key != "fetch.contact"
    }


def _robots(store: Store, origins: Iterable[str]) -> dict[str, object]:
    """Say what robots.txt files tell crawlers that collect for language models. All were obeyed for our own name."""
    refused: Counter[str] = Counter()
    signals: Counter[str] = Counter()
    known = 0
    for origin in sorted(origins):
        answer = store.robots(origin)
        if answer is None or not answer.text.strip():
            continue
        known += 1
        home = f"{origin}/"
        if Rules.parse(answer.text, "*").allows(home):
            refused.update(name for name in AI_CRAWLERS if not Rules.parse(answer.text, name).allows(home))
        signals.update(_signals(answer.text))
    return {
        "sites_with_rules": known,
        "sites_that_refuse_ai_crawlers": dict(refused.most_common()),
        "content_signals": dict(signals.most_common(20)),
    }


def _signals(text: str) -> set[str]:
    """Return lines such as "Content-Signal: ai-train=no" that deny a use.

    >>> sorted(_signals("Content-Signal: search=yes, ai-train=no"))
    ['ai-train=no']
    """
    lines = (line.partition(":") for line in text.splitlines())
    uses = [
        use.strip().lower() for name, _, value in lines if name.strip().lower() in _SIGNALS for use in value.split(",")
    ]
    return {use for use in uses if use.endswith(("=no", "=n"))}


def _iso(at: float | None) -> str | None:
    return None if at is None else iso(at)
