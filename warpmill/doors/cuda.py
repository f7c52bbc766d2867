"""Kernels whose CUDA C++ or PTX stands in a Python string: of CuPy, PyCUDA, PyTorch's load_inline.

::

    warpmill.cuda.run(SOURCE, "transpose", (4, 4), (32, 32), (a, b, n))
    found = warpmill.cuda.estimate(kernel, None, 64, 256, (x, y, n), machine="h100_sxm")
    warpmill.cuda.ptx_run("kernel.ptx", 64, 256, x, y, n)      # an emulator of PTX, for tests

A source is a text, a file, a list of texts, or CuPy's ``RawKernel`` and ``RawModule``. CUDA C++ is
compiled by nvcc, NVRTC or clang, whichever is found. Numbers take the types of the parameters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from warpmill.analyzer.base.diagnostics import Source, UsageError
from warpmill.analyzer.base.naming import base_name
from warpmill.analyzer.frontends.compilers.options import CompileOptions, is_source
from warpmill.analyzer.frontends.load import FileFormat, load_kernel, text_of
from warpmill.analyzer.ir.kernel import Kernel, Parameter
from warpmill.analyzer.ir.types import TypeKind
from warpmill.analyzer.launch.check import described
from warpmill.analyzer.launch.model import (
    ELEMENT_TYPES,
    Argument,
    NullArgument,
    ScalarArgument,
    StructArgument,
)
from warpmill.doors.arguments import HostArray, LaunchArrays, array_of, typed_number
from warpmill.doors.launching import (
    DEFAULT_MACHINE,
    check_report,
    chip_of,
    job_of_kernel,
    launch_sides,
    run_in_place,
)
from warpmill.report.source_text import parameter_names_in, source_lines
from warpmill.session.estimates import estimate as estimate_job
from warpmill.session.jobs import Job
from warpmill.session.options import RunOptions
from warpmill.session.runs import Run
from warpmill.simulator.estimate.result import Estimate
from warpmill.simulator.machines.model import Machine

if TYPE_CHECKING:
    from warpmill.commands.check.result import CheckReport

Sides = int | Sequence[int]


def prepare(
    source: Any,
    kernel: str | None,
    grid: Sides,
    block: Sides,
    arguments: Sequence[Any] = (),
    *,
    shared: int = 0,
    machine: str | Machine = DEFAULT_MACHINE,
    compile_options: CompileOptions | None = None,
) -> Job:
    """The job of a launch, its source compiled for the chip of a machine.

    ``kernel`` is a name as in the source, or an instance of a template, ``scale<float>``; None: the
    only kernel there, or the one that CuPy's object has. The job holds the arrays, and what they
    have when it is used. UsageError for what cannot be launched, InputError for what does not
    compile.
    """
    text, name, own = _source(source)
    how = (compile_options or CompileOptions()).over(own)
    how = how if how.arch else replace(how, arch=f"sm_{chip_of(machine)}")
    loaded, found = load_kernel(text, kernel or name, compile_options=how)
    return job_of_kernel(
        loaded,
        found,
        launch_sides("grid", grid),
        launch_sides("block", block),
        _arguments(found, arguments, _words(text)),
        shared,
    )


def estimate(
    source: Any,
    kernel: str | None,
    grid: Sides,
    block: Sides,
    arguments: Sequence[Any] = (),
    *,
    shared: int = 0,
    machine: str | Machine = DEFAULT_MACHINE,
    compile_options: CompileOptions | None = None,
) -> Estimate:
    """Estimate a launch on a machine, as ``warpmill.estimate`` does. Errors as ``prepare``'s."""
    how: dict[str, Any] = {"shared": shared, "compile_options": compile_options}
    job = prepare(source, kernel, grid, block, arguments, machine=machine, **how)
    return estimate_job(job, machine)


