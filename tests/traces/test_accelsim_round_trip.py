"""Traces in Accel-Sim's form, out and in: masks, PCs, opcodes and addresses stay."""

import random
from pathlib import Path

import pytest

import warpmill
from tests.reference.accelsim_twin import executed
from tests.traces.accelsim_text import HEADER
from warpmill.analyzer.base.diagnostics import LimitError, UsageError
from warpmill.analyzer.ir.types import OpClass, Space
from warpmill.analyzer.traces.accelsim.reading import read_traced
from warpmill.analyzer.traces.accelsim.source import AccelSimSource
from warpmill.analyzer.traces.accelsim.text import read_list
from warpmill.analyzer.traces.unfolding import unfolded
from warpmill.session.options import TraceOptions
from warpmill.session.traces import save_accelsim, trace

SAMPLES = Path("samples")


def read_back(traced):
    """As the twin has a trace, of what was read: by CTA and warp."""
    kernel = traced.code.kernel
    pcs = {
        (b.id, i): int(traced.code.source.line(one.span.line).split()[0], 16)
        for b in kernel.blocks
        for i, one in enumerate(b.instructions)
    }
    grid = [traced.tables.cta(int(n)) for n in traced.ctas]
    found = {}
    for batch in AccelSimSource(traced).batches(grid):
        for place, number in enumerate(batch.ctas.tolist()):
            warps = batch.traces(place)
            found[traced.tables.cta(number)] = {
                w.warp: _lines(kernel, w, pcs) for w in warps if w.nodes
            }
    return found


def _lines(kernel, warp, pcs):
    lines = []
    for visit in warp.nodes:
        guards = dict(visit.guards)
        accesses = {a.instruction: a for a in visit.accesses}
        for index, one in enumerate(kernel.blocks[visit.block].instructions):
            at, lanes = accesses.get(index), {}
            if at is not None:
                on = [k for k in range(32) if at.mask >> k & 1]
                base = warp.bases[at.addresses.slot]
                lanes = dict(
                    zip(on, (base + o for o in at.addresses.pattern.offsets(at.mask)), strict=True)
                )
            mask = guards.get(index, visit.mask)
            lines.append((pcs[visit.block, index], mask, one.operation.opcode, lanes))
    return lines


@pytest.mark.parametrize("seed", range(4))
def test_random_traces_are_read_as_line_by_line(tmp_path, seed):
    draw = random.Random(seed)
    text = HEADER.replace("(2,1,1)", "(3,2,1)").replace("(48", "(96") + "\n"
    for y in range(2):
        for x in range(3):
            text += f"#BEGIN_TB\n\nthread block = {x},{y},0\n\n"
            for warp in range(3):
                lines = [_random_line(draw, pc) for pc in _random_path(draw)]
                text += f"warp = {warp}\ninsts = {len(lines)}\n{''.join(lines)}\n"
            text += "#END_TB\n\n"
    path = tmp_path / "kernel-1.traceg"
    path.write_text(text)
    assert read_back(read_traced(path)) == executed(text)


def _random_path(draw):
    """PCs of a walk that goes on mostly, skips, goes back and ends anywhere."""
    pc, path = 0, []
    for _ in range(draw.randint(1, 60)):
        path.append(pc)
        pc = draw.choice([pc + 1, pc + 1, pc + 1, pc + 2, max(0, pc - 3), pc + 7]) % 20
    return path


def _random_line(draw, number):
    mask = draw.choice([0xFFFFFFFF, 0xFFFFFFFF, 0, draw.getrandbits(32), 1 << draw.randrange(32)])
    start = f"{16 * number:04x} {mask:08x}"
    if number % 3:
        return f"{start} 1 R{number} IADD3 2 R1 R2 0 0\n"
    lanes = mask.bit_count()
    if not lanes:
        return f"{start} 1 R4 LDG.E 1 R2 4 2 0x0 0\n"
    base = draw.randrange(1 << 40)
    if draw.random() < 0.3:
        listed = " ".join(f"0x{draw.randrange(1 << 47):016x}" for _ in range(lanes))
        return f"{start} 1 R4 LDG.E 1 R2 4 0 {listed} 0\n"
    if mask == 0xFFFFFFFF and draw.random() < 0.7:
        return f"{start} 1 R4 LDG.E 1 R2 4 1 0x{base + 4096:016x} {draw.randint(-64, 64)} 0\n"
    steps = "".join(f" {draw.randint(-99, 999)}" for _ in range(lanes - 1))
    return f"{start} 1 R4 LDG.E 1 R2 4 2 0x{base + 4096:016x}{steps} 0\n"


LEAVES = """.version 7.4
.target sm_80
.address_size 64
.visible .entry leaves(.param .u64 a) {
  .reg .pred %p<2>; .reg .b32 %r<4>; .reg .b64 %d<4>;
  .shared .align 16 .b8 s[512];
  ld.param.u64 %d0, [a];
  mov.u32 %r0, %tid.x;
  setp.gt.u32 %p0, %r0, 7;
  @%p0 ret;
  mul.wide.u32 %d1, %r0, 16;
  add.s64 %d2, %d0, %d1;
  mov.u32 %r1, s;
  mad.lo.u32 %r2, %r0, 16, %r1;
  cp.async.ca.shared.global [%r2], [%d2], 16;
  cp.async.commit_group;
  cp.async.wait_group 0;
  ret;
}
"""
"""Lanes above 7 leave early; the others copy 16 B each from the buffer to shared memory."""


