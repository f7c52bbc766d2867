"""Where the time of a launch goes: counts and causes that are worked out by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.timing.estimated_kernels import job, streamed
from warpmill.commands.explain.result import MachineExplanation, machine_explanation
from warpmill.report.facts import SourcePlace
from warpmill.report.fields import marks_of
from warpmill.report.source_text import MOST_BYTES, line_text
from warpmill.session.estimates import Estimator, Explained, explain
from warpmill.session.jobs import Job
from warpmill.session.options import LaunchOptions, RegisterSources, TraceOptions
from warpmill.session.prepare import prepare
from warpmill.simulator.machines import load_machine

SAMPLES = Path(__file__).parents[2] / "samples"


def explained(subject: Job, machine: str = "a100") -> Explained:
    made = Estimator(subject, registers=RegisterSources(32))
    return explain(made, load_machine(machine))


def facts(subject: Job, machine: str = "a100") -> MachineExplanation:
    return machine_explanation(subject.loaded, explained(subject, machine))


def matmul(n: int = 128) -> Job:
    return prepare(SAMPLES / "matmul" / "launch.toml", options=LaunchOptions(sizes={"n": n}))


def test_shares_of_instructions_and_of_lines_make_the_whole() -> None:
    found = facts(matmul())
    assert sum(one.time_fraction for one in found.instructions) == pytest.approx(1.0)
    assert sum(line.time_fraction for line in found.lines) == pytest.approx(1.0)
    assert sum(line.time_us for line in found.lines) == pytest.approx(
        found.found.estimate.execution_us
    )
    shares = [line.time_fraction for line in found.lines]
    assert shares == sorted(shares, reverse=True)


def test_instructions_of_one_line_are_put_together(tmp_path: Path) -> None:
    two = "add.s32 %r1, %r2, %r3; add.s32 %r4, %r1, %r1;\nadd.s32 %r5, %r4, %r4;"
    found = facts(job(tmp_path, two, grid=1, block=64))
    counts = {line.text: (line.instructions, line.warp_instructions) for line in found.lines}
    assert counts["add.s32 %r1, %r2, %r3; add.s32 %r4, %r1, %r1;"] == (2, 4)
    assert counts["add.s32 %r5, %r4, %r4;"] == (1, 2)


def test_executions_are_those_of_the_whole_launch() -> None:
    """Each warp goes through n / 16 tiles, with two barriers in each (samples/matmul)."""
    n = 128
    found = facts(matmul(n))
    warps = (n // 16) ** 2 * 8
    barriers = [x.warp_executions for x in found.instructions if x.opcode == "bar.sync"]
    assert barriers == [warps * n // 16] * 2
    assert found.ctas_counted == 64 == (n // 16) ** 2
    assert marks_of(found)["instructions.warp_executions"] == "exact"
    larger = facts(matmul(256))
    barriers = [x.warp_executions for x in larger.instructions if x.opcode == "bar.sync"]
    assert barriers == [16**2 * 8 * 16] * 2
    assert (larger.ctas_counted, marks_of(larger)["lines.warp_instructions"]) == (64, "sampled")


def test_time_is_spent_where_a_result_is_waited_for(tmp_path: Path) -> None:
    body = "ld.param.u64 %rd1, [p];\nld.global.u32 %r1, [%rd1];\nadd.s32 %r2, %r1, 1;"
    found = facts(job(tmp_path, body, grid=1, block=32, params="p"))
    top = found.lines[0]
    assert (top.opcode, top.text) == ("add.s32", "add.s32 %r2, %r1, 1;")
    (load,) = top.after
    assert load.line == top.place.line - 1
    latency = float(load_machine("a100").number("dram.latency"))
    cycles = found.found.estimate.execution_us * float(load_machine("a100").number("clock.sm_mhz"))
    assert top.time_fraction * cycles == pytest.approx(latency, rel=0.05)


def test_loads_are_found_behind_what_costs_nothing(tmp_path: Path) -> None:
    """Moves and conversions between integers are followed, arithmetic is not."""
    body = """ld.param.u64 %rd1, [p]; ld.global.u32 %r1, [%rd1];
mov.u32 %r2, %r1; cvt.u64.u32 %rd2, %r2;
add.s64 %rd3, %rd2, 8;
add.s64 %rd4, %rd3, 8;
bar.sync 0;"""
    found = {x.place.line: x for x in facts(job(tmp_path, body, 1, 32, "p")).instructions}
    load = next(line for line, x in found.items() if x.opcode == "ld.global.u32")
    afters = {line - load: [p.line - load for p in x.after] for line, x in found.items()}
    assert afters[2] == [0]
    assert afters[3] == afters[4] == []


def test_of_a_register_that_a_loop_carries_all_writes_count(tmp_path: Path) -> None:
    body = """ld.param.u64 %rd1, [p]; mov.u32 %r9, 0;
