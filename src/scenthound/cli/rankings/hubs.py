"""`scenthound hubs`: show the pages that link to many good ones."""

from scenthound.cli.shared.options import Dir, Json
from scenthound.cli.shared.ranking_options import Most, SiteUnit, Stored, TopicAsked


def hubs(
    path: Dir,
    topic: TopicAsked = None,
    most: Most = 20,
    site: SiteUnit = None,
    stored: Stored = False,
    as_json: Json = False,
) -> int:
    """Show the best hubs: pages that link to many good pages.

    Each comes with the best pages that it links to.
    """
    from scenthound.cli.work.ranking_lines import show_hubs
    from scenthound.services.results.best_pages import Wanted

    return show_hubs(path, Wanted(topic=topic, most=most, site=site), stored=stored, as_json=as_json)
