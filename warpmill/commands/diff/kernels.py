"""Figures of a whole kernel in two builds, without a launch."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from warpmill.analyzer.base.metric import Metric
from warpmill.analyzer.frontends.load import FileFormat
from warpmill.analyzer.ir.types import OpClass, Space
from warpmill.analyzer.machine_code.ptxas import FIGURES
from warpmill.commands.inspect.result import KernelInspection, inspect_report
from warpmill.comparing.builds import ptxas_figures
from warpmill.comparing.figures import DiffFigure, compared
from warpmill.report.base import Mark
from warpmill.report.sections import Shown
from warpmill.session.jobs import Job
from warpmill.session.registers import recorded_registers


@dataclass(frozen=True)
class KernelBuild:
    """A kernel in one build, as it is analysed: its device functions are inlined."""

    job: Job

    @property
    def kernel(self) -> KernelInspection:
        """Kernel of the build."""
        loaded = self.job.loaded
        alone = replace(loaded, module=replace(loaded.module, kernels=(self.job.kernel,)))
        return inspect_report([alone]).files[0].kernels[0]


def kernel_figures(a: Job, b: Job, ptxas: Sequence[DiffFigure] = ()) -> list[DiffFigure]:
    """Resources and code of a kernel in both builds."""
    registers, *others = compared(_FIGURES, KernelBuild(a), KernelBuild(b))
    return [registers, *_recorded(a, b), *ptxas, *others]


def mix_figures(name: str, a: Job, b: Job) -> list[DiffFigure]:
    """Instructions by class or by opcode: ``by_class``, ``by_opcode``."""
    return compared((f"kernel.{name}",), KernelBuild(a), KernelBuild(b))


def _recorded(a: Job, b: Job) -> Iterator[DiffFigure]:
    """Output of ptxas when samples were built, chip by chip.

    Of a record of one build alone the first chip has to do.
    """
    (x, old_x), (y, old_y) = (recorded_registers(j.loaded, j.kernel) for j in (a, b))
    chips = sorted({*x, *y})
    for chip in chips if x and y else chips[:1]:
        missing = [name for name, known in (("a", x), ("b", y)) if chip not in known]
        outdated = (old_x and chip not in x) or (old_y and chip not in y)
        words = "the record is of another version of" if outdated else "there is no record of"
        yield DiffFigure(
            key="registers",
            metric=FIGURES["registers"][0],
            of=f"ptxas for sm_{chip}, recorded",
            a=x[chip].registers_per_thread if chip in x else None,
            b=y[chip].registers_per_thread if chip in y else None,
            reason=f"{words} {' and '.join(missing)}" if missing else None,
        )


def ptxas_rows(a: Job, b: Job) -> list[DiffFigure]:
    """Figures of ptxas for both; a build that is no PTX is unknown. Errors as ptxas_figures.

    UsageError where neither is PTX.
    """
    is_ptx = [job.loaded.format is FileFormat.PTX for job in (a, b)]
    wanted = is_ptx if any(is_ptx) else (True, True)
    (chip, x), (other, y) = (
        ptxas_figures(job) if asked else ("", {}) for job, asked in zip((a, b), wanted, strict=True)
    )
    of = f"ptxas for {' and '.join(dict.fromkeys(c for c in (chip, other) if c))}"
    reason = None if all(is_ptx) else f"{'b' if is_ptx[0] else 'a'} is no PTX"
    return [
        DiffFigure(key=key, metric=metric, of=of, a=x.get(key), b=y.get(key), reason=reason)
        for key, (metric, _) in FIGURES.items()
    ]


def _counted(label: str, count: Callable[[Job], Any], unit: str = "", mark: Any = None) -> Shown:
    """A figure that no result has."""
    return Shown("", words=lambda build: count(build.job), metric=Metric(label, unit, mark))


def _local(op_class: OpClass) -> Callable[[Job], int]:
    """Accesses of one kind to local memory."""
    return lambda job: sum(
        a.op_class is op_class and a.space is Space.LOCAL for a in job.analysis.accesses
    )


def _guarded(job: Job) -> int:
    return sum(i.guard is not None and not i.is_branch for i in job.kernel.instructions)


def _successors(job: Job) -> list[int]:
    """The number of successors of each block that is reached."""
    cfg = job.analysis.structure.cfg
    return [len(cfg.successors[block]) for block in cfg.reachable]


_FIGURES = {
    "live_registers": _counted(
        "Live registers", lambda job: job.analysis.live_registers, mark=Mark.MODELLED
    ),
    "virtual_registers": Shown("kernel.registers"),
    "instructions": Shown("kernel.instructions"),
    "guarded_instructions": _counted("Guarded instructions", _guarded, "inst"),
    "instructions_by_nearest_rule": Shown("kernel.instructions_by_nearest_rule"),
    "blocks": Shown("kernel.blocks"),
    "edges": _counted("Control-flow edges", lambda job: sum(_successors(job))),
    "loops": _counted("Loops", lambda job: len(job.analysis.structure.loops.loops)),
    "irreducible_regions": _counted(
        "Irreducible regions", lambda job: len(job.analysis.structure.loops.irreducible)
    ),
    "branches": _counted("Branches", lambda job: sum(n > 1 for n in _successors(job))),
    "divergent_branches": _counted("Divergent branches", lambda j: len(j.divergence.branches)),
    "divergent_loops": _counted("Divergent loops", lambda job: len(job.divergence.loops)),
    "memory_accesses": _counted("Memory accesses", lambda j: len(j.analysis.accesses), "inst"),
    "local_loads": _counted("Local loads (spills, stack)", _local(OpClass.LOAD), "inst"),
    "local_stores": _counted("Local stores (spills, stack)", _local(OpClass.STORE), "inst"),
    "local_bytes": Shown("kernel.local_bytes"),
    "static_shared_bytes": Shown("kernel.shared_bytes"),
    "dynamic_shared": Shown("kernel.uses_dynamic_shared"),
    "parameters": _counted("Parameters", lambda job: len(job.kernel.parameters)),
    "parameter_bytes": _counted(
        "Bytes of parameters", lambda job: sum(p.size_bytes for p in job.kernel.parameters), "B"
    ),
    "max_threads": Shown("kernel.launch_bounds.max_threads"),
    "required_threads": Shown("kernel.launch_bounds.required_threads"),
    "min_ctas_per_sm": Shown("kernel.launch_bounds.min_ctas_per_sm"),
    "max_registers": Shown("kernel.launch_bounds.max_registers"),
    "target": _counted("Target", lambda job: job.loaded.module.target),
    "warp_size": _counted("Warp size", lambda job: job.loaded.module.warp_size, "thread"),
    "address_bits": _counted("Address size", lambda job: job.loaded.module.address_bits, "bit"),
}
"""Figures by key, the live registers first. Launch bounds are None where the input is silent."""
