"""Rich Text Format 1.9: text, title and HYPERLINK fields of a file that is a tree of groups in braces.

The code page of the file or of the font gives bytes their meaning. `\\u` escapes come with a substitute for older
readers, which is skipped. Groups are on a list, not on the stack, so a million of them cost only memory.
"""

import re
from codecs import lookup
from dataclasses import dataclass, replace
from typing import Final

from scenthound.parse.documents.draft import Draft, Fields, Flow
from scenthound.parse.documents.limits import Document, RefusalError
from scenthound.types import Reason

_TOKEN: Final = re.compile(
    r"\\(?P<word>[a-zA-Z]{1,32})(?P<number>-?\d{1,10})? ?"
    r"|\\'(?P<hex>[0-9a-fA-F]{2})"
    r"|\\(?P<symbol>[^a-zA-Z])"
    r"|(?P<brace>[{}])"
    r"|(?P<text>[^\\{}\r\n]+)"
    r"|[\r\n]+|.",
    re.DOTALL,
)
_ENDS: Final = frozenset({"par", "sect", "page", "cell", "nestcell", "row", "nestrow"})
_CHARACTERS: Final = {
    "tab": " ",
    "line": " ",
    "emspace": " ",
    "enspace": " ",
    "emdash": "—",
    "endash": "–",
    "bullet": "•",
    "lquote": "‘",
    "rquote": "’",
    "ldblquote": "“",
    "rdblquote": "”",
}
_SYMBOLS: Final = {"~": "\xa0", "_": "-", "\\": "\\", "{": "{", "}": "}"}
_SILENT: Final = frozenset(
    re.findall(
        r"\w+",
        "colortbl stylesheet info pict object header headerl headerr headerf footer footerl footerr footerf nonshppict"
        " listtext pntext listtable listoverridetable revtbl rsidtbl themedata colorschememapping datastore"
        " latentstyles xmlnstbl generator filetbl xe tc tcn annotation atnid atnauthor template company author"
        " operator",
    )
)
_OPENED_AGAIN: Final = {"title": "title", "fldinst": "instruction", "shptxt": "text", "result": "text"}
_BY_CHARSET: Final = {
    0: "cp1252", 77: "mac-roman", 128: "cp932", 129: "cp949", 134: "gbk", 136: "cp950", 161: "cp1253", 162: "cp1254",
    163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874", 238: "cp1250",
}  # fmt: skip


def read_rtf(body: bytes, *, url: str, mime: str) -> Document:
    """Read an RTF file; it is damaged if its outermost group never closes."""
    draft = Draft(url)
    reader = _Rtf(draft)
    reader.read(body.decode("latin-1"))
    if not reader.closed:
        raise RefusalError(Reason.DAMAGED, "RTF ends before its last group does")
    draft.title = "".join(reader.title)
    return draft.document(mime)


@dataclass(frozen=True, slots=True)
class _Group:
    """The state inside a pair of braces: where text goes, its code page, and the substitutes after each `\\u`."""

    where: str = "text"
    codec: str = "cp1252"
    substitutes: int = 1
    field: bool = False


