"""Crawls steered from another process: started, paused, followed while paused, stopped; and those started elsewhere."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.demo.server import ServedWeb
from scenthound.errors import DirectoryError, SettingError
from scenthound.services.crawls.engine_process import Engine
from tests.patience import PATIENCE, until
from tests.ui.endless import endless, endless_crawl, pages


@pytest.fixture(scope="module")
def web() -> Iterator[ServedWeb]:
    with ServedWeb(endless) as served:
        yield served


@pytest.fixture
def directory(tmp_path: Path, web: ServedWeb) -> CrawlDirectory:
    return endless_crawl(tmp_path / "crawl", web.port)


@pytest.mark.slow
def test_a_crawl_is_started_paused_and_stopped(directory: CrawlDirectory) -> None:
    engine = Engine()
    with pytest.raises(DirectoryError, match="not being crawled"):
        engine.pause(directory)
    engine.start(directory)
    assert until(lambda: pages(directory) > 5)
    with pytest.raises(DirectoryError, match="being crawled already"):
        engine.start(directory)
    engine.pause(directory)
    assert until(lambda: engine.state(directory).doing == "paused")
    resting = pages(directory)
    assert not until(lambda: pages(directory) > resting, seconds=0.5)
    engine.start(directory)
    assert until(lambda: pages(directory) > resting + 5)
    engine.pause(directory)
    assert until(lambda: engine.state(directory).doing == "paused")
    engine.stop(directory)  # a paused one too
    assert until(lambda: engine.state(directory).doing == "stopped")
    assert engine.state(directory).said.startswith("Stopped: interrupted")
    assert not engine.state(directory).failed


@pytest.mark.slow
def test_a_crawl_started_elsewhere_is_seen_and_stopped(directory: CrawlDirectory) -> None:
    command = [sys.executable, "-m", "scenthound", "crawl", str(directory.path), "--quiet"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as elsewhere:
        engine = Engine()
        assert until(lambda: pages(directory) > 3)
        state = engine.state(directory)
        assert (state.doing, state.process) == ("crawling", elsewhere.pid)
        engine.stop(directory)
        out, _ = elsewhere.communicate(timeout=PATIENCE)
    assert elsewhere.returncode == 130
    assert "Stopped: interrupted" in out


def test_a_program_that_takes_no_signals_gets_none(directory: CrawlDirectory) -> None:
    engine = Engine()
    with directory.lock():  # this very process, which a signal would end
        assert engine.state(directory).steerable is False
        for tell in (engine.pause, engine.stop):
            with pytest.raises(DirectoryError, match="cannot be reached from here"):
                tell(directory)


def test_wrong_settings_keep_a_crawl_from_starting(directory: CrawlDirectory) -> None:
    directory.settings_file.write_text("[fetch]\ndealy = 1\n")
    with pytest.raises(SettingError, match=r"did you mean fetch\.delay\?"):
        Engine().start(directory)


@pytest.mark.slow
def test_why_a_crawl_ended_at_its_start_is_shown(directory: CrawlDirectory) -> None:
    directory.database.write_bytes(b"no database" * 1000)  # only the crawl itself opens it
    engine = Engine()
    engine.start(directory)
    assert until(lambda: engine.state(directory).doing == "stopped")
    state = engine.state(directory)
    assert state.failed
    assert "scenthound repair" in state.said
