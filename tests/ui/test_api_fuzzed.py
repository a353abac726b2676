"""Every operation of the API, called with what schemathesis makes up from its description: right, nearly right and
wrong.

Nothing may end in a 5xx. The crawl that is served reaches nobody: all of its requests go to a proxy that is not there.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from hypothesis import HealthCheck, Phase, given
from hypothesis import strategies as st

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.services.crawls.crawl_list import Crawls
from scenthound.services.news.watch_process import stop_watch, watch_state
from scenthound.taxonomy import Topic, Topics
from scenthound.ui.api_page import described
from scenthound.ui.window import Window
from tests.distill.small_crawls import MadeCrawl, directory_of, link, page
from tests.often import THOROUGH, often
from tests.patience import until
from tests.ui.owner import set_by_owner
from tests.ui.serving import Served, served

if TYPE_CHECKING:
    from schemathesis import APIOperation, Case

CRAWL = MadeCrawl(
    urls=[page("http://tour.test/", 0.9, topic="C", title="T"), page("http://race.test/", 0.7, topic="C")],
    links=[link(0, 1)],
)
TOPICS = Topics(topics=(Topic(path="C", good=True, examples=("http://tour.test/",)), Topic(path="D")))
NAME = "mine"
# They start a process each time: a crawl, or a critic that learns.
SLOW = {"/start", "/quality", "/around", "/places", "/watch"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    served: Served
    directory: CrawlDirectory


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    path = directory_of(CRAWL, tmp_path_factory.mktemp("fuzzed") / NAME, TOPICS)
    directory = CrawlDirectory.open(path)
    set_by_owner(directory, "fetch.proxy", "http://127.0.0.1:9")
    set_by_owner(directory, "fetch.tries", 1)
    with served(path) as found:
        yield Target(served=found, directory=directory)
        if watch_state(directory).running:
            stop_watch(directory)
            assert until(lambda: not watch_state(directory).running)
        if found.window.engine.state(directory).running:
            found.window.engine.stop(directory)
        assert until(lambda: found.window.engine.state(directory).doing == "stopped")


def operations() -> "list[APIOperation[Any, Any, Any, Any]]":
    """Return all operations, by the description that the server gives of itself."""
    import schemathesis  # a second, which the fast tests need not wait for
    from schemathesis.core.result import Err

    document = described(Window(crawls=Crawls(path=Path(), single=False)))
    schema = schemathesis.openapi.from_dict(json.loads(json.dumps(document)))
    found = list(schema.get_all_operations())
    return [one.ok() for one in found if not isinstance(one, Err)]


@pytest.mark.slow
def test_nothing_ends_in_a_fault_of_ours(target: Target) -> None:
    found = operations()
    assert len(found) >= 26
    for operation in found:
        _tried(target, operation)


def _tried(target: Target, operation: "APIOperation[Any, Any, Any, Any]") -> None:
    from schemathesis import GenerationMode

    ways = [operation.as_strategy(generation_mode=mode) for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)]
    slow = any(operation.path.endswith(end) for end in SLOW)
    many = 24 if THOROUGH else 8
    examples = (
        1 if operation.path.endswith("/quality") else 4 if slow else many
    )  # the first takes nothing but its crawl

    # The explanation of what fails takes ten times as long as to find it.
    phases = [Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink]

    @often(examples, suppress_health_check=list(HealthCheck), phases=phases)
    @given(st.data())
    def trial(data: st.DataObject) -> None:
        case: Case[Any] = data.draw(data.draw(st.sampled_from(ways)))
        if "crawl" in case.path_parameters:
            case.path_parameters["crawl"] = NAME
        answer = sent(target.served.client, case)
        assert answer.status_code < 500, f"{case.as_curl_command()}: {answer.text}"
        if answer.status_code >= 400 and answer.headers.get("content-type") == "application/json":
            assert list(answer.json()) == ["error"]

    trial()


def sent(client: httpx.Client, case: "Case[Any]") -> httpx.Response:
    base = str(client.base_url).rstrip("/")
    made = case.as_transport_kwargs(base_url=base)
    request = client.build_request(
        made["method"],
        made["url"],
        params=made.get("params"),
        json=made.get("json"),
        content=made.get("data") if isinstance(made.get("data"), bytes | str) else None,
        headers={name: str(value) for name, value in (made.get("headers") or {}).items()},
        timeout=600,  # the machine may be busy, and the critic learn for a while
    )
    return client.send(request)
