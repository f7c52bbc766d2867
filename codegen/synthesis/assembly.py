"""A kernel from its clone model: steps 5 and 8 to 13 of GPGPU-MiniBench §4.2.4."""

from __future__ import annotations

from dataclasses import dataclass, replace

from analyzer.ir.kernel import (
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
from analyzer.ir.operation import Operation, decode
from analyzer.ir.types import TYPES, Space
from codegen.model import (
    TEXTURE_WIDTH,
    AffineSite,
    ByThread,
    ByWarp,
    CloneBlock,
    CloneLoop,
    CloneModel,
    Constant,
    LoopExit,
    Random,
    ScatteredSite,
    Slot,
)
from codegen.synthesis.prologue import WEYL, Prologue, array_name
from codegen.synthesis.writing import NOWHERE, Registers, imm, write

_LOOKS, _LOOK_BITS = 4, 5
"""Branches look at the generator's state from this bit on or that: what one of them sees says
nothing of what the next one will."""
_MIXES = (5, 11, 13, 19, 21, 27, 29)
_WHOLE = (1 << 32) - 1
_LEAST_SPLIT = 0.01
_ALWAYS = 0.95
"""Lanes that part so often part always."""
_FULL = 0.93
"""Lanes of a warp that are on where those that part are the first ones."""


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
        self.registers = Registers(model.registers)
        self.pointer = f"{model.name}_param_0"
        self.prologue = Prologue(model, self.registers, self.pointer)
        self.loops = {loop.header: loop for loop in model.loops}
        self.counters: dict[int, Reg] = {}
        self.chosen: dict[tuple[int, ScatteredSite], Reg] = {}
        self.late: dict[tuple[int, int, int], Reg] = {}
        self.moving: dict[tuple[int, int, int], tuple[Reg, Reg]] = {}
        self.added: list[tuple[int, Operation]] = []
        chances = [b.id for b in model.blocks if isinstance(b.decision, Random)]
        self.order = {block: place for place, block in enumerate(chances)}

    def assembled(self) -> Assembled:
        bodies = [self._body(block) for block in self.model.blocks]
        self.after = [block.fallthrough for block in self.model.blocks]
        self._start_loops(bodies)
        self._send_around(bodies)
        begin = self.prologue.instructions
        self.added += [(0, i.operation) for i in begin]
        blocks = [
            Block(
                block.id,
                f"$B{block.id}",
                (*begin, *body) if block.id == 0 else tuple(body),
                self.after[block.id],
            )
            for block, body in zip(self.model.blocks, bodies, strict=True)
        ]
        kernel = Kernel(
            self.model.name,
            self._parameters(),
            tuple(self.registers.declared),
            tuple(blocks),
            NOWHERE,
            self._variables(Space.SHARED, Space.LOCAL),
        )
        return Assembled(kernel, self._variables(Space.CONST), tuple(self.added))

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
        for slot in block.slots:
            if slot.decides and block.decision is not None:
                decided = self._decide(block, slot, body)
            else:
                body.append(self._instruction(block, slot, body))
        if block.decision is not None and decided is None:
            decided = self._decide(block, None, body)
        if isinstance(block.decision, LoopExit):
            counter = self._counter(block.decision.loop)
            self._extra(block, body, write("add.u32", counter, counter, imm(1)))
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

    def _extra(self, block: CloneBlock, body: list[Instruction], made: Instruction) -> None:
        body.append(made)
        self.added.append((block.id, made.operation))

    def _instruction(self, block: CloneBlock, slot: Slot, body: list[Instruction]) -> Instruction:
        sites = iter(slot.sites)
        after = iter(slot.after or (None,) * len(slot.sites))
        operands = [
            self._placed(block, slot, next(sites), next(after), body)
            if isinstance(o, Address)
            else o
            for o in slot.operands
        ]
        return write(slot.opcode, *operands, guard=self._guard(slot.guard))

    def _placed(
        self,
        block: CloneBlock,
        slot: Slot,
        number: int,
        after: Reg | None,
        body: list[Instruction],
    ) -> Operand:
        """Give where an access goes: an address, or coordinates in a texture."""
        address = self._address(block, number, after, body)
        if number < 0:
            return address
        array = self.model.sites[number].array
        texel = self.model.arrays[array].texel
        if texel is None:
            return address
        assert isinstance(address.base, Reg)
        coordinates = decode(slot.opcode).types[1].name
        place = address.base
        if address.offset:
            place = self.registers.new("u32")
            self._extra(block, body, write("add.u32", place, address.base, imm(address.offset)))
        parts = [place]
        if texel.dimensions == 2:
            row, column = self.registers.new("u32"), self.registers.new("u32")
            shift = imm(TEXTURE_WIDTH.bit_length() - 1)
            self._extra(block, body, write("and.b32", column, place, imm(TEXTURE_WIDTH - 1)))
            self._extra(block, body, write("shr.u32", row, place, shift))
            parts = [column, row]
        if coordinates == "f32":
            parts = [self._as_float(block, part, body) for part in parts]
        handle = self.prologue.texture(array, self._parameter(array))
        return TupleAddress((handle, Vector(tuple(parts))))

    def _as_float(self, block: CloneBlock, number: Reg, body: list[Instruction]) -> Reg:
        made = self.registers.new("f32")
        self._extra(block, body, write("cvt.rn.f32.u32", made, number))
        return made

    def _parameter(self, array: int) -> str:
        """Give the parameter that has a texture's handle: they come behind the pointers."""
        textures = [k for k, a in enumerate(self.model.arrays) if a.space is Space.TEXTURE]
        return f"{self.model.name}_param_{max(1, self.model.pointers) + textures.index(array)}"

    # -- addresses -----------------------------------------------------------------------------

    def _address(
        self, block: CloneBlock, number: int, after: Reg | None, body: list[Instruction]
    ) -> Address:
        if number < 0:
            return Address(Symbol(self.pointer))
        site = self.model.sites[number]
        if isinstance(site, ScatteredSite):
            base: Operand = self._chosen_place(block, number, site, body)
            offset = site.offset
        else:
            base, offset = self._affine(site), site.offset
        if after is not None:
            start = base if isinstance(base, Reg) else self.prologue.based(site.array)
            base = self._late(block, start, after, self.prologue.bits(site.array), body)
        assert isinstance(base, Reg | Symbol)
        return Address(base, offset)

    def _affine(self, site: AffineSite) -> Reg | Symbol:
        base = self.prologue.affine(site)
        for header, step in site.loops:
            start = base if isinstance(base, Reg) else self.prologue.based(site.array)
            base = self._moving(header, start, step, self.prologue.bits(site.array))
        return base

    def _late(
        self, block: CloneBlock, base: Reg, after: Reg, bits: int, body: list[Instruction]
    ) -> Reg:
        """Give an address when the original's is there: nothing of that is added to it."""
        declared = self.registers.declared[after.index].type
        if not declared.is_integer or declared.bits != bits:
            return base
        key = (block.id, base.index, after.index)
        if key in self.late:
            return self.late[key]
        none, late = self.registers.new(f"u{bits}"), self.registers.new(f"u{bits}")
        self.late[key] = late
        zero = self.prologue.zero(bits)
        self._extra(block, body, write(f"and.b{bits}", none, after, zero))
        self._extra(block, body, write(f"add.s{bits}", late, base, none))
        return late

    def _moving(self, header: int, start: Reg, step: int, bits: int) -> Reg:
        """Give the register that starts anew where a loop is entered, and moves in it."""
        key = (header, start.index, step)
        if key not in self.moving:
            self.moving[key] = (self.registers.new(f"u{bits}"), start)
        return self.moving[key][0]

    def _chosen_place(
        self, block: CloneBlock, number: int, site: ScatteredSite, body: list[Instruction]
    ) -> Reg:
        """Choose a place in the window: the next state's first bits.

        Sites of a block that are alike have the same place, each in its own bytes.
        """
        window = self.prologue.window(site)
        if site.granules == 1:
            return window
        key = (block.id, replace(site, offset=0))
        if key not in self.chosen:
            self.chosen[key] = self._next_place(block, number, site, window, body)
        return self.chosen[key]

    def _next_place(
        self,
        block: CloneBlock,
        number: int,
        site: ScatteredSite,
        window: Reg,
        body: list[Instruction],
    ) -> Reg:
        state = self.prologue.places(by_lane=site.by_lane)
        bits = self.prologue.bits(site.array)
        stride = imm(WEYL + 2 * number * 0x27D4EB2F)
        self._extra(block, body, write("add.u32", state, state, stride))
        place = self.registers.new("u32")
        shift = imm(33 - site.granules.bit_length())
        self._extra(block, body, write("shr.u32", place, state, shift))
        if bits == 32:
            address = self.registers.new("u32")
            size = imm(site.granule_bytes)
            self._extra(block, body, write("mad.lo.u32", address, place, size, window))
            return address
        far, address = self.registers.new("u64"), self.registers.new("u64")
        self._extra(block, body, write("mul.wide.u32", far, place, imm(site.granule_bytes)))
        self._extra(block, body, write("add.s64", address, window, far))
        return address

    def _guard(self, share: float | None) -> Guard | None:
        if share is None:
            return None
        if share in (0.0, 1.0):
            return Guard(self.prologue.never(), negated=share == 1.0)
        count = min(self.model.warp_size - 1, max(1, round(share * self.model.warp_size)))
        return Guard(self.prologue.first_lanes(count))

    # -- decisions -----------------------------------------------------------------------------

    def _decide(self, block: CloneBlock, slot: Slot | None, body: list[Instruction]) -> Reg:
        """Make the predicate of a block's jump, in the place of the original's where it has one."""
        decision = block.decision
        if isinstance(decision, Constant):
            return self._constant(slot, body)
        if isinstance(decision, ByThread):
            return self._joined(slot, body, self.prologue.rule(decision.rule))
        if isinstance(decision, ByWarp):
            return self._joined(slot, body, self.prologue.warps_of(decision.warps))
        if isinstance(decision, LoopExit):
            return self._leave(block, slot, body, decision)
        assert isinstance(decision, Random)
        if decision.split > _ALWAYS:
            return self._joined(slot, body, self._parting(block, decision))
        if decision.once:
            rates = self._rates(block, decision)
            return self._joined(slot, body, self.prologue.decided(decision, *rates))
        return self._chance(block, slot, body, decision)

    def _constant(self, slot: Slot | None, body: list[Instruction]) -> Reg:
        """Compare a value with itself, which is never less."""
        read = _compared(slot)
        if slot is None or read is None:
            return self.prologue.never()
        result = slot.operands[0]
        assert isinstance(result, Reg)
        type_ = _type(slot)
        word = "ne" if type_.startswith("b") else "lt"
        body.append(write(f"setp.{word}.{type_}", result, read, read))
        return result

    def _joined(self, slot: Slot | None, body: list[Instruction], decided: Reg) -> Reg:
        """Wait for what the original compares, and give what is decided.

        A value is always equal to itself, or no number.
        """
        read = _compared(slot)
        if slot is None or read is None:
            return decided
        result = slot.operands[0]
        assert isinstance(result, Reg)
        type_ = _type(slot)
        word = "equ" if TYPES[type_].is_float else "eq"
        body.append(write(f"setp.{word}.and.{type_}", result, read, read, decided))
        return result

    def _compare(  # noqa: PLR0913, PLR0917 - the parts of a comparison
        self,
        block: CloneBlock,
        slot: Slot | None,
        body: list[Instruction],
        word: str,
        left: Reg,
        right: Operand,
    ) -> Reg:
        """Compare in the place of the original's comparison; where that waits, wait too."""
        result = slot.operands[0] if slot is not None and not slot.waits else None
        if not isinstance(result, Reg):
            result = self.registers.new("pred")
        made = write(f"setp.{word}.u32", result, left, right)
        if slot is not None and not slot.waits:
            body.append(made)
            return result
        self._extra(block, body, made)
        return self._joined(slot, body, result)

    def _leave(
        self, block: CloneBlock, slot: Slot | None, body: list[Instruction], decision: LoopExit
    ) -> Reg:
        loop = self.loops[decision.loop]
        word = "ge" if decision.leaves_taken else "lt"
        counter = self._counter(decision.loop)
        return self._compare(block, slot, body, word, counter, self._limit(loop))

    def _limit(self, loop: CloneLoop) -> Operand:
        whole: Operand = imm(loop.iterations)
        if loop.spread:
            whole = self.prologue.length(loop)
        if loop.lanes >= 1.0 or loop.bottom:
            return whole
        count = max(1, round(loop.lanes * self.model.warp_size))
        header = self.model.blocks[loop.header]
        lanes = self.prologue.first_lanes(count, mixed=self._mixed(header))
        return self.prologue.chosen(lanes, whole, imm(0))

    def _counter(self, header: int) -> Reg:
        if header not in self.counters:
            self.counters[header] = self.registers.new("u32")
        return self.counters[header]

    def _start_loops(self, bodies: list[list[Instruction]]) -> None:
        """Set counters and addresses of loops where control comes in, and move these at the end."""
        for (header, _, step), (register, begin) in self.moving.items():
            bits = self.registers.declared[register.index].type.bits
            for block in self._entering(header):
                self._before_end(bodies, block, write(f"mov.u{bits}", register, begin))
            for block in self.loops[header].latches:
                moved = write(f"add.s{bits}", register, register, Imm(step))
                self._before_end(bodies, block, moved)
        for header, counter in self.counters.items():
            loop = self.loops[header]
            start = write("mov.u32", counter, imm(1 if loop.bottom else 0))
            for block in self._entering(header):
                self._before_end(bodies, block, start)

    def _send_around(self, bodies: list[list[Instruction]]) -> None:
        """Let lanes that stay in a loop for a small part of its iterations go around it.

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
                stays = self.prologue.first_lanes(count, mixed=self._mixed(block))
                if block.end is None:  # what follows is the loop
                    guard = Guard(stays, negated=True)
                    jump = write("bra", guard=guard, targets=(loop.around,))
                    self._extra(block, bodies[number], jump)
                    continue
                bodies[number][-1] = write("bra", guard=Guard(stays), targets=(loop.header,))
                self.after[number] = loop.around

    def _before_end(self, bodies: list[list[Instruction]], block: int, made: Instruction) -> None:
        body = bodies[block]
        ends = self.model.blocks[block].end is not None
        body.insert(len(body) - ends, made)
        self.added.append((block, made.operation))

    def _entering(self, header: int) -> list[int]:
        return [b for h, b in self.model.entries if h == header]

    def _chance(
        self, block: CloneBlock, slot: Slot | None, body: list[Instruction], decision: Random
    ) -> Reg:
        """Advance the generator, and compare it with the rate.

        Each state is the last one plus an odd number, which takes a machine no longer than an add.
        """
        state = self.prologue.state(by_cta=decision.by_cta)
        step = imm(WEYL + 2 * block.id * 0x6C8E9CF5)
        self._extra(block, body, write("add.u32", state, state, step))
        order = self.order[block.id] % _LOOKS
        looked = state
        if order:
            looked = self.registers.new("u32")
            self._extra(block, body, write("shl.b32", looked, state, imm(order * _LOOK_BITS)))
        return self._compare(
            block, slot, body, "lt", looked, self.prologue.rate(*self._rates(block, decision))
        )

    def _rates(self, block: CloneBlock, decision: Random) -> tuple[int, int, Reg | None]:
        """Give the rates, of 2**32, of the lanes that a predicate holds for and of the others."""
        least = round(decision.all_taken * _WHOLE)
        if decision.split * min(decision.split_share, 1 - decision.split_share) < _LEAST_SPLIT:
            mean = decision.all_taken + decision.split * decision.split_share
            return min(_WHOLE, round(mean * _WHOLE)), 0, None
        most = min(_WHOLE, round((decision.all_taken + decision.split) * _WHOLE))
        return most, least, self._parting(block, decision)

    def _parting(self, block: CloneBlock, decision: Random) -> Reg:
        """Give the predicate of the lanes that take a branch where lanes part."""
        size = self.model.warp_size
        if decision.lanes is not None and size == 32:
            return self.prologue.lanes_of(decision.lanes)
        count = min(size - 1, max(1, round(decision.split_share * size)))
        return self.prologue.first_lanes(count, mixed=self._mixed(block))

    def _mixed(self, block: CloneBlock) -> int | None:
        """Give what lanes are turned by where not all come: the first ones need not be there."""
        if block.lanes >= _FULL * self.model.warp_size:
            return None
        return _MIXES[block.id % len(_MIXES)]


def _compared(slot: Slot | None) -> Reg | None:
    """Give a register that the original's comparison reads; None where it has none."""
    if slot is None or not isinstance(slot.operands[0], Reg):
        return None
    return next((o for o in slot.operands[1:3] if isinstance(o, Reg)), None)


def _type(slot: Slot) -> str:
    type_ = decode(slot.opcode).type
    assert type_ is not None
    return type_.name
