"""Figure 8: selections of one run judged in others, by the others' times and instructions."""

from __future__ import annotations

from statistics import fmean, median

from benchmarks.gtpin_parts.figures import error_of

NEAR = 3.0
"""Percent: most of the paper's error rates are below."""


def judged(picks, own, times, work):
    """The error of chosen intervals in a run, or why it is unknown.

    ``own`` has the kernels of the launches that they were chosen of; ``times`` and ``work`` are
    the row of the run and what its launches execute. Where launches are not the same ones, but
    those that were chosen are found at their places, ``found`` is the error that they have.
    """
    if "problem" in work:
        return {"unknown": work["problem"]}
    reason, problem = unlike(own, work), times.get("problem")
    if reason is None and problem is None:
        return {"error": error_of(picks, times["launch_cycles"], work["instructions"])}
    found = {"unknown": reason or problem}
    if problem is None and are_found(picks, own, work):
        found["found"] = error_of(picks, times["launch_cycles"], work["instructions"])
    return found


def unlike(own, other):
    """Why the launches of two runs are not the same; None where they are, by their kernels."""
    first, second = kernels(own), kernels(other)
    if len(first) != len(second):
        return f"{len(second):,} launches instead of {len(first):,}"
    for number, (one, two) in enumerate(zip(first, second, strict=True)):
        if one != two:
            return f"launch {number} is of {two} instead of {one}"
    return None


def are_found(picks, own, other):
    """Whether the chosen launches have the same kernels at the same places, and do work."""
    first, second = kernels(own), kernels(other)
    return all(
        first[begin:end] == second[begin:end] and sum(other["instructions"][begin:end])
        for begin, end, _ in picks
    )


def kernels(work):
    """The kernel of each launch."""
    return [work["kernels"][number] for number in work["kernel_of"]]


def summary(pairs):
    """Sum up pairs of an application and a run: those that are known, and how many are near.

    ``pairs`` has the application, the run and what ``judged`` gives.
    """
    known = [(one["error"], name, run) for name, run, one in pairs if "error" in one]
    errors = [error for error, *_ in known]
    under = sum(error < NEAR for error in errors)
    found = [one["found"] for *_, one in pairs if "found" in one]
    return {
        "pairs": len(pairs),
        "known": len(known),
        "under": under,
        "under_share": 100 * under / len(known) if known else None,
        "error": fmean(errors) if errors else None,
        "error_median": median(errors) if errors else None,
        "worst": None if not known else list(max(known)),
        "found": {"of": len(found), "under": sum(e < NEAR for e in found),
                  "error": fmean(found) if found else None,
                  "error_median": median(found) if found else None},
        "unknown": [[name, run, one["unknown"]] for name, run, one in pairs if "unknown" in one],
    }  # fmt: skip
