"""What copies, reductions and stores of many bytes read and write."""

from __future__ import annotations

from pathlib import Path

import pytest

from warpmill.analyzer.ir.operation import decode
from warpmill.session.options import LaunchOptions
from warpmill.session.prepare import prepare
from warpmill.session.simulations import simulate
from warpmill.simulator.assembler.costs import UnmodelledClass
from warpmill.simulator.gpu.result import SimResult
from warpmill.simulator.machines import load_machine

KERNEL = """.version 8.6
.target sm_90a
.address_size 64
.visible .entry k(.param .u64 p)
{{
.reg .pred %p<4>; .reg .b32 %r<12>; .reg .b64 %d<12>;
.shared .align 128 .b8 tile[4096];
.shared .align 8 .b64 barrier;
ld.param.u64 %d1, [p];
mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x;
mul.wide.u32 %d2, %r2, 4096; add.u64 %d3, %d1, %d2;
mov.u32 %r3, tile; mov.u32 %r4, barrier;
setp.ne.u32 %p1, %r1, 0;
@%p1 bra end;
{body}
end: ret;
}}
"""


TABLE = """
cp.async.ca.shared.global = store load
cp.async.bulk.global.shared::cta.bulk_group = store load
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes = store load
cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes = store load remote
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster = store load remote
cp.async.bulk.tensor.2d.global.shared::cta.bulk_group = store load
cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 = atomic load
cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.bulk_group = atomic load
cp.async.bulk.prefetch.L2.global =
cp.async.bulk.commit_group =
st.bulk.weak.shared::cta = store
st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 = store remote
red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 = atomic remote
discard.global.L2 =
applypriority.global.L2::evict_normal =
prefetch.global.L2 =
multimem.ld_reduce.relaxed.sys.global.add.v4.f32 = load remote
multimem.st.relaxed.sys.global.f32 = store remote
multimem.red.relaxed.sys.global.add.f32 = atomic remote
multimem.cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 = atomic load remote
ld.shared::cluster.u32 = load remote
ld.relaxed.sys.global.u32 = load
"""  # noqa: E501 - opcodes are as long as they are


def test_what_is_done_at_each_address() -> None:
    """The table says it once: in the order of the addresses, and whether others' memory is met."""
    for line in TABLE.strip().split("\n"):
        opcode, _, words = line.partition(" =")
        operation = decode(opcode)
        found = [*operation.access, *(["remote"] if operation.is_remote else [])]
        assert found == words.split(), opcode


def simulated(folder: Path, body: str) -> SimResult:
    """Two CTAs of a body simulated."""
    path = folder / "k.ptx"
    path.write_text(KERNEL.format(body=body))
    job = prepare(path, None, LaunchOptions("2", "32", args=("buffer=u32:65536",)))
    return simulate(job, load_machine("h100_sxm"))


STORE = "cp.async.bulk.global.shared::cta.bulk_group [%d3], [%r3], 4096;"
LOAD = (
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r3], [%d3], 4096, [%r4];"
)
REDUCE = "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%d3], [%r3], 4096;"
"""4096 B of 128 sectors by each of two CTAs."""


@pytest.mark.parametrize(
    ("body", "sectors"), [(STORE, (0, 256, 0)), (LOAD, (256, 0, 0)), (REDUCE, (0, 0, 256))]
)
def test_simulated_directions(tmp_path: Path, body: str, sectors: tuple[int, int, int]) -> None:
    """Sectors read, written and reduced in memory; none of them in L1."""
    moved = simulated(tmp_path, body)
    assert (moved.read_sectors, moved.write_sectors, moved.atomic_sectors) == sectors


BETWEEN = """target triple = "nvptx64-nvidia-cuda"
declare void @llvm.memcpy.p1.p1.i64(ptr addrspace(1), ptr addrspace(1), i64, i1)
define ptx_kernel void @k(ptr addrspace(1) %a) {
  %q = getelementptr i8, ptr addrspace(1) %a, i64 65536
  call void @llvm.memcpy.p1.p1.i64(
      ptr addrspace(1) align 16 %a, ptr addrspace(1) align 16 %q, i64 4096, i1 false)
  ret void
}
"""


def test_the_side_of_a_copy_that_is_not_simulated_is_told(tmp_path: Path) -> None:
    """Copies between two places outside the SM come from LLVM alone."""
    path = tmp_path / "k.ll"
    path.write_text(BETWEEN)
    job = prepare(path, None, LaunchOptions("1", "1", args=("buffer=u32:65536",)))
    found = simulate(job, load_machine("h100_sxm"))
    assert (found.read_sectors, found.write_sectors) == (128, 0)
    assert found.unmodelled == (
        UnmodelledClass("second side of a copy between two places outside the SM", 1),
    )
    assert simulated(tmp_path, STORE).unmodelled == ()
