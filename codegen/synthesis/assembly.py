"""A kernel from its clone model: steps 5 and 8 to 13 of GPGPU-MiniBench §4.2.4."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from warpmill.analyzer.analyses.cfg.graph import (
    DomTree,
    LoopForest,
    build_cfg,
    dominator_tree,
    find_loops,
)
from warpmill.analyzer.ir.kernel import (
    Address,
    Block,
    Guard,
    Imm,
    Instruction,
    Kernel,
    Operand,
    Parameter,
    Reg,
    Symbol,
    TupleAddress,
    Variable,
    Vector,
)
from warpmill.analyzer.ir.operation import Operation, decode
from warpmill.analyzer.ir.types import TYPES, Space
from warpmill.codegen.model import (
    TEXTURE_WIDTH,
    AffineSite,
    CloneBlock,
    CloneLoop,
    CloneModel,
    Constant,
    LoopExit,
    ScatteredSite,
    Slot,
)
from warpmill.codegen.synthesis.branching import BranchWriter
from warpmill.codegen.synthesis.prologue import WEYL, WHOLE, KernelWriter, array_name
from warpmill.codegen.synthesis.writing import NOWHERE, imm, write


@dataclass(frozen=True)
class Assembled:
    """A clone's kernel, and what it executes beyond its chains, by block."""

    kernel: Kernel
    constants: tuple[Variable, ...]
    added: tuple[tuple[int, Operation], ...]


def assemble(model: CloneModel) -> Assembled:
    """Write the kernel of a model."""
    return _Assembler(model).assembled()


