"""A digest of the code that made a cached result; it changes when the code does."""

from functools import cache
from hashlib import blake2b
from pathlib import Path

import scenthound


@cache
def code_digest(*packages: str) -> str:
    """Return a digest of the source of some of our packages; of all by default."""
    root = Path(scenthound.__file__).parent
    seen = blake2b(digest_size=8)
    for folder in [root / package for package in packages] or [root]:
        for file in sorted(folder.rglob("*.py")):
            seen.update(file.relative_to(root).as_posix().encode() + b"\n" + file.read_bytes())
    return seen.hexdigest()
