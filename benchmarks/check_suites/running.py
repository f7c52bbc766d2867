"""Kernels of public suites: compiled to PTX, run with sanitizers, judged by what is planted."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Annotated

from warpmill.analyzer.base.diagnostics import Severity, Source, WarpmillError, words_of
from warpmill.analyzer.base.metric import Metric, derived
from warpmill.analyzer.base.whole_files import user_cache, write_whole
from warpmill.benchmarks.accuracy.building import tools
from warpmill.executor.faults import ExecutionFault
from warpmill.executor.host.cpu_device import CpuOptions
from warpmill.executor.host.device import Device
from warpmill.executor.host.modules import DeviceModule
from warpmill.executor.sanitizers.findings import Tool
from warpmill.executor.sanitizers.sanitizer import Sanitizer
from warpmill.report.base import Part

TOOLS = frozenset({Tool.MEMCHECK, Tool.INITCHECK, Tool.RACECHECK, Tool.SYNCCHECK})
CHIP = 80
"""The chip that kernels are compiled for: one on which lanes of a warp are scheduled alone."""
OPTIONS = ("-ptx", "-O3", "-std=c++14", "-w", "-lineinfo", f"--gpu-architecture=compute_{CHIP}")
TIME_LIMIT_S = 120
MOST_INSTRUCTIONS = 50_000_000
"""Thread instructions of one run; a kernel that waits for ever ends there."""

Program = Callable[[Device, DeviceModule], None]
"""What launches a kernel: makes its inputs on the device, and launches it as the suite does."""


@dataclass(frozen=True)
class SuiteKernel:
    """A code of a suite: what is planted in it, how it is compiled, and programs by input.

    ``has_memory_error`` None: the suite does not say. ``rewrite`` changes its PTX. It runs in
    so many ``orders`` of warps and CTAs, with ``resident_ctas`` at the same time.
    """

    suite: str
    name: str
    source: Path
    planted: tuple[str, ...]
    has_race: bool
    has_memory_error: bool | None
    programs: Mapping[str, Program]
    options: tuple[str, ...] = ()
    rewrite: Callable[[str], str] | None = None
    orders: int = 1
    resident_ctas: int = 1


class SuiteRow(Part):
    """A code of a suite, and what check says of it.

    ``races_on``, ``warned_on`` and ``memory_on`` count inputs: on which racecheck found an error,
    on which it only warned, and on which memcheck found an error. ``found`` are all findings, each
    kind once. ``problem`` says why a code was not checked to its end.
    """

    suite: Annotated[str, Metric("suite")]
    kernel: Annotated[str, Metric("kernel")]
    planted: Annotated[tuple[str, ...], Metric("planted")]
    has_race: bool
    has_memory_error: bool | None
    found: Annotated[tuple[str, ...], Metric("check finds")]
    inputs: Annotated[int, Metric("inputs")]
    races_on: int
    warned_on: int
    memory_on: int
    problem: Annotated[str, Metric("problem")]

    @derived("races")
    def race(self) -> str | None:
        """TP, FP, FN or TN of data races; a warning counts as found. None: nobody knows."""
        return self._outcome(self.has_race, self.races_on + self.warned_on)

    @derived("memory errors")
    def memory(self) -> str | None:
        """The same of memory errors; None also where the suite does not say."""
        return self._outcome(self.has_memory_error, self.memory_on)

    @property
    def differs(self) -> bool:
        """Whether check and the suite differ."""
        return bool({self.race, self.memory} & {"FP", "FN"})

    def _outcome(self, planted: bool | None, found: int) -> str | None:
        if planted is None or (self.problem and not found):
            return None
        return ("TP" if found else "FN") if planted else "FP" if found else "TN"


class NotCompiledError(Exception):
    """Why a code has no PTX."""


@cache
def compiler() -> str:
    """The newest nvcc there is. SystemExit without one."""
    there = [one for one in tools() if one.kind == "nvcc" and CHIP in one.chips]
    if not there:
        raise SystemExit(f"there is no nvcc that knows sm_{CHIP}")
    return max(there, key=lambda one: one.release).path


def compiled(one: SuiteKernel) -> Path:
    """The PTX of a code, kept by source, options and compiler. NotCompiledError."""
    told = (*OPTIONS, *one.options)
    key = sha256(repr((one.source.read_bytes(), told, compiler())).encode()).hexdigest()[:16]
    kept = user_cache() / "suites" / f"{one.source.stem}.{key}.ptx"
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        command = [compiler(), *told, str(one.source), "-o", "-"]
        done = subprocess.run(command, capture_output=True, check=False, timeout=TIME_LIMIT_S)
        if done.returncode:
            raise NotCompiledError(first_error(done.stderr.decode(errors="replace")))
        write_whole(kept, done.stdout)
    return kept


def first_error(words: str) -> str:
    """The first error of what a compiler says, without its place."""
    found = re.search(r"error\s*: *(.+)", words)
    return f"not compiled: {found[1] if found else words.strip()[:200]}"


def checked(one: SuiteKernel) -> tuple[SuiteRow, frozenset[str]]:
    """Check a code on all its inputs, in all its orders; also the inputs that racecheck told of."""
    found: set[str] = set()
    races: set[str] = set()
    warned: set[str] = set()
    memory: set[str] = set()
    problems: dict[str, None] = {}
    try:
        text = compiled(one).read_text("utf-8")
    except NotCompiledError as error:
        problems[str(error)], text = None, ""
    if one.rewrite is not None:
        text = one.rewrite(text)
    for name, program in one.programs.items() if text else ():
        for order in range(one.orders):
            sanitizer = Sanitizer(TOOLS)
            problems |= dict.fromkeys(_run(one, text, program, sanitizer, order))
            for finding in sanitizer.findings:
                found.add(f"{finding.tool}: {finding.kind}")
                is_error = finding.severity is Severity.ERROR
                if finding.tool is Tool.RACECHECK:
                    (races if is_error else warned).add(name)
                elif finding.tool is Tool.MEMCHECK and is_error:
                    memory.add(name)
    row = SuiteRow(
        suite=one.suite,
        kernel=one.name,
        planted=one.planted,
        has_race=one.has_race,
        has_memory_error=one.has_memory_error,
        found=tuple(sorted(found)),
        inputs=len(one.programs),
        races_on=len(races),
        warned_on=len(warned - races),
        memory_on=len(memory),
        problem="; ".join(problems),
    )
    return row, frozenset(races | warned)


def _run(
    one: SuiteKernel, text: str, program: Program, sanitizer: Sanitizer, order: int
) -> Iterable[str]:
    """Run a program with a sanitizer; gives why the run, or the check, is not complete."""
    options = CpuOptions(
        sanitizer=sanitizer,
        order=order,
        resident_ctas=one.resident_ctas,
        max_instructions=MOST_INSTRUCTIONS,
    )
    device = Device(options=options, record=False)
    try:
        program(device, device.load(Source(one.name, text)))
    except ExecutionFault as fault:
        if fault.exit_code == 3:
            yield words_of(fault)
    except WarpmillError as error:
        yield words_of(error)
    finally:
        device.let_go()
    yield from sanitizer.not_checked