class _Assembler:
    def __init__(self, model: CloneModel) -> None:
        self.model = model
        self.writer = KernelWriter(model)
        self.accesses = Accesses(self.writer)
        self.branches = BranchWriter(self.writer)
        self.loops = {loop.header: loop for loop in model.loops}
        self.closing: dict[int, int] = {}

    def assembled(self) -> Assembled:
        bodies = [self._body(block) for block in self.model.blocks]
        self.after = [block.fallthrough for block in self.model.blocks]
        self._start_loops(bodies)
        self._send_around(bodies)
        blocks = [
            Block(block.id, f"$B{block.id}", tuple(body), self.after[block.id])
            for block, body in zip(self.model.blocks, bodies, strict=True)
        ]
        kernel = Kernel(
            self.model.name,
            self._parameters(),
            tuple(self.writer.registers.declared),
            tuple(blocks),
            NOWHERE,
            self._variables(Space.SHARED, Space.LOCAL),
        )
        values = self.writer.prologue.instructions
        kernel, where = place(kernel, values, apart=self.model.apart)
        self.writer.added += [(b, i.operation) for b, i in zip(where, values, strict=True)]
        return Assembled(kernel, self._variables(Space.CONST), tuple(self.writer.added))

    def _parameters(self) -> tuple[Parameter, ...]:
        textures = sum(array.space is Space.TEXTURE for array in self.model.arrays)
        count = max(1, self.model.pointers) + textures
        names = [f"{self.model.name}_param_{k}" for k in range(count)]
        return tuple(Parameter(name, TYPES["u64"], 8, 8) for name in names)

    def _variables(self, *spaces: Space) -> tuple[Variable, ...]:
        return tuple(
            Variable(
                array_name(self.model, number),
                array.space,
                TYPES["b8"],
                array.size_bytes,
                16,
                (array.size_bytes,),
            )
            for number, array in enumerate(self.model.arrays)
            if array.space in spaces
        )

    # -- blocks --------------------------------------------------------------------------------

    def _body(self, block: CloneBlock) -> list[Instruction]:
        body: list[Instruction] = []
        decided: Reg | None = None
        closing: Slot | None = None
        for slot in block.slots:
            if not slot.decides or block.decision is None:
                body.append(self._instruction(block, slot, body))
            elif (
                isinstance(block.decision, LoopExit)
                and block.decision.counts_first
                and not slot.waits
            ):
                closing = slot  # as compilers do: count, compare and jump, one after another
            else:
                decided = self.branches.decide(block, slot, body)
        if block.decision is not None and decided is None:
            whole = len(body)
            decided = self.branches.decide(block, closing, body)
            self.closing[block.id] = len(body) - whole
        if block.end is not None:
            body.append(self._end(block, decided))
        return body

    def _end(self, block: CloneBlock, decided: Reg | None) -> Instruction:
        guard = None
        if decided is not None:
            negated = block.decision == Constant(taken=True)
            guard = Guard(decided, negated)
        assert block.end is not None
        return write(block.end, guard=guard, targets=block.targets)

    def _instruction(self, block: CloneBlock, slot: Slot, body: list[Instruction]) -> Instruction:
        sites = iter(slot.sites)
        after = iter(slot.after or (None,) * len(slot.sites))
        operands = [
            self.accesses.placed(block, slot, next(sites), next(after), body)
            if isinstance(o, Address)
            else o
            for o in slot.operands
        ]
        return write(slot.opcode, *operands, guard=self._guard(slot.guard))

    def _guard(self, share: float | None) -> Guard | None:
        if share is None:
            return None
        if share in (0.0, 1.0):
            return Guard(self.writer.prologue.never(), negated=share == 1.0)
        count = min(self.model.warp_size - 1, max(1, round(share * self.model.warp_size)))
        return Guard(self.writer.prologue.first_lanes(count))

    # -- loops ---------------------------------------------------------------------------------

    def _start_loops(self, bodies: list[list[Instruction]]) -> None:
        """Set counters and addresses of loops where control comes in, and move these at the end."""
        for (header, _, step), (register, begin) in self.accesses.moving.items():
            bits = self.writer.registers.declared[register.index].type.bits
            for block in self._entering(header):
                self._before_end(bodies, block, write(f"mov.u{bits}", register, begin))
            for block in self.loops[header].latches:
                moved = write(f"add.s{bits}", register, register, Imm(step))
                self._before_end(bodies, block, moved)
        for header, counter in self.branches.counters.items():
            loop = self.loops[header]
            first = (1 if loop.bottom else 0) - self.branches.counts_first(loop)
            start = write("mov.u32", counter, imm(first))
            for block in self._entering(header):
                self._before_end(bodies, block, start)
                if header in self.branches.lengths:
                    self._draw(bodies, block, loop)

    def _draw(self, bodies: list[list[Instruction]], block: int, loop: CloneLoop) -> None:
        """Draw the length of a run in a loop: one of two."""
        state = self.writer.prologue.state(("length", loop.header), by_cta=loop.by_cta)
        is_short = self.writer.registers.new("pred")
        (low, share), *higher = loop.spread
        high = higher[0][0] if higher else low
        step, rate = imm(WEYL), imm(min(WHOLE, round(share * WHOLE)))
        length, lanes = self.branches.lengths[loop.header], self.branches.staying(loop)
        drawn = [
            write("add.u32", state, state, step),
            write("setp.lt.u32", is_short, state, rate),
            write("selp.b32", length, imm(low), imm(high), is_short),
        ]
        if lanes is not None:
            drawn.append(write("selp.b32", length, length, imm(0), lanes))
        for made in drawn:
            self._before_end(bodies, block, made)

    def _send_around(self, bodies: list[list[Instruction]]) -> None:
        """Route lanes that stay in a loop for a small part of its iterations around it.

        Only where a block leads into the loop and nowhere else.
        """
        for loop in self.model.loops:
            if loop.around is None or loop.lanes >= 1.0:
                continue
            for number in self._entering(loop.header):
                block = self.model.blocks[number]
                if block.decision is not None:
                    continue
                count = max(1, round(loop.lanes * self.model.warp_size))
                stays = self.writer.prologue.first_lanes(count, mixed=self.branches.mixed(block))
                if block.end is None:  # what follows is the loop
                    guard = Guard(stays, negated=True)
                    jump = write("bra", guard=guard, targets=(loop.around,))
                    self.writer.extra(block, bodies[number], jump)
                    continue
                bodies[number][-1] = write("bra", guard=Guard(stays), targets=(loop.header,))
                self.after[number] = loop.around

    def _before_end(self, bodies: list[list[Instruction]], block: int, made: Instruction) -> None:
        body = bodies[block]
        ends = (self.model.blocks[block].end is not None) + self.closing.get(block, 0)
        body.insert(len(body) - ends, made)
        self.writer.added.append((block, made.operation))

    def _entering(self, header: int) -> list[int]:
        return [b for h, b in self.model.entries if h == header]


# Where a clone works out what its branches and addresses need: as late as once allows.
#
# Steps 10 and 11 of GPGPU-MiniBench §4.2.4 put all of it at the beginning. Threads that leave
# early would execute what only others need, so each value is made where all its readers come by,
# out of loops: Click's global code motion (PLDI 1995), late.

ENTRY = 0


