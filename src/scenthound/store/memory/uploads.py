"""Uploads of archive files in memory."""

from scenthound.store.memory.state import State
from scenthound.store.rules import UrlState
from scenthound.types import Ending


class MemoryUploads(State):
    """Verbs about archive files elsewhere."""

    def uploaded(self) -> frozenset[str]:
        return frozenset(self._uploaded)

    def note_upload(self, file: str, *, digest: str, at: float) -> None:
        self._uploaded.setdefault(file, digest)

    def lose_file(self, file: str, *, now: float) -> int:
        self._archived.pop(file, None)
        lost = [url for url in self._urls.values() if url.page and url.page.spot and url.page.spot.file == file]
        again = [url for url in lost if url.state is UrlState.PAGE and url.page and url.page.ending is Ending.PAGE]
        for url in lost:
            assert url.page is not None
            url.page.spot = url.page.etag = url.page.last_modified = None
            url.page.payload = ""
        for url in again:
            self._visit_again(url)
        return len(again)
