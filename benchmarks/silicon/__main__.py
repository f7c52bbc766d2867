"""Every workload on the GPU of this computer: results beside the executor's, times, counters.

    python -m benchmarks.silicon --executor           hash what the executor gives (needs no GPU)
    python -m benchmarks.silicon --out FOLDER         run and time all workloads on the GPU
    python -m benchmarks.silicon --out FOLDER --counters      and read counters of launches with ncu
    python -m benchmarks.silicon --executor --clones CLONES     and clone the small presets
    python -m benchmarks.silicon --out FOLDER --clones CLONES   and run those clones
    python -m benchmarks.silicon --out FOLDER --quick --only bfs,nw      tiny presets, one timed run
    python -m benchmarks.silicon --out FOLDER --json  a summary as one JSON object on the last line

A workload is made of the newest of its PTX that the GPU takes. Its program runs once, and hashes of
its results are compared with those that the executor gave (``reference/results.json``). Where they
differ, or are not known, the workload's own checks say whether they are right. Then it runs
``--runs`` times in each of two states: with L2 as the launches before leave it (warm), and with so
much written before each launch that nothing else is there (flushed). Events stand around each
launch, which waits in a stream that is kept busy, so that the GPU and not the host is timed.

Counters are of the launch of each kernel that took longest, at the small presets, with caches
emptied before it and clocks as they are; of a clone, of the same launches as of its original.

Written are, each after every workload, so that what is stopped keeps what it has:

- ``runs.csv``: a row a workload: whether its results are right and equal to the executor's, and
  the clocks before and after it;
- ``launches.csv``: a row a launch, up to 200 of a kernel: grid, block, registers, shared and local
  memory, medians and median absolute deviations of its milliseconds;
- ``counters.csv``: a row a kernel, with the metrics of ``silicon/counters.toml``;
- ``cuda_clones.csv``: a row a clone: whether nvcc builds its CUDA, and what it builds runs;
- ``gpu.json``: the GPU, its driver, the date, what was asked for, and ``floor_ms``: the time of a
  kernel that does next to nothing, in both states.

``python -m benchmarks silicon-model --data FOLDER`` sets what warpmill predicts beside them.

The summary counts programs, those that are right, and those equal to the executor's of as many as
are known; launches timed; and names what failed. The exit code is 1 where a workload fails or is
wrong.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from warpmill import __version__
from warpmill.analyzer.base.diagnostics import UsageError, WarpmillError
from warpmill.benchmarks.silicon import counters, gpu
from warpmill.benchmarks.silicon.measuring import STATES, Measured, Patience, Row, longest, measured
from warpmill.benchmarks.silicon.subjects import (
    CUDA,
    Subject,
    build_for,
    built_and_run,
    cloned,
    executed,
    known_results,
    make_clones,
    subjects,
)
from warpmill.calibration.gpu_facts import gpu_facts
from warpmill.executor.host.cuda_device import load_driver

if TYPE_CHECKING:
    from warpmill.benchmarks.silicon.timed import TimedBackend

RESULTS = Path(__file__).resolve().parents[1] / "reference" / "results.json"
FLUSHED = 3
"""How many times L2's size is written to drive all else out of it."""


def say(words: str) -> None:
    """Tell progress."""
    print(words, file=sys.stderr, flush=True)


