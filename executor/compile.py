"""A kernel made ready to run: checked for what cannot run, laid out, lowered, compiled."""

from __future__ import annotations

import ctypes
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.analyses.cfg.graph import Loop, build_cfg, dominator_tree, find_loops
from warpmill.analyzer.base.diagnostics import Diagnostic, InputError, Severity, UsageError
from warpmill.analyzer.base.whole_files import most_stack
from warpmill.analyzer.ir.externs import EXTERNS, callee_of
from warpmill.analyzer.ir.kernel import (
    Address,
    Arguments,
    Instruction,
    Kernel,
    Module,
    Operand,
    Pair,
    Special,
    Symbol,
    TupleAddress,
    Variable,
    Vector,
)
from warpmill.analyzer.ir.operation import form_fault
from warpmill.analyzer.ir.types import OpClass, Space
from warpmill.analyzer.launch.numbering import parameter_offsets
from warpmill.analyzer.memory.rules import MemoryRules
from warpmill.executor.context import initial_bytes
from warpmill.executor.native.driver import write_driver
from warpmill.executor.native.instructions import LlvmModule
from warpmill.executor.native.lowering import Counting, Lowered, UnknownFormError, lower
from warpmill.executor.native.paths import PathLayout
from warpmill.executor.native.rules import REFUSALS, RULES
from warpmill.executor.native.specials import Places, is_special_known
from warpmill.executor.sanitizers.exact_integers import original_places, with_exact_addresses
from warpmill.executor.sanitizers.findings import Tool, Tools
from warpmill.executor.sanitizers.numeric_checks import with_numeric_checks
from warpmill.executor.sanitizers.shadow_writing import with_shadows

if TYPE_CHECKING:
    import llvmlite.binding as llvm


_MOST_REFUSALS = 20
_CONTROL = frozenset({"bra", "brx.idx", "switch", "ret", "exit", "unreachable"})


@dataclass(frozen=True)
class CompileOptions:
    """Instrumentation compiled in beside the kernel itself.

    ``count_blocks`` counts executions of blocks by warps and threads, ``count_guards`` the lanes
    that guarded instructions are switched on for, ``count_edges`` crossings of edges where there
    are several, ``count_lanes`` executions of blocks by their number of lanes, ``count_paths`` the
    threads that have been at each block and edge and their iterations of each loop (with blocks and
    edges), ``count_ctas`` each CTA by itself (with blocks). ``memory_rules`` are those that
    accesses are counted by; None: they are not.
    ``concurrent`` makes atomics of integers in global memory such as threads of the CPU can do at
    the same time.
    ``independent_lanes`` has lanes of a warp scheduled independently (``native/lane_schedule.py``).
    ``tools`` are sanitizers whose callbacks are compiled in: there has to be a ``Sanitizer``, which
    provides them, and launches need a watch.
    ``record_events`` writes down what each warp does (``events.py``), ``record_addresses`` with
    the addresses of its accesses.
    """

    count_blocks: bool = True
    count_guards: bool = True
    count_edges: bool = False
    count_lanes: bool = False
    count_paths: bool = False
    count_ctas: bool = False
    memory_rules: MemoryRules | None = None
    concurrent: bool = False
    independent_lanes: bool = False
    record_events: bool = False
    record_addresses: bool = True
    tools: Tools = frozenset()

    def __post_init__(self) -> None:
        needed = self.count_edges or not self.count_paths
        if not needed or not (self.count_blocks or not (self.count_ctas or self.count_paths)):
            raise ValueError("paths need counts of blocks and edges, CTAs those of blocks")


