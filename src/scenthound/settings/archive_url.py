"""Where finished archive files go: `s3://BUCKET/FOLDER`, or `file:///FOLDER` for a folder that machines share.

Keys are never part of the address: S3 takes them from the environment (AWS_ACCESS_KEY_ID …) or from the machine's role.
"""

import re
from dataclasses import dataclass
from typing import Self
from urllib.parse import parse_qsl, unquote, urlsplit

from scenthound.errors import UsageError

_FORM = "write s3://BUCKET/FOLDER or file:///FOLDER"
_BUCKET = re.compile(r"[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]")
_ASKED = ("endpoint", "region")


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveUrl:
    """A folder of this file system, or of a bucket. `endpoint` is the address of a server other than Amazon's."""

    text: str
    folder: str
    bucket: str = ""
    endpoint: str = ""
    region: str = ""

    @classmethod
    def read(cls, text: str) -> Self:
        """Read an address, or say what is wrong with it.

        >>> url = ArchiveUrl.read("s3://crawls/cycling?endpoint=http://127.0.0.1:9000")
        >>> url.bucket, url.folder, url.endpoint
        ('crawls', 'cycling', 'http://127.0.0.1:9000')
        >>> ArchiveUrl.read("file:///srv/archives/cycling").folder
        '/srv/archives/cycling'
        """
        try:
            parts = urlsplit(text)
            asked = dict(parse_qsl(parts.query, strict_parsing=bool(parts.query)))
        except ValueError:
            raise UsageError(f"the address of the archive cannot be read; {_FORM}") from None
        if "@" in parts.netloc:
            raise UsageError("keep keys in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and not in the address")
        match parts.scheme:
            case "file":
                return cls._of_folder(text, parts.netloc, unquote(parts.path), asked)
            case "s3":
                return cls._of_bucket(text, parts.netloc, unquote(parts.path), asked)
            case _:
                raise UsageError(f"not the address of an archive; {_FORM}")

    @classmethod
    def _of_folder(cls, text: str, host: str, path: str, asked: dict[str, str]) -> Self:
        if host or not path.startswith("/") or path == "/" or asked:
            raise UsageError("write a folder with its whole path: file:///srv/archives/cycling")
        return cls(text=text, folder=path.rstrip("/"))

    @classmethod
    def _of_bucket(cls, text: str, bucket: str, path: str, asked: dict[str, str]) -> Self:
        if not _BUCKET.fullmatch(bucket):
            raise UsageError(f"{bucket!r} is no name of a bucket; {_FORM}")
        if wrong := [key for key in asked if key not in _ASKED]:
            raise UsageError(f"{wrong[0]!r} is unknown in the address of an archive; it takes {' and '.join(_ASKED)}")
        endpoint = asked.get("endpoint", "")
        if endpoint and urlsplit(endpoint).scheme not in ("http", "https"):
            raise UsageError("write the endpoint as https://HOST or http://HOST:PORT")
        return cls(
            text=text,
            folder=path.strip("/"),
            bucket=bucket,
            endpoint=endpoint,
            region=asked.get("region", ""),
        )
