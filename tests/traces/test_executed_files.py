"""Executed traces summed up, saved to files and read again, whole and damaged."""

from dataclasses import replace

import numpy as np
import pytest

from tests.reference.saved_traces import SAMPLES
from warpmill.analyzer.base.diagnostics import InputError, UsageError
from warpmill.analyzer.memory.rules import MemoryRules
from warpmill.analyzer.traces.batch_summary import summarise_batches
from warpmill.analyzer.traces.file_format import decoded_batch, encoded_batch
from warpmill.analyzer.traces.model import events
from warpmill.analyzer.traces.static.plan import fits_kernel
from warpmill.analyzer.traces.summary import sampled_ctas, summarise
from warpmill.session.estimates import estimate
from warpmill.session.executed import executed_source
from warpmill.session.options import LaunchOptions, TraceOptions
from warpmill.session.prepare import prepare_all
from warpmill.session.traces import save_traces, trace, trace_source

SIZES = {"spmv": {"rows": 2048, "cols": 2048}, "reduce": {"n": 8192}, "transpose": {}}


def job_of(sample, **sizes):
    options = LaunchOptions(sizes=SIZES[sample] | sizes)
    return prepare_all(SAMPLES / sample / "launch.toml", options=options)[0]


@pytest.fixture(scope="module", params=["spmv", "reduce"])
def saved(request, tmp_path_factory):
    job = job_of(request.param)
    path = tmp_path_factory.mktemp("traces") / "executed.traces"
    ctas = tuple(sampled_ctas(job.launch.grid, 5))
    save_traces(job, executed_source(job), path, ctas)
    return job, path, ctas


def test_what_is_read_is_what_was_executed(saved):
    job, path, ctas = saved
    made = list(executed_source(job).many(ctas))
    source = trace_source(job, TraceOptions(str(path)))
    read = list(source.many(ctas))
    assert [[list(events(w)) for w in warps] for warps in read] == [
        [list(events(w)) for w in warps] for warps in made
    ]
    assert source.ctas == ctas
    assert source.kind == "saved"
    assert "executed" in source.reason


def test_equal_traces_give_equal_bytes(saved, tmp_path):
    job, path, ctas = saved
    save_traces(job, executed_source(job), tmp_path / "again", ctas)
    assert (tmp_path / "again").read_bytes() == path.read_bytes()
    save_traces(job, trace_source(job, TraceOptions(str(path))), tmp_path / "copy", ctas)
    copied = trace_source(job, TraceOptions(str(tmp_path / "copy")))
    assert list(copied.many(ctas)) == list(executed_source(job).many(ctas))


def test_estimates_from_a_file_are_those_from_the_source(tmp_path):
    job, path = job_of("spmv"), tmp_path / "spmv.traces"
    save_traces(job, executed_source(job), path, sampled_ctas(job.launch.grid, 1 << 20))
    made = estimate(job, "a100", trace_options=TraceOptions("executed"))
    taken = estimate(job, "a100", trace_options=TraceOptions(str(path)))
    assert taken.cycles == made.cycles
    assert (
        trace(job, TraceOptions(str(path))).summary == trace(job, TraceOptions("executed")).summary
    )


def test_regions_are_those_of_the_device(saved):
    job, path, _ = saved
    source, made = trace_source(job, TraceOptions(str(path))), executed_source(job)
    assert source.layout.regions == made.layout.regions
    assert {r.name for r in source.layout.regions} == {p.name for p in job.kernel.parameters[:-1]}


def test_a_cta_that_was_not_saved_is_refused(saved):
    job, path, ctas = saved
    source = trace_source(job, TraceOptions(str(path)))
    absent = next(c for c in sampled_ctas(job.launch.grid, 100) if c not in ctas)
    with pytest.raises(UsageError, match="has no traces of CTA"):
        source.warps(absent)


