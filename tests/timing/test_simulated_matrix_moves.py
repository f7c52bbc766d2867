"""Moves of matrices in simulations: accesses of the SM's memory, and those behind them stay."""

import pytest

from warpmill.session.options import LaunchOptions, TraceOptions
from warpmill.session.prepare import prepare
from warpmill.session.simulations import simulate
from warpmill.session.traces import trace_source
from warpmill.simulator.assembler.registers import RegisterCount
from warpmill.simulator.gpu import constants as c
from warpmill.simulator.gpu.code import is_matrix_move, moved_bytes
from warpmill.simulator.gpu.simulate import LaunchWork, Simulation
from warpmill.simulator.machines import load_machine
from warpmill.simulator.resources import SIMULATED_STATES

HEAD = """.version 7.8
.target sm_90
.address_size 64
.visible .entry k(.param .u64 p)
{
    .reg .b32 %r<160>; .reg .b64 %rd<9>; .reg .f32 %f<9>; .reg .f64 %d<3>;
    .shared .align 128 .b8 tile[8192];
    ld.param.u64 %rd1, [p];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, tile;
    mad.lo.u32 %r3, %r1, 16, %r2;
    mul.wide.u32 %rd2, %r1, 4;
    add.u64 %rd3, %rd1, %rd2;
"""
STORE = "st.global.u32 [%rd3], %r1;"
FOUR = "{%r10, %r11, %r12, %r13}"
EIGHT = "{%r10, %r11, %r12, %r13, %r14, %r15, %r16, %r17}"
FLOATS = "{%f1, %f2, %f3, %f4, %f5, %f6, %f7, %f8}"
MOVES = {
    "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r10}, [%r3];": 128,
    f"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {FOUR}, [%r3];": 512,
    f"ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {FOUR}, [%r3];": 512,
    "stmatrix.sync.aligned.m8n8.x2.shared.b16 [%r3], {%r10, %r11};": 256,
    f"wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {EIGHT}, [%r2];": 512,
    f"wmma.load.b.sync.aligned.col.m32n8k16.shared.f16 {EIGHT}, [%r2];": 256,
    f"wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {EIGHT}, [%rd1];": 512,
    f"wmma.load.c.sync.aligned.row.m16n16k16.f32 {FLOATS}, [%rd1];": 1024,
    f"wmma.store.d.sync.aligned.row.m16n16k16.shared.f32 [%r2], {FLOATS};": 1024,
    f"wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%rd1], {FLOATS};": 1024,
    "wmma.load.a.sync.aligned.row.m8n8k4.shared.f64 {%d1}, [%r2];": 256,
}
"""Moves, and the bytes that a warp moves."""
LDMATRIX, STMATRIX = (next(m for m in MOVES if m.startswith(x)) for x in ("ldm", "stm"))
MACHINES = ("tesla_k40", "v100", "a100", "h100_sxm", "qv100_accelsim", "gtx480_gpgpusim")


def job(tmp_path, *body):
    """Prepare a warp of a kernel of that body, given 8 KB."""
    path = tmp_path / "k.ptx"
    path.write_text(HEAD + "\n".join([*body, "ret; }"]))
    return prepare(path, None, LaunchOptions(grid="1", block="32", args=("buffer=u32:2048",)))


def run(tmp_path, *body, machine="a100", traces="static", **changes):
    """Simulate it."""
    options = TraceOptions(source=traces)
    on = load_machine(machine, {"sm.count": 1, "icache.miss_latency": 0, **changes})
    return simulate([job(tmp_path, *body)], on, trace_options=options)


@pytest.mark.parametrize("move", MOVES)
def test_the_bytes_of_moves(tmp_path, move):
    instructions = job(tmp_path, move, STORE).kernel.instructions
    assert [moved_bytes(i, 32) for i in instructions if is_matrix_move(i)] == [MOVES[move]]


@pytest.mark.one_in(12)
@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("move", MOVES)
def test_accesses_behind_a_move_are_made_wherever_traces_come_from(tmp_path, move, machine):
    """Executed traces tell each move as several accesses, static ones as none."""
    body = STORE, move, STORE.replace("%rd3]", "%rd3+1024]")
    found = [run(tmp_path, *body, machine=machine, traces=way) for way in ("static", "executed")]
    assert [one.write_sectors * one.sector_bytes for one in found] == [256, 256]
    assert found[0].cycles == found[1].cycles
    assert found[0].stalls == found[1].stalls
    assert found[0].shared_wavefronts == found[1].shared_wavefronts


@pytest.mark.parametrize("machine", ["a100", "qv100_accelsim"])
def test_matrices_in_shared_memory_take_a_pass_for_each_128_bytes(tmp_path, machine):
    for move, size in MOVES.items():
        done = run(tmp_path, move, STORE, machine=machine)
        passes = size // 128 if "global" not in move else 0
        assert (done.shared_wavefronts, done.shared_requests) == (passes, passes > 0)
        assert done.bank_conflicts == 0


def test_what_a_matrix_is_used_for_waits_for_it(tmp_path):
    """As long as a load of shared memory takes, or a hit of L1; nothing waits for a store."""
    use = "add.u32 %r20, %r10, %r10;", STORE.replace("%r1;", "%r20;")
    of_global = next(move for move in MOVES if ".global.f16" in move)
    for key, move, reason in (
        ("latency.shared_load", LDMATRIX, "short_scoreboard"),
        ("l1.latency", of_global, "long_scoreboard"),
        ("latency.shared_store", STMATRIX, None),
    ):
        done = run(tmp_path, move, *use, **{key: 800})
        took = 800 + MOVES[move] // 128 - 1
        assert took in [one.latency_cycles for one in done.instructions]
        waited = dict(zip(SIMULATED_STATES, done.stalls, strict=True))
        for each in ("short_scoreboard", "long_scoreboard"):
            assert (waited[each] > 700) == (each == reason)


def test_moves_hold_the_load_store_unit(tmp_path):
    """Four passes each: 24 more take 96 cycles."""
    x4 = "ldmatrix.sync.aligned.m8n8.x4.shared.b16"
    moves = [f"{x4} {{%r{n}, %r{n + 1}, %r{n + 2}, %r{n + 3}}}, [%r3];" for n in range(10, 138, 4)]
    few, many = (run(tmp_path, *moves[:n], STORE) for n in (8, 32))
    assert (few.shared_wavefronts, many.shared_wavefronts) == (32, 128)
    assert many.cycles - few.cycles == 24 * 4


def test_points_without_a_recorded_row_are_left_to_nobody(tmp_path):
    """What the engine is handed of a block with moves: the store alone."""
    known = job(tmp_path, LDMATRIX, STORE)
    executed = TraceOptions(source="executed")
    work = LaunchWork(known.analysis.kernel_facts, known.required_launch(),
                RegisterCount(16, "given", False),
                lambda: trace_source(known, executed))  # fmt: skip
    sim = Simulation(load_machine("a100", {"sm.count": 1}), [work])
    given = []
    add = sim.pool.add
    sim.pool.add = lambda launch, first, streams, *rest: (
        given.append(len(streams.access_point)), add(launch, first, streams, *rest)
    )  # fmt: skip
    assert sim.run() == c.RUN_DONE
    assert given == [1]
