"""What hardware does and simulators' configurations leave out: shared memory and L1."""

import numpy as np
import pytest

from tests.memory.test_streams import batch_of
from tests.timing.hardware_kernels import HEAD, simulated
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.launch.numbering import GLOBAL_BASE
from warpmill.analyzer.memory.rules import MemoryRules, shared_wavefronts
from warpmill.analyzer.traces.event_batch import AccessPoint
from warpmill.session.options import LaunchOptions
from warpmill.session.prepare import prepare
from warpmill.simulator.assembler.merged_loads import counted_atomics
from warpmill.simulator.streams import StreamRules, streams

SHARED_ATOMIC = "and.b32 %r6, %r1, {mask}; shl.b32 %r6, %r6, 2; mov.u32 %r5, tile;\
    add.u32 %r5, %r5, %r6; mov.u32 %r7, 1; red.shared.add.u32 [%r5], %r7; ret; }}"


def passes(width, offsets, space=Space.SHARED, rules=None):
    """The passes of an access of a warp whose lanes are at these offsets."""
    base = GLOBAL_BASE if space is Space.GLOBAL else 64
    batch = batch_of(
        [AccessPoint(0, 0, "load", space, width)], 32, [0], [base], [0], [offsets], [(1 << 32) - 1]
    )
    return streams(batch, rules or StreamRules(lines_per_clk=4.0, packs_pairs=True))


def test_wide_loads_that_lanes_share_take_half_the_passes():
    lane = np.arange(32)
    for width, offsets, expected in (
        (16, lane * 16, 4),
        (16, lane * 0, 2),
        (16, lane // 2 * 16, 2),
        (16, lane // 4 * 16, 2),
        (8, lane * 8, 2),
        (8, lane // 2 * 8, 1),
        (8, lane % 8 * 8, 2),
        (4, lane * 4, 1),
    ):
        assert passes(width, offsets).shape_passes.tolist() == [expected]
        assert shared_wavefronts(offsets, width, MemoryRules(packs_pairs=True)) == expected
    plain = passes(16, lane * 0, rules=StreamRules())
    assert plain.shape_passes.tolist() == [shared_wavefronts(lane * 0, 16)] == [4]


def test_l1_takes_as_long_as_its_banks_or_the_tags_of_lines():
    """Measured on an A100: 2 cycles for stride 2, 8 for 8, 32 for 32; 1 + (n - 2) / 4 for lines."""
    lane = np.arange(32)
    for words, expected in ((1, 1), (2, 2), (4, 4), (8, 8), (32, 32), (33, 9), (17, 5), (0, 1)):
        found = passes(4, lane * 4 * words, Space.GLOBAL)
        assert found.shape_passes.tolist() == [expected]


def test_parts_of_sectors_are_those_whose_bytes_are_all_touched():
    random = np.random.default_rng(7)
    for _ in range(40):
        width = int(random.choice([1, 2, 4, 8]))
        offsets = random.integers(0, 64, 32) * int(random.choice([1, 2, 4]))
        found = passes(width, offsets, Space.GLOBAL)
        touched = {int(o) + k for o in offsets for k in range(width)}
        base = int(found.access_base[0]) * 32 - GLOBAL_BASE
        for offset, parts in zip(found.txn_offset, found.txn_parts, strict=True):
            begin = base + 32 * int(offset)
            whole = [{*range(begin + 4 * k, begin + 4 * k + 4)} <= touched for k in range(8)]
            assert [bool(parts >> k & 1) for k in range(8)] == whole


def test_lanes_at_one_word_of_shared_memory_take_turns(tmp_path):
    """32 warps, and 20 cycles a lane: 2 lanes at each of 16 words, or one at each of 32."""
    held = {
        mask: simulated(
            tmp_path, SHARED_ATOMIC.format(mask=mask), block=1024, **{"interval.shared_atomic": 20}
        ).cycles
        for mask in (31, 15, 7)
    }
    assert held[15] - held[31] == 31 * 20
    assert held[7] - held[15] == 31 * 40


COUNTED = """mov.u32 %r5, tile; and.b32 %r6, %r1, 1; mad.lo.u32 %r5, %r6, 4, %r5;
    {atomic}; st.global.u32 [%rd1], {stored}; ret; }}"""


@pytest.mark.parametrize(
    ("atomic", "stored", "is_counted"),
    [
        ("atom.shared.add.u32 %r7, [%r5], 1", "%r5", True),
        ("red.shared.add.s32 [%r5], 1", "%r5", True),
        ("atom.shared.add.u32 %r7, [%r5], 1", "%r7", False),  # which number each lane was is told
        ("atom.shared.add.u32 %r7, [%r5], 2", "%r5", False),
        ("atom.shared.add.u32 %r7, [%r5], %r1", "%r5", False),
        ("atom.shared.max.u32 %r7, [%r5], 1", "%r5", False),
        ("red.global.add.u32 [%rd1], 1", "%r5", False),
    ],
)
def test_lanes_are_counted_where_ones_are_added_and_nothing_is_read(
    tmp_path, atomic, stored, is_counted
):
    path = tmp_path / "k.ptx"
    path.write_text(HEAD + COUNTED.format(atomic=atomic, stored=stored))
    analysis = prepare(path, None, LaunchOptions()).analysis
    found = counted_atomics(analysis.structure.kernel, analysis.accesses)
    assert len(found) == is_counted


def test_counting_lanes_takes_no_turns_from_compute_capability_8_on(tmp_path):
    """32 warps, 16 lanes on each of two words, 20 cycles a turn; stores go in between."""
    body = COUNTED.format(atomic="atom.shared.add.u32 %r7, [%r5], 1", stored="%r5")
    own = {"interval.shared_atomic": 20, "l2.atomic_cycles": 1}
    new, old = (
        simulated(tmp_path, body, block=1024, **own, **{"machine.compute_capability": chip}).cycles
        for chip in ("8.0", "7.5")
    )
    assert old - new == pytest.approx(32 * 15 * 20, abs=250)
