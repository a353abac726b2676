"""Groups of pages and the company of topics over HTTP."""

from dataclasses import asdict
from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field

from scenthound.search.groups import MOST_GROUPS
from scenthound.services.clusters.cluster_rows import as_table
from scenthound.services.clusters.crawl_clusters import ClusterWish, clusters_of, into_of
from scenthound.services.clusters.group_topic import make_topic
from scenthound.services.company.own_recipes import own_recipes
from scenthound.services.company.topic_company import CompanyWish, Over, company_of
from scenthound.services.sql.recipes import Recipe
from scenthound.ui.api_models import Said
from scenthound.ui.window import Window


class GroupsQuery(BaseModel):
    """Which pages to group; leave out what does not matter."""

    model_config = ConfigDict(extra="forbid")

    topic: Annotated[str, Field(description="Pages of this topic and those below it.")] = ""
    query: Annotated[str, Field(description="Pages that match a search: words, phrases, operators.")] = ""
    site: Annotated[str, Field(description="Pages of a host or a registered domain.")] = ""
    groups: Annotated[int, Field(ge=0, le=MOST_GROUPS, description="Number of groups; 0: the pages choose.")] = 0
    into: Annotated[str, Field(description="The groups within a group, by its place: 2, or 2.1.")] = ""

    def wish(self) -> ClusterWish:
        """Return what is asked for. The answer does not wait for an index to be brought up to date as a whole."""
        return ClusterWish(
            topic=self.topic,
            words=self.query,
            site=self.site,
            groups=self.groups,
            into=into_of(self.into),
            whole=False,
        )


class GroupTopic(GroupsQuery):
    """The group that becomes a topic: `into` is its place."""

    name: Annotated[str, Field(description="The name of the topic, instead of its typical words.")] = ""


def add_group_routes(router: APIRouter, window: Window, Directory: Any) -> None:
    """Add the endpoints of one crawl."""

    @router.get("/clusters", tags=["looking"])
    def clusters(directory: Directory, wish: Annotated[GroupsQuery, Query()]) -> dict[str, Any]:
        """Return groups of pages that are alike, as `scenthound clusters --json` does."""
        return as_table(clusters_of(directory, wish.wish()))

    @router.post("/clusters/topic", tags=["topics"])
    def group_topic(directory: Directory, wanted: GroupTopic) -> Said:
        """Make a group a topic, with its best pages as examples. It can be undone like other edits of topics."""
        done = make_topic(directory, wanted.wish(), name=wanted.name)
        window.engine.learn(directory)
        return Said(says=[done.says])

    @router.get("/company", tags=["looking"])
    def company(
        directory: Directory,
        topic: Annotated[str, Query(description="Links from or to this topic and those below it.")] = "",
        over: Annotated[
            Over, Query(description="progress: parts of the crawl; month: when the citing page was last changed.")
        ] = Over.PROGRESS,
    ) -> dict[str, Any]:
        """Return which topics cite which, against chance and over time, as `scenthound company --json` does."""
        return asdict(company_of(directory, CompanyWish(topic=topic, over=over)))

    @router.get("/recipes", tags=["asking"])
    def recipes(directory: Directory) -> list[Recipe]:
        """Return often-asked questions in SQL, with topics of this crawl in them."""
        return own_recipes(directory)
