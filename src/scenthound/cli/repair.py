"""`scenthound repair`: make a damaged crawl usable again."""

from scenthound.cli.shared.options import Dir


def repair(path: Dir) -> int:
    """Repair a damaged crawl so that it can continue.

    Use it when the database or the archive is missing or broken. It reports what is lost and keeps a copy of every file
    that it replaces.
    """
    from scenthound.cli.work.repair_report import show_repair

    return show_repair(path)
