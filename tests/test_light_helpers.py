"""The processes beside a crawl load only what they need: each library that they load costs every crawl its import."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    ("program", "unneeded"),
    [
        ("scenthound.crawl.readers.reader", "scipy"),
        ("scenthound.crawl.readers.reader", "scenthound.parse.documents"),
        ("scenthound.distill.distil_process", "scipy"),
    ],
)
def test_a_helper_starts_without(program: str, unneeded: str) -> None:
    asked = f"import sys, {program}; print({unneeded!r} in sys.modules)"
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
