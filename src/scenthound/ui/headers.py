"""The headers of every response, and how browsers recognise the scripts of our own pages.

Inline scripts are let through by a number used once, which is put into the tags of the page as it leaves; so a script
that got into the page by way of a crawled text would not run, nor any handler in an attribute. Nor is any text
evaluated: `rendering` tells why NiceGUI would need that, and how it is done without. Inline styles stay allowed, for
Vue, Quasar and ECharts set them.
"""

import secrets
from collections.abc import Mapping
from typing import Final

from scenthound.ui.nicegui_compat import draws

ALWAYS: Final[Mapping[str, str]] = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "SAMEORIGIN",
    "referrer-policy": "same-origin",  # with "no-referrer" browsers say of our own forms that they come from nowhere
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
# For everything that is no page of ours: data, pictures, scripts. Nothing may be loaded or framed by it.
NOTHING: Final = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
# A copy from the archive: no script, no form, no plug-in, nothing from outside; an origin of its own, so that it
# sees nothing of ours. It may be framed by our pages only.
SANDBOX: Final = (
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; "
    "frame-ancestors 'self'; base-uri 'none'; form-action 'none'"
)
# A page without any script, such as the form for the token.
PLAIN: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)


def page_policy(nonce: str, *, evaluates: bool) -> str:
    """Return the content security policy of a page; `evaluates` if Vue has to compile templates in the browser."""
    more = " 'unsafe-eval'" if evaluates else ""
    return (
        f"default-src 'none'; script-src 'self' 'nonce-{nonce}'{more}; style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; frame-src 'self'; worker-src 'self' "
        "blob:; "
        "manifest-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; object-src 'none'"
    )


def with_nonce(page: bytes) -> tuple[bytes, str]:
    """Return a page whose script tags have a nonce, and its policy.

    What the page holds of crawled texts stands in it escaped, as data of a script; none of its `<` is a tag.

    >>> page, policy = with_nonce(b"<script>1</script>")
    >>> page.startswith(b'<script nonce="'), "'unsafe-inline'" in policy.partition("style-src")[0]
    (True, False)
    """
    nonce = secrets.token_urlsafe(16)
    return page.replace(b"<script", f'<script nonce="{nonce}"'.encode()), page_policy(nonce, evaluates=not draws())
