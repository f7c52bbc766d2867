"""What all micro-benchmarks share: parameters, the clock around a loop, the record of a warp."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from warpmill.analyzer.ir.kernel import Block, Instruction, Kernel, Module, Parameter, Variable
from warpmill.analyzer.ir.ptx_printer import NOUNROLL, print_ptx
from warpmill.analyzer.ir.types import TYPES, Space
from warpmill.codegen.emission.render import render
from warpmill.codegen.microbench.statements import NamedRegisters
from warpmill.codegen.synthesis.writing import NOWHERE
from warpmill.codegen.targets import ptx_version

RECORD_BYTES = 16
"""A warp's record: the cycles that it took by its clock, and what its registers came to."""

WARP = 32
"""Lanes of a warp of the chips that PTX is for."""

LOCATOR = "locate"

_FIRST = (("records", "u64"), ("memory", "u64"), ("turns", "u32"))

BEGIN = """
ld.param.u64 qr [&records]; ld.param.u64 qm [&memory]; ld.param.u32 rt [&turns];
mov.u32 rx %tid.x; mov.u32 ry %ctaid.x; mov.u32 rz %ntid.x;
mad.lo.u32 rw ry rz rx; shr.u32 rv rw 5; mul.wide.u32 qw rv 16; add.s64 qr qr qw; and.b32 rl rx 31
"""
"""What every kernel begins with.

Behind it are known: qr, the warp's record; qm, the memory; rt, the turns; rx, ry, rz, thread, CTA
and threads of a CTA; rw, the thread in the grid, rv its warp; rl, the lane.
"""

START, STOP = "mov.u64 qs %clock64", "mov.u64 qe %clock64"
_TURN = "sub.u32 rt rt 1; setp.ne.u32 pt rt 0"
_END = """
sub.s64 qe qe qs; cvt.u64.u32 qo ro; setp.eq.u32 pl rl 0; @pl st.global.v2.u64 [qr] {qe qo}; ret
"""


@dataclass(frozen=True)
class Microbench:
    """A micro-benchmark: PTX text of one kernel, called ``kernel``, and what it is launched with.

    Its parameters are records, memory and turns, then those of ``numbers`` (u32 each). ``links``
    are the operations that a turn of its loop makes one warp do. ``data``: what it executes or
    where it accesses memory depends on what memory holds. ``table`` is a variable in constant
    memory that the chain stands in; another kernel, LOCATOR, tells where the code finds it.
    ``clocked``: it keeps records.
    """

    name: str
    text: str
    kernel: str
    links: int
    numbers: tuple[str, ...] = ()
    data: bool = False
    table: str | None = None
    clocked: bool = True


@dataclass(frozen=True)
class MicrobenchBody:
    """A kernel as its parts: what comes before the clock is read, the loop, what comes after.

    The loop may be of several blocks, and ``exits`` are blocks that lead on to what comes after. A
    jump names the loop's blocks from 0, and behind these the exits. ``value`` puts into ro what
    the record keeps. ``scope`` has the registers that the parts named.
    """

    scope: NamedRegisters
    before: Sequence[Instruction]
    loop: Sequence[Sequence[Instruction]]
    value: Sequence[Instruction]
    exits: Sequence[Sequence[Instruction]] = ()
    variables: Sequence[Variable] = ()


def microbench(
    name: str,
    about: str,
    body: MicrobenchBody,
    chip: str,
    links: int,
    *,
    numbers: tuple[str, ...] = (),
    data: bool = False,
    table: str | None = None,
) -> Microbench:
    """Put a kernel together and print it."""
    held, scope = body.variables, body.scope
    shared = [v for v in held if v.space is Space.SHARED]
    kernels = (_kernel(name, scope, body, numbers, shared), *([_locator(table)] if table else ()))
    version = ptx_version(Module("", chip, "", 64, WARP, ()), chip)
    constants = tuple(v for v in held if v.space is not Space.SHARED)
    module = Module(name, chip, version, 64, WARP, kernels, variables=constants)
    note = (f"{name}: {about}", "A micro-benchmark that warpmill calibrates machines with.")
    text = render("ptx/clone.ptx.j2", {"note": note, "module": print_ptx(module)})
    return Microbench(name, text, name, links, numbers, data, table)


def _kernel(
    name: str,
    scope: NamedRegisters,
    body: MicrobenchBody,
    numbers: tuple[str, ...],
    shared: Sequence[Variable],
) -> Kernel:
    blocks = tuple(_blocks(scope, body))
    return Kernel(
        name,
        tuple(parameters(numbers)),
        tuple(scope.registers.declared),
        blocks,
        NOWHERE,
        tuple(shared),
        attributes=("visible",),
    )


def _blocks(scope: NamedRegisters, body: MicrobenchBody) -> list[Block]:
    """Give the beginning, the loop, what comes after, and the exits behind that."""
    after = len(body.loop) + 1
    parts: list[tuple[str, list[Instruction]]] = [
        ("$BEGIN", [*scope.written(BEGIN), *body.before, scope.write(START)])
    ]
    for number, part in enumerate(body.loop):
        parts.append((f"$LOOP{number}", [_placed(one, after) for one in part]))
    parts[-1][1].extend([*scope.written(_TURN), scope.write("@pt bra", (1,))])
    parts.append(("$AFTER", [scope.write(STOP), *body.value, *scope.written(_END)]))
    for number, part in enumerate(body.exits):
        parts.append((f"$EXIT{number}", [*part, scope.write("bra.uni", (after,))]))
    return [
        Block(
            number,
            label,
            tuple(made),
            number + 1 if number < after else None,
            attributes=(NOUNROLL,) if number == 1 else (),
        )
        for number, (label, made) in enumerate(parts)
    ]


def _locator(table: str) -> Kernel:
    """Make the kernel that tells where its code finds a variable: the first word of the records."""
    scope = NamedRegisters()
    text = f"ld.param.u64 qr [&records]; mov.u64 qo &{table}; st.global.u64 [qr] qo; ret"
    block = Block(0, "$BEGIN", tuple(scope.written(text)), None)
    records = tuple(parameters(()))[:1]
    registers = tuple(scope.registers.declared)
    return Kernel(LOCATOR, records, registers, (block,), NOWHERE, attributes=("visible",))


def _placed(instruction: Instruction, after: int) -> Instruction:
    """Let a jump of the loop lead to its own block, or behind what comes after to an exit."""
    if not instruction.targets:
        return instruction
    targets = tuple(t + 1 if t + 1 < after else t + 2 for t in instruction.targets)
    return replace(instruction, targets=targets)


def parameters(numbers: tuple[str, ...]) -> Iterable[Parameter]:
    """Give the parameters that every kernel has, then numbers."""
    for name, type_ in (*_FIRST, *((one, "u32") for one in numbers)):
        yield Parameter(name, TYPES[type_], TYPES[type_].size_bytes, TYPES[type_].size_bytes)


def variable(name: str, space: Space, size_bytes: int) -> Variable:
    """Make an array of bytes, aligned for any type and any cache; hosts find those of modules."""
    words = () if space is Space.SHARED else ("visible",)
    return Variable(name, space, TYPES["b8"], size_bytes, 256, (size_bytes,), attributes=words)
