"""All commands, in the order of the help: from the first crawl to its results."""

from scenthound.cli.authorities import authorities
from scenthound.cli.classify import classify
from scenthound.cli.crawl import crawl
from scenthound.cli.demo import demo
from scenthound.cli.export import export
from scenthound.cli.feedback import feedback
from scenthound.cli.hubs import hubs
from scenthound.cli.lab.lab_commands import lab
from scenthound.cli.mcp import mcp
from scenthound.cli.new import new
from scenthound.cli.repair import repair
from scenthound.cli.search import search
from scenthound.cli.serve import serve
from scenthound.cli.sites import sites
from scenthound.cli.sql import sql
from scenthound.cli.status import status
from scenthound.cli.topics.topics_commands import forms
from scenthound.cli.why import why

COMMANDS = (
    new, crawl, status, why, classify, feedback, hubs, authorities, sites, search, sql, export, repair, demo, serve,
    mcp,
)  # fmt: skip
GROUPS = {"topics": forms, "lab": lab}  # commands with forms of their own
