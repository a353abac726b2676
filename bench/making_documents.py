"""Small whole documents of every kind that can be read, made as their standards say: for tests, and to be damaged.

Each says the same three things: a title, a line of text, and a link with words; reportlab makes the PDFs.
"""

import io
import tarfile
import zipfile
from collections.abc import Mapping, Sequence
from html import escape

from reportlab.lib.pdfencrypt import StandardEncryption  # type: ignore[import-untyped]
from reportlab.pdfgen.canvas import Canvas  # type: ignore[import-untyped]

TITLE = "The scent of hounds"
TEXT = "Trails are read by trained noses."
WORDS = "The kennel club"
TARGET = "http://hounds.example/club"

_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"
_SLIDES = "http://schemas.openxmlformats.org/presentationml/2006/main"
_CORE = "http://schemas.openxmlformats.org/package/2006/metadata/core-properties"
_OASIS = "urn:oasis:names:tc:opendocument:xmlns"
_XML = '<?xml version="1.0" encoding="UTF-8"?>'


def pdf(lines: Sequence[str] = (TEXT,), *, pages: int = 1, password: str = "", title: str = TITLE) -> bytes:
    """Make a PDF with a large heading, lines of text and a link on each page."""
    file = io.BytesIO()
    locked = StandardEncryption(password, ownerPassword="owner") if password else None
    canvas = Canvas(file, pagesize=(400, 400), encrypt=locked, invariant=1)
    canvas.setTitle(title)
    for _ in range(pages):
        canvas.setFont("Helvetica", 24)
        canvas.drawString(40, 340, TITLE)
        canvas.setFont("Helvetica", 10)
        for number, line in enumerate(lines):
            canvas.drawString(40, 300 - 14 * number, line)
        canvas.drawString(40, 100, WORDS)
        canvas.linkURL(TARGET, (38, 97, 130, 112))
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def docx(body: str = "", relations: str = "") -> bytes:
    """Make a Word document; `body` is put after the text, as WordprocessingML."""
    link = f'<w:p><w:hyperlink r:id="rId1"><w:r><w:t>{WORDS}</w:t></w:r></w:hyperlink></w:p>'
    document = f'{_XML}<w:document xmlns:w="{_WORD}" xmlns:r="{_OFFICE}"><w:body><w:p><w:r><w:t>{TEXT}</w:t></w:r></w:p>{link}{body}</w:body></w:document>'
    own = f'<Relationship Id="rId1" Type="{_OFFICE}/hyperlink" Target="{TARGET}" TargetMode="External"/>{relations}'
    return zipped(
        {
            "[Content_Types].xml": f'{_XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
            "_rels/.rels": _related(_main("word/document.xml")),
            "word/document.xml": document,
            "word/_rels/document.xml.rels": _related(own),
            "docProps/core.xml": _properties(),
        }
    )


def pptx(slides: int = 2) -> bytes:
    """Make a presentation whose slides are shown in the opposite order of their names."""
    ids = "".join(f'<p:sldId id="{256 + n}" r:id="rId{n}"/>' for n in range(slides, 0, -1))
    own = "".join(
        f'<Relationship Id="rId{n}" Type="{_OFFICE}/slide" Target="slides/slide{n}.xml"/>' for n in range(1, slides + 1)
    )
    click = f'<Relationship Id="rId1" Type="{_OFFICE}/hyperlink" Target="{TARGET}" TargetMode="External"/>'
    parts = {
        "[Content_Types].xml": f"{_XML}<Types/>",
        "_rels/.rels": _related(_main("ppt/presentation.xml")),
        "ppt/presentation.xml": f'{_XML}<p:presentation xmlns:p="{_SLIDES}" xmlns:r="{_OFFICE}"><p:sldIdLst>{ids}</p:sldIdLst></p:presentation>',
        "ppt/_rels/presentation.xml.rels": _related(own),
        "docProps/core.xml": _properties(),
    }
    for n in range(1, slides + 1):
        runs = f'<a:p><a:r><a:t>Slide {n}. {TEXT}</a:t></a:r></a:p><a:p><a:r><a:rPr><a:hlinkClick r:id="rId1"/></a:rPr><a:t>{WORDS}</a:t></a:r></a:p>'
        parts[f"ppt/slides/slide{n}.xml"] = (
            f'{_XML}<p:sld xmlns:p="{_SLIDES}" xmlns:a="{_DRAWING}" xmlns:r="{_OFFICE}">{runs}</p:sld>'
        )
        parts[f"ppt/slides/_rels/slide{n}.xml.rels"] = _related(click)
    return zipped(parts)


