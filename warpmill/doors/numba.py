"""Kernels of numba: compiled here without a GPU, for the chip of a machine.

::

    warpmill.numba.run(add, (blocks, threads), x, y)             # add[blocks, threads](x, y)
    found = warpmill.numba.estimate(add, (blocks, threads), x, y, machine="h100_sxm")

A kernel is a function with ``@cuda.jit``, or the plain function. A configuration is what numba's
launch has: CTAs, threads, and also a stream, which is not looked at, and bytes of shared memory.
Arguments are arrays of NumPy (or a type and a shape, ``("*float32", (64, 64))``) and numbers.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Sequence
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

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
from warpmill.analyzer.launch.model import Argument, NullArgument, ScalarArgument
from warpmill.doors.arguments import ArrayShape, HostArray, LaunchArrays, array_of, typed_number
from warpmill.doors.launching import (
    DEFAULT_MACHINE,
    check_report,
    chip_of,
    entry_of,
    first_line,
    job_of_text,
    launch_sides,
    needed,
    run_in_place,
    with_names,
)
from warpmill.session.estimates import estimate as estimate_job
from warpmill.session.jobs import Job
from warpmill.session.options import RunOptions
from warpmill.session.runs import Run
from warpmill.simulator.estimate.result import Estimate
from warpmill.simulator.machines.model import Machine

if TYPE_CHECKING:
    from warpmill.commands.check.result import CheckReport

Config = Sequence[Any]
"""CTAs and threads of a CTA, each a number or up to three; stream; bytes of shared memory."""

_PACKAGES = "numba-cuda nvidia-cuda-nvcc nvidia-cuda-nvrtc"
_WHY = "compiling kernels of numba"


def prepare(
    kernel: Any, config: Config, *arguments: Any, machine: str | Machine = DEFAULT_MACHINE
) -> Job:
    """The job of ``kernel[config](*arguments)``, compiled for the chip of a machine.

    It holds the arrays, and what they have when it is used. UsageError for what cannot be launched,
    InputError for what numba does not compile.
    """
    function, options = _function(kernel)
    grid, block, shared = _config(config)
    arrays = [array_of(value) for value in arguments]
    text = _compiled(function, options, arguments, arrays, chip_of(machine))
    parts = _parameters(function, arguments, arrays)
    entry = entry_of(text)
    names = {f"{entry}_param_{place}": name for place, (name, _) in enumerate(parts)}
    path = inspect.getsourcefile(function) or "numba"
    source = Source(
        f"{path} ({function.__name__})",
        with_names(text, {entry: function.__name__, **names}),
        derived=True,
    )
    return job_of_text(source, None, grid, block, [one for _, one in parts], shared)


def estimate(
    kernel: Any, config: Config, *arguments: Any, machine: str | Machine = DEFAULT_MACHINE
) -> Estimate:
    """Estimate a launch on a machine, as ``warpmill.estimate`` does. Errors as ``prepare``'s."""
    return estimate_job(prepare(kernel, config, *arguments, machine=machine), machine)


def run(
    kernel: Any,
    config: Config,
    *arguments: Any,
    machine: str | Machine = DEFAULT_MACHINE,
    run_options: RunOptions | None = None,
) -> Run:
    """Run a launch on this computer's CPU; the arrays have its results afterwards.

    Errors as ``prepare``'s and ``warpmill.run``'s.
    """
    return run_in_place(prepare(kernel, config, *arguments, machine=machine), run_options)


def check(
    kernel: Any,
    config: Config,
    *arguments: Any,
    machine: str | Machine = DEFAULT_MACHINE,
    run_options: RunOptions | None = None,
) -> CheckReport:
    """What sanitizers find in a launch, as ``warpmill check`` tells it. Arrays stay as they are."""
    return check_report(prepare(kernel, config, *arguments, machine=machine), run_options)


def _function(kernel: Any) -> tuple[Callable[..., Any], dict[str, Any]]:
    """The Python function of a kernel, and how it asks to be compiled. UsageError."""
    function = getattr(kernel, "py_func", kernel)
    if not inspect.isfunction(function):
        words = f"a kernel of numba is a function, with @cuda.jit or without, not {kernel!r:.60}"
        raise UsageError(words)
    asked = getattr(kernel, "targetoptions", {})
    known = ("fastmath", "opt", "launch_bounds")
    return function, {name: asked[name] for name in known if asked.get(name) is not None}


def _config(config: Config) -> tuple[Sequence[int], Sequence[int], int]:
    """Grid, block and bytes of shared memory. UsageError."""
    if not isinstance(config, Sequence) or isinstance(config, str) or not 2 <= len(config) <= 4:
        words = "a configuration is (CTAs, threads), or (CTAs, threads, stream, shared bytes)"
        raise UsageError(f"{words}, not {config!r:.60}")
    shared = config[3] if len(config) == 4 else 0
    if not isinstance(shared, int | np.integer) or shared < 0:
        raise UsageError(f"shared memory is a number of bytes, not {shared!r:.60}")
    return launch_sides("grid", config[0]), launch_sides("block", config[1]), int(shared)


