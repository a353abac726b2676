"""Fetch first what most pages link to: the backlink count of Cho, Garcia-Molina and Page (WWW7, 1998).

Only links on pages fetched so far are known, so that the count is a guess at the one in the whole web.
"""

from collections import Counter
from collections.abc import Mapping

from scenthound.lab.strategies.strategy import Briefing, Seen


class InDegree:
    """The URL that most of the pages fetched so far link to comes first."""

    wants_text = False
    knows_truth = False

    def __init__(self, briefing: Briefing) -> None:
        self._citing: Counter[str] = Counter()

    def see(self, page: Seen) -> Mapping[str, float]:
        cited = [link.url for link in page.links]
        self._citing.update(cited)
        return {url: float(self._citing[url]) for url in cited}
