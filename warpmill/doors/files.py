"""Kernels of Triton and numba in Python files, launched as options say."""

from __future__ import annotations

import ast
import contextlib
import os
import re
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from warpmill.analyzer.base.diagnostics import Diagnostic, Severity, UsageError
from warpmill.analyzer.base.naming import find_by_name, suggestion
from warpmill.analyzer.base.whole_files import temporary_folder
from warpmill.analyzer.frontends.compilers.python_kernels import (
    LENGTH,
    PythonKernel,
    PythonParameter,
    needed_part,
    python_kernels,
)
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

    Of the file only that runs which the kernel follows from.
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
    part = needed_part(ast.parse(file.source.text), own.name)
    try:
        with file.running(), _elsewhere(), warnings.catch_warnings():
            warnings.filterwarnings("ignore", module=r"triton\.")  # of what it does in later ones
            function = getattr(file.guarded(lambda: file.execute(part)), own.name)
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
            constants[named["name"]] = _constant(named["value"], text)
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


def _constant(text: str, whole: str) -> Any:
    """A constant of Triton: a number, a truth, None, or a word between quotes."""
    if text == "None":
        return None
    if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"":
        return text[1:-1]
    return _number(text, whole)


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

_SIDE, _PROGRAMS = 64, 16
_BLOCKS = {1: "256", 2: "16,16"}


def first_words(own: PythonKernel) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Words of a command line that launch a kernel, and what of them is assumed.

    What the file says of its launches is taken from there.
    """
    seen = own.written
    constants = [one for one in own.parameters if one.kind == "constant"]
    size = LENGTH if len(constants) == 1 else _SIDE
    said = {**seen.defaults, **seen.passed, **seen.tuned}
    texts, guessed = [], dict[str, list[str]]()
    for one in own.parameters:
        if one.kind == "array":
            texts.append(_first_array(own, one))
            guessed.setdefault("arrays of f32", []).append(one.name)
            continue
        value = said.get(one.name, size if one.kind == "constant" else LENGTH)
        if one.name not in said:
            guessed.setdefault(str(value), []).append(one.name)
        texts.append(f"{one.name}={_written(value)}" if one.kind == "constant" else _written(value))
    texts += [f"{name}={_written(said[name])}" for name in sorted(_LAUNCHED & said.keys())]
    programs = _PROGRAMS if own.door == "triton" else {1: 4, 2: 64}.get(own.directions, 8)
    grid = ",".join(map(str, seen.grid or [programs] * own.directions))
    block: tuple[str, ...] = ()
    if own.door == "numba":
        sides = ",".join(map(str, seen.block)) if seen.block else None
        block = ("--block", sides or _BLOCKS.get(own.directions, "8,8,4"))
    words = ("--grid", grid, *block, *(word for text in texts for word in ("--arg", text)))
    assumed = [f"{', '.join(names)}: {meant}" for meant, names in guessed.items()]
    return words, (*assumed, *_taken(own, [] if seen.grid else ["grid"]))


def _first_array(own: PythonKernel, one: PythonParameter) -> str:
    if own.door == "triton":
        return f"buffer=f32:{LENGTH * LENGTH}"
    return "buffer=f32:" + "x".join(str(n or LENGTH) for n in one.sides)


def _written(value: Any) -> str:
    """A value as ``--arg`` takes it."""
    return repr(value) if isinstance(value, str) else str(value)


def _taken(own: PythonKernel, open_: Sequence[str]) -> Iterator[str]:
    """Where values of a first launch come from, and what of it no line says."""
    seen = own.written
    listed = [one.name for one in own.parameters if one.kind != "array"]
    names = [*listed, *sorted(_LAUNCHED)]
    tuned = [name for name in names if name in seen.tuned]
    passed = [name for name in names if name in seen.passed and name not in tuned]
    defaults = [n for n in names if n in seen.defaults and n not in (*tuned, *passed)]
    passed = ["grid", *passed] if seen.grid else passed
    passed = ["block", *passed] if seen.block else passed
    if tuned:
        of = f" of {seen.configs}" if seen.configs > 1 else ""
        yield f"{', '.join(tuned)}: the first configuration{of} that the file tunes over"
    if passed:
        yield f"{', '.join(passed)}: as line {seen.line} launches it, with {LENGTH} for open sizes"
    if defaults:
        yield f"{', '.join(defaults)}: what the kernel has without an argument"
    block = own.door == "numba" and not seen.block
    unsaid = [*open_, *(["block"] if block else [])]
    if unsaid:
        yield f"{', '.join(unsaid)}: no launch in the file says it"
