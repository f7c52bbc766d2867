"""Compile one kernel twice in this process; print its instructions and the milliseconds of each.

The first time nothing is shared with kernels before; the second time what kernels share is there,
as for all but the first kernel of a process. LLVM's own start counts for neither.
"""

import sys
import time

from benchmarks.execution_parts.runners import loaded_kernel
from benchmarks.execution_parts.speed import INPUTS


def main():
    """Compile the workload that the command line names."""
    # LLVM is slow to load.
    from warpmill.executor.compile import compile_kernel, target_machine  # noqa: PLC0415

    name = sys.argv[1]
    loaded, kernel = loaded_kernel(INPUTS / f"{name}.ptx", name)
    target_machine()
    spent = []
    for _ in range(2):
        begin = time.process_time()
        compile_kernel(loaded.module, kernel)
        spent.append(1e3 * (time.process_time() - begin))
    print(kernel.instruction_count, *spent)


if __name__ == "__main__":
    main()
