"""Rows of benchmarks kept in a study: a benchmark goes on where it was interrupted."""

from __future__ import annotations

from pathlib import Path

from warpmill.studies.running import run
from warpmill.studies.store import Store


def measured(study_name, store, points, evaluate, *, workers, say):
    """The study's rows of points, in their order; what is not known yet is measured.

    ``evaluate`` gives the outcome of a point's inputs. What failed before is tried again: a limit
    or a compiler may have been the machine's.
    """
    study = Store(Path(store) if "://" not in str(store) else store).study(study_name)
    study.add(points)
    study.forget_failures()
    known = len(points) - len(study.unfinished([p.key for p in points]))
    say(f"{known:,} of {len(points):,} rows are known")

    def told(progress):
        left = progress.seconds_left
        words = "" if left is None else f", about {left / 60:.0f} min left"
        say(f"{progress.over:,} of {progress.all:,}{words}")

    run(study, points, evaluate, workers=workers, told=told)
    found = study.of_keys([p.key for p in points])
    return [found[p.key] for p in points]


def results(rows):
    """What rows found. SystemExit with their problems where some could not be measured."""
    problems = {row.problem for row in rows if row.problem is not None}
    if problems:
        raise SystemExit("; ".join(sorted(problems)))
    return [row.facts["result"] for row in rows]
