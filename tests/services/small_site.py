"""A crawl of two small sites, one for each topic, that are served as long as a `with` lasts."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.demo.served_answer import Answer
from scenthound.demo.server import ServedWeb
from scenthound.settings.file import override
from scenthound.settings.schema import Settings
from scenthound.taxonomy import Topic, Topics

WORDS = {
    "cycling": "bicycle wheel saddle chain brake gear pedal rider frame tyre",
    "baking": "flour oven dough yeast bread butter sugar crust cake loaf",
}
PATHS = {"Sport/Cycling": "cycling", "Home/Baking": "baking"}
HTML = (("Content-Type", "text/html; charset=utf-8"),)


def answer(host: str, path: str) -> Answer:
    """A site for each topic: every page has its words, each in another order, and links to the next one.

    Each also links to a page that has moved, and says so with a status that means success, as copies of sites do.
    """
    words = WORDS[host.partition(".")[0]].split()
    if path == "/robots.txt":
        return Answer(status=404)
    if path == "/moved":
        return Answer(
            headers=HTML, body=f"<title>301 Moved Permanently</title><p>Moved: {words[0]} {words[1]}".encode()
        )
    number = int(path.strip("/"))
    if number >= len(words):
        return Answer(status=404)
    text = " ".join(words[number:] * 3 + words[:number])
    return Answer(
        headers=HTML,
        body=f"<title>{words[number]}</title><p>{text} <a href='/{number + 1}'>next</a> <a href='/moved'>more</a></p>".encode(),
    )


@contextmanager
def on_the_site(path: Path) -> Iterator[CrawlDirectory]:
    """Make a crawl directory with four examples of each topic."""
    topics = Topics(
        topics=tuple(
            Topic(path=path, good=site == "cycling", examples=tuple(f"http://{site}.example/{n}" for n in range(4)))
            for path, site in PATHS.items()
        )
    )
    with ServedWeb(answer) as served:
        settings = [f'fetch.resolve={{"*.example" = "127.0.0.1:{served.port}"}}', "fetch.delay=0.01", "read.workers=1"]
        settings.append("critic.kind=bayes")  # the quickest to learn
        yield CrawlDirectory.create(path, topics=topics, settings=override(Settings(), settings))
