"""Simulate a matrix product of 10^8 warp instructions on 80 SMs.

Prints how many there were, the peak memory in bytes before and after, and the CPU seconds.
"""

import time

from benchmarks.execution.measuring import peak_kilobytes
from benchmarks.simulate_parts.programs import QV100, record, reference_machine
from benchmarks.simulate_parts.speed import simulated

SIZE = "928"


def main():
    """Run the program, then simulate it."""
    ran = record("matmul", SIZE)
    before = peak_kilobytes()
    begin = time.process_time()
    done = simulated("matmul", ran.recording, reference_machine(QV100))
    seconds = time.process_time() - begin
    print(done["warp_insts"], before * 1024, peak_kilobytes() * 1024, round(seconds, 1))


if __name__ == "__main__":
    main()
