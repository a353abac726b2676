"""PDFs that mean harm: trees that are none, counts that lie, streams that swell (see hostile_documents.py)."""

import io
import random
import zlib
from collections.abc import Callable, Mapping

from bench import making_documents as make

Rng = random.Random
MEGABYTE = 1_000_000


def _pdf(objects: Mapping[int, str | bytes], trailer: str = "") -> bytes:
    """Write a PDF by hand."""
    file = io.BytesIO()
    file.write(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
    places: dict[int, int] = {}
    for number, text in objects.items():
        places[number] = file.tell()
        file.write(b"%d 0 obj\n" % number + (text.encode("latin-1") if isinstance(text, str) else text) + b"\nendobj\n")
    start, size = file.tell(), max(objects) + 1
    rows = [b"%010d 00000 n \n" % places[n] if n in places else b"0000000000 65535 f \n" for n in range(size)]
    file.write(b"xref\n0 %d\n" % size + b"".join(rows))
    file.write(f"trailer\n<</Size {size}/Root 1 0 R{trailer}>>\nstartxref\n{start}\n%%EOF\n".encode())
    return file.getvalue()


def looping_page_tree(rng: Rng) -> bytes:
    count = rng.choice([1, 3, 10_000, 2_147_483_647, -1])
    kids = rng.choice(["2 0 R", "3 0 R 3 0 R", "3 0 R 2 0 R", "9 0 R"])
    return _pdf({1: "<</Type/Catalog/Pages 2 0 R>>", 2: f"<</Type/Pages/Count {count}/Kids[{kids}]>>",
                 3: "<</Type/Pages/Parent 2 0 R/Count 5/Kids[2 0 R 3 0 R]>>"})  # fmt: skip


def looping_references(rng: Rng) -> bytes:
    page = rng.choice(
        ["3 0 R", "<</Type/Page/Parent 3 0 R/MediaBox 3 0 R/Contents 4 0 R/Resources 3 0 R/Annots 3 0 R>>"]
    )
    return _pdf({1: "<</Type/Catalog/Pages 2 0 R>>", 2: "<</Type/Pages/Count 1/Kids[3 0 R]>>", 3: page,
                 4: "<</Length 4 0 R>>stream\nBT ET\nendstream"}, trailer=f"/Prev {rng.choice([0, 9, 15])}")  # fmt: skip


def _page(contents: bytes, extra: str = "", dictionary: str = "") -> bytes:
    return _pdf({
        1: "<</Type/Catalog/Pages 2 0 R>>", 2: "<</Type/Pages/Count 1/Kids[3 0 R]>>",
        3: f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 400]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>{extra}>>>>",
        4: f"<<{dictionary}/Length {len(contents)}>>stream\n".encode() + contents + b"\nendstream",
        5: "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        6: "<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 6 0 R>>>>/Length 4>>stream\n/X Do\nendstream",
    })  # fmt: skip


def pdf_stream_bomb(rng: Rng) -> bytes:
    packed = zlib.compress(bytes(rng.choice([20, 60]) * MEGABYTE), 1)
    twice = rng.random() < 0.5
    filters = "/Filter[/FlateDecode/FlateDecode]" if twice else "/Filter/FlateDecode"
    return _page(zlib.compress(packed) if twice else packed, dictionary=filters)


def pdf_of_much_text(rng: Rng) -> bytes:
    return _page(b"BT /F 9 Tf " + b"(hound) Tj 0 -1 Td " * rng.randint(20_000, 120_000) + b"ET")


def form_in_itself(rng: Rng) -> bytes:
    return _page(b"/X Do " * rng.randint(1, 200), extra="/XObject<</X 6 0 R>>")


def deep_pdf(rng: Rng) -> bytes:
    depth = rng.randint(100, 200_000)
    return _pdf({1: "<</Type/Catalog/Pages 2 0 R/Deep " + "[" * depth + "]" * depth + ">>",
                 2: "<</Type/Pages/Count 0/Kids[]>>"})  # fmt: skip


def pdf_with_many_pages(rng: Rng) -> bytes:
    count = rng.randint(2_000, 20_000)
    kids = " ".join(["3 0 R"] * count)
    return _pdf({1: "<</Type/Catalog/Pages 2 0 R>>", 2: f"<</Type/Pages/Count {count}/Kids[{kids}]>>",
                 3: "<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>>",
                 4: "<</Length 5>>stream\nBT ET\nendstream"})  # fmt: skip


def pdf_with_many_links(rng: Rng) -> bytes:
    link = f"<</Type/Annot/Subtype/Link/Rect[0 0 9e30 9e30]/A<</S/URI/URI({make.TARGET})>>>>"
    return _pdf({1: "<</Type/Catalog/Pages 2 0 R>>", 2: "<</Type/Pages/Count 1/Kids[3 0 R]>>",
                 3: f"<</Type/Page/Parent 2 0 R/MediaBox[-1e9 -1e9 1e9 1e9]/Annots[{link * rng.randint(3_000, 20_000)}]>>"})  # fmt: skip


def locked_pdf(rng: Rng) -> bytes:
    return make.pdf(password=f"secret{rng.random()}")


WAYS: tuple[Callable[[Rng], bytes], ...] = (
    looping_page_tree,
    looping_references,
    pdf_stream_bomb,
    pdf_of_much_text,
    form_in_itself,
    deep_pdf,
    pdf_with_many_pages,
    pdf_with_many_links,
    locked_pdf,
)
