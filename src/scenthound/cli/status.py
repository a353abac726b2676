"""`scenthound status`: show the state of a crawl."""

from scenthound.cli.shared.options import Dir, Json


def status(path: Dir, as_json: Json = False) -> int:
    """Show the state of a crawl and what slows it down.

    It also works while the crawl runs.
    """
    from scenthound.cli.work.status_lines import show_status

    return show_status(path, as_json=as_json)
