"""The command line as a whole: all commands, and how errors and exit codes come out.

What can be typed after each is in `starting`, `asking`, `topics` and `lab`; the module that does the work is imported when
the command runs, so that `scenthound --help` answers at once.
Results go to stdout, progress and errors to stderr.
"""

import os
import re
import signal
import sys
import traceback
from collections.abc import Sequence
from typing import Annotated

import typer

from scenthound.cli.asking import authorities, classify, export, feedback, hubs, sites, sql, status, why
from scenthound.cli.lab import lab
from scenthound.cli.starting import crawl, demo, new, repair, serve
from scenthound.cli.topics import forms
from scenthound.errors import OpenFilesError, ScenthoundError, UntrustedError
from scenthound.harmless import say

app = typer.Typer(
    name="scenthound",
    help="A focused web crawler: give it examples of a topic, it brings back the pages about it.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)


def run() -> None:
    """Be the program `scenthound`."""
    sys.exit(main(sys.argv[1:]))


def main(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code: 0 done, 2 bad usage or settings, 1 failure, 130 interrupted."""
    try:
        # Typer's own no_args_is_help raises the help as an error, which would come out in one line.
        result = app(list(arguments) or ["--help"], prog_name="scenthound", standalone_mode=False)
        sys.stdout.flush()
    except UntrustedError as error:
        return _asked(error, arguments)
    except (ScenthoundError, typer.TyperException) as error:
        return _complain(error)
    except BrokenPipeError:
        return _reader_left()
    except SystemExit as leaving:  # typer's own answer to a broken pipe
        return _reader_left() if isinstance(leaving.__context__, BrokenPipeError) else int(leaving.code or 0)
    except (KeyboardInterrupt, typer.Abort):
        return 128 + signal.SIGINT
    except Exception as error:
        return _complain(error)
    return result if isinstance(result, int) else 0


@app.callback()
def _program(
    version: Annotated[
        bool,
        typer.Option("--version", is_eager=True, callback=lambda on: _version(on), help="Print the version and exit."),
    ] = False,
) -> None:
    pass


# In the order of the help: from the first crawl to what came of it.
for command in (
    new, crawl, status, why, classify, feedback, hubs, authorities, sites, sql, export, repair, demo, serve
):  # fmt: skip
    app.command()(command)
app.add_typer(forms, name="topics")
app.add_typer(lab, name="lab")


def _version(on: bool) -> None:
    if on:
        from scenthound import __version__

        typer.echo(f"scenthound {__version__}")
        raise typer.Exit


def _asked(error: UntrustedError, arguments: Sequence[str]) -> int:
    """Ask whether a directory is trusted and, if it is, run the command again: it has done nothing yet."""
    from scenthound.cli.trusting import is_now_trusted

    try:
        return main(arguments) if is_now_trusted(error) else _complain(error)
    except ScenthoundError as trouble:
        return _complain(trouble)
    except KeyboardInterrupt:
        return 128 + signal.SIGINT


def _complain(error: Exception) -> int:
    """Say in one line what went wrong; a traceback only for those who set SCENTHOUND_DEBUG=1."""
    if os.environ.get("SCENTHOUND_DEBUG") == "1":
        traceback.print_exception(error)
    if OpenFilesError.explains(error):
        error = OpenFilesError()
    message = _usage(error) if isinstance(error, typer.TyperException) else str(error)
    if not isinstance(error, (ScenthoundError, typer.TyperException)):
        message = f"{type(error).__name__}: {message} (SCENTHOUND_DEBUG=1 shows where)"
    one_line = " ".join(message.split())
    say(f"scenthound: {one_line}", file=sys.stderr)
    return int(getattr(error, "exit_code", 1))


def _usage(error: typer.TyperException) -> str:
    """Say what was typed wrongly in words for people, and which help has the right ones."""
    message = error.format_message().rstrip(".")
    for theirs, ours in _PLAINER.items():
        message = re.sub(theirs, ours, message)
    context = getattr(error, "ctx", None)
    return f"{message}; see: {context.command_path} -h" if context else message


# The checker's messages are about its inside: no user has a string to parse, or an input.
_PLAINER = {
    r", unable to parse string as .*": "",
    r": (Value error, )?Input should be": ": it must be",
    r": Value error, ": ": ",
}


def _reader_left() -> int:
    """End quietly when the program that reads our output has gone; Python would complain again at exit otherwise."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0