def test_lanes_leave_where_they_return_and_copies_name_global_memory(tmp_path):
    (tmp_path / "leaves.ptx").write_text(LEAVES)
    job = warpmill.prepare(tmp_path / "leaves.ptx", grid=1, block=32, args=["buffer=f32:128"])
    traced = trace(job)
    (saved,) = save_accelsim([job], [traced], tmp_path / "out" / "kernelslist.g")
    lines = executed(saved.file.read_text())[0, 0, 0][0]
    exits = [(pc, mask) for pc, mask, opcode, _ in lines if opcode.startswith("EXIT")]
    assert exits == [(0x30, 0xFFFFFF00), (0xB0, 0xFF)]
    (copied,) = [lanes for _, _, opcode, lanes in lines if opcode.startswith("LDGSTS")]
    start = traced.source.layout.regions[0].start
    assert copied == {lane: start + 16 * lane for lane in range(8)}
    opcodes = [opcode.partition(".")[0] for _, _, opcode, _ in lines]
    assert opcodes[-3:] == ["LDGDEPBAR", "DEPBAR", "EXIT"]


CASES = [
    ("reduce/launch.toml", {"n": 4096}, "static"),
    ("transpose/launch.toml", {"rows": 64, "columns": 64}, "static"),
    ("spmv/launch.toml", {"rows": 256}, "executed"),
    ("stencil5/launch.toml", {"height": 48, "width": 64}, "executed"),
]


@pytest.mark.one_in(1)
@pytest.mark.parametrize(("target", "sizes", "kind"), CASES, ids=[c[0] for c in CASES])
def test_what_is_written_is_what_warps_execute(tmp_path, target, sizes, kind):
    job = warpmill.prepare(SAMPLES / target, sizes=sizes)
    traced_ = trace(job, TraceOptions(source=kind))
    source = traced_.source
    (saved,) = save_accelsim([job], [traced_], tmp_path / "out" / "kernelslist.g")
    text = saved.file.read_text()
    assert (saved.bytes, saved.ctas) == (len(text), job.launch.cta_count)
    found = executed(text)
    traced = read_traced(saved.file)
    assert read_back(traced) == found
    _compare(job, source, found)


def _compare(job, source, found):
    """What stands in the text is what the events say, with the PTX opcode behind the mnemonic."""
    kernel, launch = job.kernel, job.launch
    numbers = {}
    for block in kernel.blocks:
        for index, _ in enumerate(block.instructions):
            numbers[block.id, index] = 16 * len(numbers)
    x, y, z = launch.grid
    grid = [(i, j, k) for k in range(z) for j in range(y) for i in range(x)]
    batches = unfolded(
        source, grid, grid=launch.grid, warp_size=32, max_events=1 << 30,
        accesses=job.analysis.accesses,
    )  # fmt: skip
    seen = 0
    for batch in batches:
        for place, number in enumerate(batch.ctas.tolist()):
            cta = found[batch.tables.cta(number)]
            for warp in batch.traces(place):
                seen += 1
                lines = _lines(kernel, warp, numbers)
                told = cta[warp.warp]
                assert len(lines) == len(told)
                for one, other in zip(lines, told, strict=True):
                    assert one[0] == other[0]
                    assert other[2].endswith(f".{one[2]}")
                    assert one[3] == other[3]
                    if one[3] or "ret" not in one[2]:
                        assert one[1] == other[1]
    assert seen == sum(len(warps) for warps in found.values())


def test_every_lane_leaves_once(tmp_path):
    job = warpmill.prepare(SAMPLES / "spmv/launch.toml", sizes={"rows": 200})
    traced_ = trace(job, TraceOptions(source="executed"))
    (saved,) = save_accelsim([job], [traced_], tmp_path / "out" / "kernelslist.g")
    for warps in executed(saved.file.read_text()).values():
        for lines in warps.values():
            left = [mask for _, mask, opcode, _ in lines if opcode.startswith("EXIT")]
            assert sum(left) == 0xFFFFFFFF  # no lane twice, and none stays


def test_the_folder_has_a_list_with_the_buffers(tmp_path):
    job = warpmill.prepare(SAMPLES / "vecadd/launch.toml", sizes={"n": 1000})
    save_accelsim([job], [trace(job)], tmp_path / "out" / "kernelslist.g")
    listed = read_list(tmp_path / "out" / "kernelslist.g")
    assert [p.name for p in listed.kernels] == ["kernel-1.traceg"]
    assert [copy.size_bytes for copy in listed.copies[0]] == [4000] * 3
    traced = read_traced(listed.kernels[0], listed.copies[0])
    assert traced.text.header.is_ptx
    assert traced.text.header.nvbit == f"warpmill-ptx-{warpmill.__version__}"
    spaces = {p.space for p in traced.tables.points}
    assert spaces == {Space.GLOBAL}
    classes = {i.operation.op_class for i in traced.code.kernel.instructions}
    assert {OpClass.LOAD, OpClass.STORE, OpClass.ADD, OpClass.RETURN} <= classes


def test_limits_and_folders_that_are_there_are_refused(tmp_path):
    job = warpmill.prepare(SAMPLES / "vecadd/launch.toml", sizes={"n": 1000})
    with pytest.raises(LimitError, match="more than 100; raise the limit with --max-trace-bytes"):
        save_accelsim([job], [trace(job)], tmp_path / "out" / "kernelslist.g", max_bytes=100)
    assert not [*tmp_path.iterdir()]
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "a").touch()
    with pytest.raises(UsageError, match="no empty folder"):
        save_accelsim([job], [trace(job)], tmp_path / "out" / "kernelslist.g")
