"""`python -m papers`: run the papers' experiments, or go on with them, and write the page about them."""

import argparse
import sys
from pathlib import Path

from papers.command import PapersWish, run_papers
from papers.reproduce import catalogue
from scenthound.errors import ScenthoundError
from scenthound.terminal import say


def main() -> int:
    """Read the arguments, and run what they ask for."""
    parser = argparse.ArgumentParser(
        prog="python -m papers",
        description="Run the papers' experiments again and write a page about them. A run that was interrupted goes on "
        "where it stopped. Without the archived webs, the demo web takes their place.",
    )
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="experiments to run; without names, all but the timed ones"
    )
    parser.add_argument("--list", action="store_true", help="list the experiments and stop")
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="where results go; the default is lab-papers in this folder"
    )
    parser.add_argument("--write", type=Path, metavar="F.md", help="write the page there too, its pictures beside it")
    parser.add_argument(
        "--processes", type=int, default=0, metavar="N", help="processes that crawl; 0 means one a core"
    )
    parser.add_argument("--quick", action="store_true", help="one draw and a few topics of the demo web")
    parser.add_argument("--quiet", action="store_true", help="show no progress")
    asked = parser.parse_args()
    if asked.list:
        for name, question in catalogue().items():
            say(f"{name:24}{question}")
        return 0
    wish = PapersWish(
        names=tuple(asked.names),
        out=asked.out,
        write=asked.write,
        processes=max(0, asked.processes),
        quick=asked.quick,
        quiet=asked.quiet,
    )
    try:
        return run_papers(wish)
    except ScenthoundError as error:
        say(f"papers: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
