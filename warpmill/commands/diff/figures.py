"""Rows of a comparison: a figure of two builds side by side, and the figures of a whole kernel."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from warpmill.analyzer.analyses.divergence.analysis import Divergence
from warpmill.analyzer.frontends.load import FileFormat
from warpmill.analyzer.ir.types import OpClass, Space
from warpmill.commands.inspect.result import KernelInspection, inspect_report
from warpmill.comparing.builds import FIGURES, ptxas_figures
from warpmill.report.base import Mark, Marks, Part
from warpmill.session.jobs import Job
from warpmill.session.registers import recorded_registers

Value = int | float | str | list[int] | None


class DiffFigure(Part):
    """One figure of both builds. ``of``: what it is a figure of, where the key alone does not say.

    ``change_fraction`` is ``delta`` over ``a``; null where ``a`` is 0. ``equal`` is null where one
    of them is unknown, as ``reason`` says.
    """

    key: str
    of: str | None
    unit: str
    a: Value
    b: Value
    delta: int | float | None
    change_fraction: float | None
    equal: bool | None
    reason: str | None
    marks: Marks


def figure(
    key: str,
    a: Value,
    b: Value,
    unit: str = "",
    *,
    of: str | None = None,
    reason: str | None = None,
    mark_a: Mark = Mark.EXACT,
    mark_b: Mark = Mark.EXACT,
) -> DiffFigure:
    """Put two values side by side; ``reason`` says why one of them is not known."""
    delta = change = None
    if isinstance(a, int | float) and isinstance(b, int | float):
        delta = b - a
        change = delta / a if a else None
    weaker = max(mark_a, mark_b, key=_ORDER.index)
    return DiffFigure(
        key=key,
        of=of,
        unit=unit,
        a=a,
        b=b,
        delta=delta,
        change_fraction=change,
        equal=None if reason is not None else a == b,
        reason=reason,
        marks={"a": mark_a, "b": mark_b, "delta": weaker, "change_fraction": weaker},
    )


_ORDER = (Mark.EXACT, Mark.SAMPLED, Mark.ASSUMED, Mark.MODELLED)
"""From the strongest ground to the weakest."""


def differing(rows: Iterable[DiffFigure]) -> list[DiffFigure]:
    """Leave out what is equal, and what is unknown in both."""
    return [r for r in rows if not r.equal and not (r.a is None and r.b is None)]


def side_by_side(
    a: Mapping[str, int],
    b: Mapping[str, int],
    unit: str,
    mark_a: Mark = Mark.EXACT,
    mark_b: Mark = Mark.EXACT,
) -> list[DiffFigure]:
    """Compare counts by name, the most frequent first; what one build lacks counts 0 there."""
    names = sorted({*a, *b}, key=lambda n: (-max(a.get(n, 0), b.get(n, 0)), n))
    return [figure(n, a.get(n, 0), b.get(n, 0), unit, mark_a=mark_a, mark_b=mark_b) for n in names]


def kernel_figures(a: Job, b: Job, ptxas: Sequence[DiffFigure] = ()) -> list[DiffFigure]:
    """Compare what a kernel takes and is made of, without a launch."""
    x, y = _facts(a), _facts(b)
    table = [figure(key, value(x), value(y), unit) for key, unit, value in _KERNEL]
    return [_live(a, b), *_recorded(a, b), *ptxas, *table]


@dataclass(frozen=True)
class _Facts:
    """What the figures of a kernel are taken from."""

    job: Job
    kernel: KernelInspection
    divergence: Divergence

    def accesses(self, op_class: OpClass, space: Space) -> int:
        each = self.job.analysis.accesses
        return sum(a.op_class is op_class and a.space is space for a in each)

    def of_class(self, op_class: OpClass) -> int:
        return sum(i.operation.op_class is op_class for i in self.job.kernel.instructions)

    @property
    def guarded(self) -> int:
        return sum(i.guard is not None and not i.is_branch for i in self.job.kernel.instructions)

    @property
    def successors(self) -> list[int]:
        """Count the successors of each block that is reached."""
        cfg = self.job.analysis.structure.cfg
        return [len(cfg.successors[block]) for block in cfg.reachable]


def _facts(job: Job) -> _Facts:
    """Look at the kernel as it is analysed, its device functions inlined."""
    module = replace(job.loaded.module, kernels=(job.kernel,))
    inspected = inspect_report([replace(job.loaded, module=module)]).files[0].kernels[0]
    return _Facts(job, inspected, job.divergence)


def _live(a: Job, b: Job) -> DiffFigure:
    counts = (a.analysis.live_registers, b.analysis.live_registers)
    marks = {"mark_a": Mark.MODELLED, "mark_b": Mark.MODELLED}
    return figure("live_registers", *counts, "registers a thread", **marks)


def _recorded(a: Job, b: Job) -> Iterator[DiffFigure]:
    """Compare what ptxas said when samples were built, chip by chip.

    Of a record of one build alone the first chip has to do.
    """
    (x, old_x), (y, old_y) = (recorded_registers(j.loaded, j.kernel) for j in (a, b))
    chips = sorted({*x, *y})
    for chip in chips if x and y else chips[:1]:
        missing = [name for name, known in (("a", x), ("b", y)) if chip not in known]
        outdated = (old_x and chip not in x) or (old_y and chip not in y)
        words = "the record is of another version of" if outdated else "there is no record of"
        yield figure(
            "registers",
            x.get(chip),
            y.get(chip),
            "registers a thread",
            of=f"ptxas for sm_{chip}, recorded",
            reason=f"{words} {' and '.join(missing)}" if missing else None,
        )


def ptxas_rows(a: Job, b: Job) -> tuple[DiffFigure, ...]:
    """Ask ptxas what it makes of both; a build that is no PTX is unknown. Errors as ptxas_figures.

    UsageError where neither is PTX.
    """
    jobs = (a, b)
    missing = [
        name for name, j in zip("ab", jobs, strict=True) if j.loaded.format is not FileFormat.PTX
    ]
    found = [("", {}) if name in missing else ptxas_figures(job)
             for name, job in zip("ab", jobs, strict=True)]  # fmt: skip
    if len(missing) == len(jobs):
        ptxas_figures(a)  # says what is wrong
    chips = dict.fromkeys(chip for chip, _ in found if chip)
    reason = f"{missing[0]} is no PTX" if missing else None
    return tuple(
        figure(key, found[0][1].get(key), found[1][1].get(key), unit,
               of=f"ptxas for {' and '.join(chips)}", reason=reason)
        for key, (unit, _) in FIGURES.items()
    )  # fmt: skip


def _threads(sizes: Sequence[int] | None) -> list[int] | None:
    """Write out all three dimensions; an input may leave out the last ones where they are 1."""
    return None if sizes is None else [*sizes, 1, 1, 1][:3]


_KERNEL: tuple[tuple[str, str, Callable[[_Facts], Value]], ...] = (
    ("virtual_registers", "registers", lambda f: f.kernel.registers),
    ("instructions", "instructions", lambda f: f.kernel.instructions),
    ("guarded_instructions", "instructions", lambda f: f.guarded),
    ("instructions_by_nearest_rule", "instructions",
     lambda f: f.kernel.instructions_by_nearest_rule),
    ("calls", "instructions", lambda f: f.of_class(OpClass.CALL)),
    ("barriers", "instructions", lambda f: f.of_class(OpClass.BARRIER)),
    ("blocks", "blocks", lambda f: f.kernel.blocks),
    ("edges", "edges", lambda f: sum(f.successors)),
    ("loops", "loops", lambda f: len(f.job.analysis.structure.loops.loops)),
    ("irreducible_regions", "regions",
     lambda f: len(f.job.analysis.structure.loops.irreducible)),
    ("branches", "branches", lambda f: sum(n > 1 for n in f.successors)),
    ("divergent_branches", "branches", lambda f: len(f.divergence.branches)),
    ("divergent_loops", "loops", lambda f: len(f.divergence.loops)),
    ("memory_accesses", "instructions", lambda f: len(f.job.analysis.accesses)),
    ("local_loads", "instructions", lambda f: f.accesses(OpClass.LOAD, Space.LOCAL)),
    ("local_stores", "instructions", lambda f: f.accesses(OpClass.STORE, Space.LOCAL)),
    ("local_bytes", "bytes a thread", lambda f: f.kernel.local_bytes),
    ("static_shared_bytes", "bytes a CTA", lambda f: f.kernel.shared_bytes),
    ("dynamic_shared", "", lambda f: "yes" if f.kernel.uses_dynamic_shared else "no"),
    ("parameters", "parameters", lambda f: len(f.kernel.parameters)),
    ("parameter_bytes", "bytes", lambda f: sum(p.size_bytes for p in f.kernel.parameters)),
    ("max_threads", "threads a CTA", lambda f: _threads(f.kernel.launch_bounds.max_threads)),
    ("required_threads", "threads a CTA",
     lambda f: _threads(f.kernel.launch_bounds.required_threads)),
    ("min_ctas_per_sm", "CTAs an SM", lambda f: f.kernel.launch_bounds.min_ctas_per_sm),
    ("max_registers", "registers a thread", lambda f: f.kernel.launch_bounds.max_registers),
    ("target", "", lambda f: f.job.loaded.module.target),
    ("warp_size", "lanes", lambda f: f.job.loaded.module.warp_size),
    ("address_bits", "bits", lambda f: f.job.loaded.module.address_bits),
)  # fmt: skip
"""Key, unit, and where it is found. Launch bounds are null where the input is silent."""
