"""Decides what a page of the demo web links to, with which words and which address.

Pages link mostly to their own kind (topical locality, Davison 2000: about a third of the links of an on-topic page stay
on topic), famous pages get most links, and addresses are as careless as on the real web.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from scenthound.demo.grammar import Dice, Vocabulary, Writer
from scenthound.demo.host_table import EVERYDAY, DemoHost, Layout, Oddity
from scenthound.demo.site_plan import SECTIONS, DemoPage, Kind, Plan


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoLink:
    """A link on a page. `target` is None if it leads nowhere."""

    href: str
    text: str
    target: DemoPage | None


class Linker:
    """Chooses targets, words and addresses of links; all choices follow from the dice."""

    def __init__(self, plan: Plan, vocabulary: Vocabulary) -> None:
        self._plan = plan
        self._vocabulary = vocabulary
        self._anywhere = tuple(page for group in plan.by_topic.values() for page in group)
        self._in_language = {
            language: tuple(page for page in self._anywhere if page.language == language) for language in ("de", "fr")
        }

    def content(self, page: DemoPage, dice: Dice) -> list[DemoLink]:
        """Return the links in the text of a page, in order."""
        if page.kind is Kind.LINKS:
            targets = [self._for_hub(page, dice) for _ in range(dice.between(16, 32))]
        elif page.kind in (Kind.HOME, Kind.SECTION):
            targets = self._listed(page)
        elif page.kind is Kind.ABOUT:
            targets = [dice.pick(self._anywhere) for _ in range(2)]
        else:
            targets = [self._for_article(page, dice) for _ in range(dice.between(4, 11))]
        different = list(dict.fromkeys(target for target in targets if target is not page))
        return [self._link(page, target, dice) for target in different]

    def _for_hub(self, page: DemoPage, dice: Dice) -> DemoPage:
        if dice.chance(0.12):
            return dice.pick(self._anywhere)
        if dice.chance(0.1):
            return dice.pick(self._plan.hubs[page.topic])
        return dice.pick_early(self._plan.by_topic[page.topic])

    def _listed(self, page: DemoPage) -> list[DemoPage]:
        """Return the links of a list: a home page has its link collections and its news, a section everything."""
        site = self._plan.by_host[page.host]
        own = [other for other in site if other.kind is Kind.ARTICLE]
        if page.kind is Kind.HOME:
            collections = [other for other in site if other.kind is Kind.LINKS]
            return collections + sorted(own, key=lambda other: -other.day)[:12]
        return [other for other in own if other.section == page.section]

    def _for_article(self, page: DemoPage, dice: Dice) -> DemoPage:
        if page.language != "en" and dice.chance(0.7):
            return dice.pick_early(self._in_language[page.language])
        if page.topic in self._plan.by_topic and page.topic != EVERYDAY:
            if dice.chance(0.25):
                return self._same_topic(page, dice)
            if dice.chance(0.15):
                return dice.pick_early(self._plan.by_topic[self._sibling(page.topic, dice)])
        if dice.chance(0.35):
            return dice.pick(self._plan.by_host[page.host])
        return dice.pick(self._anywhere)

    def _same_topic(self, page: DemoPage, dice: Dice) -> DemoPage:
        if page.topic in self._plan.hubs and dice.chance(0.08):
            return dice.pick(self._plan.hubs[page.topic])
        return dice.pick_early(self._plan.by_topic[page.topic])

    def _sibling(self, topic: str, dice: Dice) -> str:
        above = topic.rpartition("/")[0]
        near = [other for other in self._plan.by_topic if other.startswith(above + "/") and other != topic]
        return dice.pick(near) if near else topic

    def _link(self, page: DemoPage, target: DemoPage, dice: Dice) -> DemoLink:
        listed = page.kind in (Kind.HOME, Kind.SECTION)
        text = target.title if listed else self.words_for(target, dice)
        if not listed and dice.chance(0.02):
            return DemoLink(href=f"/files/{dice.between(1, 400)}.{dice.pick(('pdf', 'jpg'))}", text=text, target=None)
        if not listed and dice.chance(0.04):
            gone = f"{target.url.rstrip('/').partition('?')[0]}-{dice.between(2, 99)}"
            return DemoLink(href=gone, text=text, target=None)
        return DemoLink(href=self._address(page, target, dice), text=text, target=target)

    def words_for(self, target: DemoPage, dice: Dice) -> str:
        """Name a page: by its subject, its title, its topic, its address, or not at all."""
        way = dice.between(1, 100)
        if way <= 25 or (target.kind is not Kind.ARTICLE and way <= 80):
            return target.title
        if way <= 62 and target.focus:
            return Writer(self._vocabulary.topics[target.topic], dice, target.focus).phrase()
        if way <= 75:
            return f"{target.topic.rpartition('/')[2].replace('_', ' ').lower()} page"
        return target.host if way <= 84 else dice.pick(self._vocabulary.vague)

    def _address(self, page: DemoPage, target: DemoPage, dice: Dice) -> str:
        if target.url in self._plan.former and dice.chance(0.4):
            return self._plan.former[target.url]
        address = _written(page, target, dice)
        if Oddity.PRINT_VIEWS in self._plan.hosts[target.host].oddities and dice.chance(0.15):
            return with_parameter(address, "view=print")
        if target.host != page.host and dice.chance(0.04):
            return with_parameter(address, f"utm_source={page.host}&utm_medium=link")
        return address + ("#comments" if dice.chance(0.03) else "")


def _written(page: DemoPage, target: DemoPage, dice: Dice) -> str:
    """Write an address: within a site mostly without the host, and often without the folder."""
    if target.host != page.host or dice.chance(0.2):
        return target.url
    if dice.chance(0.03):
        return "/go" + target.path
    folder, _, name = target.path.rpartition("/")
    if (
        name
        and "?" not in target.path
        and page.path.startswith(folder + "/")
        and "/" not in page.path[len(folder) + 1 :]
    ):
        return name
    return target.path


def with_parameter(address: str, parameter: str) -> str:
    return f"{address}{'&' if '?' in address else '?'}{parameter}"


_MENU = ("/", *(f"/{name}/" for name in SECTIONS), "/about.html", "/contact.html", "/privacy.html")


def navigation(host: DemoHost, labels: Sequence[str]) -> list[DemoLink]:
    """Return the links on every page of a site; `labels` name those that every site has."""
    rows = list(zip(_MENU, labels, strict=True))
    if host.language == "en" and host.layout is not Layout.DIRECTORY:
        rows.append(("/links.html", "Links"))
    if host.layout is Layout.CLUB and host.language == "en":
        rows.append(("/private/members.html", "Members"))
    if Oddity.HUGE in host.oddities:
        rows.append(("/everything.html", "All articles on one page"))
    if Oddity.CALENDAR in host.oddities:
        rows.append(("/calendar/2024/5/", "Calendar"))
    return [DemoLink(href=href, text=text, target=None) for href, text in rows]
