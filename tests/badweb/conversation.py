"""One request as a misbehaving server sees it, with the few verbs that misbehaviour is made of."""

import asyncio
import socket
import struct
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass


@dataclass(slots=True, kw_only=True)
class Visit:
    """One line of the server's log. `finished` is None while the server is still busy with it."""

    time: float
    host: str
    path: str
    user_agent: str
    headers: Mapping[str, str]
    finished: float | None = None


@dataclass(slots=True, kw_only=True)
class Conversation:
    """A request that has come, and the line to answer on. `number` counts the visits to this URL, from one."""

    host: str
    path: str
    headers: Mapping[str, str]
    number: int
    writer: asyncio.StreamWriter
    trap_port: int
    keep: bool = True

    async def send(self, data: bytes) -> None:
        """Send raw bytes."""
        self.writer.write(data)
        await self.writer.drain()

    async def answer(self, body: bytes = b"", *, status: str = "200 OK", **headers: str) -> None:
        """Answer as a proper server would. A keyword `content_type` becomes the header `content-type`."""
        fields = {"content-type": "text/html; charset=utf-8", "content-length": str(len(body))}
        fields |= {name.replace("_", "-"): value for name, value in headers.items()}
        lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        await self.send(f"HTTP/1.1 {status}\r\n{lines}\r\n".encode() + body)

    async def drip(self, data: bytes, *, pause: float = 0.05) -> None:
        """Send byte by byte."""
        for byte in data:
            await self.send(bytes([byte]))
            await asyncio.sleep(pause)

    async def hang(self) -> None:
        """Say nothing until the other side or the test gives up."""
        await asyncio.sleep(3600)

    def close(self) -> None:
        """Close the line once what was sent has left."""
        self.keep = False

    def reset(self) -> None:
        """Cut the line with a TCP reset."""
        self.keep = False
        line: socket.socket = self.writer.get_extra_info("socket")
        line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.writer.transport.abort()


Site = Callable[[Conversation], Awaitable[None]]


def page(title: str, *links: str, text: str = "") -> bytes:
    """Make a small HTML page."""
    items = "".join(f'<li><a href="{link}">{link}</a></li>' for link in links)
    html = (
        f"<!doctype html><html><head><title>{title}</title></head><body><h1>{title}</h1><p>{text}</p><ul>{items}</ul>"
    )
    return f"{html}</body></html>".encode()