@dataclass(frozen=True)
class CompiledKernel:
    """A kernel as native code, with what a launch has to provide.

    ``guards``, ``edges`` and ``loops`` are what is counted one by one, in the order of the counts.
    """

    kernel: Kernel
    module: Module
    options: CompileOptions
    lowered: Lowered
    code: NativeCode = field(repr=False)
    guards: tuple[tuple[int, int], ...]
    edges: tuple[tuple[int, int], ...]
    loops: tuple[Loop, ...]
    static_shared_bytes: int
    variable_bytes: int
    takes_stack: bool
    global_names: tuple[str, ...]
    constants: tuple[tuple[Variable, int], ...]
    seconds: float

    @property
    def lanes(self) -> int:
        """Lanes of a warp."""
        return self.module.warp_size

    @property
    def local_bytes(self) -> int:
        """Bytes of a thread's local memory: its variables, and a stack where it takes some."""
        return self.variable_bytes + (most_stack() if self.takes_stack else 0)

    @cached_property
    def reads_reserved_shared(self) -> bool:
        """Whether the kernel asks where the system's own shared memory is."""
        return any(
            name.startswith("reserved_smem")
            for i in self.kernel.instructions
            for name in _specials(i.operands)
        )

    @cached_property
    def entry(self) -> Callable[[int], int]:
        """The native code that goes on with the CTAs of a context, by the context's address."""
        native = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p)
        return native(self.code.address("run"))

    @cached_property
    def lengths(self) -> npt.NDArray[np.int64]:
        """How many instructions each block has."""
        return np.array([len(b.instructions) for b in self.kernel.blocks], np.int64)

    @cached_property
    def has_calls(self) -> bool:
        """Whether the kernel calls what the host does for it."""
        return any(i.operation.op_class is OpClass.CALL for i in self.kernel.instructions)

    @property
    def most_words(self) -> int:
        """Words that one segment writes down at most, and the turns of a full CTA before it."""
        return self.lowered.most_words + 2 * 1024

    @property
    def constants_bytes(self) -> int:
        """Bytes of the module's constant variables."""
        return max((offset + (v.size_bytes or 0) for v, offset in self.constants), default=0)

    def constant_image(self, addresses: Mapping[str, int]) -> npt.NDArray[np.uint8]:
        """The contents of the constant variables; ``addresses`` are what they may name."""
        image = np.zeros(self.constants_bytes, np.uint8)
        for variable, offset in self.constants:
            data = initial_bytes(variable, addresses, self.module.address_bits // 8)
            image[offset : offset + data.size] = data
        return image

    @cached_property
    def for_threads(self) -> CompiledKernel:
        """The kernel for CTAs that run at the same time: another where it has global atomics."""
        atomics = [i for i in self.kernel.instructions if i.operation.op_class is OpClass.ATOMIC]
        if all(i.operation.space is Space.SHARED for i in atomics):
            return self
        return compile_kernel(self.module, self.kernel, replace(self.options, concurrent=True))

    @cached_property
    def constant_offsets(self) -> dict[str, int]:
        """Offset of each constant variable in the image."""
        return {v.name: offset for v, offset in self.constants}


class CompiledKernels:
    """The kernels that were compiled last: many launches of one kernel compile it once.

    A kernel is known by its identity, which lasts as long as what was compiled of it.
    """

    def __init__(self, most: int = 32) -> None:
        self._most = most
        self._kept: dict[tuple[int, int, CompileOptions], CompiledKernel] = {}

    def of(self, module: Module, kernel: Kernel, options: CompileOptions) -> CompiledKernel:
        """A kernel, compiled. Errors as ``compile_kernel``."""
        key = id(module), id(kernel), options
        found = self._kept.pop(key, None) or compile_kernel(module, kernel, options)
        self._kept[key] = found
        if len(self._kept) > self._most:
            self._kept.pop(next(iter(self._kept)))
        return found


COMPILED = CompiledKernels()
"""Those of this process."""


def compile_kernel(
    module: Module, kernel: Kernel, options: CompileOptions = CompileOptions()
) -> CompiledKernel:
    """Compile a kernel whose device functions have been inlined.

    InputError with everything that cannot run, each at its place: nothing has been started then.
    """
    problems = list(refusals(module, kernel))
    if problems:
        raise InputError(*problems[:_MOST_REFUSALS])
    begin = time.perf_counter()
    original = kernel
    if Tool.OVERFLOW in options.tools:
        kernel = with_exact_addresses(kernel)
    if Tool.INITCHECK in options.tools:
        kernel = with_shadows(kernel, len(original.registers))
    if Tool.NUMERICS in options.tools:
        kernel = with_numeric_checks(kernel)
    if kernel is not original:
        options = replace(options, count_guards=False)
    layout = _lay_out(module, kernel)
    places = Places(
        layout.names,
        f"i{module.address_bits}",
        layout.sizes,
        concurrent=options.concurrent,
        bytes_of={v.name: v.size_bytes or 0 for v in kernel.variables},
        constant_buffers=any(p.pointee_space is Space.CONST for p in kernel.parameters),
    )
    guards = _guards(kernel) if options.count_guards else ()
    edges = _edges(kernel) if options.count_edges else ()
    loops = _loops(kernel) if options.count_paths else ()
    headers = tuple(loop.header for loop in loops)
    paths = PathLayout(module.warp_size, len(kernel.blocks), edges, headers)
    counting = Counting(
        options.count_blocks,
        {g: k for k, g in enumerate(guards)},
        {edge: k for k, edge in enumerate(edges)},
        options.count_lanes,
        paths if options.count_paths else None,
        options.count_ctas,
        options.memory_rules,
        options.record_events,
        options.record_events and options.record_addresses,
    )
    text = LlvmModule(
        module.warp_size,
        places.constant_buffers,
        options.tools,
        # elsewhere masks stand for all lanes that are there
        checks_masks=Tool.SYNCCHECK in options.tools and module.target.startswith("sm_"),
        independent=options.independent_lanes,
    )
    try:
        lowered = lower(text, kernel, places, counting)
    except UnknownFormError as error:
        refused = _cannot(module, error.instruction, "its operands are none that it is known with")
        raise InputError(replace(refused, hint=_unknown_form(error))) from error
    write_driver(text, lowered)
    if kernel is not original:
        at = original_places(original, kernel)
        lowered = replace(lowered, sites=tuple(at[place] for place in lowered.sites))
        kernel = original
    code = NativeCode(text)
    return CompiledKernel(
        kernel=kernel,
        module=module,
        options=options,
        lowered=lowered,
        code=code,
        guards=guards,
        edges=edges,
        loops=loops,
        static_shared_bytes=layout.shared_bytes,
        variable_bytes=layout.sizes[Space.LOCAL],
        takes_stack=layout.takes_stack,
        global_names=layout.global_names,
        constants=layout.constants,
        seconds=time.perf_counter() - begin,
    )


def refusals(module: Module, kernel: Kernel) -> Iterator[Diagnostic]:
    """An error for each instruction that cannot run."""
    for instruction in kernel.instructions:
        reason = _reason(module, instruction)
        if reason is not None:
            yield _cannot(module, instruction, reason)


def _unknown_form(error: UnknownFormError) -> str:
    """Hint for an unknown form: the executor takes what ptxas does, or should."""
    told = f" ({error})" if str(error) else ""
    return f"where ptxas takes it, this is a bug in warpmill{told}; report it with the kernel"


def _cannot(module: Module, instruction: Instruction, reason: str) -> Diagnostic:
    message = f"`{instruction.operation.opcode}` cannot be executed: {reason}"
    return Diagnostic(Severity.ERROR, message, module.name, instruction.span)


def _reason(module: Module, instruction: Instruction) -> str | None:
    operation = instruction.operation
    if operation.op_class is OpClass.CALL:
        return _call_reason(module, instruction)
    if operation.name not in RULES and operation.name not in _CONTROL:
        return "the executor has no code for it"
    unknown = [s for s in _specials(instruction.operands) if not is_special_known(s)]
    if unknown:
        return f"%{unknown[0]} has no value here"
    fault = form_fault(operation)
    refusal = REFUSALS.get(operation.name)
    return fault if fault is not None or refusal is None else refusal(instruction)


def _call_reason(module: Module, call: Instruction) -> str | None:
    callee = callee_of(call)
    if callee is None:
        return "no function whose address is taken has its prototype"
    if callee in EXTERNS:
        return None
    if not any(f.name == callee for f in module.functions):
        return f"{callee} has no body here"
    return f"{callee} could not be inlined"


def _specials(operands: tuple[Operand, ...]) -> Iterator[str]:
    for operand in operands:
        match operand:
            case Special(name):
                yield name
            case Vector(items) | Arguments(items) | TupleAddress(items):
                yield from _specials(items)
            case Pair(first, second):
                yield from _specials((first, second))


def _guards(kernel: Kernel) -> tuple[tuple[int, int], ...]:
    """Number the guarded instructions that do not branch."""
    return tuple(
        (block.id, place)
        for block in kernel.blocks
        for place, i in enumerate(block.instructions)
        if i.guard is not None and i is not block.terminator
    )


def _edges(kernel: Kernel) -> tuple[tuple[int, int], ...]:
    """Number the edges of blocks with several ways on; the exit is one past the last block."""
    cfg = build_cfg(kernel)
    several = (b for b in cfg.reverse_postorder if len(cfg.successors[b]) > 1)
    return tuple((b, target) for b in sorted(several) for target in cfg.successors[b])


def _loops(kernel: Kernel) -> tuple[Loop, ...]:
    cfg = build_cfg(kernel)
    return find_loops(cfg, dominator_tree(cfg)).loops


@dataclass
class _Layout:
    """Layout of variables and parameters."""

    names: dict[str, tuple[Space, int]] = field(default_factory=dict)
    shared_bytes: int = 0
    takes_stack: bool = False
    global_names: tuple[str, ...] = ()
    constants: tuple[tuple[Variable, int], ...] = ()
    sizes: dict[Space, int] = field(default_factory=dict)


def _lay_out(module: Module, kernel: Kernel) -> _Layout:
    """Place what the kernel names; the order of the declarations is that of the addresses."""
    layout = _Layout()
    offsets, layout.sizes[Space.PARAM] = parameter_offsets(kernel)
    for parameter, offset in zip(kernel.parameters, offsets, strict=True):
        layout.names[parameter.name] = (Space.PARAM, offset)
    named = set(_symbols(kernel))
    every = [v for v in module.variables if v.name in named] + list(kernel.variables)
    ends = {Space.SHARED: 0, Space.LOCAL: 0}
    for variable in every:
        # what calls hand over lies in memory of the thread
        space = Space.LOCAL if variable.space is Space.PARAM else variable.space
        if space in ends and variable.size_bytes is not None:
            start = -(-ends[space] // variable.align) * variable.align
            layout.names[variable.name] = (space, start)
            ends[space] = start + variable.size_bytes
    open_ones = [v for v in every if v.space is Space.SHARED and v.size_bytes is None]
    if open_ones:
        align = max(16, *[v.align for v in open_ones])
        ends[Space.SHARED] = -(-ends[Space.SHARED] // align) * align
        for variable in open_ones:
            layout.names[variable.name] = (Space.SHARED, ends[Space.SHARED])
    layout.shared_bytes = ends[Space.SHARED]
    layout.sizes[Space.LOCAL] = -(-ends[Space.LOCAL] // 16) * 16
    takes_stack = any(i.operation.name == "alloca" for i in kernel.instructions)
    layout.takes_stack = takes_stack
    layout.constants = _constants(module)
    ends_of_constants = [offset + (v.size_bytes or 0) for v, offset in layout.constants]
    layout.sizes[Space.CONST] = max(ends_of_constants, default=0)
    for variable, offset in layout.constants:
        layout.names[variable.name] = (Space.CONST, offset)
    layout.global_names = tuple(
        v.name for v in module.variables if v.space is Space.GLOBAL and v.name in named
    )
    for number, name in enumerate(layout.global_names):
        layout.names[name] = (Space.GLOBAL, number)
    return layout


def _constants(module: Module) -> tuple[tuple[Variable, int], ...]:
    placed, end = [], 0
    for variable in module.variables:
        if variable.space is Space.CONST:
            start = -(-end // variable.align) * variable.align
            placed.append((variable, start))
            end = start + (variable.size_bytes or 0)
    return tuple(placed)


def _symbols(kernel: Kernel) -> Iterator[str]:
    for instruction in kernel.instructions:
        yield from _names(instruction.operands)
    for block in kernel.blocks:
        for edge in block.incoming:
            yield from _names(tuple(value for _, value in edge.copies))


def _names(operands: tuple[Operand, ...]) -> Iterator[str]:
    for operand in operands:
        match operand:
            case Symbol(name):
                yield name
            case Address(base=Symbol(name)):
                yield name
            case Vector(items) | Arguments(items) | TupleAddress(items):
                yield from _names(items)
            case Pair(first, second):
                yield from _names((first, second))


# Text of LLVM made into native code of this CPU, in this process.


class NativeCode:
    """A module's machine code; functions are found by name while it lives."""

    def __init__(self, module: LlvmModule) -> None:
        _provide_shared(module)
        self._engine = _compiled(module.text())

    def address(self, name: str) -> int:
        """The address of a function."""
        return int(self._engine.get_function_address(name))


_shared: dict[str, llvm.ExecutionEngine] = {}
"""Owner of the machine code of each shared function, by symbol: it lives with the process.

Half of the time that LLVM took for a small kernel went into functions that the kernel before it had
as well, such as those that check addresses.
"""

_sharing = threading.Lock()


def _provide_shared(module: LlvmModule) -> None:
    """Compile the shared functions of a module that no module before it had."""
    import llvmlite.binding as llvm  # noqa: PLC0415 - slow to load, only to run kernels

    with _sharing:
        missing = {f.symbol for f in module.shared.values()} - _shared.keys()
        if not missing:
            return
        engine = _compiled(module.shared_text(_shared))
        for symbol in missing:
            llvm.add_symbol(symbol[1:], engine.get_function_address(symbol[1:]))
            _shared[symbol] = engine


_MOST_OPTIMISED = 2_000_000
"""Characters of LLVM IR that are optimised, those of some ten thousand instructions.

Allocating registers well takes LLVM 25 s for a straight line of 30,000 instructions; as they come,
1 s. What is computed is the same.
"""


_LARGEST_OPTIMISED = 400_000
"""Characters of a basic block that are optimised: 11,000 lines take 3 s, 36,000 take 37 s."""

_LABEL = re.compile(r"^[\w.$-]+:$", re.MULTILINE)


def _compiled(text: str) -> llvm.ExecutionEngine:
    import llvmlite.binding as llvm  # noqa: PLC0415 - slow to load, only to run kernels

    largest = max(map(len, _LABEL.split(text)))
    optimised = len(text) <= _MOST_OPTIMISED and largest <= _LARGEST_OPTIMISED
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(text), target_machine(optimised))
    engine.finalize_object()
    return engine


_COMPILER_LIBRARY = "libgcc_s.so.1"


@cache
def _initialise() -> None:
    """Make LLVM ready, with the functions that it calls where a CPU has no instruction."""
    import llvmlite.binding as llvm  # noqa: PLC0415 - slow to load, only to run kernels

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    try:
        llvm.load_library_permanently(_COMPILER_LIBRARY)
    except RuntimeError as error:
        features = llvm.get_host_cpu_features()
        if features.get("f16c", True) and features.get("fma", True):
            return  # only conversions of half precision would call it
        words = f"this CPU converts half precision by {_COMPILER_LIBRARY}, which is not there"
        raise UsageError(f"{words}: {error}") from None


def target_machine(optimised: bool = True, features: str | None = None) -> llvm.TargetMachine:
    """Make a code generator for this CPU; ``features`` replaces those that it has."""
    import llvmlite.binding as llvm  # noqa: PLC0415 - slow to load, only to run kernels

    _initialise()
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=features or llvm.get_host_cpu_features().flatten(),
        opt=2 if optimised else 0,
    )
