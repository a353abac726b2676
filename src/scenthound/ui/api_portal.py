"""The portal of a crawl over HTTP: made in the crawl directory, and downloaded as a zip archive."""

import tempfile
from pathlib import Path
from typing import Any

from fastapi import APIRouter
from fastapi.responses import FileResponse, Response
from starlette.background import BackgroundTask

from scenthound.errors import DirectoryError
from scenthound.services.portal.portal_process import is_published, publish_apart, site_of
from scenthound.ui.api_export import pack_folder


def add_portal_routes(router: APIRouter, Directory: Any) -> None:
    """Add the endpoints of one crawl."""

    @router.post("/portal", tags=["asking"])
    def publish(directory: Directory) -> dict[str, Any]:
        """Make the portal in the folder `portal` of the crawl, as `scenthound portal --json` does."""
        made = publish_apart(directory, lambda step, done, pages: None)
        return {"out": str(site_of(directory)), **made.as_table()}

    @router.get("/portal", tags=["asking"], response_class=FileResponse)
    def download(directory: Directory) -> Response:
        """Download the portal as a zip archive."""
        if not is_published(directory):
            raise DirectoryError("there is no portal yet; make it first")
        with tempfile.NamedTemporaryFile(prefix="scenthound-", delete=False) as file:
            path = Path(file.name)
        try:
            pack_folder(site_of(directory), path)
        except BaseException:
            path.unlink()
            raise
        name = f"{directory.path.name}-portal.zip"
        return FileResponse(path, filename=name, media_type="application/zip", background=BackgroundTask(path.unlink))
