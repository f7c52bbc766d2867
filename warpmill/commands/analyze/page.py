"""The page of ``analyze``; and its rows as CSV."""

from __future__ import annotations

from collections.abc import Sequence

from warpmill.analyzer.analyses.ranges.assumptions import AssumedRange
from warpmill.analyzer.analyses.ranges.iterations import LoopIterations
from warpmill.analyzer.analyses.values.formula_text import parted
from warpmill.analyzer.ir.types import Space
from warpmill.commands.analyze.result import KernelAnalysis
from warpmill.report.assumed import assumed_lines
from warpmill.report.base import Mark
from warpmill.report.page import Page, figure
from warpmill.report.read import Reader
from warpmill.report.sections import Charts, Items, Repeated, Sentences, Shown, Special, Table
from warpmill.report.table import CsvTable, RowsOf
from warpmill.report.words import (
    few,
    kernel_lines,
    kernel_title,
    launch_lines,
    place,
    plural,
    variable,
)
from warpmill.session.kernel_analysis import AccessFacts, AccessInLoop, BlockFacts, BranchFacts

_ALL = 10_000
_LONGEST = 100
"""Characters of a formula that a table shows unless everything is asked for."""


def _title(analysis: KernelAnalysis) -> str:
    return kernel_title("analyze", analysis.kernel)


def _launch(page: Page, analysis: KernelAnalysis) -> None:
    launch = [] if analysis.launch is None else launch_lines(analysis.launch)
    page.facts([*launch, *assumed_lines(analysis.assumed)])


def _provenance(page: Page, analysis: KernelAnalysis) -> None:
    values, pruned = analysis.values, analysis.pruned
    code = ((analysis.instructions, "instruction"), (len(analysis.blocks), "block"))
    left = sorted((-number, reason.value) for reason, number in pruned.left_out.items())
    facts = [
        *kernel_lines(analysis.kernel),
        ("code", ", ".join(plural(*each) for each in (*code, (analysis.edges, "edge")))),
        (
            "values",
            f"{values.uniform:,} uniform in a warp, {values.affine:,} affine in the thread id, "
            f"{values.divergent:,} divergent",
        ),
        (
            "pruned trace",
            f"{plural(pruned.kept, 'instruction')} kept; left out: "
            + (", ".join(f"{reason} {-number:,}" for number, reason in left) or "none"),
        ),
    ]
    if analysis.launch is not None and analysis.no_traces is not None:
        facts.append(("no traces", analysis.no_traces))
    regions = (", ".join(region) for region in analysis.irreducible_regions)
    page.heading("Assumptions and provenance")
    page.facts([*facts, *(("irreducible", f"{names}: several entries") for names in regions)])


def _line(reader: Reader) -> str:
    """The line of what a list of a kernel holds."""
    return place(reader.subject.place, reader.holder.kernel.file)


def _lines(readers: Sequence[Reader]) -> str:
    return few([_line(reader) for reader in readers])


def _successors(block: BlockFacts) -> str:
    return ", ".join(block.successors) if block.reachable else "never reached"


def _formula(text: str, reader: Reader) -> str:
    """A formula without the mangled name of its kernel."""
    name = reader.holder.kernel.name
    return text.replace(f"{name}_param_", "param_") if name.startswith("_Z") else text


def _trips(reader: Reader) -> str:
    loop, bound = reader.subject, reader.subject.bound
    if bound.trip_count is None:
        hint = "" if loop.assumed else f" (--assume '{loop.name}=N')"
        return f"unknown{hint}: {bound.reason}"
    return f"{'at most ' if bound.at_most else ''}{parted(_formula(bound.trip_count, reader))[0]}"


def _trips_in_launch(reader: Reader) -> str | None:
    loop, found = reader.subject, reader.subject.in_launch
    if reader.holder.launch is None or loop.bound.kind == "unknown":
        return None
    if found.low is None or found.high is None:
        return f"unknown: {found.reason}"
    low, high = (figure(end, reader.mark("in_launch")) for end in (found.low, found.high))
    most = "at most " if loop.bound.at_most else ""
    over = f" over {', '.join(found.over)}" if found.over else ""
    return f"{most}{low}{'' if low == high else f' to {high}'}{over}"


def _assumed(found: AssumedRange | None) -> str | None:
    if found is None:
        return None
    low, high = figure(found.low), figure(found.high, Mark.ASSUMED)
    if found.is_point:
        return high
    return f"{low} .. {high}" if found.is_tight else f"between {low} and {high}"


def _first_thread(found: LoopIterations | None) -> str | None:
    if found is None:
        return None
    if found.total is None:
        return f"unknown: {found.reason}"
    most = "at most " if found.at_most else ""
    return f"{most}{found.total:,} in {plural(found.entries or 0, 'entry')}"


def _divergent(branch: BranchFacts) -> str:
    if not branch.may_diverge:
        return "no"
    return f"yes, reconverges at {branch.reconverges}" if branch.reconverges else "yes"


