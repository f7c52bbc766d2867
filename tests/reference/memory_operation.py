"""PTX instructions of one warp with memory: shared, global and textures, as NumPy arrays."""

import ctypes
from dataclasses import dataclass, field

import numpy as np

from tests.reference.one_operation import HEADER, Operation, aligned
from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.frontends import ptx
from warpmill.analyzer.launch.numbering import GLOBAL_BASE
from warpmill.executor.compile import NativeCode
from warpmill.executor.native.emitter import Emitter
from warpmill.executor.native.instructions import LlvmModule, LlvmValue
from warpmill.executor.native.layout import CONTEXT, CONTEXT_BYTES
from warpmill.executor.native.rules import RULES
from warpmill.executor.native.segments import lay_out_frame
from warpmill.executor.native.specials import Places
from warpmill.executor.native.step import LaneRegisters, LoweringStep

_SITE_BYTES = 32
_STEP_BYTES = 0x10000  # from one array of global memory to the next


def device_address(number):
    """The address of the array of global memory with a number."""
    return GLOBAL_BASE + number * _STEP_BYTES


@dataclass
class Memory:
    """What a warp can reach: ``shared`` and ``arrays`` are changed in place."""

    shared: np.ndarray = field(default_factory=lambda: np.zeros(0, np.uint8))
    arrays: tuple = ()
    textures: np.ndarray = field(default_factory=lambda: np.zeros((0, 1), np.int64))


@dataclass(frozen=True)
class MemoryOperation(Operation):
    """Native code of some statements that use memory."""

    sites: int = 1

    def run_with(self, memory, inputs, mask=None):
        """Run it; gives the registers, and the number and lanes of the first fault (0: none)."""
        frame = aligned(self.layout.bytes)
        for name, values in inputs.items():
            self.put(frame, name, np.asarray(values))
        context = np.zeros(CONTEXT_BYTES // 8, np.int64)
        rows = [
            [device_address(k), device_address(k) + a.nbytes, a.ctypes.data]
            for k, a in enumerate(memory.arrays)
        ]
        table = np.array(rows or [[0, 0, 0]], np.int64)
        sites = np.zeros(self.sites * _SITE_BYTES, np.uint8)
        values = {
            "shared": memory.shared.ctypes.data,
            "shared_bytes": memory.shared.nbytes,
            "allocations": table.ctypes.data,
            "allocation_count": len(rows),
            "sites": sites.ctypes.data,
            "textures": memory.textures.ctypes.data,
            "texture_count": len(memory.textures),
        }
        for name, value in values.items():
            context[CONTEXT[name] // 8] = value
        bits = (1 << self.lanes) - 1 if mask is None else mask
        function = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint64)
        function(self.code.address("op"))(context.ctypes.data, frame.ctypes.data, bits)
        registers = {r.name: self.get(frame, r.name) for r in self.kernel.registers}
        fault = [int(context[CONTEXT[f] // 8]) for f in ("fault", "fault_lanes", "fault_address")]
        return registers, fault


def compile_with_memory(statements, declarations, places=None, lanes=32, module=""):
    """Compile statements as ``compile_operation`` does; each gets a row of the sites' table."""
    text = f"{HEADER}{module}\n.visible .entry k()\n{{\n{declarations}\n{statements}\nret;\n}}\n"
    kernel = ptx.parse(Source("one.ptx", text)).module.kernels[0]
    return compile_kernel(kernel, places, lanes)


def compile_kernel(kernel, places=None, lanes=32):
    """Compile the first block of a kernel, but for its last instruction."""
    layout = lay_out_frame(kernel, lanes)
    module = LlvmModule(lanes)
    e = Emitter(module)
    registers = LaneRegisters(e, layout)
    active = e.mask(e.resize(LlvmValue("%bits", "i64", uniform=True), f"i{lanes}"))
    instructions = kernel.blocks[0].instructions[:-1]
    for site, instruction in enumerate(instructions):
        step = LoweringStep(e, registers, instruction, active, places or Places(), site)
        RULES[instruction.operation.name](step)
    for slot in registers.written:
        registers.store(slot, active, e.bits(active))
    e.raw("  ret void")
    body = e.body_text()
    module.functions["@op"] = (
        f"define void @op(ptr %ctx, ptr %frame, i64 %bits) #0 {{\n{body}\n}}\n"
    )
    code = NativeCode(module)
    return MemoryOperation(kernel, layout, code, lanes, len(instructions))
