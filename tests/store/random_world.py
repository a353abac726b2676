"""Anything that may happen to a crawl, drawn by chance: links, outcomes, lessons, limits.

Drawn with `random`, from one seed a step: while Hypothesis drew every single choice, its histories ended before they
had recorded a page.
"""

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

from msgspec.structs import replace as but

from scenthound.parse.urls import domain_of
from scenthound.types import (
    ArchiveSpot,
    Call,
    Claim,
    Discovery,
    Distillation,
    Ending,
    Errand,
    Judgement,
    Lesson,
    LessonLink,
    Limits,
    LinkKind,
    Outcome,
    PageScore,
    Reason,
    Standing,
)
from tests.store.small_world import back, failed, found, later, moved, page, rules

# Three domains, two of them with several hosts, so that places are fought for.
HOSTS = ["a.one.test", "b.one.test", "c.one.test", "d.one.test", "a.two.test", "b.two.test", "alone.test"]
URLS = [f"http://{host}/{name}" for host in HOSTS for name in range(15)]
ADDRESSES = ["", "192.0.2.1", "192.0.2.2"]
KINDS = [LinkKind.ANCHOR, LinkKind.ANCHOR, LinkKind.REDIRECT, LinkKind.CANONICAL, LinkKind.SEED]


def priority(chance: Random) -> float:
    return chance.randrange(5) / 8  # sums of eighths are exact


def perhaps(chance: Random) -> float | None:
    return chance.choice([None, priority(chance)])


def links(chance: Random, most: int = 8) -> list[Discovery]:
    return [_link(chance) for _ in range(chance.randrange(most + 1))]


def _link(chance: Random) -> Discovery:
    find = found(
        chance.choice(URLS),
        priority(chance),
        demoted=chance.choice([0, 0, 0, 1]),
        depth=chance.randrange(4),
        hops=chance.randrange(3),
        refusal=chance.choice([None, None, None, Reason.LOCKED, Reason.NOFOLLOW, Reason.OFF_TOPIC]),
        kind=chance.choice(KINDS),
        nofollow=chance.random() < 0.3,
        cited=perhaps(chance),
        text=chance.choice(["", "a word", "größer"]),
    )
    leaf = chance.randrange(-1, 9)
    return but(find, link=but(find.link, first_leaf=leaf, last_leaf=leaf))


def examples(chance: Random) -> list[Discovery]:
    some = chance.sample(URLS, chance.randrange(3))
    return [found(url, demoted=-100, kind=LinkKind.SEED, example=True) for url in some]


def turns(chance: Random) -> dict[str, int]:
    return {url: chance.randrange(70) for url in chance.sample(URLS, chance.choice([3, 30, len(URLS)]))}


def backward(chance: Random) -> list[Discovery]:
    """Links as a source gives them: it does not know which pages were asked for."""
    return [but(find, link=but(find.link, kind=LinkKind.BACKWARD), cited=None) for find in links(chance, 4)]


def moves(chance: Random) -> dict[str, float]:
    return {url: priority(chance) for url in chance.sample(URLS, chance.randrange(30))}


def distillation(chance: Random, at: float) -> dict[str, Any]:
    """What the store is told of a distillation."""
    some = chance.sample(URLS, chance.randrange(9))
    scores = [PageScore(url=url, hub=priority(chance), authority=priority(chance)) for url in some]
    hubs = tuple(PageScore(url=score.url, hub=score.hub) for score in scores[:3])
    found = Distillation(
        at=at, critic=1, lesson=chance.randrange(9), links=chance.randrange(99), relevance=0.5, site="domain", hubs=hubs
    )
    return {"found": found, "scores": scores, "moves": moves(chance)}


def limits(chance: Random) -> Limits:
    return Limits(
        delay=chance.choice([0.0, 1.0, 3.0]),
        per_host=chance.choice([1, 1, 2]),
        per_domain=chance.randrange(3),
        per_ip=chance.randrange(3),
        pages_per_host=chance.choice([0, 0, 0, 2]),
        robots=chance.random() < 0.3,
        examples=chance.random() < 0.2,
        again=chance.random() < 0.2,
        choosy=chance.choice([0.0, 0.0, 0.5]),
    )


