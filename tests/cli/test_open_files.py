"""A process that may not open enough files says that, and does not speak of the disk or blame a host."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import scenthound
from tests.crawl.topical_web import new, topical_web, topics
from tests.often import thoroughly
from tests.patience import PATIENCE


@pytest.mark.slow
@pytest.mark.parametrize("most", [20, *(pytest.param(most, marks=thoroughly) for most in (24, 30))])
def test_too_many_open_files_has_its_own_message(tmp_path: Path, most: int) -> None:
    new(tmp_path / "birds", topics())
    with topical_web() as served:
        sets = [
            word
            for setting in served.settings("crawl.pages=9", "fetch.concurrency=32", "fetch.per_host=16")
            for word in ("--set", setting)
        ]
        arguments = ["crawl", str(tmp_path / "birds"), "--quiet", *sets]
        command = [sys.executable, "-m", "scenthound", *arguments]
        # The limit is set by the shell: a function to be called in the child is not safe beside threads.
        hard = f'ulimit -n {most}; exec "$@"'
        failed = subprocess.run(
            ["sh", "-c", hard, "sh", *command], capture_output=True, text=True, timeout=PATIENCE, check=False
        )
        assert failed.returncode == 1
        told = failed.stderr.splitlines()[-1]
        assert told.startswith(f"scenthound: too many open files (limit {most}); raise the limit")
        again = scenthound(*arguments)
    assert again.code == 0, again.err
    assert "bad" not in again.out
