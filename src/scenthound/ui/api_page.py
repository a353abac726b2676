"""The description of the API in words, made from its OpenAPI document: docs/reference/api.md, and /api/docs in the
browser.

FastAPI's own pages load their scripts from elsewhere; this one is plain HTML.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from fastapi import FastAPI
from markdown_it import MarkdownIt

from scenthound.services.crawls.crawl_list import Crawls
from scenthound.ui.api import routes
from scenthound.ui.window import Window

_STYLE: Final = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
code { font-family: ui-monospace, monospace; font-size: .9em; }
table { border-collapse: collapse; width: 100%; margin: .5rem 0 1.5rem; }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem; border-bottom: 1px solid #8884; }
h2 { margin-top: 2.5rem; }
"""
_ORDER: Final = ("crawls", "looking", "steering", "topics", "settings", "asking", "news")
_HEADINGS: Final = {
    "crawls": "Crawls",
    "looking": "Looking",
    "steering": "Steering",
    "topics": "Topics and feedback",
    "settings": "Settings",
    "asking": "Asking and taking away",
    "news": "Saved questions",
}


def described(window: Window) -> dict[str, Any]:
    """Return the OpenAPI document."""
    app = FastAPI(title="scenthound", version="1", openapi_url=None)
    app.include_router(routes(window))
    document: dict[str, Any] = app.openapi()
    return document


def api_page() -> Iterator[str]:
    """Yield the reference page in Markdown, after its head."""
    yield from api_lines(described(Window(crawls=Crawls(path=Path(), single=False))))


def api_lines(document: Mapping[str, Any]) -> Iterator[str]:
    """Yield an OpenAPI document as Markdown."""
    yield (
        "`scenthound serve` answers other programs under `/api`, in JSON. What was wrong with a request comes back as "
        '`{"error": "…"}`, in one sentence. Where a token is needed, send it as `Authorization: Bearer TOKEN`. '
        "The same in the form of OpenAPI is at `/api/openapi.json`, and numbers for Prometheus are at `/metrics`."
    )
    schemas = document["components"]["schemas"]
    for tag in _ORDER:
        yield from ("", f"## {_HEADINGS[tag]}")
        for path, methods in document["paths"].items():
            for method, operation in methods.items():
                if operation["tags"] == [tag]:
                    yield from _operation(path, method, operation, schemas)


def _operation(path: str, method: str, operation: Mapping[str, Any], schemas: Mapping[str, Any]) -> Iterator[str]:
    yield from ("", f"### {method.upper()} {path}", "", str(operation["description"]))
    rows = [*_parameters(operation, schemas), *_body(operation, schemas)]
    if rows:
        yield from ("", "| name | takes | what it is |", "|---|---|---|", *rows)
    if answer := _answer(operation, schemas):
        yield from ("", f"It answers with {answer}.")


def _parameters(operation: Mapping[str, Any], schemas: Mapping[str, Any]) -> Iterator[str]:
    for one in operation.get("parameters", ()):
        if one["in"] == "query":
            text = one.get("description", "") + _default(one["schema"])
            yield f"| `{one['name']}` | {_takes(one['schema'], schemas)} | {_cell(text)} |"


def _body(operation: Mapping[str, Any], schemas: Mapping[str, Any]) -> Iterator[str]:
    content = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    for name, schema in _resolved(content, schemas).get("properties", {}).items():
        text = schema.get("description", "") + _default(schema)
        yield f"| `{name}` (body) | {_takes(schema, schemas)} | {_cell(text)} |"


def _answer(operation: Mapping[str, Any], schemas: Mapping[str, Any]) -> str:
    good: Mapping[str, Any] = next(
        (answer for code, answer in operation["responses"].items() if code.startswith("2")), {}
    )
    schema = good.get("content", {}).get("application/json", {}).get("schema", {})
    many = schema.get("type") == "array"
    fields = _resolved(schema["items"] if many else schema, schemas).get("properties", {})
    if not fields:
        return ""
    return ("a list of " if many else "") + ", ".join(f"`{name}`" for name in fields)


def _resolved(schema: Mapping[str, Any], schemas: Mapping[str, Any]) -> Mapping[str, Any]:
    """Follow a reference; of several alternatives take the first that is not null."""
    for option in schema.get("anyOf", ()):
        if option.get("type") != "null":
            return _resolved(option, schemas)
    if "$ref" in schema:
        found: Mapping[str, Any] = schemas[schema["$ref"].rpartition("/")[2]]
        return found
    return schema


def _takes(schema: Mapping[str, Any], schemas: Mapping[str, Any]) -> str:
    found = _resolved(schema, schemas)
    if "enum" in found:
        return ", ".join(f"`{value}`" for value in found["enum"])
    if found.get("type") == "array":
        return f"a list of {_takes(found['items'], schemas)}s"
    return {
        "string": "text",
        "integer": "a whole number",
        "number": "a number",
        "boolean": "true or false",
        "object": "a table of texts",
    }[found["type"]]


def _default(schema: Mapping[str, Any]) -> str:
    value = schema.get("default")
    return f" Default {value}." if value not in (None, "", [], {}, False) else ""


def _cell(text: str) -> str:
    return text.strip().replace("|", "\\|")


def api_html(document: Mapping[str, Any]) -> str:
    """Return the same as a page for the browser."""
    body = MarkdownIt("commonmark").enable("table").render("\n".join(["# The API", "", *api_lines(document)]))
    head = (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>scenthound: the API</title>'
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style>'
    )
    return f"{head}<body>{body}</body></html>"
