"""Host programs: Python files with a ``main(device)`` that decides what is launched."""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.base.source import Source
from warpmill.analyzer.frontends.compiling import ptx_of_python
from warpmill.python_files import PythonFile

if TYPE_CHECKING:
    from warpmill.executor.host.device import Device

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
            _check_sizes(function, named, file.source)
            return _guarded(file, lambda: function(device, **named))
    finally:
        file.forget()


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


def _guarded(file: PythonFile, run: Callable[[], Any]) -> Any:
    """Run a part of the program, which may end itself."""
    try:
        return file.guarded(run)
    except SystemExit as end:
        if end.code in (None, 0):
            return None
        raise file.error(f"the program ended itself with {end.code}") from None
