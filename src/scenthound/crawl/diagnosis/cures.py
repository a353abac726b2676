"""How a finding is put into words, and the commands that help."""

import json
import shlex
from collections.abc import Sequence

from scenthound.events import Finding, FindingKind


def finding(kind: FindingKind, sentence: str, evidence: Sequence[str], command: str = "", undo: str = "") -> Finding:
    """Make a finding whose text says all of it.

    >>> print(finding(FindingKind.ONE_DOMAIN, "a site takes it all", ["90 of 100 pages"], "scenthound status web").text)
    A site takes it all
      90 of 100 pages
      this may help: scenthound status web
    """
    lines = [sentence[:1].upper() + sentence[1:], *(f"  {one}" for one in evidence)]
    if command:
        lines.append(f"  this may help: {command}")
    if undo:
        lines.append(f"  and this takes it back: {undo}")
    return Finding(
        text="\n".join(lines), kind=kind, sentence=sentence, evidence=tuple(evidence), command=command, undo=undo
    )


def topics_command(path: str, *words: str) -> str:
    """Write a command that changes the topics.

    >>> topics_command("my crawl", "mark", "Money/Mutual funds")
    "scenthound topics 'my crawl' mark 'Money/Mutual funds'"
    """
    return shlex.join(["scenthound", "topics", path, *words])


def setting_command(path: str, setting: str) -> str:
    """Write a command that goes on with another setting."""
    return shlex.join(["scenthound", "crawl", path, "--set", setting])


def lock_command(path: str, patterns: Sequence[str]) -> str:
    """Write a command that goes on with these patterns locked, and no others.

    >>> print(lock_command("web", ["ads.example", "farm.test"]))
    scenthound crawl web --set 'fetch.locked=["ads.example", "farm.test"]'
    """
    return setting_command(path, f"fetch.locked={json.dumps(list(patterns))}")


def feedback_command(path: str, pages: int) -> str:
    """Write a command that asks the reader about some pages."""
    return shlex.join(["scenthound", "feedback", path, "--ask", str(pages)])


def forgive_command(path: str) -> str:
    """Write a command that goes on and gives hosts that failed another chance."""
    return shlex.join(["scenthound", "crawl", path, "--forgive"])
