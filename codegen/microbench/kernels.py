"""The kernels of micro-benchmarks: chains, pointer chases, streams, strides, branches, nothing."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import zip_longest

from warpmill.analyzer.ir.kernel import (
    Block,
    Instruction,
    Kernel,
    Module,
    Reg,
    TupleAddress,
    Variable,
    Vector,
)
from warpmill.analyzer.ir.ptx_printer import print_ptx
from warpmill.analyzer.ir.types import Space
from warpmill.codegen.emission.render import render
from warpmill.codegen.microbench.frame import (
    WARP,
    MeasuredOperation,
    Microbench,
    MicrobenchBody,
    NamedRegisters,
    copied,
    measured_operations,
    microbench,
    names_in,
    own_of,
    parameters,
    variable,
)
from warpmill.codegen.synthesis.writing import NOWHERE, write
from warpmill.codegen.targets import ptx_version

# Chains of one operation: each waits for the one before, in one chain or in several side by side.
#
# A dependent chain takes the operation's latency, many of them take its issue interval (§IV-A-2,
# Table I). The paper exchanges source and destination after each operation, so that no compiler
# joins them; the table's codes do that where ptxas would.

_ONE_BITS = {"f": 0x3F80_0000, "d": 0x3FF0_0000_0000_0000}
"""Bits of 1.0. Registers begin a little above it, where no operation takes a slow path."""

_CELL = "cell"  # what shared atomics work on


@cache
def chain(
    operation: MeasuredOperation, copies: int, unroll: int, chip: str, pads: int = 0
) -> Microbench:
    """A kernel whose warps each go on with so many chains of an operation.

    A turn of its loop does ``unroll`` links of each chain; behind each statement stand ``pads`` of
    the operation that lengthens it.
    """
    statements = copied("; ".join(_padded(operation, pads)), copies)
    scope = NamedRegisters()
    names = names_in("; ".join([operation.begin, *statements]))
    before = scope.written("mad.lo.u32 rn rx rt rt")
    before += [one for name in names if name != "qm" for one in scope.written(_begun(name, scope))]
    before += scope.written(operation.begin)
    loop = [[scope.write(one) for _ in range(unroll) for one in statements]]
    value = scope.written("; ".join(_value(own_of(names))))
    made = f"{copies} x {unroll} links of {operation.name}"
    about = made if not pads else f"{made}, {pads} of {operation.pad} behind each"
    return microbench(
        _name(operation, copies, unroll, pads),
        f"{about} a turn",
        MicrobenchBody(scope, before, loop, value, variables=_variables(names)),
        chip,
        unroll * copies * operation.links,
    )


def _padded(operation: MeasuredOperation, pads: int) -> Iterator[str]:
    """The statements of a link, with so many operations behind each that lengthen it."""
    for statement, pad in zip_longest(operation.statements, operation.pads):
        yield statement
        yield from [measured_operations()[pad].code] * pads if pads else ()


def _name(operation: MeasuredOperation, copies: int, unroll: int, pads: int) -> str:
    padded = f"_padded_{pads}" if pads else ""
    return f"chain_{operation.name}_{copies}x{unroll}{padded}"


def _begun(name: str, scope: NamedRegisters) -> str:
    """The statements that a register gets its first value by: one that ptxas cannot know."""
    if name == "ra":
        return f"mov.u32 ra &{_CELL}; shl.b32 ri rl 2; add.u32 ra ra ri; st.shared.u32 [ra] ra"
    if name == "qa":
        return "mul.wide.u32 qi rw 4; add.s64 qa qm qi"
    number = len(scope.known)
    match name[0]:
        case "r":
            return f"add.u32 {name} rn {number}"
        case "f":
            return f"add.u32 ri rn {_ONE_BITS['f'] + number}; mov.b32 {name} ri"
        case "d":
            return f"cvt.u64.u32 qi rn; add.s64 qi qi {_ONE_BITS['d'] + number}; mov.b64 {name} qi"
        case "p":
            return f"setp.eq.u32 {name} rn {number}"
        case _:
            raise ValueError(f"`{name}` has no first value")


def _value(names: tuple[str, ...]) -> Iterator[str]:
    """The statements that put what chains came to together in ro."""
    yield "mov.u32 ro rx"
    for name in names:
        match name[0]:
            case "r":
                yield f"xor.b32 ro ro {name}"
            case "f":
                yield f"mov.b32 ri {name}; xor.b32 ro ro ri"
            case "d":
                yield f"mov.b64 qi {name}; cvt.u32.u64 ri qi; xor.b32 ro ro ri"
            case _:
                yield f"selp.b32 ri 1 0 {name}; xor.b32 ro ro ri"


def _variables(names: tuple[str, ...]) -> tuple[Variable, ...]:
    return (variable(_CELL, Space.SHARED, 4 * WARP),) if "ra" in names else ()


# Pointer chases: each load gives the address of the next one (§III-B-3, §IV-A-2).
#
# What memory holds decides where a chase goes: footprint, stride and order are the ring's, not the
# kernel's. Each warp follows a chain of its own that begins ``stride`` after that of the warp
# before.

TABLE_BYTES = 65536
"""Constant memory that a module may declare."""

_START = {
    "global": "ld.param.u32 rs [&stride]; mul.wide.u32 qi rv rs; add.s64 q0 qm qi",
    "const": "ld.param.u32 rs [&stride]; mul.wide.u32 qi rv rs; mov.u64 q0 &table; "
    "add.s64 q0 q0 qi",
    "texture": "ld.param.u32 rs [&stride]; mul.lo.u32 r0 rv rs",
}
_HOP = {"global": "ld.global.u64 q0 [q0]", "const": "ld.const.u64 q0 [q0]"}
_VALUE = {"global": "cvt.u32.u64 ro q0", "const": "cvt.u32.u64 ro q0", "texture": "mov.u32 ro r0"}

SPACES = tuple(_START)
"""State spaces for pointer chasing."""

ELEMENT_BYTES = {"global": 8, "const": 8, "texture": 4}
"""Bytes of a link of a chain: a pointer, or the number of a texel."""


@cache
def chase(space: str, unroll: int, chip: str) -> Microbench:
    """A kernel that follows pointers in a space, so many hops a turn of its loop.

    Strides of textures count texels, others bytes. A texture is passed as its handle.
    """
    scope = NamedRegisters()
    before = scope.written(_START[space])
    hops = [_texel_hop(scope) if space == "texture" else scope.write(_HOP[space])] * unroll
    is_const = space == "const"
    return microbench(
        f"chase_{space}_{unroll}",
        f"{unroll} hops through {space} memory a turn",
        MicrobenchBody(
            scope,
            before,
            [hops],
            scope.written(_VALUE[space]),
            variables=[variable("table", Space.CONST, TABLE_BYTES)] if is_const else (),
        ),
        chip,
        unroll,
        numbers=("stride",),
        data=True,
        table="table" if is_const else None,
    )


def _texel_hop(scope: NamedRegisters) -> Instruction:
    place = scope.register("r0")
    others: list[Reg] = [scope.register(name) for name in ("ri", "rj", "rk")]
    address = TupleAddress((scope.register("qm"), Vector((place,))))
    return write("tex.1d.v4.u32.s32", Vector((place, *others)), address)


# Streams: warps that read memory, or copy it, without waiting for anything but its bandwidth.
#
# A CTA reads one slab of memory a turn: ``unroll`` times 16 B a thread, which stand ``lane`` bytes
# from those of the next thread and ``step`` bytes from one load to the next. Then it goes on by
# ``advance`` slabs, of ``slabs`` all around. So one kernel reads what L1 holds (no advance), what
# L2 holds (the next CTA's slab, which no SM reads twice before its L1 has lost it) or DRAM (all
# slabs once), coalesced or a sector for each lane.

LOAD_BYTES = 16
"""Bytes that a lane reads at once."""

_NUMBERS = ("lane", "slab", "slabs", "advance")
_BEFORE = """
ld.param.u32 rs [&lane]; ld.param.u32 rb [&slab]; ld.param.u32 rn [&slabs];
ld.param.u32 ra [&advance]; mul.wide.u32 qi rx rs; add.s64 qa qm qi; mov.u32 rc ry; mov.u32 ro 0
"""
_PLACE = "mul.wide.u32 qi rc rb; add.s64 qb qa qi"
_LOAD = "ld.global.v4.u32 {{{}}} [qb+{}]"
_TAKE = "lop3.b32 ro ro {0} {1} 150; lop3.b32 ro ro {2} {3} 150"
"""A load is taken a turn later, so that nothing waits for it; all of it, or ptxas loads less."""
_ON = "add.u32 rc rc ra; setp.ge.u32 pa rc rn; @pa sub.u32 rc rc rn"
_STORE = "st.global.v4.u32 [qt+{}] {{{}}}"


@cache
def stream(
    unroll: int, step: int, chip: str, *, copies: bool = False, again: int = 1
) -> Microbench:
    """A kernel that reads slabs, or with ``copies`` writes each also ``target`` MiB behind.

    ``step`` stands in the code, so that nothing has to be worked out between loads. A turn reads
    and goes on ``again`` times: else warps in step all come to the loop's end at once.
    """
    scope = NamedRegisters()
    loaded = [" ".join(f"r{4 * k + part}" for part in range(4)) for k in range(unroll)]
    loads = [_LOAD.format(names, k * step) for k, names in enumerate(loaded)]
    numbers: tuple[str, ...] = _NUMBERS
    before, place = [_BEFORE], _PLACE
    if copies:
        numbers = (*_NUMBERS, "target")
        before.append("ld.param.u32 ri [&target]; cvt.u64.u32 qc ri; shl.b64 qc qc 20")
        place += "; add.s64 qt qb qc"
        done = [*loads, *[_STORE.format(k * step, names) for k, names in enumerate(loaded)]]
    else:
        before += [f"mov.u32 {one} ry" for names in loaded for one in names.split()]
        takes = [_TAKE.format(*names.split()) for names in loaded]
        done = [one for pair in zip(takes, loads, strict=True) for one in pair]
    turn = [place, *done, _ON] * again
    return microbench(
        f"{'copy' if copies else 'read'}_{again}x{unroll}_{step}",
        f"each thread {'copies' if copies else 'reads'} {again} x {unroll} times 16 B a turn",
        MicrobenchBody(
            scope, scope.written("; ".join(before)), [scope.written("; ".join(turn))], []
        ),
        chip,
        again * unroll,
        numbers=numbers,
    )


# Shared memory by the stride of its lanes, branches that are not taken, and code back to front.

MOST_STRIDE = 512
"""Bytes between the words of two lanes, at most."""

_STRIDE = """
ld.param.u32 rs [&stride]; ld.param.u32 rb [&odd]; mul.lo.u32 ri rl rs; and.b32 rc rl 1;
mad.lo.u32 ri rc rb ri; mov.u32 ra &cell; add.u32 ra ra ri;
st.shared.u32 [ra] rx; bar.sync 0; mov.u32 ro 0
"""
_FLOAT_ONE = 0x3F80_0000
"""Bits of 1.0."""

_NEVER = 1 << 30  # what the compared register never is, as it counts threads and turns


@cache
def shared_stride(unroll: int, chip: str) -> Microbench:
    """A kernel whose lanes load shared words ``stride`` bytes apart, so often a turn.

    Those of odd lanes lie ``odd`` bytes further on, up to a stride less a word.
    """
    scope = NamedRegisters()
    # every load is taken, as ptxas leaves out even volatile ones that nobody looks at; it is taken
    # half a turn later, so that nothing waits for it
    begun = [f"mov.u32 r{k} rx" for k in range(unroll)]
    loop = []
    for k in range(unroll):
        loop.append(f"xor.b32 ro ro r{k}")
        loop.append(f"ld.volatile.shared.u32 r{k} [ra]")
    return microbench(
        f"shared_stride_{unroll}",
        f"{unroll} loads of shared words a turn, lanes a stride apart",
        MicrobenchBody(
            scope,
            scope.written("; ".join([_STRIDE, *begun])),
            [scope.written("; ".join(loop))],
            [],
            variables=[variable("cell", Space.SHARED, WARP * MOST_STRIDE)],
        ),
        chip,
        unroll,
        numbers=("stride", "odd"),
    )


MOST_BRANCHES = 6
"""Predicates that are left to a thread beside the loop's own."""


