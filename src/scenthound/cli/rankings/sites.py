"""`scenthound sites`: show the sites that specialise in the topic."""

from scenthound.cli.shared.options import Dir, Json
from scenthound.cli.shared.ranking_options import Most, TopicAsked


def sites(path: Dir, topic: TopicAsked = None, most: Most = 20, as_json: Json = False) -> int:
    """Show the sites that specialise in your topics.

    They are ordered by their share of relevant pages (its lower confidence bound). Each comes with its best pages.
    """
    from scenthound.cli.work.ranking_lines import show_sites
    from scenthound.services.results.best_pages import Wanted

    return show_sites(path, Wanted(topic=topic, most=most), as_json=as_json)
