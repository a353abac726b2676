"""Where URLs are: their hosts, folders and registered domains, and what came of these.

A part of what an apprentice remembers (`ground`), which follows from the lessons in their order as all of it does.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from scenthound.apprentice.arrays import Column
from scenthound.apprentice.memory.repeats import Repeats
from scenthound.apprentice.memory.tables import Domains, Hosts, Urls, Yields
from scenthound.apprentice.words.addresses import folder_of
from scenthound.parse.urls import domain_of, host_of

Ints = NDArray[np.int64]


class Places:
    """URLs by their numbers, each with its host and its folder; hosts have domains."""

    def __init__(self) -> None:
        self.urls = Urls()
        self.hosts = Hosts()
        self.folders = Yields()
        self.domains = Domains()
        self.repeats = Repeats()
        # Hosts asked for the first time, and those of them that answered.
        self.strangers = Column(np.float64, [0.0, 0.0])
        # URLs that were chosen to be asked for, and pages that the user gave.
        self.totals = Column(np.float64, [0.0, 0.0])
        self._host_numbers: dict[str, int] = {}
        self._folder_numbers: dict[str, int] = {}
        self._domain_numbers: dict[str, int] = {}
        self._disowned: Mapping[str, int] = {}

    def disown(self, domains: Mapping[str, int]) -> None:
        """Take in the user's marks on domains, before anything else: how many more of their pages are bad than good."""
        self._disowned = domains

    def reward(self, urls: Ints) -> None:
        """Let hosts, their domains and folders know what became of pages of theirs."""
        relevance = self.urls.relevance.values[urls]
        for table, rows in self._kin(urls):
            np.add.at(table.tried.values, rows, 1.0)
            np.add.at(table.yielded.values, rows, relevance)

    def ask(self, url: int, *, answered: bool) -> None:
        """Tell host and folder that a URL of theirs was asked for, and had a page or none.

        The first URL of a host also shows whether new hosts answer.
        """
        host, folder = self.urls.host.values[url], self.urls.folder.values[url]
        if not self.hosts.asked.values[host]:
            self.strangers.values += (1.0, answered)
        for table, row in ((self.hosts, host), (self.folders, folder)):
            table.asked.values[row] += 1.0
            table.answered.values[row] += answered

    def compare(self, url: int, fingerprint: int) -> None:
        """Tell host and folder of a page whether it was nearly one that had been there before."""
        repeated = self.repeats.note(fingerprint)
        for table, row in ((self.hosts, self.urls.host.values[url]), (self.folders, self.urls.folder.values[url])):
            table.compared.values[row] += 1.0
            table.repeated.values[row] += repeated

    def choose(self, url: int, *, given: bool) -> None:
        """Tell the registered domain that a URL of it was asked for: one from the user, or one that waited.

        Its host must know already.
        """
        host = self.urls.host.values[url]
        domain = self.hosts.domain.values[host]
        column = self.domains.given if given else self.domains.asked
        column.values[domain] += 1.0
        self.domains.hosts.values[domain] += not given and self.hosts.asked.values[host] == 1.0
        self.totals.values[int(given)] += 1.0

    def _kin(self, urls: Ints) -> tuple[tuple[Yields, Ints], ...]:
        """Return for URLs their rows among hosts, folders and domains."""
        hosts = self.urls.host.values[urls]
        return (
            (self.hosts, hosts),
            (self.folders, self.urls.folder.values[urls]),
            (self.domains, self.hosts.domain.values[hosts]),
        )

    def names_of(self, kind: str) -> list[str]:
        """Return what the rows of `hosts`, `folders` or `domains` are called."""
        return list(self._numberings()[kind])

    def name_all(self, kind: str, names: list[str]) -> None:
        """Say which hosts, folders or domains the rows of these are."""
        numbers = self._numberings()[kind]
        numbers.clear()
        numbers.update((name, number) for number, name in enumerate(names))

    def _numberings(self) -> dict[str, dict[str, int]]:
        return {"hosts": self._host_numbers, "folders": self._folder_numbers, "domains": self._domain_numbers}

    def _settle(self, urls: Sequence[str]) -> None:
        """Give URLs that are new, and have the next numbers, their places."""
        self.urls.host.extend([self._host(host_of(url)) for url in urls])
        self.urls.folder.extend([_numbered(self._folder_numbers, self.folders, folder_of(url)) for url in urls])

    def _host(self, name: str) -> int:
        number = self._host_numbers.get(name)
        if number is None:
            number = self._host_numbers[name] = len(self._host_numbers)
            self.hosts.grow()
            domain = domain_of(name)
            self.hosts.domain.append(_numbered(self._domain_numbers, self.domains, domain))
            self.hosts.disowned.append(float(self._disowned.get(domain, 0)))
        return number


def _numbered(numbers: dict[str, int], table: Yields, name: str) -> int:
    """Return the row of something in a table; of what is not known yet nothing has come."""
    number = numbers.get(name)
    if number is None:
        number = numbers[name] = len(numbers)
        table.grow()
    return number