def judgement(chance: Random, critic: int) -> Judgement:
    topics = chance.choice([(), ("fish",), ("fish", "birds/größer")])
    return Judgement(relevance=priority(chance), topic="fish", topics=topics, critic=critic)


def lesson(chance: Random, url: str) -> Lesson:
    some = [LessonLink(chance.choice(URLS), chance.randrange(-1, 5), 5) for _ in range(chance.randrange(4))]
    return Lesson(
        url=url,
        relevance=perhaps(chance),
        topics=chance.choice([(), ("birds",), ("birds/größer", "fish")]),
        redirect=chance.random() < 0.5,
        followed=chance.random() < 0.5,
        links=tuple(some),
        stream=chance.choice([b"", b"\x00words"]),
        score=perhaps(chance),
        reasons=chance.choice([b"", b"\x00\xff"]),
    )


def outcome(chance: Random, claim: Claim, at: float) -> Outcome:
    if claim.errand is Errand.ROBOTS and chance.random() < 0.8:
        answer = back(claim, at=at, robots=rules(claim, at=at, lasts=chance.choice([2.0, 500.0])))
        return replace(answer, calls=tuple(call(chance, claim, at) for _ in range(chance.randrange(3))))
    return replace(
        chance.choice(ENDINGS)(chance, claim, at),
        host_delay=chance.choice([None, None, 2.0]),
        rest=chance.choice([0.0, 0.0, 4.0, 40.0]),
        moves=moves(chance),
        lesson=lesson(chance, claim.url) if chance.random() < 0.6 else None,
    )


def call(chance: Random, claim: Claim, at: float) -> Call:
    host = chance.choice([host for host in (*HOSTS, "never.test") if host != claim.host])
    return Call(
        host=host,
        domain=domain_of(host),
        finished=at,
        rest=chance.choice([0.0, 4.0, 40.0]),
        ip=chance.choice(ADDRESSES),
        answered=chance.random() < 0.5,
        reason=chance.choice([None, None, Reason.RESET]),
    )


def _standing(chance: Random) -> Standing | None:
    standing = Standing(promise=perhaps(chance), tunnel=chance.randrange(3), topic=chance.choice(["", "birds"]))
    return chance.choice([None, standing])


def _page(chance: Random, claim: Claim, at: float) -> Outcome:
    on_it = links(chance)
    read = page(
        claim,
        at=at,
        links=on_it,
        digest=chance.choice(["", "", "sha1:A", "sha1:B"]),
        fingerprint=chance.choice([None, 0, 7, 15, -1, -8, 1 << 62]),
        canonical=chance.choice(["", claim.url, *[find.link.url for find in on_it]]),
        relevance=chance.choice([None, 0.125, 0.5]),
        ip=chance.choice(ADDRESSES),
        shape=chance.choice(["", "/x", "/y"]),
        etag=chance.choice([None, '"1"']),
        counts=chance.random() < 0.5,
        standing=_standing(chance),
        terms=chance.choice([b"", b"packed"]),
        critic=chance.randrange(3),
        title="größer",
    )
    return replace(read, spot=ArchiveSpot(file="a.warc.gz", offset=int(at), length=9))


def _moved(chance: Random, claim: Claim, at: float) -> Outcome:
    return moved(claim, chance.choice(URLS), at=at, standing=_standing(chance))


def _unchanged(chance: Random, claim: Claim, at: float) -> Outcome:
    return replace(page(claim, at=at, etag='"2"'), ending=Ending.UNCHANGED)


def _failed(chance: Random, claim: Claim, at: float) -> Outcome:
    reason = chance.choice([Reason.HTTP_ERROR, Reason.CONNECT, Reason.ROBOTS])
    return failed(claim, reason, at=at, status=chance.choice([0, 404]), asked=chance.random() < 0.5)


def _later(chance: Random, claim: Claim, at: float) -> Outcome:
    return later(claim, chance.choice([Reason.OVERLOADED, Reason.DNS]), at=at, rest=chance.choice([0, 30]))


def _back(chance: Random, claim: Claim, at: float) -> Outcome:
    return replace(back(claim, at=at), behind=chance.choice([0, 0, 1]))


ENDINGS: list[Callable[[Random, Claim, float], Outcome]] = [
    _page, _page, _page, _page, _page, _moved, _moved, _unchanged, _failed, _later, _back,
]  # fmt: skip