ld.global.u32 %r1, [%rd1];
L: add.s32 %r2, %r2, %r1;
ld.global.u32 %r1, [%rd1+4096];
add.s32 %r9, %r9, 1; setp.lt.s32 %p1, %r9, 3;
@%p1 bra L;"""
    found = facts(job(tmp_path, body, 1, 32, "p")).instructions
    (sum_,) = (x for x in found if x.opcode == "add.s32" and x.after)
    assert [p.line - sum_.place.line for p in sum_.after] == [-1, 1]


@pytest.mark.parametrize(("stride", "sectors"), [(4, 4), (8, 8), (32, 32), (128, 32)])
def test_sectors_are_those_of_an_access(tmp_path: Path, stride: int, sectors: int) -> None:
    body = f"""ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; mul.wide.s32 %rd2, %r1, {stride};
add.s64 %rd1, %rd1, %rd2; ld.global.u32 %r2, [%rd1]; add.s32 %r3, %r2, %r2;"""
    found = facts(job(tmp_path, body, 4, 64, "p"))
    (access,) = (x.access for x in found.instructions if x.opcode == "ld.global.u32")
    assert access is not None
    assert (access.space, access.buffer, access.sectors) == ("global", "p", sectors)
    assert access.wavefronts is None


@pytest.mark.parametrize(("stride", "wavefronts"), [(4, 1), (8, 2), (128, 32)])
def test_wavefronts_are_those_of_an_access(tmp_path: Path, stride: int, wavefronts: int) -> None:
    body = f"""mov.u32 %r1, %tid.x; mul.lo.s32 %r1, %r1, {stride}; mov.u32 %r2, tile;
add.s32 %r2, %r2, %r1; ld.shared.u32 %r3, [%r2]; add.s32 %r4, %r3, %r3;"""
    found = facts(job(tmp_path, body, 4, 32))
    (access,) = (x.access for x in found.instructions if x.opcode == "ld.shared.u32")
    assert access is not None
    assert (access.space, access.sectors, access.wavefronts) == ("shared", None, wavefronts)


def test_executed_traces_count_as_static_ones_do(tmp_path: Path) -> None:
    subject = job(tmp_path, streamed(), 8, 64, "p q")
    machine = load_machine("v100")
    static, executed = (
        explain(Estimator(subject, trace_options=TraceOptions(kind)), machine)
        for kind in ("static", "executed")
    )
    assert static.counts == executed.counts
    assert not static.is_sampled and not executed.is_sampled


# The text of a line.


def at(line: int, of: str, file: str = "k.cu") -> SourcePlace:
    return SourcePlace(file=file, line=line, column=None, of=of)  # type: ignore[arg-type]


def test_texts_are_of_the_input_or_of_the_source_beside_it(tmp_path: Path) -> None:
    subject = job(tmp_path, "add.s32 %r1,\t%r2, %r3;")
    loaded = subject.loaded
    line = next(k for k, text in enumerate(loaded.source.lines, 1) if "add.s32" in text)
    assert line_text(loaded, at(line, "input")) == "add.s32 %r1, %r2, %r3;"
    assert line_text(loaded, at(line + 10**6, "input")) is None
    assert line_text(loaded, at(1, "source")) is None
    (tmp_path / "own.cu").write_text("one\n\n  three  x\n")
    assert line_text(loaded, at(3, "source", "own.cu")) == "three x"
    assert line_text(loaded, at(2, "source", "own.cu")) is None
    assert line_text(loaded, at(4, "source", "own.cu")) is None
    assert line_text(loaded, at(3, "source", "/somewhere/else/own.cu")) == "three x"


def test_a_recorded_name_reads_no_other_folder(tmp_path: Path) -> None:
    (tmp_path / "secret.cu").write_text("secret\n")
    inside = tmp_path / "inside"
    inside.mkdir()
    loaded = job(inside, "ret;").loaded
    for name in ("../secret.cu", str(tmp_path / "secret.cu"), "..", "", "."):
        assert line_text(loaded, at(1, "source", name)) is None


def test_sources_that_nobody_wrote_are_not_read(tmp_path: Path) -> None:
    loaded = job(tmp_path, "ret;").loaded
    (tmp_path / "huge.cu").write_bytes(b"x" * (MOST_BYTES + 1))
    assert line_text(loaded, at(1, "source", "huge.cu")) is None


def test_the_compilers_lines_are_shown_with_their_text() -> None:
    subject = prepare(SAMPLES / "scan" / "launch.toml", "scan_add")
    source = (SAMPLES / "scan" / "scan.cu").read_text().splitlines()
    found = facts(subject)
    assert found.lines
    for line in found.lines:
        assert line.place.of == "source"
        assert line.text == " ".join(source[line.place.line - 1].split())
