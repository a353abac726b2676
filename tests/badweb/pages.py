"""Hosts whose pages are the trouble: lying labels, bombs, monstrous markup, and webs without end."""

import asyncio
import gzip
import itertools
import random
import struct
import zlib
from collections.abc import Mapping
from functools import cache

import brotli  # type: ignore[import-untyped]
import zstandard

from tests.badweb.conversation import Conversation, Site, page

# What a bomb unpacks to: beyond any sensible limit, yet made in a fraction of a second.
BOMB_SIZE = 64 * 2**20
# The smallest PNG: one grey pixel.
_PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108000000003a7e9b550000000a49444154789c636000000002000148afa4710000000049454e44ae426082"
)


async def plain(it: Conversation) -> None:
    """A proper page, the same for every path; nothing is wrong with it."""
    await it.answer(page("A proper page", "/another"))


async def siblings(it: Conversation) -> None:
    """A home page with six links to pages that have a text of their own; nothing is wrong with any of them."""
    links = [f"/page/{number}" for number in range(6)] if it.path == "/" else []
    dice = random.Random(it.path)
    await it.answer(page(f"Page {it.path}", *links, text=" ".join(str(dice.random()) for _ in range(30))))


async def slow_siblings(it: Conversation) -> None:
    """The same from a server that thinks about each for a fifth of a second."""
    await asyncio.sleep(0.2)
    await siblings(it)


async def copies(it: Conversation) -> None:
    """/ and all it links to: the same bytes under three paths, and two views that name /page/0 as their canonical."""
    if it.path.startswith("/view"):
        text = f'<link rel="canonical" href="/page/0"><p>A view {it.path} of page 0, with words of its own.</p>'
        await it.answer(text.encode())
    elif it.path.startswith("/same"):
        await it.answer(page("Same", text="The same bytes wherever you ask for them."))
    else:
        await it.answer(page(f"Page {it.path}", "/same/a", "/same/b", "/same/c", "/page/0", "/view/1", "/view/2"))


async def private_links(it: Conversation) -> None:
    """Links to the trap on this machine, in every spelling of its address, and to the metadata service of clouds."""
    hosts = [
        "127.0.0.1",
        "2130706433",
        "0177.0.0.1",
        "0x7f.1",
        "127.1",
        "0x7F000001",
        "[::ffff:127.0.0.1]",
        "localhost",
    ]
    spelt = [f"http://{host}:{it.trap_port}/{number}" for number, host in enumerate(hosts)]
    await it.answer(
        page("Private", *spelt, f"http://[::1]:{it.trap_port}/6", "http://169.254.169.254/latest/meta-data/")
    )


async def huge_page(it: Conversation) -> None:
    """Nineteen megabytes of small elements in a few kilobytes: a tree of five million nodes, and a second of work."""
    await it.answer(await asyncio.to_thread(_huge_page), content_encoding="gzip")


async def wide_page(it: Conversation) -> None:
    """Eighteen megabytes of elements with ten attributes each, whose tree takes a gigabyte, and little time."""
    await it.answer(await asyncio.to_thread(_wide_page), content_encoding="gzip")


async def picture(it: Conversation) -> None:
    """A picture that says so."""
    await it.answer(_PNG, content_type="image/png")


async def png_as_html(it: Conversation) -> None:
    """A picture that claims to be a page."""
    await it.answer(_PNG, content_type="text/html")


async def html_untyped(it: Conversation) -> None:
    """A page that says nothing about its type."""
    await it.answer(page("No type"), content_type="")


async def utf16_as_latin1(it: Conversation) -> None:
    """UTF-16 that claims to be Latin-1."""
    await it.answer(
        "\ufeff<title>Žluťoučký kůň</title>".encode("utf-16-le"), content_type="text/html; charset=iso-8859-1"
    )


async def gzip_bomb(it: Conversation) -> None:
    """64 KB that unpack to 64 MB. Packed in a thread, since the other hosts must not fall silent meanwhile."""
    await it.answer(await asyncio.to_thread(_gzip_bomb), content_encoding="gzip")


async def br_bomb(it: Conversation) -> None:
    """The same with Brotli, in a few bytes."""
    await it.answer(await asyncio.to_thread(_br_bomb), content_encoding="br")


async def zstd_bomb(it: Conversation) -> None:
    """The same with Zstandard."""
    await it.answer(await asyncio.to_thread(_zstd_bomb), content_encoding="zstd")


async def lying_coding(it: Conversation) -> None:
    """Claims gzip and is not."""
    await it.answer(page("Not packed at all"), content_encoding="gzip")


async def nested(it: Conversation) -> None:
    """Forty thousand elements, each in the one before, with a link at the bottom."""
    depth = 40_000
    await it.answer(b"<div>" * depth + b'<a href="/deep">deep</a>' + b"</div>" * depth)


async def attributes(it: Conversation) -> None:
    """An element with thirty thousand attributes, and a link after it."""
    many = " ".join(f'a{number}="{number}"' for number in range(30_000))
    await it.answer(f'<p {many}>x</p><a href="/after">after</a>'.encode())


