"""GPGPU-MiniBench's Table 2 and Figures 4 to 8 and 15, of the workloads that stand for it."""

from __future__ import annotations

from warpmill.session.applications import application_jobs
from warpmill.session.options import LaunchOptions
from warpmill.session.simulations import simulate
from warpmill.session.workloads import workloads

FIGURE_7 = {
    "nw": [{"symbols": n} for n in (128, 256, 512, 1024)],
    "hotspot": [{"columns": n, "rows": n} for n in (64, 128, 256, 512)],
}
"""The paper's two workloads, over sizes of their inputs."""

PRESET = "paper-minibench"
MACHINE = "minibench_28sm"


def benchmarks(rows):
    """The rows of MiniBench's presets with the paper's names, in order of these."""
    facts = {name: one.form.paper.minibench for name, one in workloads().items()}
    found = [
        {**row, "name": facts[row["workload"]].name, "loops": facts[row["workload"]].loops}
        for row in rows
        if row["preset"] == PRESET and facts[row["workload"]] is not None
    ]
    return sorted(found, key=lambda row: row["name"])


def simulated(workload, preset, sizes):
    """Simulate all launches of a workload in a row: warp instructions a cycle, and threads."""
    options = LaunchOptions(sizes=sizes, launches="all")
    jobs = application_jobs(f"{workload}:{preset}", None, options)
    done = simulate(jobs, MACHINE)
    threads = max(job.launch.cta_count * job.launch.threads_per_cta for job in jobs)
    return {"workload": workload, "sizes": sizes, "threads": threads, "ipc": done.warp_ipc}
