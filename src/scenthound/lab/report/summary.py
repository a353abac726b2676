"""The result in words, made from the numbers: which strategy is best, by how much, and how sure that is."""

from collections.abc import Sequence

from scenthound.counted import count
from scenthound.lab.experiment.values import Duel, Role
from scenthound.lab.report.contests import Contest
from scenthound.lab.report.duels import surely, too_few, verdict
from scenthound.lab.report.markup import Inside, Markup, join, tag
from scenthound.lab.report.numbers import SURE, chance, figure, listed, signed, span

MOST_NAMED = 4

_GROUPS = {"better": "surely better", "worse": "surely worse", "no clear difference": "not to be told apart from it"}


def summary(contests: Sequence[Contest]) -> Markup:
    """Return a paragraph for each contest, those with test topics first."""
    if not contests:
        return tag("p", "No crawl was completed, so that there is nothing to compare.")
    return join([tag("p", said(contest), class_=str(contest.role)) for contest in contests])


def said(contest: Contest) -> Markup:
    """Return what a contest shows at its first budget, sentence by sentence."""
    budget = contest.budgets[0]
    best = contest.best(budget)
    if not best:
        return join(f"On {contest.topics_said} of {contest.world} nothing could be measured.")
    sentences = [_opening(contest, budget, best), _against_baseline(contest, budget, best[0])]
    if contest.role is Role.TEST:
        sentences += [
            _runner_up(contest, budget, best),
            _everybody(contest, budget, best[0]),
            _references(contest, budget, best[0]),
            _other_budgets(contest, best[0]),
        ]
    return join([[sentence, " "] for sentence in sentences if sentence])


def _opening(contest: Contest, budget: str, best: Sequence[str]) -> Inside:
    mean = contest.mean(best[0], budget)
    assert mean is not None
    cap = f" and at most {count(contest.host_cap, 'page')} of a host" if contest.host_cap else ""
    where = f"On {contest.topics_said} of {contest.world}, with {_fetches(contest, budget)} each{cap}, "
    sure = f" ({SURE} interval {span(mean)})" if mean.topics > 1 else ""
    found = tag("strong", f"{best[0]} found {figure(mean.mean)} relevant pages per fetch")
    return [where, found, f"{sure}{_beside(contest, budget, best)}."]


def _beside(contest: Contest, budget: str, best: Sequence[str]) -> str:
    """Tell the others' place, without calling first who is first only by the order of names."""
    below = _below(contest, budget, best)
    equal = [name for name in best[1:] if name not in below]
    parts = [f"as much as {_few(equal)}"] if equal else []
    parts += ["more than any other"] if below else []
    return f", {' and '.join(parts)}" if parts else ""


def _below(contest: Contest, budget: str, best: Sequence[str]) -> list[str]:
    """Return those that found less than the first."""
    means = {name: mean.mean for name in best if (mean := contest.mean(name, budget))}
    return [name for name in best if means[name] < means[best[0]]]


def _against_baseline(contest: Contest, budget: str, best: str) -> Inside:
    other = contest.mean(contest.baseline, budget)
    if other is None or len(contest.best(budget)) == 1:
        return None
    if best == contest.baseline:
        return "It is the baseline."
    lead = f"The baseline {contest.baseline} found {figure(other.mean)}"
    duel = contest.duel(best, contest.baseline, budget)
    return f"{lead}: {_margin(duel)}" if duel else f"{lead}."


def _runner_up(contest: Contest, budget: str, best: Sequence[str]) -> Inside:
    """Tell of the next best, unless that is the baseline, of which it was told."""
    name, *_ = [*_below(contest, budget, best), ""]
    second = contest.mean(name, budget)
    if second is None or name == contest.baseline:
        return None
    lead = f"Next comes {name} with {figure(second.mean)}"
    duel = contest.duel(best[0], name, budget)
    if duel:
        return f"{lead}: {_margin(duel)}"
    return f"{lead}; {_counted(contest, budget, best[0], name)}, but the two were not tested against each other."


def _everybody(contest: Contest, budget: str, best: str) -> Inside:
    """Sort the other contenders by what their duel with the baseline shows."""
    others = [name for name in contest.best(budget) if name not in (best, contest.baseline)]
    fought = {name: duel for name in others if (duel := contest.duel(name, contest.baseline, budget))}
    groups = [
        f"{_few(names)} {'is' if len(names) == 1 else 'are'} {text}"
        for key, text in _GROUPS.items()
        if (names := [name for name, duel in fought.items() if verdict(duel) == key])
    ]
    return f"Of the others, measured against the baseline, {'; '.join(groups)}." if groups and len(fought) > 1 else None


def _references(contest: Contest, budget: str, best: str) -> Inside:
    references = [name for name in contest.ranked(budget) if name not in contest.contenders and name != best]
    if not references:
        return None
    named = [f"{name} {figure(mean.mean)}" for name in references if (mean := contest.mean(name, budget))]
    gain = contest.mean(best, budget, "gain")
    way = f"; the best went {100 * gain.mean:.0f} % of the way from random to oracle" if gain else ""
    return f"To measure by: {listed(named)}{way}."


def _other_budgets(contest: Contest, best: str) -> Inside:
    """Say whether the same strategy is ahead at other budgets."""
    ahead = {budget: contest.best(budget) for budget in contest.budgets[1:]}
    return " ".join(
        f"With {_fetches(contest, budget)}, {order[0]} leads{' too' if order[0] == best else ''}."
        for budget, order in ahead.items()
        if len(order) > 1
    )


def _margin(duel: Duel) -> str:
    """Tell in whole sentences how a duel went for its first."""
    topics = count(duel.wins + duel.ties + duel.losses, "topic")
    if not duel.wins + duel.losses:
        return f"the two are alike on {topics}."
    mean, ends = signed(duel.difference.mean), span(duel.difference)
    lead = f"a difference of {mean} ({ends}), with more on {duel.wins} of {topics}."
    if too_few(duel):
        return f"{lead} These are too few topics to tell whether that is more than chance."
    p = f"p\N{NO-BREAK SPACE}{chance(duel.p_holm)}".replace(" ", "\N{NO-BREAK SPACE}")
    return f"{lead} {'That is hardly chance' if surely(duel) else 'That may be chance'} ({p} after Holm's correction)."


def _counted(contest: Contest, budget: str, one: str, other: str) -> str:
    mine, theirs = contest.by_topic(one, budget), contest.by_topic(other, budget)
    both = [topic for topic in mine if topic in theirs]
    wins = sum(mine[topic] > theirs[topic] for topic in both)
    return f"the best found more on {wins} of {count(len(both), 'topic')}"


def _fetches(contest: Contest, budget: str) -> str:
    most = f" (at most {contest.most_fetches:,})" if contest.most_fetches else ""
    return f"{budget} fetches{most}" if budget.endswith("n") else f"{int(budget):,} fetches{most}"


def _few(names: Sequence[str]) -> str:
    """Name a few; more are counted, and the tables name them."""
    return listed(names) if len(names) <= MOST_NAMED else f"{len(names)} of them"
