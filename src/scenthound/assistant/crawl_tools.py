"""What an assistant may ask of a crawl. Each method is a tool: its arguments, help and answer are what the model sees.

The methods call what the commands call. None changes the crawl; a search brings its index up to date, as any search.
"""

from importlib.resources import files
from typing import Annotated, Final

from pydantic import Field

from scenthound.assistant.bounded_answer import (
    LONGEST,
    LONGEST_CELL,
    LONGEST_ROWS,
    MOST,
    MOST_ROWS,
    SECONDS,
    Table,
    envelope,
    fenced,
    fitting,
    short,
    source_table,
)
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.distill.ranking import Ranked
from scenthound.search.query_language import parse_query
from scenthound.search.types import Hit, Weights
from scenthound.services.results.best_pages import RankedPages, Wanted, authorities_of, hubs_of, sites_of
from scenthound.services.results.page_text import Source, sources_of, text_of_page
from scenthound.services.search.crawl_search import SearchWish, search_crawl
from scenthound.services.sql.ask import answered
from scenthound.services.sql.schema_help import tables_of
from scenthound.services.status.crawl_status import status_of
from scenthound.services.topics.topic_rows import pages_by_topic, rows_of

Words = Annotated[
    str, Field(description='Words, "phrases", title:, site:, anchor:, AND, OR, NOT, brackets; word* for a beginning.')
]
TopicName = Annotated[str, Field(description="A topic of the crawl and those below it: its path, or the end of it.")]
Most = Annotated[int, Field(ge=1, le=MOST, description="How many at most.")]
Url = Annotated[str, Field(description="The address of a page of the crawl.")]
Offset = Annotated[int, Field(ge=0, description="Characters to skip: the last answer's next_offset.")]
Characters = Annotated[int, Field(ge=1, le=LONGEST, description="How many characters at most.")]
Statement = Annotated[str, Field(description="One SELECT of SQLite.")]
_NEIGHBOURS: Final = 3
_HOSTS: Final = 10


