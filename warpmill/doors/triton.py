"""Kernels of Triton: compiled here without a GPU, for the chip of a machine.

::

    found = warpmill.triton.estimate(add, (64,), x, y, out, n, BLOCK=1024, machine="h100_sxm")
    warpmill.triton.run(add, lambda meta: (cdiv(n, meta["BLOCK"]),), x, y, out, n, BLOCK=1024)

Arguments are those of ``add[grid](...)``: arrays of NumPy or PyTorch (or a type and a shape,
``("*fp16", (4096, 4096))``), numbers, constants by name, and Triton's own options (``num_warps``).
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
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
    words_of,
)
from warpmill.analyzer.launch.model import (
    ELEMENT_TYPES,
    Argument,
    Dim3,
    NullArgument,
    ScalarArgument,
    dim3,
)
from warpmill.analyzer.launch.triton import TritonLaunch
from warpmill.doors.arguments import (
    ALIGNMENT,
    ArrayShape,
    HostArray,
    LaunchArrays,
    array_of,
    element_of,
)
from warpmill.doors.launching import (
    DEFAULT_MACHINE,
    check_report,
    chip_of,
    fastest_first,
    first_line,
    job_of_text,
    launch_sides,
    needed,
    number_kept,
    run_in_place,
    with_names,
)
from warpmill.report.source_text import note_compiled
from warpmill.session.estimates import estimate as estimate_job
from warpmill.session.jobs import Job
from warpmill.session.options import RunOptions
from warpmill.session.runs import Run
from warpmill.simulator.estimate.result import Estimate
from warpmill.simulator.machines.model import Machine

if TYPE_CHECKING:
    from warpmill.commands.check.result import CheckReport

Grid = int | Sequence[int] | Callable[[Mapping[str, Any]], int | Sequence[int]]
"""Programs of a launch: some numbers, or a function of the arguments by name."""


def prepare(
    kernel: Any, grid: Grid, *arguments: Any, machine: str | Machine = DEFAULT_MACHINE, **meta: Any
) -> Job:
    """The job of ``kernel[grid](*arguments, **meta)``, compiled for the chip of a machine.

    It holds the arrays, and what they have when it is used. UsageError for what cannot be launched,
    InputError, at the kernel's line, for what Triton does not compile.
    """
    made = compiled(kernel, arguments, meta, chip_of(machine))
    programs = _programs(grid, made.values)
    launch = TritonLaunch.of(made.metadata)
    if launch is None:
        raise UsageError("this version of Triton describes its kernels in a way that is not known")
    passed = _arguments(made.parameters)
    hidden = launch.hidden_arguments(programs)
    scratch = [(name, argument) for (name, _), argument in zip(launch.scratch, hidden, strict=True)]
    every = [*passed, *scratch]
    names = {f"{launch.kernel}_param_{n}": name for n, (name, _) in enumerate(every)}
    source = Source(made.path, with_names(made.ptx, names))
    return job_of_text(
        source,
        launch.kernel,
        launch.launched_grid(programs),
        (launch.threads,),
        [argument for _, argument in every],
        launch.shared_bytes,
    )


def estimate(
    kernel: Any, grid: Grid, *arguments: Any, machine: str | Machine = DEFAULT_MACHINE, **meta: Any
) -> Estimate:
    """Estimate a launch on a machine, as ``warpmill.estimate`` does. Errors as ``prepare``'s."""
    return estimate_job(prepare(kernel, grid, *arguments, machine=machine, **meta), machine)


def run(
    kernel: Any,
    grid: Grid,
    *arguments: Any,
    machine: str | Machine = DEFAULT_MACHINE,
    run_options: RunOptions | None = None,
    **meta: Any,
) -> Run:
    """Run a launch on this computer's CPU; the arrays have its results afterwards.

    Errors as ``prepare``'s and ``warpmill.run``'s.
    """
    return run_in_place(prepare(kernel, grid, *arguments, machine=machine, **meta), run_options)


def check(
    kernel: Any,
    grid: Grid,
    *arguments: Any,
    machine: str | Machine = DEFAULT_MACHINE,
    run_options: RunOptions | None = None,
    **meta: Any,
) -> CheckReport:
    """What sanitizers find in a launch, as ``warpmill check`` tells it. Arrays stay as they are.

    ``print`` shows its page; ``fails()`` says whether something was found.
    """
    return check_report(prepare(kernel, grid, *arguments, machine=machine, **meta), run_options)


