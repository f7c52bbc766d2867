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
import io
import json
import sys
import time
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from warpmill import __version__
from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.base.whole_files import write_whole
from warpmill.benchmarks.benchmark import say
from warpmill.benchmarks.silicon import counters, gpu
from warpmill.benchmarks.silicon.measuring import Measured, Row, floor_ms, longest, measured
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
from warpmill.benchmarks.silicon.timed import TimedBackend
from warpmill.calibration.gpu_facts import gpu_facts
from warpmill.executor.host.cuda_device import load_driver

RESULTS = Path(__file__).resolve().parents[1] / "reference" / "results.json"
FLUSHED = 3
"""How many times L2's size is written to drive all else out of it."""


def main(words: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    arguments = _arguments(words)
    presets = ["tiny"] if arguments.quick else arguments.presets.split(",")
    only, clones = [n for n in arguments.only.split(",") if n], arguments.clones
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
    folder, flushed_bytes = arguments.out, FLUSHED * facts.l2_bytes
    folder.mkdir(parents=True, exist_ok=True)
    backend = TimedBackend()
    about = gpu.readings() | {
        "name": facts.name, "capability": facts.capability, "cuda": facts.version,
        "l2_bytes": facts.l2_bytes, "date": datetime.now(UTC).date().isoformat(),
        "warpmill": __version__, "presets": presets, "runs": arguments.runs,
        "floor_ms": floor_ms(backend, flushed_bytes),
    }  # fmt: skip
    (folder / "gpu.json").write_text(json.dumps(about, indent=1) + "\n", "utf-8")
    done = _timed([*todo, *of_clones], arguments, backend, flushed_bytes)
    uncounted = []
    if arguments.counters:
        try:
            _write_csv(folder / "counters.csv", counters.counted(_plan(done), folder))
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
    add = parser.add_argument
    add("--out", type=Path, help="the folder that figures are written to")
    add("--executor", action="store_true", help="hash the executor's results")
    add("--presets", default="small,paper", help="whole names, or their first word")
    add("--only", default="", help="workloads by name; all without it")
    add(
        "--clones",
        type=Path,
        metavar="FOLDER",
        help="clones of the small presets too: --executor makes them there",
    )
    add("--quick", action="store_true", help="tiny presets, run once")
    add("--json", action="store_true", help="print one JSON object, last")
    add("--runs", type=int, default=7, help="timed runs in each state")
    add(
        "--seconds",
        type=float,
        default=float("inf"),
        help="seconds after which no further workload begins",
    )
    add("--counters", action="store_true", help="read counters with ncu")
    add("--build", default="sm_90", help="what --executor runs")
    add("--workers", type=int, default=1, help="processes of --executor, and of nvcc")
    arguments = parser.parse_args(words)
    if not arguments.executor and arguments.out is None:
        parser.error("--out FOLDER says where figures go; --executor needs none")
    if arguments.quick:
        arguments.runs = 1
    return arguments


def _timed(
    todo: Sequence[Subject],
    arguments: argparse.Namespace,
    backend: TimedBackend,
    flushed_bytes: int,
) -> list[Measured]:
    """Time workloads one after another."""
    known = {title: each["results"] for title, each in known_results(RESULTS).items()}
    begun, done = time.monotonic(), []
    for place, subject in enumerate(todo):
        if time.monotonic() - begun > arguments.seconds:
            say(f"{len(todo) - place} workloads were not begun: {arguments.seconds:.0f} s are over")
            break
        before = gpu.readings()
        one = measured(subject, backend, flushed_bytes, arguments.runs, known.get(subject.title))
        for when, read in (("before", before), ("after", gpu.readings())):
            one.run.update({f"{n}_{when}": read[n] for n in ("sm_mhz", "temperature_c")})
        done.append(one)
        say(f"{place + 1} of {len(todo)}: {subject.title} {one.run.get('error') or 'done'}")
        _write_csv(arguments.out / "runs.csv", [each.run for each in done])
        rows = [row for each in done for row in each.launches]
        _write_csv(arguments.out / "launches.csv", rows)
    return done


def _plan(done: Sequence[Measured]) -> counters.Plan:
    """The longest launch of each kernel, at the small presets; of clones the same ones."""
    small = {one.target.title for one in _small([one.subject for one in done])}
    timed = [one for one in done if one.subject.target.title in small and one.launches]
    wanted: dict[str, list[int]] = {}
    for one in timed:  # originals come before clones
        wanted.setdefault(one.subject.target.title, longest(one.launches))
    return [(one.subject, wanted[one.subject.target.title]) for one in timed]


def _write_csv(path: Path, rows: Iterable[Row]) -> None:
    """Write rows whole or not at all; columns in the order in which rows name them."""
    each = list(rows)
    columns = list(dict.fromkeys(key for row in each for key in row))
    file = io.StringIO()
    writer = csv.DictWriter(file, columns, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(each)
    write_whole(path, file.getvalue().encode())


if __name__ == "__main__":
    sys.exit(main())
