"""A link farm beside the demo web: however much it looks like the topic, it gets its share of the fetches and no more."""

import pytest

from bench.spam import DOMAIN, FarmedWeb, crawled
from scenthound.demo.web import DemoWeb

PAGES = 400


def test_farm_pages_link_to_nothing_but_the_farm() -> None:
    page = FarmedWeb(subdomains=True).answer(f"bike1.{DOMAIN}", "/").body.decode()
    assert page.count("<a href=") == page.count(f".{DOMAIN}/") == 40


def test_some_pages_of_the_web_lead_to_the_farm() -> None:
    web, farmed = DemoWeb(7), FarmedWeb(subdomains=False)
    pages = [url.removeprefix("http://").partition("/") for url in sorted(web.pages)[:400]]
    leading = sum(DOMAIN.encode() in farmed.answer(host, f"/{path}").body for host, _, path in pages)
    assert 5 <= leading <= 40


@pytest.mark.slow
@pytest.mark.parametrize("subdomains", [False, True])
def test_a_farm_has_at_most_a_fifth_of_the_fetches(subdomains: bool) -> None:
    found = crawled(FarmedWeb(subdomains=subdomains).answer, PAGES)
    assert 0 < found.farmed <= 0.2 * found.pages
    assert found.wanted > 0.4 * found.pages
