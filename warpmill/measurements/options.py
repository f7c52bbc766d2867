"""Options for a table of measurements. Nothing heavy is imported: the help shows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.base.opt import Opt
from warpmill.session.options import limits_by_figure, pair

if TYPE_CHECKING:
    from warpmill.measurements.machines import MachineChoices


def column_names(given: Sequence[str]) -> dict[str, str]:
    """Read which column is what; ``kernel=`` says that none is the kernel. UsageError."""
    found: dict[str, str] = {}
    for text in given:
        what, name = text.strip().removesuffix("="), ""
        if not what or what == text.strip() or "=" in what:
            what, name = pair("--column", text, "time=duration_ms")
        if found.setdefault(what, name) != name:
            raise UsageError(f"--column {text}: {what} is column `{found[what]}` already")
    return found


def _sizes(texts: Sequence[str]) -> dict[str, str]:
    return dict(pair("--size", text, "n=4096") for text in texts)


@dataclass(frozen=True)
class TableOptions:
    """Meaning of columns, and defaults for all rows whose own columns do not state them.

    ``columns`` has headers by what they are (``{"time": "duration_ms"}``), others are guessed.
    ``machines`` is a machine of all rows, or which one stands for a GPU of the table.
    """

    columns: Annotated[
        Mapping[str, str],
        Opt(
            "Which column has time, unit, machine, target, kernel, launch, grid, block, shared, "
            "registers, args, or a size of the targets; others are guessed by their headers. "
            "WHAT= says that none has it.",
            names=("--column",),
            metavar="WHAT=NAME",
            text=list[str],
            read=column_names,
        ),
    ] = field(default_factory=dict)
    unit: Annotated[Literal["s", "ms", "us", "ns", "cycles"] | None, Opt("Unit of the times.")] = (
        None
    )
    target: Annotated[
        str | Path | None,
        Opt(
            "What all rows launch, where no column says it: a launch file (.toml), a kernel file "
            "(.ptx, .ll, .bc), a program (.py), a recording (.wmrec), a workload (bfs:tiny).",
            metavar="TARGET",
            text=str,
            read=str,
        ),
    ] = None
    machines: Annotated[
        str | Sequence[str],
        Opt(
            "The machine of all rows, where no column says it, by name or as a file (.toml); or "
            "which one stands for a GPU of the table.",
            names=("--machine", "-m"),
            metavar="NAME|GPU=NAME",
            text=list[str],
            read=tuple,
        ),
    ] = ()
    kernel: Annotated[
        str | None,
        Opt("Which kernel, where no column says it.", names=("--kernel", "-k"), metavar="NAME"),
    ] = None
    sizes: Annotated[
        Mapping[str, int | str],
        Opt(
            "Replace a size of the targets in all rows that do not say it.",
            names=("--size",),
            metavar="NAME=VALUE",
            text=list[str],
            read=_sizes,
        ),
    ] = field(default_factory=dict)
    args: Annotated[
        Sequence[str],
        Opt(
            "The next argument, where targets are kernel files: 5, f32=0.5, buffer=f32:1024.",
            names=("--arg",),
            metavar="VALUE",
            text=list[str],
            read=tuple,
        ),
    ] = ()

    @property
    def machine_choices(self) -> MachineChoices:
        """One machine for all rows, and those that stand for GPUs. UsageError."""
        from warpmill.measurements.machines import MachineChoices  # noqa: PLC0415 - slow to load

        every: str | None = None
        named: dict[str, str] = {}
        for text in (self.machines,) if isinstance(self.machines, str) else self.machines:
            if "=" in text:
                gpu, machine = pair("--machine", text, "'Tesla V100=v100'")
                if named.setdefault(gpu, machine) != machine:
                    raise UsageError(f"--machine {text}: {gpu} is {named[gpu]} too")
            elif every is not None and every != text:
                raise UsageError(f"--machine {text}: all rows are of {every} already")
            elif not text.strip():
                raise UsageError("--machine names no machine")
            else:
                every = text
        return MachineChoices(every, named)


def _limits(texts: Sequence[str]) -> dict[str, float]:
    from warpmill.measurements.counters import TIME, counter_kinds  # noqa: PLC0415 - slow to load

    return limits_by_figure("--fail-over", texts, (TIME, *counter_kinds()), TIME)


@dataclass(frozen=True)
class ErrorLimits:
    """Largest mean absolute errors that pass, by figure: ``time``, or a counter's name."""

    limits: Annotated[
        Mapping[str, float],
        Opt(
            "End with 1 where the mean absolute error of the time, or of a counter, is larger: "
            "20%,registers=0%,dram_read=10%.",
            names=("--fail-over",),
            metavar="[FIGURE=]P%",
            text=list[str],
            read=_limits,
        ),
    ] = field(default_factory=dict)