# Compiling: which types and constants a launch has is Triton's own to say.


@dataclass(frozen=True)
class CompiledKernel:
    """A kernel that Triton has compiled.

    ``parameters`` are those that the kernel still has, by name, with their types in Triton's words
    and their values; ``values`` are all that a launch was given, and ``path`` the file of the PTX.
    """

    ptx: str
    path: str
    metadata: Mapping[str, Any]
    parameters: tuple[tuple[str, str, Any], ...]
    values: Mapping[str, Any]


class _StandIn:
    """An array as Triton's launcher looks at one: its type and its address."""

    def __init__(self, value: Any, array: HostArray | ArrayShape, address: int) -> None:
        self.value, self.array, self._address = value, array, address
        self.dtype, self.shape = array.type_name, array.shape

    def data_ptr(self) -> int:
        """The address."""
        return self._address


def compiled(
    kernel: Any, arguments: Sequence[Any], meta: Mapping[str, Any], chip: int
) -> CompiledKernel:
    """Let Triton compile a kernel for a chip, for these arguments and constants.

    UsageError where that is no kernel, or arguments do not fit it; InputError where Triton refuses.
    """
    triton = needed("triton", "triton", "compiling kernels of Triton")
    jit = needed("triton.runtime.jit", "triton", "compiling kernels of Triton")
    compiler = needed("triton.compiler.compiler", "triton", "compiling kernels of Triton")
    target = needed("triton.backends.compiler", "triton", "this").GPUTarget("cuda", chip, 32)
    function, constants = _function(kernel, arguments, meta, jit.JITFunction)
    every = {name: array_of(v) for name, v in _by_name(function, arguments, constants).items()}
    arrays = LaunchArrays([a for a in every.values() if isinstance(a, HostArray)])
    given = [_stood_in(value, arrays) for value in arguments]
    named = {name: _stood_in(value, arrays) for name, value in constants.items()}
    backend = compiler.make_backend(target)
    try:
        binder: Any = jit.create_function_from_signature(
            function.signature, function.params, backend
        )
        bound, types, options = binder(*given, **named)
        options = {**options, "debug": options.get("debug", function.debug) or False}
        pack: Any = function._pack_args
        parsed, signature, constexprs, attrs = pack(backend, options, bound, types, dict(options))
    except (TypeError, KeyError, ValueError, AssertionError) as error:
        words = f"{function.__name__} cannot be launched so: {first_line(error)}"
        raise UsageError(words) from None
    source = compiler.ASTSource(function, signature, constexprs, attrs)
    try:
        made = triton.compile(source, target=target, options=dict(parsed.__dict__))
    except Exception as error:  # Triton's errors, and those of the kernel's own Python
        raise _refused(function, chip, error) from error
    note_compiled(inspect.getsourcefile(function.fn) or "")
    values = {name: getattr(v, "value", v) for name, v in bound.items()}
    values |= {name: v for name, v in options.items() if name not in values}
    paths = (str(path) for path in made.metadata_group.values() if str(path).endswith(".ptx"))
    return CompiledKernel(
        ptx=made.asm["ptx"],
        path=next(paths, f"{function.__name__}.ptx"),
        metadata=made.metadata._asdict(),
        parameters=tuple(_kept(signature, bound)),
        values=values,
    )


def _function(
    kernel: Any, arguments: Sequence[Any], meta: Mapping[str, Any], jit_function: type
) -> tuple[Any, dict[str, Any]]:
    """The compiled function behind heuristics and autotuning, and all constants. UsageError."""
    found, constants = kernel, dict(meta)
    while not isinstance(found, jit_function):
        if hasattr(found, "configs"):
            found = _tuned(found, constants)
        elif hasattr(found, "values") and hasattr(found, "fn"):
            known = {**dict(zip(found.arg_names, arguments, strict=False)), **constants}
            constants |= {name: heuristic(known) for name, heuristic in found.values.items()}
            found = found.fn
        else:
            words = f"a kernel of Triton is a function with @triton.jit, not {kernel!r:.60}"
            hint = "with TRITON_INTERPRET set, Triton makes no kernels of them"
            raise UsageError(Diagnostic(Severity.ERROR, words, hint=hint))
    return found, constants


