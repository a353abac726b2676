"""The result in words: which strategy is best, by how much, and how sure that is; made from the numbers and nothing else."""

from collections.abc import Iterable, Sequence

from scenthound.lab.report.contests import Contest
from scenthound.lab.report.duels import surely, too_few, verdict
from scenthound.lab.report.figures import chance, count, figure, signed, span
from scenthound.lab.report.markup import Inside, Markup, join, tag
from scenthound.lab.values import Duel, Role

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
    where = f"On {contest.topics_said} of {contest.world}, with {_fetches(budget)} each{cap}, "
    sure = f" (95 % interval {span(mean)})" if mean.topics > 1 else ""
    most = "" if len(best) == 1 else ", more than any other"
    return [where, tag("strong", f"{best[0]} found {figure(mean.mean)} relevant pages per fetch"), f"{sure}{most}."]


def _against_baseline(contest: Contest, budget: str, best: str) -> Inside:
    other = contest.mean(contest.baseline, budget)
    if best == contest.baseline or other is None:
        return None
    lead = f"The baseline {contest.baseline} found {figure(other.mean)}"
    duel = contest.duel(best, contest.baseline, budget)
    return f"{lead}: {_margin(duel)}" if duel else f"{lead}."


def _runner_up(contest: Contest, budget: str, best: Sequence[str]) -> Inside:
    """Tell of the next best, unless that is the baseline, of which it was told."""
    if len(best) < 2 or best[1] == contest.baseline:
        return None
    second = contest.mean(best[1], budget)
    assert second is not None
    lead = f"Next comes {best[1]} with {figure(second.mean)}"
    if best[0] == contest.baseline:
        lead = f"It is the baseline. {lead}"
    duel = contest.duel(best[0], best[1], budget)
    if duel:
        return f"{lead}: {_margin(duel)}"
    return f"{lead}; {_counted(contest, budget, best[0], best[1])}, but the two were not tested against each other."


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
    return f"To measure by: {_listed(named)}{way}."


def _other_budgets(contest: Contest, best: str) -> Inside:
    """Say whether the same strategy is ahead at other budgets."""
    ahead = {budget: contest.best(budget) for budget in contest.budgets[1:]}
    return " ".join(
        f"With {_fetches(budget)}, {order[0]} leads{' too' if order[0] == best else ''}."
        for budget, order in ahead.items()
        if len(order) > 1
    )


def _margin(duel: Duel) -> str:
    """Tell in whole sentences how a duel went for its first."""
    topics = count(duel.wins + duel.ties + duel.losses, "topic")
    lead = f"a difference of {signed(duel.difference.mean)} ({span(duel.difference)}), with more on {duel.wins} of {topics}."
    if too_few(duel):
        return f"{lead} These are too few topics to tell whether that is more than chance."
    p = f"p\N{NO-BREAK SPACE}{chance(duel.p_holm)}".replace(" ", "\N{NO-BREAK SPACE}")
    return f"{lead} {'That is hardly chance' if surely(duel) else 'That may be chance'} ({p} after Holm's correction)."


def _counted(contest: Contest, budget: str, one: str, other: str) -> str:
    mine, theirs = contest.by_topic(one, budget), contest.by_topic(other, budget)
    both = [topic for topic in mine if topic in theirs]
    wins = sum(mine[topic] > theirs[topic] for topic in both)
    return f"the best found more on {wins} of {count(len(both), 'topic')}"


def _fetches(budget: str) -> str:
    return f"{budget} fetches" if budget.endswith("n") else f"{int(budget):,} fetches"


def _few(names: Sequence[str]) -> str:
    """Name a few; more are counted, and the tables name them."""
    return _listed(names) if len(names) <= MOST_NAMED else f"{len(names)} of them"


def _listed(names: Iterable[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last
