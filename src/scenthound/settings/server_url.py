"""Where a crawl lies on a PostgreSQL server: `postgresql://user@host:5432/database?crawl=NAME`.

Everything but `crawl` means what it means to libpq. The environment (PGUSER, PGSSLMODE …) and ~/.pgpass fill in what
the address leaves out. A password in an address is used and never shown.
"""

import re
from dataclasses import dataclass
from typing import Self
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from scenthound.errors import UsageError

SCHEMES = ("postgresql", "postgres")
# A schema of this name is made for the crawl, so that it must be no name of PostgreSQL's own.
_NAME = re.compile(r"(?!pg_)[a-z][a-z0-9_-]{0,62}")
_OWN = frozenset({"public", "information_schema"})
_FORM = "write postgresql://USER@HOST/DATABASE?crawl=NAME"


def is_server_url(text: str) -> bool:
    """Tell whether this names a server, and not a file.

    >>> is_server_url("postgresql://db.example.org/crawls?crawl=bikes"), is_server_url("crawl.db")
    (True, False)
    """
    return text.partition("://")[0] in SCHEMES and "://" in text


def _joined(netloc: str, path: str, query: str) -> str:
    """Return an address; urllib leaves the slashes out where no host is named.

    >>> _joined("", "/crawls", "crawl=bikes")
    'postgresql:///crawls?crawl=bikes'
    """
    return f"{SCHEMES[0]}://{netloc}{path}{'?' if query else ''}{query}"


def _check_ports(netloc: str) -> None:
    """Refuse ports that are no numbers, of one server or of several to try.

    >>> _check_ports("me@one.example.org:5432,two.example.org")
    """
    for server in netloc.rpartition("@")[2].split(","):
        _ = urlsplit(f"//{server}").port


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerUrl:
    """The address of a crawl on a server: its schema, and what the driver needs to get there."""

    schema: str
    dsn: str

    @classmethod
    def read(cls, text: str) -> Self:
        """Read an address, or say what is wrong with it; the password is in no message.

        >>> ServerUrl.read("postgresql://me:secret@db.example.org/crawls?crawl=bikes&sslmode=require")
        ServerUrl(postgresql://me@db.example.org/crawls?sslmode=require&crawl=bikes)
        """
        if not is_server_url(text):
            raise UsageError(f"not the address of a PostgreSQL server; {_FORM}")
        try:
            parts = urlsplit(text)
            _check_ports(parts.netloc)
            asked = parse_qsl(parts.query, strict_parsing=bool(parts.query))
        except ValueError:
            raise UsageError(f"the address of the PostgreSQL server cannot be read; {_FORM}") from None
        names = [value for key, value in asked if key == "crawl"]
        if len(names) != 1:
            raise UsageError(f"the address of the PostgreSQL server must name one crawl; {_FORM}")
        if not _NAME.fullmatch(names[0]) or names[0] in _OWN:
            raise UsageError(
                f"{names[0]!r} is no name for a crawl on a server: a letter, then letters a to z, digits, _ and -, "
                "at most 63 in all"
            )
        rest = urlencode([(key, value) for key, value in asked if key != "crawl"])
        return cls(schema=names[0], dsn=_joined(parts.netloc, parts.path, rest))

    @property
    def shown(self) -> str:
        """The address for people and logs, without the password."""
        parts = urlsplit(self.dsn)
        user, at, host = parts.netloc.rpartition("@")
        # A query may carry a password too, as libpq allows.
        asked = [(key, value) for key, value in parse_qsl(parts.query) if key not in ("password", "sslpassword")]
        query = urlencode([*asked, ("crawl", self.schema)], safe="/")
        return _joined(user.partition(":")[0] + at + host, parts.path, query)

    @property
    def text(self) -> str:
        """The whole address, password included: for a process of our own, over a pipe."""
        return f"{self.dsn}{'&' if '?' in self.dsn else '?'}crawl={quote(self.schema)}"

    @property
    def servers(self) -> list[Self]:
        """The same crawl at each of several servers, in the order of the address.

        >>> for server in ServerUrl.read("postgresql://me@one.test:5433,two.test/crawls?crawl=bikes").servers:
        ...     print(server)
        ServerUrl(postgresql://me@one.test:5433/crawls?crawl=bikes)
        ServerUrl(postgresql://me@two.test/crawls?crawl=bikes)
        >>> ServerUrl.read("postgresql:///crawls?host=one.test,two.test&port=5433&crawl=bikes").servers[1]
        ServerUrl(postgresql:///crawls?host=two.test&port=5433&crawl=bikes)
        """
        parts = urlsplit(self.dsn)
        user, at, hosts = parts.netloc.rpartition("@")
        if "," in hosts:
            dsns = [_joined(user + at + host, parts.path, parts.query) for host in hosts.split(",")]
            return [type(self)(schema=self.schema, dsn=dsn) for dsn in dsns]
        asked = dict(parse_qsl(parts.query))
        names, ports = asked.get("host", "").split(","), asked.get("port", "").split(",")
        if len(names) == 1:
            return [self]
        ports = ports if len(ports) == len(names) else ports[:1] * len(names)
        each = [asked | {"host": name, "port": port} for name, port in zip(names, ports, strict=True)]
        queries = [urlencode([(key, value) for key, value in one.items() if value], safe="/") for one in each]
        return [type(self)(schema=self.schema, dsn=_joined(parts.netloc, parts.path, query)) for query in queries]

    @property
    def has_password(self) -> bool:
        parts = urlsplit(self.dsn)
        asked = dict(parse_qsl(parts.query))
        return parts.password is not None or "password" in asked

    def without_password(self) -> Self:
        """Return the address as it may stand in a settings file."""
        return type(self).read(self.shown)

    def as_user(self, name: str) -> Self:
        """Return the address for another user, whose password is in ~/.pgpass or the environment.

        >>> ServerUrl.read("postgresql://me:secret@db.example.org/crawls?crawl=bikes").as_user("reader")
        ServerUrl(postgresql://reader@db.example.org/crawls?crawl=bikes)
        """
        parts = urlsplit(self.dsn)
        host = parts.netloc.rpartition("@")[2]
        asked = [(key, value) for key, value in parse_qsl(parts.query) if key not in ("user", "password")]
        netloc = f"{quote(name, safe='')}@{host}"
        return type(self)(schema=self.schema, dsn=_joined(netloc, parts.path, urlencode(asked, safe="/")))

    def __repr__(self) -> str:
        return f"ServerUrl({self.shown})"
