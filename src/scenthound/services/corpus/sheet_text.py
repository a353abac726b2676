"""The data sheet for people: Markdown, with the header by which Hugging Face knows a data set."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from scenthound.services.corpus.data_sheet import MOST, chosen_in_words
from scenthound.terminal import in_json

_SHOWN: Final = 20  # rows of a table; the JSON sheet has up to a hundred
_TABLES: Final = (
    ("Languages", "language", "by_language"),
    ("Topics", "topic", "by_topic"),
    ("Relevance", "relevance", "by_relevance"),
    ("Types", "type", "by_type"),
    ("Months in which they were fetched", "month", "by_month"),
    ("Hosts", "host", "by_host"),
)
_ENTRY: Final = {
    "parquet": "Parquet files under `data/`, or one file. Every column is in every file; folders `by_…=` repeat one.",
    "markdown": "Markdown files under `pages/`, one for each page. `index.jsonl` has a row for each.",
    "text": "Text files under `pages/`, one for each page. `index.jsonl` has a row for each.",
    "warc": "WARC 1.1 records as they were fetched, and `index.cdxj`, their index.",
    "sqlite": "An SQLite database with one table, `pages`.",
    "jsonl": "JSON lines, one object for each page.",
    "csv": "CSV with a header line.",
}


def sheet_markdown(sheet: Mapping[str, Any]) -> str:
    """Write a data sheet as Markdown."""
    return "\n".join(_lines(sheet)) + "\n"


def _lines(sheet: Mapping[str, Any]) -> Iterator[str]:
    if sheet["format"] == "parquet":
        yield from _header(sheet)
    yield f"# {_plain(sheet['name'])}: {sheet['pages']:,} pages"
    yield ""
    yield f"Written by {sheet['made_by']} on {sheet['made_at'][:10]}. {_ENTRY.get(sheet['format'], '')}".strip()
    yield ""
    yield "## How pages were chosen"
    yield ""
    yield f"{_plain(chosen_in_words(sheet['chosen']))} {sheet['chosen']['matches']:,} matched."
    yield from _critic(sheet)
    yield ""
    yield "## What is in it"
    yield ""
    yield from _facts(sheet)
    for title, name, key in _TABLES:
        yield from _table(title, name, sheet[key])
    yield from _texts(sheet)
    yield from _table("Files of the archive that were not at hand", "file", sheet["missing_archive_files"])
    yield from _rights(sheet)
    yield from _settings(sheet)


def _header(sheet: Mapping[str, Any]) -> Iterator[str]:
    """Yield what Hugging Face reads: where the files are, and the languages."""
    languages = [name for name in sheet["by_language"] if len(name) in (2, 3) and name.isalpha()]
    yield "---"
    yield "configs:"
    yield "- config_name: default"
    yield '  data_files: "data/**/*.parquet"'
    if languages:
        yield "language:"
        yield from (f"- {name}" for name in languages)
    yield f"pretty_name: {in_json(json.dumps(str(sheet['name'])))}"
    yield "---"
    yield ""


def _critic(sheet: Mapping[str, Any]) -> Iterator[str]:
    critic = sheet["critic"]
    if critic is None:
        yield "No critic has judged the pages."
        return
    good = ", ".join(map(_plain, critic["good_topics"])) or "none"
    yield f"Relevance is the probability that a page is about a good topic ({good}), said by a classifier"
    yield f"(`{critic['kind']}`, version {critic['version']}) that learnt from examples. It can be wrong."


def _facts(sheet: Mapping[str, Any]) -> Iterator[str]:
    yield f"- {sheet['pages']:,} pages of {sheet['hosts']:,} hosts and {sheet['domains']:,} registered domains"
    if sheet["words"] is not None:
        yield f"- {sheet['words']:,} words, {sheet['characters']:,} characters of main text"
    if sheet["fetched"]["first"]:
        yield f"- fetched from {sheet['fetched']['first']} to {sheet['fetched']['last']}"
    if sheet["mean_relevance"] is not None:
        yield f"- mean relevance {sheet['mean_relevance']:.2f}"


def _table(title: str, name: str, rows: Mapping[str, int]) -> Iterator[str]:
    if not rows:
        return
    yield ""
    yield f"### {title}"
    yield ""
    yield f"| {name} | pages |"
    yield "|---|---|"
    shown = list(rows.items())[:_SHOWN]
    yield from (f"| {_plain(value)} | {pages:,} |" for value, pages in shown)
    if rest := sum(rows.values()) - sum(pages for _, pages in shown):
        yield f"| others | {rest:,} |"


def _texts(sheet: Mapping[str, Any]) -> Iterator[str]:
    if sheet["words"] is None:
        return
    yield from _table("Who found the main text", "by", sheet["texts_by"])
    yield from _table("Pages without a text", "why", sheet["without_text"])


def _rights(sheet: Mapping[str, Any]) -> Iterator[str]:
    yield ""
    yield "## Rights and wishes"
    yield ""
    yield "The pages belong to their authors. This sheet lists what pages declare; it is no legal advice. A page counts"
    yield "once for each licence that it names, and a licence may be that of a picture on it."
    yield from _table("Licences that pages declare", "licence", sheet["licences"])
    yield ""
    yield "### Opt-outs that pages declare"
    yield ""
    if not sheet["opt_outs"]:
        yield "No page says noindex, noarchive, nosnippet, noai, noimageai or tdm-reservation."
    yield from (f"- {signal}: {pages:,} pages" for signal, pages in sheet["opt_outs"].items())
    robots = sheet["robots"]
    yield ""
    yield "### robots.txt"
    yield ""
    obeyed = "The crawl obeyed robots.txt." if "fetch.robots" not in sheet["settings"] else "See fetch.robots below."
    yield f"{obeyed} {robots['sites_with_rules']:,} sites have rules."
    for agent, sites in robots["sites_that_refuse_ai_crawlers"].items():
        yield f"- {agent} is refused by {sites:,} sites that let others in"
    yield from (f"- {use} is said by {sites:,} sites" for use, sites in robots["content_signals"].items())


def _settings(sheet: Mapping[str, Any]) -> Iterator[str]:
    yield ""
    yield "## Settings of the crawl that are not the usual ones"
    yield ""
    if not sheet["settings"]:
        yield "All are the usual ones."
    yield from (f"- `{key} = {_plain(value)}`" for key, value in sheet["settings"].items())
    yield ""
    yield f"`datasheet.json` has the same for programs, with up to {MOST} rows in each table."


def _plain(text: object) -> str:
    """Return a text from the web for a line or a table of Markdown: no tags, no columns, no line ends."""
    line = " ".join(str(text).split())
    return line.replace("|", "\\|").replace("<", "&lt;").replace("`", "'")
