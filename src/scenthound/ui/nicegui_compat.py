"""Whether NiceGUI's components are those that our own script can draw, so that no page needs Vue's compiler, and with
it eval.

Vue compiles a template to a function by evaluating text, for which a content security policy must allow 'unsafe-eval'.
`static/window.js` draws the components that we use by functions written ahead, for the templates whose digests stand
here. With another NiceGUI whose templates differ, the window works as before: the compiler draws, and the policy allows
it.
"""

import re
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Final

_TEMPLATE: Final = re.compile(r"""template:\s*(?:`([^`]*)`|"([^"]*)")""")
KNOWN: Final[Mapping[str, str]] = {
    "codemirror/codemirror.js": "93636fa047400919",
    "dialog.js": "2590ea273bd580e0",
    "echart/echart.js": "93636fa047400919",
    "expansion.js": "c101a71fba9c124d",
    "input.js": "78c6698862b18c08",
    "link.js": "4db2714db01e3183",
    "select.js": "8e814da7fceaf3f0",
    "table.js": "6f0c163a0e017840",
    "upload.js": "f69f142956b3de57",
}


def template_digest(source: str) -> str:
    """Return a digest of a component's template, ignoring white space.

    >>> template_digest("template: `<a>  </a>`,") == template_digest('template: "<a> </a>"')
    True
    """
    found = _TEMPLATE.search(source)
    text = " ".join((found[1] or found[2] or "").split()) if found else ""
    return sha256(text.encode()).hexdigest()[:16]


@cache
def draws() -> bool:
    """Return whether all components that our script draws have the templates that it expects."""
    found = find_spec("nicegui")  # found and not imported, which takes a second
    if found is None or not found.submodule_search_locations:
        return False
    folder = Path(found.submodule_search_locations[0]) / "elements"
    try:
        return all(template_digest((folder / path).read_text(encoding="utf-8")) == one for path, one in KNOWN.items())
    except OSError:
        return False
