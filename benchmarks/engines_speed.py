"""How fast an estimate is beside a simulation of the whole GPU: Table V of the hybrid paper.

::

    python -m benchmarks.engines_speed [--json]             what was measured last, at once
    python -m benchmarks.engines_speed --fresh [--json]     measure and keep it: 20 minutes
    python -m benchmarks.engines_speed --quick              small presets on one machine
    python -m benchmarks.engines_speed --docs               write docs/engines_speed.md
    python -m benchmarks.engines_speed --workloads nn,lud   of some alone; nothing is kept

Each of the paper's six applications is estimated and simulated on each machine, in a process of its
own, where the engine has done the same with a tiny input before. Ratios are of CPU seconds; their
geometric means stand in `means`, by machine:

- `each_kernel_once`: the simulation of all launches over the estimate of one launch of each kernel,
  which is what the paper's table has;
- `all_launches`: the same simulation over the estimates of all launches;
- `launch_by_launch`: the simulation of that one launch of each kernel over its estimate;
- `time_ratio`: the estimated time of all launches over the simulated one.

`paper` has the mean that is printed, and the one of the printed rows. `gpgpusim` has programs that
GPGPU-Sim was timed on, on another computer: its CPU seconds over those of both engines.

Rows are kept in the study store (`--store`), so that an interrupted run goes on. With more than one
of the `--workers` rows disturb each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.engines_speed_parts.paper import table_v
from benchmarks.kept_command import KeptBenchmark, chosen, say

if TYPE_CHECKING:
    from warpmill.studies.model import StudyPoint

NAME = "engines_speed"
STUDY = "benchmarks.engines_speed"
DATA = (
    "analyzer/**/*.toml", "grammars/*.lark", "simulator/**/*.toml",
    *(f"samples/workloads/{name}/*.sm_80.ptx*" for name in table_v().applications),
    *(f"samples/workloads/{name}/*.toml" for name in table_v().applications),
    *(f"samples/workloads/{name}/program.py" for name in table_v().applications),
    "benchmarks/engines_speed_parts/*.toml", "benchmarks/execution_inputs/gpgpusim/*",
)  # fmt: skip
SOURCES = ("analyzer", "executor", "grammars", "simulator", "warpmill", "samples/common")
PRESET, QUICK_PRESET = "paper-hybrid", "small"
MACHINES = ("quadro_k620", "gtx480_gpgpusim", "v100")
"""The GPU of the paper's Figure 3, GPGPU-Sim's own of the paper's years, a large one."""
ENGINES = ("estimate", "simulate")


def measure(
    names: Sequence[str], store: str | Path, workers: int, *, quick: bool
) -> dict[str, Any]:
    """Measure applications, all without names; the whole result."""
    from benchmarks.engines_speed_parts import beside_gpgpusim, figures  # noqa: PLC0415 - slow

    preset, machines = (QUICK_PRESET, MACHINES[:1]) if quick else (PRESET, MACHINES)
    wanted = [(m, name) for m in machines for name in chosen(names, table_v().applications)]
    of_applications = _found(_points(wanted, preset), store, workers)
    rows = [
        figures.of_application(name, machine, *(next(of_applications) for _ in ENGINES))
        for machine, name in wanted
    ]
    theirs = [row for rows in _beside_gpgpusim(store, workers, few=quick) for row in rows]
    return {
        "benchmark": NAME,
        "quick": quick,
        "preset": preset,
        "machines": list(machines),
        "means": figures.means(rows),
        "paper": figures.of_paper(table_v()),
        "gpgpusim": figures.of_gpgpusim(theirs, beside_gpgpusim.rate()),
        "rows": rows,
    }


def _points(wanted: Iterable[tuple[str, str]], preset: str) -> list[StudyPoint]:
    from benchmarks.engines_speed_parts.measuring import VERSION  # noqa: PLC0415 - slow to load
    from warpmill.studies.model import StudyPoint  # noqa: PLC0415 - as above
    from warpmill.studies.sources import sources_digest  # noqa: PLC0415 - as above

    shared = {"preset": preset, "sources": sources_digest(*SOURCES), "version": VERSION}
    return [
        StudyPoint({"workload": name, "machine": machine, "engine": engine,
               "files": _files(name), **shared})
        for machine, name in wanted
        for engine in ENGINES
    ]  # fmt: skip


@cache
def _files(workload: str) -> str:
    """Hash the files of a workload that what it launches follows from."""
    from warpmill.session.workloads import workloads  # noqa: PLC0415 - as above

    return _hash(workloads()[workload].folder, ".toml", ".ptx", ".py")


def _hash(folder: Path, *kinds: str) -> str:
    digest = sha256()
    for path in sorted(p for p in folder.iterdir() if p.suffix in kinds):
        digest.update(path.name.encode() + sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def _found(
    points: Sequence[StudyPoint], store: str | Path, workers: int
) -> Iterator[Mapping[str, Any]]:
    from benchmarks.engines_speed_parts.measuring import evaluate  # noqa: PLC0415 - as above
    from benchmarks.keeping import measured, results  # noqa: PLC0415 - as above

    return iter(results(measured(STUDY, store, points, evaluate, workers=workers, say=say)))


def _beside_gpgpusim(store: str | Path, workers: int, *, few: bool) -> list[list[dict[str, Any]]]:
    """Measure the programs that GPGPU-Sim was timed on; a list of rows for each configuration."""
    from benchmarks.engines_speed_parts import beside_gpgpusim  # noqa: PLC0415 - as above
    from benchmarks.engines_speed_parts.measuring import VERSION  # noqa: PLC0415 - as above
    from benchmarks.execution_parts.gpgpusim import INPUTS  # noqa: PLC0415 - as above
    from benchmarks.keeping import measured, results  # noqa: PLC0415 - as above
    from warpmill.studies.model import StudyPoint  # noqa: PLC0415 - as above
    from warpmill.studies.sources import sources_digest  # noqa: PLC0415 - as above

    digest = sources_digest(*SOURCES, "benchmarks/execution_parts", "benchmarks/simulate_parts")
    files = _hash(INPUTS, ".csv", ".json", ".ptx")
    configs = beside_gpgpusim.CONFIGURATIONS[:1] if few else beside_gpgpusim.CONFIGURATIONS
    points = [
        StudyPoint(
            {"config": config, "few": few, "files": files, "sources": digest, "version": VERSION}
        )
        for config in configs
    ]
    study, evaluate = f"{STUDY}.gpgpusim", beside_gpgpusim.evaluate
    rows: list[list[dict[str, Any]]] = results(
        measured(study, store, points, evaluate, workers=workers, say=say)
    )
    return rows


def table(result: Mapping[str, Any]) -> Iterator[str]:
    """A result as lines."""
    from benchmarks.engines_speed_parts import tables  # noqa: PLC0415 - as above

    return tables.table(result)


def write(result: Mapping[str, Any], docs: Path) -> None:
    """Write docs/engines_speed.md."""
    from benchmarks.engines_speed_parts import page  # noqa: PLC0415 - as above

    page.write(result, docs)


BENCHMARK = KeptBenchmark(
    NAME,
    __doc__.splitlines()[0],
    DATA,
    "workloads",
    measure,
    table,
    write,
    switches=(("quick", "small presets on one machine"),),
)

if __name__ == "__main__":
    BENCHMARK.main()
