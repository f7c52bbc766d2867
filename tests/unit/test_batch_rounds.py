"""Rounds of events are what rounds of the same traces as trees are: costs, bytes, times."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from analyzer.trace.event_batch import joined
from simulator.estimate.batch_round import BatchRound
from simulator.estimate.pipeline import Scalars, run
from simulator.estimate.program import MemoryCosts
from simulator.estimate.rounds import Round, Rounds
from simulator.estimate.subject import Subject
from simulator.estimate.traffic import l2_traffic
from simulator.machines import load_machine
from simulator.machines.memory import memory_rules
from warpmill.api import LaunchOptions, prepare, trace_source
from warpmill.traces import TraceOptions

SAMPLES = Path(__file__).parents[2] / "samples"
SIZES = {
    "spmv": {"rows": 4096},
    "reduce": {"n": 65536},
    "matmul": {"n": 128},
    "stencil5": {"width": 64},
    "transpose": {"rows": 128},
}
LOCAL = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 p)
{
.reg .pred %p<9>; .reg .b32 %r<99>; .reg .b64 %rd<99>;
.local .align 4 .b8 own[64]; .shared .align 4 .b8 tile[1024];
ld.param.u64 %rd1, [p]; cvta.to.global.u64 %rd2, %rd1;
mov.u32 %r1, %tid.x; mul.wide.u32 %rd3, %r1, 36; add.s64 %rd4, %rd2, %rd3;
and.b32 %r2, %r1, 7; setp.lt.u32 %p1, %r2, 3;
@%p1 ld.global.u32 %r3, [%rd4];
mov.u64 %rd5, own; mul.wide.u32 %rd6, %r2, 4; add.s64 %rd7, %rd5, %rd6;
st.local.u32 [%rd7], %r3; ld.local.u32 %r4, [%rd7];
mov.u32 %r5, tile; shl.b32 %r6, %r1, 3; and.b32 %r6, %r6, 1020; add.s32 %r7, %r5, %r6;
st.shared.u32 [%r7], %r4; atom.shared.add.u32 %r8, [%r7], 1;
atom.global.add.u32 %r9, [%rd2], %r8;
ret;
}
"""


def subject_of(job) -> Subject:
    source = trace_source(job, TraceOptions(source="executed"))
    return Subject(job.loaded.module, job.analysis.structure, job.required_launch(), source)


def both(subject: Subject, ctas) -> tuple[Round, BatchRound]:
    kernel = subject.kernel
    batches = list(subject.source.batches(ctas))
    return Round(tuple(subject.source.many(ctas)), kernel), BatchRound(batches, kernel)


def check(subject: Subject, ctas, machine) -> None:
    trees, events = both(subject, ctas)
    facts, code = subject.facts(memory_rules(machine)), subject.code
    assert trees.size == events.size == len(ctas)
    assert {b: n for b, n in events.executions.items() if n} == trees.executions
    requested = trees.requested(facts)
    assert requested == events.requested(facts)
    assert requested
    costs = MemoryCosts(
        machine, facts.rules.sector_bytes, l2_traffic(requested, facts.layout, machine), 8
    )
    scalars = Scalars(len(ctas), machine.integer("sm.subpartitions"), 9,
                      len(subject.kernel.registers), 20.0, blocking=False)  # fmt: skip
    compiled = code.on(machine).code
    slow, fast = (
        run(compiled, r.template(code, facts).on(costs), scalars) for r in (trees, events)
    )
    assert slow[0] == fast[0]
    assert slow[1].operations == fast[1].operations
    for ours, theirs in zip(slow[1], fast[1], strict=True):
        assert np.array_equal(ours, theirs)


@pytest.mark.parametrize("sample", SIZES)
@pytest.mark.parametrize("machine", ["v100", "tesla_k40", "mi100"])
def test_events_are_costed_as_their_trees(sample: str, machine: str) -> None:
    job = prepare(SAMPLES / sample / "launch.toml", options=LaunchOptions(sizes=SIZES[sample]))
    x, y, _ = job.required_launch().grid
    ctas = sorted({(0, 0, 0), (x // 2, y // 2, 0), (x - 1, 0, 0), (x - 1, y - 1, 0)})
    check(subject_of(job), ctas, load_machine(machine))


def test_every_space_and_guard_is_costed_as_in_trees(tmp_path: Path) -> None:
    file = tmp_path / "k.ptx"
    file.write_text(LOCAL)
    job = prepare(file, None, LaunchOptions((5,), (80,), 0, ["buffer=i32:4096"]))
    check(subject_of(job), [(4, 0, 0), (1, 0, 0), (2, 0, 0)], load_machine("v100"))


def test_rounds_of_executed_traces_are_rounds_of_events() -> None:
    job = prepare(SAMPLES / "spmv" / "launch.toml", options=LaunchOptions(sizes={"rows": 1024}))
    rounds = Rounds(subject_of(job))
    assert isinstance(rounds.of(((0, 0, 0), (3, 0, 0))), BatchRound)


def test_joined_batches_have_the_traces_of_each() -> None:
    job = prepare(SAMPLES / "spmv" / "launch.toml", options=LaunchOptions(sizes={"rows": 1024}))
    source = subject_of(job).source
    each = list(source.batches([(0, 0, 0), (2, 0, 0), (5, 0, 0)]))
    assert len(each) > 1
    whole = joined(each)
    parts = [trace for batch in each for n in range(len(batch.ctas)) for trace in batch.traces(n)]
    assert [t for n in range(len(whole.ctas)) for t in whole.traces(n)] == parts
