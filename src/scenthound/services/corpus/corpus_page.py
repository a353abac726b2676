"""A page on its way into a corpus: its row, and its text if that is wanted."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from scenthound.services.corpus.page_texts import PageText
from scenthound.services.why.reason_words import iso
from scenthound.types import ArchiveSpot, PageRow

COLUMNS: Final = (
    "n",
    "url",
    "final_url",
    "host",
    "status",
    "mime",
    "title",
    "language",
    "relevance",
    "topic",
    "depth",
    "priority",
    "referrer",
    "fetched_at",
    "digest",
    "topics",
)
# With --all, rows that are no pages come along, and these tell them apart.
MORE_COLUMNS: Final = (*COLUMNS, "ending", "reason", "duplicate_of", "near_duplicate_of")
TEXT_COLUMNS: Final = ("text", "licences", "opt_outs")


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusPage:
    """`text` is None where nobody has asked for it; `copies` are other records with the same content."""

    page: PageRow
    text: PageText | None = None
    copies: tuple[ArchiveSpot, ...] = ()

    @property
    def address(self) -> str:
        return self.page.final_url or self.page.url

    def as_row(self, columns: Sequence[str]) -> dict[str, object]:
        """Return the columns in their order, the time in ISO 8601."""
        text = self.text or PageText()
        return {name: getattr(text, name) if name in TEXT_COLUMNS else getattr(self.page, name) for name in columns} | {
            "fetched_at": iso(self.page.fetched_at)
        }