def odt(*, kind: str = "text", locked: bool = False) -> bytes:
    """Make an OpenDocument file; a locked one says so in its manifest, and is scrambled."""
    content = f'{_XML}<office:document-content xmlns:office="{_OASIS}:office:1.0" xmlns:text="{_OASIS}:text:1.0" xmlns:xlink="http://www.w3.org/1999/xlink"><office:body><office:{kind}><text:h>{TITLE}</text:h><text:p>{TEXT}</text:p><text:p><text:a xlink:href="{TARGET}">{WORDS}</text:a></text:p></office:{kind}></office:body></office:document-content>'
    lock = '<manifest:encryption-data manifest:checksum="x"/>' if locked else ""
    return zipped(
        {
            "mimetype": f"application/vnd.oasis.opendocument.{kind}",
            "content.xml": content[::-1] if locked else content,
            "meta.xml": f'{_XML}<m xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{TITLE}</dc:title></m>',
            "META-INF/manifest.xml": f'{_XML}<manifest:manifest xmlns:manifest="{_OASIS}:manifest:1.0"><manifest:file-entry manifest:full-path="content.xml">{lock}</manifest:file-entry></manifest:manifest>',
        },
        stored=("mimetype",),
    )


def rtf(body: str = "") -> bytes:
    field = rf'{{\field{{\*\fldinst HYPERLINK "{TARGET}"}}{{\fldrslt {WORDS}}}}}'
    return rf"{{\rtf1\ansi\ansicpg1252{{\info{{\title {TITLE}}}}}{TEXT}\par {field}\par {body}}}".encode("latin-1")


def rss(items: Sequence[str] = ()) -> bytes:
    first = (
        f"<item><title>{WORDS}</title><link>{TARGET}</link><description>{escape(f'<p>{TEXT}</p>')}</description></item>"
    )
    return f'{_XML}<rss version="2.0"><channel><title>{TITLE}</title><link>http://feed.example/</link>{first}{"".join(items)}</channel></rss>'.encode()


def atom() -> bytes:
    entry = f'<entry><title>{WORDS}</title><link href="{TARGET}"/><summary>{TEXT}</summary></entry>'
    return f'{_XML}<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en-GB"><title>{TITLE}</title>{entry}</feed>'.encode()


def sitemap(count: int = 3) -> bytes:
    urls = "".join(f"<url><loc>{TARGET}/{n}</loc></url>" for n in range(count))
    return f'{_XML}<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>'.encode()


def markdown() -> bytes:
    return f"# {TITLE}\n\n{TEXT}\n\n[{WORDS}][club]\n\n[club]: {TARGET}\n".encode()


def html() -> bytes:
    return f'<!doctype html><title>{TITLE}</title><p>{TEXT}<p><a href="{TARGET}">{WORDS}</a>'.encode()


def zipped(files: Mapping[str, str | bytes], *, stored: Sequence[str] = ()) -> bytes:
    """Pack files, those named in `stored` uncompressed."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            # A fixed date, so that the same files make the same bytes.
            info = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_STORED if name in stored else zipfile.ZIP_DEFLATED
            archive.writestr(info, data)
    return file.getvalue()


def tarred(files: Mapping[str, bytes], *, mode: str = "w") -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode=mode) as archive:  # type: ignore[call-overload]
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return file.getvalue()


def encrypted(archive: bytes) -> bytes:
    """Mark every member of a zip file as encrypted, which is all that a reader without the password gets to see."""
    marked = bytearray(archive)
    for signature, flags in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        at = archive.find(signature)
        while at >= 0:
            marked[at + flags] |= 1
            at = archive.find(signature, at + 4)
    return bytes(marked)


def _related(relations: str) -> str:
    return f'{_XML}<Relationships xmlns="{_RELATIONS}">{relations}</Relationships>'


def _main(part: str) -> str:
    core = "http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties"
    return (
        f'<Relationship Id="a" Type="{_OFFICE}/officeDocument" Target="{part}"/>'
        f'<Relationship Id="b" Type="{core}" Target="docProps/core.xml"/>'
    )


def _properties() -> str:
    return f'{_XML}<cp:coreProperties xmlns:cp="{_CORE}" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{TITLE}</dc:title></cp:coreProperties>'
