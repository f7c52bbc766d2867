"""Host programs: Python files with a ``main(device)`` that decides what is launched."""

from __future__ import annotations

import contextlib
import inspect
import sys
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from analyzer.diagnostics import (
    Diagnostic,
    InputError,
    Severity,
    UsageError,
    WarpmillError,
    at,
)
from analyzer.source import Source, Span

if TYPE_CHECKING:
    from analyzer.execution.host.device import Device

_FUNCTION = "main"


def run_program(path: Path, device: Device, sizes: Mapping[str, int | str]) -> object:
    """Run ``main(device)`` of a program and give what it returns.

    ``sizes`` are passed by name: ``main(device, n=4096)``. What the program prints goes to stderr,
    so that a report is all there is on stdout. InputError, at the program's line, for what it
    raises; what warpmill raises passes, with a note on the line that led to it.
    """
    source = _source(path)
    with _beside(path), contextlib.redirect_stdout(sys.stderr):
        module = _guarded(source, lambda: _executed(source, path))
        function = getattr(module, _FUNCTION, None)
        if not callable(function):
            words = f"the program has no function `{_FUNCTION}(device)`"
            raise InputError(Diagnostic(Severity.ERROR, words, source.name))
        named = {name: _number(value) for name, value in sizes.items()}
        _check_sizes(function, named, source)
        return _guarded(source, lambda: function(device, **named))


def _source(path: Path) -> Source:
    try:
        return Source(str(path), path.read_text("utf-8"))
    except OSError as error:
        words = f"cannot be read: {error.strerror or error}"
    except ValueError:
        words = "this is no text"
    raise InputError(Diagnostic(Severity.ERROR, words, str(path)))


@contextlib.contextmanager
def _beside(path: Path) -> Any:
    """Let a program import what lies beside it."""
    folder = str(path.resolve().parent)
    sys.path.insert(0, folder)
    try:
        yield
    finally:
        sys.path.remove(folder)


def _executed(source: Source, path: Path) -> ModuleType:
    module = ModuleType("host_program")
    module.__file__ = str(path.resolve())
    code = compile(source.text, source.name, "exec")
    exec(code, module.__dict__)
    return module


def _check_sizes(
    function: Callable[..., object], named: Mapping[str, object], source: Source
) -> None:
    """Refuse sizes that the program does not take. UsageError."""
    parameters = inspect.signature(function).parameters.values()
    if any(p.kind is p.VAR_KEYWORD for p in parameters):
        return
    by_name = [p for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
    known = [p.name for p in by_name][1:]
    for name in named:
        if name not in known:
            takes = f"it takes {', '.join(known)}" if known else "it takes none"
            raise UsageError(f"{source.name}: `{_FUNCTION}` has no parameter `{name}`; {takes}")
    for one in by_name[1:]:
        if one.default is one.empty and one.name not in named:
            words = f"`{_FUNCTION}` needs `{one.name}`; --size {one.name}=VALUE gives it"
            raise UsageError(f"{source.name}: {words}")


def _number(value: int | str) -> int | float | str:
    """Read a size as a whole number, another number, or a text as it is."""
    for kind in (int, float):
        with contextlib.suppress(ValueError):
            return kind(value)
    return value


def _guarded(source: Source, run: Callable[[], Any]) -> Any:
    """Run a part of the program and say at which of its lines something went wrong."""
    try:
        return run()
    except WarpmillError as error:
        span = _line(source, error)
        if span is not None:
            note = at(source, span, Severity.NOTE, "the program came to it here")
            error.diagnostics = (*error.diagnostics, note)
        raise
    except SyntaxError as error:
        if error.filename != source.name or error.lineno is None:
            raise _failed(source, error) from None
        column = error.offset or 1
        span = Span(error.lineno, column, column + 1)
        raise InputError(at(source, span, Severity.ERROR, f"no Python: {error.msg}")) from None
    except SystemExit as end:
        if end.code in (None, 0):
            return None
        words = f"the program ended itself with {end.code}"
        raise InputError(Diagnostic(Severity.ERROR, words, source.name)) from None
    except Exception as error:
        raise _failed(source, error) from None


def _failed(source: Source, error: Exception) -> InputError:
    first = (str(error).splitlines() or [""])[0]
    words = f"the program raised {type(error).__name__}: {first}".removesuffix(": ")
    span = _line(source, error)
    if span is None:
        return InputError(Diagnostic(Severity.ERROR, words, source.name))
    return InputError(at(source, span, Severity.ERROR, words))


def _line(source: Source, error: BaseException) -> Span | None:
    """Give the program's innermost line that an error came through."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == source.name]
    if not frames or frames[-1].lineno is None:
        return None
    frame = frames[-1]
    text = source.line(frame.lineno or 1)
    start = len(text) - len(text.lstrip()) + 1
    return Span(frame.lineno or 1, start, len(text) + 1)
