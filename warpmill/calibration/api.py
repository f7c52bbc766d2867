"""Calibrations in a few lines of Python.

::

    found = calibrate_model("v100", groups=["latency"])
    for row in found.rows:
        print(row.key, row.stated, row.found.value if row.found else row.why)
    print(found.text())
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from warpmill.analyzer.base.diagnostics import Diagnostic, Severity, UsageError
from warpmill.analyzer.base.naming import suggestion
from warpmill.calibration.calibrate import Calibration, Progress, chosen_groups, measured
from warpmill.calibration.comparison import Row, compared
from warpmill.calibration.machine_file import machine_text
from warpmill.calibration.origins import Origin, gpu_origin, model_origin
from warpmill.codegen.microbench.frame import Microbench
from warpmill.simulator.machines.files import machine_names
from warpmill.simulator.machines.model import Machine
from warpmill.simulator.machines.resolve import load_machine
from warpmill.simulator.machines.schema import Scalar


@dataclass(frozen=True)
class Calibrated:
    """A calibration beside a machine: the model's own, or the one that a GPU is like.

    ``benches`` are the micro-benchmarks that were launched.
    """

    calibration: Calibration
    machine: Machine
    rows: tuple[Row, ...]
    origin: Origin
    benches: tuple[Microbench, ...]

    def text(self) -> str:
        """Write the machine file. UsageError where nothing was measured that it could hold."""
        return machine_text(self.calibration, self.rows, self.origin)


def calibrate_model(  # noqa: PLR0913 - each option by its name
    machine: str | Machine,
    *,
    overrides: Mapping[str, Scalar] | None = None,
    groups: Sequence[str] | None = None,
    like: str | None = None,
    name: str | None = None,
    workers: int = 1,
    progress: Progress | None = None,
) -> Calibrated:
    """Calibrate on the whole-GPU model of a machine, by name, path or as it is.

    ``groups`` are those of ``calibrate.GROUPS``, all without it; ``like`` is the packaged machine
    that the new file falls back on. UsageError for an unknown machine, key or group.
    """
    from warpmill.calibration.model_runner import ModelRunner  # noqa: PLC0415 - the engine is slow

    chosen = chosen_groups(groups)
    check_like(like)
    if not isinstance(machine, Machine):
        machine = load_machine(machine, overrides)
    runner = ModelRunner(machine, workers)
    found = measured(runner, chosen, progress)
    origin = model_origin(machine, name, like)
    return Calibrated(found, machine, compared(found, machine), origin, runner.benches)


def calibrate_gpu(
    *,
    groups: Sequence[str] | None = None,
    like: str | None = None,
    name: str | None = None,
    repeats: int = 7,
    progress: Progress | None = None,
) -> Calibrated:
    """Calibrate on the first GPU, each launch ``repeats`` times.

    ``like`` is the packaged machine that the new file falls back on; without it the one of the
    GPU's name. UsageError where there is no GPU, and where no machine has its name.
    """
    from warpmill.calibration.gpu_facts import gpu_facts  # noqa: PLC0415
    from warpmill.calibration.gpu_runner import GpuRunner  # noqa: PLC0415
    from warpmill.executor.host.device import Device  # noqa: PLC0415 - LLVM is slow to load

    chosen = chosen_groups(groups)
    check_like(like)
    facts = gpu_facts()
    fallback = like or _like(facts.name)
    runner = GpuRunner(Device("cuda", record=False), facts, repeats)
    found = measured(runner, chosen, progress)
    date = datetime.now(UTC).date().isoformat()
    origin = gpu_origin(facts, runner.sm_mhz, name, fallback, date)
    machine = load_machine(fallback)
    return Calibrated(found, machine, compared(found, machine), origin, runner.benches)


def check_like(like: str | None) -> None:
    """Refuse a fallback that no machine file may have. UsageError."""
    if like is not None and like not in machine_names():
        hint = suggestion(like, machine_names()) or "warpmill machines list shows them"
        words = f"--like {like}: this is not a machine that comes with warpmill"
        raise UsageError(Diagnostic(Severity.ERROR, words, hint=hint))


def _like(gpu: str) -> str:
    """Give the packaged machine of a GPU's name. UsageError."""
    from warpmill.measurements.machines import find_machine  # noqa: PLC0415 - rarely needed

    try:
        return find_machine(gpu).machine
    except UsageError:
        words = f"no machine is known to be `{gpu}`"
        hint = "--like NAME says which one has what is not measured"
        raise UsageError(Diagnostic(Severity.ERROR, words, hint=hint)) from None
