"""What kernels do to caches, against counts derived by hand."""

from pathlib import Path

import numpy as np
import pytest

import warpmill
from analyzer.cache_operators import goes_past_l1
from analyzer.diagnostics import UsageError
from analyzer.execution.host.device import Device
from analyzer.execution.observation import Observation
from analyzer.ir.operation import decode
from simulator.machines import load_machine, machine_names
from simulator.memory.cache import CacheSpec
from simulator.memory.of_machine import l1_spec, l2_spec
from tests.reference.run_kernel import kernel_text
from warpmill.cache_collector import CacheCollector
from warpmill.jobs import LaunchOptions
from warpmill.profiles import profile
from warpmill.runs import RunOptions

KIB = 1024
L1 = CacheSpec(32 * KIB, 128, 32, 4, write="through", write_allocate=False)
L2 = CacheSpec(1024 * KIB, 128, 32, 16)


def simulate(body, data, launches, collector, threads=32):
    """Launch a kernel of one buffer with so many CTAs each time; give the collector's result."""
    device = Device()
    device.backend.instrument = Observation([collector])
    given = device.array(data)
    kernel = device.load(kernel_text(body, {"data": data}), "k.ptx")["k"]
    for ctas in launches:
        device.launch(kernel, ctas, threads, [given])
    return collector.simulated


def sample(name, sizes, *collectors, times=1):
    jobs = warpmill.prepare(f"samples/{name}/launch.toml", launch=LaunchOptions(sizes=sizes))
    return profile([jobs] * times, options=RunOptions(collectors=collectors))


def level(counts):
    return counts.hits, counts.sector_misses, counts.misses
