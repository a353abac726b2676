"""[fetch]: politeness, limits and what to accept from servers."""

from typing import Annotated

from msgspec import Meta, Struct, field

from scenthound.media_types import fetched_types, largest_bodies
from scenthound.settings.setting_guard import HARMLESS, PRIVATE, PROXY


class FetchSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How to treat servers, and what to accept from them."""

    user_agent: Annotated[
        str,
        Meta(
            description="Name sent to servers and looked up in robots.txt. The project's URL and your contact are "
            "added.",
            extra=HARMLESS,
        ),
    ] = "scenthound"
    contact: Annotated[
        str,
        Meta(
            description="Your e-mail address or URL, sent with every request so that site owners can reach you.",
            extra=HARMLESS,
        ),
    ] = ""
    delay: Annotated[float, Meta(ge=0, description="Minimum seconds between two requests to one host.")] = 1.0
    delay_factor: Annotated[
        float,
        Meta(ge=0, description="Also wait this many times the server's response time, to spare a slow server."),
    ] = 2.0
    max_delay: Annotated[
        float,
        Meta(
            ge=0,
            description="Maximum pause in seconds after a slow response or an error. Crawl-delay and Retry-After may "
            "be longer.",
        ),
    ] = 60.0
    per_host: Annotated[int, Meta(ge=1, description="Maximum number of concurrent requests to one host.")] = 1
    per_domain: Annotated[
        int, Meta(ge=0, description="Maximum number of concurrent requests to one registered domain. 0 means no limit.")
    ] = 5
    per_ip: Annotated[
        int, Meta(ge=0, description="Maximum number of concurrent requests to one IP address. 0 means no limit.")
    ] = 5
    concurrency: Annotated[int, Meta(ge=1, description="Maximum number of concurrent requests in total.")] = 64
    connect_timeout: Annotated[
        float, Meta(gt=0, description="Seconds to connect to a server, including DNS and TLS.")
    ] = 10.0
    first_byte_timeout: Annotated[
        float, Meta(gt=0, description="Seconds from sending a request to the first byte of the response.")
    ] = 20.0
    timeout: Annotated[float, Meta(gt=0, description="Seconds for a whole request and response.")] = 60.0
    tries: Annotated[
        int,
        Meta(ge=1, description="Attempts for one URL, and failures in a row after which a host is given up as bad."),
    ] = 3
    max_redirects: Annotated[int, Meta(ge=0, description="Maximum number of redirects in a row.")] = 25
    max_body: Annotated[
        int | dict[str, int],
        Meta(
            description="Largest body in bytes: one number, or a table by MIME type with patterns such as text/*.",
            extra=HARMLESS,
        ),
    ] = field(default_factory=largest_bodies)
    max_unpacked: Annotated[
        int,
        Meta(
            ge=1,
            description="Largest body in bytes after decompression (gzip, br, zstd), and most bytes taken from one "
            "archive or Office file.",
        ),
    ] = 20_000_000
    types: Annotated[
        list[str],
        Meta(
            description="MIME types to fetch and read. Others are refused by their header and by their first bytes.",
            extra=HARMLESS,
        ),
    ] = field(default_factory=fetched_types)
    max_url: Annotated[int, Meta(ge=16, description="Longest URL in characters.")] = 1000
    max_host: Annotated[int, Meta(ge=1, description="Longest host name in characters.")] = 255
    robots: Annotated[
        bool, Meta(description="Obey robots.txt (RFC 9309). Turn it off only for servers of your own.")
    ] = True
    robots_hours: Annotated[float, Meta(gt=0, le=24, description="Fetch robots.txt again after this many hours.")] = (
        24.0
    )
    proxy: Annotated[
        str,
        Meta(
            description="HTTP proxy for all requests: http://host:port or http://user:password@host:port. The proxy "
            "then "
            "resolves host names.",
            extra=PROXY,
        ),
    ] = ""
    allow_private: Annotated[
        list[str],
        Meta(
            description='Private addresses that may be reached: networks such as "10.0.0.0/8", addresses, or host '
            "names. "
            "All others are refused.",
            extra=PRIVATE,
        ),
    ] = []
    locked: Annotated[
        list[str],
        Meta(
            description='Never fetch these domains ("example.com", with its subdomains) or URL patterns with *.',
            extra=HARMLESS,
        ),
    ] = []
    only: Annotated[
        list[str],
        Meta(
            description='Fetch only these domains ("example.org", with its subdomains) or URL patterns. Empty means '
            "all.",
            extra=HARMLESS,
        ),
    ] = []
    resolve: Annotated[
        dict[str, str],
        Meta(
            description='IP addresses for host names, instead of DNS: "*.demo.test" = "127.0.0.1:8080". The port is '
            "optional.",
            extra=PRIVATE,
        ),
    ] = {}
    verify_tls: Annotated[bool, Meta(description="Refuse servers with an invalid certificate.")] = True
