"""What can be asked of search over HTTP: the parameters of `GET /api/crawls/NAME/search`."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from scenthound.search.engine import MOST
from scenthound.search.types import Weights
from scenthound.services.search.crawl_search import SearchWish


class SearchQuery(BaseModel):
    """A question to search; leave out what does not matter."""

    model_config = ConfigDict(extra="forbid")

    words: Annotated[str, Field(description='Words, "phrases", title:, site:, anchor:, AND, OR, NOT, word*.')] = ""
    like: Annotated[list[str], Field(description="Pages of the crawl to which similar ones are wanted.")] = []
    like_text: Annotated[str, Field(description="A text to which similar pages are wanted.")] = ""
    topic: Annotated[str, Field(description="This topic and those below it.")] = ""
    vague: Annotated[bool, Field(description="Weigh pages by the probability of the topic instead.")] = False
    site: Annotated[str, Field(description="A host or a registered domain.")] = ""
    language: str = ""
    mime: Annotated[str, Field(description="Type of the content, such as text/html.")] = ""
    month: Annotated[str, Field(description="Month of the fetch, such as 2026-11.")] = ""
    weights: Annotated[str, Field(description="text, meaning, relevance, authority and date.")] = "text=1,meaning=2"
    limit: Annotated[int, Field(ge=1, le=100)] = 10
    offset: Annotated[int, Field(ge=0, le=MOST - 100)] = 0

    def wish(self) -> SearchWish:
        """Return what is asked for. The answer does not wait for an index to be brought up to date as a whole."""
        given = self.model_dump(exclude={"weights", "like"})
        return SearchWish(**given, like=tuple(self.like), weights=Weights.parse(self.weights), whole=False)
