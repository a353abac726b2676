"""Putting together the guide that the settings ask for."""

from functools import partial
from pathlib import Path

import msgspec

from scenthound.apprentice.bayes.bayes_model import BayesModel
from scenthound.apprentice.checkpoint import Checkpoints
from scenthound.apprentice.crawl_guide import Advisor, ApprenticeGuide, Make
from scenthound.apprentice.learnt_before import read_knowledge, weights_alone
from scenthound.apprentice.model import State
from scenthound.apprentice.scent import HUB, NOVELTY, ScentModel
from scenthound.errors import SettingError
from scenthound.frontier.orders import APPRENTICE
from scenthound.settings.order_columns import is_combination, parsed
from scenthound.settings.schema import ApprenticeSettings, Settings
from scenthound.store.base import Store


def guide_of(settings: Settings, *, store: Store, advisor: Advisor, folder: Path | None) -> ApprenticeGuide | None:
    """Return the apprentice if the crawl is to follow one, or to ask one; `folder` is for its checkpoints.

    What it has learnt before lies beside that folder.
    """
    if not asks_apprentice(settings):
        return None
    return ApprenticeGuide(
        make_of(settings.apprentice, crawl=folder.parent if folder is not None else None),
        kind=brand_of(settings.apprentice),
        store=store,
        advisor=advisor,
        checkpoints=Checkpoints(folder) if folder is not None else None,
        sample=sample_of(settings),
        seed=settings.crawl.seed,
    )


def asks_apprentice(settings: Settings) -> bool:
    """Tell whether an order needs an apprentice.

    >>> from scenthound.settings.schema import CrawlSettings
    >>> orders = ("apprentice", "tries, -expected", "depth")
    >>> [asks_apprentice(Settings(crawl=CrawlSettings(order=order))) for order in orders]
    [True, True, False]
    """
    order = settings.crawl.order
    return order == APPRENTICE or (is_combination(order) and parsed(order).has("expected"))


def sample_of(settings: Settings) -> float:
    """Return how much of the fetches is drawn by chance: in an order of columns there is no place for these."""
    return settings.apprentice.sample if settings.crawl.order == APPRENTICE else 0.0


def brand_of(settings: ApprenticeSettings) -> str:
    """Return the kind of an apprentice with all settings on which depends what it makes of its lessons.

    What one of another brand has learnt, or said of the frontier, is of no use to it.

    >>> brand_of(ApprenticeSettings()), brand_of(ApprenticeSettings(kind="bayes", d_max=5))
    ('scent links=500000', 'bayes start=100 d_max=5 topics=False cocitation=False')
    """
    shipped = ApprenticeSettings()  # crawls from before there were these settings go on
    young = ("hubs", "lift", "domain_share", "novelty")
    rest = [name for name in young if getattr(settings, name) != getattr(shipped, name)]
    names = ["links", *rest] if settings.kind == "scent" else ["start", "d_max", "topics", "cocitation"]
    names += ["before", "before_words"] if settings.before else []
    return " ".join([settings.kind, *(f"{name}={getattr(settings, name)}" for name in names)])


def settings_of(brand: str) -> ApprenticeSettings:
    """Return settings that give an apprentice of a brand. Words of the note that are no settings of it are ignored.

    >>> settings_of("bayes start=10 d_max=5 topics=True cocitation=False sample=0.2 seed=7").d_max
    5
    """
    kind, *rest = brand.split()
    known = dict(word.split("=", 1) for word in rest if word.partition("=")[0] in ApprenticeSettings.__struct_fields__)
    return msgspec.convert({"kind": kind, **known}, ApprenticeSettings, strict=False)


def make_of(settings: ApprenticeSettings, *, crawl: Path | None = None) -> Make:
    """Return what makes an apprentice that has seen nothing yet; what it learnt before lies in the crawl's folder."""
    before = _learnt_before(settings, crawl) if settings.before else None
    if settings.kind == "scent":
        without = [name for name, wanted in ((HUB, settings.hubs), (NOVELTY, settings.novelty)) if not wanted]
        return partial(
            ScentModel,
            capacity=settings.links,
            lift=settings.lift,
            domain_share=settings.domain_share,
            without=without,
            before=before,
        )
    if before is not None:
        return partial(BayesModel.of_knowledge, before, topics=settings.topics, cocitation=settings.cocitation)
    return partial(
        BayesModel,
        d_max=settings.d_max,
        topics=settings.topics,
        cocitation=settings.cocitation,
        start=settings.start,
    )


def learnt_file(crawl: Path, name: str) -> Path:
    """Return where a crawl keeps what its apprentice has learnt before."""
    return crawl / "learnt" / f"{name}.npz"


def _learnt_before(settings: ApprenticeSettings, crawl: Path | None) -> State:
    if crawl is None:
        raise SettingError("apprentice.before names a file of a crawl directory, and there is none here; leave it out")
    known = read_knowledge(learnt_file(crawl, settings.before))
    if known.kind != settings.kind:
        raise SettingError(
            f'apprentice.before was learnt by an apprentice of kind "{known.kind}", and apprentice.kind is '
            f'"{settings.kind}"; set apprentice.kind = "{known.kind}", or leave apprentice.before out'
        )
    return known.state if settings.before_words else weights_alone(known.state)
