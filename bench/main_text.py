"""How well the main text of articles is found: F1 of each way on pages whose text people have marked, and its cost.

The pages are those of Scrapinghub's article extraction benchmark, and so is the measure: texts are compared as bags of
four words in a row; precision and recall are means over pages, F1 is made of these two. They are looked for in
$SCENTHOUND_DATA, or in shared/data beside the repository. resiliparse is measured if it is installed.
"""

import base64
import gzip
import json
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from statistics import mean
from time import process_time

from bench.figures import Figure, Report, at_least, markdown_table
from bench.running import ROOT
from scenthound.crawl.readers.stored_pages import read_stored
from scenthound.parse.charset import charset_of, decode
from scenthound.parse.markup.main_text import leaves_text, main_text
from scenthound.types import Fetch

FILE = "articles.jsonl.gz"
GOAL = 0.955  # trafilatura 2.0 has .960
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Article:
    """A page, and the text that people have marked."""

    url: str
    body: bytes
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """How well texts were found."""

    precision: float
    recall: float

    @property
    def f1(self) -> float:
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


def run(*, quick: bool = False) -> Report:
    """Measure each way."""
    path = Path(os.environ.get("SCENTHOUND_DATA") or ROOT.parent / "shared" / "data") / FILE
    if not path.exists():
        return Report(skipped=f"{FILE} was not found; put it into ../shared/data or name its folder in SCENTHOUND_DATA")
    articles = list(articles_in(path))[:: 5 if quick else 1]
    rows, figures = [], []
    for name, way in ways().items():
        way(articles[0])  # loads what it needs
        began = process_time()
        texts = [way(article) for article in articles]
        cost = 1000 * (process_time() - began) / len(articles)
        score = f1_of(texts, [article.text for article in articles])
        rows.append((name, f"{score.precision:.3f}", f"{score.recall:.3f}", f"{score.f1:.3f}", f"{cost:.1f} ms"))
        goal = at_least(GOAL) if name == SHIPPED else None
        figures.append(Figure(name=f"main text, {name}: F1", value=round(score.f1, 3), goal=goal))
    table = markdown_table(("", "precision", "recall", "F1", "processor time a page"), rows)
    return Report(figures=tuple(figures), text=(f"{len(articles)} pages.", table))


def articles_in(path: Path) -> Iterator[Article]:
    """Yield the pages of the benchmark."""
    with gzip.open(path) as lines:
        for row in map(json.loads, lines):
            yield Article(url=row["url"], body=base64.b64decode(row["html_base64"]), text=row["article"])


SHIPPED = "for people (trafilatura, fast)"


def ways() -> Mapping[str, Callable[[Article], str]]:
    """Return the ways to find a text, by name."""
    found: dict[str, Callable[[Article], str]] = {
        "for critics (our own leaves)": _own,
        SHIPPED: lambda article: main_text(_markup(article)),
        "for people, as Markdown": lambda article: main_text(_markup(article), as_markdown=True),
        "trafilatura as it comes": _as_it_comes,
    }
    return found | ({"resiliparse": _resiliparse} if find_spec("resiliparse") else {})


def _own(article: Article) -> str:
    reading = read_stored(
        Fetch(url=article.url, started=0, finished=0, status=200, mime="text/html", body=article.body)
    )
    return leaves_text(reading.leaves, reading.links)


def _as_it_comes(article: Article) -> str:
    from trafilatura import extract

    return extract(_markup(article), include_comments=False) or ""


def _resiliparse(article: Article) -> str:
    from resiliparse.extract.html2text import extract_plain_text  # type: ignore[import-not-found]

    return str(extract_plain_text(_markup(article), main_content=True, alt_texts=False))


def _markup(article: Article) -> str:
    return decode(article.body, charset_of(article.body))


def f1_of(texts: Sequence[str], truths: Sequence[str]) -> Score:
    """Compare texts with those that people have marked.

    >>> f1_of(["a b c d e"], ["a b c d"])
    Score(precision=0.5, recall=1.0)
    """
    pairs = [(_shingles(text), _shingles(truth)) for text, truth in zip(texts, truths, strict=True)]
    common = [(found & true).total() for found, true in pairs]
    return Score(
        precision=mean(_share(both, found.total()) for both, (found, _) in zip(common, pairs, strict=True)),
        recall=mean(_share(both, true.total()) for both, (_, true) in zip(common, pairs, strict=True)),
    )


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _shingles(text: str, size: int = 4) -> Counter[tuple[str, ...]]:
    words = _WORD.findall(text.lower())
    return Counter(tuple(words[at : at + size]) for at in range(max(1, len(words) - size + 1)) if words)
