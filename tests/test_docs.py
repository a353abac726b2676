"""The docs say what the code says: references are made from it, and nothing public is left out."""

import subprocess
import sys
from pathlib import Path

import pytest

import scenthound
from scenthound.cli.reference import reference
from scenthound.services.sql.schema_help import tables_of
from scenthound.services.why.reason_words import KINDS, REASONS
from scenthound.settings.help import all_settings
from scenthound.types import LinkKind, Reason
from tests.patience import PATIENCE

REFERENCE = Path(__file__).parent.parent / "docs" / "reference"


@pytest.fixture(scope="module")
def made() -> dict[str, str]:
    """The pages as the code makes them, which takes half a second."""
    return reference()


@pytest.mark.parametrize("name", sorted(page.name for page in REFERENCE.iterdir()))
def test_the_reference_is_what_the_code_makes(name: str, made: dict[str, str]) -> None:
    assert (REFERENCE / name).read_text(encoding="utf-8") == made.get(name), "run `make docs`"


def test_no_page_of_the_reference_is_missing(made: dict[str, str]) -> None:
    assert {page.name for page in REFERENCE.iterdir()} == set(made)


def test_every_setting_is_documented(made: dict[str, str]) -> None:
    page = made["settings.md"]
    for setting in all_settings():
        assert f"| `{setting.name}` | " in page


def test_every_command_and_option_is_documented_with_words(made: dict[str, str]) -> None:
    page = made["commands.md"]
    for command in ("new", "crawl", "status", "why", "export", "demo", "lab run", "lab list", "lab show", "lab world"):
        assert f"## scenthound {command}" in page
    assert "|  |" not in page


def test_every_reason_and_every_kind_of_link_has_words() -> None:
    assert set(REASONS) == set(Reason)
    assert set(KINDS) == set(LinkKind)
    assert len(set(REASONS.values())) == len(REASONS)


def test_every_table_is_documented(made: dict[str, str]) -> None:
    schema = (Path(scenthound.__path__[0]) / "store" / "sqlite" / "schema.sql").read_text(encoding="utf-8")
    page = made["schema.md"]
    for table in tables_of(schema):
        assert table.help.endswith("."), table.name
        assert f"## {table.name}" in page


def test_the_public_names_are_there() -> None:
    for name in scenthound.__all__:
        assert getattr(scenthound, name) is not None
    assert set(scenthound.__all__) <= set(dir(scenthound))
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = scenthound.nonsense


def test_the_public_names_are_documented() -> None:
    page = (REFERENCE.parent / "how-to" / "use-as-a-library.md").read_text(encoding="utf-8")
    for name in [*scenthound.__all__, *scenthound.StopCause.__members__]:
        assert name == "__version__" or f"`{name}" in page, name


def test_the_reference_reads_well(made: dict[str, str]) -> None:
    for text in made.values():
        assert not any(line != line.rstrip() for line in text.splitlines())
    assert "| `--format jsonl\\|csv\\|parquet\\|" in made["commands.md"]
    assert "a whole number, 1,000,000 or more" in made["settings.md"]


def test_importing_the_package_imports_nothing_else_of_ours() -> None:
    program = "import sys, scenthound; print([name for name in sys.modules if name.startswith('scenthound.')])"
    shown = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=PATIENCE
    )
    assert shown.stdout == "[]\n"
