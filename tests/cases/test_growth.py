"""Kernels that grow: time and memory near linear, limits that name their flag."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import comb
from pathlib import Path

import numpy as np
import pytest

from tests.reference.work import python_calls
from warpmill.analyzer.base.diagnostics import InputError
from warpmill.analyzer.base.whole_files import (
    input_limit,
    most_event_bytes,
    most_inlined,
    most_stack,
)
from warpmill.analyzer.traces.model import Count, endless, executions
from warpmill.analyzer.traces.source import StaticSource
from warpmill.benchmarks.consistency import growth
from warpmill.cli.main import main
from warpmill.commands.simulate import command as simulating
from warpmill.commands.simulate.command import SimulateOptions, _tell_of_many
from warpmill.executor import compile as machine
from warpmill.session.estimates import AccessesBehind
from warpmill.session.kernel_analysis import loop_facts
from warpmill.session.options import LaunchOptions, TraceOptions
from warpmill.session.prepare import prepare
from warpmill.session.simulation_plans import plan
from warpmill.session.traces import trace_source
from warpmill.simulator.gpu.options import Options

ATTACK = "attack"


@pytest.mark.slow
def test_joined_branches_cost_time_in_line_with_their_number(warpmill, tmp_path: Path) -> None:
    """A hundred of the four hundred branches take a quarter of the work, not a sixteenth."""
    case = "89-chain-of-joins"
    ended = warpmill(case, "analyze", "kernel.ptx --format json")
    branches = ended.data["analyses"][0]["branches"]
    assert len(branches) == 400
    assert {tuple(b["decided_by"]) for b in branches[1:]} == {
        ("argument", "thread id", "memory load", "control flow")
    }
    whole = Path("kernel.ptx").read_text()
    quarter = tmp_path / "quarter.ptx"
    quarter.write_text(whole[: whole.index("$B100:")] + "$B100:\nret;\n}\n")
    out = ["--output", str(tmp_path / "out"), "--format", "json"]
    assert main(["analyze", str(quarter), *out]) == 0
    few = python_calls(lambda: main(["analyze", str(quarter), *out]))
    assert python_calls(lambda: main(["analyze", "kernel.ptx", *out])) < 6 * few


@pytest.mark.slow
def test_calls_that_double_reach_a_limit(warpmill) -> None:
    ended = warpmill(ATTACK, "analyze", "chain_calls.ptx --max-inlined 20000")
    assert ended.code == 3
    assert "with f12 inlined, f13 has more than 20,000" in ended.said
    assert "--max-inlined moves the limit" in ended.said


@pytest.mark.parametrize("command", ["estimate -m a100", "run"])
def test_every_command_has_the_limit_of_inlining(warpmill, command: str) -> None:
    launch = "--grid 1 --block 32 --max-inlined 1000"
    ended = warpmill(ATTACK, command, "chain_calls.ptx", launch)
    assert ended.code == 3
    assert "with f7 inlined, f8 has more than 1,000" in ended.said


def test_a_huge_straight_line_is_compiled_without_optimising(
    warpmill, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Case "49-huge-kernel" at a thirtieth of its length and bound, run: 32 values as Python has
    them in single precision.
    """
    chosen: list[bool] = []
    made = machine.target_machine

    def noted(optimised: bool = True, features: str | None = None) -> object:
        chosen.append(optimised)
        return made(optimised, features)

    monkeypatch.setattr(machine, "target_machine", noted)
    monkeypatch.setattr(machine, "_MOST_OPTIMISED", machine._MOST_OPTIMISED // 30)
    (tmp_path / "kernel.ptx").write_text(growth.GROWTHS["straight line"](1000))
    start = np.linspace(0, 1e-3, 64 * 1024, dtype=np.float32)
    np.save(tmp_path / "in.npy", start)
    launch, out = tmp_path / "launch.toml", tmp_path / "out"
    launch.write_text(
        '[[launch]]\nmodule = "kernel.ptx"\ngrid = [1]\nblock = [32]\n'
        'args = [{ buffer = "f32", shape = [65536], init = { file = "in.npy" } }, { i32 = 1 }]\n'
    )
    ended = warpmill(ATTACK, "run", f"{launch} --save {out}")
    assert ended.code == 0, ended.err
    assert chosen and not chosen[-1]  # the kernel's; what all kernels share may come before
    values = [start[1024 * i : 1024 * i + 32].astype(np.float64) for i in range(32)]
    for i in range(1000):
        a, b, c = (values[k % 32] for k in (i * 7 + 3, i * 5 + 1, i))
        values[i % 32] = (a * b + c).astype(np.float32).astype(np.float64)
    (saved,) = out.glob("*a*.npy")
    found = np.load(saved)
    for i in range(32):
        assert np.array_equal(found[1024 * i : 1024 * i + 32], values[i].astype(np.float32))


def test_compiling_counts_as_seconds(warpmill) -> None:
    """A launch that executes in microseconds, whose compilation takes longer than it may."""
    launch = "--grid 1 --block 32 --arg buffer=u32:64"
    ended = warpmill(ATTACK, "run", "oob.ptx", launch, "--max-seconds 0.001")
    assert ended.code == 3, ended.said
    assert "--max-seconds" in ended.said


def test_counts_beyond_64_bits_are_summed(warpmill) -> None:
    """Three loops of two billion iterations in each other, two warps: counted by hand."""
    n, warps = 2_000_000_000, 2
    by_hand = warps * (6 + n * (1 + 3 + n * (1 + 3 + n * 4)))
    launch = "--grid 1 --block 64 --arg buffer=u32:64 --format json"
    ended = warpmill(ATTACK, "trace", "loopnest.ptx", launch)
    (traced,) = ended.data["launches"]
    whole = traced["traced"]
    assert whole["summary"]["warp_instructions"] == whole["grid_warp_instructions"] == by_hand
    assert traced["accesses"][0]["sectors"] == warps * n**3
    assert "no run comes to the end of 6.400e+28" in whole["assumptions"][0]
    estimated = warpmill(ATTACK, "estimate", "loopnest.ptx", launch, "--machine a100")
    assert estimated.code == 0, estimated.err


def test_counts_that_no_run_reaches_are_marked(warpmill) -> None:
    """From 2^63 warp instructions on every report says so and marks its counts as assumed."""
    launch = "--grid 1 --block 64 --arg buffer=u32:64"
    ended = warpmill(ATTACK, "explain", "loopnest.ptx", launch, "--machine a100 --format json")
    (one,) = ended.data["launches"][0]["explanations"]
    assert max(i["warp_executions"] for i in one["instructions"]) == float(2 * 2_000_000_000**3)
    assert one["marks"]["instructions.warp_executions"] == "assumed"
    for command, more in (("explain", "-m a100"), ("estimate", "-m a100"), ("analyze", "")):
        said = warpmill(ATTACK, command, "loopnest.ptx", launch, more).said
        assert "no run comes to the end of 6.400e+28 warp instructions" in said, command
    assert "1.600e+28?" in warpmill(ATTACK, "explain", "loopnest.ptx", launch, "-m a100").said
    assert endless(2**63 - 1) is None


def test_a_grid_of_billions_of_ctas_is_looked_at_piece_by_piece(warpmill) -> None:
    """The order of CTAs is asked for as many as are looked at ahead, not for all of the grid."""
    asked = 0
    job = prepare(
        Path(__file__).parent / ATTACK / "oob.ptx",
        options=LaunchOptions(grid=2**31 - 1, block=32, args=["buffer=u32:64"]),
    )

    def order() -> Iterator[tuple[int, int, int]]:
        nonlocal asked
        for number in range(2**31 - 1):
            asked += 1
            yield (number, 0, 0)

    source = trace_source(job, TraceOptions(source="static"))
    assert isinstance(source, StaticSource)
    assert next(iter(source.many(order())))[0].cta == (0, 0, 0)
    assert asked < 10_000


@pytest.mark.slow
@pytest.mark.parametrize("command", ["trace", "estimate", "simulate", "explain"])
def test_events_of_one_cta_have_a_limit(warpmill, command: str) -> None:
    launch = (
        "--grid 1 --block 128 --arg buffer=f32:262144:uniform --arg buffer=f32:262144"
        " --arg 20000000 --max-event-bytes 20000000 --trace executed"
    )
    ended = warpmill("90-long-data-loop", command, "kernel.ptx", launch)
    assert ended.code == 3
    assert "--max-event-bytes moves the limit" in ended.said


def test_what_a_buffer_is_made_from_counts_as_memory(warpmill) -> None:
    launch = "--grid 1 --block 32 --arg buffer=u32:1000000:permutation --max-memory 5000000"
    ended = warpmill(ATTACK, "run", "oob.ptx", launch)
    assert ended.code == 3
    assert "takes 12000000 B of memory, over the limit of 5000000 B" in ended.said
    assert "--max-memory moves the limit" in ended.said


def test_shared_parts_of_conditions_are_shown_once(warpmill) -> None:
    """A chain of 2,200 quotients as JSON, and each quotient once below the table in text."""
    ended = warpmill("88-div-chain", "analyze", "kernel.ptx --format json")
    assert len(ended.out) < 150_000
    condition = ended.data["analyses"][0]["branches"][1]["condition"]
    sign = "and(floordiv(e2, 2147483648), 1)"  # shr.u32 by 31
    assert condition.startswith(f"{sign} + floordiv(e2, 32) + e1 + 4 > 127 where")
    text = warpmill("88-div-chain", "analyze", "kernel.ptx --verbose").out
    assert len(text) < 100_000
    assert "  $S0, where\n    e1 = floordiv(mul.hi.s32(tid.x + 128, -368140053)" in text


GROWING = ("deep operations", "conditions", "exclusives", "short circuits", "products", "divisions")


@pytest.mark.parametrize("kind", [*GROWING, "many ways", "shared phis"])
def test_twice_the_operations_take_twice_the_work(kind: str, tmp_path: Path) -> None:
    """Calls that ``analyze`` makes, and characters that it writes, of kernels whose parts recur."""
    calls, characters = [], []
    for operations in (2, 20, 40):
        path, out = tmp_path / "kernel.ptx", tmp_path / f"{operations}.json"
        path.write_text(growth.GROWTHS[kind](operations))
        words = ["analyze", str(path), "--format", "json", "--output", str(out)]
        calls.append(python_calls(partial(main, words)))
        characters.append(len(out.read_text()))
    assert calls[2] < 2.5 * calls[1]
    assert characters[2] < 2.5 * characters[1] + 20_000


def test_what_an_instruction_waits_for_is_followed_by_register(tmp_path: Path) -> None:
    """Registers written again and again lead back to each other's writers: three of n each."""
    calls = []
    for operations in (20, 40):
        path = tmp_path / "kernel.ptx"
        path.write_text(growth.GROWTHS["deep operations"](operations))
        kernel = prepare(path).kernel
        places = [(b.id, i) for b in kernel.blocks for i in range(len(b.instructions))]
        calls.append(
            python_calls(lambda k=kernel, p=places: list(map(AccessesBehind(k).accesses_behind, p)))
        )
    assert calls[1] < 2.5 * calls[0]


def test_values_that_start_from_each_other_through_many_loops_stay_shallow(tmp_path: Path) -> None:
    """Twenty loops whose counters start 20 operations deep in the one around: 400 in all."""
    path, out = tmp_path / "kernel.ptx", tmp_path / "report.json"
    path.write_text(growth.GROWTHS["deep starts"](20, operations=10))
    assert main(["analyze", str(path), "--format", "json", "--output", str(out)]) == 0


@pytest.mark.parametrize("limit", [most_inlined, most_stack, most_event_bytes, input_limit])
def test_a_limit_that_is_no_number_is_bad_input(limit, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("MAX_INLINED", "MAX_STACK", "MAX_EVENT_BYTES", "MAX_INPUT"):
        monkeypatch.setenv(f"WARPMILL_{name}", "much")
    with pytest.raises(InputError, match="much is no number of"):
        limit(*([1] if limit is input_limit else []))


@pytest.mark.parametrize("make", ["carried", "rotated"])
def test_values_that_a_loop_carries_are_followed_without_recursing(make, tmp_path: Path) -> None:
    path = tmp_path / "kernel.ptx"
    path.write_text(growth.GROWTHS[make](1200))
    structure = prepare(path).analysis.structure
    loop = structure.loops.loops[0]
    carried = [d for d, _ in structure.ssa.phi_inputs.items()]
    stepped = [r for r in map(structure.values.recurrence, carried) if r is not None]
    assert [str(r.step) for r in stepped] == ["1"] and stepped[0].loop == loop.id
    assert len(carried) > 1200


@pytest.mark.slow
@pytest.mark.parametrize(
    ("make", "times"),
    [("nested loops", 5), ("nested pointers", 5), ("triangular loops", 25)],
)
def test_loops_of_a_launch_do_not_double_the_work_by_level(make, times, tmp_path: Path) -> None:
    """Twice as many levels; sums over triangles are polynomials of so high a degree."""
    work = []
    grown = growth.GROWTHS[make]
    for n in (grown.largest // 2, grown.largest):
        path = tmp_path / f"{n}.ptx"
        path.write_text(grown(n))
        launch = LaunchOptions(grid=4, block=128, args=["buffer=f32:1048576", "64"])
        job = prepare(path, options=launch)
        work.append(python_calls(lambda job=job: loop_facts(job)))
    assert work[1] < times * work[0]


def test_loops_that_follow_those_around_are_counted_in_each_of_many() -> None:
    """The number of ways to choose with repetition: a chain of n loops, each up to the last."""
    for depth in (2, 5, 24):
        chain = [Count(3), *(Count(1, (0,) * i + (1,)) for i in range(depth - 1))]
        assert executions(tuple(chain)) == comb(3 + depth - 1, depth)


def test_a_simulation_begins_with_as_few_ctas_of_a_huge_grid_as_of_a_small_one() -> None:
    """The traces that are made before the first cycle: of some thousand events, whatever comes."""
    made = []
    for grid in (20_000, 2**31 - 1):
        job = prepare(
            Path(__file__).parent / ATTACK / "oob.ptx",
            options=LaunchOptions(grid=grid, block=32, args=["buffer=u32:64"]),
        )
        simulation = plan(job, "a100", options=Options(max_cycles=1000)).simulation()
        simulation._load(0)
        made.append(simulation.loaded()[0])
    assert made[0] == made[1] < 20_000


@pytest.mark.slow
def test_ctas_that_are_alike_in_small_boxes_are_looked_up_in_a_few() -> None:
    """Of a grid in which 32 CTAs in a row are alike, twice as many CTAs take twice the work."""
    job = prepare(
        Path(__file__).parent / "49b-grid-in-boxes" / "kernel.ptx",
        options=LaunchOptions(grid=2**31 - 1, block=32, args=["buffer=f32:1024", "1000"]),
    )
    work = []
    for ctas in (2_000, 4_000):
        source = trace_source(job, TraceOptions(source="static"))
        assert isinstance(source, StaticSource)
        order = ((number, 0, 0) for number in range(ctas))
        work.append(python_calls(lambda s=source, o=order: [*s.many(o)]))
    assert work[1] < 2.2 * work[0]


def test_a_simulation_without_an_end_in_sight_says_what_shortens_it(capsys) -> None:
    job = prepare(
        Path(__file__).parent / ATTACK / "oob.ptx",
        options=LaunchOptions(grid=2**31 - 1, block=32, args=["buffer=u32:64"]),
    )
    for options, told in ((Options(), True), (Options(waves=1), False)):
        _tell_of_many("oob.ptx", [plan(job, "a100", options=options)], SimulateOptions())
        said = capsys.readouterr().err
        assert ("2,147,483,647 CTAs are simulated one by one" in said) is told
        assert ("--max-cycles" in said) is told


def test_simulate_says_so_before_it_begins(warpmill, monkeypatch: pytest.MonkeyPatch) -> None:
    def ended_at_once(*_given: object) -> Iterator[InputError]:
        yield InputError("ended by the test")

    monkeypatch.setattr(simulating, "_in_turn", ended_at_once)
    launch = f"--grid {2**31 - 1} --block 32 --arg buffer=u32:64 -m a100"
    ended = warpmill(ATTACK, "simulate", "oob.ptx", launch)
    assert ended.code == 2
    first, last = (ended.said.find(words) for words in ("one by one, which may", "ended by"))
    assert 0 <= first < last, ended.said


@pytest.mark.parametrize("command", ["analyze", "estimate -m v100", "run", "simulate -m v100"])
def test_a_wrong_kernel_of_a_launch_file_comes_with_the_command_to_copy(warpmill, command) -> None:
    word, *rest = command.split()
    wrong = ("sz_grid2e31.toml", "--kernel kk", *rest)
    ended = warpmill(ATTACK, word, *wrong)
    assert ended.code == 2
    assert "sz_grid2e31.toml launches no kernel kk" in ended.said
    tried = ended.said.partition(f"= try: warpmill {word} sz_grid2e31.toml ")[2].split()
    assert sorted(tried) == sorted(["--kernel", "k", *rest])


def test_a_step_of_triton_is_named_where_it_cannot_be_read(warpmill, tmp_path: Path) -> None:
    (tmp_path / "kernel.llir").write_text("neither\n")
    ended = warpmill(ATTACK, "inspect", f"{tmp_path}/kernel.llir")
    assert ended.code == 2 and "this is Triton's LLVM IR (LLIR)" in ended.said
    assert "compiled.asm['ptx']" in ended.said


@pytest.mark.parametrize("command", ["sweep --no-store", "tune --no-store"])
def test_machines_of_an_axis_are_named_as_people_type_them_with_a_note(warpmill, command) -> None:
    word, *rest = command.split()
    launch = "--grid 1 --block 32 --arg buffer=u32:4096 --over machine=H100,a100"
    ended = warpmill(ATTACK, word, "oob.ptx", launch, *rest)
    assert "--over machine H100 is taken to be h100_sxm" in ended.said, ended.said
