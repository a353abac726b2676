"""`python -m bench.search`: one part, or the answers on so many pages."""

import argparse
import sys
import tempfile
from pathlib import Path

from bench.search import KILLS, QUICK_PAGES
from bench.search.answer_times import answers
from bench.search.category_ranking import quality
from bench.search.engine_choice import engines
from bench.search.index_lag import beside
from bench.search.indexer_kills import kills
from bench.search.spooled_texts import texts


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.search")
    parser.add_argument("--pages", type=int, help="measure the answers on so many made pages")
    parser.add_argument("--keep", type=Path, help="make the pages there, and leave them for the next time")
    parser.add_argument(
        "--part", choices=["engines", "quality", "kills", "texts", "beside"], help="one part, on the quick scale"
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        if options.part == "quality":
            report = quality(place / "quality", every=1)
        elif options.part == "engines":
            report = engines(place / "engines", options.pages or QUICK_PAGES)
        elif options.part == "kills":
            report = kills(place / "killed", KILLS)
        elif options.part == "texts":
            report = texts(place / "texts")
        elif options.part == "beside":
            report = beside(place / "beside", pages=options.pages or 1_500, rounds=3)
        else:
            report = answers(options.keep or place / "made", options.pages or QUICK_PAGES)
    for figure in report.figures:
        print(f"{figure.name}: {figure.value:.4g} {figure.unit} {figure.verdict}")
    print("\n".join(report.text))
    return 0


if __name__ == "__main__":
    sys.exit(main())
