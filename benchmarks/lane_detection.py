"""The case study of the hybrid paper (§VI): lane detection in 50 configurations on four GPUs.

::

    python -m benchmarks.lane_detection [--json]           what was measured last, at once
    python -m benchmarks.lane_detection --fresh [--json]   measure and keep it: 20 minutes
    python -m benchmarks.lane_detection --docs             write docs/lane-detection.md
    python -m benchmarks.lane_detection --kernels lane_pre of some alone; nothing is kept

Table VI's designs are swept as `warpmill sweep` does, over the whole video; times are those of a
launch, a frame that is. `kernels` has for each kernel its `designs` with µs by machine (`us`), the
best local size of each global one (`best`), and, of the frame in which it executes most and on one
machine, what estimate and simulation of the whole GPU say (`beside`, with `agreement`: mean error
in percent, Spearman's rank correlation, how often both choose the same local size).

What was swept is kept in the study store (`--store`), so that an interrupted run goes on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.kept_command import KeptBenchmark, chosen, say

if TYPE_CHECKING:
    from benchmarks.lane_detection_parts.paper import CaseStudy, KernelDesigns

NAME = "lane-detection"
DATA = (
    "analyzer/**/*.toml", "grammars/*.lark", "simulator/**/*.toml",
    "samples/workloads/lane-detection/*.sm_80.ptx*", "samples/workloads/lane-detection/*.toml",
    "samples/workloads/lane-detection/program.py", "benchmarks/lane_detection_parts/*.toml",
)  # fmt: skip
SIMULATED_ON = "quadro_k620"
"""The machine of the paper's Figure 3, on which the engines are compared."""


def measure(names: Sequence[str], store: str | Path, workers: int) -> dict[str, Any]:
    """Sweep kernels, all without names; the whole result."""
    from benchmarks.lane_detection_parts.paper import case_study  # noqa: PLC0415 - slow to load

    study = case_study()
    wanted = chosen(names, [kernel.name for kernel in study.kernels])
    kernels = [
        _kernel(study, kernel, store, workers) for kernel in study.kernels if kernel.name in wanted
    ]
    return {
        "benchmark": NAME,
        "machines": list(study.machines),
        "simulated_on": SIMULATED_ON,
        "designs": sum(len(kernel["designs"]) for kernel in kernels),
        "kernels": kernels,
    }


def _kernel(
    study: CaseStudy, kernel: KernelDesigns, store: str | Path, workers: int
) -> dict[str, Any]:
    from benchmarks.lane_detection_parts import figures  # noqa: PLC0415 - as above
    from benchmarks.lane_detection_parts.sweeping import swept  # noqa: PLC0415 - as above

    shared: dict[str, Any] = {"store": store, "workers": workers, "say": say}
    designs = swept(study, kernel, study.machines, **shared)
    beside = {
        engine: swept(study, kernel, (SIMULATED_ON,), engine=engine, launches="largest", **shared)
        for engine in ("estimate", "simulate")
    }
    return {
        "kernel": kernel.name,
        "paper": kernel.paper,
        "designs": designs,
        "best": {name: figures.best_locals(designs, name) for name in study.machines},
        "beside": beside,
        "agreement": figures.agreement(beside["estimate"], beside["simulate"], SIMULATED_ON),
    }


def table(result: Mapping[str, Any]) -> Iterator[str]:
    """A line for each design, then what the engines agree in."""
    machines = result["machines"]
    yield f"{'kernel':12}{'global':>8}{'local':>6}{''.join(f'{name:>15}' for name in machines)}  µs"
    for kernel in result["kernels"]:
        for row in kernel["designs"]:
            times = "".join(f"{row['us'][name]:15,.1f}" for name in machines)
            yield f"{kernel['kernel']:12}{row['global']:8,}{row['local']:6}{times}"
    for kernel in result["kernels"]:
        found = kernel["agreement"]
        same, of = found["same_best"]
        yield (
            f"{kernel['kernel']:12}estimate over simulate on {result['simulated_on']}: mean error "
            f"{found['mape']:.1f} % ({found['bias']:+.1f} %), rank {found['rank']:.3f}, "
            f"same local size {same} of {of}"
        )


def write(result: Mapping[str, Any], docs: Path) -> None:
    """Write docs/lane-detection.md and its picture."""
    from benchmarks.lane_detection_parts import page  # noqa: PLC0415 - matplotlib is slow

    page.write(result, docs)


BENCHMARK = KeptBenchmark(NAME, __doc__.splitlines()[0], DATA, "kernels", measure, table, write)

if __name__ == "__main__":
    BENCHMARK.main()
