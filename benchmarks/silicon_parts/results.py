"""Hashes of what the executor gives for workloads and clones, kept beside the reference data."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from benchmarks.silicon_parts.subjects import Subject
from warpmill.session.options import RunOptions

Known = dict[str, dict[str, Any]]


def known_results(path: Path) -> Mapping[str, Mapping[str, str]]:
    """The hashes of results by their names, by the titles of subjects."""
    return {title: each["results"] for title, each in _read(path).items()}


def executed(todo: Sequence[Subject], path: Path, workers: int, say: Callable[[str], None]) -> None:
    """Run subjects on the executor, and keep the hashes of their results.

    Those whose files are as they were are not run again.
    """
    found = _read(path)
    wanted = [one for one in todo if found.get(one.title, {}).get("files") != one.digest()]
    with ProcessPoolExecutor(workers) as pool:
        for place, (subject, results) in enumerate(
            zip(wanted, pool.map(_hashes, wanted), strict=True)
        ):
            found[subject.title] = {"files": subject.digest(), "results": results}
            written = path.with_suffix(".tmp")
            written.write_text(json.dumps(dict(sorted(found.items())), indent=1) + "\n", "utf-8")
            written.replace(path)
            say(f"{place + 1} of {len(wanted)}: {subject.title}")


def _hashes(subject: Subject) -> dict[str, str]:
    return subject.run(RunOptions(), checked=False).hashes


def _read(path: Path) -> Known:
    known: Known = json.loads(path.read_text("utf-8")) if path.exists() else {}
    return known