def run(
    source: Any,
    kernel: str | None,
    grid: Sides,
    block: Sides,
    arguments: Sequence[Any] = (),
    *,
    run_options: RunOptions | None = None,
    **how: Any,
) -> Run:
    """Run a launch on this computer's CPU; the arrays have its results afterwards.

    Keywords and errors as ``prepare``'s, and errors as ``warpmill.run``'s.
    """
    return run_in_place(prepare(source, kernel, grid, block, arguments, **how), run_options)


def check(
    source: Any,
    kernel: str | None,
    grid: Sides,
    block: Sides,
    arguments: Sequence[Any] = (),
    *,
    run_options: RunOptions | None = None,
    **how: Any,
) -> CheckReport:
    """What sanitizers find in a launch, as ``warpmill check`` tells it. Arrays stay as they are.

    Keywords and errors as ``prepare``'s.
    """
    return check_report(prepare(source, kernel, grid, block, arguments, **how), run_options)


def ptx_run(
    source: Any,
    grid: Sides,
    block: Sides,
    *arguments: Any,
    kernel: str | None = None,
    shared: int = 0,
) -> None:
    """Run a kernel of PTX, or of a source, on this computer's CPU: arrays are written in place.

    Errors as ``prepare``'s and ``warpmill.run``'s.
    """
    run(source, kernel, grid, block, arguments, shared=shared)


# Sources: texts under a name that ends as files of their language do.


def _source(given: Any) -> tuple[Source | Path, str | None, CompileOptions]:
    """The text or the file of a source, the kernel that it names, its own options. UsageError."""
    if isinstance(given, Path):
        return given, None, CompileOptions()
    if isinstance(given, Source):
        return given, None, CompileOptions()
    if isinstance(given, str):
        if "\n" not in given and (Path(given).is_file() or Path(given).suffix):
            return Path(given), None, CompileOptions()
        return _text(given), None, CompileOptions()
    if isinstance(given, list | tuple) and all(isinstance(one, str) for one in given):
        return _text("\n".join(given)), None, CompileOptions()
    code = getattr(given, "code", None)
    if isinstance(code, str):
        name = getattr(given, "name", None)
        return _text(code), name if isinstance(name, str) else None, _options_of(given)
    path = getattr(given, "file_path", None)
    if isinstance(path, str):
        return Path(path), getattr(given, "name", None), _options_of(given)
    words = "a source is a text, a file, or CuPy's RawKernel or RawModule"
    raise UsageError(f"{words}, not {given!r:.60}")


def _words(source: Source | Path) -> str:
    """The text of a source, for the names in it; of other files nothing."""
    if isinstance(source, Source):
        return source.text
    return "\n".join(source_lines(source)) if is_source(source) else ""


def _text(text: str) -> Source:
    if text_of(Source("<text>", text)).format is FileFormat.PTX:
        return Source("<text>.ptx", text)
    return Source("<text>.cu", device_part(text))


def _options_of(given: Any) -> CompileOptions:
    """Options of CuPy's objects, as far as they say how a source is read."""
    words = [str(word) for word in getattr(given, "options", ()) or ()]
    include = [w.removeprefix("-I").removeprefix("--include-path=") for w in words]
    define = [w.removeprefix("-D").removeprefix("--define-macro=") for w in words]
    pairs = list(zip(words, include, define, strict=True))
    standard = next((w.partition("=")[2] for w in words if w.startswith(("-std=", "--std="))), None)
    return CompileOptions(
        tuple(folder for word, folder, _ in pairs if folder != word),
        tuple(macro for word, _, macro in pairs if macro != word),
        standard,
    )


_HOST_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*[<\"](?:torch|ATen|c10|pybind11)/.*$", re.M)
_HOST_WORD = re.compile(r"<<<|\b(?:torch|at|c10|py)::|\bPYBIND11_MODULE\b|\bTORCH_LIBRARY")
_DEVICE_WORD = re.compile(r"\b__(?:global|device)__\b")
_SKIPPED = re.compile(
    r"//[^\n]*|/\*.*?\*/|R\"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)\"|\"(?:\\.|[^\"\\\n])*\""
    r"|'(?:\\.|[^'\\\n])+'|^[ \t]*#(?:[^\n\\]|\\.)*|[{};]",
    re.DOTALL | re.MULTILINE,
)


