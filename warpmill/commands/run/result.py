"""What ``run`` answers: what launches did, and what is in the buffers afterwards."""

from __future__ import annotations

import math
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.naming import demangle
from warpmill.report.base import Id, Mark, Part, Report
from warpmill.session.runs import Buffer, LaunchRun, Run, summed


class RunLaunchFigures(Part):
    """One launch. Counts and times are null where the device does not tell them.

    Thread instructions count the lanes of the active mask; ``lane_utilization`` is their share of
    what the lanes of all warp instructions could have been. ``seconds`` are of this computer,
    without compilation: no estimate of a GPU's time. ``printed`` is what threads printed.
    """

    mark: ClassVar[Mark] = Mark.EXACT

    index: Id
    name: str
    kernel: str
    demangled: str
    grid: list[int]
    block: list[int]
    ctas: int
    threads_per_cta: int
    dynamic_shared_bytes: int
    stream: Id
    warp_instructions: int | None
    thread_instructions: int | None
    lane_utilization: float | None
    seconds: float | None
    thread_instructions_per_second: float | None
    printed: str


class RunTotals(Part):
    """All launches together; null where one of them is."""

    mark: ClassVar[Mark] = Mark.EXACT

    launches: int
    warp_instructions: int | None
    thread_instructions: int | None
    seconds: float | None
    thread_instructions_per_second: float | None


class BufferFigures(Part):
    """An array after the run.

    ``changed``: whether it differs from what it held first; null where nobody knows. Least,
    greatest and mean leave NaN out; they are null where there are no numbers, and where they are
    infinite. ``sha256`` is of the bytes.
    """

    mark: ClassVar[Mark] = Mark.EXACT

    name: str
    launch: str | None
    argument: str | None
    element: str
    shape: list[int]
    bytes: int
    changed: bool | None
    min: int | float | None
    max: int | float | None
    mean: float | None
    nans: int
    infinities: int
    sha256: str


class RunReport(Report):
    """What a launch file, a kernel or a host program did on a device.

    ``saved`` and ``recorded`` are where buffers and calls were written.
    """

    report: Literal["run"] = "run"
    target: str
    device: str
    launches: list[RunLaunchFigures]
    totals: RunTotals
    buffers: list[BufferFigures]
    saved: str | None
    recorded: str | None


def run_report(run: Run, saved: str | None = None, recorded: str | None = None) -> RunReport:
    """Report a run, with where its buffers and its calls were written."""
    launches = [_launch(one, place) for place, one in enumerate(run.launches)]
    return RunReport(
        target=run.target,
        device=run.device,
        launches=launches,
        totals=_totals(launches),
        buffers=[_buffer(buffer) for buffer in run.buffers],
        saved=saved,
        recorded=recorded,
    )


def _launch(run: LaunchRun, place: int) -> RunLaunchFigures:
    launched = run.launched
    counts = launched.counts
    return RunLaunchFigures(
        index=place,
        name=run.name,
        kernel=launched.kernel.name,
        demangled=demangle(launched.kernel.name),
        grid=list(launched.grid),
        block=list(launched.block),
        ctas=math.prod(launched.grid),
        threads_per_cta=math.prod(launched.block),
        dynamic_shared_bytes=launched.dynamic_shared_bytes,
        stream=launched.stream,
        warp_instructions=counts.warp_instructions,
        thread_instructions=counts.thread_instructions,
        lane_utilization=launched.lane_utilization,
        seconds=counts.seconds,
        thread_instructions_per_second=_rate(counts.thread_instructions, counts.seconds),
        printed=counts.printed,
    )


def _rate(instructions: int | None, seconds: float | None) -> float | None:
    return None if instructions is None or not seconds else instructions / seconds


def _totals(launches: list[RunLaunchFigures]) -> RunTotals:
    threads = summed(one.thread_instructions for one in launches)
    seconds = summed(one.seconds for one in launches)
    return RunTotals(
        launches=len(launches),
        warp_instructions=summed(one.warp_instructions for one in launches),
        thread_instructions=threads,
        seconds=seconds,
        thread_instructions_per_second=_rate(threads, seconds),
    )


def _buffer(buffer: Buffer) -> BufferFigures:
    values = buffer.values
    numbers = _numbers(values, buffer.element)
    nans = infinities = 0
    if not _all_finite(numbers):
        nans, infinities = int(np.isnan(numbers).sum()), int(np.isinf(numbers).sum())
        numbers = numbers[~np.isnan(numbers)]
    least, greatest, mean = _statistics(numbers)
    return BufferFigures(
        name=buffer.name,
        launch=buffer.launch,
        argument=buffer.argument,
        element=buffer.element,
        shape=list(values.shape),
        bytes=values.nbytes,
        changed=buffer.changed,
        min=least,
        max=greatest,
        mean=mean,
        nans=nans,
        infinities=infinities,
        sha256=buffer.sha256,
    )


def _numbers(values: npt.NDArray[Any], element: str) -> npt.NDArray[Any]:
    """An array's numbers, those of bf16 from their bits; none for structs."""
    if element == "bf16":
        return (values.astype(np.uint32) << np.uint32(16)).view(np.float32)
    return values if values.dtype.kind in "biuf" else np.zeros(0)


def _all_finite(values: npt.NDArray[Any]) -> bool:
    """Whether there is no NaN and no infinity: least and greatest element tell."""
    if not values.size or values.dtype.kind != "f":
        return True
    return bool(np.isfinite(values.min()) and np.isfinite(values.max()))


def _statistics(
    values: npt.NDArray[Any],
) -> tuple[int | float | None, int | float | None, float | None]:
    """Least, greatest and mean; None for an infinite one, and for all of no numbers."""
    if not values.size:
        return None, None, None
    with np.errstate(all="ignore"):
        mean = float(values.mean(dtype=np.float64))
    least, greatest = (_number(v) for v in (values.min(), values.max()))
    return _finite(least), _finite(greatest), mean if math.isfinite(mean) else None


def _number(value: Any) -> int | float:
    return float(value) if value.dtype.kind == "f" else int(value)


def _finite(value: float) -> int | float | None:
    return value if isinstance(value, int) or math.isfinite(value) else None
