"""The experiments that come with scenthound, by name: each is a TOML file beside this one.

Their worlds are in $SCENTHOUND_WEBS, or in ../shared/webs beside the repository; the demo web needs no file.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from scenthound.errors import LabError
from scenthound.lab.experiment.experiment import Experiment
from scenthound.lab.experiment.experiment_file import load_experiment

_HERE = Path(__file__).parent
_REPOSITORY = _HERE.parents[3]


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """An experiment that comes with the program."""

    name: str
    file: Path

    def load(self, overrides: Sequence[str] = ()) -> Experiment:
        """Read the experiment, with paths relative to the folder of webs; overrides may replace single keys."""
        return load_experiment(self.file, base=webs_folder(), overrides=overrides)

    def missing(self) -> tuple[str, ...]:
        """Return the missing files."""
        experiment = self.load()
        paths = [path for world in experiment.worlds for path in (*world.warc, world.labels, world.crawl) if path]
        return tuple(path for path in paths if not experiment.place(path).exists())

    def check(self) -> None:
        """Raise an error if files are missing."""
        for path in self.missing():
            raise LabError(
                f"{self.name} needs {path}, which is not in {webs_folder()}; put it there, or name its folder in "
                "SCENTHOUND_WEBS"
            )


def named() -> dict[str, Named]:
    """Return all experiments that come with the program, by name."""
    return {file.stem: Named(name=file.stem, file=file) for file in sorted(_HERE.glob("*.toml"))}


def webs_folder() -> Path:
    """Return the folder of archived webs."""
    return Path(os.environ.get("SCENTHOUND_WEBS") or _REPOSITORY.parent / "shared" / "webs")
