"""The check of an address's limit counts hosts whose address the crawl can know."""

from dataclasses import replace

from bench.engine_deeds import Deed, told
from bench.engines_kills import with_known_address
from bench.ring_web import crowds
from scenthound.demo.protocol import LogEntry


def visit(host: str, path: str, at: float) -> LogEntry:
    return LogEntry(
        started=at, finished=at + 1.0, host=host, path=path, status=200, client_port=5000, user_agent="scenthound"
    )


def test_pages_beyond_the_limit_of_an_address_are_found() -> None:
    log = [visit(f"h0.site{number}.test0", "/0", 10.0 + number / 10) for number in range(4)]
    (found,) = crowds(with_known_address(log), "address", 3)
    assert (found.host, found.detail, found.visit) == ("h0.site3.test0", "/0 as one of 4", log[3])


def test_a_robots_txt_asked_for_again_before_any_page_is_of_a_host_whose_address_is_unknown() -> None:
    busy = [visit(f"h0.site{number}.test0", "/0", 10.0) for number in range(3)]
    lost = [visit("h0.site9.test0", "/robots.txt", at) for at in (5.0, 10.1)]
    later = visit("h0.site9.test0", "/0", 12.0)
    assert crowds(with_known_address([*busy, *lost, later]), "address", 3) == []
    again = visit("h0.site9.test0", "/robots.txt", 12.5)
    crowd = [visit(f"h0.site{number}.test0", "/1", 12.4) for number in range(2)]
    assert len(crowds(with_known_address([*busy, *lost, later, *crowd, again]), "address", 3)) == 1


def test_a_breach_is_told_with_the_engines_around_it_and_what_was_done_to_them() -> None:
    mine = replace(visit("h0.site1.test0", "/1", 12.2), user_agent="scenthound/1 (+https://example.org; engine1)")
    other = replace(visit("h1.site1.test0", "/0", 11.0), user_agent="scenthound/1 (+https://example.org; engine2)")
    elsewhere = replace(other, host="h0.site2.test1")
    deeds = [
        Deed(engine="engine1", kind="stopped", began=5.0, ended=12.1),
        Deed(engine="engine3", kind="killed", began=5.0, ended=12.1),
    ]
    (breach,) = crowds(
        [visit("h1.site1.test0", "/5", 5.0), other, replace(mine, started=11.5, finished=13.2)], "domain", 1
    )
    assert breach.visit is not None
    lines = told(breach, [visit("h9.site9.test9", "/", 2.0), elsewhere, other, breach.visit], deeds).splitlines()
    assert [line.strip() for line in lines] == [
        "requests beyond the limit of one domain: h0.site1.test0 /1 as one of 2",
        "engine1 stopped from 3.000 to 10.100",
        "9.000 to 10.000 engine2 asked h1.site1.test0/0, 200",
        "9.500 to 11.200 engine1 asked h0.site1.test0/1, 200  <",
    ]