def _condition(reader: Reader) -> str:
    return parted(_formula(reader.subject.condition, reader))[0]


_NAMED, _NAMED_PARTS = 2, 4
"""Formulas whose named parts are shown, and parts of each, unless everything is asked for."""


def _parts(page: Page, analysis: KernelAnalysis) -> None:
    """Named parts of the formulas in the tables above."""
    formulas = [(loop.name, loop.bound.trip_count or "") for loop in analysis.loops]
    formulas += [(branch.block, branch.condition) for branch in analysis.branches]
    found = [(of, parts) for of, text in formulas if (parts := parted(text)[1])]
    verbose = page.style.verbose
    for of, parts in found if verbose else found[:_NAMED]:
        page.line(f"{of}, where")
        for part in parts if verbose else parts[:_NAMED_PARTS]:
            cut = verbose or len(part) <= _LONGEST
            page.line(f"  {part if cut else f'{part[:_LONGEST]}…'}")
        if len(parts) > _NAMED_PARTS and not verbose:
            page.line(f"  and {len(parts) - _NAMED_PARTS} more (--verbose)")
    if len(found) > _NAMED and not verbose:
        page.line(f"{len(found) - _NAMED} more have names of their own for parts (--verbose)")


def _kind(access: AccessFacts) -> str:
    return f"{access.access.op_class.value} {access.access.space.value}"


def _buffer(reader: Reader) -> str:
    return variable(reader.subject.buffer, reader.holder.kernel)


def _pattern(reader: Reader) -> str:
    access, file = reader.subject, reader.holder.kernel.file
    by = ", ".join(dict.fromkeys(place(d.place, file) for d in access.decided_by))
    return f"by data of {by}" if by else str(access.pattern.value)


def _stride(reader: Reader) -> str:
    """The bytes from lane to lane: a number, else the formula that the launch decides."""
    stride, formula = reader.subject.lane_stride_bytes, reader.subject.access.lane_stride
    if stride is None and formula is not None:
        return _formula(str(formula), reader)
    return figure(stride, reader.mark("lane_stride_bytes"))


def _per_request(reader: Reader) -> str | None:
    for count in ("sectors", "wavefronts"):
        found = reader.at(count)
        if found.value is not None:
            return f"{figure(found.value, found.mark)} {count[:-1] if found.value == 1 else count}"
    return None


def _reuse(loops: Sequence[AccessInLoop]) -> str:
    return ", ".join(map(_reuse_in, loops)) or "no loop"


def _reuse_in(loop: AccessInLoop) -> str:
    kind, several = loop.reuse.kind.value, loop.reuse.iterations_per_sector
    return kind if kind != "spatial" or several is None else f"spatial ({several:.3g} a sector)"


def _same_for(reader: Reader) -> str | None:
    return ", ".join(_shared_by(reader)) or None


def _shared_by(reader: Reader) -> list[str]:
    """The ids that make no difference, without those that are always 0 in this launch."""
    access, launch = reader.subject, reader.holder.launch
    sizes = {"tid": (2, 2, 1), "ctaid": (2, 2, 1)}
    if launch is not None:
        sizes = {"tid": launch.block, "ctaid": launch.grid}
    if access.access.space in (Space.SHARED, Space.LOCAL):
        sizes = {"tid": sizes["tid"]} if access.access.space is Space.SHARED else {}
    there = {f"{n}.{axis}" for n in sizes for axis, k in zip("xyz", sizes[n], strict=True) if k > 1}
    return [name for name in access.reuse.same_for or () if name in there]


def _is_reused(reader: Reader) -> bool:
    kinds = {loop.reuse.kind.value for loop in reader.subject.loops}
    return bool(kinds & {"temporal", "spatial"} or _shared_by(reader))


_LINE = Shown("place", told=_line)
_ACCESS = Shown("", "Access", words=_kind)
_BUFFER = Shown("buffer", told=_buffer)

