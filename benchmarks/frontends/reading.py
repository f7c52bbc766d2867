"""Whether the front-ends read an input right: one record an input."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from warpmill.analyzer.base.diagnostics import InputError, Severity, UsageError
from warpmill.analyzer.frontends.load import LoadedModule, load
from warpmill.analyzer.ir.kernel import Function, Module
from warpmill.analyzer.ir.printer import print_module
from warpmill.analyzer.ir.ptx_printer import print_ptx
from warpmill.analyzer.ir.reader import read_module
from warpmill.analyzer.ir.verifier import verify
from warpmill.benchmarks.frontend_inputs.build import Input
from warpmill.benchmarks.frontends.llvm_statements import Counted, count_functions
from warpmill.benchmarks.frontends.statements import count_instructions

_ASSEMBLY = "inline_asm_"
_MOST_TOLD = 5
_OPENCL_BODY = "__clang_ocl_kern_imp_"


@dataclass
class Record:
    """What came out for one input.

    ``functions`` are its functions and kernels with a body, ``equal`` those whose counts agree;
    ``statements`` those of LLVM, ``exact`` those of them whose count is expected exactly.
    ``instructions`` are those of the IR. ``unknown`` counts instructions that the front-end says
    it did not understand.
    """

    name: str
    parsed: bool = False
    functions: int = 0
    equal: int = 0
    read_back: bool | None = None
    reprinted: str | None = None
    instructions: int = 0
    unknown: int = 0
    statements: int = 0
    exact: int = 0
    failures: list[tuple[str, str]] = field(default_factory=list)


def check(given: Input) -> Record:
    """Read an input, count its instructions, print and read its IR, print its PTX."""
    record = Record(given.name)
    try:
        loaded = load(given.path)
    except Exception as problem:  # a crash is a finding too, not the end
        record.failures.append(("parsed", _told(problem)))
        return record
    module = loaded.module
    findings = [str(d.message) for d in verify(module) if d.severity is Severity.ERROR]
    if findings:
        record.failures.append(("parsed", f"not verified: {'; '.join(findings[:_MOST_TOLD])}"))
    record.parsed = not findings
    bodies = (*module.kernels, *module.functions)
    record.instructions = sum(f.instruction_count for f in bodies)
    record.unknown = sum(i.operation.name == "unknown" for f in bodies for i in f.instructions)
    if given.is_ptx:
        _compare_ptx(record, given.path.read_text(), module)
        _reprint(record, module)
    else:
        _compare_llvm(record, loaded)
    _read_back(record, module)
    return record


def _told(problem: Exception) -> str:
    if isinstance(problem, InputError | UsageError):
        return str(problem)[:600]
    return f"{type(problem).__name__}: {problem}"[:600]


def _compare_ptx(record: Record, text: str, module: Module) -> None:
    """Compare the counts of all functions with those of the text, and which functions there are."""
    expected = count_instructions(text)
    found = {f.name: f.instruction_count for f in (*module.kernels, *module.functions)}
    names = sorted({*expected, *found})
    wrong = [n for n in names if expected.get(n) != found.get(n)]
    record.functions, record.equal = len(names), len(names) - len(wrong)
    for name in wrong[:_MOST_TOLD]:
        words = f"{name}: {found.get(name)} instructions, not {expected.get(name)}"
        record.failures.append(("counts_equal", words))


def _compare_llvm(record: Record, loaded: LoadedModule) -> None:
    """Compare, line by line, what each statement became; and the numbers of blocks."""
    expected = {c.name: c for c in count_functions(loaded.source.text)}
    kernels = {k.name for k in loaded.module.kernels}
    for lost in (c.name for c in expected.values() if c.is_kernel and c.name not in kernels):
        record.functions += 1
        record.failures.append(("counts_equal", f"the kernel {lost} is not in the module"))
    for function in (*loaded.module.kernels, *loaded.module.functions):
        record.functions += 1
        if function.name.startswith(_ASSEMBLY):  # made of a text that jumps, not of a function
            record.functions -= 1
            continue
        counted, wrapper = _of(function, expected)
        if counted is None:
            record.failures.append(("counts_equal", f"{function.name} is not in the text"))
            continue
        record.statements += len(counted.statements)
        record.exact += sum(s.is_exact for s in counted.statements)
        wrong = list(_differences(function, counted, wrapper))
        record.equal += not wrong
        record.failures += [("counts_equal", w) for w in wrong[:_MOST_TOLD]]


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


def _reprint(record: Record, module: Module) -> None:
    try:
        record.reprinted = print_ptx(module)
    except Exception as problem:  # a crash is a finding too, not the end
        record.failures.append(("ptxas_checked", f"not printed: {_told(problem)}"))


def _read_back(record: Record, module: Module) -> None:
    try:
        record.read_back = read_module(print_module(module)) == module
    except Exception as problem:  # a crash is a finding too, not the end
        record.read_back = False
        record.failures.append(("ir_read_back", _told(problem)))
        return
    if not record.read_back:
        record.failures.append(("ir_read_back", "the module read back is another one"))
