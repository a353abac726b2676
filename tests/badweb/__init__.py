"""A small web of servers that misbehave, each in its own way, on loopback and only while a `with` lasts.

    async with BadWeb() as web:
        async with HttpFetcher(web.settings(), SystemClock(), lookup=web.lookup) as fetcher:
            fetch = await fetcher.fetch(Request(url=web.url("cut-body")))
        assert fetch.reason is Reason.CUT_SHORT
        assert [visit.path for visit in web.visits("cut-body")] == ["/"]

Every misbehaviour is a host of its own: `web.url("slow-body")` is http://slow-body.bad.test/, and
`web.url("redirect-chain", "/5")` asks for a path there. Names are found through `web.resolve`, a table for
`fetch.resolve`; `web.settings(**changes)` has it together with short timeouts and no delays. `web.lookup` takes the
place of DNS and knows no name at all.

`web.log` holds a `Visit` for each request, in the order in which they came: when, host, path, user agent, all
headers, and when the server was done with it. `web.connections` counts the TCP connections accepted, `web.trapped`
those on a port that nothing but an unguarded crawler would find. The page at `web.url("index")` links to every host
there is.

Unless its name says otherwise, a host has a robots.txt that allows everything. The hosts, with what they do, are
the functions of `lines` (the connection and the protocol), `manners` (robots.txt, redirects, overload) and `pages`
(what the pages hold); `web.sites` lists them. A misbehaviour is a coroutine of a `Conversation`; a new one is a
few lines there and an entry in that module's table.

Certificates for the TLS hosts are made with the `cryptography` package when they are first wanted.
"""

from tests.badweb.conversation import Conversation, Site, Visit
from tests.badweb.server import BadWeb

__all__ = ["BadWeb", "Conversation", "Site", "Visit"]