async def nul_bytes(it: Conversation) -> None:
    """NUL bytes in text, tags and a link."""
    await it.answer(b'<title>N\0ul</title><p\0>te\0xt</p><a href="/n\0ul">l\0ink</a>')


async def long_link(it: Conversation) -> None:
    """A link of a megabyte, and a proper one after it."""
    await it.answer(page("Long", "/" + "a" * 1_000_000, "/short"))


async def calendar(it: Conversation) -> None:
    """A calendar without end: /2024/5 leads to the months around it. The months are all empty."""
    year, month = (int(part) for part in (it.path.strip("/") or "2024/1").split("/"))
    months = [year * 12 + month - 2, year * 12 + month]
    links = [f"/{number // 12}/{number % 12 + 1}" for number in months]
    await it.answer(page("Calendar", *links, text="No events this month."))


async def soft_404(it: Conversation) -> None:
    """200 and the same apology for every path, with links to ever new ones."""
    links = [f"{it.path.rstrip('/')}/{name}" for name in ("old", "new")]
    await it.answer(page("Page not found", *links, text="The page that you asked for could not be found."))


async def sessions(it: Conversation) -> None:
    """Three pages whose links carry a new session id at every visit."""
    sid = random.Random(f"{it.path} {it.number}").randbytes(16).hex()
    name = it.path.partition("?")[0].strip("/") or "home"
    await it.answer(page(f"The {name} page", *(f"/{other}?sid={sid}" for other in ("home", "news", "about"))))


async def near_duplicates(it: Conversation) -> None:
    """Pages /0, /1, … with the same long text but for one number."""
    number = int(it.path.strip("/") or 0)
    words = random.Random(1).choices(
        ["scent", "trail", "hound", "forest", "river", "hill", "stone", "bird", "wind", "fern", "moss", "path"], k=400
    )
    await it.answer(page("A walk", f"/{number + 1}", f"/{number + 2}", text=f"Visitor {number}. " + " ".join(words)))


async def maze(it: Conversation) -> None:
    """Pages that differ, each with three links to pages that differ, without end."""
    dice = random.Random(it.path)
    links = [f"{it.path.rstrip('/')}/{dice.randrange(1000)}" for _ in range(3)]
    await it.answer(page(f"Room {it.path}", *links, text=" ".join(str(dice.random()) for _ in range(50))))


@cache
def _huge_page() -> bytes:
    return gzip.compress(b"<title>Huge</title>" + b"<p><b>x</b><i>y</i>" * 1_000_000, compresslevel=1, mtime=0)


@cache
def _wide_page() -> bytes:
    return gzip.compress(b"<title>Wide</title>" + b"<p a b c d e f g h i j>x" * 800_000, compresslevel=1, mtime=0)


@cache
def _gzip_bomb() -> bytes:
    """Pack a megabyte and repeat it: after a full flush, blocks of deflate can be strung together (RFC 1951 §2.3)."""
    packer = zlib.compressobj(level=9, wbits=-15)
    block = packer.compress(bytes(2**20)) + packer.flush(zlib.Z_FULL_FLUSH)
    end = struct.pack("<II", zlib.crc32(bytes(BOMB_SIZE)), BOMB_SIZE)
    return gzip.compress(b"", mtime=0)[:10] + block * (BOMB_SIZE // 2**20) + packer.flush() + end


@cache
def _br_bomb() -> bytes:
    packer = brotli.Compressor(quality=2)
    block = bytes(2**20)
    packed = b"".join(packer.process(block) for _ in itertools.repeat(None, BOMB_SIZE // 2**20))
    return packed + bytes(packer.finish())


@cache
def _zstd_bomb() -> bytes:
    return zstandard.ZstdCompressor().compress(bytes(BOMB_SIZE))


def make_large_pages() -> None:
    """Make what takes a while to make, so that nobody who asks for it has to wait for that; once in each process."""
    for make in (_huge_page, _gzip_bomb, _br_bomb, _zstd_bomb):
        make()


PAGES: Mapping[str, Site] = {
    "plain": plain,
    "siblings": siblings,
    "slow-siblings": slow_siblings,
    "copies": copies,
    "private-links": private_links,
    "huge-page": huge_page,
    "wide-page": wide_page,
    "picture": picture,
    "png-as-html": png_as_html,
    "html-untyped": html_untyped,
    "utf16-as-latin1": utf16_as_latin1,
    "gzip-bomb": gzip_bomb,
    "br-bomb": br_bomb,
    "zstd-bomb": zstd_bomb,
    "lying-coding": lying_coding,
    "nested": nested,
    "attributes": attributes,
    "nul-bytes": nul_bytes,
    "long-link": long_link,
    "calendar": calendar,
    "soft-404": soft_404,
    "sessions": sessions,
    "near-duplicates": near_duplicates,
    "maze": maze,
}
