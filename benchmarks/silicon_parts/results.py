"""Hashes of what the executor gives for each workload, kept beside the reference data."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from hashlib import sha256
from pathlib import Path
from typing import Any

from warpmill.workload_runs import run_workload
from warpmill.workloads import WorkloadTarget

Known = dict[str, dict[str, Any]]


def known_results(path: Path) -> Mapping[str, Mapping[str, str]]:
    """Give the hashes of results by their names, by workload as it is written."""
    return {title: each["results"] for title, each in _read(path).items()}


def executed(
    todo: Sequence[WorkloadTarget], path: Path, workers: int, say: Callable[[str], None]
) -> None:
    """Run workloads on the executor, and keep the hashes of their results.

    Those whose files are as they were are not run again.
    """
    found = _read(path)
    wanted = [one for one in todo if found.get(one.title, {}).get("files") != _files(one)]
    with ProcessPoolExecutor(workers) as pool:
        for place, (target, results) in enumerate(
            zip(wanted, pool.map(_hashes, wanted), strict=True)
        ):
            found[target.title] = {"files": _files(target), "results": results}
            written = path.with_suffix(".tmp")
            written.write_text(json.dumps(dict(sorted(found.items())), indent=1) + "\n", "utf-8")
            written.replace(path)
            say(f"{place + 1} of {len(wanted)}: {target.title}")


def _hashes(target: WorkloadTarget) -> dict[str, str]:
    done = run_workload(target, checked=False)
    return {buffer.name: buffer.sha256 for buffer in done.run.buffers}


def _files(target: WorkloadTarget) -> str:
    """Hash what results follow from: the program, its sizes and the modules of this build."""
    folder = target.workload.folder
    digest = sha256()
    for path in [*sorted(folder.glob(f"*.{target.build}.ptx")), folder / "program.py",
                 folder / "workload.toml"]:  # fmt: skip
        digest.update(path.name.encode() + sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]


def _read(path: Path) -> Known:
    known: Known = json.loads(path.read_text("utf-8")) if path.exists() else {}
    return known
