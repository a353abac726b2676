"""`scenthound lab list`: list strategies, built-in experiments and cached worlds."""

from rich.table import Table

from scenthound.cli.lab.show_results import draw
from scenthound.counted import count
from scenthound.lab.experiments import named, webs_folder
from scenthound.lab.strategies.kinds import catalogue
from scenthound.lab.world.cache import cache_folder, cached_worlds
from scenthound.terminal import say


def list_all() -> int:
    """Print everything that an experiment can name."""
    say("Strategies")
    draw(_table([(kind.name, kind.summary) for kind in catalogue()]))
    say("\nExperiments (scenthound lab run NAME)")
    draw(_table([(name, _told(name)) for name in named()]))
    folder = cache_folder()
    worlds = cached_worlds(folder)
    say(f"\nWorlds in {folder}" + ("" if worlds else ": none yet; an experiment reads them when it needs them"))
    if worlds:
        draw(_table([(world.title, f"{count(world.pages, 'page')}, {world.size / 1e6:,.0f} MB") for world in worlds]))
    return 0


def _told(name: str) -> str:
    """Return the title of an experiment and the files that are missing."""
    experiment = named()[name]
    missing = experiment.missing()
    lacks = f" (needs {', '.join(missing)} in {webs_folder()})" if missing else ""
    return f"{experiment.load().title}{lacks}"


def _table(rows: list[tuple[str, str]]) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True)
    table.add_column()
    for name, text in rows:
        table.add_row(f"  {name}", text)
    return table
