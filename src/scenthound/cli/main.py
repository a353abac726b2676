"""The command line as a whole: runs one command and turns errors into messages and exit codes.

Results go to stdout, progress and errors to stderr.
"""

import errno
import os
import re
import signal
import sys
import traceback
from collections.abc import Callable, Sequence
from functools import cache
from typing import Annotated, Any

import typer

from scenthound.cli.commands import COMMANDS, GROUPS
from scenthound.errors import OpenFilesError, ScenthoundError, UntrustedError, UsageError
from scenthound.terminal import say

app = typer.Typer(
    name="scenthound",
    help="A focused web crawler. Give it examples of a topic, and it brings back the pages about it.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)


def run() -> None:
    """Entry point."""
    sys.exit(main(sys.argv[1:]))


def main(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code: 0 done, 2 bad usage or settings, 1 failure, 130 interrupted."""
    try:
        # Typer's own no_args_is_help raises the help as an error, and we print errors on one line.
        result = built()(list(arguments) or ["--help"], prog_name="scenthound", standalone_mode=False)
        sys.stdout.flush()
    except UntrustedError as error:
        return _ask_for_trust(error, arguments)
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


@cache
def built() -> Callable[..., Any]:
    """Build the parser of the command line: 20 of the 34 ms of a short command, and needed once in a process."""
    return typer.main.get_command(app)


@app.callback()
def _program(
    version: Annotated[
        bool,
        typer.Option("--version", is_eager=True, callback=lambda on: _version(on), help="Print the version and exit."),
    ] = False,
) -> None:
    pass


for command in COMMANDS:
    app.command()(command)
for name, group in GROUPS.items():
    app.add_typer(group, name=name)


def _version(on: bool) -> None:
    if on:
        from scenthound import __version__

        typer.echo(f"scenthound {__version__}")
        raise typer.Exit


def _ask_for_trust(error: UntrustedError, arguments: Sequence[str]) -> int:
    """Ask whether the user trusts a directory. If so, run the command again: it has done nothing yet."""
    from scenthound.cli.shared.trust_prompt import is_now_trusted

    try:
        return main(arguments) if is_now_trusted(error) else _complain(error)
    except ScenthoundError as trouble:
        return _complain(trouble)
    except KeyboardInterrupt:
        return 128 + signal.SIGINT


def _complain(error: Exception) -> int:
    """Print an error on one line. SCENTHOUND_DEBUG=1 also prints a traceback."""
    if os.environ.get("SCENTHOUND_DEBUG") == "1":
        traceback.print_exception(error)
    if OpenFilesError.explains(error):
        error = OpenFilesError()
    if isinstance(error, OSError) and error.errno == errno.ENAMETOOLONG:
        error = UsageError("the name of a file or folder is too long; choose a shorter one")
    message = _usage(error) if isinstance(error, typer.TyperException) else str(error)
    if not isinstance(error, (ScenthoundError, typer.TyperException)):
        message = f"{type(error).__name__}: {message} (SCENTHOUND_DEBUG=1 shows where)"
    one_line = " ".join(message.split())
    say(f"scenthound: {one_line}", file=sys.stderr)
    return int(getattr(error, "exit_code", 1))


def _usage(error: typer.TyperException) -> str:
    """Say in plain words what is wrong with the command line, and which help to read."""
    message = error.format_message().rstrip(".")
    for theirs, ours in _PLAINER.items():
        message = re.sub(theirs, ours, message)
    context = getattr(error, "ctx", None)
    path = context.command_path.translate(_NO_BRACES) if context else ""
    return f"{message}; see: {path} -h" if path else message


_NO_BRACES = str.maketrans("", "", "{}")  # which stand around an argument before the name of a command
# Typer's own messages speak of ranges and of x, which mean nothing to a user.
_PLAINER = {
    r": '.*' is not a valid int(eger)?( range)?$": ": it must be a valid integer",
    r": '.*' is not a valid float( range)?$": ": it must be a valid number",
    r": \S+ is not in the range x>=(\S+)$": r": it must be greater than or equal to \1",
    r": \S+ is not in the range x<=(\S+)$": r": it must be less than or equal to \1",
    r": \S+ is not in the range (\S+)<=x<=(\S+)$": r": it must be between \1 and \2",
}


def _reader_left() -> int:
    """End quietly when the reader of our output has gone. Otherwise Python complains again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0
