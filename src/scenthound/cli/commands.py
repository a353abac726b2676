"""All commands, in the order of the help: from the first crawl to its results."""

from scenthound.cli.classify import classify
from scenthound.cli.clusters import clusters
from scenthound.cli.crawl import crawl
from scenthound.cli.demo import demo
from scenthound.cli.export import export
from scenthound.cli.feedback import feedback
from scenthound.cli.lab.lab_commands import lab
from scenthound.cli.machines.cluster import cluster
from scenthound.cli.machines.join import join
from scenthound.cli.mcp import mcp
from scenthound.cli.move import move
from scenthound.cli.new import new
from scenthound.cli.news.questions_commands import questions
from scenthound.cli.news.watch_crawl import watch
from scenthound.cli.portal import portal
from scenthound.cli.rankings.authorities import authorities
from scenthound.cli.rankings.hubs import hubs
from scenthound.cli.rankings.sites import sites
from scenthound.cli.repair import repair
from scenthound.cli.search import search
from scenthound.cli.serve import serve
from scenthound.cli.sql import sql
from scenthound.cli.status import status
from scenthound.cli.teach import teach
from scenthound.cli.topics.apprentice import apprentice
from scenthound.cli.topics.company import company
from scenthound.cli.topics.topics_commands import forms
from scenthound.cli.why import why

COMMANDS = (
    new, crawl, status, why, classify, feedback, teach, hubs, authorities, sites, search, clusters, company, sql,
    export, portal, watch, apprentice, repair, move, join, cluster, demo, serve, mcp
)  # fmt: skip
GROUPS = {"topics": forms, "questions": questions, "lab": lab}  # commands with forms of their own
