"""The two ways out of the crawl directory: a webhook and a command of the user's own.

Each takes a parcel of news as JSON and says what went wrong, or nothing. A webhook reaches no private address unless
its table in questions.toml says so, and follows no redirect. A command runs without a shell, in a session of its own,
and is ended with all that it has started when its time is over.
"""

import asyncio
import os
import signal
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Final

from aiohttp import ClientError, ClientSession, ClientTimeout, DummyCookieJar, TCPConnector
from yarl import URL

from scenthound.clock import SystemClock
from scenthound.fetch.connect import JOURNEY, Doorkeeper, Journey
from scenthound.fetch.guard import Guard
from scenthound.fetch.names import NameMemory, SystemLookup, WrittenNames
from scenthound.settings.question_book import Channel, NewsCommand, Webhook

_EVERYWHERE: Final = ("0.0.0.0/0", "::/0")
_LAST_WORDS: Final = 200  # characters of what a failed command said


def send(channel: Channel, parcel: bytes, folder: Path) -> str:
    """Send a parcel; return what went wrong in one line, or nothing."""
    trouble = run(channel, parcel, folder) if isinstance(channel, NewsCommand) else post(channel, parcel)
    return " ".join(trouble.split())


def post(hook: Webhook, parcel: bytes) -> str:
    """Post a parcel to a webhook. Any answer of 2xx says that it has arrived."""
    try:
        return asyncio.run(_post(hook, parcel))
    except TimeoutError:
        return f"no answer within {hook.seconds:g} s"
    except (ClientError, OSError, ValueError) as error:
        return str(error) or type(error).__name__


async def _post(hook: Webhook, parcel: bytes) -> str:
    url = URL(hook.url)
    journey = Journey(host=url.host or "")
    JOURNEY.set(journey)
    headers = {"content-type": "application/json", "user-agent": "scenthound"} | hook.headers
    with SystemLookup(1) as lookup:
        doorkeeper = Doorkeeper(
            guard=Guard(_EVERYWHERE if hook.private else ()),
            written=WrittenNames({}),
            memory=NameMemory(lookup, SystemClock()),
        )
        connector = TCPConnector(resolver=doorkeeper, use_dns_cache=False, socket_factory=doorkeeper.socket)
        timeout = ClientTimeout(total=hook.seconds)
        try:
            async with (
                ClientSession(connector=connector, timeout=timeout, cookie_jar=DummyCookieJar()) as session,
                session.post(url, data=parcel, headers=headers, allow_redirects=False) as answer,
            ):
                return "" if 200 <= answer.status < 300 else f"it answers {answer.status} {answer.reason or ''}"
        except (ClientError, OSError):
            if journey.refused:
                return f"{journey.refused} is a private address; if you mean it, write private = true below its url"
            raise
        finally:
            await doorkeeper.close()


def run(command: NewsCommand, parcel: bytes, folder: Path) -> str:
    """Run a command with a parcel on its standard input. Status 0 says that it has arrived."""
    try:
        process = subprocess.Popen(
            command.run,
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        return f"it cannot be run: {getattr(error, 'strerror', None) or error}"
    try:
        _, said = process.communicate(parcel, timeout=command.seconds)
    except subprocess.TimeoutExpired:
        return f"it took longer than {command.seconds:g} s"
    finally:
        _end(process)
    words = said.decode("utf-8", "replace").strip()[-_LAST_WORDS:]
    return f"it ended with status {process.returncode}: {words}".rstrip(": ") if process.returncode else ""


def _end(process: "subprocess.Popen[bytes]") -> None:
    with suppress(ProcessLookupError, PermissionError):  # its children too, which may have outlived it
        os.killpg(process.pid, signal.SIGKILL)
    for stream in (process.stdin, process.stderr):
        if stream is not None:
            with suppress(OSError):
                stream.close()
    process.wait()
