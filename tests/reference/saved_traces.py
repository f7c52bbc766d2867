"""Traces of samples saved to files, for tests of what is read again."""

from functools import cache
from pathlib import Path

from warpmill.analyzer.traces.files import FileSource
from warpmill.analyzer.traces.summary import sampled_ctas
from warpmill.session.options import TraceOptions
from warpmill.session.prepare import prepare_all
from warpmill.session.traces import save_traces, trace_source

SAMPLES = Path(__file__).parents[2] / "samples"


@cache
def job_of(sample, kernel=None):
    return prepare_all(SAMPLES / sample / "launch.toml", kernel)[0]


def saved(job, path, most=6, kind="static"):
    """Save some CTAs of a job; give their traces as they were made."""
    source = trace_source(job, TraceOptions(kind))
    ctas = tuple(sampled_ctas(job.launch.grid, most))
    save_traces(job, source, path, ctas)
    return ctas, list(source.many(ctas))


def read(job, path):
    return FileSource(path, job.loaded.module, job.kernel, job.launch)
