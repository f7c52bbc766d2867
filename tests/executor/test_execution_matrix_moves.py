"""ldmatrix, stmatrix and movmatrix against the manual's definition, over scattered rows."""

import numpy as np
import pytest

from tests.reference.memory_operation import Memory, compile_with_memory
from warpmill.analyzer.launch.numbering import SHARED_WINDOW
from warpmill.executor.native.layout import FaultKind

DECLARED = ".reg .b32 %r<9>; .reg .b64 %rd<4>;"


def scattered_rows(rng):
    """32 addresses of rows of 16 bytes, in no order, and shared memory of random bytes."""
    return (rng.permutation(64)[:32] * 16).astype(np.uint32), rng.integers(0, 256, 1024, np.uint8)


def matrices(shared, rows, count):
    """The matrices of 8 rows of 8 halves that the addresses of lanes 0 … 8 count - 1 name."""
    whole = np.stack([shared[a : a + 16].view(np.uint16) for a in rows[: 8 * count]])
    return whole.reshape(count, 8, 8)


def word(matrix, lane):
    """What a lane holds of a matrix: two neighbours of a row."""
    low, high = matrix[lane // 4, 2 * (lane % 4)], matrix[lane // 4, 2 * (lane % 4) + 1]
    return int(low) | int(high) << 16


@pytest.mark.parametrize("trans", ["", ".trans"])
@pytest.mark.parametrize("count", [1, 2, 4])
def test_ldmatrix(count, trans):
    rows, shared = scattered_rows(np.random.default_rng(count))
    names = ", ".join(f"%r{k}" for k in range(count))
    made = compile_with_memory(
        f"ldmatrix.sync.aligned.m8n8.x{count}{trans}.shared.b16 {{{names}}}, [%r8];", DECLARED
    )
    registers, fault = made.run_with(Memory(shared), {"%r8": rows})
    assert fault[0] == 0
    for k, matrix in enumerate(matrices(shared, rows, count)):
        turned = matrix.T if trans else matrix
        assert registers[f"%r{k}"].tolist() == [word(turned, lane) for lane in range(32)]


@pytest.mark.parametrize("trans", ["", ".trans"])
@pytest.mark.parametrize("count", [1, 2, 4])
def test_stmatrix(count, trans):
    rng = np.random.default_rng(count)
    rows, shared = scattered_rows(rng)
    before = shared.copy()
    given = {f"%r{k}": rng.integers(0, 1 << 32, 32, np.uint32) for k in range(count)}
    names = ", ".join(given)
    made = compile_with_memory(
        f"stmatrix.sync.aligned.m8n8.x{count}{trans}.shared.b16 [%r8], {{{names}}};", DECLARED
    )
    made.run_with(Memory(shared), given | {"%r8": rows})
    for k, matrix in enumerate(matrices(shared, rows, count)):
        turned = matrix.T if trans else matrix
        assert given[f"%r{k}"].tolist() == [word(turned, lane) for lane in range(32)]
    untouched = set(range(0, 1024, 16)) - set(rows[: 8 * count].tolist())
    for start in untouched:
        assert (shared[start : start + 16] == before[start : start + 16]).all()


def test_rows_may_lie_at_generic_addresses():
    rows, shared = scattered_rows(np.random.default_rng(1))
    made = compile_with_memory("ldmatrix.sync.aligned.m8n8.x1.b16 {%r0}, [%rd1];", DECLARED)
    generic = rows.astype(np.uint64) + SHARED_WINDOW
    registers, _ = made.run_with(Memory(shared), {"%rd1": generic})
    matrix = matrices(shared, rows, 1)[0]
    assert registers["%r0"].tolist() == [word(matrix, lane) for lane in range(32)]


def test_a_row_outside_is_a_fault():
    rows, shared = scattered_rows(np.random.default_rng(1))
    rows[3] = 1024
    made = compile_with_memory("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r0}, [%r8];", DECLARED)
    _, fault = made.run_with(Memory(shared), {"%r8": rows})
    assert fault[0] == FaultKind.OUT_OF_BOUNDS


@pytest.mark.parametrize("bits", [4, 6])
def test_narrow_numbers_get_a_byte_each(bits):
    """A row holds 16 numbers, packed from its start; lane l takes four from 4 (l mod 4) on."""
    rows, shared = scattered_rows(np.random.default_rng(bits))
    padding = {4: "b4x16_p64", 6: "b6x16_p32"}[bits]
    made = compile_with_memory(
        f"ldmatrix.sync.aligned.m8n16.x2.shared.b8x16.{padding} {{%r0, %r1}}, [%r8];", DECLARED
    )
    registers, _ = made.run_with(Memory(shared), {"%r8": rows})
    for k in range(2):
        got = registers[f"%r{k}"].view(np.uint8).reshape(32, 4)
        for lane in range(32):
            start = rows[8 * k + lane // 4]
            row = int.from_bytes(shared[start : start + 16].tobytes(), "little")
            numbers = [row >> (bits * i) & ((1 << bits) - 1) for i in range(16)]
            assert got[lane].tolist() == numbers[4 * (lane % 4) : 4 * (lane % 4) + 4]


def test_movmatrix():
    given = np.random.default_rng(2).integers(0, 1 << 32, 32, np.uint32)
    matrix = given.view(np.uint16).reshape(8, 8)
    made = compile_with_memory("movmatrix.sync.aligned.m8n8.trans.b16 %r1, %r0;", DECLARED)
    registers, _ = made.run_with(Memory(), {"%r0": given})
    np.testing.assert_array_equal(registers["%r1"].view(np.uint16).reshape(8, 8), matrix.T)
