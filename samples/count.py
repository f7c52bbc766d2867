"""Count what the presets of workloads execute, and keep it in figures.json; or check that.

    python samples/count.py                    count every workload whose files have changed
    python samples/count.py bfs sto:tiny       count these, or one preset of them, in any case
    python samples/count.py --check            say whose files have changed; runs nothing

Every result is checked as `warpmill samples run` does; a wrong one is not counted.

Exit codes: 0 done, 1 --check found changed files or a result was wrong, 2 bad usage.
"""

import argparse
import sys

from warpmill.session.workload_runs import (
    FILE,
    figures_text,
    kernel_totals,
    outdated,
    read_figures,
    run_workload,
)
from warpmill.session.workloads import WorkloadTarget, find_workload, workloads


def main():
    """Run the command line and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME[:PRESET]", help="default: what changed")
    parser.add_argument("--check", action="store_true", help="compare hashes; run nothing")
    arguments = parser.parse_args()
    if arguments.check:
        return check()
    wanted = arguments.names or [name for name, one in workloads().items() if outdated(one)]
    return max((count(*name.partition(":")[::2]) for name in wanted), default=0)


def check():
    """Print every workload whose figures may no longer hold."""
    found = [(name, changed) for name, one in workloads().items() if (changed := outdated(one))]
    for name, changed in found:
        print(f"{name}: counted before a change of {', '.join(changed)}")
    print(f"{len(workloads())} workloads checked, {len(found)} outdated")
    return 1 if found else 0


def count(name, preset):
    """Count the presets of a workload, or one of them, and write them down."""
    workload = find_workload(name)
    figures = dict(read_figures(workload)) if preset else {}
    for each in [preset] if preset else workload.presets:
        done = run_workload(WorkloadTarget(workload, each))
        wrong = [check for check in done.checks if not check.passed]
        if wrong or not done.checks:
            print(f"{name}:{each}: wrong: {wrong}", file=sys.stderr)
            return 1
        figures[each] = kernel_totals(done.run.launches)
        total = figures[each].total
        print(f"{name}:{each}: {total.launches} launches, {total.warp_instructions:,} by warps")
    (workload.folder / FILE).write_text(figures_text(workload, figures), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
