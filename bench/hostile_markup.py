"""Hostile markup: entities, nesting, names and sheer number in XML, Office files, RTF and Markdown."""

import io
import random
import zipfile
from collections.abc import Callable

from bench import making_documents as make

Rng = random.Random
MEGABYTE = 1_000_000


def _declared(entities: str, content: str) -> bytes:
    return f"<?xml version='1.0'?><!DOCTYPE rss [{entities}]><rss><channel><title>{content}</title></channel></rss>".encode()


def billion_laughs(rng: Rng) -> bytes:
    levels = rng.randint(5, 12)
    laughs = "<!ENTITY l0 'ha'>" + "".join(f"<!ENTITY l{n} '{f'&l{n - 1};' * 10}'>" for n in range(1, levels))
    return _declared(laughs, f"&l{levels - 1};")


def quadratic_blowup(rng: Rng) -> bytes:
    return _declared(f"<!ENTITY long '{'x' * rng.choice([900, 60_000])}'>", "&long;" * rng.randint(10_000, 60_000))


def laughing_attributes(rng: Rng) -> bytes:
    body = f"<!DOCTYPE a [<!ENTITY long '{'x' * 900}'>]><a b='{'&long;' * rng.randint(10_000, 60_000)}'/>"
    return f"<?xml version='1.0'?>{body}".encode()


def outside_entity(rng: Rng) -> bytes:
    target = rng.choice(["file:///etc/passwd", "file:///dev/random", "http://127.0.0.1:1/", "ftp://x.invalid/"])
    kind = rng.choice(["<!ENTITY x SYSTEM '{}'>", "<!ENTITY % p SYSTEM '{}'> %p;", "<!ENTITY x PUBLIC 'a' '{}'>"])
    return _declared(kind.format(target), "&x;" if "% p" not in kind else "text")


def deep_xml(rng: Rng) -> bytes:
    depth = rng.randint(200, 200_000)
    return b"<?xml version='1.0'?>" + b"<a>" * depth + b"x" + b"</a>" * rng.choice([depth, depth - 1])


def many_names(rng: Rng) -> bytes:
    count = rng.randint(500, 50_000)
    attributes = " ".join(f"xmlns:n{n}='u{n}'" if rng.random() < 0.5 else f"a{n}='1'" for n in range(count))
    return f"<?xml version='1.0'?><a {attributes}><b xmlns:q='r'/></a>".encode()


def endless_feed(rng: Rng) -> bytes:
    item = (
        f"<item><title>{make.WORDS}</title><link>{make.TARGET}/{{}}</link><description>&lt;p&gt;x</description></item>"
    )
    return make.rss([item.format(n) for n in range(rng.randint(6_000, 20_000))])


def deep_markup_in_a_feed(rng: Rng) -> bytes:
    deep = "&lt;div&gt;" * rng.randint(1_000, 60_000)
    return make.rss([f"<item><title>t</title><description>{deep}</description></item>"])


def endless_map(rng: Rng) -> bytes:
    return make.sitemap(rng.randint(20_000, 60_000))


def bad_characters(rng: Rng) -> bytes:
    said = rng.choice(["utf-16", "utf-7", "x-none", "ucs-4", "ebcdic-cp-be", "shift_jis"])
    return f"<?xml version='1.0' encoding='{said}'?><rss><title>".encode() + rng.randbytes(400) + b"</title></rss>"


def swollen_office_file(rng: Rng) -> bytes:
    spaces = " " * rng.choice([5, 30]) * MEGABYTE
    return make.docx(f"<w:p><w:r><w:t>{spaces}</w:t></w:r></w:p>")


def deep_office_file(rng: Rng) -> bytes:
    depth = rng.randint(100, 100_000)
    return make.docx("<w:tbl>" * depth + "</w:tbl>" * depth)


def office_file_of_many_paragraphs(rng: Rng) -> bytes:
    return make.docx("<w:p><w:r><w:t>word</w:t></w:r></w:p>" * rng.randint(50_000, 200_000))


def tangled_relations(rng: Rng) -> bytes:
    targets = ["document.xml", "../../../etc/passwd", "/word/document.xml", "", "x" * 5_000, "_rels/document.xml.rels"]
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
    relations = "".join(
        f'<Relationship Id="r{n}" Type="{kind}{rng.choice(["footnotes", "hyperlink", "officeDocument"])}" '
        f'Target="{rng.choice(targets)}"/>'
        for n in range(rng.randint(1, 60))
    )
    return make.docx(relations=relations)


def missing_parts(rng: Rng) -> bytes:
    whole = rng.choice([make.docx(), make.pptx(), make.odt()])
    with zipfile.ZipFile(io.BytesIO(whole)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    for name in rng.sample(sorted(files), k=rng.randint(1, len(files) - 1)):
        files[name] = rng.choice([b"", b"<", b"\0" * 100, b"<?xml version='1.0'?><a/>", rng.randbytes(300)])
    if rng.random() < 0.5:
        del files[rng.choice(sorted(files))]
    return make.zipped(files, stored=("mimetype",))


def laughing_office_file(_rng: Rng) -> bytes:
    with zipfile.ZipFile(io.BytesIO(make.docx())) as archive:
        files: dict[str, bytes | str] = {name: archive.read(name) for name in archive.namelist()}
    files["word/document.xml"] = billion_laughs(random.Random(1))
    return make.zipped(files)


def locked_office_file(_rng: Rng) -> bytes:
    return make.odt(locked=True)


def unending_slides(rng: Rng) -> bytes:
    return make.pptx(rng.randint(600, 900))


def deep_rtf(rng: Rng) -> bytes:
    depth = rng.randint(1_000, 500_000)
    return b"{\\rtf1 " + b"{\\b " * depth + b"deep" + b"}" * rng.choice([depth + 1, depth // 2])


def lying_rtf(rng: Rng) -> bytes:
    tricks = [r"\bin99999999999 ", r"\bin-5 ", r"\u99999?", r"\uc999999\u8211 ", r"\ansicpg31337 ", r"\f-9999\'ff",
              r"{\field{\*\fldinst HYPERLINK}{\fldrslt", r"{\field" * 50, r"\'zz", "\\", r"{\*\unknown "]  # fmt: skip
    return make.rtf("".join(rng.choice(tricks) for _ in range(rng.randint(1, 400))))


def pathological_markdown(rng: Rng) -> bytes:
    many = rng.randint(1_000, 20_000)
    unit = rng.choice(
        ["[", "![[](", "*a **b ", "> ", "- ", "`" * 3 + "x", "<a ", "[a](<b", "|a", "&#0;", "[x]: ", "_a __"]
    )
    return b"[link](http://a.example/)\n\n" + (unit * many).encode()


WAYS: tuple[Callable[[Rng], bytes], ...] = (
    billion_laughs,
    quadratic_blowup,
    laughing_attributes,
    outside_entity,
    deep_xml,
    many_names,
    endless_feed,
    deep_markup_in_a_feed,
    endless_map,
    bad_characters,
    swollen_office_file,
    deep_office_file,
    office_file_of_many_paragraphs,
    tangled_relations,
    missing_parts,
    laughing_office_file,
    locked_office_file,
    unending_slides,
    deep_rtf,
    lying_rtf,
    pathological_markdown,
)
