"""The character encoding of a page, as browsers decide it (HTML standard §13.2.3, WHATWG Encoding).

The order is: byte order mark, HTTP header, `<meta>` in the first 1,024 bytes, then the content. Labels mean the same as
in browsers: latin-1 is windows-1252, gb2312 is gb18030. Unknown labels are ignored.
"""

import codecs
import re
from functools import cache
from typing import Final

# Encoding, its Python codec, and its other labels. The "replacement" encodings are left out and count as unknown.
_LABELS: Final = """
utf-8 utf-8: utf8 unicode-1-1-utf-8 unicode11utf8 unicode20utf8 x-unicode20utf8
ibm866 cp866: 866 cp866 csibm866
iso-8859-2 iso8859-2: csisolatin2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2
iso-8859-3 iso8859-3: csisolatin3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 latin3
iso-8859-4 iso8859-4: csisolatin4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4
iso-8859-5 iso8859-5: csisolatincyrillic cyrillic iso-ir-144 iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988
iso-8859-6 iso8859-6: arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6-e iso-8859-6-i \
iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987
iso-8859-7 iso8859-7: csisolatingreek ecma-118 elot_928 greek greek8 iso-ir-126 iso8859-7 iso88597 iso_8859-7 \
iso_8859-7:1987 sun_eu_greek
iso-8859-8 iso8859-8: csiso88598e csiso88598i csisolatinhebrew hebrew iso-8859-8-e iso-8859-8-i iso-ir-138 iso8859-8 \
iso88598 iso_8859-8 iso_8859-8:1988 logical visual
iso-8859-10 iso8859-10: csisolatin6 iso-ir-157 iso8859-10 iso885910 l6 latin6
iso-8859-13 iso8859-13: iso8859-13 iso885913
iso-8859-14 iso8859-14: iso8859-14 iso885914
iso-8859-15 iso8859-15: csisolatin9 iso8859-15 iso885915 iso_8859-15 l9
iso-8859-16 iso8859-16:
koi8-r koi8-r: cskoi8r koi koi8 koi8_r
koi8-u koi8-u: koi8-ru
macintosh mac-roman: csmacintosh mac x-mac-roman
windows-874 cp874: dos-874 iso-8859-11 iso8859-11 iso885911 tis-620
windows-1250 cp1250: cp1250 x-cp1250
windows-1251 cp1251: cp1251 x-cp1251
windows-1252 cp1252: ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 iso88591 \
iso_8859-1 iso_8859-1:1987 l1 latin1 latin-1 us-ascii x-cp1252
windows-1253 cp1253: cp1253 x-cp1253
windows-1254 cp1254: cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 l5 latin5 \
x-cp1254
windows-1255 cp1255: cp1255 x-cp1255
windows-1256 cp1256: cp1256 x-cp1256
windows-1257 cp1257: cp1257 x-cp1257
windows-1258 cp1258: cp1258 x-cp1258
x-mac-cyrillic mac-cyrillic: x-mac-ukrainian
gb18030 gb18030: chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 gbk iso-ir-58 x-gbk
big5 big5hkscs: big5-hkscs cn-big5 csbig5 x-x-big5
euc-jp euc_jp: cseucpkdfmtjapanese x-euc-jp
iso-2022-jp iso2022_jp: csiso2022jp
shift_jis cp932: csshiftjis ms932 ms_kanji shift-jis sjis windows-31j x-sjis
euc-kr cp949: cseuckr csksc56011987 iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 windows-949
utf-16be utf-16-be: unicodefffe
utf-16le utf-16-le: csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16
"""

