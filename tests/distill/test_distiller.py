"""What the distiller makes of small webs: who is a hub, who is an authority, and who is not."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest

from scenthound.distill.distiller import distil, distil_by, method_for
from scenthound.distill.scores import About, Method, Rules
from scenthound.distill.site import Site
from tests.distill.small_crawls import MadeCrawl, MadeLink, MadeUrl, database_of, link, page

EVERYBODY = Rules(share=1.0)


@contextmanager
def distilled(
    urls: Sequence[MadeUrl], links: Sequence[MadeLink], rules: Rules = EVERYBODY, about: About | None = None
) -> Iterator[sqlite3.Connection]:
    with database_of(MadeCrawl(urls=urls, links=links)) as con:
        distil(con, rules, about)
        yield con


def ranked(con: sqlite3.Connection, table: str) -> list[str]:
    """Return addresses, best first; those without any score are left out."""
    found = con.execute(f"SELECT url FROM {table} JOIN finds ON id = oid WHERE score > 0 ORDER BY score DESC, oid")
    return [url.removeprefix("http://") for (url,) in found]


def scores(con: sqlite3.Connection, table: str) -> list[float]:
    return [round(score, 6) for (score,) in con.execute(f"SELECT score FROM {table} ORDER BY score DESC")]


def test_who_links_to_the_best_pages_is_the_best_hub() -> None:
    urls = [page("http://list.test/", 0.6), page("http://diary.test/", 0.6)]
    urls += [page(f"http://{name}.test/", 0.9) for name in ("tour", "race", "repair")]
    with distilled(urls, [link(0, 2), link(0, 3), link(0, 4), link(1, 2)]) as con:
        assert ranked(con, "HUBS") == ["list.test/", "diary.test/"]
        assert ranked(con, "AUTH") == ["tour.test/", "race.test/", "repair.test/"]


def test_prestige_does_not_leak_to_pages_off_topic() -> None:
    urls = [page("http://list.test/", 0.9), page("http://tour.test/", 0.9), page("http://browser.test/", 0.001)]
    urls += [page(f"http://fan{number}.test/", 0.001) for number in range(8)]
    links = [link(0, 1), link(0, 2), *(link(3 + number, 2) for number in range(8))]
    with distilled(urls, links) as con:
        assert ranked(con, "AUTH")[0] == "tour.test/"
        assert ranked(con, "HUBS")[0] == "list.test/"


def test_only_the_most_relevant_pages_can_be_authorities() -> None:
    urls = [page("http://list.test/", 0.2), *(page(f"http://p{number}.test/", number / 10) for number in range(10))]
    links = [link(0, place) for place in range(1, 11)]
    with distilled(urls, links, Rules(share=0.2)) as con:
        assert sorted(ranked(con, "AUTH")) == ["p7.test/", "p8.test/", "p9.test/"]
        assert ranked(con, "HUBS") == ["list.test/"]  # hubs need not be


@pytest.mark.parametrize(("site", "authorities"), [(Site.DOMAIN, []), (Site.HOST, ["forum.a.test/"])])
def test_a_site_does_not_praise_itself(site: Site, authorities: list[str]) -> None:
    urls = [page("http://www.a.test/", 0.9), page("http://forum.a.test/", 0.9), page("http://www.a.test/more", 0.9)]
    with distilled(urls, [link(0, 1), link(0, 2)], Rules(share=1.0, site=site)) as con:
        assert ranked(con, "AUTH") == authorities


def test_inside_one_site_every_page_may_stand_for_itself() -> None:
    urls = [page("http://a.test/", 0.9), page("http://a.test/more", 0.9)]
    with distilled(urls, [link(0, 1), link(1, 1)], Rules(share=1.0, site=Site.PAGE)) as con:
        assert ranked(con, "AUTH") == ["a.test/more"]


def test_a_site_has_one_vote_however_many_pages_it_has() -> None:
    urls = [page("http://loud.test/", 0.9), page("http://plain.test/", 0.9)]
    urls += [page(f"http://fan.test/{number}", 0.9) for number in range(10)]
    urls += [page(f"http://reader{number}.test/", 0.9) for number in range(2)]
    links = [link(place, 0) for place in range(2, 12)] + [link(place, 1) for place in (12, 13)]
    with distilled(urls, links, Rules(share=1.0, rounds=1)) as con:
        assert ranked(con, "AUTH") == ["plain.test/", "loud.test/"]
        assert scores(con, "AUTH") == [round(2 / 3, 6), round(1 / 3, 6)]


def test_a_redirect_is_followed_to_the_page_it_leads_to() -> None:
    urls = [
        page("http://list.test/", 0.9),
        MadeUrl(url="http://old.test/", ending="redirect", same=2),
        MadeUrl(url="http://middle.test/", ending="redirect", same=3),
        page("http://tour.test/", 0.9),
        MadeUrl(url="http://list.test/out", ending="redirect", same=5),
        page("http://race.test/", 0.9),
    ]
    with distilled(urls, [link(0, 1), link(0, 4)]) as con:
        assert sorted(ranked(con, "AUTH")) == ["race.test/", "tour.test/"]
        assert con.execute("SELECT url_id, oid FROM MERGED").fetchall() == [(2, 4), (3, 4), (5, 6)]


@pytest.mark.parametrize("near", [False, True])
def test_copies_of_a_page_count_as_one(near: bool) -> None:
    urls = [
        page("http://list.test/", 0.9),
        page("http://tour.test/", 0.9),
        page("http://mirror.test/list", 0.9, same=0, near=near),
        page("http://mirror.test/tour", 0.9, same=1, near=near),
    ]
    links = [link(0, 1), link(2, 3), link(2, 1)]
    with distilled(urls, links) as con:
        assert ranked(con, "HUBS") == ["list.test/"]
        assert ranked(con, "AUTH") == ["tour.test/"]


def test_what_a_mirror_links_to_on_its_own_site_is_no_praise() -> None:
    urls = [
        page("http://list.test/", 0.9),
        page("http://mirror.test/list", 0.9, same=0),
        page("http://mirror.test/other", 0.9),
        page("http://tour.test/", 0.9),
        page("http://blog.test/tour", 0.9, same=3),
        page("http://blog.test/", 0.9),
    ]
    with distilled(urls, [link(1, 2), link(5, 4)]) as con:
        assert ranked(con, "AUTH") == []


def test_links_that_endorse_nothing_are_left_out() -> None:
    urls = [page("http://list.test/", 0.9), page("http://tour.test/", 0.9), page("http://race.test/", 0.9)]
    links = [link(0, 1, nofollow=True), link(0, 2, kind="canonical"), link(0, 2, kind="hreflang")]
    with distilled(urls, links) as con:
        assert ranked(con, "HUBS") == []


def test_a_topic_has_its_base_set_and_its_neighbours() -> None:
    """Pages of the topic, what they link to and what links to them; what is two links away is out (BINGO §2.5)."""
    urls = [
        page("http://far.test/", 1.0),
        page("http://list.test/", 0.0),
        page("http://violin.test/", 0.0, topic="Arts/Violins"),
        page("http://wood.test/", 0.0),
        page("http://mill.test/", 0.0),
    ]
    asked: list[int] = []

    def judge(ids: Sequence[int]) -> list[float]:
        asked.extend(ids)
        return [0.5] * len(ids)

    links = [link(0, 1), link(1, 2), link(2, 3), link(3, 4)]
    with distilled(urls, links, EVERYBODY, About(topic="Arts", judge=judge)) as con:
        assert asked == [2, 3, 4]
        assert sorted(ranked(con, "HUBS")) == ["list.test/", "violin.test/"]
        assert sorted(ranked(con, "AUTH")) == ["violin.test/", "wood.test/"]


def test_without_judged_pages_there_is_nothing_to_distil() -> None:
    with database_of(MadeCrawl(urls=[page("http://a.test/"), page("http://b.test/")], links=[link(0, 1)])) as con:
        told = distil(con)
        assert (told.pages, told.hubs, told.authorities) == (0, 0, 0)


def test_what_does_not_fit_into_memory_is_left_to_the_database() -> None:
    with database_of(
        MadeCrawl(urls=[page("http://a.test/", 0.9), page("http://b.test/", 0.9)], links=[link(0, 1)])
    ) as con:
        assert method_for(con, Rules()) is Method.MEMORY
        assert method_for(con, Rules(memory=0)) is Method.SQL
        assert distil(con, Rules(memory=0)).method is Method.SQL
        assert distil(con).method is Method.MEMORY


@pytest.mark.parametrize("method", Method)
def test_distilling_again_replaces_the_scores_and_leaves_no_other_table(method: Method) -> None:
    urls = [page("http://a.test/", 0.9), page("http://b.test/", 0.9)]
    with database_of(MadeCrawl(urls=urls, links=[link(0, 1)])) as con:
        for _ in range(2):
            distil_by(method, con, EVERYBODY)
            assert scores(con, "HUBS") == [1.0]
        left = {name for (name,) in con.execute("SELECT name FROM temp.sqlite_master WHERE type = 'table'")}
        assert left == {"HUBS", "AUTH", "MERGED"}
