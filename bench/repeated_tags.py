"""Pages made of a few tags again and again, which nest as deep as a parser lets them: how long reading each takes.

By hand: `python -m bench.repeated_tags [TAGS]`. A tenth of the tags is also parsed as they come, to show what the guard
saves: time grows with the square of the depth, so that all of them would take a hundred times as long.
"""

import sys
from collections.abc import Sequence
from time import perf_counter

from selectolax.lexbor import LexborHTMLParser

from scenthound.parse.markup.html import parse
from scenthound.parse.markup.markup_guard import tame

TAGS = 160_000
UNITS = (
    "<optgroup>", "<i></b>", "<dd><li>", "<div>", "<font a=b>", "<b><object></b></object>", "<form><div></form>", "<span><div></span>",
    "<b><table><td></b></table>", "<math><a><input>", "<h1><center>", "<a href=x>", "<li>", "<table>", "<x>",
)  # fmt: skip


def main(arguments: Sequence[str]) -> int:
    tags = int(arguments[0]) if arguments else TAGS
    print(f"seconds for {tags:,} tags, guarded, and for {tags // 10:,} as they come")
    for unit in UNITS:
        repeats = tags // unit.count("<")
        guarded = _seconds(lambda markup: parse(tame(markup).markup), unit * repeats)
        plain = _seconds(LexborHTMLParser, unit * (repeats // 10))
        print(f"{guarded:8.2f}  {plain:8.2f}  {unit}", flush=True)
    return 0


def _seconds(read: object, markup: str) -> float:
    assert callable(read)
    data = markup.encode()
    began = perf_counter()
    read(data)
    return perf_counter() - began


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
