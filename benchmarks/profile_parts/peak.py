"""Profile one launch of 10^9 thread instructions; print how many, and the peak memory in MB."""

from benchmarks.execution_parts.peak import peak_kilobytes
from benchmarks.execution_parts.speed import PEAK_SIZE, launcher
from benchmarks.execution_parts.workloads import WORKLOADS
from benchmarks.profile_parts.runners import CollectingRunner
from warpmill.executor.collectors import ProfileCollector


def main():
    """Profile the matrix product."""
    workload = next(w for w in WORKLOADS if w.name == "matmul")
    collector = ProfileCollector()
    runner, given = CollectingRunner(collector), workload.make(PEAK_SIZE)
    workload.run(launcher(runner), given)
    (profile,) = collector.profiles
    print(profile.thread_instructions, peak_kilobytes() / 1024)


if __name__ == "__main__":
    main()
