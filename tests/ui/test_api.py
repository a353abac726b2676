"""The API over real HTTP: what other programs see, and what they are refused."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.taxonomy import Topic, Topics
from tests.distill.small_crawls import MadeCrawl, directory_of, link, page
from tests.ui.serving import Served, served

pytestmark = pytest.mark.slow

CYCLING = "Sport/Cycling"
SCRIPT = "<script>alert(1)</script>"
CRAWL = MadeCrawl(
    urls=[
        page("http://tour.test/", 0.9, topic=CYCLING, title="The Tour"),
        page("http://race.test/", 0.7, topic=CYCLING, title=SCRIPT),
        page("http://cake.test/", 0.1, topic="Home", title="Cake"),
        page("http://new.test/", ending="waiting"),
    ],
    links=[link(0, 1), link(2, 0), link(1, 3)],
)
TOPICS = Topics(topics=(Topic(path=CYCLING, good=True, examples=("http://tour.test/",)), Topic(path="Home")))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    directory_of(CRAWL, tmp_path / "mine", TOPICS)
    return tmp_path


@pytest.fixture
def api(folder: Path) -> Iterator[Served]:
    with served(folder) as found:
        yield found


def test_a_crawl_is_looked_at(api: Served) -> None:
    get = api.client.get
    assert [line["name"] for line in get("/api/crawls").json()] == ["mine"]
    assert get("/api/crawls/mine/status").json()["engine"]["doing"] == "stopped"
    hits = get("/api/crawls/mine/pages", params={"min_relevance": 0.5}).json()
    assert [hit["url"] for hit in hits["pages"]] == ["http://tour.test/", "http://race.test/"]
    assert [dot["n"] for dot in get("/api/crawls/mine/trace").json()["dots"]] == [1, 2, 3]
    assert get("/api/crawls/mine/page", params={"n": 2}).json()["page"]["title"] == SCRIPT
    around = get("/api/crawls/mine/neighbourhood", params={"url": "http://tour.test/"}).json()
    assert [one["url"] for one in around["pages"]] == ["http://tour.test/", "http://race.test/", "http://cake.test/"]
    assert get("/api/crawls/mine/neighbourhood").json() == {"error": "name a topic or a page: topic=… or url=…"}
    assert get("/api/crawls/mine/topics").json()[1]["state"] == "good"
    assert {one["site"] for one in get("/api/crawls/mine/sites").json()["sites"]} == {"race.test", "tour.test"}
    assert get("/api/crawls/mine/hubs").json()["distilled"]["pages"] == 3
    assert get("/api/crawls/mine/authorities").status_code == 200
    assert {one["section"] for one in get("/api/crawls/mine/settings").json()} >= {"crawl", "fetch"}


def test_words_are_searched_for(api: Served) -> None:
    found = api.client.get(
        "/api/crawls/mine/search", params={"words": "site:race.test", "weights": "text=1,relevance=.5"}
    )
    assert [hit["url"] for hit in found.json()["hits"]] == ["http://race.test/"]
    wrong = api.client.get("/api/crawls/mine/search", params={"words": "race AND"})
    assert wrong.status_code == 400
    assert "cannot be read at character 9" in wrong.json()["error"]


def test_what_would_be_obeyed_by_a_terminal_is_escaped(api: Served) -> None:
    asked = "SELECT char(27) || ']0;owned' || char(7) || char(155) || char(8238) AS evil"
    answer = api.client.get("/api/crawls/mine/sql", params={"statement": asked})
    assert answer.json()["rows"] == [["\x1b]0;owned\x07\x9b\u202e"]]
    assert answer.text.isascii()


def test_what_json_cannot_say_is_null(api: Served) -> None:
    answer = api.client.get("/api/crawls/mine/sql", params={"statement": "SELECT 1e999, -1e999, 0.5, x'ff'"})
    assert answer.json()["rows"] == [[None, None, 0.5, "ff"]]


def test_questions_in_sql_only_read(api: Served) -> None:
    ask = "SELECT url FROM CRAWL WHERE relevance > 0.5 ORDER BY url"
    get = api.client.get
    assert get("/api/crawls/mine/sql", params={"statement": ask}).json() == {
        "columns": ["url"],
        "rows": [["http://race.test/"], ["http://tour.test/"]],
        "more": False,
    }
    csv = get("/api/crawls/mine/sql", params={"statement": ask, "format": "csv"})
    assert csv.text == "url\r\nhttp://race.test/\r\nhttp://tour.test/\r\n"
    assert csv.headers["content-disposition"] == 'attachment; filename="answer.csv"'
    for statement in (
        "DELETE FROM pages",
        "ATTACH '/etc/passwd' AS x",
        "PRAGMA journal_mode = DELETE",
        "SELECT load_extension('x')",
    ):
        answer = get("/api/crawls/mine/sql", params={"statement": statement})
        assert (answer.status_code, "refused" in answer.json()["error"]) == (400, True), statement
    assert get("/api/crawls/mine/status").json()["census"]["pages"] is not None


def test_feedback_and_edits_go_to_the_topics_and_are_undone(api: Served, folder: Path) -> None:
    def post(what: str, **body: object) -> int:
        return api.client.post(f"/api/crawls/mine/{what}", json=body).status_code

    def examples(topic: str) -> tuple[str, ...]:
        found = CrawlDirectory.open(folder / "mine").topics().find(topic)
        return found.examples if found else ()

    (folder / "mine" / "crawl.db").rename(folder / "database")  # nothing is to be learnt here
    assert post("feedback", url="http://cake.test/", say="not good") == 200
    assert examples("Not wanted") == ("http://cake.test/",)
    assert post("feedback", url="http://cake.test/", say="undo") == 200
    assert examples("Not wanted") == ()
    assert post("topics", edit="add-examples", topic="Home", examples=["http://cake.test/"]) == 200
    assert post("topics", edit="mark", topic="Home") == 200
    assert post("topics", edit="undo") == 200
    assert not CrawlDirectory.open(folder / "mine").topics().is_good("Home")
    assert post("topics", edit="add-examples", topic="Home", examples=["/etc/passwd"]) == 400
    assert post("topics", edit="mark", topic="Nothing") == 400
    assert post("topics", edit="explode") == 400


def test_settings_are_changed_together_or_not_at_all(api: Served, folder: Path) -> None:
    changed = api.client.patch("/api/crawls/mine/settings", json={"fetch.delay": "3.5"})
    assert changed.json() == {"says": ["Saved: fetch.delay."]}
    wrong = api.client.patch("/api/crawls/mine/settings", json={"fetch.delay": "1", "fetch.dealy": "1"})
    assert wrong.status_code == 400
    assert "did you mean fetch.delay?" in wrong.json()["error"]
    assert CrawlDirectory.open(folder / "mine").settings().fetch.delay == 3.5


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("backlinks.source", "sh -c 'id > /tmp/owned'"),
        ("crawl.order", "os:system"),
        ("critic.kind", "os:system"),
        ("fetch.allow_private", '["127.0.0.1"]'),
        ("fetch.resolve", '{"a.test" = "127.0.0.1"}'),
        ("fetch.proxy", "http://127.0.0.1:1"),
    ],
)
def test_nobody_runs_code_or_opens_private_networks_by_settings(
    api: Served, folder: Path, key: str, value: str
) -> None:
    changed = api.client.patch("/api/crawls/mine/settings", json={key: value})
    assert (changed.status_code, "write it into crawl.toml" in changed.json()["error"]) == (400, True)
    made = api.client.post("/api/crawls", json={"name": "new", "urls": ["http://a.test/"], "settings": {key: value}})
    assert (made.status_code, "write it into crawl.toml" in made.json()["error"]) == (400, True)
    assert [one.name for one in folder.iterdir()] == ["mine"]


def test_crawls_are_made_in_the_folder_and_nowhere_else(api: Served, folder: Path) -> None:
    def make(**body: object) -> int:
        return api.client.post("/api/crawls", json=body).status_code

    assert make(name="new", urls=["http://a.test/"], good=["Mine"], settings={"fetch.delay": "2"}) == 201
    assert CrawlDirectory.open(folder / "new").settings().fetch.delay == 2.0
    bookmarks = "<DL><DT><H3>Bikes</H3><DL><DT><A HREF='http://a.test/'>A</A></DL></DL>"
    assert make(name="marks", bookmarks=bookmarks) == 201
    assert make(name="words", query="long tours") == 201
    for name in ("../outside", "a/b", "", ".x", "mine"):
        assert make(name=name, urls=["http://a.test/"]) == 400, name
    stolen = '[[topic]]\npath = "A"\nexamples = ["/etc/passwd"]\n'
    assert make(name="thief", topics=stolen) == 400
    assert sorted(one.name for one in folder.iterdir()) == ["marks", "mine", "new", "words"]


def test_names_lead_nowhere_else(api: Served) -> None:
    for name in ("..%2Fmine", "%2e%2e", "nothing", "mine%00"):
        answer = api.client.get(f"/api/crawls/{name}/status")
        assert (answer.status_code, "error" in answer.json()) == (404, True), name
    assert api.client.get("/archived/mine/1").status_code == 400
    assert api.client.get("/static/..%2f..%2fapp.py").status_code == 404
    assert api.client.get("/api/nonsense").json()["error"].startswith("there is nothing at")


def test_results_are_taken_away(api: Served) -> None:
    answer = api.client.get("/api/crawls/mine/export", params={"format": "urls", "min_relevance": 0.5})
    assert answer.text == "http://tour.test/\nhttp://race.test/\n"
    assert answer.headers["content-disposition"] == 'attachment; filename="mine.txt"'
    assert SCRIPT not in api.client.get("/api/crawls/mine/export", params={"format": "bookmarks"}).text
    assert api.client.get("/api/crawls/mine/export", params={"format": "exe"}).status_code == 400


def test_numbers_for_prometheus(api: Served) -> None:
    answer = api.client.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    assert 'scenthound_running{crawl="mine"} 0' in answer.text.splitlines()
    assert "# TYPE scenthound_pages gauge" in answer.text


def test_every_answer_forbids_what_it_does_not_need(api: Served) -> None:
    for path in ("/api/crawls", "/api/docs", "/enter", "/static/window.css", "/nothing", "/metrics"):
        headers = api.client.get(path).headers
        assert headers["x-content-type-options"] == "nosniff", path
        assert "default-src 'none'" in headers["content-security-policy"], path
    docs = api.client.get("/api/docs").text
    assert "<script" not in docs
    assert "http://" not in docs.replace("http://www.w3.org", "")
    assert api.client.get("/api/openapi.json").json()["paths"]["/api/crawls"]


def test_without_the_token_nothing_is_answered(folder: Path) -> None:
    with served(folder, token="secret") as found:
        get = found.client.get
        assert get("/api/crawls").status_code == 401
        assert get("/metrics").status_code == 303
        assert get("/", headers={"accept": "text/html"}).headers["location"] == "/enter"
        assert found.client.post("/enter", data={"token": "guess"}).status_code == 401
        entered = found.client.post("/enter", data={"token": "secret"})
        assert entered.status_code == 303
        assert get("/api/crawls").status_code == 200
        found.client.cookies.clear()
        assert get("/api/crawls", headers={"authorization": "Bearer secret"}).status_code == 200
        wrong = [get("/api/crawls", headers={"authorization": f"Bearer {n}"}).status_code for n in range(10)]
        assert (wrong[0], wrong[-1]) == (401, 429)
