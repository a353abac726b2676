"""The login form for the token, without any script."""

import html
from typing import Final
from urllib.parse import parse_qs

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from scenthound.ui.headers import PLAIN
from scenthound.ui.request_guard import ENTRANCE, Rules, session_cookie
from scenthound.ui.sessions import TooManyGuessesError

_PAGE: Final = """<!doctype html><html lang="en"><meta charset="utf-8"><title>scenthound</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; display: grid; place-items: center; min-height: 90vh; margin: 0; }
form { display: grid; gap: .75rem; width: min(22rem, 90vw); }
input, button { font: inherit; padding: .6rem .8rem; border-radius: .5rem; border: 1px solid #8888; }
button { background: #2f6f4f; color: #fff; border: 0; cursor: pointer; }
p { margin: 0; } .wrong { color: #c0392b; }
</style><body><form method="post" action="/enter">
<h1 style="margin:0">scenthound</h1><p>This window asks for the token that was printed when it was started.</p>
SAID
<label for="token">Token</label><input id="token" name="token" type="password" autocomplete="off" autofocus required>
<button>Log in</button></form></body></html>"""


def entrance(rules: Rules) -> APIRouter:
    """Return the routes of the form."""
    router = APIRouter()

    @router.get(ENTRANCE, include_in_schema=False)
    def ask() -> Response:
        return RedirectResponse("/", status_code=303) if rules.sessions is None else _form("")

    @router.post(ENTRANCE, include_in_schema=False)
    async def enter(request: Request) -> Response:
        if rules.sessions is None:
            return RedirectResponse("/", status_code=303)
        given = parse_qs((await request.body()).decode("utf-8", "replace")).get("token", [""])[0]
        try:
            session = rules.sessions.enter(given.strip())
        except TooManyGuessesError:
            return _form("Too many wrong tokens; wait a minute.", 429)
        if session is None:
            return _form("That is not the token.", 401)
        return RedirectResponse(
            "/", status_code=303, headers={"set-cookie": session_cookie(rules, session, request.headers)}
        )

    return router


def _form(said: str, status: int = 200) -> Response:
    line = f'<p class="wrong" role="alert">{html.escape(said)}</p>' if said else ""
    headers = {"content-security-policy": PLAIN, "cache-control": "no-store"}
    return HTMLResponse(_PAGE.replace("SAID", line), status_code=status, headers=headers)