_BOMS: Final = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_BE, "utf-16be"), (codecs.BOM_UTF16_LE, "utf-16le"))
_PRESCAN: Final = 1024
_META: Final = re.compile(rb"<meta[\s/]([^>]*)", re.IGNORECASE)
_META_CHARSET: Final = re.compile(rb"charset\s*=\s*[\"']?\s*([^\s\"'/>;]+)", re.IGNORECASE)
_COMMENT: Final = re.compile(rb"<!--.*?-->", re.DOTALL)
_LANG: Final = re.compile(rb"<html[^>]*?\slang\s*=\s*[\"']?([a-z]{2})", re.IGNORECASE)
# The likely encoding of a page without a declaration, as browsers guess it from the reader's locale.
_BY_LANGUAGE: Final = {
    "ru": "windows-1251",
    "bg": "windows-1251",
    "uk": "windows-1251",
    "sr": "windows-1251",
    "pl": "windows-1250",
    "cs": "windows-1250",
    "sk": "windows-1250",
    "hu": "windows-1250",
    "ro": "windows-1250",
    "el": "windows-1253",
    "tr": "windows-1254",
    "he": "windows-1255",
    "ar": "windows-1256",
    "fa": "windows-1256",
    "lt": "windows-1257",
    "lv": "windows-1257",
    "vi": "windows-1258",
    "th": "windows-874",
    "ja": "shift_jis",
    "ko": "euc-kr",
    "zh": "gb18030",
}


def charset_of(body: bytes, header: str = "") -> str:
    """Return the encoding of a body by its WHATWG name in lower case; `header` is the charset of its Content-Type.

    >>> charset_of(b'<meta charset="latin-1">'), charset_of(b"", "GB2312"), charset_of("naïve".encode())
    ('windows-1252', 'gb18030', 'utf-8')
    """
    for mark, name in _BOMS:
        if body.startswith(mark):
            return name
    return named(header) or _prescan(body[:_PRESCAN]) or _from_content(body)


def decode(body: bytes, name: str) -> str:
    """Decode with an encoding from `charset_of`; invalid bytes become U+FFFD."""
    for mark, marked in _BOMS:
        if marked == name:
            body = body.removeprefix(mark)
    return body.decode(_codecs()[name], "replace")


def named(label: str) -> str:
    """Return the encoding that browsers use for a label, or "".

    >>> named(" Latin1 "), named("x-nonsense")
    ('windows-1252', '')
    """
    return _names().get(label.strip().strip("\"'").lower(), "")


def _prescan(head: bytes) -> str:
    """Find `<meta charset=…>` or `<meta http-equiv=content-type content="…charset=…">`, as in §13.2.3.2."""
    if head.startswith((b"<\0", b"\0<")):
        return "utf-16le" if head[0] == 0x3C else "utf-16be"
    for meta in _META.finditer(_COMMENT.sub(b"", head) if b"<!--" in head else head):
        if (found := _META_CHARSET.search(meta[1])) and (name := named(found[1].decode("ascii", "replace"))):
            # A meta that is readable as ASCII is not in UTF-16, whatever it says.
            return "utf-8" if name.startswith("utf-16") else name
    return ""


def _from_content(body: bytes) -> str:
    try:
        body.decode()
    except UnicodeDecodeError as damage:
        # A body cut in mid-character, or with a stray byte at its very end, is still UTF-8.
        if damage.start > len(body) - 4 and damage.start > 0 and not body[: damage.start].isascii():
            return "utf-8"
    else:
        return "utf-8"
    language = _LANG.search(body[:_PRESCAN])
    return _BY_LANGUAGE.get(language[1].decode().lower(), "windows-1252") if language else "windows-1252"


@cache
def _codecs() -> dict[str, str]:
    return {name: codec for name, codec, _ in _rows()}


@cache
def _names() -> dict[str, str]:
    return {label: name for name, _, labels in _rows() for label in (name, *labels)}


def _rows() -> list[tuple[str, str, list[str]]]:
    lines = [line.partition(": ") for line in _LABELS.strip().splitlines()]
    return [(*head.rstrip(":").split(" "), labels.split()) for head, _, labels in lines]  # type: ignore[misc]
