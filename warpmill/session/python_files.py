"""Python files of users: read, executed, and what goes wrong in them told at their line."""

from __future__ import annotations

import ast
import contextlib
import inspect
import io
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from warpmill.analyzer.base.diagnostics import (
    Diagnostic,
    InputError,
    Severity,
    Source,
    Span,
    UsageError,
    WarpmillError,
    at,
)
from warpmill.analyzer.base.whole_files import read_input
from warpmill.analyzer.frontends.compilers.languages import ptx_of_python
from warpmill.executor.host.device import Device

Result = TypeVar("Result")

MAX_FILE_BYTES = 16 << 20
"""Largest file that is read as a Python program."""


def _text(path: Path) -> str:
    return io.StringIO(read_input(path, MAX_FILE_BYTES).decode("utf-8"), newline=None).read()


@dataclass(frozen=True)
class PythonFile:
    """A file that was read; ``kind`` is what messages call it: a program, a collector."""

    path: Path
    source: Source
    kind: str

    @classmethod
    def read(cls, path: Path, kind: str) -> PythonFile:
        """Read it. InputError."""
        try:
            return cls(path, Source(str(path), _text(path)), kind)
        except OSError as error:
            words = f"cannot be read: {error.strerror or error}"
        except ValueError:
            words = "this is no text"
        raise InputError(Diagnostic(Severity.ERROR, words, str(path)))

    @property
    def module_name(self) -> str:
        """The name that its module has while it is in use, which no import can ask for."""
        return f"<{self.kind} {self.path.name}>"

    def execute(self, part: ast.Module | None = None) -> ModuleType:
        """Run the file, or a part of it, as a module of its own that others find by its name."""
        module = ModuleType(self.module_name)
        module.__file__ = str(self.path.resolve())
        sys.modules[self.module_name] = module
        code = compile(part or self.source.text, self.source.name, "exec")
        exec(code, module.__dict__)
        return module

    def forget(self) -> None:
        """Unload its module."""
        sys.modules.pop(self.module_name, None)

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        """Context in which it imports what lies beside it, and its prints go to stderr.

        So a report is all there is on stdout.
        """
        folder = str(self.path.resolve().parent)
        sys.path.insert(0, folder)
        try:
            with contextlib.redirect_stdout(sys.stderr):
                yield
        finally:
            sys.path.remove(folder)

    def guarded(self, run: Callable[[], Result]) -> Result:
        """Run a part of it and say at which of its lines something went wrong. InputError.

        What warpmill raises passes, with a note on the line that led to it; SystemExit passes.
        """
        try:
            return run()
        except WarpmillError as error:
            span = self._line(error)
            if span is not None:
                words = f"the {self.kind} came to it here"
                note = at(self.source, span, Severity.NOTE, words)
                error.diagnostics = (*error.diagnostics, note)
            raise
        except SyntaxError as error:
            if error.filename != self.source.name or error.lineno is None:
                raise self._failed(error) from None
            column = error.offset or 1
            span = Span(error.lineno, column, column + 1)
            raise self.error(f"no Python: {error.msg}", span) from None
        except Exception as error:
            raise self._failed(error) from None

    def error(self, words: str, span: Span | None = None, hint: str | None = None) -> InputError:
        """Make an error of it, at a line where that is known."""
        if span is None:
            return InputError(Diagnostic(Severity.ERROR, words, self.source.name, hint=hint))
        return InputError(at(self.source, span, Severity.ERROR, words, hint))

    def _failed(self, error: Exception) -> InputError:
        first = (str(error).splitlines() or [""])[0]
        words = f"the {self.kind} raised {type(error).__name__}: {first}".removesuffix(": ")
        hint = None
        if isinstance(error, ModuleNotFoundError):
            hint = ptx_of_python(self.source.text)
        return self.error(words, self._line(error), hint)

    def _line(self, error: BaseException) -> Span | None:
        """The innermost line of the file that an error came through."""
        frames = traceback.extract_tb(error.__traceback__)
        own = [f for f in frames if f.filename == self.source.name and f.lineno is not None]
        return self.whole_line(own[-1].lineno or 1) if own else None

    def whole_line(self, number: int) -> Span:
        """Span of a whole line."""
        text = self.source.line(number)
        return Span(number, len(text) - len(text.lstrip()) + 1, len(text) + 1)


_FUNCTION = "main"


def run_program(path: Path, device: Device, sizes: Mapping[str, int | str]) -> object:
    """Run ``main(device)`` of a program and give what it returns.

    ``sizes`` are passed by name: ``main(device, n=4096)``. What the program prints goes to stderr,
    so that a report is all there is on stdout. InputError, at the program's line, for what it
    raises; what warpmill raises passes, with a note on the line that led to it.
    """
    file = PythonFile.read(path, "program")
    try:
        with file.running():
            module = _guarded(file, file.execute)
            function = getattr(module, _FUNCTION, None)
            if not callable(function):
                words = f"the program has no function `{_FUNCTION}(device)`"
                hint = ptx_of_python(file.source.text) or "docs/executor.md shows host programs"
                raise file.error(words, hint=hint)
            named = {name: _number(value) for name, value in sizes.items()}
            _compare_sizes(function, named, file.source)
            return _guarded(file, lambda: function(device, **named))
    finally:
        file.forget()


def _compare_sizes(
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


def _guarded(file: PythonFile, run: Callable[[], Any]) -> Any:
    """Run a part of the program, which may end itself."""
    try:
        return file.guarded(run)
    except SystemExit as end:
        if end.code in (None, 0):
            return None
        raise file.error(f"the program ended itself with {end.code}") from None
