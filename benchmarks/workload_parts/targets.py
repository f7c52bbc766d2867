"""What the papers state of a workload, beside what its preset does."""

LIMITS = {"tbpoint": 0.10, "stargazer": 0.25}
"""How far launches and CTAs (tbpoint), thread instructions (stargazer) may be off, as a share."""


def targets(workload, rows):
    """Compare the paper presets of a workload with what the papers state; a row a figure."""
    paper = workload.form.paper
    by_preset = {row["preset"]: row for row in rows if row["build"] == "sm_80"}
    found = []
    if paper.tbpoint is not None and "paper-tbpoint" in by_preset:
        main = by_preset["paper-tbpoint"]["main_kernel"]
        for figure in ("launches", "ctas"):
            theirs = getattr(paper.tbpoint, figure)
            found.append(_target(workload, "tbpoint", figure, main[figure], theirs))
    if paper.stargazer is not None and "paper-stargazer" in by_preset:
        row, facts = by_preset["paper-stargazer"], paper.stargazer
        ours, theirs = row["thread_instructions"], facts.thread_instructions
        found.append(_target(workload, "stargazer", "thread_instructions", ours, theirs))
        threads = row["main_kernel"]["threads_per_cta"]
        found.append(
            {**_target(workload, "stargazer", "threads_per_block", threads,
                       facts.threads_per_block),
             "within": threads == facts.threads_per_block}
        )  # fmt: skip
    return found


def _target(workload, paper, figure, ours, theirs):
    off = ours / theirs - 1
    return {
        "workload": workload.name,
        "paper": paper,
        "figure": figure,
        "paper_says": theirs,
        "here": ours,
        "off": off,
        "within": abs(off) <= LIMITS[paper],
    }
