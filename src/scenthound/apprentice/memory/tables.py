"""The tables of an apprentice's memory: URLs, pages, links and hosts, each a handful of columns, numbered by rows."""

import numpy as np

from scenthound.apprentice.arrays import Column


class Table:
    """Columns of one length each, known by their names."""

    def columns(self) -> dict[str, Column]:
        return dict(vars(self))


class Urls(Table):
    def __init__(self) -> None:
        self.state = Column(np.int8)
        self.onward = Column(np.int32)  # where it redirects to
        self.offered = Column(np.bool_)  # whether a page whose links are followed leads there
        self.relevance = Column(np.float64)  # of those that were fetched
        self.cited = Column(np.int32)  # how many links lead there
        self.latest = Column(np.int32)  # the link seen last that leads there: the head of a chain of all
        self.host = Column(np.int32)
        self.folder = Column(np.int32)
        self.words_from = Column(np.int64)  # the words of its path, a range of `address_words`
        self.words_to = Column(np.int64)


class Pages(Table):
    def __init__(self) -> None:
        self.url = Column(np.int32)  # its number among URLs
        self.relevance = Column(np.float64)
        self.hub = Column(np.float64)  # its score as a hub, of that of the best one
        self.first_link = Column(np.int64)


class Links(Table):
    def __init__(self) -> None:
        self.source = Column(np.int32)  # the page that it stands on
        self.place = Column(np.int32)  # how many links stand before it there
        self.target = Column(np.int32)
        self.earlier = Column(np.int32)  # the link seen before this one that leads to the same URL
        self.own_from = Column(np.int64)  # the link's own words, a range of `words`
        self.own_to = Column(np.int64)
        self.around_from = Column(np.int64)  # these and the words around it
        self.around_to = Column(np.int64)
        self.near_yielded = Column(np.float64)  # what the links next to it led to; nearer ones weigh more
        self.near_tried = Column(np.float64)


class Yields(Table):
    """The outcomes of URLs by some group, such as folders: how many answered, and the relevance of those that did."""

    def __init__(self) -> None:
        self.asked = Column(np.float64)
        self.answered = Column(np.float64)
        self.tried = Column(np.float64)  # pages that were taken to heart
        self.yielded = Column(np.float64)
        self.compared = Column(np.float64)  # pages whose text was compared with that of all before
        self.repeated = Column(np.float64)  # those of them that were nearly the same as one

    def grow(self) -> None:
        """Add a group without outcomes."""
        for column in (self.asked, self.answered, self.tried, self.yielded, self.compared, self.repeated):
            column.append(0.0)


class Hosts(Yields):
    def __init__(self) -> None:
        super().__init__()
        self.domain = Column(np.int32)
        # Pages of its domain that the user has said not to be good, less the good ones.
        self.disowned = Column(np.float64)


class Domains(Yields):
    def __init__(self) -> None:
        super().__init__()
        self.given = Column(np.float64)  # pages of it that the user gave: nothing else led there
        self.hosts = Column(np.float64)  # of it that were asked for the first time because of a link
        self.worth = Column(
            np.float64
        )  # what was left of the worth of its URLs when all of them were last thought over

    def grow(self) -> None:
        super().grow()
        self.given.append(0.0)
        self.hosts.append(0.0)
        self.worth.append(1.0)
