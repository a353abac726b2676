"""Reads the pages that a portal does not know yet, on all processors if they are many."""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import ExitStack
from itertools import islice
from multiprocessing import get_context
from typing import Final

from scenthound.archive.place import ArchiveFolder
from scenthound.services.portal.extract_file import ExtractFile
from scenthound.services.portal.page_extract import Extract, Order, extract_pages

_AT_ONCE: Final = 250  # pages of one errand
_FEW: Final = 3_000  # pages: a process takes a second to start, in which one reads several hundred


def extract_all(
    file: ExtractFile, archive: ArchiveFolder, orders: Sequence[Order], product: str, heard: Callable[[int], object]
) -> None:
    """Read pages and add what is found to the file; `heard` gets the number done."""
    errands = [orders[start : start + _AT_ONCE] for start in range(0, len(orders), _AT_ONCE)]
    done = 0
    for errand, found in _done(errands, archive, product, crew=1 if len(orders) < _FEW else os.cpu_count() or 1):
        file.add((one.number, one.id, one.n, extract) for one, extract in zip(errand, found, strict=True))
        done += len(errand)
        heard(done)


def _done(
    errands: Sequence[Sequence[Order]], archive: ArchiveFolder, product: str, *, crew: int
) -> Iterator[tuple[Sequence[Order], list[Extract]]]:
    if crew == 1:
        for errand in errands:
            yield errand, extract_pages(archive, errand, product)
        return
    with ExitStack() as stack:
        pool = stack.enter_context(ProcessPoolExecutor(crew, mp_context=get_context("spawn")))
        waiting: list[tuple[Sequence[Order], Future[list[Extract]]]] = []
        coming = iter(errands)
        while True:
            for errand in islice(
                coming, 2 * crew - len(waiting)
            ):  # not all at once: their answers would wait in memory
                waiting.append((errand, pool.submit(extract_pages, archive, errand, product)))
            if not waiting:
                return
            errand, answer = waiting.pop(0)
            yield errand, answer.result()
