"""Executed traces whose loops are cut short: as folded ones are."""

from pathlib import Path

import numpy as np
import pytest

from warpmill.analyzer.traces.model import events
from warpmill.benchmarks.accuracy.shortening import (
    ShortenedExecution,
    ShortenedSource,
    instructions,
    shortened,
    shortened_batch,
    shorter,
)
from warpmill.session.executed import executed_source
from warpmill.session.options import LaunchOptions
from warpmill.session.prepare import prepare_all
from warpmill.session.traces import trace_source

SAMPLES = Path(__file__).parents[2] / "samples"
CTAS = [(0, 0, 0), (1, 1, 0)]


def sources(name, **sizes):
    (job,) = prepare_all(SAMPLES / name / "launch.toml", None, LaunchOptions(sizes=sizes))
    return job, trace_source(job), executed_source(job)


def blocks(warp):
    return [event.block for event in events(warp)]


@pytest.mark.parametrize("factor", [0.5, 0.25, 0.01])
def test_iterations_left_are_those_of_folded_traces(factor):
    """Matrix products of 16 tiles: the loop over tiles keeps some, two at the least."""
    job, static, executed = sources("matmul", n=256)
    assert (static.kind, executed.kind) == ("static", "executed")
    folded = ShortenedSource(static, factor)
    short = ShortenedExecution(executed, job.analysis.structure.loops, factor)
    assert instructions(job, short) == instructions(job, folded) < instructions(job, static)
    for one, other in zip(short.many(CTAS), folded.many(CTAS), strict=True):
        for executed_warp, folded_warp in zip(one, other, strict=True):
            assert blocks(executed_warp) == blocks(folded_warp)


def test_nothing_is_left_out_of_what_is_short_enough():
    job, _, executed = sources("matmul", n=32)
    (batch,) = executed.batches(CTAS[:1])
    loops = job.analysis.structure.loops
    assert shortened_batch(batch, loops, 1.0) == batch
    assert shortened_batch(batch, loops, 0.1) == batch  # two iterations


def test_accesses_and_guards_go_with_their_events():
    job, _, executed = sources("matmul", n=256)
    (batch,) = executed.batches(CTAS[:1])
    short = shortened_batch(batch, job.analysis.structure.loops, 0.25)
    accesses = np.diff(short.event_accesses)
    each = dict(zip(batch.block.tolist(), np.diff(batch.event_accesses).tolist(), strict=True))
    assert accesses.tolist() == [each[block] for block in short.block.tolist()]
    assert short.event_accesses[-1] == len(short.access_base) < len(batch.access_base)
    assert short.warps[-1] == len(short.block) == len(short.mask) < len(batch.block)


def test_both_kinds_have_the_same_share_left():
    job, static, executed = sources("matmul", n=256)
    assert shortened(job, executed, 0.25).share == shortened(job, static, 0.25).share
    assert [p.share for p in shorter(job, executed, 0.5)] == [
        p.share for p in shorter(job, static, 0.5)
    ]
