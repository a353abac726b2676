"""Whatever is sent to the API, what is wrong with it comes back as a clear 4xx in one form: {"error": "one sentence"}."""

import json
from collections.abc import Iterator

import httpx
import pytest

from scenthound.taxonomy import Topic, Topics
from tests.distill.small_crawls import MadeCrawl, directory_of, link, page
from tests.ui.serving import served

pytestmark = pytest.mark.slow

CRAWL = MadeCrawl(
    urls=[page("http://tour.test/", 0.9, topic="C"), page("http://race.test/", 0.7, topic="C")], links=[link(0, 1)]
)
TOPICS = Topics(topics=(Topic(path="C", good=True, examples=("http://tour.test/",)),))
HUGE = 2**63


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    folder = tmp_path_factory.mktemp("crawls")
    directory_of(CRAWL, folder / "mine", TOPICS)
    with served(folder) as found:
        yield found.client


def refused(answer: httpx.Response) -> None:
    """Hold that an answer is a refusal in the one form."""
    assert 400 <= answer.status_code < 500, answer.text
    assert answer.headers["content-type"] == "application/json"
    told = json.loads(answer.content)
    assert list(told) == ["error"]
    assert isinstance(told["error"], str)
    assert 0 < len(told["error"]) <= 1100


@pytest.mark.parametrize(
    "path",
    [
        f"page?n={HUGE}", f"page?n={10**40}", f"page/text?n={HUGE}", f"trace?first={HUGE}", f"trace?latest={HUGE}", f"trace?last={HUGE}",
        f"pages?offset={HUGE}", f"pages?limit={HUGE}", "pages?since=1e400", "pages?since=nan", "pages?until=inf", "pages?order=odd",
        "neighbourhood?url=x&most=1e9", "neighbourhood?url=%ED%A0%80", "neighbourhood", "hubs?topic=nothing", "hubs?site=odd", f"hubs?most={HUGE}",
        "feedback?of=hub&name=odd%00name&say=good", "feedback?of=hub&name=&say=good", "feedback?of=hub&name=http://[&say=good",
        "feedback?of=hub&name=odd&say=good", "feedback?of=page&name=nope&say=good", "feedback?of=site&name=%ff&say=good", "feedback?of=hub",
        "page?url=http://[", "page?url=%ED%A0%80", "page", "sql?statement=%00", "sql?statement=", "sql?statement=SELECT 1&seconds=inf",
        "sql?statement=SELECT char(55296)", "sql", "export?format=jsonl&min_relevance=nan", "export?format=text&since=253402300800", "export?format=jsonl&until=-1", "export?format=exe", "places?url=http://[", "nothing",
    ],
)  # fmt: skip
def test_odd_questions(client: httpx.Client, path: str) -> None:
    refused(client.get(f"/api/crawls/mine/{path}"))


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        *(("POST", "crawls/mine/topics", body) for body in (
            b"{", b"", b"\xff", b"[" * 100_000, b"null", b'"x"', b'{"edit": "add"}', b'{"edit":"add","topic":"\\ud800"}',
            b'{"edit":"add","topic":"a","query":"\\ud800"}', b'{"edit":"rename","topic":"C","to":"\\ud800"}',
            b'{"edit":"add-examples","topic":"C","examples":["http://a.test/\\ud800"]}', b'{"edit":"mark","topic":3}', b'{"edit":"mark","topic":"C","x":1}',
        )),
        *(("POST", "crawls/mine/feedback", body) for body in (
            b'{"url":"\\ud800","say":"good"}', b'{"url":"odd","say":"good","of":"hub"}', b'{"url":"odd","say":"undo","of":"hub"}',
            b'{"url":"http://tour.test/","say":"good","topic":"\\ud800"}', b'{"url":"http://tour.test/","say":"fine"}',
        )),
        *(("POST", "crawls/mine/start", body) for body in (
            b'{"pages": 9223372036854775808}', b'{"pages": -1}', b'{"minutes": 1e400}', b'{"minutes": NaN}', b'{"pages": "many"}',
        )),
        *(("PATCH", "crawls/mine/settings", body) for body in (
            b'{"fetch.contact":"\\ud800"}', b'{"crawl.pages":"9223372036854775808"}', b'{"crawl.pages":"1e400"}', b"[]", b"null", b'{"\\ud800":"1"}',
            b'{"crawl.pages":"' + b"9" * 5000 + b'"}', b'{"fetch.locked":"' + b"[" * 20_000 + b'"}', b'{"fetch.delay": 3}',
        )),
        *(("POST", "crawls", body) for body in (
            b'{"name":"\\ud800","urls":["http://a.test/"]}', b'{"name":"x","urls":["\\ud800"]}', b'{"name":"x","query":"\\ud800"}',
            b'{"name":"x","bookmarks":"\\ud800"}', b'{"name":"x","topics":"\\ud800"}', b'{"name":"x","topics":"a = ' + b"[" * 5000 + b'"}',
            b'{"name":"x\\u0000","urls":["http://a.test/"]}', b'{"name":"' + b"n" * 300 + b'","urls":["http://a.test/"]}',
            b'{"name":"x","urls":["http://a.test/"],"good":["\\ud800"]}', b'{"name":"x","urls":["http://a.test/"],"settings":{"crawl.pages":"9223372036854775808"}}',
        )),
        ("POST", "crawls/mine/cure?finding=x", b""), ("POST", "crawls/mine/cure?finding=stagnation", b""), ("POST", "crawls/mine/nothing", b""),
        ("PUT", "crawls", b""), ("DELETE", "crawls/mine/settings", b""), ("POST", "crawls/no/start", b""), ("POST", "crawls/mine/pause", b""),
    ],
    ids=lambda one: one[:40] if isinstance(one, str | bytes) else None,
)  # fmt: skip
def test_odd_orders(client: httpx.Client, method: str, path: str, body: bytes) -> None:
    refused(client.request(method, f"/api/{path}", content=body, headers={"content-type": "application/json"}))


def test_a_question_that_takes_too_long(client: httpx.Client) -> None:
    endless = "WITH RECURSIVE a (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM a) SELECT count(*) FROM a"
    for form in ("rows", "csv"):
        asked = {"statement": endless, "seconds": "0.2", "format": form}
        refused(client.get("/api/crawls/mine/sql", params=asked))


def test_what_the_guard_refuses_has_the_same_form(client: httpx.Client) -> None:
    refused(client.get("/api/crawls", headers={"host": "evil.test"}))
    refused(client.post("/api/crawls", headers={"origin": "http://evil.test"}))
    refused(client.post("/api/crawls/mine/topics", content=b"x" * 2_000_000))


@pytest.mark.parametrize("n", [str(HUGE), "x", "-1"])
def test_odd_numbers_of_copies(client: httpx.Client, n: str) -> None:
    refused(client.get(f"/archived/mine/{n}"))
