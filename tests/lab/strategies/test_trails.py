from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st

from scenthound.lab.strategies.trails import Trails

NAMES = "abcdefgh"
WEBS = st.dictionaries(st.sampled_from(NAMES), st.lists(st.sampled_from(NAMES), max_size=3), min_size=1)


@given(WEBS, st.sets(st.sampled_from(NAMES)), st.integers(0, 4))
def test_distances_are_those_of_following_links(web: Mapping[str, list[str]], relevant: set[str], most: int) -> None:
    trails = Trails()
    for url, cited in web.items():
        trails.add(url, cited, relevant=url in relevant)
    goals = relevant & web.keys()
    due = {url: steps for url in web if (steps := _followed(web, url, goals)) is not None and steps <= most}
    assert trails.steps(most) == due


def _followed(web: Mapping[str, list[str]], url: str, goals: set[str]) -> int | None:
    """Go through a web link by link until a goal is met."""
    ring, met = {url}, {url}
    for steps in range(len(web) + 1):
        if ring & goals:
            return steps
        ring = {target for one in ring for target in web.get(one, ()) if target in web} - met
        met |= ring
    return None