def place(
    kernel: Kernel, values: Sequence[Instruction], *, apart: bool
) -> tuple[Kernel, tuple[int, ...]]:
    """Kernel with instructions, each of which makes one value, inserted into its blocks.

    ``values`` are in an order in which they may be executed, and stay in it where they meet; each
    comes before its first reader. With ``apart`` those of a block come before the first reader of
    any, and such that what waits for each other stands apart. Gives the kernel and for each of them
    its block.
    """
    cfg = build_cfg(kernel)
    tree = dominator_tree(cfg)
    loops = find_loops(cfg, tree)
    readers = _readers(kernel, cfg.reachable)
    where: list[int] = [ENTRY] * len(values)
    before: list[int] = [0] * len(values)  # the instruction of the block that it comes before
    for number in range(len(values) - 1, -1, -1):
        (made,) = values[number].writes
        found = readers[made]
        if found and not loops.irreducible:
            where[number] = _outside(tree, loops, {block for block, _ in found})
        block = where[number]
        body = kernel.blocks[block].instructions
        own = [place for at, place in found if at == block]
        last = len(body) - (kernel.blocks[block].terminator is not None)
        before[number] = min(own, default=last)
        for register in values[number].reads:
            readers[register].append((block, before[number]))
    blocks = list(kernel.blocks)
    for block in set(where):
        mine = [k for k in range(len(values)) if where[k] == block]
        if apart:
            first = min(before[k] for k in mine)
            before = [first if where[k] == block else before[k] for k in range(len(values))]
            mine = _apart(values, mine)
        written: list[Instruction] = []
        own_body = blocks[block].instructions
        for at in range(len(own_body) + 1):
            written += [values[k] for k in mine if before[k] == at]
            written += own_body[at : at + 1]
        blocks[block] = replace(blocks[block], instructions=tuple(written))
    return replace(kernel, blocks=tuple(blocks)), tuple(where)


def _apart(values: Sequence[Instruction], chosen: Sequence[int]) -> list[int]:
    """Order values by how many others they are made of, one after another."""
    levels: dict[int, int] = {}
    of: dict[int, int] = {}
    for number in chosen:
        (made,) = values[number].writes
        of[number] = 1 + max((levels.get(r, 0) for r in values[number].reads), default=0)
        levels[made] = of[number]
    return sorted(chosen, key=lambda k: (of[k], k))


def _readers(kernel: Kernel, reachable: Iterable[int]) -> defaultdict[int, list[tuple[int, int]]]:
    found: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for block in sorted(reachable):
        for place, instruction in enumerate(kernel.blocks[block].instructions):
            for register in instruction.reads:
                found[register].append((block, place))
    return found


def _outside(tree: DomTree, loops: LoopForest, blocks: set[int]) -> int:
    """The last block that all paths to some blocks come by, and that is in no loop."""
    chains = [_chain(tree, block) for block in blocks]
    common = set(chains[0]).intersection(*chains[1:])
    outside = (b for b in chains[0] if b in common and not loops.containing(b))
    return next(outside, ENTRY)


def _chain(tree: DomTree, block: int) -> list[int]:
    """Block and its dominators, up to the entry."""
    found = [block]
    while (above := tree.idom[found[-1]]) is not None and above != found[-1]:
        found.append(above)
    return found


# Where the accesses of a clone go: steps 8 and 9 of GPGPU-MiniBench §4.2.4.


