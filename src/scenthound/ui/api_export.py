"""An export as one file to download: a text, a database, or the zip archive of a folder."""

import shutil
import tempfile
import zipfile
from pathlib import Path

from scenthound.crawl.directory.crawl_directory import CrawlDirectory
from scenthound.services.corpus.corpus_export import Export
from scenthound.services.corpus.wish import ExportWish


def export_to(path: Path, directory: CrawlDirectory, wish: ExportWish) -> None:
    """Write an export over an empty file."""
    work = Export(directory, wish)
    if wish.form.is_stream:
        with path.open("w", encoding="utf-8", newline="") as out:
            work.to_stream(out)
        return
    with tempfile.TemporaryDirectory(prefix="scenthound-") as folder:
        made = Path(folder) / directory.path.name
        work.to_path(made)
        if made.is_dir():
            pack_folder(made, path)
        else:
            shutil.move(made, path)


def pack_folder(folder: Path, path: Path) -> None:
    """Write a folder into a zip archive."""
    packed = (".gz", ".parquet")  # deflating these again gains nothing
    with zipfile.ZipFile(path, "w") as out:
        for file in sorted(one for one in folder.rglob("*") if one.is_file() and not one.name.startswith(".")):
            how = zipfile.ZIP_STORED if file.name.endswith(packed) else zipfile.ZIP_DEFLATED
            out.write(file, Path(folder.name) / file.relative_to(folder), compress_type=how)
