"""Running the command line: every way in which it can end, in one place.

Exit codes: 0 done, 1 check failed, 2 bad usage or input, 3 limit reached,
70 internal error, 130 interrupted, 141 nobody reads the output any more.
"""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from shlex import quote
from typing import Any

from warpmill.analyzer.base.compiling import before_compiling, not_kept
from warpmill.analyzer.base.diagnostics import (
    Diagnostic,
    LimitError,
    Severity,
    UsageError,
    WarpmillError,
)
from warpmill.cli.output import (
    TYPED,
    flush_output,
    forget_output,
    open_streams,
    print_diagnostics,
    tell,
    write,
)
from warpmill.report.manifest import is_command, root_help, version_text

INTERNAL_ERROR = 70
INTERRUPTED = 130
NO_READER = 141

TRACEBACK_VARIABLE = "WARPMILL_TRACEBACK"
"""Set to 1, an internal error shows where it happened."""

QUIET_VARIABLE = "WARPMILL_QUIET"
"""Set to 1, nothing is said of compiling."""

COMPILING = "compiling engines for this machine, which takes up to 20 s once"

_UNWRITABLE = {errno.ENOSPC: "the disk is full", errno.EBADF: "standard output is closed"}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run ``warpmill`` with these arguments (those of the process by default); give the exit code.

    Nothing gets past it: what warpmill raises on purpose becomes its diagnostics on stderr, and
    anything else one line about an internal error.
    """
    given = None if arguments is None else list(arguments)
    typed = sys.argv[1:] if given is None else given
    TYPED.set(typed)
    open_streams()
    _announce_compiling()
    try:
        code = _finished(lambda: _run(typed))
        return _interrupted(typed) if code == INTERRUPTED else code  # typer gives it so
    except WarpmillError as error:
        print_diagnostics(error.diagnostics)
        mended = mended_command(typed, error.diagnostics)
        if mended is not None:
            tell(f"  = try: {mended}")
        return error.exit_code
    except KeyboardInterrupt:
        return _interrupted(typed)
    except BrokenPipeError:
        forget_output()
        return NO_READER
    except MemoryError as error:
        print_diagnostics([_no_memory(error)])
        return LimitError.exit_code
    except SystemExit as end:
        return _ended(end)
    except Exception as error:
        if isinstance(error, OSError) and error.errno in _UNWRITABLE:
            forget_output()
            what = error.filename or "the output"
            if error.errno == errno.ENOSPC and not error.filename:
                what = "the output, or a temporary file,"
            words = f"{what} cannot be written: {_UNWRITABLE[error.errno]}"
            print_diagnostics([Diagnostic(Severity.ERROR, words)])
            return UsageError.exit_code
        if type(error).__name__ == "Abort":
            return _interrupted(typed)
        if isinstance(error, ModuleNotFoundError) and error.name is not None:
            from warpmill.analyzer.base.extras import extras_of, lacking  # noqa: PLC0415 - for errors

            if any(extras_of(error.name)):
                print_diagnostics(lacking(error.name, f"warpmill {typed[0]}").diagnostics)
                return UsageError.exit_code
        return _unexpected(error, typed)


def _interrupted(given: Sequence[str]) -> int:
    """Exit code of an interrupted command; what is kept of it is reported."""
    kept = kept_words(given)
    if kept is not None:
        for line in kept.splitlines():
            tell(line)
    return INTERRUPTED


def _run(typed: Sequence[str]) -> object:
    """Run what was typed. Shells and the first help are served before typer is loaded."""
    if os.environ.get("_WARPMILL_COMPLETE", "").startswith("complete_"):
        from warpmill.cli.completion import answer  # noqa: PLC0415 - only where a shell asks

        told, code = answer(os.environ)
        sys.stdout.write(f"{told}\n" if told else "")
        return code
    if list(typed) in (["--help"], ["-h"]):
        write(root_help(), None)
        return 0
    if list(typed) == ["--version"]:
        write(version_text(), None)
        return 0
    meant = _with_samples(typed)
    if meant and _is_a_file(meant[0]):
        meant = ["start", *meant]
    return _command()(meant, prog_name="warpmill", standalone_mode=False)


def _with_samples(typed: Sequence[str]) -> list[str]:
    """What was typed, with the whole paths of samples that are named as in the repository."""
    if not any(word.startswith("samples/") for word in typed):
        return list(typed)
    from warpmill.session.jobs import sample_path  # noqa: PLC0415 - only for samples

    return [sample_path(word) for word in typed]


def _is_a_file(word: str) -> bool:
    """Whether the first word is no command but what commands are about: a file, a workload."""
    if word.startswith("-") or is_command(word):
        return False
    if "/" in word or Path(word).exists() or Path(word).suffix:
        return True
    from warpmill.session.workloads import parse_workload  # noqa: PLC0415 - seldom asked for

    return ":" in word and parse_workload(word) is not None


@cache
def _command() -> Any:
    """Make the commands, which takes long beside short ones, once in a process."""
    from typer.main import get_command  # noqa: PLC0415 - slow to load

    from warpmill.cli.app import app  # noqa: PLC0415

    return get_command(app)


def _finished(run: Callable[[], object]) -> int:
    """Run a command and flush what it wrote, so that a closed pipe shows here and not at exit."""
    code = run()
    flush_output()
    _say_what_was_not_kept()
    return code if isinstance(code, int) else 0


def _announce_compiling() -> None:
    """Have the user told when the first function is compiled; its workers keep quiet."""
    own = os.getpid()
    quiet = os.environ.get(QUIET_VARIABLE, "") not in ("", "0")
    before_compiling(lambda: None if quiet or os.getpid() != own else tell(COMPILING))


def _say_what_was_not_kept() -> None:
    """Warn where compiled code could not be kept: the next run takes as long again."""
    for folder, why in [*not_kept.items()][:1]:
        words = f"compiled code cannot be kept in {folder}: {why}; each run compiles it again"
        hint = "make room there, or set NUMBA_CACHE_DIR to another folder"
        print_diagnostics([Diagnostic(Severity.WARNING, words, hint=hint)])
    not_kept.clear()


def _no_memory(error: MemoryError) -> Diagnostic:
    """Message that memory was not enough, with how much was asked for where that is known."""
    asked = f": {error}" if str(error) else ""
    words = f"the memory that this process may take is not enough{asked}"
    hint = "make the launch smaller, or stop sooner with --max-memory where the command has it"
    return Diagnostic(Severity.ERROR, words, hint=hint)


def _ended(end: SystemExit) -> int:
    """Exit code of a SystemExit; typer ends with 1 on a closed pipe, which has its own code."""
    if isinstance(end.__context__, BrokenPipeError):
        forget_output()
        return NO_READER
    if end.code is None:
        return 0
    return end.code if isinstance(end.code, int) else INTERNAL_ERROR


FORMER = {
    "--check-shared": "warpmill check --tool initcheck",
    "--check-size": "--compare-size",
    "--max-check-instructions": "--max-compare-instructions",
    "--no-check": "--no-compare",
    "--check": "--compare, and --exit-code of calibrate",
    "--least-instructions": "--min-instructions",
    "--rounds": "--waves",
    "--warm-l2": "--l2 warm",
}
"""Options that have another name now."""


def _usage_help(message: str, typed: Sequence[str]) -> str | None:
    """Common meaning of words that no option takes; None: nothing is known."""
    if "unexpected extra argument" in message:
        return "several values of an option have commas between them: -m a100,h100_sxm"
    former = next((w for w in FORMER if f"No such option: {w}" in message), None)
    if former is not None:
        return f"{former} is now {FORMER[former]}"
    one_dash = next((w for w in typed if re.fullmatch(r"-[a-z]{3,}", w)), None)
    if "No such option: -" in message and one_dash is not None:
        return f"names of options have two dashes: -{one_dash}"
    return None


def _unexpected(error: BaseException, typed: Sequence[str]) -> int:
    """End with what typer says of wrong usage, or with an internal error."""
    show, code = getattr(error, "show", None), getattr(error, "exit_code", None)
    if callable(show) and isinstance(code, int):
        show()
        words = _usage_help(str(getattr(error, "message", "")), typed)
        if words is not None:
            tell(f"  = help: {words}")
        return code
    if os.environ.get(TRACEBACK_VARIABLE) == "1":
        import traceback  # noqa: PLC0415 - for those who look into it

        traceback.print_exception(error)
    first = (str(error).splitlines() or [""])[0][:200]
    sys.stderr.write(
        f"internal error: {type(error).__name__}: {first}\n"
        f"  = help: this is a bug in warpmill; report it with the command, the input and what "
        f"{TRACEBACK_VARIABLE}=1 shows\n"
    )
    return INTERNAL_ERROR


# What an interruption leaves, in words: most commands keep nothing, simulations may be cut.

_TELLING = frozenset(("sweep", "tune", "explore"))
"""Commands that keep what they have measured, and say themselves where."""

_NOTHING = "interrupted: nothing is kept of it, and no file was written"


def kept_words(given: Sequence[str]) -> str | None:
    """Leavings of an interrupted command, and how to go on; None: it reports them itself."""
    command = next((word for word in given if not word.startswith("-")), None)
    if command in _TELLING:
        return None
    if command == "simulate":
        return f"{_NOTHING}\n  = help: {_in_parts(given)}"
    if command in {"run", "profile", "record", "replay"}:
        limit = "--max-seconds N ends a run by itself"
        return (
            f"{_NOTHING}\n  = help: {limit}, --size NAME=VALUE makes that of a launch file smaller"
        )
    return _NOTHING


def _in_parts(given: Sequence[str]) -> str:
    """How a simulation is cut into parts that are kept."""
    values = dict(pairwise(given))
    if "--resume" in values:
        return f"{values['--resume']} is as it was: the same command starts from it again"
    if "," in values.get("-m", values.get("--machine", "")):
        return "on one machine, --until CYCLE --checkpoint FILE keeps a part; --resume FILE goes on"
    words = [*without(given, ("--until", "--checkpoint"))]
    cut = " ".join(["warpmill", *map(quote, words), "--until 1000000 --checkpoint part.ckpt"])
    return f"to keep a part: {cut}, then the same with --resume part.ckpt"


# The command that would do in place of one that was wrong, to copy.

_SHORT = {"--kernel": "-k", "--machine": "-m"}


def mended_command(given: Sequence[str], diagnostics: Sequence[Diagnostic]) -> str | None:
    """The command with all that is wrong mended; None where something has no mend.

    Of an option whose values are known the given ones are left out, and the new ones added.
    """
    errors = [d for d in diagnostics if d.severity is Severity.ERROR]
    fixes = dict(d.fix for d in errors if d.fix is not None)
    if not errors or any(d.fix is None for d in errors):
        return None
    words = [*without(given, fixes)]
    for option, values in fixes.items():
        for value in values:
            words += [option, value]
    return " ".join(["warpmill", *map(quote, words)])


def without(given: Sequence[str], options: Collection[str]) -> Iterator[str]:
    """Words of a command without some options and their values."""
    short = tuple(_SHORT[option] for option in options if option in _SHORT)
    words = iter(given)
    for word in words:
        name = word.partition("=")[0]
        if word in options or word in short:
            next(words, None)
        elif name not in options and not (word.startswith(short) and not word.startswith("--")):
            yield word
