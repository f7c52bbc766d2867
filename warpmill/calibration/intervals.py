"""Issue intervals, from independent chains in one warp to as many as an SM holds (§IV-A-2)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from warpmill.calibration.chain_costs import Chain, Shape, chain_costs, shape, turn_costs
from warpmill.calibration.figures import Figure, slope, slope_of_readings
from warpmill.calibration.findings import Bound, Curve, Finding, Missing, Part, found, joined
from warpmill.calibration.latencies import able, is_timeless, timeless, why_not
from warpmill.calibration.machine_code import apiece, beside, filler, instructions
from warpmill.calibration.probes import Runner, Target
from warpmill.codegen.microbench.frame import WARP, Microbench
from warpmill.codegen.microbench.operations import MeasuredOperation, measured_operations
from warpmill.codegen.microbench.sweeps import branches, shared_stride

_COPIES, _ALONE = 4, 16
"""Chains of a warp; more where one warp alone has to keep the pipe of special functions busy."""

_ISSUE, _PARTS = "issue", "mufu"
_PIPES = ("fp32_fma", "int_logic")
"""What ``issue`` takes by turns."""

_TIMES = 8
_LOADS, _BRANCHES = (8, 16, 24), (2, 4, 6)
_LIMITED = 0.85

Rates = Mapping[int, Figure]
"""Cycles of an SM from one warp instruction to the next, by its warps."""


def best(rates: Rates) -> Figure:
    """Give the fewest cycles: warps that go in step may keep each other from some pipes.

    One that is less by no more than its spread does not count for less.
    """
    return min(rates.values(), key=lambda figure: figure.value + figure.spread)


def warps_of(target: Target) -> tuple[int, ...]:
    """List the numbers of warps that are tried: 1, 2, 4 and so on, and the most."""
    powers = (1 << k for k in range(target.max_warps.bit_length()))
    return (*[n for n in powers if n < target.max_warps], target.max_warps)


def intervals(runner: Runner, names: Sequence[str] | None = None) -> Part:
    """Measure what separates two warp instructions, in a sub-partition and in the whole SM.

    Sub-partitions are as many as the rate of special functions grows by from one warp to more,
    schedulers as many as that of two pipes by turns does: one warp has those of one alone. What a
    scheduler issues is at least this where the two pipes take no more.
    ``names`` are the operations whose intervals are wanted; all without it.
    """
    target = runner.target
    wanted = None if names is None else [*names, _ISSUE, _PARTS]
    chosen = [o for o in able(target, wanted) if o.interval is not None or o.name == _ISSUE]
    rates = _sweeps(runner, chosen)
    rates["ldst"] = _of_loops(runner, shared_stride, _LOADS, (4, 0))
    rates["branch"] = _of_loops(runner, branches, _BRANCHES, ())
    gone = {o.name: timeless(o) for o in chosen if is_timeless(best(rates[o.name]))}
    of_all = gone.get(_PARTS) or gone.get(_ISSUE)
    if of_all:
        return Part(
            (), tuple(Missing(o.interval, of_all) for o in chosen if o.interval is not None)
        )
    chosen = [o for o in chosen if o.name not in gone]
    rates = {name: each for name, each in rates.items() if name not in gone}
    parts, issue = _times(rates[_PARTS]), best(rates[_ISSUE])
    pipes = [best(rates[name]) for name in _PIPES if name in rates]
    findings = [*_of_sm(parts, _times(rates[_ISSUE]), issue, pipes)]
    for operation in chosen:
        if operation.interval is not None:
            findings += _found(target, operation, best(rates[operation.name]), (issue, parts))
    missing = tuple(
        Missing(o.interval, why)
        for o in measured_operations().values()
        if o.interval is not None and (why := why_not(target, o) or gone.get(o.name, ""))
    )
    found_here = Part((*findings, *_of_pipes(rates, parts)), missing, tuple(_curves(rates)))
    return joined(found_here, barriers(runner, issue))


def _times(rates: Rates) -> int:
    """Give how many times one warp's rate the best is."""
    return max(1, round(rates[1].value / best(rates).value))


def _of_sm(
    parts: int, schedulers: int, issue: Figure, pipes: Sequence[Figure]
) -> Iterator[Finding]:
    """Give the parts of the SM. ``pipes``: what instructions of each alone take, if measured.

    Schedulers that issue an instruction a cycle are not kept by their pipes, though these may be
    as wide; of those that do less it cannot be told.
    """
    each = issue.over(1.0).times(1 / schedulers)
    taken = sum(pipe.value for pipe in pipes) / len(_PIPES)
    kept = each.value < _LIMITED and taken >= _LIMITED * issue.value
    how = "rate of special functions, the best over one warp's"
    yield found("sm.subpartitions", Figure(parts, 0.0), how)
    yield found("sm.schedulers", Figure(schedulers, 0.0), "rate of two pipes by turns, likewise")
    bound: Bound | None = "least" if kept else None
    note = "the two pipes take no more" if kept else ""
    yield found("sm.issue_per_scheduler", each, "two pipes by turns", bound, note)


def _sweeps(runner: Runner, chosen: list[MeasuredOperation]) -> dict[str, Rates]:
    """Measure chains of operations in all numbers of warps: cycles a machine instruction."""
    parted = {o.name: filler(o, runner.target) is not None for o in chosen}
    plain = [o for o in chosen if not parted[o.name]]
    beside_others = [o for o in chosen if parted[o.name]]
    found = _swept(runner, plain, 1) | _swept(runner, beside_others, _TIMES)
    return {o.name: found[o.name] for o in chosen}


