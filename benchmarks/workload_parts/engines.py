"""Every kernel of every workload through analysis, trace, estimate and simulation."""

from warpmill.commands.analyze.result import analyze_report
from warpmill.session.applications import application, largest_of_each_kernel
from warpmill.session.estimates import estimate
from warpmill.session.simulations import simulate
from warpmill.session.traces import trace

MACHINE = "a100"
TRACED_CTAS = 16


def through_engines(target):
    """Send the largest launch of each kernel through the engines; a row a kernel.

    ``error`` is what went wrong, or None.
    """
    app = application(target.title)
    rows = []
    for number in largest_of_each_kernel(app.launches):
        job = app.job(number)
        row = {
            "workload": target.workload.name,
            "build": target.build,
            "kernel": job.kernel.name,
            "launch": number,
            "trace": None,
            "estimate_us": None,
            "simulated_us": None,
            "error": None,
        }
        try:
            analyze_report([job])
            row["trace"] = trace(job, most_ctas=TRACED_CTAS).source.kind
            row["estimate_us"] = estimate(job, MACHINE).execution_us
            row["simulated_us"] = simulate([job], MACHINE).time_us
        except Exception as error:
            row["error"] = f"{type(error).__name__}: {error}"
        rows.append(row)
    return rows


def figure_13(graph):
    """Compare the entry of kmeans with Figure 13 of GPGPU-MiniBench: threads and both its ways."""
    entry = graph.nodes[0]
    ways = sorted((edge.tcount for edge in graph.edges if edge.source == 0), reverse=True)
    return {"paper_says": [57600, 51200, 6400], "here": [entry.ecount, *ways]}
