"""Logistic regression in the space of the examples: the same as in that of the terms, and shared along the tree."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from scenthound.judge.models.multinomial import fit, kinship, span


def made_up(seed: int, *, pages: int = 60, size: int = 8, classes: int = 3) -> tuple[np.ndarray, np.ndarray]:
    """Rows around a centre for each class."""
    chance = np.random.default_rng(seed)
    labels = np.arange(pages) % classes
    return chance.normal(0, 1, (classes, size))[labels] + chance.normal(0, 1, (pages, size)), labels


def test_it_is_the_same_as_logistic_regression_on_the_rows_themselves() -> None:
    rows, labels = made_up(1)
    found = span(rows @ rows.T, np.arange(len(rows)))
    ours = fit(found.coordinates, labels, np.eye(3), strength=np.full(len(labels), 0.5))
    reference = LogisticRegression(C=0.5, tol=1e-8, max_iter=1000).fit(rows, labels)
    weights = rows.T @ (found.back @ ours.weights)
    assert weights == pytest.approx(reference.coef_.T, abs=0.01)


def test_a_third_of_the_pages_as_landmarks_come_close() -> None:
    rows, _ = made_up(2, pages=90)
    landmarks = np.arange(0, 90, 3)
    found = span(rows @ rows[landmarks].T, landmarks)
    assert found.coordinates @ found.coordinates.T == pytest.approx(rows @ rows.T, abs=0.01)
    assert found.coordinates.shape[1] == rows.shape[1]


def test_a_class_without_a_clear_word_leans_on_its_kin() -> None:
    """Two classes share a word that the third lacks; a page with nothing but that word is one of theirs, not the
    third's.
    """
    rows = np.array([[1.0, 1, 0, 0], [1, 0, 1, 0], [0, 0, 0, 1.0]])
    found = span(rows @ rows.T, np.arange(3))
    page = ((np.array([[1.0, 0, 0, 0]]) @ rows.T) @ found.back).astype(np.float32)
    lead = {}
    for name, groups in (("kin", kinship(["a/x", "a/y", "b"])), ("alone", np.eye(3))):
        scores = fit(found.coordinates, np.arange(3), groups, strength=np.ones(3)).scores(page)[0]
        lead[name] = scores[:2].mean() - scores[2]
    assert lead["kin"] > 1.2 * lead["alone"] > 0


def test_a_single_class_and_a_single_page_can_be_fitted() -> None:
    fitted = fit(np.ones((1, 1), dtype=np.float32), np.zeros(1, dtype=np.int64), np.eye(1), strength=np.ones(1))
    assert fitted.scores(np.ones((1, 1), dtype=np.float32)).shape == (1, 1)