class CrawlTools:
    """The tools of one crawl."""

    def __init__(self, directory: CrawlDirectory) -> None:
        self._directory = directory

    def search(
        self,
        words: Words,
        topic: TopicName = "",
        vague: Annotated[bool, Field(description="Weigh all pages by the topic's probability instead.")] = False,
        weights: Annotated[
            str, Field(description="What counts: text, meaning, relevance, authority, date; text=1,relevance=.5")
        ] = "text=1,meaning=2",
        site: Annotated[str, Field(description="Only pages of this host or domain.")] = "",
        language: Annotated[str, Field(description="Only pages in this language, such as en.")] = "",
        most: Most = 10,
    ) -> Table:
        """Search the text of every page that the crawl has fetched, by words and by meaning. The best come first."""
        parse_query(words)
        wish = SearchWish(
            words=words,
            topic=topic,
            vague=vague,
            weights=Weights.parse(weights),
            site=site,
            language=language,
            limit=most,
        )
        found = search_crawl(self._directory, wish)
        sources = sources_of(self._directory, [hit.page.url for hit in found.answer.hits])
        result = {
            "matches": found.answer.matches,
            "pages": found.answer.pages,
            "not_indexed_yet": found.behind,
            "did_you_mean": found.answer.did_you_mean,
            "topics": {one.value: one.pages for one in found.answer.facets.get("topic", ())},
            "hits": [_hit(hit, sources.get(hit.page.url)) for hit in found.answer.hits],
        }
        return self._told(result, most=most, characters_of_a_snippet=LONGEST_CELL)

    def page_text(self, url: Url, offset: Offset = 0, characters: Characters = LONGEST) -> Table:
        """Return the text of a page that the crawl has fetched, as its archive has it. Long texts come in parts."""
        found = text_of_page(self._directory, url)
        end = offset + characters
        result = {
            "source": source_table(found.source),
            "offset": offset,
            "characters": len(found.text),
            "next_offset": end if end < len(found.text) else None,
            "untrusted": {"title": short(found.source.title), "text": fenced(found.text[offset:end])},
        }
        return self._told(result, characters=characters)

    def topics(self) -> Table:
        """Return the crawl's topics, which of them are good (wanted), and how many pages were found of each."""
        rows = rows_of(self._directory.topics(), pages_by_topic(self._directory))
        told = [
            {"path": row.path, "state": row.state, "pages": row.pages, "examples": list(row.examples[:_NEIGHBOURS])}
            for row in rows[:MOST_ROWS]
        ]
        return self._told({"topics": told, "more": len(rows) > MOST_ROWS}, most=MOST_ROWS)

    def hubs(self, topic: TopicName = "", most: Most = 10) -> Table:
        """Return the best hubs: pages that link to many good ones. Each comes with the best pages it links to."""
        return self._ranked(hubs_of(self._directory, _wanted(topic, most)), "links_to", most)

    def authorities(self, topic: TopicName = "", most: Most = 10) -> Table:
        """Return the best authorities: pages that good hubs link to. Each comes with the best hubs that cite it."""
        return self._ranked(authorities_of(self._directory, _wanted(topic, most)), "cited_by", most)

    def sites(self, topic: TopicName = "", most: Most = 10) -> Table:
        """Return the sites with the greatest share of relevant pages. Each comes with its best pages."""
        found = sites_of(self._directory, _wanted(topic, most))
        sources = sources_of(self._directory, [page.url for site in found.sites for page in site.best])
        sites = [
            {
                "site": site.site,
                "score": round(site.score, 4),
                "pages": site.pages,
                "relevant": site.relevant,
                "best": [_page(page.url, page.title, sources.get(page.url)) for page in site.best],
            }
            for site in found.sites
        ]
        return self._told({"topics": list(found.topics), "sites": sites}, most=most)

    def sql(self, select: Statement) -> Table:
        """Answer a question in SQL on the crawl's database, which can only read. `tables` tells what there is."""
        with answered(self._directory, select, seconds=SECONDS - 5) as answer:
            rows, more = fitting(answer.rows)
        result = {"columns": list(answer.columns), "rows": len(rows), "more": more, "untrusted_rows": rows}
        return self._told(result, rows=MOST_ROWS, characters_of_a_value=LONGEST_CELL, characters=LONGEST_ROWS)

    def tables(self) -> Table:
        """Return the tables of the crawl's database with their columns, for questions in SQL."""
        schema = (files("scenthound.store.sqlite") / "schema.sql").read_text(encoding="utf-8")
        told = [
            {"table": table.name, "about": table.help, "columns": {one.name: one.help for one in table.columns}}
            for table in tables_of(schema)
        ]
        return self._told({"tables": told})

    def status(self) -> Table:
        """Return how the crawl stands: pages, share of relevant ones, failures, and what slows it down."""
        status = status_of(self._directory)
        told = status.as_table()
        result = {name: told[name] for name in ("running", "harvest", "failed", "refused", "explanation")}
        result["census"] = {
            name: getattr(status.census, name)
            for name in ("pages", "judged", "waiting", "known", "hosts", "duplicates")
        }
        result["findings"] = [finding.sentence for finding in status.findings]
        result["hosts"] = [
            {"host": host.host, "pages": host.pages, "state": host.state} for host in status.hosts[:_HOSTS]
        ]
        return self._told(result, hosts=_HOSTS)

    def _told(self, result: Table, **limits: object) -> Table:
        return envelope(self._directory, result, **limits)

    def _ranked(self, found: RankedPages, relation: str, most: int) -> Table:
        urls = [url for page in found.pages for url in (page.url, *(one.url for one in page.neighbours))]
        sources = sources_of(self._directory, urls)
        pages = [_ranked(page, relation, sources) for page in found.pages]
        return self._told({"topics": list(found.topics), "pages": pages}, most=most)


def _wanted(topic: str, most: int) -> Wanted:
    return Wanted(topic=topic or None, most=most)


def _hit(hit: Hit, source: Source | None) -> Table:
    said = {"title": short(hit.page.title), "snippet": short(hit.snippet.text)}
    return {
        "source": source_table(source),
        "score": round(hit.score, 4),
        "has_the_words": hit.by_words,
        "untrusted": said,
    }


def _ranked(page: Ranked, relation: str, sources: dict[str, Source]) -> Table:
    neighbours = [_page(one.url, one.title, sources.get(one.url)) for one in page.neighbours]
    told = _page(page.url, page.title, sources.get(page.url))
    return {**told, "score": round(page.score, 6), relation: neighbours, f"{relation}_in_all": page.count}


def _page(url: str, title: str, source: Source | None) -> Table:
    return {"source": source_table(source) or {"url": url}, "untrusted": {"title": short(title)}}