class _Rtf:
    def __init__(self, draft: Draft) -> None:
        self.title: list[str] = []
        self.closed = False
        self._flow = Flow(draft)
        self._fields = Fields(self._flow)
        self._group = _Group()
        self._outer: list[_Group] = []
        self._bytes = bytearray()
        self._skip = 0
        self._half = ""  # the first half of a character beyond U+FFFF
        self._starred = False
        self._codec = "cp1252"
        self._fonts: dict[int, str] = {}
        self._font = 0

    def read(self, text: str) -> None:
        at = 0
        while not self.closed and (token := _TOKEN.match(text, at)):
            at = token.end()
            if token["word"]:
                number = int(token["number"]) if token["number"] else None
                if token["word"] == "bin":
                    at += max(0, number or 0)
                self._word(token["word"], number)
            elif token["hex"]:
                self._byte(int(token["hex"], 16))
            elif token["text"]:
                self._text(token["text"])
            elif token["brace"]:
                self._brace(token["brace"])
            elif token["symbol"]:
                self._symbol(token["symbol"])
        self._flush()

    def _brace(self, brace: str) -> None:
        self._flush()
        self._skip = 0
        if brace == "{":
            self._outer.append(self._group)
            self._group = replace(self._group, field=False)
            self._starred = False
        elif self._outer:
            if self._group.field:
                self._fields.end()
            self._group = self._outer.pop()
            if not self._outer:
                self._flow.end_link()
                self._flow.end()
                self.closed = True

    def _word(self, word: str, number: int | None) -> None:
        if word == "u" and number is not None:
            self._unicode(number & 0xFFFF)
            return
        self._flush()
        if word in _OPENED_AGAIN or word in _SILENT or word == "fonttbl" or self._starred:
            self._destination(word)
        elif word in _ENDS and self._group.where == "text":
            self._flow.end()
        elif word in _CHARACTERS:
            self._say(_CHARACTERS[word])
        elif word == "field":
            self._fields.begin()
            self._group = replace(self._group, field=True)
        elif word == "fldrslt":
            self._fields.result()
        elif number is not None:
            self._setting(word, number)

    def _destination(self, word: str) -> None:
        self._starred = False
        where = "fonts" if word == "fonttbl" else _OPENED_AGAIN.get(word, "silent")
        if word in ("shptxt", "result") and self._fields.instructing:
            where = "silent"
        self._group = replace(self._group, where=where)

    def _setting(self, word: str, number: int) -> None:
        if word == "uc":
            self._group = replace(self._group, substitutes=min(number, 16))
        elif word == "ansicpg":
            self._codec = _known(f"cp{number}")
            self._group = replace(self._group, codec=self._codec)
        elif word == "f" and self._group.where == "fonts":
            self._font = number
        elif word == "fcharset" and self._group.where == "fonts":
            # Charset 0 is "ANSI": the code page of the whole file.
            self._fonts[self._font] = _BY_CHARSET.get(number, self._codec) if number else self._codec
        elif word == "f":
            self._group = replace(self._group, codec=self._fonts.get(number, self._codec))

    def _symbol(self, symbol: str) -> None:
        self._flush()
        if symbol == "*":
            self._starred = True
        elif symbol in _SYMBOLS:
            self._say(_SYMBOLS[symbol])
        elif symbol in "\r\n" and self._group.where == "text":
            self._flow.end()

    def _text(self, text: str) -> None:
        if self._skip:
            skipped = min(self._skip, len(text))
            self._skip -= skipped
            text = text[skipped:]
        if self._group.where != "silent":
            self._bytes += text.encode("latin-1")

    def _byte(self, byte: int) -> None:
        if self._skip:
            self._skip -= 1
        elif self._group.where != "silent":
            self._bytes.append(byte)

    def _unicode(self, unit: int) -> None:
        self._flush()
        self._skip = self._group.substitutes
        if 0xD800 <= unit < 0xDC00:
            self._half = chr(unit)
            return
        pair = (self._half + chr(unit)).encode("utf-16-le", "surrogatepass")
        self._half = ""
        self._say(pair.decode("utf-16-le", "replace"))

    def _flush(self) -> None:
        """Write the bytes collected so far: two of them may be one character, so decode them together."""
        if self._bytes:
            self._say(self._bytes.decode(self._group.codec, "replace"))
            self._bytes.clear()

    def _say(self, text: str) -> None:
        where = self._group.where
        if where == "instruction":
            self._fields.instruct(text)
        elif where == "title":
            self.title.append(text)
        elif where == "text":
            self._flow.say(text)


def _known(codec: str) -> str:
    try:
        return lookup(codec).name
    except LookupError:
        return "cp1252"
