"""Run one launch of 10^9 thread instructions; print how many, and the peak memory in MB."""

import resource
from pathlib import Path

from benchmarks.execution_parts.runners import NativeRunner
from benchmarks.execution_parts.speed import PEAK_SIZE, launcher
from benchmarks.execution_parts.workloads import WORKLOADS


def peak_kilobytes():
    """The peak of this process's own memory.

    What getrusage tells holds on Linux also what the process was before it became this program: a
    copy of its parent. The kernel's own account (VmHWM) does not.
    """
    status = Path("/proc/self/status")
    if status.exists():
        lines = status.read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:"))
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def main():
    """Launch the matrix product."""
    runner = NativeRunner()
    workload = next(w for w in WORKLOADS if w.name == "matmul")
    workload.run(launcher(runner), workload.make(PEAK_SIZE))
    print(runner.thread_insts, peak_kilobytes() / 1024)


if __name__ == "__main__":
    main()
