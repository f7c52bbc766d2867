"""Whether the front-ends read an input right: one record an input."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from warpmill.analyzer.base.diagnostics import InputError, Severity, UsageError
from warpmill.analyzer.frontends.load import LoadedModule, load
from warpmill.analyzer.ir.kernel import Function, Module
from warpmill.analyzer.ir.printer import print_module
from warpmill.analyzer.ir.ptx_printer import print_ptx
from warpmill.analyzer.ir.reader import read_module
from warpmill.analyzer.ir.verifier import verify
from warpmill.benchmarks.frontend_inputs.build import Input
from warpmill.benchmarks.frontends.llvm_counts import Counted, count_functions
from warpmill.benchmarks.frontends.ptx_counts import count_instructions

_ASSEMBLY = "inline_asm_"
_MOST_TOLD = 5
_OPENCL_BODY = "__clang_ocl_kern_imp_"


@dataclass
class Record:
    """What came out for one input.

    ``functions`` are its functions and kernels with a body, ``equal`` those whose counts agree;
    ``statements`` those of LLVM, ``exact`` those of them whose count is expected exactly.
    ``unknown`` counts instructions that the front-end says it did not understand.
    """

    name: str
    parsed: bool = False
    functions: int = 0
    equal: int = 0
    read_back: bool | None = None
    reprinted: str | None = None
    unknown: int = 0
    statements: int = 0
    exact: int = 0
    failures: list[tuple[str, str]] = field(default_factory=list)

    def compared(self, wrong: list[str]) -> None:
        """Count a function whose instructions were compared, and tell what is wrong of it."""
        self.functions += 1
        self.equal += not wrong
        self.failures += [("counts_equal", words) for words in wrong[:_MOST_TOLD]]


def check(given: Input) -> Record:
    """Read an input, count its instructions, print and read its IR, print its PTX."""
    record = Record(given.name)
    with _crashes_told(record, "parsed"):
        loaded = load(given.path)
        module = loaded.module
        findings = [str(d.message) for d in verify(module) if d.severity is Severity.ERROR]
        if findings:
            record.failures.append(("parsed", f"not verified: {'; '.join(findings[:_MOST_TOLD])}"))
        record.parsed = not findings
        record.read_back = False
        record.unknown = sum(
            i.operation.name == "unknown" for f in _bodies(module) for i in f.instructions
        )
        if given.is_ptx:
            _compare_ptx(record, given.path.read_text(), module)
        else:
            _compare_llvm(record, loaded)
    if record.read_back is None:
        return record
    if given.is_ptx:
        with _crashes_told(record, "ptxas_checked"):
            record.reprinted = print_ptx(module)
    with _crashes_told(record, "ir_read_back"):
        record.read_back = read_module(print_module(module)) == module
        if not record.read_back:
            record.failures.append(("ir_read_back", "the module read back is another one"))
    return record


def _bodies(module: Module) -> tuple[Function, ...]:
    return *module.kernels, *module.functions


@contextmanager
def _crashes_told(record: Record, check: str) -> Iterator[None]:
    """A crash is a finding too, not the end."""
    try:
        yield
    except (InputError, UsageError) as problem:
        record.failures.append((check, str(problem)[:600]))
    except Exception as problem:
        record.failures.append((check, f"{type(problem).__name__}: {problem}"[:600]))


def _compare_ptx(record: Record, text: str, module: Module) -> None:
    """Compare the counts of all functions with those of the text, and which functions there are."""
    expected = count_instructions(text)
    found = {f.name: f.instruction_count for f in _bodies(module)}
    for name in sorted({*expected, *found}):
        here, there = found.get(name), expected.get(name)
        record.compared([] if here == there else [f"{name}: {here} instructions, not {there}"])


def _compare_llvm(record: Record, loaded: LoadedModule) -> None:
    """Compare, line by line, what each statement became; and the numbers of blocks."""
    expected = {c.name: c for c in count_functions(loaded.source.text)}
    kernels = {k.name for k in loaded.module.kernels}
    for lost in (c.name for c in expected.values() if c.is_kernel and c.name not in kernels):
        record.compared([f"the kernel {lost} is not in the module"])
    for function in _bodies(loaded.module):
        if function.name.startswith(_ASSEMBLY):  # made of a text that jumps, not of a function
            continue
        counted, wrapper = _of(function, expected)
        if counted is None:
            record.compared([f"{function.name} is not in the text"])
            continue
        record.statements += len(counted.statements)
        record.exact += sum(s.is_exact for s in counted.statements)
        record.compared(list(_differences(function, counted, wrapper)))


def _of(function: Function, expected: dict[str, Counted]) -> tuple[Counted | None, Counted | None]:
    """The body that a function was read from, and the wrapper that clang put around it."""
    own, inner = expected.get(function.name), expected.get(_OPENCL_BODY + function.name)
    if own is None or inner is None:
        return own, None
    first, last = inner.first_line, inner.statements[-1].line
    is_inner = any(first < i.span.line <= last for i in function.instructions)
    return (inner, own) if is_inner else (own, None)


def _differences(function: Function, counted: Counted, wrapper: Counted | None) -> Iterator[str]:
    """Where a function has other instructions than expected; its header may have some."""
    if len(function.blocks) != counted.blocks:
        yield f"{function.name}: {len(function.blocks)} blocks, not {counted.blocks}"
    lines = Counter(i.span.line for i in function.instructions)
    for statement in counted.statements:
        found = lines.pop(statement.line, 0)
        if found != statement.count if statement.is_exact else found < statement.count:
            least = "" if statement.is_exact else "at least "
            where = f"{function.name}, line {statement.line}, `{statement.text[:100]}`"
            yield f"{where}: {found} instructions, not {least}{statement.count}"
    lines.pop(counted.first_line, None)
    for statement in wrapper.statements if wrapper else ():
        lines.pop(statement.line, None)
    if lines:
        yield f"{function.name}: instructions of line {min(lines)}, which has no statement of its"
