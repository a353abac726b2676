"""Good, or not good: what a reader says of a page becomes an example, of a good topic or of one against it (FOCUS
§2.1).

It goes through the topics file and its history like any other edit, so that a running crawl follows it, it is seen by
everybody, and it can be undone. Undoing looks for the last version in which the page was said to be something else.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.errors import TopicsError
from scenthound.parse.urls import canonical
from scenthound.services.crawls.reader_store import reading
from scenthound.services.topics.topic_edits import Edited
from scenthound.taxonomy import NOT_WANTED, Topics, is_at_or_below
from scenthound.topics import edits
from scenthound.topics.edits import Edit
from scenthound.topics.topics_file import topics_in
from scenthound.topics.url_topics import checked_urls


class Saying(StrEnum):
    """What can be said of a page."""

    GOOD = "good"
    NOT_GOOD = "not good"


def say(directory: CrawlDirectory, url: str, saying: Saying, *, topic: str = "") -> Edited:
    """Make a page an example of a good topic (the likeliest, or `topic`), or of what is not wanted."""
    [address] = checked_urls([url])

    def edit(topics: Topics) -> Edit:
        to = good_topic(directory, topics, address, topic) if saying is Saying.GOOD else NOT_WANTED
        return placed(topics, address, to)

    return change(directory, edit)


def take_back(directory: CrawlDirectory, url: str) -> Edited:
    """Let a page be what it was before the last time that something was said of it."""
    [address] = checked_urls([url])

    def edit(topics: Topics) -> Edit:
        now = topic_of_example(topics, address)
        for version in reversed(directory.history.versions()):
            before = topic_of_example(topics_in(version.read_text(encoding="utf-8-sig")), address)
            if before != now:
                return placed(topics, address, before)
        raise TopicsError(f"nothing was said of {url} that could be taken back")

    return change(directory, edit)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sayings:
    """What was said of pages: of those that are examples, which were made so by a reader, and not with the crawl."""

    topics: Topics
    examples: Mapping[str, str]  # topics by address, as they are now
    first: Mapping[str, str]  # and as they were in the oldest version that is kept

    def of(self, url: str) -> Saying | None:
        """Return what was said of a page; nothing of an example that stands where the crawl began with it."""
        address = canonical(url) or url
        now, first = self.examples.get(address), self.first.get(address)
        if now is None or (first is not None and (now == NOT_WANTED) == (first == NOT_WANTED)):
            return None
        if now == NOT_WANTED:
            return Saying.NOT_GOOD
        return Saying.GOOD if self.topics.is_good(now) else None

    def example_of(self, url: str) -> str:
        """Return the topic that a page is an example of, "" for none."""
        return self.examples.get(canonical(url) or url, "")


def sayings_of(directory: CrawlDirectory) -> Sayings:
    """Read what was said of pages so far."""
    topics, oldest = directory.topics(), directory.history.versions()[:1]
    first = topics_in(oldest[0].read_text(encoding="utf-8-sig")) if oldest else topics
    return Sayings(topics=topics, examples=places_of(topics), first=places_of(first))


def places_of(topics: Topics) -> dict[str, str]:
    """Return the topics of all examples by address; of an address that stands twice, the first."""
    pairs = [(canonical(url) or url, topic.path) for topic in topics.topics for url in topic.example_urls]
    return dict(reversed(pairs))


def topic_of_example(topics: Topics, url: str) -> str | None:
    """Return the topic that has a page among its examples."""
    wanted = canonical(url)
    for topic in topics.topics:
        if any(canonical(example) == wanted for example in topic.example_urls):
            return topic.path
    return None


def change(directory: CrawlDirectory, edit: Callable[[Topics], Edit]) -> Edited:
    """Change the topics by an edit, and keep the version before."""
    history = directory.history
    with history.changing() as topics:
        done = edit(topics)
        return Edited(says=done.says, kept=history.write(done))


def placed(topics: Topics, url: str, to: str | None) -> Edit:
    """Let a page be an example of a topic, and of no other; None for none."""
    now = topic_of_example(topics, url)
    if now == to:
        raise TopicsError(f'{url} is an example of "{to}" already' if to else f"{url} is no example of anything")
    if now is not None and to is None:
        return edits.drop_examples(topics, now, [url])
    if to is not None and to not in topics.nodes:
        added = edits.add_topic(topics, to, examples=[] if now else [url])
        if now is None:
            return added
        return edits.move_examples(added.topics, now, to, [url])
    return (
        edits.add_examples(topics, to or "", [url])
        if now is None
        else edits.move_examples(topics, now, to or "", [url])
    )


def good_topic(directory: CrawlDirectory, topics: Topics, url: str, wanted: str) -> str:
    """Return the good topic that a page is an example of: the one that is wanted, or the likeliest."""
    good = [topic.path for topic in topics.good]
    if wanted:
        if not topics.is_good(wanted):
            raise TopicsError(f'"{wanted}" is no good topic; mark it good first')
        return wanted
    if not good:
        raise TopicsError("no topic is good; mark one first")
    likeliest = _topic_of_page(directory, url)
    if likeliest in topics.nodes and topics.is_good(likeliest):
        return likeliest
    return next((path for path in good if is_at_or_below(path, likeliest.partition("/")[0])), good[0])


def _topic_of_page(directory: CrawlDirectory, url: str) -> str:
    if not directory.begun:
        return ""
    with reading(directory) as store:
        held = store.held([canonical(url) or url])
    return next((page.topic for page in held.values()), "")
