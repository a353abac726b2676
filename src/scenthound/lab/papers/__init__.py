"""The experiments that come with scenthound, by name: each is a TOML file beside this one.

Their worlds are looked for in $SCENTHOUND_WEBS, or in ../shared/webs beside the repository; the demo web needs no file.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from scenthound.errors import LabError
from scenthound.lab.experiment import Experiment
from scenthound.lab.experiment_file import load_experiment

_HERE = Path(__file__).parent
_REPOSITORY = _HERE.parents[3]


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """An experiment that comes with the program."""

    name: str
    file: Path

    def load(self, overrides: Sequence[str] = ()) -> Experiment:
        """Read it, with its paths starting from the folder of webs; single keys may be replaced."""
        return load_experiment(self.file, base=webs_folder(), overrides=overrides)

    def missing(self) -> tuple[str, ...]:
        """Return the files that it needs and that are not there."""
        experiment = self.load()
        paths = [path for world in experiment.worlds for path in (*world.warc, world.labels, world.crawl) if path]
        return tuple(path for path in paths if not experiment.place(path).exists())

    def check(self) -> None:
        """Refuse to begin without the files that it needs."""
        for path in self.missing():
            raise LabError(
                f"{self.name} needs {path}, which is not in {webs_folder()}; put it there, or name its folder in SCENTHOUND_WEBS"
            )


def named() -> dict[str, Named]:
    """Return all experiments that come with the program, by name."""
    return {file.stem: Named(name=file.stem, file=file) for file in sorted(_HERE.glob("*.toml"))}


def webs_folder() -> Path:
    """Return where archived webs are looked for."""
    return Path(os.environ.get("SCENTHOUND_WEBS") or _REPOSITORY.parent / "shared" / "webs")
