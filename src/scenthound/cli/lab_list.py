"""`scenthound lab list`: the strategies there are, the experiments that come with scenthound, and the worlds in the cache."""

from rich.table import Table

from scenthound.cli.lab_show import draw
from scenthound.crawl.stats import count
from scenthound.harmless import say
from scenthound.lab.kinds import catalogue
from scenthound.lab.papers import named, webs_folder
from scenthound.lab.papers.reproduce import catalogue as papers_catalogue
from scenthound.lab.world_cache import cache_folder, cached_worlds


def list_all() -> int:
    """Print everything that an experiment may name."""
    say("Strategies")
    draw(_table([(kind.name, kind.summary) for kind in catalogue()]))
    say("\nExperiments (scenthound lab run NAME)")
    draw(_table([(name, _told(name)) for name in named()]))
    say("\nThe papers' experiments (scenthound lab papers NAME)")
    draw(_table(list(papers_catalogue().items())))
    folder = cache_folder()
    worlds = cached_worlds(folder)
    say(f"\nWorlds in {folder}" + ("" if worlds else ": none yet; an experiment reads them when it needs them"))
    if worlds:
        draw(_table([(world.title, f"{count(world.pages, 'page')}, {world.size / 1e6:,.0f} MB") for world in worlds]))
    return 0


def _told(name: str) -> str:
    """Say what an experiment is about, and what it lacks here."""
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
