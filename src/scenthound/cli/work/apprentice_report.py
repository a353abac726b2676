"""The work of `scenthound apprentice`: show, save or take what an apprentice has learnt."""

import shlex
from pathlib import Path

from scenthound.counted import count
from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.errors import DirectoryError
from scenthound.services.crawls.learnt_apprentice import knowledge_of, known_of, take
from scenthound.terminal import say, say_json


def show_knowledge(path: Path, *, as_json: bool) -> int:
    known = known_of(knowledge_of(CrawlDirectory.open(path)))
    if as_json:
        say_json(known)
        return 0
    about = f" for {', '.join(known.topics)}" if known.topics else ""
    words = count(known.words, "word")
    say(f"A {known.kind} apprentice with {count(known.lessons, 'lesson')}{about}; it knows {words}.")
    if known.weights:
        say("How much each hint around a link is worth, in log-odds, now and as it ships:")
    for name, (now, shipped) in known.weights.items():
        say(f"  {name:<11} {now:+6.2f}  {shipped:+6.2f}")
    return 0


def save_knowledge(path: Path, file: Path) -> int:
    knowledge = knowledge_of(CrawlDirectory.open(path))
    try:
        knowledge.write(file)
    except OSError as error:
        raise DirectoryError(f"{file} cannot be written: {error.strerror}") from None
    say(f"{file} holds what the apprentice learnt from {count(knowledge.lessons, 'lesson')}.")
    say(f"Begin a crawl with it: {shlex.join(['scenthound', 'new', 'DIR', 'URL…', '--apprentice', str(file)])}")
    return 0


def take_knowledge(path: Path, file: Path) -> int:
    say("\n".join(take(CrawlDirectory.open(path), file)))
    return 0