class Accesses:
    """Writer of addresses, block by block.

    ``moving`` has the register of each address that moves in a loop, with where it starts, by the
    loop's header, the start and the step.
    """

    def __init__(self, writer: KernelWriter) -> None:
        self.writer = writer
        self.moving: dict[tuple[int, int, int], tuple[Reg, Reg]] = {}
        self._chosen: dict[tuple[int, ScatteredSite], Reg] = {}
        self._waited: dict[tuple[int, int, int], Reg] = {}

    def placed(
        self,
        block: CloneBlock,
        slot: Slot,
        number: int,
        after: Reg | None,
        body: list[Instruction],
    ) -> Operand:
        """Target of an access: an address, or coordinates in a texture."""
        address = self._address(block, number, after, body)
        if number < 0:
            return address
        array = self.writer.model.sites[number].array
        texel = self.writer.model.arrays[array].texel
        if texel is None:
            return address
        assert isinstance(address.base, Reg)
        coordinates = decode(slot.opcode).types[1].name
        place = address.base
        if address.offset:
            place = self.writer.registers.new("u32")
            self.writer.extra(
                block, body, write("add.u32", place, address.base, imm(address.offset))
            )
        parts = [place]
        if texel.dimensions == 2:
            row, column = self.writer.registers.new("u32"), self.writer.registers.new("u32")
            shift = imm(TEXTURE_WIDTH.bit_length() - 1)
            self.writer.extra(block, body, write("and.b32", column, place, imm(TEXTURE_WIDTH - 1)))
            self.writer.extra(block, body, write("shr.u32", row, place, shift))
            parts = [column, row]
        if coordinates == "f32":
            parts = [self._as_float(block, part, body) for part in parts]
        handle = self.writer.prologue.texture(array, self._parameter(array))
        return TupleAddress((handle, Vector(tuple(parts))))

    def _as_float(self, block: CloneBlock, number: Reg, body: list[Instruction]) -> Reg:
        made = self.writer.registers.new("f32")
        self.writer.extra(block, body, write("cvt.rn.f32.u32", made, number))
        return made

    def _parameter(self, array: int) -> str:
        """The parameter that has a texture's handle: they come behind the pointers."""
        textures = [k for k, a in enumerate(self.writer.model.arrays) if a.space is Space.TEXTURE]
        first = max(1, self.writer.model.pointers)
        return f"{self.writer.model.name}_param_{first + textures.index(array)}"

    def _address(
        self, block: CloneBlock, number: int, after: Reg | None, body: list[Instruction]
    ) -> Address:
        if number < 0:
            return Address(Symbol(self.writer.pointer))
        site = self.writer.model.sites[number]
        if isinstance(site, ScatteredSite):
            base: Operand = self._chosen_place(block, number, site, body)
            offset = site.offset
        else:
            base, offset = self._affine(site), site.offset
        if after is not None:
            start = base if isinstance(base, Reg) else self.writer.prologue.based(site.array)
            base = self._late(block, start, after, self.writer.prologue.bits(site.array), body)
        assert isinstance(base, Reg | Symbol)
        return Address(base, offset)

    def _affine(self, site: AffineSite) -> Reg | Symbol:
        base = self.writer.prologue.affine(site)
        for header, step in site.loops:
            start = base if isinstance(base, Reg) else self.writer.prologue.based(site.array)
            base = self._moving(header, start, step, self.writer.prologue.bits(site.array))
        return base

    def _late(
        self, block: CloneBlock, base: Reg, after: Reg, bits: int, body: list[Instruction]
    ) -> Reg:
        """An address when the original's is there: nothing of that is added to it."""
        declared = self.writer.registers.declared[after.index].type
        if not declared.is_integer or declared.bits not in (32, bits):
            return base
        key = (block.id, base.index, after.index)
        if key in self._waited:
            return self._waited[key]
        late = self._waited[key] = self.writer.registers.new(f"u{bits}")
        zero = self.writer.prologue.zero(declared.bits)
        if declared.bits < bits:
            self.writer.extra(block, body, write("mad.wide.u32", late, after, zero, base))
            return late
        none = self.writer.registers.new(f"u{bits}")
        self.writer.extra(block, body, write(f"and.b{bits}", none, after, zero))
        self.writer.extra(block, body, write(f"add.s{bits}", late, base, none))
        return late

    def _moving(self, header: int, start: Reg, step: int, bits: int) -> Reg:
        """The register that starts anew where a loop is entered, and moves in it."""
        key = (header, start.index, step)
        if key not in self.moving:
            self.moving[key] = (self.writer.registers.new(f"u{bits}"), start)
        return self.moving[key][0]

    def _chosen_place(
        self, block: CloneBlock, number: int, site: ScatteredSite, body: list[Instruction]
    ) -> Reg:
        """Choose a place in the window: the next state's first bits.

        Sites of a block that are alike have the same place, each in its own bytes.
        """
        window = self.writer.prologue.window(site)
        if site.granules == 1:
            return window
        key = (block.id, replace(site, offset=0))
        if key not in self._chosen:
            self._chosen[key] = self._next_place(block, number, site, window, body)
        return self._chosen[key]

    def _next_place(
        self,
        block: CloneBlock,
        number: int,
        site: ScatteredSite,
        window: Reg,
        body: list[Instruction],
    ) -> Reg:
        bits = self.writer.prologue.bits(site.array)
        shift = 33 - site.granules.bit_length()
        if site.fresh < 1.0:
            state = self.writer.prologue.walk(
                (block.id, replace(site, offset=0)), by_lane=site.by_lane
            )
            stride = imm(max(1, round(site.fresh * (1 << shift))))
        else:
            state = self.writer.prologue.places(by_lane=site.by_lane)
            stride = imm(WEYL + 2 * number * 0x27D4EB2F)
        self.writer.extra(block, body, write("add.u32", state, state, stride))
        place = self.writer.registers.new("u32")
        self.writer.extra(block, body, write("shr.u32", place, state, imm(shift)))
        if bits == 32:
            address = self.writer.registers.new("u32")
            size = imm(site.granule_bytes)
            self.writer.extra(block, body, write("mad.lo.u32", address, place, size, window))
            return address
        address, size = self.writer.registers.new("u64"), imm(site.granule_bytes)
        self.writer.extra(block, body, write("mad.wide.u32", address, place, size, window))
        return address
