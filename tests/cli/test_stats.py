"""The sentences that say why a crawl is slow: each appears when its cause is there, and only then."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.crawl.diagnosis.speed import explain, failures, harvest, in_seconds, refusals, total
from scenthound.types import Census, HostView, Reason


def host(
    name: str, *, state: str = "resting", waiting: int = 0, failures: int = 0, delay: float = 1.0, reason: str = ""
) -> HostView:
    return HostView(
        host=name, state=state, waiting=waiting, pages=0, failures=failures, due=0.0, delay=delay, reason=reason
    )


def test_every_host_rests() -> None:
    census = Census(known=900, waiting=800, hosts=31, hosts_resting=31, next_due=10.4)
    assert explain(census, [], now=10.0, running=True) == [
        "All 31 hosts are waiting for their delay; the next is due in 0.4 s."
    ]


def test_some_hosts_rest_while_others_answer() -> None:
    census = Census(known=900, waiting=800, hosts=3, hosts_resting=1, hosts_busy=2, next_due=12.0)
    assert explain(census, [], now=10.0, running=True) == [
        "1 host is waiting for its delay; the next is due in 2.0 s.",
        "2 hosts are being asked now; fetch.per_host allows no more at a time.",
    ]


def test_bad_hosts_are_named_with_what_is_lost() -> None:
    hosts = [host("a.example", state="bad", waiting=7, failures=3, reason="dns")]
    census = Census(known=20, waiting=7, waiting_on_bad=7, hosts=2, hosts_bad=1, claimed=0)
    assert explain(census, hosts, now=0.0, running=False) == [
        "1 host is bad: a.example after 3 failures (dns); 7 URLs there will not be fetched. "
        "At the next start, crawl --forgive gives it another chance."
    ]


def test_of_many_bad_hosts_a_few_are_named() -> None:
    hosts = [host(f"{letter}.example", state="bad", failures=3, reason="connect") for letter in "abcde"]
    [sentence] = explain(Census(known=9, waiting=5, hosts=9, hosts_bad=9), hosts, now=0.0, running=True)
    assert "c.example after 3 failures (connect) and 6 more. At the next start" in sentence


def test_a_dry_frontier() -> None:
    assert explain(Census(known=9, pages=9), [], now=0.0, running=False) == [
        "The frontier is dry: every URL that is known has been dealt with."
    ]
    assert explain(Census(known=9, pages=8, claimed=1), [], now=0.0, running=True) == [
        "The frontier is dry but for 1 page in flight, which may bring new links."
    ]


def test_before_the_first_start() -> None:
    assert explain(Census(), [], now=0.0, running=False) == ["Nothing is known yet: the crawl has not been started."]


def test_one_host_holds_most_of_the_frontier() -> None:
    hosts = [host("big.example", waiting=3000, delay=2.0), host("small.example", waiting=1000)]
    census = Census(known=5000, waiting=4000, hosts=2, hosts_resting=2, next_due=1.0)
    assert "75 % of what waits is on big.example: at one request every 2 s that takes 1 h 40 min or more." in explain(
        census, hosts, now=0.5, running=True
    )


def test_other_limits_name_their_setting() -> None:
    hosts = [host("slow.example", waiting=5, delay=30.0)]
    census = Census(known=99, waiting=90, hosts=9, hosts_ready=2, hosts_parked=3, hosts_capped=1, claimed=4)
    told = " ".join(explain(census, hosts, now=0.0, running=True))
    for words in ("2 hosts could be asked at once", "fetch.per_domain", "crawl.pages_per_host", "slow.example (30 s)"):
        assert words in told


def test_a_stopped_crawl_asks_nobody() -> None:
    census = Census(known=99, waiting=90, claimed=4, hosts=9, hosts_ready=2, hosts_busy=3, hosts_parked=1, next_due=5.0)
    assert explain(census, [], now=5.0, running=False) == [
        "6 hosts could be asked at once; start the crawl to go on.",
        "4 URLs were in flight when it stopped; they come back at the next start.",
    ]
    resting = Census(known=9, waiting=8, hosts=2, hosts_resting=1, next_due=365.0)
    assert explain(resting, [], now=5.0, running=False) == ["1 host may not be asked yet; the first is due in 6 min."]


def test_no_host_is_due_in_no_time() -> None:
    census = Census(known=9, waiting=8, hosts=3, hosts_ready=1, hosts_resting=2, next_due=10.0)
    assert "2 hosts are waiting for their delay." in explain(census, [], now=10.0, running=True)


@given(st.dictionaries(st.sampled_from([str(reason) for reason in Reason]), st.integers(1, 99)))
def test_failed_and_refused_are_all_there_is(reasons: dict[str, int]) -> None:
    census = Census(reasons=reasons)
    assert dict(failures(census)) | dict(refusals(census)) == reasons
    assert total(failures(census)) + total(refusals(census)) == sum(reasons.values())


def test_harvest_is_the_mean_relevance_of_judged_pages() -> None:
    assert harvest(Census(pages=10)) is None
    assert harvest(Census(pages=10, judged=4, relevance_sum=1.0)) == pytest.approx(0.25)


@given(st.floats(0, 1e8))
def test_spans_never_read_longer_or_shorter_than_they_are(seconds: float) -> None:
    sizes = {"ms": 0.001, "s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0}
    words = in_seconds(seconds).split()
    pairs = list(zip(words[::2], words[1::2], strict=True))
    told = sum(float(number) * sizes[unit] for number, unit in pairs)
    assert abs(told - seconds) <= max(0.5, sizes[pairs[-1][1]] * (1 if len(pairs) == 2 else 0.5) + seconds * 0.05)


counts = st.integers(0, 50)


@given(
    st.builds(
        Census, known=counts, waiting=counts, claimed=counts, hosts=counts, hosts_ready=counts, hosts_resting=counts,
        hosts_busy=counts, hosts_parked=counts, hosts_bad=counts, hosts_capped=counts, waiting_on_bad=counts,
        next_due=st.none() | st.floats(0, 100),
    ),
    st.booleans(),
)  # fmt: skip
def test_whatever_the_numbers_there_are_whole_sentences(census: Census, running: bool) -> None:
    for sentence in explain(census, [], now=50.0, running=running):
        assert sentence[0].isupper() or sentence[0].isdigit()
        assert sentence.endswith(".")
