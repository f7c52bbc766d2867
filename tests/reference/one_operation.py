"""One PTX instruction run on a full warp: registers in, registers out, as NumPy arrays of lanes."""

import ctypes
from dataclasses import dataclass, field

import numpy as np

from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.frontends import ptx
from warpmill.executor.compile import NativeCode
from warpmill.executor.native.emitter import Emitter
from warpmill.executor.native.instructions import LlvmModule, LlvmValue
from warpmill.executor.native.layout import CONTEXT_BYTES
from warpmill.executor.native.rules import REFUSALS, RULES
from warpmill.executor.native.segments import lay_out_frame
from warpmill.executor.native.specials import Places
from warpmill.executor.native.step import LaneRegisters, LoweringStep

HEADER = ".version 9.0\n.target sm_100a\n.address_size 64\n"


@dataclass(frozen=True)
class Operation:
    """Native code of some statements in a row, with the place of each register."""

    kernel: object
    layout: object
    code: NativeCode
    lanes: int

    def run(self, inputs, mask=None):
        """Run it. ``inputs`` gives registers by name, arrays of ``lanes`` elements of any type of
        the register's size (predicates: bool). Gives all registers as unsigned integers."""
        frame = aligned(self.layout.bytes)
        for name, values in inputs.items():
            self.put(frame, name, np.asarray(values))
        context = np.zeros(CONTEXT_BYTES, np.uint8)
        bits = (1 << self.lanes) - 1 if mask is None else mask
        function = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint64)
        function(self.code.address("op"))(context.ctypes.data, frame.ctypes.data, bits)
        return {r.name: self.get(frame, r.name) for r in self.kernel.registers}

    def slot(self, name):
        index = next(i for i, r in enumerate(self.kernel.registers) if r.name == name)
        return self.layout.slots[index][0]

    def put(self, frame, name, values):
        slot = self.slot(name)
        if slot.type == "i1":
            packed = np.packbits(values.astype(bool), bitorder="little")
            frame[slot.offset : slot.offset + packed.size] = packed
            return
        raw = np.ascontiguousarray(values).view(np.uint8).reshape(-1)
        assert raw.size == self.lanes * int(slot.type[1:]) // 8, name
        frame[slot.offset : slot.offset + raw.size] = raw

    def get(self, frame, name):
        slot = self.slot(name)
        if slot.type == "i1":
            raw = frame[slot.offset : slot.offset + self.lanes // 8]
            return np.unpackbits(raw, bitorder="little").astype(bool)
        size = self.lanes * int(slot.type[1:]) // 8
        raw = frame[slot.offset : slot.offset + size].copy()
        if slot.type == "i128":
            return raw.view(np.uint64).reshape(-1, 2)
        return raw.view(f"u{int(slot.type[1:]) // 8}")


def aligned(size):
    raw = np.zeros(size + 64, np.uint8)
    start = -raw.ctypes.data % 64
    return raw[start : start + size]


def compile_operation(statements, declarations, lanes=32):
    """Compile statements, ``"add.s32 %r1, %r2, %r3;"``, over ``".reg .b32 %r<4>;"``."""
    text = f"{HEADER}.visible .entry k()\n{{\n{declarations}\n{statements}\nret;\n}}\n"
    kernel = ptx.parse(Source("one.ptx", text)).module.kernels[0]
    layout = lay_out_frame(kernel, lanes)
    module = LlvmModule(lanes)
    e = Emitter(module)
    registers = LaneRegisters(e, layout)
    active = e.mask(e.resize(LlvmValue("%bits", "i64", uniform=True), f"i{lanes}"))
    for instruction in kernel.blocks[0].instructions[:-1]:
        step = LoweringStep(e, registers, instruction, active, Places())
        RULES[instruction.operation.name](step)
    for slot in registers.written:
        registers.store(slot, active, e.bits(active))
    e.raw("  ret void")
    body = e.body_text()
    module.functions["@op"] = (
        f"define void @op(ptr %ctx, ptr %frame, i64 %bits) #0 {{\n{body}\n}}\n"
    )
    return Operation(kernel, layout, NativeCode(module), lanes)


@dataclass
class Batch:
    """Native code of many statements, a function each, over one frame of all their registers.

    ``problems`` says of statements, by their number, why they have no code: "no rule", "refused: …"
    or what went wrong while they were lowered.
    """

    layout: object
    slots: dict
    lanes: int
    problems: dict = field(default_factory=dict)
    code: object = None

    def frames(self, runs):
        """Make a frame of zeros for each run."""
        stride = -(-self.layout.bytes // 64) * 64
        return aligned(runs * stride).reshape(runs, stride)

    def put(self, frames, name, values):
        """Set a register in all runs: an element for each lane of each run."""
        slot = self.slots[name]
        rows = values.reshape(frames.shape[0], -1)
        if slot.type == "i1":
            rows = np.packbits(rows.astype(bool), axis=1, bitorder="little")
        rows = np.ascontiguousarray(rows).view(np.uint8)
        frames[:, slot.offset : slot.offset + rows.shape[1]] = rows

    def get(self, frames, name):
        """A register of all runs as unsigned integers, predicates as bool."""
        slot = self.slots[name]
        if slot.type == "i1":
            raw = frames[:, slot.offset : slot.offset + self.lanes // 8]
            return np.unpackbits(raw, axis=1, bitorder="little").astype(bool).reshape(-1)
        size = int(slot.type[1:]) // 8
        raw = np.ascontiguousarray(frames[:, slot.offset : slot.offset + size * self.lanes])
        if size == 16:
            return raw.reshape(-1).view(np.uint64).reshape(-1, 2)
        return raw.reshape(-1).view(f"u{size}")

    def run(self, number, frames, masks):
        """Run one statement on each frame with the lanes of its mask."""
        context = np.zeros(CONTEXT_BYTES, np.uint8)
        function = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint64)(
            self.code.address(f"op{number}")
        )
        for row, mask in zip(frames, masks, strict=True):
            function(context.ctypes.data, row.ctypes.data, int(mask))


def compile_many(statements, declarations, lanes=32, uniform=frozenset()):
    """Compile statements, each on its own, into one module; gives a ``Batch``.

    ``declarations`` declare the registers of all; the carry flag goes by the name "cc". Of the
    registers named in ``uniform`` the lowest lane is read as a scalar for all lanes.
    """
    text = "\n".join(statements)
    source = f"{HEADER}.visible .entry k()\n{{\n{declarations}\n{text}\nret;\n}}\n"
    kernel = ptx.parse(Source("many.ptx", source)).module.kernels[0]
    (block,) = kernel.blocks
    assert len(block.instructions) == len(statements) + 1
    layout = lay_out_frame(kernel, lanes)
    slots = {r.name: s[0] for r, s in zip(kernel.registers, layout.slots, strict=True)}
    batch = Batch(layout, {**slots, "cc": layout.carry}, lanes)
    module = LlvmModule(lanes)
    for number, instruction in enumerate(block.instructions[:-1]):
        prefix = f"%x{number}_"
        scalars = [slots[n] for n in uniform if n.startswith(prefix)]
        problem = _lower_alone(module, layout, instruction, f"@op{number}", scalars)
        if problem:
            batch.problems[number] = problem
    batch.code = NativeCode(module)
    return batch


def _lower_alone(module, layout, instruction, symbol, scalars):
    """Write the function of one statement; gives what kept it from being written."""
    name = instruction.operation.name
    if name not in RULES:
        return "no rule"
    refusal = REFUSALS.get(name)
    reason = refusal(instruction) if refusal else None
    if reason:
        return f"refused: {reason}"
    e = Emitter(module)
    registers = LaneRegisters(e, layout)
    active = e.mask(e.resize(LlvmValue("%bits", "i64", uniform=True), f"i{module.lanes}"))
    for slot in scalars:
        registers.values[slot] = _lowest_lane(e, registers, slot)
    try:
        RULES[name](LoweringStep(e, registers, instruction, active, Places()))
    except Exception as error:  # any failure of a rule is what the tests report
        return f"{type(error).__name__}: {error}"
    for slot in registers.written:
        registers.store(slot, active, e.bits(active))
    e.raw("  ret void")
    module.functions[symbol] = (
        f"define void {symbol}(ptr %ctx, ptr %frame, i64 %bits) #0 {{\n{e.body_text()}\n}}\n"
    )
    return None


def _lowest_lane(e, registers, slot):
    """Read the lowest lane of a register as a number for all lanes."""
    place = registers.place(slot)
    kind = "i8" if slot.type == "i1" else slot.type
    value = e.define(f"load {kind}, ptr {place}", kind, uniform=True)
    return value if slot.type != "i1" else e.cast("trunc", value, "i1")
