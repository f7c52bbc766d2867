"""Measured launches as jobs of warpmill: the launch as in a launch file, checked like one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from benchmarks.accuracy_parts.model import Case
from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.base.toml_source import read_toml
from warpmill.analyzer.frontends.load import load_kernel
from warpmill.analyzer.launch import check_launch
from warpmill.analyzer.launch.model import Launch
from warpmill.analyzer.launch.read import resolve_launches
from warpmill.session.jobs import Job

MOST_KERNELS = 8
"""Kernels that are kept: cases come kernel by kernel."""


def job_of(case: Case, ptx: Path) -> Job:
    """The launch of a case with its kernel, which is read once. WarpmillErrors."""
    job = _kernel(ptx, case.entry)
    launch = launch_of(case, ptx)
    check_launch(launch, job.loaded.module, job.kernel)
    return job.with_launch(launch)


@lru_cache(MOST_KERNELS)
def _kernel(ptx: Path, entry: str) -> Job:
    loaded, kernel = load_kernel(ptx, entry)
    return Job(loaded, kernel, None)


def launch_of(case: Case, ptx: Path) -> Launch:
    """Read the launch of a case as a launch file would say it. InputError."""
    name = f"{case.dataset} {case.kernel} {case.words}"
    document = read_toml(Source(name, launch_text(case, ptx)))
    (launch,) = resolve_launches(document, ptx.parent, {})
    return launch


def launch_text(case: Case, ptx: Path) -> str:
    """Write the launch file of a case."""
    launch = {
        "module": ptx.name,
        "kernel": case.entry,
        "grid": list(case.grid),
        "block": list(case.block),
        "shared": case.dynamic_shared_bytes,
        "symbols": case.symbols,
        "args": list(case.args),
    }
    lines = ["[sizes]", *_lines(case.sizes), "[[launch]]", *_lines(launch)]
    return "\n".join(lines) + "\n"


def _lines(table: Mapping[str, Any]) -> list[str]:
    return [f"{key} = {_word(value)}" for key, value in table.items()]


def _word(value: Any) -> str:
    """Write a value as TOML; strings, numbers and truth values are as in JSON."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {_word(one)}" for key, one in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_word, value)) + "]"
    return json.dumps(value)
