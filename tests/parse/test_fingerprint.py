"""Near-duplicates are near, different texts are not."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.parse.words.fingerprint import NEAR, distance, fingerprint


def words(seed: int, count: int) -> list[str]:
    """Write text with the uneven word frequencies of a language."""
    rng = random.Random(seed)
    vocabulary = ["".join(rng.choices("abcdefghijklmnop", k=rng.randint(2, 9))) for _ in range(2_000)]
    return rng.choices(vocabulary, weights=[1 / (rank + 1) for rank in range(2_000)], k=count)


def gap(one: list[str], other: list[str]) -> int:
    first, second = fingerprint(" ".join(one)), fingerprint(" ".join(other))
    assert first is not None
    assert second is not None
    return distance(first, second)


@pytest.mark.slow
def test_texts_with_a_few_edits_are_mostly_near() -> None:
    near = 0
    for seed in range(100):
        text = words(seed, 1_000)
        edited = [*text[:300], "changed", *text[301:700], *text[702:], "appended"]
        near += gap(text, edited) <= NEAR
    assert near >= 85


@pytest.mark.slow
def test_different_texts_are_far_apart() -> None:
    rng_words = [words(7, 8_000)[start : start + 400] for start in range(0, 8_000, 400)]
    gaps = [gap(one, other) for n, one in enumerate(rng_words) for other in rng_words[:n]]
    assert min(gaps) > NEAR


def test_the_number_is_the_same_in_every_process_and_release() -> None:
    """It is kept in databases, so it must not depend on hash seeds; case and punctuation do not count."""
    text = (
        "It was the best of times, it was the worst of times, it was the age of wisdom, it was the age of foolishness."
    )
    assert fingerprint(text) == GOLDEN
    assert fingerprint(text.upper().replace(",", " --")) == GOLDEN


GOLDEN = -9101114639954728092


@pytest.mark.parametrize("text", ["", " ", "one " * 19, "?! " * 50])
def test_short_texts_have_none(text: str) -> None:
    assert fingerprint(text) is None


def test_latin_and_other_scripts_are_hashed_alike() -> None:
    """A single character beyond ASCII takes another path through the code, and must not change the rest."""
    text = words(3, 2_000)
    assert gap(text, [*text, "—"]) == 0


def test_punctuation_beyond_ascii_does_not_count() -> None:
    text = words(4, 300)
    assert gap(text, [f"\u201c{word}\u201d\u2026" for word in text]) == 0
    assert gap(text, [f"\u300c{word}\u3002" for word in text]) == 0


def test_long_words_differ_by_beginning_end_and_length() -> None:
    text = [f"{word}hippopotamus" for word in words(5, 300)]
    for change in ("x{}", "{}x", "{}mus", "hip{}"):
        assert gap(text, [change.format(word) for word in text]) > NEAR


def test_chinese_characters_are_words() -> None:
    assert fingerprint("猎犬追踪气味" * 4) is not None
    assert fingerprint("猎犬追踪气味" * 3) is None


@given(st.text(max_size=400))
def test_any_text_has_a_signed_64_bit_number_or_none(text: str) -> None:
    number = fingerprint(text)
    assert number is None or -(2**63) <= number < 2**63


@given(st.lists(st.sampled_from(["中", "文", "a", "b1", " ", "é", "-", "字x"]), max_size=80))
def test_mixed_scripts_have_as_many_words_as_they_show(parts: list[str]) -> None:
    """A run of Latin letters is one word, each Chinese character is one."""
    text, count, inside = "".join(parts), 0, False
    for char in text:
        wide, letter = char in "中文字", char.isalnum()
        count += wide or (letter and not inside)
        inside = letter and not wide
    assert (fingerprint(text) is None) == (count < 20)
