"""Declarations without a definition: variables of other files, functions of CUDA.

What is in such a variable is unknown, not zero. A kernel that only writes one needs no contents;
one that loads from it, or hands on its address, does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from warpmill.analyzer.base.diagnostics import Diagnostic, Severity
from warpmill.analyzer.ir.kernel import (
    Address,
    Instruction,
    Kernel,
    Module,
    Operand,
    Symbol,
    Variable,
    registers_in,
    symbols_in,
)
from warpmill.analyzer.ir.types import OpClass, Space

_Names = frozenset[str]
_NONE: _Names = frozenset()


@dataclass(frozen=True, slots=True)
class UndefinedUse:
    """The first instruction that needs the contents of a variable, which nothing defines."""

    variable: Variable
    instruction: Instruction

    @property
    def diagnostic(self) -> Diagnostic:
        """Diagnostic of the use, with a way to supply the contents."""
        name, size = self.variable.name, self.variable.size_bytes
        if self.variable.is_handle:
            words = f"`{name}`, a .{self.variable.type.name}, is bound to nothing"
            hint = f"bind it: --symbol {name}=texture=f32:64x64, or `symbols` of a launch file"
            return Diagnostic(Severity.ERROR, words, span=self.instruction.span, hint=hint)
        what = "" if size is None else f" of {size} bytes"
        words = f"`{name}`{what} is declared here and defined elsewhere: its contents are unknown"
        hint = (
            f"give them: --symbol {name}={_example(self.variable)}, or `symbols` of a launch file"
        )
        return Diagnostic(Severity.ERROR, words, span=self.instruction.span, hint=hint)


def _example(variable: Variable) -> str:
    type_ = "f32" if variable.type.is_float else f"u{max(8, min(64, variable.type.bits))}"
    size = variable.size_bytes
    return f"{type_}:{'SIZE' if size is None else max(1, size * 8 // int(type_[1:]))}:arange"


def undefined_uses(
    module: Module, kernel: Kernel, given: _Names = frozenset()
) -> tuple[UndefinedUse, ...]:
    """Variables that a kernel needs and nothing defines, each with the place of its first use.

    ``given`` are names of variables that the launch or its host program gives contents. Whatever is
    computed from an address may be one: no order of instructions is looked at.
    """
    undefined = {v.name: v for v in module.variables if is_undefined(v) and v.name not in given}
    if not undefined:
        return ()
    holds = _held(module, _NONE.union(undefined))
    if holds.keys().isdisjoint(kernel.symbols):
        return ()
    found: dict[str, UndefinedUse] = {}
    addresses = _addresses(kernel, holds)
    for instruction in kernel.instructions:
        needed = _needed(instruction, addresses) | _bound(instruction, undefined)
        for name in sorted(needed & undefined.keys()):
            found.setdefault(name, UndefinedUse(undefined[name], instruction))
    return tuple(found.values())


def is_undefined(variable: Variable) -> bool:
    """Whether a variable is declared only: ``.extern`` of PTX, ``external`` of LLVM.

    So is a reference to a texture, surface or sampler that says nothing of what it is.
    """
    if variable.is_handle:
        return variable.space is Space.GLOBAL and not any("=" in w for w in variable.attributes)
    is_declared = not {"extern", "external", "extern_weak"}.isdisjoint(variable.attributes)
    in_memory = variable.space in (Space.GLOBAL, Space.CONST)
    return is_declared and in_memory and variable.initialiser is None


def _held(module: Module, undefined: _Names) -> dict[str, _Names]:
    """For each variable that holds addresses of undefined ones, and those themselves, which."""
    holds = dict.fromkeys(undefined, _NONE)
    direct = {
        v.name: [s.name for s in v.initialiser or () if isinstance(s, Symbol)]
        for v in module.variables
    }
    changed = True
    while changed:
        changed = False
        for name, named in direct.items():
            now = holds.get(name, _NONE).union(
                *({other} | holds[other] for other in named if other in holds)
            )
            if now and now != holds.get(name):
                holds[name], changed = now, True
    return holds


def _bound(instruction: Instruction, undefined: Mapping[str, Variable]) -> _Names:
    """The references that an instruction names: there is nothing to do with one but to use it."""
    names = [name for operand in instruction.operands for name in symbols_in(operand)]
    return frozenset(n for n in names if n in undefined and undefined[n].is_handle)


class _Addresses:
    """Variables whose address a register may hold, or an address computed from theirs."""

    def __init__(self, holds: Mapping[str, _Names]) -> None:
        self.holds = holds
        self.registers: dict[int, _Names] = {}

    def of(self, operand: Operand) -> _Names:
        """Those of one operand."""
        names = [name for name in symbols_in(operand) if name in self.holds]
        return frozenset(names).union(
            *(self.registers.get(index, _NONE) for index in registers_in(operand))
        )

    def add(self, register: int, names: _Names) -> bool:
        """Note some for a register; tell whether there are new ones."""
        before = self.registers.get(register, _NONE)
        if names <= before:
            return False
        self.registers[register] = before | names
        return True

    def loaded(self, names: _Names) -> _Names:
        """Addresses that a load from some variables may return."""
        return _NONE.union(*(self.holds[name] for name in names))


def _addresses(kernel: Kernel, holds: Mapping[str, _Names]) -> _Addresses:
    """Follow addresses through registers until nothing is new."""
    found = _Addresses(holds)
    changed = True
    while changed:
        changed = False
        for instruction in kernel.instructions:
            names = _NONE.union(*(found.of(o) for o in instruction.sources))
            op_class = instruction.operation.op_class
            if not names or op_class is OpClass.COMPARE:
                continue
            if op_class.is_memory:
                names = found.loaded(names)
            for register in instruction.writes:
                changed |= found.add(register, names)
        for block in kernel.blocks:
            for edge in block.incoming:
                for to, operand in edge.copies:
                    changed |= found.add(to.index, found.of(operand))
    return found


def _needed(instruction: Instruction, addresses: _Addresses) -> _Names:
    """The variables whose contents an instruction reads, or whose address it hands on."""
    operation = instruction.operation
    op_class = operation.op_class
    if op_class is OpClass.PREFETCH or not (op_class.is_memory or op_class is OpClass.CALL):
        return _NONE
    values = [o for o in instruction.sources if not isinstance(o, Address)]
    read = instruction.accessed if "reads" in operation.effects else ()
    read = read[:1] if op_class is OpClass.ASYNC_COPY else read
    return _NONE.union(*(addresses.of(o) for o in (*read, *values)))


# Functions without a body that CUDA offers: printing, assertions, the device heap.

HOST_FUNCTIONS = {"vprintf": (0, 2), "malloc": (1, 1), "free": (2, 1)}
"""The number by which each function is called, and how many arguments it takes."""

ASSERTIONS = ("__assertfail", "__assert_fail")

EXTERNS = frozenset({*HOST_FUNCTIONS, *ASSERTIONS})
"""Names of the functions that may stay calls: none of them executes code of the device."""


def callee_of(call: Instruction) -> str | None:
    """Name the function that a call is of; None: it is known at run time only."""
    target = call.operands[1] if len(call.operands) > 1 else None
    return target.name if isinstance(target, Symbol) else None


def is_unfollowed(instruction: Instruction) -> bool:
    """Whether it calls code of the device that does not stand in the kernel."""
    is_call = instruction.operation.op_class is OpClass.CALL
    return is_call and callee_of(instruction) not in EXTERNS
