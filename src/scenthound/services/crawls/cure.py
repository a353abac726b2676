"""Doing what a finding says would help (`crawl.diagnosis.diagnose`): its command is read, and its verb done here, never
by a shell.

What is not understood, or leaves a word to be filled in, is for the reader to copy. The directory that a command names
is taken to be the one at hand: a crawl may have been moved, or be called otherwise from where the window was started.
"""

import shlex
from dataclasses import dataclass
from enum import StrEnum

from scenthound.crawl.diagnosis.advice import FINDINGS, findings_in
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.errors import UsageError
from scenthound.events import Finding, FindingKind
from scenthound.services.crawls.engine_process import Engine
from scenthound.services.crawls.reader_store import reading
from scenthound.services.crawls.settings_edit import change_settings
from scenthound.services.topics.topic_edits import Editing
from scenthound.taxonomy import is_address


class Verb(StrEnum):
    MARK = "mark"
    ADD_EXAMPLE = "add an example"
    UNDO = "undo"
    SET = "set"
    FORGIVE = "forgive"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cure:
    """What is to be done: to a topic (with `widen`, in place of good ones below it), a page, or a setting."""

    verb: Verb
    topic: str = ""
    url: str = ""
    widen: bool = False
    setting: str = ""
    value: str = ""


def cure_of(command: str) -> Cure | None:
    """Read a command; None for one that is not understood.

    >>> cure_of("scenthound topics 'my web' mark 'A/B' --widen")
    Cure(verb=<Verb.MARK: 'mark'>, topic='A/B', url='', widen=True, setting='', value='')
    >>> cure_of("scenthound topics web example add A URL"), cure_of("scenthound status web"), cure_of("rm -r '")
    (None, None, None)
    """
    try:
        words = shlex.split(command)
    except ValueError:
        return None
    match words:
        case ["scenthound", "topics", _, "mark", topic]:
            return Cure(verb=Verb.MARK, topic=topic)
        case ["scenthound", "topics", _, "mark", topic, "--widen"]:
            return Cure(verb=Verb.MARK, topic=topic, widen=True)
        case ["scenthound", "topics", _, "example", "add", topic, url] if is_address(url):
            return Cure(verb=Verb.ADD_EXAMPLE, topic=topic, url=url)
        case ["scenthound", "topics", _, "undo"]:
            return Cure(verb=Verb.UNDO)
        case ["scenthound", "crawl", _, "--set", setting] if "=" in setting:
            name, _, value = setting.partition("=")
            return Cure(verb=Verb.SET, setting=name.strip(), value=value.strip())
        case ["scenthound", "crawl", _, "--forgive"]:
            return Cure(verb=Verb.FORGIVE)
    return None


def do_cure(cure: Cure, directory: CrawlDirectory, engine: Engine) -> list[str]:
    """Do it, have the critic follow where topics were changed, and return what was done in sentences."""
    if cure.verb is Verb.SET:
        return change_settings(directory, {cure.setting: cure.value})
    if cure.verb is Verb.FORGIVE:
        if directory.is_running():  # it sees this at its next turn, and neither stops nor forgets its budget
            directory.ask_to_forgive()
            return ["Hosts that failed too often get another chance now."]
        engine.start(directory, ["--forgive"])
        return ["The crawl is starting; hosts that failed too often get another chance."]
    says = _edit_topics(cure, Editing(directory.path))
    engine.learn(directory)
    return [says]


def _edit_topics(cure: Cure, editing: Editing) -> str:
    if cure.verb is Verb.UNDO:
        return editing.undo().says
    if cure.verb is Verb.MARK:
        return editing.mark(cure.topic, widen=cure.widen).says
    return editing.add_examples(cure.topic, [cure.url]).says


def cure_found(directory: CrawlDirectory, kind: FindingKind, engine: Engine) -> list[str]:
    """Do what would help against something that the crawl has noticed about itself."""
    found = next((one for one in _findings(directory) if one.kind is kind), None)
    if found is None:
        raise UsageError(f"the crawl has not noticed this about itself: {kind}")
    cure = cure_of(found.command)
    if cure is None:
        raise UsageError(f"this cannot be done from here: {found.command or found.sentence}")
    return do_cure(cure, directory, engine)


def _findings(directory: CrawlDirectory) -> tuple[Finding, ...]:
    if not directory.begun:
        return ()
    with reading(directory) as store:
        return findings_in(store.note(FINDINGS))