def _tuned(tuner: Any, constants: dict[str, Any]) -> Any:
    """The kernel that an autotuner tunes, with the only configuration. UsageError for several."""
    configs = [config.all_kwargs() for config in tuner.configs]
    if len(configs) == 1:
        constants |= {name: v for name, v in configs[0].items() if name not in constants}
    elif not all(name in constants for name in tuner.configs[0].kwargs):
        words = f"{tuner.base_fn.__name__} is tuned over {len(configs)} configurations"
        hint = "name its constants; warpmill.triton.rank estimates each configuration"
        raise UsageError(Diagnostic(Severity.ERROR, words, hint=hint))
    return tuner.fn


def _by_name(
    function: Any, arguments: Sequence[Any], constants: Mapping[str, Any]
) -> dict[str, Any]:
    named = dict(zip(function.arg_names, arguments, strict=False))
    return {**named, **constants}


def _stood_in(value: Any, arrays: LaunchArrays) -> Any:
    """What stands for a value where Triton looks at a launch."""
    array = array_of(value)
    if array is None:
        if isinstance(value, np.generic):
            return value.item()
        return tuple(_stood_in(v, arrays) for v in value) if isinstance(value, tuple) else value
    if isinstance(array, ArrayShape):
        return _StandIn(value, array, array.pointer)
    return _StandIn(value, array, ALIGNMENT + arrays.offset(array))


def _kept(signature: Mapping[str, Any], bound: Mapping[str, Any]) -> Iterator[tuple[str, str, Any]]:
    """Parameters that a compiled kernel still has: constants are none, tuples are their parts."""
    for name, type_ in signature.items():
        yield from _parts(name, type_, bound[name])


def _parts(name: str, type_: Any, value: Any) -> Iterator[tuple[str, str, Any]]:
    if isinstance(type_, tuple):
        for place, (one, part) in enumerate(zip(type_, value, strict=True)):
            yield from _parts(f"{name}_{place}", one, part)
    elif type_ != "constexpr":
        yield name, str(type_), value


_DEFINED = re.compile(r"\s*def\s")


def _refused(function: Any, chip: int, error: Exception) -> InputError:
    """Why Triton does not compile a kernel, at the line of its source where that is known."""
    inner: BaseException = error
    while inner.__cause__ is not None:
        inner = inner.__cause__
    reason = getattr(inner, "error_message", None) or first_line(inner)
    words = f"Triton does not compile `{function.__name__}` for sm_{chip}: {reason}"
    node, path = getattr(error, "node", None), inspect.getsourcefile(function.fn)
    line = getattr(node, "lineno", None)
    if line is None or path is None or not Path(path).is_file():
        return InputError(Diagnostic(Severity.ERROR, words, path))
    source = Source(path, Path(path).read_text("utf-8"))
    number = function.starting_line_number
    while number < len(source.lines) and not _DEFINED.match(source.line(number)):
        number += 1  # past decorators, which Triton does not count
    number, column = number + line - 1, getattr(node, "col_offset", 0) + 1
    return InputError(at(source, Span(number, column, column + 1), Severity.ERROR, words))


# Launching: what Triton's launcher passes.


def _programs(grid: Grid, values: Mapping[str, Any]) -> Dim3:
    """Programs of a launch in each direction. UsageError."""
    return dim3(launch_sides("grid", grid(values) if callable(grid) else grid))


def _arguments(parameters: Sequence[tuple[str, str, Any]]) -> list[tuple[str, Argument]]:
    """The arguments of parameters that a kernel has, by name. UsageError."""
    found = [(name, type_, _array(value)) for name, type_, value in parameters]
    arrays = LaunchArrays([array for *_, array in found if isinstance(array, HostArray)])
    values = [value for *_, value in parameters]
    return [
        (name, _argument(name, type_, value, array, arrays))
        for (name, type_, array), value in zip(found, values, strict=True)
    ]


def _array(value: Any) -> HostArray | ArrayShape | None:
    return value.array if isinstance(value, _StandIn) else array_of(value)


