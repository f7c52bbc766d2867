"""How fast the front-ends are, in CPU time, beside the plain use of a parser generator."""

from __future__ import annotations

import gc
import os
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.benchmark import say
from benchmarks.frontend_inputs.build import Input
from benchmarks.frontends.whole_file import parse_whole
from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.frontends import ptx
from warpmill.analyzer.frontends.load import kernel_names, load
from warpmill.analyzer.ir.kernel import Module

LARGE_BYTES = 100_000
_TINY = ".version 8.0\n.target sm_80\n.address_size 64\n.entry k() {\n ret;\n}\n"


@dataclass
class Times:
    """CPU seconds of one input in each round, by what was done with it."""

    given: Input
    size_bytes: int
    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    def median(self, what: str) -> float:
        """The median round."""
        return statistics.median(self.seconds[what])


def large(inputs: Iterable[Input]) -> list[Input]:
    """Choose the PTX files of more than 100 kB."""
    return [i for i in inputs if i.is_ptx and i.path.stat().st_size > LARGE_BYTES]


def ptx_times(inputs: list[Input], rounds: int) -> list[Times]:
    """Time three ways to read each text, one after the other in every round.

    ``read`` makes verified IR of all kernels, ``lark`` parses the whole file with
    the grammar, and ``scan`` lists the kernels of the file.
    """
    parse_whole(_TINY)
    ptx.parse(Source("tiny", _TINY))
    times = [Times(i, i.path.stat().st_size) for i in inputs]
    for number in range(rounds):
        for one in times:
            text = one.given.path.read_text()
            one.seconds["read"].append(_cpu(ptx_module, text)[1])
            one.seconds["lark"].append(_cpu(parse_whole, text)[1])
            one.seconds["scan"].append(_cpu(kernel_names, one.given.path)[1])
        say(f"PTX, round {number + 1} of {rounds}")
    return times


def bitcode_times(inputs: list[Input], rounds: int) -> list[Times]:
    """Time reading bitcode to IR; the work of the child process counts."""
    times = [Times(i, i.path.stat().st_size) for i in inputs]
    for one in times[:3]:
        load(one.given.path)
    for number in range(rounds):
        for one in times:
            start = _own_and_child_seconds()
            load(one.given.path)
            one.seconds["read"].append(_own_and_child_seconds() - start)
        say(f"bitcode, round {number + 1} of {rounds}")
    return times


def ptx_module(text: str) -> Module:
    """Verified IR of all kernels of a text."""
    return ptx.parse(Source("benchmark", text)).module


def _cpu(function: Callable[[Any], Any], argument: Any) -> tuple[Any, float]:
    """Call a function; what it gives, and the CPU seconds that it took."""
    gc.collect()
    start = time.process_time()
    given = function(argument)
    return given, time.process_time() - start


def _own_and_child_seconds() -> float:
    """The CPU time of this process and of its children that still run (to 1 ns by Linux).

    Where the system does not tell it of a running child, real time takes the place.
    """
    try:
        pids = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
        spent = [int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) for pid in pids]
    except OSError:
        return time.perf_counter()
    gone = os.times()
    return time.process_time() + sum(spent) / 1e9 + gone.children_user + gone.children_system
