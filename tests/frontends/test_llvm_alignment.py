"""Loads and stores that are less aligned than they are wide go by pieces of their alignment."""

import numpy as np
import pytest
from llvm_inputs.rendered import lowered

from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.frontends.llvm import parse
from warpmill.executor.compile import compile_kernel
from warpmill.executor.device_memory import DeviceMemory
from warpmill.executor.launching import Grid, execute

TARGETS = {
    "nvptx64-nvidia-cuda": "ptx_kernel",
    "amdgcn-amd-amdhsa": "amdgpu_kernel",
    "spir64-unknown-unknown": "spir_kernel",
}


def accesses(statement):
    """Opcode and offset of each access that a statement becomes."""
    found = []
    for line in lowered(statement):
        opcode, _, operands = line.partition(" ")
        if opcode.startswith(("ld.", "st.")):
            found.append((opcode, int(operands.partition("+")[2].partition("]")[0] or 0)))
    return found


@pytest.mark.parametrize(
    ("statement", "opcode", "offsets"),
    [
        ("%r = load i32, ptr addrspace(1) %p, align 1", "ld.global.b8", [0, 1, 2, 3]),
        ("%r = load i64, ptr addrspace(1) %p, align 4", "ld.global.b32", [0, 4]),
        ("%r = load half, ptr %q, align 1", "ld.global.b8", [0, 1]),
        ("%r = load double, ptr addrspace(3) %s, align 2", "ld.shared.b16", [0, 2, 4, 6]),
        ("%r = load ptr, ptr %q, align 4", "ld.global.b32", [0, 4]),
        ("%r = load volatile float, ptr %q, align 2", "ld.volatile.global.b16", [0, 2]),
        ("%r = load <2 x float>, ptr %q, align 2", "ld.global.b16", [0, 2, 4, 6]),
        ("%r = load <4 x float>, ptr %q, align 4", "ld.global.f32", [0, 4, 8, 12]),
        ("%r = load i128, ptr %q, align 4", "ld.global.b32", [0, 4, 8, 12]),
        ("%r = load { float, double }, ptr %q, align 4", "ld.global.b32", [8, 12]),
        ("store i32 %x, ptr addrspace(1) %p, align 2", "st.global.b16", [0, 2]),
        ("store i16 3, ptr %q, align 1", "st.global.b8", [0, 1]),
        ("store double %d, ptr addrspace(1) %p, align 4", "st.global.b32", [0, 4]),
        ("store <2 x i64> zeroinitializer, ptr %q, align 4", "st.global.b32", [0, 4, 8, 12]),
        ("store ptr %q, ptr %q, align 2", "st.global.b16", [0, 2, 4, 6]),
    ],
)
def test_pieces_are_as_wide_as_the_alignment(statement, opcode, offsets):
    found = accesses(statement)
    found = found[1:] if "{ float, double }" in statement else found  # the float is whole
    assert found == [(opcode, offset) for offset in offsets]


@pytest.mark.parametrize("align", [4, 8])
def test_what_is_aligned_is_one_access(align):
    found = accesses(f"%r = load float, ptr %q, align {align}")
    assert found == [("ld.global.f32", 0)]


def test_an_atomic_access_is_never_cut():
    found = accesses("%r = load atomic i32, ptr %q monotonic, align 2")
    assert found == [("ld.relaxed.sys.global.b32", 0)]


def copied(triple, type_, align, given):
    """Run a kernel that copies a value from one odd place to another; give all that it left."""
    text = f"""target triple = "{triple}"
define {TARGETS[triple]} void @k(ptr addrspace(1) %p) {{
  %a = getelementptr i8, ptr addrspace(1) %p, i64 {align}
  %v = load {type_}, ptr addrspace(1) %a, align {align}
  %b = getelementptr i8, ptr addrspace(1) %p, i64 {64 + align}
  store {type_} %v, ptr addrspace(1) %b, align {align}
  ret void
}}
"""
    module = parse(Source("t.ll", text)).module
    memory = DeviceMemory()
    place = memory.allocate(128)
    view = memory.view(place, 128)
    view[:] = given
    kernel = compile_kernel(module, module.kernels[0])
    execute(kernel, memory, Grid((1, 1, 1), (1, 1, 1)), np.uint64(place).tobytes())
    return view


@pytest.mark.one_in(12)
@pytest.mark.parametrize("triple", TARGETS)
@pytest.mark.parametrize("align", [1, 2, 4])
@pytest.mark.parametrize(
    ("type_", "size"),
    [
        ("i16", 2), ("half", 2), ("i32", 4), ("float", 4), ("i64", 8), ("double", 8), ("i96", 12),
        ("<2 x half>", 4), ("<3 x float>", 12), ("<2 x double>", 16), ("ptr addrspace(1)", 8),
    ],
)  # fmt: skip
def test_values_of_odd_places_are_loaded_and_stored(triple, align, type_, size):
    given = np.random.default_rng(1).integers(1, 256, 128, np.uint8)
    given[64:] = 0
    want = given.copy()
    want[64 + align :][:size] = given[align:][:size]
    assert (copied(triple, type_, align, given) == want).all()
