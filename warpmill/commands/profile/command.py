"""``warpmill profile``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from warpmill.analyzer.base.diagnostics import Diagnostic, Severity, UsageError
from warpmill.analyzer.base.naming import suggestion
from warpmill.cli.options import (
    Arguments,
    Block,
    Format,
    FormatOption,
    Grid,
    Kernel,
    Output,
    Shared,
    Strict,
    Symbols,
    Verbose,
    launch_options,
    machines_given,
    read_together,
)
from warpmill.cli.output import Destination, emit
from warpmill.cli.progress import progress_bar
from warpmill.cli.running import (
    LaunchNumber,
    MaxInstructions,
    MaxMemory,
    MaxSeconds,
    Resident,
    RunSizes,
    RunTarget,
    Workers,
    complain_of,
    run_options,
)

if TYPE_CHECKING:
    from warpmill.session.profiles import Profiled
    from warpmill.session.runs import RunOptions
    from warpmill.simulator.machines.model import Machine

Counts = Annotated[
    str | None,
    typer.Option(
        "--count",
        metavar="WHAT[,WHAT]",
        help="Collect less: blocks (always), edges, lanes, paths, memory, ctas; all without it.",
        show_default=False,
    ),
]
RulesOf = Annotated[
    str | None,
    typer.Option(
        "--machine",
        "-m",
        metavar="NAME",
        help="Count transactions and bank conflicts as this machine does, by name or file.",
        show_default=False,
    ),
]
PerCta = Annotated[bool, typer.Option("--per-cta", help="Give the counts of each CTA too.")]
Collectors = Annotated[
    list[str] | None,
    typer.Option(
        "--collector",
        metavar="FILE.py[:CLASS]",
        help="Tell a collector of your own of all launches, or OpcodeCounts or BlockVectors; "
        "may be given several times.",
        show_default=False,
    ),
]
CachesOf = Annotated[
    str | None,
    typer.Option(
        "--cache",
        metavar="MACHINE",
        help="Simulate the caches of this machine, by name or file, on all accesses.",
        show_default=False,
    ),
]
WithOverhead = Annotated[
    bool,
    typer.Option("--overhead", help="Run once more, plainly, and compare the CPU time."),
]


def profile(  # noqa: PLR0913, PLR0917 - one parameter for each option
    target: RunTarget,
    kernel: Kernel = None,
    grid: Grid = None,
    block: Block = None,
    shared: Shared = None,
    arg: Arguments = None,
    symbol: Symbols = None,
    size: RunSizes = None,
    launch: LaunchNumber = None,
    count: Counts = None,
    machine: RulesOf = None,
    per_cta: PerCta = False,
    collector: Collectors = None,
    cache: CachesOf = None,
    overhead: WithOverhead = False,
    max_instructions: MaxInstructions = None,
    max_seconds: MaxSeconds = None,
    max_memory: MaxMemory = None,
    workers: Workers = 1,
    resident: Resident = 1,
    strict: Strict = False,
    format_: FormatOption = Format.TEXT,
    output: Output = None,
    verbose: Verbose = False,
) -> None:
    """Run kernels and count exactly what they execute and access.

    By opcode and class, by block, edge and loop, by memory instruction, by CTA.
    """
    from warpmill.commands.profile.result import Shown, profile_report  # noqa: PLC0415
    from warpmill.session.collectors import load_caches, load_collectors  # noqa: PLC0415
    from warpmill.session.overhead import profile_with_overhead  # noqa: PLC0415
    from warpmill.session.prepare import prepare_all  # noqa: PLC0415 - slow to load
    from warpmill.session.profiles import profile as run_profile  # noqa: PLC0415

    counts = _counts(count, per_cta=per_cta, has_machine=machine is not None)
    options = run_options(
        "cpu",
        max_instructions=max_instructions,
        max_seconds=max_seconds,
        max_memory=max_memory,
        workers=workers,
        resident=resident,
    )
    how = launch_options(grid, block, shared, arg, size, symbols=symbol)
    ((rules_of, options),) = read_together(
        target,
        lambda: prepare_all(target, kernel, how, strict=strict),
        lambda: _with_rules(machine, options),
    )
    _check_collectors(collector or ())
    loaded = load_collectors(collector or ())
    if cache is not None:
        loaded = (*loaded, load_caches(cache))
    options = replace(options, collectors=[one.collector for one in loaded])
    with progress_bar(f"running {target}") as progress:
        options = replace(options, progress=progress)
        both = (target, kernel, how, options)
        if overhead:
            profiled, cost = profile_with_overhead(*both, counts=counts, strict=strict)
        else:
            profiled, cost = run_profile(*both, counts=counts, strict=strict), None
    complain_of(profiled.run.jobs)
    _check_launch(profiled, launch)
    counted = frozenset(counts).union(*(one.collector.counts for one in loaded))
    shown = Shown(counted, rules_of, per_cta, launch)
    report = profile_report(profiled, shown, loaded, cost)
    emit(report, Destination(format_, output, verbose))


_FILE = re.compile(r"[./\\]")
"""What a file has in its name, and no collector that comes with warpmill."""


def _check_collectors(texts: Sequence[str]) -> None:
    """Refuse what is neither a file nor a collector of warpmill. UsageError."""
    from warpmill.executor.standard_collectors import STANDARD  # noqa: PLC0415 - slow to load

    for text in texts:
        if text in STANDARD or _FILE.search(text) or Path(text.partition(":")[0]).is_file():
            continue
        near = suggestion(text, STANDARD)
        hint = f"{near} " if near else ""
        hint += f"--collector takes FILE.py, FILE.py:CLASS, {' or '.join(STANDARD)}"
        words = f"--collector {text}: there is no such file, and no collector of that name"
        raise UsageError(Diagnostic(Severity.ERROR, words, hint=hint))


_ALWAYS = "blocks"


def _counts(text: str | None, *, per_cta: bool, has_machine: bool) -> tuple[str, ...]:
    """Read what is to be counted. UsageError for what there is not, or what something needs."""
    from warpmill.executor.collectors import COUNTS  # noqa: PLC0415 - slow to load

    if text is None:
        return COUNTS
    words = [word.strip() for word in text.split(",")]
    for word in words:
        if word not in (_ALWAYS, *COUNTS):
            known = ", ".join((_ALWAYS, *COUNTS))
            raise UsageError(f"--count {text}: there is no `{word}` to count; there are {known}")
    for option, is_given, needed in (
        ("--per-cta", per_cta, "ctas"),
        ("--machine", has_machine, "memory"),
    ):
        if is_given and needed not in words:
            raise UsageError(f"--count {text}: {option} needs {needed}")
    return tuple(count for count in COUNTS if count in words)


def _with_rules(name: str | None, options: RunOptions) -> tuple[Machine | None, RunOptions]:
    """Have memory counted by a machine's rules where one is named. UsageError."""
    if name is None:
        return None, options
    from warpmill.simulator.machines.memory import memory_rules  # noqa: PLC0415 - only where asked for

    (machine,), _ = machines_given((name,), None)
    return machine, replace(options, memory_rules=memory_rules(machine))


def _check_launch(profiled: Profiled, launch: int | None) -> None:
    """See that there is the launch that was chosen. UsageError."""
    total = len(profiled.launches)
    if launch is not None and launch >= total:
        there = f"launches are 0 to {total - 1}" if total else "it makes no launches"
        raise UsageError(f"{profiled.run.target} has no launch {launch}; {there}")