def _argument(
    name: str, type_: str, value: Any, array: HostArray | ArrayShape | None, arrays: LaunchArrays
) -> Argument:
    if array is not None:
        return arrays.argument(array, name)
    if type_.startswith("*"):
        return NullArgument() if not value else ScalarArgument("u64", int(value))
    element = element_of(type_)
    if element is None or not isinstance(value, int | float | np.generic):
        words = f"`{name}`: an argument of Triton's type {type_[:60]} is not taken"
        hint = "descriptors of tensors are made in the kernel: tl.make_tensor_descriptor"
        raise UsageError(
            Diagnostic(Severity.ERROR, words, hint=hint if "tensordesc" in type_ else None)
        )
    kind = ELEMENT_TYPES[element]
    return ScalarArgument(element, float(value) if kind.is_float else int(value))


# Choosing among configurations.


@dataclass(frozen=True)
class RankedConfig:
    """A configuration with its estimated time in µs, or the reason why it has none.

    ``config`` is as it was given; ``meta`` are its constants and options by name.
    """

    config: Any
    meta: Mapping[str, Any]
    time_us: float | None
    reason: str | None = None
    estimate: Estimate | None = None


def rank(
    kernel: Any,
    grid: Grid,
    arguments: Sequence[Any],
    configs: Sequence[Any] | None = None,
    *,
    machine: str | Machine = DEFAULT_MACHINE,
    **meta: Any,
) -> tuple[RankedConfig, ...]:
    """Estimate each configuration of a launch, the fastest first.

    ``configs`` are dicts of constants and options, or Triton's ``Config``; without them those of an
    autotuned kernel. Those that do not compile or do not fit on the machine come last, with the
    reason. UsageError where there are none, and where arguments do not fit the kernel.
    """
    every = list(getattr(kernel, "configs", ()) if configs is None else configs)
    if not every:
        raise UsageError("rank needs configurations: dicts of constants, or triton.Config")
    inner = kernel.fn if hasattr(kernel, "configs") else kernel
    found = [_ranked(inner, grid, arguments, one, machine, meta) for one in every]
    return tuple(fastest_first(found, lambda one: one.time_us))


def _ranked(
    kernel: Any,
    grid: Grid,
    arguments: Sequence[Any],
    config: Any,
    machine: str | Machine,
    meta: Mapping[str, Any],
) -> RankedConfig:
    own = config if isinstance(config, Mapping) else config.all_kwargs()
    given = {**meta, **own}
    try:
        found = estimate(kernel, grid, *arguments, machine=machine, **given)
    except WarpmillError as error:
        return RankedConfig(config, own, None, words_of(error))
    return RankedConfig(config, own, found.time_us, None, found)


def prune(
    *, machine: str | Machine, keep: float = 0.2, kernel: Any = None
) -> Callable[..., list[Any]]:
    """A hook that keeps the configurations which estimates find fastest.

    For ``triton.autotune(prune_configs_by={"early_config_prune": prune(machine="a100")})``.
    ``keep`` is a share of them (0.2) or a number (5), at least one. ``kernel`` is found from the
    autotuner that calls the hook where it is not named. Where no configuration has an estimate, all
    are kept.
    """
    if keep <= 0 or (keep > 1 and keep != int(keep)):
        raise UsageError(f"keep is a share of configurations up to 1, or a number, not {keep}")
    chip_of(machine)

    def early_config_prune(
        configs: Sequence[Any], named_args: Mapping[str, Any], **given: Any
    ) -> list[Any]:
        grid = given.pop("grid", None)
        given.pop("warmup", None)
        tuned = kernel if kernel is not None else _calling_tuner(configs)
        inner = tuned.fn if hasattr(tuned, "configs") else tuned
        if grid is None:
            raise UsageError("prune needs the grid of the launch, which kernel[grid](...) gives")
        by_name = {**named_args, **given}
        found = rank(inner, grid, (), configs, machine=machine, **by_name)
        known = [one.config for one in found if one.time_us is not None]
        if not known:
            return list(configs)
        return known[: number_kept(keep, len(configs))]

    return early_config_prune


def _calling_tuner(configs: Sequence[Any]) -> Any:
    """The autotuner that calls a hook: Triton hands it configurations and arguments alone."""
    frame = inspect.currentframe()
    while frame is not None:
        tuner = frame.f_locals.get("self")
        if hasattr(tuner, "fn") and getattr(tuner, "configs", None) is configs:
            return tuner
        frame = frame.f_back
    raise UsageError("no autotuner calls this hook: say prune(kernel=...)")
