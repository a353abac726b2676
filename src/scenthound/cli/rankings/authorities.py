"""`scenthound authorities`: show the pages that good hubs link to."""

from scenthound.cli.shared.options import Dir, Json
from scenthound.cli.shared.ranking_options import Most, SiteUnit, Stored, TopicAsked


def authorities(
    path: Dir,
    topic: TopicAsked = None,
    most: Most = 20,
    site: SiteUnit = None,
    stored: Stored = False,
    as_json: Json = False,
) -> int:
    """Show the best authorities: pages that good hubs link to.

    Each comes with the best hubs that cite it.
    """
    from scenthound.cli.work.ranking_lines import show_authorities
    from scenthound.services.results.best_pages import Wanted

    return show_authorities(path, Wanted(topic=topic, most=most, site=site), stored=stored, as_json=as_json)
