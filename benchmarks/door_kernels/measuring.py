"""Each kernel compiled for each chip, its launch estimated, executed and held beside NumPy.

Chips that no machine has are estimated on that of ``ON``: what is compiled is theirs.
"""

from __future__ import annotations

import os
import re
import tempfile
import warnings
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

import warpmill
from warpmill.analyzer.base.diagnostics import WarpmillError, words_of
from warpmill.benchmarks.benchmark import Request, say
from warpmill.benchmarks.door_kernels import DOORS, RIGHT, DoorLaunch, DoorsResult
from warpmill.benchmarks.door_kernels.cases import Case
from warpmill.doors.launching import run_in_place
from warpmill.session.jobs import Job

ON = {"sm_80": "a100", "sm_90": "h100_sxm", "sm_100": "b200", "sm_120": "b200"}
"""Machines on which launches are estimated, by the chip that kernels are compiled for."""

QUICK = 3
"""Kernels of each door where little is measured."""


def measure(request: Request) -> DoorsResult:
    """Launch every kernel for every chip. SystemExit where a library is not here."""
    launches: list[DoorLaunch] = []
    with tempfile.TemporaryDirectory() as cache, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of libraries, of their own features
        os.environ |= {"TRITON_CACHE_DIR": cache, "TRITON_DEFAULT_FP_FUSION": "1"}
        for door in request.chosen(DOORS):
            for number, case in enumerate(_cases(door)):
                if request.quick and number >= QUICK:
                    break
                say(f"{door}: {case.title}")
                launches += [_launched(door, number, case, chip) for chip in ON]
    return DoorsResult(launches=tuple(launches))


def _cases(door: str) -> Iterator[Case]:
    name = f"{__package__}.{DOORS[door]}"
    try:
        module = import_module(name)
    except ImportError as error:
        raise SystemExit(f"{door}: {error}; pip install '.[bench]'") from None
    cases: Iterator[Case] = module.cases()
    return cases


def _launched(door: str, number: int, case: Case, chip: str) -> DoorLaunch:
    """The launch of a kernel that is compiled for a chip."""
    row: dict[str, Any] = {"door": door, "kernel": case.title, "chip": chip, "number": number}
    none: Mapping[str, Any] = {"time_us": None, "is_executed": False}
    try:
        arguments = case.fresh()
        job = _prepared(door, case, arguments, chip)
        time = warpmill.estimate(job, ON[chip]).time_us
    except WarpmillError as error:
        return DoorLaunch(**row, **none, outcome=words_of(error))
    try:
        run_in_place(job)
    except WarpmillError as error:
        return DoorLaunch(**row, time_us=time, is_executed=False, outcome=_reason(error))
    outcome = case.wrong(arguments) or RIGHT
    return DoorLaunch(**row, time_us=time, is_executed=True, outcome=outcome)


def _reason(error: WarpmillError) -> str:
    """Why a launch is not executed: operations that the executor lacks, each once."""
    named = [_LACKED.match(one.message) for one in error.diagnostics]
    lacked = dict.fromkeys(match[1] for match in named if match is not None)
    return f"the executor lacks {', '.join(lacked)}" if lacked else words_of(error)


_LACKED = re.compile(r"`([\w]+(?:\.[\w:]+)?)[\w.:]*` cannot be executed")


def _prepared(door: str, case: Case, arguments: tuple[Any, ...], chip: str) -> Job:
    if door == "triton":
        made: Job = warpmill.triton.prepare(
            case.kernel, case.launch, *arguments, machine=chip, **case.meta
        )
    elif door == "numba":
        made = warpmill.numba.prepare(case.kernel, case.launch, *arguments, machine=chip)
    else:
        grid, block, shared = case.launch
        source, name = case.kernel
        made = warpmill.cuda.prepare(
            source, name, grid, block, arguments, shared=shared, machine=chip
        )
    return made
