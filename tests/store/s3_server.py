"""A real S3 server on loopback for tests: moto, in a thread, with one bucket."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from urllib.request import Request, urlopen

import pytest
from moto.server import ThreadedMotoServer

BUCKET = "crawls"
_FOLDERS = count(1)


@contextmanager
def s3_server() -> Iterator[str]:
    """Run a server with a bucket; return its address."""
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    try:
        urlopen(Request(f"http://{host}:{port}/{BUCKET}", method="PUT")).close()
        yield f"http://{host}:{port}"
    finally:
        server.stop()


def new_address(endpoint: str) -> str:
    """Return the address of a folder that is not there yet."""
    return f"s3://{BUCKET}/crawl{next(_FOLDERS)}?endpoint={endpoint}"


@pytest.fixture(scope="session")
def s3() -> Iterator[str]:
    with pytest.MonkeyPatch.context() as patch, s3_server() as endpoint:
        patch.setenv("AWS_ACCESS_KEY_ID", "somebody")
        patch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
        yield endpoint
