"""What counts as one site; a file of its own, because the command line names it before anything else is loaded."""

from enum import StrEnum


class Site(StrEnum):
    """What counts as one site: links within it endorse nothing, and all links from it to a page count as one.

    FOCUS leaves the word open, RELATIONAL takes the server's IP address and Bharat and Henzinger the host. An address
    now serves thousands of sites and one site has many hosts (www, forum, static), so that the registered domain is the
    unit that has one owner. PAGE is for a crawl inside one site, where every page stands for itself.
    """

    DOMAIN = "domain"
    HOST = "host"
    PAGE = "page"
