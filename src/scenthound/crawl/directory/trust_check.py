"""Foreign code that a crawl would run, and which of it comes from the directory and not from its user's own command.

Functions (`crawl.order`, `critic.kind`, a saved critic), commands (`backlinks.source`), commands and webhooks that get
news (`questions.toml`), and links that lead out of the directory and would let it write files elsewhere.
"""

from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.crawl.directory.named_code import channels_of, code_of
from scenthound.crawl.directory.open_store import open_store
from scenthound.errors import ScenthoundError, StoreError
from scenthound.judge.critic import Critic
from scenthound.judge.critic_kinds import load_critic
from scenthound.judge.modelfile import CALLABLE, kind_of, read_model
from scenthound.settings.question_book import load_questions
from scenthound.settings.schema import Settings
from scenthound.trust import function, remember, require


def require_trust(directory: CrawlDirectory, settings: Settings, *, given: Collection[str] = ()) -> None:
    """Refuse code that crawl.toml names and its user has not trusted.

    A setting of this run, named in `given` or different from the file, is the user's own choice. It is trusted, and
    remembered for this directory.
    """
    wanted = code_of(settings, directory.path)
    try:
        filed = code_of(directory.settings(), directory.path)
    except ScenthoundError:  # a crawl beside a broken file has all settings from elsewhere
        filed = {}
    own = {key: thing for key, thing in wanted.items() if key in given or filed.get(key) != thing}
    with suppress(OSError):  # then it is asked about another time
        remember(directory.path, own.values())
    require(directory.path, [thing for key, thing in wanted.items() if key not in own])


def trust(directory: CrawlDirectory) -> None:
    """Trust a directory with all that it would run now."""
    remember(directory.path, [*_everything(directory)])


def _everything(directory: CrawlDirectory) -> Iterator[str]:
    yield from directory.links_out()
    yield from directory.servers()
    yield from code_of(directory.settings(), directory.path).values()
    yield from channels_of(load_questions(directory.path))
    if directory.begun:
        with open_store(directory, read_only=True) as store:
            record = store.critic()
        if record is not None and (name := _function_of(inside(directory.path, record.model))):
            yield function(name)


def saved_critic(directory: Path, model: str) -> Critic:
    """Return the critic that the database names: from inside the directory, and a function only if it is trusted."""
    folder = inside(directory, model)
    if name := _function_of(folder):
        require(directory, [function(name)])
    return load_critic(folder)


def _function_of(folder: Path) -> str:
    return str(read_model(folder).facts.get("function", "")) if kind_of(folder) == CALLABLE else ""


def inside(folder: Path, name: str) -> Path:
    """Return a path that a database names, if it lies in a folder."""
    path = folder / name
    if not path.resolve().is_relative_to(folder.resolve()):
        raise StoreError(f"{name} leads out of {folder}, and is not opened; restore the crawl from a copy")
    return path
