"""GPGPU-MiniBench's Table 2 and Figures 4 to 8 and 15, of the workloads that stand for it."""

from __future__ import annotations

from warpmill.api import LaunchOptions
from warpmill.applications import application_jobs
from warpmill.simulations import simulate
from warpmill.workloads import workloads

FIGURE_7 = {
    "nw:paper-minibench": [{"length": n} for n in (128, 256, 512, 1024)],
    "hotspot:paper-minibench": [{"columns": n, "rows": n} for n in (64, 128, 256, 512)],
}
"""The paper's two workloads, over sizes of their inputs."""

MACHINE = "minibench_28sm"


def benchmarks(rows):
    """Give the rows of MiniBench's presets with the paper's names, in order of these."""
    facts = {name: one.form.paper.minibench for name, one in workloads().items()}
    found = [
        {**row, "name": facts[row["workload"]].name, "loops": facts[row["workload"]].loops}
        for row in rows
        if row["preset"] == "paper-minibench" and facts[row["workload"]] is not None
    ]
    return sorted(found, key=lambda row: row["name"])


def figure_7():
    """Simulate workloads of several sizes: warp instructions a cycle over threads."""
    return [
        {"workload": target.split(":")[0], **_simulated(target, sizes)}
        for target, each in FIGURE_7.items()
        for sizes in each
    ]


def _simulated(target, sizes):
    options = LaunchOptions(sizes=sizes, launches="all")
    jobs = application_jobs(target, None, options)
    done = simulate(jobs, MACHINE)
    threads = max(job.launch.cta_count * job.launch.threads_per_cta for job in jobs)
    return {"sizes": sizes, "threads": threads, "ipc": done.ipc}
