"""The launch of a kernel file, made of options: all that is wrong with them, and what would do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from warpmill.analyzer.base.diagnostics import Diagnostic, Faults, InputError, Severity, UsageError
from warpmill.analyzer.ir.kernel import Kernel, Module
from warpmill.analyzer.launch import Launch
from warpmill.analyzer.launch.check import MAX_THREADS, launch_problems, unfit_arguments
from warpmill.analyzer.launch.model import Argument, BufferArgument, Dim3
from warpmill.analyzer.launch.options import (
    advised_block,
    advised_grid,
    arguments_fix,
    dimensions,
    is_typed,
    launch_from_options,
)
from warpmill.analyzer.launch.triton import triton_launch_beside
from warpmill.session.options import LaunchOptions


def launch_of_options(
    module: Module, kernel: Kernel, path: str | Path, options: LaunchOptions
) -> Launch:
    """The launch that options say. UsageError and InputError with all that is wrong.

    The block of a kernel that was compiled for one block alone may be left out; of one that Triton
    compiled, also shared memory and hidden arguments, which its metadata say.
    """
    options = _with_triton(kernel, path, options)
    faults, needed = Faults(), lacking(module, kernel, options)
    if needed:
        faults.of(lambda: _refuse(UsageError(*needed)))
    launch = faults.of(
        lambda: launch_from_options(
            kernel,
            Path(path),
            options.grid or advised_grid(kernel),
            options.block or advised_block(kernel),
            options.shared or 0,
            options.args,
            options.symbols,
            module,
        )
    )
    shaped = launch or _shape_alone(kernel, path, options)
    faults.of(lambda: _refuse_misfits(shaped, module, kernel, options.args))
    faults.check()
    assert launch is not None
    return launch


def _with_triton(kernel: Kernel, path: str | Path, options: LaunchOptions) -> LaunchOptions:
    """Options with what Triton's metadata beside the PTX say; the grid is that of its programs."""
    found = triton_launch_beside(path)
    if found is None or found.kernel != kernel.name or options.grid is None:
        return options
    try:
        programs = dimensions("grid", options.grid, advised_grid(kernel))
    except UsageError:
        return options  # it is told with all else that is wrong
    hidden = [_text(argument) for argument in found.hidden_arguments(programs)]
    lacks = len(options.args) + len(hidden) == len(kernel.parameters)
    return replace(
        options,
        grid=found.launched_grid(programs),
        block=(found.threads,) if options.block is None else options.block,
        shared=found.shared_bytes if options.shared is None else options.shared,
        args=(*options.args, *hidden) if lacks else options.args,
    )


def _text(argument: Argument) -> str:
    """A hidden argument as an option has it."""
    if isinstance(argument, BufferArgument):
        return f"buffer={argument.element}:{argument.element_count}"
    return "null"


def _shape_alone(kernel: Kernel, path: str | Path, options: LaunchOptions) -> Launch:
    """Grid and block alone, as far as they can be read, where the rest is wrong."""

    def shape(what: str, given: str | Sequence[int] | None, advised: str) -> Dim3:
        try:
            return dimensions(what, given or advised, advised)
        except UsageError:
            return dimensions(what, advised, advised)

    grid = shape("grid", options.grid, advised_grid(kernel))
    block = shape("block", options.block, advised_block(kernel))
    return Launch.of(path, kernel.name, grid=grid, block=block)


def _refuse(error: UsageError) -> None:
    raise error


def lacking(module: Module, kernel: Kernel, options: LaunchOptions) -> list[Diagnostic]:
    """Missing parts of a launch, each with one that would do.

    The block of a kernel that was compiled for one alone is known.
    """
    missing = {}
    if options.grid is None:
        missing["--grid"] = advised_grid(kernel)
    if options.block is None and kernel.bounds.required_threads is None:
        missing["--block"] = advised_block(kernel)
    if options.given:
        because = f"a launch from options needs {{}}, as {options.given[0]} is given"
        return [
            Diagnostic(Severity.ERROR, because.format(option), fix=(option, (value,)))
            for option, value in missing.items()
        ]
    words = "a launch is needed: give a launch file, or --grid and --block with an --arg for "
    fixes = [(option, (value,)) for option, value in missing.items()]
    arguments = arguments_fix(module, kernel, {})
    if arguments is None:  # a struct, or another parameter that options have no word for
        return [Diagnostic(Severity.ERROR, f"{words}each parameter")]
    problem = Diagnostic(Severity.ERROR, f"{words}each parameter")
    return [replace(problem, fix=fix) for fix in (*fixes, arguments)]


def _refuse_misfits(launch: Launch, module: Module, kernel: Kernel, texts: Sequence[str]) -> None:
    """Refuse a launch that does not fit its kernel, with what would. InputError."""
    problems = launch_problems(launch, module, kernel)
    if not launch.arguments:  # where they are wrong, that was said
        problems = [(key, problem) for key, problem in problems if key in {"shape", "block"}]
    if not problems:
        return
    wrong = unfit_arguments(launch, module, kernel)
    in_order = all(map(is_typed, texts))
    right = {n: text for n, text in enumerate(texts) if n not in wrong} if in_order else {}
    fixes = {
        "shape": ("--grid", (advised_grid(kernel),))
        if launch.threads_per_cta <= MAX_THREADS
        else None,
        "block": ("--block", (advised_block(kernel),)),
        "args": arguments_fix(module, kernel, right) if in_order else None,
    }
    if fixes["shape"] is None:
        fixes["shape"] = fixes["block"]
    raise InputError(*(replace(d, fix=fixes.get(key)) for key, d in problems))
