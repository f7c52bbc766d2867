"""The sweeps over Table VI: what a user would type, through the Python API."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from benchmarks.lane_detection_parts.paper import CaseStudy, KernelDesigns
from warpmill.session.options import EvaluationOptions, LaunchOptions
from warpmill.studies.options import StudyOptions
from warpmill.studies.running import Progress
from warpmill.sweeps.api import sweep
from warpmill.sweeps.sweep import MeasuredConfiguration

Engine = Literal["estimate", "simulate"]
Row = dict[str, Any]

Launches = Literal["all", "largest"]
"""What is asked for: all frames, or the frame in which a kernel executes most."""


def command(study: CaseStudy, kernel: KernelDesigns, output: str) -> str:
    """The command line of a kernel's sweep over the whole video, in lines of a shell."""
    over = " ".join(f"--over '{name}={values}'" for name, values in kernel.over.items())
    return (
        f"warpmill sweep {study.application} --kernel {kernel.name} --launch all \\\n"
        f"    {over} \\\n"
        f"    --machine {','.join(study.machines)} \\\n"
        f"    --format csv --output {output}"
    )


def swept(  # noqa: PLR0913 - each option by its name
    study: CaseStudy,
    kernel: KernelDesigns,
    machines: Sequence[str],
    *,
    engine: Engine = "estimate",
    launches: Launches = "all",
    sizes: Mapping[str, int | str] | None = None,
    store: str | Path,
    workers: int = 1,
    say: Callable[[str], None],
) -> list[Row]:
    """Sweep a kernel; a row for each design, with µs a launch by machine, that is a frame.

    Designs are sorted by global size, then by local size, as in the paper's figures. ``us`` has the
    times of launches, ``execution_us`` those without what launching adds, which simulations have
    not. SystemExit where a design could not be measured.
    """
    name = f"{kernel.name}, {engine}"
    found = sweep(
        study.application,
        dict(kernel.over),
        machines=tuple(machines),
        how=EvaluationOptions(engine),
        kernel=kernel.name,
        launch=LaunchOptions(launches=launches, sizes=dict(sizes or {})),
        store=StudyOptions(store, workers=workers, told=lambda done: say(_words(name, done))),
    )
    if found.failures:
        reasons = sorted({row.problem or "" for row in found.failures})
        raise SystemExit(f"{name}: {'; '.join(reasons)}")
    return _rows(kernel, found.measured)


def _words(name: str, done: Progress) -> str:
    left = done.seconds_left
    return f"{name}: {done.over} of {done.all}" + ("" if left is None else f", {left:.0f} s left")


def _rows(kernel: KernelDesigns, measured: Sequence[MeasuredConfiguration]) -> list[Row]:
    designs: dict[tuple[int, int], Row] = {}
    for one in measured:
        threads, local = kernel.sizes(one.configuration)
        launches = int(one.facts["launches"])
        empty: Row = {"global": threads, "local": local, "launches": launches}
        row = designs.setdefault((threads, local), {**empty, "us": {}, "execution_us": {}})
        machine, time_us = str(one.configuration["machine"]), one.figures["time_us"]
        row["us"][machine] = time_us / launches
        row["execution_us"][machine] = one.figures.get("execution_us", time_us) / launches
    return [designs[place] for place in sorted(designs)]
