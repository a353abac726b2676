"""How fast search answers, how fast and large its index is, what it costs a crawl, what kills cost it, how good it is.

`python -m bench.search --pages N` measures the answers on so many pages. Imports: anything that a bench imports.
"""

import tempfile
from pathlib import Path

from bench.figures import Report
from bench.search.answer_times import answers
from bench.search.category_ranking import quality
from bench.search.engine_choice import engines
from bench.search.index_lag import beside
from bench.search.indexer_kills import kills
from bench.search.spooled_texts import texts
from bench.serving import SCHOOLS, missing, webs_file

QUICK_PAGES, PAGES = 20_000, 1_000_000
QUICK_KILLS, KILLS = 8, 100


def run(*, quick: bool = False) -> Report:
    """Measure all parts."""
    warc = webs_file(SCHOOLS)
    if warc is None:
        return Report(skipped=missing(SCHOOLS))
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        parts = [
            answers(place / "made", QUICK_PAGES if quick else PAGES),
            engines(place / "engines", QUICK_PAGES),
            quality(place / "quality", every=6 if quick else 1),
            kills(place / "killed", QUICK_KILLS if quick else KILLS),
            texts(place / "texts"),
            beside(place / "beside", pages=1_500 if quick else 5_400, rounds=1 if quick else 3),
        ]
    return Report(
        figures=tuple(figure for part in parts for figure in part.figures), text=tuple(t for p in parts for t in p.text)
    )
