"""What was given up is not lost: settings change, networks come back, hosts are forgiven."""

from pathlib import Path

import pytest

from scenthound.crawl.directory.open_store import open_store
from scenthound.errors import ScenthoundError, SettingError
from scenthound.events import StopCause
from scenthound.types import Reason
from tests.badweb import Conversation
from tests.badweb.conversation import page
from tests.crawl.scene import bad_web, crawl, new, on, resume


@pytest.mark.slow
def test_only_what_is_named_is_fetched(tmp_path: Path) -> None:
    async def worldly(it: Conversation) -> None:
        await it.answer(page("Links", "/here", "http://plain.bad.test/"))

    with bad_web() as web:
        web.sites["worldly"] = worldly
        crawled = crawl(tmp_path / "crawl", [web.url("worldly")], on(web, 'fetch.only=["worldly.bad.test"]'))
        assert web.visits("plain") == []
        assert crawled.story(web.url("plain")).reason is Reason.OUTSIDE
        assert "fetch.only" in crawled.why(web.url("plain"))
        assert {row.url for row in crawled.pages()} == {web.url("worldly"), web.url("worldly", "/here")}


@pytest.mark.slow
def test_a_lock_that_is_lifted_brings_back_what_it_kept_out(tmp_path: Path) -> None:
    with bad_web() as web:
        first = crawl(tmp_path / "crawl", [web.url("siblings")], on(web, 'fetch.locked=["*/page/5"]'))
        assert first.story(web.url("siblings", "/page/5")).reason is Reason.LOCKED
        second = resume(first.directory, on(web))
        assert second.story(web.url("siblings", "/page/5")).state == "page"
        assert "the settings have changed: 1 URL given up before to be considered again" in second.notices
        assert second.trouble() == []


@pytest.mark.slow
def test_without_a_critic_nothing_stays_off_topic(tmp_path: Path) -> None:
    """A critic that is not there is refused before anything is fetched. One that fails leaves examples whose links
    nobody judged.
    """
    with bad_web() as web:
        directory = new(tmp_path / "crawl", [web.url("siblings")])
        with pytest.raises(SettingError, match="nosuch"):
            resume(directory, on(web, "critic.kind=nosuch:judge"))
        assert web.visits("siblings") == []
        with pytest.raises(ScenthoundError, match="isqrt failed"):
            resume(directory, on(web, "critic.kind=math:isqrt"))
        assert web.visits("siblings")
        last = resume(directory, on(web, "critic.kind=none"))
        assert last.summary.pages_this_run > 3
        assert "off-topic" not in last.summary.census.reasons
        assert last.trouble() == []


@pytest.mark.slow
def test_a_seed_refused_as_private_is_fetched_once_it_is_allowed(tmp_path: Path) -> None:
    with bad_web() as web:
        (server,) = (address for name, address in web.resolve.items() if name.startswith("*"))
        seed = f"http://{server}/"
        first = crawl(tmp_path / "crawl", [seed], on(web))
        assert first.story(seed).reason is Reason.PRIVATE_ADDRESS
        second = resume(first.directory, on(web, 'fetch.allow_private=["127.0.0.1"]'))
        assert second.story(seed).reason is not Reason.PRIVATE_ADDRESS
        assert second.summary.census.reasons.get("private-address", 0) == 0


@pytest.mark.slow
def test_a_bad_host_is_asked_again_when_it_is_forgiven(tmp_path: Path) -> None:
    async def ill(it: Conversation) -> None:
        it.reset()

    async def well(it: Conversation) -> None:
        await it.answer(page("Well again"))

    with bad_web() as web:
        web.sites["patient"] = ill
        directory = new(tmp_path / "crawl", [web.url("patient"), web.url("patient", "/two"), web.url("plain")])
        first = resume(directory, on(web))
        assert first.hosts()["patient.bad.test"].state == "bad"
        web.sites["patient"] = well
        assert resume(directory, on(web)).hosts()["patient.bad.test"].state == "bad"
        last = resume(directory, on(web), forgive=True)
        assert "another chance for 1 bad host and for 0 URLs that failed by fault of a host" in last.notices
        assert last.story(web.url("patient")).state == "page"  # neither had used up its tries
        assert last.story(web.url("patient", "/two")).state == "page"
        assert last.trouble() == []


@pytest.mark.slow
def test_a_crawl_that_runs_forgives_when_it_is_asked_to(tmp_path: Path) -> None:
    well = False

    async def recovering(it: Conversation) -> None:
        if well:
            await it.answer(page("Well again"))
        else:
            it.reset()

    async def asking(it: Conversation) -> None:
        """Go on until the other host has been given up; then have it forgiven."""
        nonlocal well
        with open_store(directory, read_only=True) as store:
            given_up = store.census(now=0.0).hosts_bad
        if given_up and not well:
            well = True
            directory.ask_to_forgive()
        forgiven = well and not given_up
        await it.answer(page("On and on", *([] if forgiven else [f"/{len(web.visits('long'))}"])))

    with bad_web() as web:
        web.sites |= {"patient": recovering, "long": asking}
        directory = new(tmp_path / "crawl", [web.url("patient"), web.url("patient", "/two"), web.url("long")])
        crawled = resume(directory, on(web, "crawl.pages=5000", "crawl.traps=false"))
        assert crawled.summary.cause is StopCause.DRY
        assert [text for text in crawled.notices if text.startswith("another chance for 1 bad host")]
        assert crawled.story(web.url("patient")).state == "page"
        assert not directory.asks_to_forgive
        assert crawled.trouble() == []


@pytest.mark.slow
def test_when_every_server_is_gone_no_host_is_blamed(tmp_path: Path) -> None:
    """As when the network cable is pulled: nobody answers any more, and afterwards everybody does."""
    with bad_web() as web:
        names = [f"host{n}" for n in range(12)]
        for name in names:
            web.sites[name] = web.sites["siblings"]
        directory = new(tmp_path / "crawl", [web.url(name) for name in names])
        resume(directory, on(web, "crawl.pages=12"))
        known = on(web)
    gone = resume(directory, [*known, "crawl.patience=0.1", "crawl.pages=0"])
    assert gone.summary.cause in (StopCause.OFFLINE, StopCause.PATIENCE)
    assert gone.summary.census.hosts_bad == 0
    assert any("no server can be reached" in notice for notice in gone.notices)
    assert gone.summary.census.waiting > 0
    assert gone.trouble() == []
