"""Prologue of a clone, executed once: steps 10 and 11 of GPGPU-MiniBench §4.2.4.

Thread numbers (Equations 1 and 2), the generator's first state, predicates and addresses. Each is
made where it is first asked for, and once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from dataclasses import replace

from warpmill.analyzer.ir.kernel import Address, Imm, Instruction, Operand, Reg, Special, Symbol
from warpmill.analyzer.ir.operation import Operation
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.profile.behaviour.model import BehaviourScope, FirstThreads
from warpmill.codegen.model import (
    AffineSite,
    CloneBlock,
    CloneLoop,
    CloneModel,
    Random,
    ScatteredSite,
)
from warpmill.codegen.synthesis.writing import KernelRegisters, imm, write

WEYL = 0x9E3779B1
"""2**32 over the golden ratio, odd: its multiples are spread evenly (Knuth, vol. 3, 6.4)."""
_TURN = 0x85EBCA6B
_SPREAD = 0x6A09E667
"""Multiplier of warps' numbers: odd, and far from the multipliers of states."""
_STATES, _STATE_BITS = 6, 3
WHOLE = (1 << 32) - 1
AXES = ("x", "y", "z")


def array_name(model: CloneModel, number: int) -> str:
    """Variable of an array; global memory comes by a pointer.

    All kernels of a clone have one array of constants: a module has room for 64 KiB of them.
    """
    if model.arrays[number].space is Space.CONST:
        return "clone_const"
    return f"{model.name}_{model.arrays[number].space.value}"


