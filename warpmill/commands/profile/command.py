"""``warpmill profile``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.base.opt import Opt, Without
from warpmill.cli.options import machines_given
from warpmill.cli.output import emit
from warpmill.cli.progress import progress_bar
from warpmill.cli.running import complain_of
from warpmill.session.options import (
    LaunchNumber,
    LaunchOptions,
    Output,
    RunOptions,
    TargetOptions,
)

if TYPE_CHECKING:
    from warpmill.session.profiles import Profiled
    from warpmill.simulator.machines.model import Machine


def _counts(text: str) -> tuple[str, ...]:
    """Read what is to be counted, blocks always. UsageError for what there is not."""
    from warpmill.executor.collectors import COUNTS  # noqa: PLC0415 - slow to load

    words = [word.strip() for word in text.split(",")]
    for word in words:
        if word not in (_ALWAYS, *COUNTS):
            known = ", ".join((_ALWAYS, *COUNTS))
            raise UsageError(f"--count {text}: there is no `{word}` to count; there are {known}")
    return tuple(count for count in COUNTS if count in words)


_ALWAYS = "blocks"


def _collectors(texts: Sequence[str]) -> tuple[str, ...]:
    from warpmill.session.collectors import checked_collectors  # noqa: PLC0415 - slow to load

    return checked_collectors(texts)


def _machine(name: str) -> Machine:
    ((machine,), _) = machines_given((name,), None)
    return machine


@dataclass(frozen=True)
class CountingOptions:
    """Counts of a profile, their rules, and collectors of the user's.

    ``counts`` are those of ``executor.collectors.COUNTS`` that are wanted; None: all.
    """

    counts: Annotated[
        tuple[str, ...] | None,
        Opt(
            "Collect less: blocks (always), edges, lanes, paths, memory, ctas; all without it.",
            names=("--count",),
            metavar="WHAT[,WHAT]",
            text=str,
            read=_counts,
        ),
    ] = None
    machine: Annotated[
        Machine | None,
        Opt(
            "Count transactions and bank conflicts as this machine does, by name or file.",
            names=("--machine", "-m"),
            metavar="NAME",
            text=str,
            read=_machine,
        ),
    ] = None
    per_cta: Annotated[bool, Opt("Give the counts of each CTA too.")] = False
    collectors: Annotated[
        Sequence[str],
        Opt(
            "Tell a collector of your own of all launches, or OpcodeCounts or BlockVectors; may "
            "be given several times.",
            names=("--collector",),
            metavar="FILE.py[:CLASS]",
            text=list[str],
            read=_collectors,
        ),
    ] = ()
    cache: Annotated[
        str | None,
        Opt(
            "Simulate the caches of this machine, by name or file, on all accesses.",
            metavar="MACHINE",
        ),
    ] = None
    overhead: Annotated[bool, Opt("Run once more, plainly, and compare the CPU time.")] = False

    def __post_init__(self) -> None:
        if self.counts is None:
            return
        for option, is_given, needed in (
            ("--per-cta", self.per_cta, "ctas"),
            ("--machine", self.machine is not None, "memory"),
        ):
            if is_given and needed not in self.counts:
                given = ",".join(self.counts) or _ALWAYS
                raise UsageError(f"--count {given}: {option} needs {needed}")


def profile(
    source: TargetOptions,
    launch: Annotated[LaunchOptions, Without("launches")],
    counting: CountingOptions,
    options: Annotated[RunOptions, Without("device", "schedule")],
    output: Output,
    shown: LaunchNumber = None,
) -> None:
    """Run kernels and count exactly what they execute and access.

    By opcode and class, by block, edge and loop, by memory instruction, by CTA.
    """
    from warpmill.commands.profile.result import ProfileChoice, profile_report  # noqa: PLC0415
    from warpmill.executor.collectors import COUNTS  # noqa: PLC0415
    from warpmill.session.collectors import load_caches, load_collectors  # noqa: PLC0415
    from warpmill.session.overhead import profile_with_overhead  # noqa: PLC0415
    from warpmill.session.profiles import profile as run_profile  # noqa: PLC0415
    from warpmill.simulator.machines.model import memory_rules  # noqa: PLC0415

    counts = COUNTS if counting.counts is None else counting.counts
    if counting.machine is not None:
        options = replace(options, memory_rules=memory_rules(counting.machine))
    loaded = load_collectors(counting.collectors)
    if counting.cache is not None:
        loaded = (*loaded, load_caches(counting.cache))
    options = replace(options, collectors=[one.collector for one in loaded])
    with progress_bar(f"running {source.target}") as progress:
        options = replace(options, progress=progress)
        how = (source.target, source.kernel, launch, options)
        if counting.overhead:
            profiled, cost = profile_with_overhead(*how, counts=counts, strict=source.strict)
        else:
            profiled, cost = run_profile(*how, counts=counts, strict=source.strict), None
    complain_of(profiled.run.jobs)
    _check_launch(profiled, shown)
    counted = frozenset(counts).union(*(one.collector.counts for one in loaded))
    report = profile_report(
        profiled, ProfileChoice(counted, counting.machine, counting.per_cta, shown), loaded, cost
    )
    emit(report, output)


def _check_launch(profiled: Profiled, launch: int | None) -> None:
    """See that there is the launch that was chosen. UsageError."""
    total = len(profiled.launches)
    if launch is not None and launch >= total:
        there = f"launches are 0 to {total - 1}" if total else "it makes no launches"
        raise UsageError(f"{profiled.run.target} has no launch {launch}; {there}")
