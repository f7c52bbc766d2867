"""What ``simulate`` does beside its options: running plans, checkpoints, pictures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from warpmill.analyzer.base.diagnostics import NO_ANSWER, UsageError, WarpmillError, all_unanswered
from warpmill.cli.output import complain, tell
from warpmill.writable import check_files

if TYPE_CHECKING:
    from warpmill.reports.simulate import SimulateReport
    from warpmill.simulation_plans import Plan
    from warpmill.simulations import Progress, Simulated

BUSIEST = 10
"""Lines that a plot shows."""

MANY_CTAS = 1 << 22
"""CTAs that take an hour where each has a few hundred instructions."""


@dataclass(frozen=True)
class Parts:
    """How a simulation is cut: up to a cycle, into a file; and from a file on. None: not."""

    until: int | None = None
    checkpoint: Path | None = None
    resume: Path | None = None

    def files(self) -> dict[str, Path | None]:
        """Give the files by their options."""
        return {"--checkpoint": self.checkpoint, "--resume": self.resume}


def check_choices(
    names: Sequence[str], pictures: Mapping[str, Path | None], output: Path | None, parts: Parts
) -> None:
    """Refuse, before anything is simulated, what could not be written. UsageError."""
    from warpmill.views.simulate_plot import check_plot  # noqa: PLC0415 - slow to load

    for option, path in {**pictures, **parts.files()}.items():
        if path is not None and len(names) > 1:
            raise UsageError(f"{option} {path}: this is of one machine; {len(names)} are named")
    if (parts.until is None) != (parts.checkpoint is None):
        given, missing = ("--until", "--checkpoint")[:: 1 if parts.checkpoint is None else -1]
        raise UsageError(f"{given} needs {missing}: --until CYCLE --checkpoint FILE")
    check_files({"--output": output, "--checkpoint": parts.checkpoint, **pictures})
    timeline, plot = pictures["--timeline"], pictures["--plot"]
    if timeline is not None and not timeline.name.lower().endswith((".json", ".json.gz")):
        raise UsageError(f"--timeline {timeline}: its name ends in .json or .json.gz")
    if plot is not None:
        check_plot(plot)


def simulate_plans(
    target: str, plans: Sequence[Plan], parts: Parts, workers: int = 1
) -> tuple[list[Simulated], list[tuple[str, str]]]:
    """Simulate on each machine, so many at a time. One without an answer has a reason.

    Nothing comes of one that is put away at a cycle; that is told. InputError or LimitError
    where no machine has an answer.
    """
    _tell_of_many(target, plans, parts)
    done: list[Simulated] = []
    failures: list[tuple[str, WarpmillError]] = []
    several = workers > 1 and len(plans) > 1
    outcomes = _at_a_time(target, plans, workers) if several else _in_turn(target, plans, parts)
    for one, found in zip(plans, outcomes, strict=True):
        if found is None:
            _tell_of(parts)
            return [], []
        if isinstance(found, WarpmillError):
            failures.append((one.machine.name, found))
        else:
            done.append(found)
    if not done:
        raise all_unanswered([problem for _, problem in failures])
    for _, problem in failures:
        complain(problem.diagnostics)
    return done, [(name, "; ".join(d.message for d in e.diagnostics)) for name, e in failures]


def _tell_of_many(target: str, plans: Sequence[Plan], parts: Parts) -> None:
    """Say what shortens a simulation of so many CTAs that it may not end, where nothing does."""
    options = plans[0].options
    if (options.rounds, options.max_cycles, parts.until) != (None, None, None):
        return
    ctas = sum(work.launch.cta_count for work in plans[0].works)
    if ctas >= MANY_CTAS:
        words = f"{target}: {ctas:,} CTAs are simulated one by one, which may take hours or days"
        tell(f"{words}; --rounds 4 simulates a few rounds of them, --max-cycles N ends at a cycle")


def _in_turn(
    target: str, plans: Sequence[Plan], parts: Parts
) -> Iterator[Simulated | WarpmillError | None]:
    from warpmill.cli.progress import simulation_bar  # noqa: PLC0415 - slow to load

    for one in plans:
        try:
            with simulation_bar(f"simulating {target} on {one.machine.name}") as progress:
                found = _simulated(one, parts, progress)
        except NO_ANSWER as error:
            yield error
        else:
            yield found


def _at_a_time(
    target: str, plans: Sequence[Plan], workers: int
) -> Iterator[Simulated | WarpmillError]:
    from warpmill.cli.progress import progress_bar  # noqa: PLC0415 - slow to load
    from warpmill.simulations import simulated_each  # noqa: PLC0415 - as above

    with progress_bar(f"simulating {target} on {len(plans)} machines") as show:
        for number, found in enumerate(simulated_each(plans, workers), 1):
            if show is not None:
                show(number, len(plans))
            yield found


def _simulated(one: Plan, parts: Parts, progress: Progress | None) -> Simulated | None:
    """Simulate to the end, or up to a cycle; None: the rest is in the checkpoint."""
    from warpmill.simulations import simulated, simulated_until  # noqa: PLC0415 - slow to load

    if parts.until is None or parts.checkpoint is None:
        return simulated(one, progress, resume=parts.resume)
    found = simulated_until(one, parts.until, parts.checkpoint, progress, resume=parts.resume)
    if found is not None:
        words = f"the simulation ends at cycle {found.result.cycles:,.0f}, before --until"
        tell(f"{words} {parts.until:,}: {parts.checkpoint} is not written")
    return found


def _tell_of(parts: Parts) -> None:
    """Say where a simulation was put away, and what goes on with it."""
    words = f"cycle {parts.until:,} is reached; {parts.checkpoint} has the simulation"
    tell(f"{words}: the same command with --resume {parts.checkpoint} goes on")


def draw(done: Simulated, report: SimulateReport, timeline: Path | None, plot: Path | None) -> None:
    """Write the pictures that were asked for."""
    if timeline is not None:
        from warpmill.views.simulate_perfetto import write_timeline  # noqa: PLC0415 - if asked for

        write_timeline(done.result, timeline)
    if plot is not None:
        from warpmill.views.simulate_plot import write_plot  # noqa: PLC0415 - matplotlib is slow
        from warpmill.views.words import place  # noqa: PLC0415

        file = report.kernels[0].file
        lines = report.simulations[0].lines[:BUSIEST]
        write_plot(done.result, plot, [(place(x.place, file), x.stall_cycles) for x in lines])