@pytest.mark.parametrize("sizes", [{"rows": 1024}, {"cols": 1024}])
def test_another_launch_is_refused(tmp_path, sizes):
    job, path = job_of("spmv"), tmp_path / "spmv.traces"
    save_traces(job, executed_source(job), path, [(0, 0, 0)])
    with pytest.raises(InputError, match="traces of another launch"):
        trace_source(job_of("spmv", **sizes), TraceOptions(str(path)))


def test_other_data_are_refused(tmp_path):
    job, path = job_of("spmv"), tmp_path / "spmv.traces"
    save_traces(job, executed_source(job), path, [(0, 0, 0)])
    first, *rest = job.launch.arguments
    other = replace(job.launch, arguments=(replace(first, seed=first.seed + 1), *rest))
    with pytest.raises(InputError, match="other data"):
        trace_source(replace(job, launch=other), TraceOptions(str(path)))


def test_damaged_files_are_refused_in_words(saved, tmp_path):
    job, path, ctas = saved
    data, random = path.read_bytes(), np.random.default_rng(3)
    refused = 0
    for _ in range(150):
        spoilt = bytearray(data)
        for place in random.integers(0, len(data), random.integers(1, 6)):
            spoilt[place] = random.integers(0, 256)
        (tmp_path / "t").write_bytes(spoilt if random.random() < 0.8 else spoilt[: len(data) // 2])
        try:
            list(trace_source(job, TraceOptions(str(tmp_path / "t"))).many(ctas))
        except (InputError, UsageError):
            refused += 1
    assert refused > 140


def test_batches_that_make_no_sense_are_refused():
    job = job_of("spmv")
    (batch,) = executed_source(job).batches([(1, 0, 0)])
    lengths = [len(b.instructions) for b in job.kernel.blocks]
    assert decoded_batch(encoded_batch(batch), batch.tables, lengths) == batch
    wrong = {
        "block": {"block": np.full_like(batch.block, len(lengths))},
        "a mask": {"mask": np.zeros_like(batch.mask)},
        "with other lanes": {"access_mask": np.full_like(batch.access_mask, 2**33)},
        "an access without lanes": {"access_mask": np.zeros_like(batch.access_mask)},
        "access_point": {"access_point": np.full_like(batch.access_point, 99)},
        "access_pattern": {"access_pattern": np.full_like(batch.access_pattern, 1 << 20)},
        "a CTA that the grid has not": {"ctas": np.array([1 << 40])},
        "warp_events": {"warps": batch.warps[:-1]},
        "accesses are missing": {"access_point": batch.access_point[:-1]},
    }
    for words, change in wrong.items():
        with pytest.raises(ValueError, match=words):
            decoded_batch(encoded_batch(replace(batch, **change)), batch.tables, lengths)
    with pytest.raises(ValueError, match="cannot be read"):
        decoded_batch(b"\x93", batch.tables, lengths)


@pytest.mark.parametrize(
    "changed",
    [{"width_bytes": 1 << 32}, {"width_bytes": 8}, {"kind": "buffer"}, {"block": 99}],
)
def test_tables_with_other_accesses_than_the_kernel_has_are_refused(changed):
    job = job_of("reduce")
    (batch,) = executed_source(job).batches([(1, 0, 0)])
    assert fits_kernel(batch.tables, job.kernel)
    first, *rest = batch.tables.points
    forged = replace(batch.tables, points=(replace(first, **changed), *rest))
    assert not fits_kernel(forged, job.kernel)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("sample", SIZES)
@pytest.mark.parametrize("rules", [MemoryRules(), MemoryRules(64, 128, 16, 16, 4)])
def test_batches_add_up_to_what_their_traces_do(sample, rules):
    job = job_of(sample)
    source, ctas = executed_source(job), tuple(sampled_ctas(job.launch.grid, 6))
    how = (job.loaded.module.warp_size, rules)
    assert summarise_batches(job.kernel, source.batches(ctas), *how) == summarise(
        job.kernel, source.many(ctas), *how
    )
