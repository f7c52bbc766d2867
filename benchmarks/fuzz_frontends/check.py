"""The whole way that a user's file goes, and what must hold on it whatever the file is."""

from __future__ import annotations

import re
import traceback
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from warpmill.analyzer.analyses.access.accesses import memory_accesses
from warpmill.analyzer.analyses.analyse import analyse_structure
from warpmill.analyzer.analyses.mix import instruction_mix
from warpmill.analyzer.analyses.ranges.bounds import loop_bounds
from warpmill.analyzer.base.diagnostics import Diagnostic, Source, Span, WarpmillError
from warpmill.analyzer.frontends.load import LoadedModule, kernel_names, load_all, load_kernel
from warpmill.analyzer.ir.inline import inline_calls
from warpmill.analyzer.ir.kernel import Kernel
from warpmill.analyzer.ir.printer import print_module
from warpmill.analyzer.ir.reader import read_module
from warpmill.analyzer.ir.verifier import verify
from warpmill.analyzer.machine_code.cubins import read_cubin
from warpmill.benchmarks.benchmark import ROOT
from warpmill.benchmarks.fuzz_frontends.seeds import MUTATED_BY_FORM
from warpmill.simulator.assembler.registers import register_pressure

ACCEPTED, REJECTED = "accepted", "rejected"
TRACEBACK, BAD_SPAN, INVALID_IR = "traceback", "bad span", "invalid IR"
NOT_READ_BACK, UNLOCATED, BAD_OUTPUT = "not read back", "unlocated", "bad output"
"""What is found about a file, in the words that the fuzzer tells."""


class Found(NamedTuple):
    """What became of a file: a kind, where in the code, and in which words."""

    kind: str
    place: str = ""
    words: str = ""
    child_died: bool = False


BY_NAME_ONE_IN = 4
"""Of so many files one is also read as ``load_kernel`` does, by the name of a kernel."""

_FRAME = re.compile(r'File "(.*)", line (\d+),? in (\S+)')
_CHILD_DIED = "LLVM gave up on this module"


class WrongError(Exception):
    """Something that must hold does not."""

    def __init__(self, kind: str, place: str, words: str) -> None:
        super().__init__(words)
        self.found = Found(kind, place, words)


def check(path: Path, frontend: str, number: int) -> Found:
    """Take a file the whole way; every exception becomes what is found."""
    try:
        if frontend in MUTATED_BY_FORM:
            from warpmill.benchmarks.fuzz_frontends.commands import check_commands  # noqa: PLC0415 - loads the CLI

            return check_commands(path, frontend, number)
        return _check(path, frontend, number)
    except WrongError as wrong:
        return wrong.found
    except Exception as error:
        text = traceback.format_exc()
        words = text.replace(f"{ROOT}/", "")[-1500:]
        return Found(TRACEBACK, crash(type(error).__name__, text, "no frame"), words)


def _check(path: Path, frontend: str, number: int) -> Found:
    if frontend == "binary":
        _read(read_cubin, path)
    loaded = _read(load_all, path)
    if isinstance(loaded, WarpmillError):
        return Found(REJECTED, child_died=_CHILD_DIED in str(loaded))
    for each in loaded:
        _module(each)
    if number % BY_NAME_ONE_IN == 0:
        _by_name(path, {kernel.name for each in loaded for kernel in each.module.kernels})
    return Found(ACCEPTED)


def _read(reader: Callable[[Path], Any], path: Path) -> Any:
    """What a reader makes of a file, or the error, whose places are right."""
    try:
        return reader(path)
    except WarpmillError as error:
        _diagnostics(error.diagnostics, path, None)
        return error


def _by_name(path: Path, parsed: set[str]) -> None:
    """The kernels that are found without parsing are those that parsing finds; one is read."""
    names = kernel_names(path)
    if set(names) != parsed:
        words = f"without parsing {sorted(names)[:5]}, parsed {sorted(parsed)[:5]}"
        raise WrongError(INVALID_IR, "kernel_names differs", words)
    if names:
        load_kernel(path, names[0])


def _module(loaded: LoadedModule) -> None:
    module = loaded.module
    _diagnostics(loaded.diagnostics, loaded.path, loaded.source)
    _valid(module, "module")
    _read_back(module, "module")
    for function in (*module.kernels, *module.functions):
        for instruction in function.instructions:
            span, source = instruction.span, loaded.source
            if span is not None:
                line = source.line(span.line)
                _inside(span, len(source.lines), line, str(instruction.operation.opcode))
    for kernel in module.kernels:
        _kernel(loaded, kernel)


def _kernel(loaded: LoadedModule, kernel: Kernel) -> None:
    inlined = inline_calls(loaded.module, kernel)
    _diagnostics(inlined.diagnostics, loaded.path, loaded.source)
    whole = replace(loaded.module, kernels=(inlined.kernel,))
    if inlined.kernel is not kernel:
        _valid(whole, "inlined")
        _read_back(whole, "inlined")
    if inlined.kernel.blocks:
        structure = analyse_structure(inlined.kernel)
        loop_bounds(structure)
        memory_accesses(whole, structure)
        register_pressure(inlined.kernel, structure.cfg)
    instruction_mix(inlined.kernel)


def _valid(module: Any, what: str) -> None:
    found = verify(module)
    if found:
        rule = found[0].message.split(":", 1)[0]
        raise WrongError(INVALID_IR, f"{what}, {rule}", str(found[0]))


def _read_back(module: Any, what: str) -> None:
    text = print_module(module)
    again: Any = read_module(text)
    if what == "inlined":  # the text form leaves out where an instruction was called from
        module, again = text, print_module(again)
    if again != module and repr(again) != repr(module):  # a NaN equals nothing
        raise WrongError(NOT_READ_BACK, f"{what} differs", "")


def _diagnostics(diagnostics: Iterable[Diagnostic], path: Path, source: Source | None) -> None:
    """Each must be printable and point into the text: into its excerpt where there is no other."""
    for diagnostic in diagnostics:
        str(diagnostic)
        span, lines, line = diagnostic.span, None, diagnostic.excerpt
        if span is None:
            continue
        if source is not None:
            lines, line = len(source.lines), source.line(span.line)
        elif path.suffix == ".ptx":
            lines = path.read_bytes().replace(b"\r\n", b"\n").decode().count("\n") + 1
        _inside(span, lines, line, diagnostic.message)


def _inside(span: Span, lines: int | None, line: str | None, words: str) -> None:
    """A span must be of so many lines, and of columns of its line, as far as these are known."""
    if lines is not None and not 1 <= span.line <= lines:
        raise WrongError(BAD_SPAN, "line", f"{span} of {lines} lines: {words[:300]}")
    if line is not None and not 1 <= span.column < span.end_column <= len(line) + 2:
        raise WrongError(BAD_SPAN, "columns", f"{span} in {line[:200]!r}: {words[:300]}")


def frames(text: str) -> list[str]:
    """The project's frames in a traceback as Python or faulthandler writes it, in its order."""
    return [
        f"{file.removeprefix(f'{ROOT}/')}:{line} {function}"
        for file, line, function in _FRAME.findall(text)
        if file.startswith(f"{ROOT}/") and "/.venv/" not in file
    ]


def crash(name: str, text: str, otherwise: str) -> str:
    """The name of an error and the last frame of its traceback; of a recursion its function."""
    found = frames(text) or [otherwise]
    if name == "RecursionError":
        functions = Counter(re.sub(r":\d+ ", " ", frame) for frame in found)
        return f"{name} in {functions.most_common(1)[0][0]}"
    return f"{name} in {found[-1]}"
