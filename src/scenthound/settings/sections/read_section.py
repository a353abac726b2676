"""[read] and [archive]: how pages are read, and what is kept of the raw exchanges."""

from typing import Annotated

from msgspec import Meta, Struct

from scenthound.settings.setting_guard import ELSEWHERE


class ReadSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How pages are read, in worker processes."""

    workers: Annotated[
        int, Meta(ge=0, description="Number of worker processes. 0 means one for each core, up to four.")
    ] = 0
    timeout: Annotated[
        float,
        Meta(
            gt=0,
            description="Seconds of processor time for one page. A worker that needs more is ended, and the page is "
            "recorded as unread.",
        ),
    ] = 10.0
    memory: Annotated[int, Meta(ge=64, description="Megabytes that one worker may use for a page.")] = 1024


class ArchiveSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is kept of the raw requests and responses, as WARC files."""

    keep: Annotated[bool, Meta(description="Keep every request and response as WARC records.")] = True
    file_size: Annotated[
        int,
        Meta(
            ge=1_000_000, description="Start a new WARC file after this many bytes, or after 64 MB with `archive.url`."
        ),
    ] = 1_000_000_000
    url: Annotated[
        str,
        Meta(
            description="Where to upload finished WARC files: s3://BUCKET/FOLDER, or file:///FOLDER for a folder that "
            "all machines share. Each crawl needs a folder of its own. Empty: the files stay on this machine. S3 needs "
            "pip install 'scenthound[s3]', and takes keys from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.",
            extra=ELSEWHERE,
        ),
    ] = ""
    close_after: Annotated[
        float,
        Meta(gt=0, description="With `archive.url`, finish a WARC file that is this many seconds old."),
    ] = 60.0
    keep_local: Annotated[
        bool, Meta(description="Keep WARC files on this machine after they were uploaded and checked.")
    ] = True
    cache_size: Annotated[
        int,
        Meta(
            ge=0, description="Bytes of archive/cache, which holds what was read from `archive.url`. 0 keeps nothing."
        ),
    ] = 1_000_000_000
