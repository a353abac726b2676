"""All settings in one value: `Settings` has a field for each section of crawl.toml.

The sections are in `settings.sections`. A setting that crawl.toml leaves out has the default declared there.
"""

from msgspec import Struct

from scenthound.settings.sections.apprentice_section import ApprenticeSettings
from scenthound.settings.sections.crawl_section import CrawlSettings
from scenthound.settings.sections.critic_section import CriticSettings, TopicsSettings
from scenthound.settings.sections.distill_section import DistillSettings
from scenthound.settings.sections.fetch_section import FetchSettings
from scenthound.settings.sections.portal_section import PortalSettings
from scenthound.settings.sections.read_section import ArchiveSettings, ReadSettings
from scenthound.settings.sections.revisit_section import BacklinksSettings, RevisitSettings
from scenthound.settings.sections.search_section import SearchSettings
from scenthound.settings.sections.store_section import StoreSettings
from scenthound.settings.setting_guard import Guard

__all__ = [
    "PROJECT_URL",
    "ApprenticeSettings",
    "ArchiveSettings",
    "BacklinksSettings",
    "CrawlSettings",
    "CriticSettings",
    "DistillSettings",
    "FetchSettings",
    "Guard",
    "PortalSettings",
    "ReadSettings",
    "RevisitSettings",
    "SearchSettings",
    "Settings",
    "StoreSettings",
    "TopicsSettings",
]

PROJECT_URL = "https://github.com/scenthound/scenthound"


class Settings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The whole of crawl.toml."""

    crawl: CrawlSettings = CrawlSettings()
    fetch: FetchSettings = FetchSettings()
    read: ReadSettings = ReadSettings()
    archive: ArchiveSettings = ArchiveSettings()
    critic: CriticSettings = CriticSettings()
    apprentice: ApprenticeSettings = ApprenticeSettings()
    revisit: RevisitSettings = RevisitSettings()
    distill: DistillSettings = DistillSettings()
    search: SearchSettings = SearchSettings()
    portal: PortalSettings = PortalSettings()
    backlinks: BacklinksSettings = BacklinksSettings()
    topics: TopicsSettings = TopicsSettings()
    store: StoreSettings = StoreSettings()
