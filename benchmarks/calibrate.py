"""What calibration gives back of the whole-GPU model, where the answer is known.

Micro-benchmarks run on the model, their times are fitted, and each latency, interval, size, line,
way and bandwidth that was found is put beside the file's. A key that differs is further apart than
5 % and, of cycles, than one; hidden ones, and those that the model does not read, have no verdict.
``--docs`` writes the command's report of ``v100`` into docs/guide/calibrate.md.
"""

from __future__ import annotations

import re
from typing import Annotated

from warpmill.analyzer.base.metric import Metric, derived
from warpmill.benchmarks.benchmark import DOCS, Benchmark, Goal, Measured, Request, say
from warpmill.calibration.api import Calibrated, calibrate_model
from warpmill.commands.calibrate.result import CalibrateReport
from warpmill.report.base import Part
from warpmill.report.sections import Table

MACHINE = "v100"
"""The machine that is kept; parts name others."""
QUICK_GROUPS = ("latency",)
PAGE = DOCS / "guide" / "calibrate.md"
_BLOCK = re.compile(r"(?<=```text\n\$ warpmill calibrate --on-model v100\n)(?:(?!```).*\n)*(?=```)")
"""What the page shows of the command."""
VERDICTS = ("differs", "agrees", "hidden", "not compared", "not measured")
"""In the order of their rows."""


class CalibratedKey(Part):
    """A key of a machine; ``error`` is what was found over the file's value, less 1."""

    machine: Annotated[str, Metric("machine")]
    key: Annotated[str, Metric("key")]
    unit: Annotated[str, Metric("unit")]
    file: Annotated[float | None, Metric("file")]
    found: Annotated[float | None, Metric("found")]
    spread: Annotated[float | None, Metric("±")]
    error: Annotated[float | None, Metric("error", "%")]
    verdict: Annotated[str, Metric("verdict")]
    why: Annotated[str, Metric("why")]


class CalibratedMachine(Part):
    """How many keys of a machine have which verdict; ``report`` is what the command prints."""

    machine: Annotated[str, Metric("machine")]
    launches: Annotated[int, Metric("launches")]
    seconds: Annotated[float, Metric("time", "s")]
    keys: tuple[CalibratedKey, ...]
    report: str

    @derived("agree")
    def agrees(self) -> int:
        """Within 5 % or a cycle."""
        return sum(one.verdict == "agrees" for one in self.keys)

    @derived("differ")
    def differs(self) -> int:
        """Further apart."""
        return sum(one.verdict == "differs" for one in self.keys)

    @derived("without a verdict")
    def others(self) -> int:
        """Hidden, not compared or not measured."""
        return len(self.keys) - self.agrees - self.differs


class Calibrations(Part):
    """All machines."""

    machines: tuple[CalibratedMachine, ...]

    @derived("keys within 5 % or a cycle, %")
    def within(self) -> float | None:
        """Of those with a verdict, of all machines; None without any."""
        agree = sum(one.agrees for one in self.machines)
        return 100 * agree / (agree + self.differs) if agree + self.differs else None

    @derived("keys that differ")
    def differs(self) -> int:
        """Of all machines."""
        return sum(one.differs for one in self.machines)


def of_machine(name: str, found: Calibrated) -> CalibratedMachine:
    """A machine's calibration; keys come worst first."""
    ordered = sorted(
        found.rows,
        key=lambda one: (VERDICTS.index(one.verdict), -abs(one.difference_fraction or 0.0)),
    )
    return CalibratedMachine(
        machine=name,
        launches=found.calibration.launches,
        seconds=round(found.calibration.seconds, 1),
        keys=tuple(
            CalibratedKey(
                machine=name,
                key=one.key,
                unit=one.unit,
                file=one.file_value,
                found=one.found.value if one.found else None,
                spread=one.found.spread if one.found else None,
                error=one.difference_fraction,
                verdict=one.verdict,
                why=one.why,
            )
            for one in ordered
        ),
        report=str(CalibrateReport(calibrated=found, written=None)),
    )


def measure(request: Request) -> Calibrations:
    """Calibrate machines, for a look latencies alone."""
    groups, found = QUICK_GROUPS if request.quick else None, []
    for name in request.names or (MACHINE,):
        say(name)
        made = calibrate_model(name, groups=groups, workers=request.workers)
        found.append(of_machine(name, made))
    return Calibrations(machines=tuple(found))


def files(found: Measured[Calibrations]) -> dict[str, str]:
    """The page of the guide, with the report of v100."""
    (one,) = (own for own in found.result.machines if own.machine == MACHINE)
    text, times = _BLOCK.subn(lambda _: f"{one.report}\n", PAGE.read_text("utf-8"))
    if times != 1:
        raise SystemExit(f"{PAGE.name} has no place for the report of {MACHINE}")
    return {PAGE.relative_to(DOCS.parent).as_posix(): text}


BENCHMARK: Benchmark[Calibrations] = Benchmark(
    name="calibrate",
    about="Whether micro-benchmarks find the numbers of a machine's model again.",
    takes="4 minutes",
    result=":Calibrations",
    measure=":measure",
    parts="machines",
    sections=(
        Table("Machines", "machines",
              ("machine", "launches", "seconds", "agrees", "differs", "others")),
        Table("Keys, worst first", "machines.keys",
              ("machine", "key", "unit", "file", "found", "spread", "error", "verdict", "why"),
              left=(0, 1, 2, 7, 8), wrap=(8,), once=(0,)),
    ),
    goals=(Goal("within"), Goal("differs", 0.0)),
    data=("simulator/**/*.toml",),
    files=":files",
)  # fmt: skip
