"""The check of an address's limit counts hosts whose address the crawl can know."""

from bench.engines_kills import with_known_address
from bench.ring_web import crowds
from scenthound.demo.protocol import LogEntry


def visit(host: str, path: str, at: float) -> LogEntry:
    return LogEntry(
        started=at, finished=at + 1.0, host=host, path=path, status=200, client_port=5000, user_agent="scenthound"
    )


def test_pages_beyond_the_limit_of_an_address_are_found() -> None:
    log = [visit(f"h0.site{number}.test0", "/0", 10.0 + number / 10) for number in range(4)]
    assert crowds(with_known_address(log), "address", 3) == [
        "requests beyond the limit of one address: 4 at h0.site3.test0/0"
    ]


def test_a_robots_txt_asked_for_again_before_any_page_is_of_a_host_whose_address_is_unknown() -> None:
    busy = [visit(f"h0.site{number}.test0", "/0", 10.0) for number in range(3)]
    lost = [visit("h0.site9.test0", "/robots.txt", at) for at in (5.0, 10.1)]
    later = visit("h0.site9.test0", "/0", 12.0)
    assert crowds(with_known_address([*busy, *lost, later]), "address", 3) == []
    again = visit("h0.site9.test0", "/robots.txt", 12.5)
    crowd = [visit(f"h0.site{number}.test0", "/1", 12.4) for number in range(2)]
    assert len(crowds(with_known_address([*busy, *lost, later, *crowd, again]), "address", 3)) == 1