@cache
def branches(count: int, chip: str) -> Microbench:
    """A kernel of so many branches a turn that are never taken, up to MOST_BRANCHES.

    Each looks at a predicate of its own and leads elsewhere: ptxas leaves out what an earlier one
    has decided, and joins those that lead to one place.
    """
    scope = NamedRegisters()
    before = ["mad.lo.u32 r0 rx rt rt; mov.u32 ro r0"]
    before += [f"setp.eq.u32 p{k} r0 {_NEVER + k}" for k in range(count)]
    loop = [[scope.write(f"@p{k} bra", (count + 1 + k,))] for k in range(count)]
    exits = [scope.written(f"mul.lo.u32 ro ro {2 * k + 3}") for k in range(count)]
    loop.append(scope.written("add.u32 ro ro 1"))
    return microbench(
        f"branches_{count}",
        f"{count} branches a turn that are not taken",
        MicrobenchBody(scope, scope.written("; ".join(before)), loop, [], exits),
        chip,
        count,
    )


@cache
def back_to_front(blocks: int, copies: int, chip: str) -> Microbench:
    """A kernel whose loop goes through so many blocks of code from the last to the first.

    Each has a multiply-add of so many chains and a branch. No prefetcher of what lies ahead brings
    the next one, and ptxas leaves the blocks as they are, since it does not know that branches are
    always taken.
    """
    scope = NamedRegisters()
    chains = copied("fma.rn.f32 f0 f0 f0 f0", copies)
    names = names_in("; ".join(chains))
    before = ["setp.ne.u32 pj rt 0"]
    before += [f"add.u32 ri rn {n}; mov.b32 {name} ri" for n, name in enumerate(names, _FLOAT_ONE)]
    links = scope.written("; ".join(chains))
    loop = [[scope.write("@pj bra", (blocks,))]]
    for number in range(1, blocks + 1):
        to = number - 1 if number > 1 else blocks + 1
        loop.append([*links, scope.write("@pj bra", (to,))])
    loop.append(scope.written("add.u32 rn rn 1"))
    value = ["mov.u32 ro rn", *(f"mov.b32 ri {name}; xor.b32 ro ro ri" for name in names)]
    return microbench(
        f"back_to_front_{blocks}x{copies}",
        f"{blocks} blocks of {copies} links of fp32_fma a turn, the last one first",
        MicrobenchBody(
            scope,
            scope.written("; ".join(["mad.lo.u32 rn rx rt rt", *before])),
            loop,
            scope.written("; ".join(value)),
        ),
        chip,
        blocks * copies,
    )