class Prologue:
    """The instructions at the beginning of a clone, in the order in which they were asked for."""

    def __init__(self, model: CloneModel, registers: KernelRegisters, pointer: str) -> None:
        self.model, self.registers, self._pointer = model, registers, pointer
        self.instructions: list[Instruction] = []
        self._made: dict[Hashable, Reg] = {}
        self._states = self._walks = 0

    def _once(self, key: Hashable, make: Callable[[], Reg]) -> Reg:
        if key not in self._made:
            self._made[key] = make()
        return self._made[key]

    def _add(self, type_name: str, opcode: str, *operands: Operand) -> Reg:
        result = self.registers.new(type_name)
        self.instructions.append(write(opcode, result, *operands))
        return result

    # -- thread numbers ------------------------------------------------------------------------

    def special(self, name: str) -> Reg:
        """A special register's value."""
        return self._once(name, lambda: self._add("u32", "mov.u32", Special(name)))

    def linear(self, what: str) -> Reg:
        """The number of a thread in its CTA (``tid``) or of a CTA in the grid (``ctaid``)."""
        extents = self.model.block if what == "tid" else self.model.grid

        def make() -> Reg:
            axes = [k for k in range(3) if extents[k] > 1] or [0]
            number = self.special(f"{what}.{AXES[axes[-1]]}")
            for axis in reversed(axes[:-1]):
                below = extents[axis]
                for skipped in range(axis + 1, axes[axes.index(axis) + 1]):
                    below *= extents[skipped]
                number = self._sum(number, below, self.special(f"{what}.{AXES[axis]}"))
            return number

        return self._once(("linear", what), make)

    def thread(self) -> Reg:
        """The global thread number of Equation 1."""
        size = _product(self.model.block)

        def make() -> Reg:
            own = self.linear("tid")
            if _product(self.model.grid) == 1:
                return own
            return self._sum(self.linear("ctaid"), size, own)

        return self._once("thread", make)

    def lane(self) -> Reg:
        """The lane."""
        return self.special("laneid")

    def number(self, scope: BehaviourScope) -> Reg:
        """The number that a rule about threads compares."""
        if scope is BehaviourScope.GRID:
            return self.thread()
        if scope is BehaviourScope.WARP:
            return self.lane()
        return self.linear("tid" if scope is BehaviourScope.CTA else "ctaid")

    def warp(self) -> Reg:
        """The number of a warp in its CTA."""
        shift = self.model.warp_size.bit_length() - 1
        return self._once(
            "warp", lambda: self._add("u32", "shr.u32", self.linear("tid"), imm(shift))
        )

    # -- chance --------------------------------------------------------------------------------

    def state(self, what: Hashable = None, *, by_cta: bool) -> Reg:
        """A generator's state, which starts from the number of the warp, or of the CTA.

        What is left to chance has each a generator of its own: with one for all, what a warp draws
        would depend on how often it drew before, and with that on what it drew. They start from
        different bits of the same number, where one says nothing of another.
        """

        def make() -> Reg:
            number = self._states
            self._states += 1
            round_, shift = divmod(number, _STATES)
            seed = self.seed(by_cta=by_cta)
            state = self.registers.new("u32")
            shifted = write("shl.b32", state, seed, imm(shift * _STATE_BITS))
            self.instructions.append(shifted if shift else write("mov.u32", state, seed))
            if round_:
                turn = imm(round_ * 0x3C6EF372 + 1)
                self.instructions.append(write("add.u32", state, state, turn))
            return state

        return self._once(("state", what, by_cta), make)

    def seed(self, *, by_cta: bool) -> Reg:
        """A number that is spread evenly over warps, or CTAs."""

        def make() -> Reg:
            number = self.linear("ctaid") if by_cta else self._warp_in_grid()
            start = imm(self.model.seed * _TURN + 0x2545F491)
            return self._add("u32", "mad.lo.u32", number, imm(_SPREAD), start)

        return self._once(("seed", by_cta), make)

    def _warp_in_grid(self) -> Reg:
        shift = imm(self.model.warp_size.bit_length() - 1)
        return self._once("wid", lambda: self._add("u32", "shr.u32", self.thread(), shift))

    def first_lanes(self, count: int, *, mixed: int | None = None) -> Reg:
        """The predicate of the first lanes, or with ``mixed`` of as many here and there."""

        def make() -> Reg:
            lane = self.lane() if mixed is None else self._mixed_lane(mixed)
            return self._add("pred", "setp.lt.u32", lane, imm(count))

        return self._once(("lanes", count, mixed), make)

    def _mixed_lane(self, mixed: int) -> Reg:
        """The lane in an order of the warp's own, one of some that say nothing of another."""

        def make() -> Reg:
            seed = self.seed(by_cta=False)
            turned = self._add("u32", "mad.lo.u32", self.lane(), imm(mixed), seed)
            return self._add("u32", "and.b32", turned, imm(self.model.warp_size - 1))

        return self._once(("mixed", mixed), make)

    def lanes_of(self, mask: int) -> Reg:
        """The predicate of the lanes in a mask."""
        size = self.model.warp_size
        others = mask ^ ((1 << size) - 1)
        if mask & (mask + 1) == 0:
            return self.first_lanes(mask.bit_length())
        if others & (others + 1) == 0:
            first = imm(others.bit_length())
            return self._once(mask, lambda: self._add("pred", "setp.ge.u32", self.lane(), first))

        assert size == 32, "a mask of lanes has 32 bits"
        return self._once(("mask", mask), lambda: self._bit(mask, self.lane()))

    def warps_of(self, mask: int) -> Reg:
        """The predicate of the warps of a CTA whose places are in a mask."""
        return self._once(("warps", mask), lambda: self._bit(mask, self.warp()))

    def _bit(self, mask: int, number: Reg) -> Reg:
        """The predicate of a bit of a mask; that bit of it turned round becomes a sign."""
        turned = imm(int(f"{mask & WHOLE:032b}"[::-1], 2))
        own = self._add("u32", "shl.b32", turned, number)
        return self._add("pred", "setp.lt.s32", own, imm(0))

    def chosen(self, by: Reg, yes: Operand, no: Operand) -> Reg:
        """Register with one of two numbers, selected by a predicate."""
        return self._once(
            ("chosen", by.index, yes, no), lambda: self._add("u32", "selp.b32", yes, no, by)
        )

    def length(self, loop: CloneLoop) -> Reg:
        """The iterations of a warp's or a CTA's runs in a loop, by chance."""

        def make() -> Reg:
            looked = self.state(("length", loop.header), by_cta=loop.by_cta)
            length: Operand = imm(loop.spread[-1][0])
            beyond = 1.0
            for iterations, share in reversed(loop.spread):
                if beyond < 1.0:
                    below = self._add("pred", "setp.lt.u32", looked, imm(round(beyond * WHOLE)))
                    length = self._add("u32", "selp.b32", imm(iterations), length, below)
                beyond -= share
            assert isinstance(length, Reg)
            return length

        return self._once(("length", loop.header), make)

    def rate(self, most: int, least: int, lanes: Reg | None) -> Operand:
        """Threshold that the generator's state is compared with: two rates, by lane, or one."""
        return imm(most) if lanes is None else self.chosen(lanes, imm(most), imm(least))

    def rule(self, rule: FirstThreads) -> Reg:
        """The predicate of the threads that a rule names."""
        word = "lt" if rule.taken_below else "ge"
        number = self.number(rule.scope)
        return self._once(
            ("rule", rule), lambda: self._add("pred", f"setp.{word}.u32", number, imm(rule.count))
        )

    def decided(self, decision: Random, most: int, least: int, lanes: Reg | None) -> Reg:
        """A predicate that is decided once; branches of equal rates have the same one."""
        key = ("decided", decision.by_cta, most, least, lanes)

        def make() -> Reg:
            looked = self.state(key, by_cta=decision.by_cta)
            return self._add("pred", "setp.lt.u32", looked, self.rate(most, least, lanes))

        return self._once(key, make)

    def zero(self, bits: int) -> Reg:
        """0 in a register that a compiler does not know to be 0."""

        def make() -> Reg:
            lane = self.special("laneid")
            size = imm(self.model.warp_size.bit_length() - 1)
            none = self._add("u32", "shr.u32", lane, size)
            if bits == 32:
                return none
            return self._add("u64", "cvt.u64.u32", none)

        return self._once(("zero", bits), make)

    def never(self) -> Reg:
        """A predicate that does not hold."""

        def make() -> Reg:
            own = self.special("tid.x")
            return self._add("pred", "setp.lt.u32", own, own)

        return self._once("never", make)

    # -- addresses -----------------------------------------------------------------------------

    def affine(self, site: AffineSite) -> Reg | Symbol:
        """The base of a site's address, to which its offset comes; others may share it."""
        terms = self._terms(site)
        if not terms:
            return self._base(site.array)
        key = ("affine", site.array, site.threads, site.ctas, site.fold, site.warp_step)

        def make() -> Reg:
            return self._plus(self.based(site.array), terms, self.bits(site.array))

        return self._once(key, make)

    def window(self, site: ScatteredSite) -> Reg:
        """The address of a CTA's window, and there of the lane's stride."""

        def make() -> Reg:
            address = self.based(site.array)
            bits = self.bits(site.array)
            terms = []
            if site.windows > 1:
                chosen = self._top_bits(self.seed(by_cta=True), site.windows)
                terms.append((chosen, site.granules * site.granule_bytes))
            if site.lane_stride:
                terms.append((self.lane(), site.lane_stride))
            return self._plus(address, terms, bits) if terms else address

        return self._once(("window", replace(site, offset=0)), make)

    def _top_bits(self, number: Reg, places: int) -> Reg:
        """A number below a power of two that another number falls on."""
        shift = imm(33 - places.bit_length())
        return self._once(
            ("top", number.index, places), lambda: self._add("u32", "shr.u32", number, shift)
        )

    def places(self, *, by_lane: bool) -> Reg:
        """The state that places of accesses are chosen by."""

        def make() -> Reg:
            if by_lane:
                turn = imm(self.model.seed * _TURN + 0x1B873593)
                return self._add("u32", "mad.lo.u32", self.thread(), imm(0x85EBCA77), turn)
            return self.state("places", by_cta=False)

        return self._once(("places", by_lane), make)

    def walk(self, what: Hashable, *, by_lane: bool) -> Reg:
        """The state that an access of its own goes from place to place by."""

        def make() -> Reg:
            self._walks += 1
            turn = imm(self._walks * 0x3C6EF372 & WHOLE)
            return self._add("u32", "add.u32", self.places(by_lane=by_lane), turn)

        return self._once(("walk", what, by_lane), make)

    def texture(self, array: int, parameter: str) -> Reg:
        """The handle of a texture."""
        symbol = Address(Symbol(parameter))
        return self._once(("texture", array), lambda: self._add("u64", "ld.param.u64", symbol))

    def _base(self, array: int) -> Reg | Symbol:
        space = self.model.arrays[array].space
        if space is Space.TEXTURE:
            return self.based(array)
        if space is not Space.GLOBAL:
            return Symbol(array_name(self.model, array))

        def make() -> Reg:
            return self._add("u64", "ld.param.u64", Address(Symbol(self._pointer)))

        return self._once("pointer", make)

    def based(self, array: int) -> Reg:
        """The base of an array in a register; addresses in textures count from 0."""
        if self.model.arrays[array].space is Space.TEXTURE:
            return self._once("begin", lambda: self._add("u32", "mov.u32", imm(0)))
        base = self._base(array)
        if isinstance(base, Reg):
            return base
        bits = self.bits(array)
        return self._once(("base", array), lambda: self._add(f"u{bits}", f"mov.u{bits}", base))

    def bits(self, array: int) -> int:
        """The bits of addresses in an array."""
        return 32 if self.model.arrays[array].space in (Space.SHARED, Space.TEXTURE) else 64

    def _terms(self, site: AffineSite) -> list[tuple[Reg, int]]:
        """Registers and their factors; a thread's number in the grid where that is one."""
        found: list[tuple[Reg, int]] = []
        threads, ctas = list(site.threads), list(site.ctas)
        linear = _is_linear(site.threads, self.model.block)
        across = _is_linear(site.ctas, self.model.grid)
        size = _product(self.model.block)
        if linear and linear * size == across and site.threads[0]:
            found.append((self.thread(), linear))
            threads, ctas = [0, 0, 0], [0, 0, 0]
        for axis in range(3):
            c, d = threads[axis], ctas[axis]
            if c and d == c * self.model.block[axis]:
                found.append((self._along(axis), c))
                threads[axis] = ctas[axis] = 0
        for axis, factor in enumerate(threads):
            if factor:
                found.append((self.special(f"tid.{AXES[axis]}"), factor))
        for axis, factor in enumerate(ctas):
            if factor:
                found.append((self.special(f"ctaid.{AXES[axis]}"), factor))
        if site.fold < 1.0:
            found.append((self._folded(site.fold), -site.warp_step))
        return found

    def _along(self, axis: int) -> Reg:
        """The number of a thread in the grid along one axis."""
        name = AXES[axis]

        def make() -> Reg:
            own = self.special(f"tid.{name}")
            return self._sum(self.special(f"ctaid.{name}"), self.model.block[axis], own)

        return self._once(("along", axis), make)

    def _folded(self, fold: float) -> Reg:
        """How many warps back a warp finds the bytes of the one that it stands for."""

        def make() -> Reg:
            share = imm(min((1 << 32) - 1, round(fold * (1 << 32))))
            stands = self._add("u32", "mul.hi.u32", self.warp(), share)
            return self._add("u32", "sub.u32", self.warp(), stands)

        return self._once(("folded", fold), make)

    def _sum(self, number: Reg, factor: int, other: Reg | None) -> Reg:
        """``number * factor + other``, without multiplying where a shift does."""
        key = ("sum", number.index, factor, None if other is None else other.index)

        def make() -> Reg:
            if factor > 0 and factor & (factor - 1) == 0:
                shifted = number
                if factor > 1:
                    shift = imm(factor.bit_length() - 1)
                    shifted = self._add("u32", "shl.b32", number, shift)
                return shifted if other is None else self._add("u32", "add.u32", shifted, other)
            if other is None:
                return self._add("u32", "mul.lo.u32", number, imm(factor))
            if factor == -1:
                return self._add("u32", "sub.u32", other, number)
            return self._add("u32", "mad.lo.u32", number, imm(factor), other)

        return self._once(key, make)

    def _plus(self, address: Reg, terms: list[tuple[Reg, int]], bits: int) -> Reg:
        """Add multiples of numbers to an address; 64 bits are multiplied once, at the end."""
        if bits == 32:
            for index, factor in terms:
                address = self._sum(index, factor, address)
            return address
        common = math.gcd(*(factor for _, factor in terms))
        total: Reg | None = None
        for index, factor in sorted(terms, key=lambda t: (t[1] != common, t[0].index)):
            total = self._sum(index, factor // common, total)
        assert total is not None
        return self._add("u64", "mad.wide.s32", total, Imm(common), address)


def _product(extents: tuple[int, int, int]) -> int:
    x, y, z = extents
    return x * y * z


def _is_linear(coefficients: tuple[int, int, int], extents: tuple[int, int, int]) -> int:
    """The step of a number that runs over all axes, x fastest; 0 where there is none."""
    step, size = 0, 1
    for coefficient, extent in zip(coefficients, extents, strict=True):
        if extent == 1:
            continue
        if not step:
            step = coefficient if size == 1 else 0
        if coefficient != step * size:
            return 0
        size *= extent
    return step


# What the parts that write a clone's kernel share.


class KernelWriter:
    """A kernel that is being written: its registers, what is worked out once, what is added.

    ``added`` has what it executes beyond its chains, by block.
    """

    def __init__(self, model: CloneModel) -> None:
        self.model = model
        self.registers = KernelRegisters(model.registers)
        self.pointer = f"{model.name}_param_0"
        self.prologue = Prologue(model, self.registers, self.pointer)
        self.added: list[tuple[int, Operation]] = []

    def extra(self, block: CloneBlock, body: list[Instruction], made: Instruction) -> None:
        """Write an instruction that is in no chain."""
        body.append(made)
        self.added.append((block.id, made.operation))
