"""A reader that is killed, as if by the kernel, when it is given a page that says "poison"."""

import os
import signal
from collections.abc import Sequence

from scenthound.crawl.readers import reader
from scenthound.search.text_spool import TextSpool
from scenthound.types import Reading


def deadly(jobs: Sequence[reader.Job], options: reader.ReaderOptions, spool: TextSpool | None = None) -> list[Reading]:
    if any(b"poison" in job.fetch.body for job in jobs):
        os.kill(os.getpid(), signal.SIGKILL)
    return reader.work_on(jobs, options, spool)


if __name__ == "__main__":
    reader.main(deadly)