def main(words: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    arguments = _arguments(words)
    presets = ["tiny"] if arguments.quick else arguments.presets.split(",")
    only = [n for n in arguments.only.split(",") if n]
    clones = None if arguments.clones is None else Path(arguments.clones)
    if arguments.executor:
        todo = subjects(presets, arguments.build, only)
        failures = [] if clones is None else make_clones(_small(todo), clones, say)
        todo += [] if clones is None else cloned(_small(todo), clones)
        executed(todo, RESULTS, arguments.workers, say)
        return _told(failures)
    try:
        facts = gpu_facts(load_driver())
    except UsageError as error:
        say(str(error))
        return 2
    todo = subjects(presets, build_for(facts.capability), only)
    of_clones = [] if clones is None else cloned(_small(todo), clones)
    folder, flushed_bytes = Path(arguments.out), FLUSHED * facts.l2_bytes
    folder.mkdir(parents=True, exist_ok=True)
    from warpmill.benchmarks.silicon.timed import TimedBackend  # noqa: PLC0415 - once there is a GPU

    backend = TimedBackend()
    _write_json(folder / "gpu.json", gpu.readings() | {
        "name": facts.name, "capability": facts.capability, "cuda": facts.version,
        "l2_bytes": facts.l2_bytes, "date": datetime.now(UTC).date().isoformat(),
        "warpmill": __version__, "presets": presets, "runs": arguments.runs,
        "floor_ms": _floor(backend, flushed_bytes),
    })  # fmt: skip
    done = _timed([*todo, *of_clones], folder, arguments, backend, flushed_bytes)
    uncounted = []
    if arguments.counters:
        try:
            _count(done, folder, arguments.counters_seconds)
        except (RuntimeError, ValueError) as error:  # the times are there all the same
            uncounted.append(f"counters: {error}")
    programs = built_and_run(of_clones, arguments.workers)
    if programs:
        _write_csv(folder / "cuda_clones.csv", programs)
    summary = _summary(done, programs)
    summary["failures"] += uncounted
    if arguments.json:
        print(json.dumps(summary))
    return _told(summary["failures"])


def _small(todo: Sequence[Subject]) -> list[Subject]:
    """Those that are counted and cloned: of the small presets, or of tiny ones alone."""
    small = [one for one in todo if one.target.preset == "small"]
    return small or [one for one in todo if one.target.preset == "tiny"]


def _told(failures: Sequence[str]) -> int:
    """What failed, and give the exit code."""
    for failure in failures:
        say(failure)
    return 1 if failures else 0


def _summary(done: Sequence[Measured], programs: Sequence[Row]) -> Row:
    runs = [one.run for one in done]
    known = [run["equal"] for run in runs if run.get("equal") is not None]
    wrong = [
        f"{one.subject.title}: {one.run.get('error') or 'wrong: ' + one.run['wrong']}"
        for one in done
        if one.run.get("error") or one.run["right"] is False
    ]
    broken = [
        f"{row['workload']}:{row['preset']}: {CUDA}: {row['built'] or row['ran']}"
        for row in programs
        if row["built"] or row["ran"]
    ]
    return {
        "benchmark": "silicon",
        "programs": len(runs),
        "right": sum(bool(run.get("right")) for run in runs),
        "equal": [sum(known), len(known)],
        "launches": sum(len(one.launches) for one in done),
        "cuda_clones": [len(programs) - len(broken), len(programs)],
        "failures": wrong + broken,
    }


def _arguments(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.silicon",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--out", help="the folder that figures are written to")
    parser.add_argument("--executor", action="store_true", help="hash the executor's results")
    parser.add_argument("--presets", default="small,paper", help="whole names, or their first word")
    parser.add_argument("--only", default="", help="workloads by name; all without it")
    parser.add_argument(
        "--clones",
        metavar="FOLDER",
        help="clones of the small presets too: --executor makes them there",
    )
    parser.add_argument("--quick", action="store_true", help="tiny presets, run once")
    parser.add_argument("--json", action="store_true", help="print one JSON object, last")
    parser.add_argument("--runs", type=int, default=7, help="timed runs in each state")
    parser.add_argument(
        "--patience",
        type=float,
        default=5.0,
        help="seconds of a workload after which no further run begins",
    )
    parser.add_argument(
        "--seconds",
        type=float,
        default=float("inf"),
        help="seconds after which no further workload begins",
    )
    parser.add_argument("--counters", action="store_true", help="read counters with ncu")
    parser.add_argument(
        "--counters-seconds", type=float, default=600.0, help="seconds that ncu may take"
    )
    parser.add_argument("--build", default="sm_90", help="what --executor runs")
    parser.add_argument(
        "--workers", type=int, default=1, help="processes of --executor, and of nvcc"
    )
    arguments = parser.parse_args(words)
    if not arguments.executor and arguments.out is None:
        parser.error("--out FOLDER says where figures go; --executor needs none")
    if arguments.quick:
        arguments.runs = 1
    return arguments


def _floor(backend: TimedBackend, flushed_bytes: int) -> Mapping[str, float | None]:
    """Time a kernel that does next to nothing; say why where that cannot be."""
    from warpmill.benchmarks.silicon.floor import floor_ms  # noqa: PLC0415 - once there is a GPU

    try:
        return floor_ms(backend, flushed_bytes)
    except WarpmillError as error:
        say(f"floor: {error}")
        backend.begin_anew()
        return dict.fromkeys(STATES)


def _timed(
    todo: Sequence[Subject],
    folder: Path,
    arguments: argparse.Namespace,
    backend: TimedBackend,
    flushed_bytes: int,
) -> list[Measured]:
    """Time workloads one after another."""
    known = known_results(RESULTS)
    patience = Patience(arguments.runs, arguments.patience)
    begun, done = time.monotonic(), []
    for place, subject in enumerate(todo):
        if time.monotonic() - begun > arguments.seconds:
            say(f"{len(todo) - place} workloads were not begun: {arguments.seconds:.0f} s are over")
            break
        before = gpu.readings()
        one = measured(subject, backend, flushed_bytes, patience, known.get(subject.title))
        after = gpu.readings()
        one.run.update({f"{name}_before": before[name] for name in ("sm_mhz", "temperature_c")})
        one.run.update({f"{name}_after": after[name] for name in ("sm_mhz", "temperature_c")})
        done.append(one)
        say(f"{place + 1} of {len(todo)}: {subject.title} {one.run.get('error') or 'done'}")
        _write_csv(folder / "runs.csv", [each.run for each in done])
        _write_csv(folder / "launches.csv", [row for each in done for row in each.launches])
    return done


def _count(done: Sequence[Measured], folder: Path, timeout_s: float) -> None:
    """Have the longest launch of each kernel counted, at the small presets."""
    plan, noted = folder / "plan.json", folder / "counted.json"
    small = {one.target.title for one in _small([one.subject for one in done])}
    wanted: dict[str, list[int]] = {}
    for one in done:  # originals come before clones
        if one.subject.target.title in small and one.launches:
            wanted.setdefault(one.subject.target.title, longest(one.launches))
    _write_json(plan, [
        [one.subject.written(), wanted[one.subject.target.title]]
        for one in done
        if one.subject.target.title in wanted and one.launches
    ])  # fmt: skip
    text, columns = counters.counted(plan.absolute(), noted.absolute(), timeout_s)
    rows = counters.read(text, columns)
    which = json.loads(noted.read_text("utf-8"))
    if [row["kernel"] for row in rows] != [one["kernel"] for one in which]:
        say("ncu saw other kernels than were run: counters.csv has no names of workloads")
        which = [{}] * len(rows)
    _write_csv(folder / "counters.csv", [a | row for a, row in zip(which, rows, strict=True)])


def _write_csv(path: Path, rows: Iterable[Row]) -> None:
    """Write rows whole or not at all; columns in the order in which rows name them."""
    each = list(rows)
    columns = list(dict.fromkeys(key for row in each for key in row))
    written = path.with_suffix(".tmp")
    with written.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(each)
    written.replace(path)


def _write_json(path: Path, value: object) -> None:
    path.write_text(json.dumps(value, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    sys.exit(main())