def device_part(text: str) -> str:
    """A source without what PyTorch compiles for the host, whose lines are left empty.

    That is its headers, and functions that launch kernels or take tensors.
    """
    if not _HOST_INCLUDE.search(text) and not _HOST_WORD.search(text):
        return text
    kept = []
    for part in _definitions(_HOST_INCLUDE.sub("", text)):
        is_host = _HOST_WORD.search(part) and not _DEVICE_WORD.search(part)
        kept.append("\n" * part.count("\n") if is_host else part)
    return "".join(kept)


def _definitions(text: str) -> Iterator[str]:
    """Parts of a source: each ends with a definition's last brace or a declaration's semicolon."""
    start = depth = 0
    for match in _SKIPPED.finditer(text):
        mark = match[0]
        depth += (mark == "{") - (mark == "}")
        is_line = mark.lstrip(" \t").startswith("#")
        if depth == 0 and (mark in ("}", ";") or is_line):
            yield text[start : match.end()]
            start = match.end()
    yield text[start:]


# Arguments, by the parameters of the kernel.


def _arguments(kernel: Kernel, values: Sequence[Any], source: str) -> list[Argument]:
    """UsageError where there are too few or too many, or one is nothing that a kernel takes."""
    if len(values) != len(kernel.parameters):
        wanted = ", ".join(f"`{p.name}`" for p in kernel.parameters) or "none"
        words = f"`{kernel.name}` takes {len(kernel.parameters)} arguments ({wanted})"
        raise UsageError(f"{words}, not {len(values)}")
    arrays = [array_of(value) for value in values]
    memory = LaunchArrays([array for array in arrays if isinstance(array, HostArray)])
    plain = [parameter.name for parameter in kernel.parameters]
    named = parameter_names_in(source, base_name(kernel.name)) or ()
    names = named if len(named) == len(plain) else plain
    return [
        _number(value, parameter) if array is None else memory.argument(array, name)
        for parameter, name, value, array in zip(
            kernel.parameters, names, values, arrays, strict=True
        )
    ]


def _number(value: Any, parameter: Parameter) -> Argument:
    if value is None:
        return NullArgument(parameter.size_bytes, parameter.size_bytes)
    if isinstance(value, np.void | bytes | bytearray):
        data = value.tobytes() if isinstance(value, np.void) else bytes(value)
        return StructArgument(tuple(ScalarArgument("u8", byte) for byte in data))
    if isinstance(value, bool | int | float) and not isinstance(value, np.generic):
        return _of_parameter(value, parameter)
    return typed_number(value, parameter.name)


def _of_parameter(value: float, parameter: Parameter) -> ScalarArgument:
    """A number of Python in the type of its parameter; of untyped bits in its own. UsageError."""
    type_, bits = parameter.type, 8 * parameter.size_bytes
    is_untyped = type_.kind is TypeKind.BITS and isinstance(value, float)
    signed = type_.kind is TypeKind.SIGNED or value < 0
    name = (
        type_.name if type_.is_float else f"{'f' if is_untyped else 'i' if signed else 'u'}{bits}"
    )
    kind = ELEMENT_TYPES.get(name)
    is_struct = bool(parameter.shape) or type_.size_bytes != parameter.size_bytes
    if kind is None or is_struct or (isinstance(value, float) and not kind.is_float):
        words = f"the parameter is {described(parameter)}, not the number {value}"
        raise UsageError(f"`{parameter.name}`: {words}")
    if not kind.holds(value):
        raise UsageError(f"`{parameter.name}`: {value} does not fit {name}")
    return ScalarArgument(name, float(value) if kind.is_float else int(value))
