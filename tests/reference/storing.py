"""The slow interpreter with a memory: what a launch leaves in it, and what it should have counted.

Warps run one after another, lanes of an instruction from the lowest, so that what is stored last
stays. Words of 32 bits only. Random programs and graphs are made to show in memory what they do.
"""

from dataclasses import dataclass, field

import numpy as np

from tests.reference.interpreter import Warp, bits, lanes_of_warp
from tests.reference.programs import Lowering, type_of
from warpmill.analyzer.ir.kernel import Address, Imm, Special
from warpmill.analyzer.ir.types import OpClass, Space

MOST_EVENTS = 20_000


@dataclass
class StoringWarp(Warp):
    """A warp whose loads, stores and ``atom.add`` work on ``memory``, a word by its address."""

    memory: dict = field(default_factory=dict)
    crossings: list = field(default_factory=list)
    crossed: list = field(default_factory=list)  # the same with the bits of the lanes

    def execute(self, block, lanes):
        guards = []
        for index, instruction in enumerate(block.instructions):
            if instruction.is_branch or instruction.operation.op_class is OpClass.RETURN:
                continue
            on = self.guarded(instruction, lanes)
            if on != lanes:
                guards.append((index, bits(on)))
            for lane in sorted(on):
                self.step(instruction, lane)
        self.events.append((block.id, bits(lanes), tuple(guards), ()))
        assert len(self.events) <= self.most_events

    def step(self, instruction, lane):
        operation, operands = instruction.operation, instruction.operands
        if operation.op_class is OpClass.BARRIER:
            return
        if operation.op_class is OpClass.STORE:
            where = self.address(instruction.address, lane)
            self.memory[where] = self.bits_of(operands[-1], lane) % (1 << 32)
        elif operation.op_class is OpClass.ATOMIC:
            where = self.address(instruction.address, lane)
            old = self.memory.get(where, 0)
            self.memory[where] = (old + self.bits_of(operands[-1], lane)) % (1 << 32)
            self.registers[lane][operands[0].index] = old
        else:
            self.write(instruction, lane)

    def result(self, instruction, lane):
        operation = instruction.operation
        if operation.op_class is OpClass.LOAD and operation.space is not Space.PARAM:
            return self.memory.get(self.address(instruction.address, lane), 0)
        return super().result(instruction, lane)

    def sides(self, block, lanes, exit_id):
        """The sides, one that several cases lead to where it is named first."""
        found = super().sides(block, lanes, exit_id)
        left = lanes - set().union(*found.values())
        if left:  # of a guarded return some go on
            self.crossings.append((block.id, exit_id, len(left)))
            self.crossed.append((block.id, exit_id, bits(left)))
        return {t: found[t] for t in (*block.successors, exit_id) if t in found}

    def copy(self, source, target, lanes):
        self.crossings.append((source, target, len(lanes)))
        self.crossed.append((source, target, bits(lanes)))
        super().copy(source, target, lanes)


@dataclass
class Expected:
    """What should have been counted, in the order of the executor's counts."""

    block_warps: np.ndarray
    block_threads: np.ndarray
    guard_lanes: np.ndarray
    edge_warps: np.ndarray
    edge_threads: np.ndarray


def interpret(compiled, grid, block, arguments, memory):
    """Run all warps of a launch on a memory, a dict; gives an ``Expected``."""
    kernel, lanes = compiled.kernel, compiled.lanes
    blocks = len(kernel.blocks)
    found = Expected(*(np.zeros(n, np.int64) for n in (
        blocks, blocks, len(compiled.guards), len(compiled.edges), len(compiled.edges),
    )))  # fmt: skip
    for cta in np.ndindex(*grid[::-1]):
        for number in range(-(-int(np.prod(block)) // lanes)):
            specials = lanes_of_warp(number, lanes, grid, block, cta[::-1])
            warp = StoringWarp(kernel, specials, arguments, {}, MOST_EVENTS, memory)
            add(found, compiled, warp.run(), warp.crossings)
    return found


def add(found, compiled, events, crossings):
    """Count one warp."""
    for block, mask, guards, _ in events:
        found.block_warps[block] += 1
        found.block_threads[block] += mask.bit_count()
        known = dict(guards)
        for place, (guarded, index) in enumerate(compiled.guards):
            if guarded == block:
                found.guard_lanes[place] += known.get(index, mask).bit_count()
    for source, target, lanes in crossings:
        if (source, target) not in compiled.edges:  # the block's only way on
            continue
        place = compiled.edges.index((source, target))
        found.edge_warps[place] += 1
        found.edge_threads[place] += lanes


AREA_WORDS = 64
"""Words of memory that the lanes of a warp fight for."""


class ObservedLowering(Lowering):
    """Lowers programs so that memory shows what they did.

    Each warp has an area of words that its stores go to, so that the order of its lanes and of the
    sides of its branches decides what stays. At the end each thread stores all variables.
    """

    def __init__(self, variables, *, phis, warps):
        super().__init__(variables, phis=phis)
        self.names, self.warps = variables, warps
        cta = ("mad.lo.s32", "ctaid.y", "nctaid.x", "ctaid.x")
        warp = ("mad.lo.s32", cta, warps, "warpid")
        self.area = self.at(self.value(("mul.lo.s32", warp, 4 * AREA_WORDS)), self.base)

    def at(self, offset, base):
        return self.emit("mad.wide.u32", self.register("b64"), offset, Imm(1), base)

    def do_store(self, expression, condition):
        index = self.value(expression)
        place = self.value(("shl.b32", ("and.b32", index, AREA_WORDS - 1), 2))
        shown = self.value(("xor.b32", ("shl.b32", index, 8), Special("laneid")))
        guard = None if condition is None else self.guard(condition)
        self.emit("st.global.u32", Address(self.at(place, self.area)), shown, guard=guard)

    def value(self, expression):
        if isinstance(expression, Special):
            return expression
        return super().value(expression)

    def kernel(self, program):
        self.body(program)
        self.store_variables()
        return super().kernel([])

    def store_variables(self):
        row = ("mad.lo.s32", "tid.y", "ntid.x", "tid.x")
        plane = ("mul.lo.s32", ("mul.lo.s32", "tid.z", "ntid.y"), "ntid.x")
        thread = ("add.s32", plane, row)
        cta = ("mad.lo.s32", "ctaid.y", "nctaid.x", "ctaid.x")
        first = ("mul.lo.s32", ("mul.lo.s32", "ntid.x", "ntid.y"), "ntid.z")
        whole = ("mad.lo.s32", cta, first, thread)
        ctas = ("mul.lo.s32", "nctaid.x", "nctaid.y")
        past = ("mul.lo.s32", ctas, 4 * AREA_WORDS * self.warps)
        step = 4 * len(self.names)
        place = self.at(self.value(("mad.lo.s32", whole, step, past)), self.base)
        for k, name in enumerate(self.names):
            value = self.env[name]
            if type_of(name) == "pred":
                value = self.emit("selp.b32", self.register("b32"), Imm(1), Imm(0), self.flag(name))
            self.emit("st.global.u32", Address(place, 4 * k), value)
