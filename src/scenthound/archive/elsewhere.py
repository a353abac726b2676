"""A place elsewhere that keeps finished archive files: a bucket of an S3 server, or a folder that machines share.

A file appears there whole or not at all, and is never replaced by another one: a second crawl with the same address, or
a damaged upload, is noticed and not covered up. obstore, which speaks to S3, is an extra, imported when it is needed.
"""

import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from scenthound.errors import StoreError
from scenthound.settings.archive_url import ArchiveUrl

if TYPE_CHECKING:
    from obstore.store import ClientConfig, RetryConfig, S3Config, S3Store

_MISSING: Final = "an archive on S3 needs the package obstore; install it with: pip install 'scenthound[s3]'"
_PIECE: Final = 1 << 20
_TRIES: Final = 3
_PATIENCE: Final = timedelta(seconds=30)  # for all tries of one request
_ANSWER: Final = "120s"  # for one: 64 MB need that on a line of 5 Mbit/s


class Elsewhere(Protocol):
    """Files by name. Every verb raises a StoreError that says what is wrong, in one line."""

    def size(self, name: str) -> int | None:
        """Return the length of a file, or None if it is not there."""
        ...

    def put(self, name: str, path: Path) -> None:
        """Copy a file there, whole or not at all; leave one that is there already."""
        ...

    def read(self, name: str, start: int, end: int) -> bytes:
        """Return the bytes from start to end, or to the end of the file."""
        ...

    def digest(self, name: str) -> str:
        """Read a file there, and return its SHA-256."""
        ...


def elsewhere_at(address: str) -> Elsewhere:
    """Return the place that an address names."""
    url = ArchiveUrl.read(address)
    return BucketElsewhere(url) if url.bucket else FolderElsewhere(Path(url.folder))


def digest_of_file(path: Path) -> str:
    """Return the SHA-256 of a file on this machine."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


class FolderElsewhere:
    """A folder that several machines see, as NFS gives it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def size(self, name: str) -> int | None:
        with self._errors():
            try:
                return (self._folder / name).stat().st_size
            except FileNotFoundError:
                return None

    def put(self, name: str, path: Path) -> None:
        with self._errors():
            self._folder.mkdir(parents=True, exist_ok=True)
            with path.open("rb") as source, tempfile.NamedTemporaryFile(prefix=".part-", dir=self._folder) as target:
                shutil.copyfileobj(source, target, _PIECE)
                target.flush()
                os.fsync(target.fileno())
                Path(target.name).chmod(0o644)
                with suppress(FileExistsError):  # a link, unlike a rename, replaces nothing
                    (self._folder / name).hardlink_to(target.name)

    def read(self, name: str, start: int, end: int) -> bytes:
        with self._errors(), (self._folder / name).open("rb") as file:
            file.seek(start)
            return file.read(max(0, end - start))

    def digest(self, name: str) -> str:
        with self._errors():
            return digest_of_file(self._folder / name)

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            where = error.filename or self._folder
            raise StoreError(f"{where}: {error.strerror}; see to the folder of archive.url") from error


class BucketElsewhere:
    """A folder of a bucket."""

    def __init__(self, url: ArchiveUrl) -> None:
        self._url = url
        self._store = _bucket(url)

    def size(self, name: str) -> int | None:
        import obstore

        with self._errors():
            try:
                return obstore.head(self._store, name)["size"]
            except FileNotFoundError:
                return None

    def put(self, name: str, path: Path) -> None:
        import obstore
        from obstore.exceptions import AlreadyExistsError

        # In one request: parts of an upload that was killed would stay in the bucket, unseen and paid for.
        with self._errors(), suppress(AlreadyExistsError):
            obstore.put(self._store, name, path, mode="create", use_multipart=False)

    def read(self, name: str, start: int, end: int) -> bytes:
        import obstore

        try:
            with self._errors():
                return bytes(obstore.get_range(self._store, name, start=start, end=end))
        except StoreError:
            if start >= (self.size(name) or inf):  # S3 calls that an error
                return b""
            raise

    def digest(self, name: str) -> str:
        import obstore

        hashed = hashlib.sha256()
        with self._errors():
            for piece in obstore.get(self._store, name).stream(min_chunk_size=_PIECE):
                hashed.update(piece)
        return hashed.hexdigest()

    @contextmanager
    def _errors(self) -> Iterator[None]:
        from obstore.exceptions import BaseError

        try:
            yield
        except FileNotFoundError as error:
            raise StoreError(f"{self._url.text}: there is no such bucket or file: {_said(error)}") from error
        except BaseError as error:
            advice = "see to the server, its address and the keys"
            raise StoreError(f"{self._url.text}: {_said(error)}; {advice}") from error


def _bucket(url: ArchiveUrl) -> "S3Store":
    try:
        from obstore.store import S3Store
    except ModuleNotFoundError:
        raise StoreError(_MISSING) from None
    named: S3Config = {}
    if url.endpoint:
        named["endpoint"] = url.endpoint
    if url.region or not (os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION")):
        named["region"] = url.region or "us-east-1"
    options: ClientConfig = {"timeout": _ANSWER, "connect_timeout": "10s"}
    if url.endpoint.startswith("http://"):
        options["allow_http"] = True
    retry: RetryConfig = {"max_retries": _TRIES, "retry_timeout": _PATIENCE}
    return S3Store(url.bucket, prefix=url.folder or None, config=named, client_options=options, retry_config=retry)


def _said(error: Exception) -> str:
    """Return the first line of what the library says: the rest is its inside."""
    return (str(error).splitlines() or ["no reason given"])[0][:300].rstrip(": ")
