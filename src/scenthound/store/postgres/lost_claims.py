"""Claims on a server that no engine will record: their engine is gone, or does not know of them."""

from collections.abc import Collection

from scenthound.store.sqlite.claim import BACK, give_back
from scenthound.store.sqlite.transaction import Work


def release_orphans(work: Work, owners: Collection[str]) -> int:
    """Give back all claims but those of these owners."""
    marks = ", ".join("?" * len(owners)) or "NULL"
    left = f"{BACK} WHERE c.owner NOT IN ({marks})" if owners else BACK
    return give_back(work, work.con.execute(left, tuple(owners)).fetchall())


def release_unknown(work: Work, owner: str | None, known: Collection[int]) -> int:
    """Give back what a server holds for an owner who does not know of it.

    The answer to the claim was lost with the connection, or the server has lost what the owner has recorded since.
    """
    claims = work.con.execute(f"{BACK} WHERE c.owner = ?", (owner,)).fetchall()
    return give_back(work, [row for row in claims if row[0] not in known])
