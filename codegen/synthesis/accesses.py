"""Where the accesses of a clone go: steps 8 and 9 of GPGPU-MiniBench §4.2.4."""

from __future__ import annotations

from dataclasses import replace

from warpmill.analyzer.ir.kernel import (
    Address,
    Instruction,
    Operand,
    Reg,
    Symbol,
    TupleAddress,
    Vector,
)
from warpmill.analyzer.ir.operation import decode
from warpmill.analyzer.ir.types import Space
from warpmill.codegen.model import TEXTURE_WIDTH, AffineSite, CloneBlock, ScatteredSite, Slot
from warpmill.codegen.synthesis.kernel_writer import KernelWriter
from warpmill.codegen.synthesis.prologue import WEYL
from warpmill.codegen.synthesis.writing import imm, write


class Accesses:
    """Writes addresses, block by block.

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
        """Give where an access goes: an address, or coordinates in a texture."""
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
        """Give the parameter that has a texture's handle: they come behind the pointers."""
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
        """Give an address when the original's is there: nothing of that is added to it."""
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
        """Give the register that starts anew where a loop is entered, and moves in it."""
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
