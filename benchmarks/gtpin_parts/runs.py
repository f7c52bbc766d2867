"""The runs of an application: its own, and those that its selections are judged by (Figure 8)."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.sampling_parts import launch_times
from warpmill.simulator.machines import load_machine
from warpmill.studies.model import StudyPoint
from warpmill.studies.store import Store

MACHINE = "quadro_k600"
"""Where selections are made: 336 Gflop/s and 29 GB/s, beside the paper's 333 and 26."""
SEED = 7
"""Of the other trial: the same sizes, other data. Presets have seeds of 1 and 2."""
CLOCKS = (1000, 850, 700, 550, 350)
"""MHz of the paper, whose GPU has 1150 at most: clocks here are the same parts of the machine's."""
PAPER_MHZ = 1150
MACHINES = ("v100", "a100")
OWN, TRIALS, CLOCK, OTHER = "own", "trials", "clocks", "machines"
KINDS = (TRIALS, CLOCK, OTHER)


@dataclass(frozen=True)
class Run:
    """All launches of a target on a machine. ``label`` tells runs of one kind apart."""

    kind: str
    label: str
    target: str
    point: StudyPoint
    sizes: dict[str, int] = field(default_factory=dict)


def runs(target, clocks=CLOCKS, machines=MACHINES):
    """List an application's runs, its own first."""
    return (
        Run(OWN, MACHINE, target, launch_times.wanted(target, MACHINE)),
        _other_data(target),
        *(_run(CLOCK, f"{c} MHz", target, MACHINE, **_clock(c)) for c in clocks),
        *(_run(OTHER, machine, target, machine) for machine in machines),
    )


def _run(kind, label, target, machine, **settings):
    return Run(kind, label, target, launch_times.wanted(target, machine, **settings))


def _other_data(target):
    sizes = {"seed": SEED}
    point = launch_times.wanted(target, MACHINE, sizes)
    return Run(TRIALS, f"seed {SEED}", target, point, sizes)


def _clock(mhz):
    own = load_machine(MACHINE).number("clock.sm_mhz")
    return {"clock.sm_mhz": round(own * mhz / PAPER_MHZ, 1)}


def times(wanted, store, workers, say, *, only_known=False):
    """The row of each run by its point's key, or the problem that it has instead.

    With ``only_known`` nothing is simulated, and what was not before is a problem too.
    """
    points = list({run.point.key: run.point for run in wanted}.values())
    if not only_known:
        with suppress(SystemExit):  # runs that cannot be simulated have problems, told below
            launch_times.launch_times(points, store, workers, say)
    study = Store(Path(store) if "://" not in str(store) else store).study(launch_times.STUDY)
    rows = study.of_keys([point.key for point in points])
    found = {point.key: {"problem": "not simulated yet"} for point in points}
    for key, row in rows.items():
        found[key] = row.facts["result"] if row.problem is None else {"problem": row.problem}
    return found