def _swept(runner: Runner, chosen: list[MeasuredOperation], times: int) -> dict[str, Rates]:
    """Measure them by so many times the turns."""
    numbers = warps_of(runner.target)
    forms = {(o.name, n): shape(runner.target, n, _copies(o, n)) for o in chosen for n in numbers}
    ends = (1, runner.target.max_warps)
    chains = [
        _chain(runner.target, o, forms[o.name, n], glance=n not in ends)
        for o in chosen
        for n in numbers
    ]
    costs = iter(chain_costs(runner, chains, times))
    each = {o.name: apiece(o, runner.target) for o in chosen}
    return {
        o.name: {
            n: next(costs).times(1 / (forms[o.name, n].copies * n * each[o.name])) for n in numbers
        }
        for o in chosen
    }


def _chain(target: Target, operation: MeasuredOperation, form: Shape, *, glance: bool) -> Chain:
    """Give the chains of an operation, with what keeps its second pipe busy if it has one."""
    if filler(operation, target) is None:
        return Chain(operation, form, glance=glance)
    made = beside(operation, form.copies, target)
    return Chain(made, replace(form, copies=1), glance=glance)


def _copies(operation: MeasuredOperation, warps: int) -> int:
    """Give how many chains a warp has: fewer of what takes many registers."""
    if operation.name == _ISSUE:
        return 1  # it has several in itself
    if warps == 1 and operation.name == _PARTS:
        return _ALONE
    return 2 if "mma" in operation.code else _COPIES


def _of_loops(
    runner: Runner,
    made: Callable[[int, str], Microbench],
    lengths: tuple[int, ...],
    numbers: tuple[int, ...],
) -> Rates:
    """Measure loops that are no chains in all numbers of warps."""
    found: dict[int, Figure] = {}
    for warps in warps_of(runner.target):
        form = shape(runner.target, warps, 1)
        benches = [(made(n, runner.target.chip), form) for n in lengths]
        found[warps] = slope_of_readings(
            lengths, turn_costs(runner, benches, numbers, _TIMES)
        ).times(1 / warps)
    return found


def _found(
    target: Target, operation: MeasuredOperation, rate: Figure, sm: tuple[Figure, int]
) -> list[Finding]:
    """Give the interval of a sub-partition, and the lanes that it comes of.

    ``sm`` is what the SM issues at, and its sub-partitions.
    """
    assert operation.interval is not None
    issue, parts = sm
    interval, name = rate.times(parts), operation.interval.partition(".")[2]
    how = f"independent chains of {', '.join(operation.opcodes)}"
    if other := filler(operation, target):
        how += f", beside {other.opcodes[0]}"
    hidden = rate.value * _LIMITED <= issue.value
    bound: Bound | None = "most" if hidden else None
    note = "the SM issues no faster" if hidden else ""
    lanes = interval.over(operation.results * WARP * parts)
    least: Bound | None = "least" if hidden else None
    findings = []
    if operation.interval.startswith("interval."):
        findings.append(found(operation.interval, interval, how, bound, note))
    if f"lanes.{name}" in _LANES:
        findings.append(found(f"lanes.{name}", lanes, how, least, note))
    return findings


_LANES = frozenset(
    f"lanes.{name}"
    for name in (
        "fp32", "fp64", "fp16", "int_add", "int_mul", "int_shift", "int_logic", "compare", "sfu",
        "conv", "conv64", "popc", "shuffle", "ldst",
    )
)  # fmt: skip


def _of_pipes(rates: Mapping[str, Rates], parts: int) -> list[Finding]:
    """Give what loads and branches have between them, and what a branch takes one warp."""
    loads, branch = (best(rates[name]).times(parts) for name in ("ldst", "branch"))
    how, taken = "independent loads of shared memory", "branches that are not taken"
    return [
        found("interval.ldst", loads, how),
        found("lanes.ldst", loads.over(WARP * parts), how),
        found("interval.branch", branch, taken),
        found("latency.branch", rates["branch"][1], f"{taken}, one warp"),
    ]


def _curves(rates: Mapping[str, Rates]) -> list[Curve]:
    return [
        Curve(
            "warps",
            name,
            "warps",
            "warp instructions a cycle",
            tuple((float(n), 1 / figure.value) for n, figure in by_warps.items()),
        )
        for name, by_warps in rates.items()
    ]


# How many threads an SM counts a cycle that come to a barrier of their CTA.
#
# A barrier opens when the last warp has come, so that each warp of a CTA makes it longer by as
# long as an SM takes to count one.

KEY = "lanes.barrier"
_WARPS = (4, 8, 16, 32)
_AS_SLOW = 0.85
_HOW = "barriers of one CTA, by its warps"


def barriers(runner: Runner, issue: Figure) -> Part:
    """Measure what each warp of a CTA adds to a barrier.

    ``issue`` is what an SM takes to issue an instruction: where those of a warp's barrier take as
    long, it counts at least as fast as was found.
    """
    target, operation = runner.target, measured_operations()["barrier"]
    most = min(target.max_block // WARP, target.max_warps)
    numbers = [n for n in _WARPS if n <= most]
    if len(numbers) < 2:
        return Part((), (Missing(KEY, f"a CTA has {most} warps at most"),))
    chains = [Chain(operation, Shape(n, 1, 1, n * WARP)) for n in numbers]
    costs = [cost.value for cost in chain_costs(runner, chains)]
    each = slope(numbers, costs)
    if each.value <= 0.0:
        return Part((), (Missing(KEY, "barriers of more warps take no longer"),))
    hidden = issue.value * instructions(operation, target) >= _AS_SLOW * each.value
    finding = found(
        KEY,
        each.over(WARP),
        _HOW,
        "least" if hidden else None,
        "a barrier's instructions are issued no faster" if hidden else "",
    )
    return Part((finding,))
