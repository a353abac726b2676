"""What tests share must be what they would have made themselves: processes that are forked, and critics of others."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from scenthound.judge.models.bayes import BayesLearner
from tests import known_critics
from tests.judge.small_pages import examples, lessons, page
from tests.made_once import CRITICS

LESSONS = lessons(*examples("Sport/Cycling", 4), *examples("Arts/Music", 4))


def test_a_critic_of_another_process_judges_as_one_of_our_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CRITICS, str(tmp_path))
    pages = [page("Sport/Cycling", 9), page("Arts/Music", 9)]
    with known_critics.each_time():
        own = BayesLearner().fit(LESSONS)
    assert list(tmp_path.iterdir()) == []
    with known_critics.once():
        first = BayesLearner().fit(LESSONS)
    assert len(list(tmp_path.iterdir())) == 1
    with known_critics.once():
        found = BayesLearner().fit(LESSONS)
    assert found is not first
    assert len(list(tmp_path.iterdir())) == 1
    np.testing.assert_array_equal(found.judge(pages), own.judge(pages))


@pytest.mark.slow
def test_the_installed_program_is_forked_and_waited_for_like_a_child() -> None:
    command = [str(Path(sys.executable).with_name("scenthound")), "status", "/nowhere"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    pid, status, usage = os.wait4(process.pid, 0)
    assert (pid, os.waitstatus_to_exitcode(status)) == (process.pid, 2)
    assert 0.0 < usage.ru_utime + usage.ru_stime < 60.0