# A kernel that does nothing, or hardly anything: what launching takes, how fast CTAs begin.

_ORDER = "ld.param.u64 qm [&memory]; ld.param.u32 r0 [&turns]"
_LINK = "mad.lo.u32 r0 r0 r0 r0"
_NEVER_STORED = "setp.eq.u32 p0 r0 1; @p0 st.global.u32 [qm] r0"
"""No number of turns has a chain end in 1: a link gives n (n + 1), which is even."""


@cache
def empty(chip: str, links: int = 0) -> Microbench:
    """The kernel; with ``links``, its warps live for as long as a chain of so many takes.

    It keeps no record: its time is that of the launch.
    """
    text = "; ".join([_ORDER, *[_LINK] * links, _NEVER_STORED, "ret"]) if links else "ret"
    name = f"empty_{links}" if links else "empty"
    about = "no work at all" if not links else f"no work but a chain of {links}"
    scope = NamedRegisters()
    block = Block(0, "$BEGIN", tuple(scope.written(text)), None)
    registers = tuple(scope.registers.declared)
    kernel = Kernel(
        name, tuple(parameters(())), registers, (block,), NOWHERE, attributes=("visible",)
    )
    version = ptx_version(Module("", chip, "", 64, WARP, ()), chip)
    module = Module(name, chip, version, 64, WARP, (kernel,))
    note = (f"{name}: {about}", "A micro-benchmark that warpmill calibrates machines with.")
    text = render("ptx/clone.ptx.j2", {"note": note, "module": print_ptx(module)})
    return Microbench(name, text, name, 0, clocked=False)
