"""Words to tell small crawls with: a link found, a claim ended, a page read."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from scenthound.store.base import Store
from scenthound.types import (
    Claim,
    Discovery,
    Ending,
    Fetch,
    Judgement,
    Lesson,
    Limits,
    Link,
    LinkKind,
    Outcome,
    Reading,
    Reason,
    RobotsAnswer,
    Standing,
)

FREE = Limits(delay=0.0, per_host=100, per_domain=0, per_ip=0, robots=False)


def found(url: str, priority: float = 0.0, *, demoted: int = 0, depth: int = 0, refusal: Reason | None = None,
          kind: LinkKind = LinkKind.ANCHOR, text: str = "", hops: int = 0, example: bool = False,
          nofollow: bool = False, cited: float | None = None) -> Discovery:  # fmt: skip
    """A link to a URL; the last two labels of its host are the domain."""
    host = url.split("/")[2]
    domain = ".".join(host.split(":")[0].split(".")[-2:])
    link = Link(url=url, kind=kind, text=text, nofollow=nofollow)
    return Discovery(
        link=link, host=host, domain=domain, depth=depth, hops=hops, priority=priority, demoted=demoted,
        refusal=refusal, example=example, cited=cited,
    )  # fmt: skip


def claim(store: Store, *, now: float, limit: int = 100, limits: Limits = FREE, owner: str = "me",
          lease: float = 600.0) -> list[Claim]:  # fmt: skip
    return store.claim(owner=owner, now=now, limit=limit, limits=limits, lease=lease)


def urls(claims: Sequence[Claim]) -> list[str]:
    return [claim.url for claim in claims]


def answer(claim: Claim, *, at: float, status: int = 200, ip: str = "", etag: str | None = None) -> Fetch:
    return Fetch(url=claim.url, started=at - 0.5, finished=at, status=status, ip=ip, etag=etag, mime="text/html")


def page(claim: Claim, *, at: float, links: Sequence[Discovery] = (), digest: str = "", fingerprint: int | None = None,
         canonical: str = "", relevance: float | None = None, ip: str = "", title: str = "", shape: str = "",
         etag: str | None = None, counts: bool = True, standing: Standing | None = None,
         terms: bytes = b"", critic: int = 0) -> Outcome:  # fmt: skip
    """A page that was fetched and read."""
    return Outcome(
        claim=claim,
        ending=Ending.PAGE,
        finished=at,
        fetch=answer(claim, at=at, ip=ip, etag=etag),
        reading=Reading(
            mime="text/html",
            digest=digest or claim.url,
            fingerprint=fingerprint,
            canonical=canonical,
            title=title,
            terms=terms,
        ),
        judgement=None if relevance is None else Judgement(relevance=relevance, topic="birds", critic=critic),
        standing=standing,
        discoveries=tuple(links),
        shape=shape,
        counts=counts,
    )


def moved(claim: Claim, target: str, *, at: float, standing: Standing | None = None) -> Outcome:
    """A redirect."""
    link = found(target, claim.priority, depth=claim.depth, hops=claim.hops + 1, kind=LinkKind.REDIRECT,
                 example=claim.example, demoted=-100 if claim.example else 0)  # fmt: skip
    return Outcome(
        claim=claim,
        ending=Ending.REDIRECT,
        finished=at,
        fetch=answer(claim, at=at, status=301),
        discoveries=(link,),
        standing=standing,
    )


def failed(claim: Claim, reason: Reason, *, at: float, status: int = 0, asked: bool = True) -> Outcome:
    """No page, for good."""
    return Outcome(
        claim=claim,
        ending=Ending.FAILED,
        finished=at,
        asked=asked,
        fetch=answer(claim, at=at, status=status) if asked else None,
        reason=reason,
        host_failed=reason.blames_host,
    )


def later(claim: Claim, reason: Reason, *, at: float, rest: float = 0.0) -> Outcome:
    """No page this time."""
    return replace(failed(claim, reason, at=at), ending=Ending.RETRY, rest=rest)


def back(claim: Claim, *, at: float, robots: RobotsAnswer | None = None) -> Outcome:
    """A claim handed back: its robots.txt was fetched, or nothing was done."""
    return Outcome(claim=claim, ending=Ending.RETURN, finished=at, asked=robots is not None, robots=robots)


def rules(claim: Claim, *, at: float, lasts: float = 1000.0) -> RobotsAnswer:
    origin = "/".join(claim.url.split("/")[:3])
    return RobotsAnswer(origin=origin, status=200, text="User-agent: *\n", fetched=at, expires=at + lasts)


def taught(outcome: Outcome, **lesson: Any) -> Outcome:
    """The same, with a lesson."""
    return replace(outcome, lesson=Lesson(url=outcome.claim.url, **lesson))


def put(store: Store, *outcomes: Outcome, now: float) -> None:
    store.record(outcomes, now=now, archived={})
