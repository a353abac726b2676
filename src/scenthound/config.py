"""Every setting: its name, default and one line of help, declared once and read by CLI, docs and code.

`crawl.toml` in a crawl directory holds the user's values; what it leaves out has the default given here.
"""

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct, field

PROJECT_URL = "https://github.com/scenthound/scenthound"


class Guard(Struct, frozen=True, kw_only=True):
    """Who may set a setting that takes free text. `why` is the reason that keeps it from window and API; "" is none.

    With `values`, a regular expression, the reason holds for the values that it finds and for no others.
    """

    why: str = ""
    values: str = ""


# Every setting that takes free text has one of these in its declaration; without it, its help cannot be made, and tests fail.
_HARMLESS: Final = {"guard": Guard()}
_RUNS_FUNCTION: Final = {"guard": Guard(why="a function runs code", values=":")}
_RUNS_COMMAND: Final = {"guard": Guard(why="a file is read, and a command is run", values=r"^(?!(links)?$)")}
_PRIVATE: Final = {"guard": Guard(why="it opens private networks to the crawl")}
_PROXY: Final = {"guard": Guard(why="it sends every request somewhere else")}

# All that can be read (parse/documents), with the other names under which servers often send it.
_READABLE = (
    "text/html",
    "application/xhtml+xml",
    "text/plain",
    "text/markdown",
    "text/xml",
    "application/xml",
    "application/rss+xml",
    "application/atom+xml",
    "application/rdf+xml",
    "application/pdf",
    "application/rtf",
    "text/rtf",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "application/vnd.oasis.opendocument.text",
    "application/vnd.oasis.opendocument.presentation",
    "application/vnd.oasis.opendocument.spreadsheet",
    "application/msword",
    "application/vnd.ms-powerpoint",
    "application/zip",
    "application/x-zip-compressed",
    "application/gzip",
    "application/x-gzip",
    "application/x-tar",
    "application/x-bzip2",
    "application/x-xz",
)
# Text beyond a few megabytes is data; slides and scans are large for their pictures, which cost no time to read.
_LARGEST = {
    "text/*": 5_000_000,
    "application/xhtml+xml": 5_000_000,
    "application/pdf": 20_000_000,
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": 20_000_000,
    "application/vnd.oasis.opendocument.presentation": 20_000_000,
    "application/vnd.ms-powerpoint": 20_000_000,
    "application/zip": 20_000_000,
    "*": 10_000_000,
}


class CrawlSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What to collect, how much of it, and in which order."""

    pages: Annotated[
        int, Meta(ge=0, description="Stop after this many pages fetched, over all runs; 0 is no limit.")
    ] = 0
    minutes: Annotated[float, Meta(ge=0, description="Stop after this many minutes of this run; 0 is no limit.")] = 0.0
    focus: Annotated[
        Literal["soft", "hard", "none"],
        Meta(
            description='What a page\'s relevance does to its links: "soft" lets it order them, "hard" follows only those of '
            'pages that the critic puts into a good topic, "none" follows all alike.'
        ),
    ] = "soft"
    tunnel: Annotated[
        int,
        Meta(
            ge=0, description="Pages in a row that are off topic and through which links are still followed with hope."
        ),
    ] = 2
    tunnel_decay: Annotated[float, Meta(ge=0, le=1, description="What is left of that hope after each such page.")] = (
        0.5
    )
    accept: Annotated[
        float, Meta(ge=0, le=1, description="Relevance from which on a page is on topic, under soft focus.")
    ] = 0.5
    choosy: Annotated[
        float,
        Meta(
            ge=0,
            le=1,
            description="With best-first and the apprentice, leave links alone that promise less than this part of the best one waiting, "
            "even if that one's host must rest first; 0 asks for whatever may be asked now.",
        ),
    ] = 0.5
    waiting: Annotated[
        float,
        Meta(
            ge=0,
            le=1,
            description="However choosy, give up at most this part of the relevance that links promise which may be asked for at once, so that a host that "
            "asks for long pauses does not hold up the others; 1 waits up to half a minute for every good link.",
        ),
    ] = 0.75
    sharp: Annotated[
        bool, Meta(description="A page is on topic only if it has the same topic as the page that led to it.")
    ] = False
    truncate: Annotated[
        bool,
        Meta(description="Also try the directories above the address of each relevant page, as if it linked to them."),
    ] = False
    order: Annotated[
        str,
        Meta(
            description='Which URL comes next: "apprentice" (by what is expected of it, learnt during the crawl), "best-first" (by the relevance of all pages that cite it), "best-first-max" (of the best of them), "breadth", "depth", "random", "module:function" from link to number (greater is sooner), or columns compared one after another, as "tries, -relevance, server_load" (a minus: the greatest first).',
            extra=_RUNS_FUNCTION,
        ),
    ] = "apprentice"
    depth: Annotated[
        int, Meta(ge=0, description="Follow links at most this many steps from the seeds; 0 is no limit.")
    ] = 0
    pages_per_host: Annotated[
        int, Meta(ge=0, description="Take at most this many pages from one host, examples not counted; 0 is no limit.")
    ] = 0
    nofollow: Annotated[
        Literal["obey", "ignore"],
        Meta(description='"obey" records links marked nofollow without following them; "ignore" follows them.'),
    ] = "obey"
    traps: Annotated[
        bool, Meta(description="Damp URL shapes that keep bringing the same page (calendars, session ids, soft 404s).")
    ] = True
    start: Annotated[
        list[str],
        Meta(
            description="Addresses to begin at that are no examples; those of good topics' examples come first.",
            extra=_HARMLESS,
        ),
    ] = []
    seed: Annotated[
        int, Meta(description="Seed of all random choices that the crawl makes (not of what servers and networks do).")
    ] = 0
    patience: Annotated[
        float,
        Meta(
            ge=0,
            description="Stop when no host may be asked for this many seconds to come (say, after a long Retry-After).",
        ),
    ] = 900.0


class FetchSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How to behave towards servers, and what to accept from them."""

    user_agent: Annotated[
        str,
        Meta(
            description="Product token sent to servers and matched in robots.txt; the project's address and your contact are added.",
            extra=_HARMLESS,
        ),
    ] = "scenthound"
    contact: Annotated[
        str,
        Meta(
            description="Your e-mail or web address, sent with every request so that site owners can reach you.",
            extra=_HARMLESS,
        ),
    ] = ""
    delay: Annotated[float, Meta(ge=0, description="Least seconds between two requests to one host.")] = 1.0
    delay_factor: Annotated[
        float,
        Meta(
            ge=0,
            description="Also wait this many times the server's own response time, so that a labouring server is spared.",
        ),
    ] = 2.0
    max_delay: Annotated[
        float,
        Meta(
            ge=0,
            description="Greatest pause in seconds that slowness or an error may grow to (not Crawl-delay or Retry-After).",
        ),
    ] = 60.0
    per_host: Annotated[int, Meta(ge=1, description="Requests in flight to one host.")] = 1
    per_domain: Annotated[
        int, Meta(ge=0, description="Requests in flight to one registered domain; 0 is no limit.")
    ] = 5
    per_ip: Annotated[int, Meta(ge=0, description="Requests in flight to one IP address; 0 is no limit.")] = 5
    concurrency: Annotated[int, Meta(ge=1, description="Requests in flight in all.")] = 64
    connect_timeout: Annotated[float, Meta(gt=0, description="Seconds to reach a server, DNS and TLS included.")] = 10.0
    first_byte_timeout: Annotated[
        float, Meta(gt=0, description="Seconds from sending a request to the first byte of the answer.")
    ] = 20.0
    timeout: Annotated[float, Meta(gt=0, description="Seconds for one exchange in all.")] = 60.0
    tries: Annotated[
        int,
        Meta(
            ge=1,
            description="Tries for a URL, and failures in a row after which a host is bad for the rest of the crawl.",
        ),
    ] = 3
    max_redirects: Annotated[int, Meta(ge=0, description="Redirects followed one after another.")] = 25
    max_body: Annotated[
        int | dict[str, int],
        Meta(
            description="Largest body in bytes: one number, or a table by MIME type with patterns like text/*.",
            extra=_HARMLESS,
        ),
    ] = field(default_factory=lambda: dict(_LARGEST))
    max_unpacked: Annotated[
        int,
        Meta(
            ge=1,
            description="Largest body in bytes after its gzip, br or zstd coding is undone, and most that is taken out of one archive or Office file.",
        ),
    ] = 20_000_000
    types: Annotated[
        list[str],
        Meta(
            description="MIME types that are fetched and read; others are refused by header and by looking at the first bytes.",
            extra=_HARMLESS,
        ),
    ] = field(default_factory=lambda: list(_READABLE))
    max_url: Annotated[int, Meta(ge=16, description="Longest URL in characters.")] = 1000
    max_host: Annotated[int, Meta(ge=1, description="Longest host name in characters.")] = 255
    robots: Annotated[
        bool, Meta(description="Obey robots.txt (RFC 9309). Turn it off only for servers that are yours.")
    ] = True
    robots_hours: Annotated[float, Meta(gt=0, le=24, description="Hours for which a robots.txt is believed.")] = 24.0
    proxy: Annotated[
        str,
        Meta(
            description="HTTP proxy for every request, as http://host:port or http://user:password@host:port; names are then not resolved here.",
            extra=_PROXY,
        ),
    ] = ""
    allow_private: Annotated[
        list[str],
        Meta(
            description='Private addresses that may be reached: networks like "10.0.0.0/8", addresses, or host names; all others are refused.',
            extra=_PRIVATE,
        ),
    ] = []
    locked: Annotated[
        list[str],
        Meta(
            description='Domains ("example.com", subdomains included) or URL patterns with * that are never fetched.',
            extra=_HARMLESS,
        ),
    ] = []
    only: Annotated[
        list[str],
        Meta(
            description='If not empty, nothing but these domains ("example.org", subdomains included) or URL patterns is fetched.',
            extra=_HARMLESS,
        ),
    ] = []
    resolve: Annotated[
        dict[str, str],
        Meta(
            description='Addresses for host names, instead of DNS: "*.demo.test" = "127.0.0.1:8080"; the port may be left out.',
            extra=_PRIVATE,
        ),
    ] = {}
    verify_tls: Annotated[bool, Meta(description="Refuse servers whose certificate does not hold.")] = True


class ReadSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How pages are read, in worker processes."""

    workers: Annotated[int, Meta(ge=0, description="Worker processes; 0 chooses one for each core, up to four.")] = 0
    timeout: Annotated[
        float,
        Meta(
            gt=0,
            description="Seconds of processor time for one page; a worker that takes longer is ended and the page recorded as unread.",
        ),
    ] = 10.0
    memory: Annotated[int, Meta(ge=64, description="Megabytes that one worker may use while it reads a page.")] = 1024


class ArchiveSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is kept of the raw exchanges, as WARC files."""

    keep: Annotated[bool, Meta(description="Keep every exchange as WARC records.")] = True
    file_size: Annotated[int, Meta(ge=1_000_000, description="Bytes after which a new WARC file is begun.")] = (
        1_000_000_000
    )


class CriticSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How pages are judged."""

    kind: Annotated[
        str,
        Meta(
            description='"logistic", "bayes", "svm", "none", the name of a scikit-learn classifier, or "module:function" from '
            "page to a number between 0 and 1.",
            extra=_RUNS_FUNCTION,
        ),
    ] = "logistic"
    text: Annotated[
        Literal["main", "all"],
        Meta(description='What of a page is judged: its "main" text, or "all" with navigation and footers.'),
    ] = "all"  # better on both labelled webs: `python -m bench critics`
    adapt: Annotated[
        bool,
        Meta(
            description="Fit the critic to the crawl's own pages: leave out what sites repeat, and read relevance by how "
            'common it is there. Not with "bayes" or a function of yours.'
        ),
    ] = True


class ApprenticeSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How links are judged before they are fetched, with crawl.order = "apprentice"."""

    kind: Annotated[
        Literal["scent", "bayes"],
        Meta(
            description='"scent" weighs what can be smelt of a link and learns the weights; "bayes" is that of the paper of 2002, '
            "naive Bayes on words by their distance from the link."
        ),
    ] = "scent"
    sample: Annotated[
        float,
        Meta(
            ge=0,
            le=0.5,
            description="Part of the fetches drawn by chance from all that waits: the only unbiased measure of what is missed.",
        ),
    ] = 0.01
    links: Annotated[
        int,
        Meta(
            ge=10_000,
            description="Links kept in mind, about 350 bytes each; beyond, those that promise least are forgotten and keep their last priority.",
        ),
    ] = 500_000
    domain_share: Annotated[
        float,
        Meta(
            gt=0,
            le=1,
            description="Most of the fetches that one registered domain gets while others wait, unless more of your examples are "
            "from there; 1 is no limit. With any order, but for a bayes apprentice.",
        ),
    ] = 0.2
    hubs: Annotated[
        bool, Meta(description="Let a scent apprentice learn what it is worth that a hub cites a link (see distill).")
    ] = False
    lift: Annotated[
        float,
        Meta(
            ge=0,
            description="Log-odds by which links of the best hub rise in the order of a scent apprentice, others by their scores; 0 is none.",
        ),
    ] = 0.0
    start: Annotated[
        int, Meta(ge=1, description="Pages after which a bayes apprentice takes over from best-first.")
    ] = 100
    d_max: Annotated[
        int,
        Meta(ge=0, description="Leaves around a link that a bayes apprentice reads; 0 finds out by cross-validation."),
    ] = 0
    topics: Annotated[
        bool, Meta(description="Let a bayes apprentice learn from the topics of the page that a link stands on.")
    ] = False
    cocitation: Annotated[
        bool, Meta(description="Let a bayes apprentice learn from what the links next to a link led to.")
    ] = False


class RevisitSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which pages `crawl --revisit` asks for again, and in which order."""

    chance: Annotated[
        float,
        Meta(
            ge=0,
            le=1,
            description="Ask again for a page that has changed since the last visit with at least this probability, going by how often it, its host and all pages have changed.",
        ),
    ] = 0.3
    aim: Annotated[
        Literal["fresh", "changes"],
        Meta(
            description='Which of these come first: "fresh" those whose visits keep most pages as they are now on the web, "changes" those most likely to '
            "have changed, though they may change again in an hour; both times the worth of a page, as a hub and by its relevance."
        ),
    ] = "fresh"
    hours: Annotated[float, Meta(ge=0, description="Least hours between two visits to a page.")] = 1.0
    typical_days: Annotated[
        float, Meta(gt=0, description="Days between two changes of a page of which nothing is known yet.")
    ] = 30.0
    then: Annotated[
        Literal["crawl", "stop"],
        Meta(
            description='When all these pages are asked for: "crawl" goes on with the frontier, as far as the budget reaches, "stop" leaves new links for another run.'
        ),
    ] = "crawl"


class DistillSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How hubs and authorities are found beside the crawl, and what hubs do to it."""

    on: Annotated[bool, Meta(description="Find hubs and authorities beside the crawl, in a process of its own.")] = True
    growth: Annotated[
        float,
        Meta(
            ge=1.05, description="Do so again when the links, or the relevance of all pages, have grown by this factor."
        ),
    ] = 1.5
    least: Annotated[int, Meta(ge=1, description="Links from which on it is worth it.")] = 5_000
    site: Annotated[
        Literal["domain", "host", "page"],
        Meta(description='What is one site, within which links do not count; "page" is for a crawl inside one site.'),
    ] = "domain"
    share: Annotated[
        float, Meta(gt=0, le=1, description="Part of the judged pages, the most relevant, that may be authorities.")
    ] = 0.15
    rounds: Annotated[int, Meta(ge=1, description="Times that scores go from hubs to authorities and back.")] = 20
    hubs: Annotated[int, Meta(ge=0, description="How many of the best hubs count for the crawl.")] = 100
    lift: Annotated[
        float,
        Meta(
            ge=0,
            le=1,
            description="With best-first, unvisited pages that top hubs cite rise to this part of what the other links of the hub led to; 0 is off.",
        ),
    ] = 0.85
    revisit: Annotated[
        float,
        Meta(
            ge=0,
            le=0.5,
            description="At most this part of all fetches asks top hubs again for new links, each when it may have some by how often it had; 0 is off.",
        ),
    ] = 0.02


class BacklinksSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who is asked which pages cite a good one, so that these are fetched too."""

    source: Annotated[
        str,
        Meta(
            description='"" for nobody, "links" for the links of this crawl, a file with a line "cited<TAB>citing" each or JSON lines, or a command to '
            "which the address of the good page is given and which prints one address a line.",
            extra=_RUNS_COMMAND,
        ),
    ] = ""
    least: Annotated[float, Meta(ge=0, le=1, description="Relevance from which on a page is good enough to ask.")] = 0.7
    most: Annotated[int, Meta(ge=1, description="At most this many citing pages of one good page are taken.")] = 20
    timeout: Annotated[float, Meta(gt=0, description="Seconds for which a command may run.")] = 30.0
    at_once: Annotated[int, Meta(ge=1, le=64, description="Commands that may run at a time.")] = 2


class TopicsSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a directory of the web is cut down when it is imported (APPRENTICE §3.1)."""

    min_examples: Annotated[
        int, Meta(ge=1, description="Topics with fewer examples are folded into the topic above.")
    ] = 10
    max_examples: Annotated[
        int, Meta(ge=0, description="At most this many examples of a topic are kept, drawn by chance; 0 is no limit.")
    ] = 300
    max_topics: Annotated[
        int,
        Meta(
            ge=0,
            description="Where more topics than this would be left, min_examples is raised until they are not; 0 is no limit.",
        ),
    ] = 500


class Settings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The whole of crawl.toml."""

    crawl: CrawlSettings = CrawlSettings()
    fetch: FetchSettings = FetchSettings()
    read: ReadSettings = ReadSettings()
    archive: ArchiveSettings = ArchiveSettings()
    critic: CriticSettings = CriticSettings()
    apprentice: ApprenticeSettings = ApprenticeSettings()
    revisit: RevisitSettings = RevisitSettings()
    distill: DistillSettings = DistillSettings()
    backlinks: BacklinksSettings = BacklinksSettings()
    topics: TopicsSettings = TopicsSettings()
