"""The command that makes the canonical topic tree, on a corpus made up here."""

import gzip
import json
import random
from pathlib import Path

import pytest

import bench.canon
from bench.canon import FEWEST_PAGES, PAGES_A_LEAF, made, main, rows_of, tried, written
from scenthound.judge.canonical.canon import canon_of

pytestmark = pytest.mark.slow

LETTERS = "bcdfghklmn"


def words(stem: str) -> list[str]:
    return [f"{stem}{one}{other}" for one in LETTERS for other in LETTERS]


COMMON = words("common")
LEAVES = {"Nature/Birds": words("feather"), "Nature/Fish": words("scale"), "Pottery": words("kiln")}


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a corpus of three leaves, and a fourth that has too few pages."""
    rng = random.Random(1)
    rows = []
    for leaf, own in LEAVES.items():
        for number in range(FEWEST_PAGES + 10):
            text = " ".join(f"the {rng.choice(own)} and the {rng.choice(COMMON)}" for _ in range(30))
            rows.append({"title": f"{leaf} {number}", "topics": [leaf], "text": text})
    rows[0]["topics"] = ["Nature/Birds", "Nature/Fish"]
    rows.append({"title": "Lotus posture", "topics": ["Fitness"], "text": "the posture of the lotus " * 20})
    file = tmp_path_factory.mktemp("canon") / "background.jsonl.gz"
    with gzip.open(file, "wt", encoding="utf-8") as lines:
        lines.writelines(json.dumps(row) + "\n" for row in rows)
    return file


def test_leaves_with_too_few_pages_are_left_out(source: Path) -> None:
    tree = canon_of(made(rows_of(source), sharpness=20.0))
    assert tree.leaves == tuple(sorted(LEAVES))
    assert "lotus" not in tree.features.terms


def test_a_few_pages_of_each_leaf_are_kept_and_none_twice(source: Path) -> None:
    rows = {row.page.title: row for row in rows_of(source)}
    tree = canon_of(made(list(rows.values()), sharpness=20.0))
    assert len(tree.pages()) == PAGES_A_LEAF * len(LEAVES)
    assert len({page.title for page in tree.pages()}) == len(tree.pages())
    for page, leaf in zip(tree.pages(), tree.leaf_of(), strict=True):
        counted = rows[page.title].page.terms
        assert rows[page.title].leaves[0] == leaf
        assert (
            dict(zip(page.terms.terms, page.terms.main.tolist(), strict=True)).items()
            <= dict(zip(counted.terms, counted.main.tolist(), strict=True)).items()
        )


def test_pages_that_were_held_out_are_found_again(source: Path) -> None:
    found, sharpness = tried(rows_of(source))
    assert found.pages == 9
    assert found.first == found.among_three == found.top_level == 1.0
    assert sharpness > 5


def test_the_same_source_gives_the_same_file(source: Path, tmp_path: Path) -> None:
    files = [tmp_path / "one.npz", tmp_path / "two.npz"]
    for file in files:
        written(made(rows_of(source), sharpness=20.0), file)
    assert files[0].read_bytes() == files[1].read_bytes()


def test_nothing_is_written_unless_asked_for(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bench.canon, "FILE", tmp_path / "canon.npz")
    monkeypatch.setattr(bench.canon, "ROOT", tmp_path)
    main(["--source", str(source)])
    assert not (tmp_path / "canon.npz").exists()
    main(["--source", str(source), "--write"])
    assert (tmp_path / "canon.npz").exists()
    assert "3 leaves" in capsys.readouterr().out
