"""Documents other than web pages: text, title and links of each type, recognised by content and not by name.

`door.py` is the entry; each type has its own reader. Imports: the rest of `parse`, and `types`; no disk, no network.
"""

from scenthound.parse.documents.door import read_document
from scenthound.parse.documents.limits import Document, Limits, Refused

__all__ = ["Document", "Limits", "Refused", "read_document"]
