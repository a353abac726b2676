"""Documents that are not web pages: text, title and links of each, by what they are and not by what they are called."""

from scenthound.parse.documents.door import read_document
from scenthound.parse.documents.values import Document, Limits, Refused

__all__ = ["Document", "Limits", "Refused", "read_document"]