def _compiled(
    function: Callable[..., Any],
    options: dict[str, Any],
    arguments: Sequence[Any],
    arrays: Sequence[HostArray | ArrayShape | None],
    chip: int,
) -> str:
    """The PTX of a kernel for arguments of these types. InputError, UsageError."""
    needed("numba.cuda", _PACKAGES, _WHY)
    numba, cuda = needed("numba", _PACKAGES, _WHY), needed("numba.cuda", _PACKAGES, _WHY)
    types = tuple(
        _type(numba, value, array) for value, array in zip(arguments, arrays, strict=True)
    )
    how = {"cc": divmod(chip, 10), "device": False, "lineinfo": True, **options}
    try:
        text, _ = cuda.compile_ptx(function, types, **how)
    except (ImportError, OSError, AttributeError) as error:  # NVVM, or a library of it, is not here
        words = f"{_WHY} needs {_PACKAGES} ({first_line(error)}): pip install {_PACKAGES}"
        raise UsageError(words) from None
    except Exception as error:  # numba's errors: of types, of what it cannot lower
        raise _refused(function, chip, error) from error
    return str(text)


_LIBRARY = re.compile(r"lib(nvrtc|nvvm)\b")
_AT_LINE = re.compile(r'File "(?P<file>[^"\n]+)", line (?P<line>\d+):')


def _refused(function: Callable[..., Any], chip: int, error: Exception) -> WarpmillError:
    """Why numba does not compile a kernel, at the line of its source where that is known."""
    if type(error).__name__ == "NvvmSupportError" or _LIBRARY.search(str(error)):
        return UsageError(f"{_WHY} needs {_PACKAGES}: pip install {_PACKAGES}")
    words = f"numba does not compile `{function.__name__}` for sm_{chip}: {_reason(error)}"
    hint = None
    if "function shared.array" in words or "function local.array" in words:
        hint = "its shape is made of constants: numbers, or names of them outside of the kernel"
    path = inspect.getsourcefile(function)
    places = [found for found in _AT_LINE.finditer(str(error))
              if path is not None and Path(found["file"]).name == Path(path).name]  # fmt: skip
    if path is None or not places or not Path(path).is_file():
        return InputError(Diagnostic(Severity.ERROR, words, path, hint=hint))
    source = Source(path, Path(path).read_text("utf-8"))
    number = min(int(places[-1]["line"]), len(source.lines))
    text = source.line(number)
    span = Span(number, len(text) - len(text.lstrip()) + 1, len(text) + 1)
    return InputError(at(source, span, Severity.ERROR, words, hint))


def _reason(error: Exception) -> str:
    """What numba says, without lines that each of its messages has, and without its candidates."""
    lines = [line.strip() for line in str(error).splitlines()]
    told = [line for line in lines if line and not line.startswith(("Failed in", "During"))]
    own = [line.removeprefix(">>> ") for line in takewhile(_is_told, told)]
    return " ".join(own[:4]) or type(error).__name__


def _is_told(line: str) -> bool:
    return not line.startswith(("There are", "There is", 'File "'))


def _type(numba: Any, value: Any, array: HostArray | ArrayShape | None) -> Any:
    if isinstance(array, HostArray):
        return numba.typeof(array.values)
    if isinstance(array, ArrayShape):
        return numba.types.Array(numba.from_dtype(np.dtype(array.type_name)), len(array.shape), "C")
    try:
        return numba.typeof(value)
    except ValueError as error:
        raise UsageError(f"numba knows no type of {value!r:.60}: {first_line(error)}") from None


def _parameters(
    function: Callable[..., Any],
    arguments: Sequence[Any],
    arrays: Sequence[HostArray | ArrayShape | None],
) -> list[tuple[str, Argument]]:
    """The parameters that numba makes of arguments, by name. UsageError."""
    names = list(inspect.signature(function).parameters)
    if len(names) != len(arguments):
        words = f"`{function.__name__}` takes {len(names)} arguments ({', '.join(names)})"
        raise UsageError(f"{words}, not {len(arguments)}")
    memory = LaunchArrays([array for array in arrays if isinstance(array, HostArray)])
    found: list[tuple[str, Argument]] = []
    for name, value, array in zip(names, arguments, arrays, strict=True):
        if array is None:
            found += _numbers(name, value)
        else:
            found += _array(name, array, memory)
    return found


def _array(
    name: str, array: HostArray | ArrayShape, memory: LaunchArrays
) -> list[tuple[str, Argument]]:
    """An array as numba passes it: its owner, its elements and their bytes, memory, and shape."""
    count = int(np.prod(array.shape, dtype=np.int64))
    sides = [(f"{name}_shape_{n}", side) for n, side in enumerate(array.shape)]
    steps = [(f"{name}_stride_{n}", step) for n, step in enumerate(array.strides)]
    numbers = [(f"{name}_count", count), (f"{name}_item_bytes", array.item_bytes)]
    return [
        (f"{name}_meminfo", NullArgument()),
        (f"{name}_parent", NullArgument()),
        *((word, ScalarArgument("i64", number)) for word, number in numbers),
        (name, memory.argument(array, name)),
        *((word, ScalarArgument("i64", number)) for word, number in (*sides, *steps)),
    ]


def _numbers(name: str, value: Any) -> list[tuple[str, Argument]]:
    """A number as numba passes it: of Python 64 bits; a tuple by its parts. UsageError."""
    if isinstance(value, tuple):
        parts = [_numbers(f"{name}_{place}", one) for place, one in enumerate(value)]
        return [part for one in parts for part in one]
    if isinstance(value, bool | np.bool_):
        return [(name, ScalarArgument("u8", int(value)))]
    if isinstance(value, int):
        return [(name, ScalarArgument("i64" if value < 1 << 63 else "u64", value))]
    if isinstance(value, float):
        return [(name, ScalarArgument("f64", value))]
    return [(name, typed_number(value, name))]
