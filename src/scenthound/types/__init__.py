"""The values that flow through a crawl, in the order in which they appear.

    Claim ─► Fetch ─► Reading ─► (judged, links scored) Outcome ─► store

All are frozen and import nothing else of ours. A thing that went wrong on the web is a `Reason`, not an exception.
They lie in modules by subject and are imported from here, so that it does not matter to anybody which one has moved.
"""

from scenthound.types.exchange import ArchiveSpot, Fetch, Original, RobotsAnswer
from scenthound.types.fellow_engines import EngineStanding, EngineView, SharedFile
from scenthound.types.frontier import (
    Bearings,
    Claim,
    Discovery,
    Errand,
    HeldBack,
    Limits,
    PutOff,
    Rescored,
    ShapeYield,
    Standing,
    Unvisited,
    Waiting,
)
from scenthound.types.lessons import Guidance, Lesson, LessonLink
from scenthound.types.links import Citation, Link, LinkKind, LostLink
from scenthound.types.outcomes import Call, Ending, Outcome, Recorded
from scenthound.types.pages import CriticRecord, GoodPage, HeldPage, Judgement, Reading, RecentPage, TopicCount
from scenthound.types.prestige import Distillation, LinkYield, PageScore
from scenthound.types.reasons import Reason
from scenthound.types.views import Attempt, Awaited, Census, DomainCount, HostCount, HostView, PageRow, Story
from scenthound.types.visits import Change, Visit, Visited

__all__ = [
    "ArchiveSpot",
    "Attempt",
    "Awaited",
    "Bearings",
    "Call",
    "Census",
    "Change",
    "Citation",
    "Claim",
    "CriticRecord",
    "Discovery",
    "Distillation",
    "DomainCount",
    "Ending",
    "EngineStanding",
    "EngineView",
    "Errand",
    "Fetch",
    "GoodPage",
    "Guidance",
    "HeldBack",
    "HeldPage",
    "HostCount",
    "HostView",
    "Judgement",
    "Lesson",
    "LessonLink",
    "Limits",
    "Link",
    "LinkKind",
    "LinkYield",
    "LostLink",
    "Original",
    "Outcome",
    "PageRow",
    "PageScore",
    "PutOff",
    "Reading",
    "Reason",
    "RecentPage",
    "Recorded",
    "Rescored",
    "RobotsAnswer",
    "ShapeYield",
    "SharedFile",
    "Standing",
    "Story",
    "TopicCount",
    "Unvisited",
    "Visit",
    "Visited",
    "Waiting",
]