KERNEL = (
    Sentences("answer"),
    Special(_launch),
    Charts("warpmill.commands.analyze.dot:charts"),
    Table(
        "Control flow",
        "blocks",
        (
            "label",
            "instructions",
            "warp_executions",
            Shown("", "Successors", words=_successors),
            "loop",
            _LINE,
        ),
        top=12,
        left=(0, 3, 4, 5),
        wrap=(0, 3, 4),
    ),
    Table(
        "Loops",
        "loops",
        (
            "name",
            "depth",
            Shown("", "Trip count", told=_trips, most=160),
            Shown("", "In the launch", told=_trips_in_launch),
            Shown("assumed", "As assumed", words=_assumed),
            Shown("first_thread", "First thread", words=_first_thread, detail=True),
            _LINE,
        ),
        top=_ALL,
        left=(0, 2, 3, 4, 5, 6),
        wrap=(0, 2, 3, 4, 5),
    ),
    Table(
        "Branches",
        "branches",
        (
            "block",
            "taken",
            Shown("condition", told=_condition, most=_LONGEST),
            Shown("decided_by", words=lambda by: ", ".join(by) or "constant"),
            Shown("", "May diverge", words=_divergent),
            _LINE,
        ),
        top=_ALL,
        left=range(6),
        wrap=range(5),
    ),
    Special(_parts),
    Table(
        "Divergent branches",
        "branches",
        ("block", "divergence", "region"),
        left=range(3),
        wrap=range(3),
        chosen=lambda branch: branch.may_diverge,
        detail=True,
    ),
    Table(
        "Branches taken in the first CTA, in warp executions",
        "branches",
        ("block", "outcomes.taken", "outcomes.not_taken", "outcomes.divergent"),
        top=_ALL,
        chosen=lambda branch: branch.outcomes is not None,
        below="taken: by all active lanes; not taken: by none; divergent: by some",
    ),
    Table(
        "Calls",
        "calls",
        (
            Shown("call.kind", "Kind"),
            Shown("call.name", "Name"),
            Shown("call.scope", "Scope", detail=True),
        ),
        left=range(3),
        alike=("Lines", _lines),
    ),
    Table(
        "Memory accesses",
        "accesses",
        (
            _ACCESS,
            Shown("access.width_bytes", "Bytes"),
            Shown("", "Pattern", told=_pattern),
            Shown("", "Stride", told=_stride, most=_LONGEST),
            Shown("", "Per request", told=_per_request),
            _BUFFER,
        ),
        top=_ALL,
        left=(0, 2, 4, 5),
        wrap=(2, 4, 5),
        alike=("Lines", _lines),
        below="n: accesses alike; stride: bytes a step in tid.x; a request is a warp's "
        "access, a sector is 32 B; every lane is taken to be active (warpmill trace counts the "
        "masks); ? assumed, ≈ sampled",
    ),
    Table(
        "Reuse",
        "accesses",
        (
            _ACCESS,
            _BUFFER,
            Shown("loops", "Over loops, outermost first", words=_reuse),
            Shown("", "The same for", told=_same_for),
        ),
        top=_ALL,
        left=(0, 1, 2, 3),
        wrap=(1, 2, 3),
        reads=_is_reused,
        alike=("Lines", _lines),
    ),
    Table(
        "Addresses",
        "accesses",
        (_LINE, "access.opcode", "alignment.bytes", "alignment.meets_width", "access.address"),
        top=_ALL,
        left=(0, 1, 4),
        wrap=(4,),
        detail=True,
    ),
    Special(_provenance),
    Items("Assumptions", "assumptions"),
)

PAGE = (Repeated("analyses", KERNEL, _title),)


def _decided_by(access: AccessFacts) -> list[str]:
    return [f"{load.block}+{load.instruction}" for load in access.decided_by]


def _strides(access: AccessFacts) -> list[str | int]:
    return ["unknown" if s.stride_bytes is None else s.stride_bytes for s in access.loops]


def _reason(access: AccessFacts) -> str | None:
    is_known = access.sectors is not None or access.wavefronts is not None
    return None if is_known or access.in_launch is None else access.in_launch.reason


COLUMNS = (
    "kernel", "launch", "kind", "block", "file", "line", "depth", "trip_count", "trip_count_min",
    "trip_count_max", "at_most", "condition", "decided_by", "may_diverge", "taken", "not_taken",
    "divergent", "opcode", "space", "buffer", "width_bytes", "pattern", "lane_stride_bytes",
    "loop_strides_bytes", "alignment_bytes", "sectors", "wavefronts", "loop_reuse", "same_for",
    "reason", "mark",
)  # fmt: skip

_NAMES = {
    "kernel": ".analyses.kernel.name",
    "launch": ".analyses.launch.name",
    "file": "place.file",
    "line": "place.line",
}

ANALYZE = CsvTable(
    COLUMNS,
    (
        RowsOf(
            "analyses.loops",
            {
                **_NAMES,
                "block": "name",
                "trip_count_min": "in_launch.low",
                "trip_count_max": "in_launch.high",
                "at_most": "bound.at_most",
                "reason": lambda loop: loop.bound.reason or loop.in_launch.reason,
            },
            {"kind": "loop"},
            mark="in_launch",
        ),
        RowsOf(
            "analyses.branches",
            {
                **_NAMES,
                "taken": "outcomes.taken",
                "not_taken": "outcomes.not_taken",
                "divergent": "outcomes.divergent",
            },
            {"kind": "branch"},
        ),
        RowsOf(
            "analyses.accesses",
            {
                **_NAMES,
                "kind": "access.op_class",
                "loop_strides_bytes": _strides,
                "alignment_bytes": "alignment.bytes",
                "decided_by": _decided_by,
                "loop_reuse": lambda access: [loop.reuse.kind for loop in access.loops],
                "reason": _reason,
            },
            mark="sectors",
        ),
    ),
)
