"""Kernels of Triton and numba in Python files, launched as options say."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from warpmill.analyzer.base.diagnostics import Diagnostic, Severity, UsageError
from warpmill.analyzer.base.naming import find_by_name, suggestion
from warpmill.analyzer.base.whole_files import temporary_folder
from warpmill.analyzer.frontends.compilers.python_kernels import PythonKernel, python_kernels
from warpmill.analyzer.launch.options import dimensions
from warpmill.session.jobs import Job
from warpmill.session.options import LaunchOptions
from warpmill.session.python_files import PythonFile

_ARRAY = re.compile(r"buffer=(?P<type>\w+):(?P<sides>[1-9]\d*(x[1-9]\d*)*)")
_NUMBER = re.compile(r"(?:[iuf]\d+=)?(?P<number>[-+]?[\d.][\w.+-]*)")
_NAMED = re.compile(r"(?P<name>[A-Za-z_]\w*)=(?P<value>.+)")

_NUMPY = {
    "f16": "float16", "f32": "float32", "f64": "float64", "bf16": "bfloat16",
    **{f"{sign}{bits}": f"{'u' * (sign == 'u')}int{bits}"
       for sign in "iu" for bits in (8, 16, 32, 64)},
}  # fmt: skip
"""NumPy's names of the types of launch files."""


def job_of_python(path: Path, kernel: str | None, options: LaunchOptions) -> Job:
    """The job of a kernel in a Python file, with the launch that options say.

    UsageError where they do not fit, InputError, at a line of the file, where it does not run.
    """
    found = python_kernels(path)
    own = _named(found, kernel, path)
    if options.grid is None:
        words = f"the launch of `{own.name}` needs --grid, and an --arg for each parameter"
        raise UsageError(
            Diagnostic(Severity.ERROR, words, hint=f"`warpmill {path}` prints such a command")
        )
    grid = dimensions("grid", options.grid, "64")
    values, constants = _values(own, options.args)
    file = PythonFile.read(path.resolve(), "kernel file")  # Triton reads its source
    try:
        with file.running(), _elsewhere():
            function = getattr(file.guarded(file.execute), own.name)
            return _job(own, function, grid, options, values, constants)
    finally:
        file.forget()


def _job(
    own: PythonKernel,
    function: Any,
    grid: Sequence[int],
    options: LaunchOptions,
    values: Sequence[Any],
    constants: dict[str, Any],
) -> Job:
    if own.door == "triton":
        from warpmill.doors import triton  # noqa: PLC0415 - only what is asked for

        return triton.prepare(function, tuple(grid), *values, **constants)
    from warpmill.doors import numba  # noqa: PLC0415

    block = dimensions("block", options.block or "256", "256")
    return numba.prepare(function, (tuple(grid), tuple(block)), *values)


@contextlib.contextmanager
def _elsewhere() -> Iterator[None]:
    """A folder that goes away as the current one: such files often write what they compile."""
    before = Path.cwd()
    with temporary_folder() as folder:
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


def _named(found: Sequence[PythonKernel], kernel: str | None, path: Path) -> PythonKernel:
    names = tuple(one.name for one in found)
    if kernel is None and len(found) == 1:
        return found[0]
    listed = ", ".join(names)
    if kernel is None:
        raise UsageError(f"{path} has {len(found)} kernels; name one: {listed}")
    wanted = find_by_name(kernel, names)
    if wanted is None:
        words = f"{path} has no kernel `{kernel}`; its kernels are: {listed}"
        raise UsageError(Diagnostic(Severity.ERROR, words, hint=suggestion(kernel, names)))
    return next(one for one in found if one.name == wanted)


def _values(own: PythonKernel, texts: Sequence[str]) -> tuple[list[Any], dict[str, Any]]:
    """What arguments are for Triton and numba: types and shapes of arrays, numbers, constants."""
    given: dict[str, Any] = {}
    constants: dict[str, Any] = {}
    open_ = [one for one in own.parameters if one.kind != "constant"]
    names = {one.name: one for one in own.parameters}
    for text in texts:
        named = _NAMED.fullmatch(text)
        if named is not None and (named["name"] in names or named["name"] in _LAUNCHED):
            constants[named["name"]] = _number(named["value"], text)
            continue
        place = next((one for one in open_ if one.name not in given), None)
        if place is None:
            raise UsageError(f"--arg {text}: `{own.name}` takes {len(open_)} arguments")
        array = _ARRAY.fullmatch(text)
        given[place.name] = _number(text, text) if array is None else _shape(array, text)
    lacking = [one.name for one in open_ if one.name not in given and one.name not in constants]
    if lacking:
        raise UsageError(f"`{own.name}` needs an --arg for {', '.join(lacking)}")
    positional = [constants.pop(one.name, given.get(one.name)) for one in open_]
    return positional, constants


_LAUNCHED = frozenset({"num_warps", "num_stages", "num_ctas", "maxnreg"})
"""Options of Triton's launches."""


def _shape(array: re.Match[str], text: str) -> tuple[str, tuple[int, ...]]:
    name = _NUMPY.get(array["type"])
    if name is None:
        raise UsageError(f"--arg {text}: types are {', '.join(_NUMPY)}")
    return f"*{name}", tuple(map(int, array["sides"].split("x")))


def _number(text: str, whole: str) -> Any:
    if text in ("true", "True", "false", "False"):
        return text.lower() == "true"
    match = _NUMBER.fullmatch(text)
    for kind in (int, float):
        with contextlib.suppress(ValueError, TypeError):
            return kind(match["number"] if match else "")
    words = f"--arg {whole}: a number, buffer=f32:1024, or NAME=VALUE of a constant is needed"
    raise UsageError(words)


# A launch to begin with.

_LENGTH, _SIDE, _PROGRAMS = 1024, 64, 16


def first_words(own: PythonKernel) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Words of a command line that launch a kernel, and what of them is assumed."""
    constants = [one for one in own.parameters if one.kind == "constant"]
    size = _LENGTH if len(constants) == 1 else _SIDE
    texts = []
    for one in own.parameters:
        if one.kind == "constant":
            texts.append(f"{one.name}={size}")
        elif one.kind == "number":
            texts.append(str(_LENGTH))
        elif own.door == "triton":
            texts.append(f"buffer=f32:{_LENGTH * _LENGTH}")
        else:
            texts.append("buffer=f32:" + "x".join(str(n or _LENGTH) for n in one.sides))
    programs = _PROGRAMS if own.door == "triton" else {1: 4, 2: 64}.get(own.directions, 8)
    grid = ",".join([str(programs)] * own.directions)
    block = (
        ()
        if own.door == "triton"
        else ("--block", {1: "256", 2: "16,16"}.get(own.directions, "8,8,4"))
    )
    words = ("--grid", grid, *block, *(word for text in texts for word in ("--arg", text)))
    kinds = {
        "array": "arrays of f32",
        "number": str(_LENGTH),
        "constant": str(size),
    }
    assumed = []
    for kind, meant in kinds.items():
        names = [one.name for one in own.parameters if one.kind == kind]
        if names:
            assumed.append(f"{', '.join(names)}: {meant}")
    return words, tuple(assumed)
