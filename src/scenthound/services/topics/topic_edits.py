"""Changing the topics of a crawl: find what was meant, change it, and return what that means in words."""

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.errors import DirectoryError, TopicsError
from scenthound.parse.urls import typed_address
from scenthound.taxonomy import Topics, is_address
from scenthound.topics import edits
from scenthound.topics.document_folder import free_name, why_not
from scenthound.topics.edits import Edit
from scenthound.topics.topic_names import find_topic
from scenthound.topics.url_topics import checked_urls


@dataclass(frozen=True, slots=True, kw_only=True)
class Edited:
    """What was done, in a sentence, and the file that keeps what was there before."""

    says: str
    kept: Path


class Editing:
    """The edits of one crawl's topics; a topic is named by its path, or as much of its end as no other has."""

    def __init__(self, path: Path) -> None:
        self._directory = CrawlDirectory.open(path)

    def add(self, path: str, examples: Sequence[str], *, good: bool, query: str) -> Edited:
        path = path.strip("/")
        words = " ".join(query.split())
        return self._change(
            lambda topics: edits.add_topic(
                topics, path, good=good, examples=self._examples(topics, path, examples), query=words
            )
        )

    def remove(self, typed: str) -> Edited:
        return self._change(lambda topics: edits.remove_topic(topics, find_topic(topics, typed)))

    def rename(self, typed: str, name: str) -> Edited:
        return self._change(lambda topics: edits.rename_topic(topics, find_topic(topics, typed), name))

    def move(self, typed: str, to: str) -> Edited:
        def edit(topics: Topics) -> Edit:
            return edits.move_topic(topics, find_topic(topics, typed), find_topic(topics, to) if to.strip("/") else "")

        return self._change(edit)

    def mark(self, typed: str, *, widen: bool = False) -> Edited:
        return self._change(lambda topics: edits.mark_good(topics, find_topic(topics, typed), widen=widen))

    def unmark(self, typed: str) -> Edited:
        return self._change(lambda topics: edits.unmark(topics, find_topic(topics, typed)))

    def mark_lead(self, typed: str) -> Edited:
        return self._change(lambda topics: edits.mark_lead(topics, find_topic(topics, typed)))

    def add_examples(self, typed: str, examples: Sequence[str]) -> Edited:
        def edit(topics: Topics) -> Edit:
            path = find_topic(topics, typed)
            return edits.add_examples(topics, path, self._examples(topics, path, examples))

        return self._change(edit)

    def move_examples(self, typed: str, to: str, examples: Sequence[str]) -> Edited:
        def edit(topics: Topics) -> Edit:
            return edits.move_examples(topics, find_topic(topics, typed), find_topic(topics, to), examples)

        return self._change(edit)

    def drop_examples(self, typed: str, examples: Sequence[str]) -> Edited:
        return self._change(lambda topics: edits.drop_examples(topics, find_topic(topics, typed), examples))

    def undo(self) -> Edited:
        """Bring the topics back as they were before the last change."""
        undone = self._directory.history.undo()
        return Edited(says="The topics are as they were before the last change.", kept=undone)

    def _change(self, edit: Callable[[Topics], Edit]) -> Edited:
        history = self._directory.history
        with history.changing() as topics:
            done = edit(topics)
            kept = history.write(done)
        return Edited(says=done.says, kept=kept)

    def _examples(self, topics: Topics, path: str, examples: Sequence[str]) -> list[str]:
        """Return examples as the topics file calls them; files are copied into the crawl directory."""
        taken = {name for topic in topics.topics for name in topic.example_files}
        return [self._example(example, path, taken) for example in examples]

    def _example(self, example: str, path: str, taken: set[str]) -> str:
        if is_address(example):
            return checked_urls([example])[0]
        source, settings = Path(example), self._directory.settings()
        if not source.exists() and (address := typed_address(example)):
            return address
        if not source.exists():
            raise TopicsError(f"{example} is neither a web address (https://…) nor a file")
        if reason := why_not(source, settings.fetch.types):
            raise TopicsError(f"{example} cannot be an example: {reason}")
        name = self._copy_of(source, path, taken)
        taken.add(name)
        return name

    def _copy_of(self, source: Path, path: str, taken: set[str]) -> str:
        folder = self._directory.path
        if source.resolve().is_relative_to(folder.resolve()):
            return str(source.resolve().relative_to(folder.resolve()))  # it lies in the crawl directory already
        there = {str(file.relative_to(folder)) for file in (folder / "examples").rglob("*")}
        name = free_name(path, source.name, taken | there)
        try:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, folder / name)
        except OSError as error:
            raise DirectoryError(f"{source} cannot be copied to {folder / name}: {error.strerror}") from None
        return name
