"""Whether a fault that was not found changes nothing, whatever the schedule.

The kernel's launch is cut down to two CTAs, with memory as the subject has it then, and handed to
the exhaustive search (``exhaustive``), before and after the fault. It is harmless where the search
proves that both always leave the same memory.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.diagnostics import InputError, Source
from warpmill.analyzer.frontends.load import text_of
from warpmill.analyzer.ir.kernel import Kernel, Module, Parameter
from warpmill.analyzer.ir.types import TypeKind
from warpmill.analyzer.launch.model import (
    Argument,
    BufferArgument,
    Dim3,
    FromFile,
    Launch,
    NullArgument,
    RefArgument,
    ScalarArgument,
)
from warpmill.benchmarks.check import exhaustive
from warpmill.benchmarks.check.planting import Fault
from warpmill.benchmarks.check.subjects import Subject, subjects
from warpmill.executor.host.backend import LaunchOutcome, LaunchRequest
from warpmill.executor.host.cpu_device import CpuBackend, CpuOptions
from warpmill.executor.launching import Execution
from warpmill.session.options import RunOptions
from warpmill.session.runs import cpu_options

MOST_CTAS, MOST_STATES = 2, 250_000
"""CTAs of the launch, and accesses to memory that the search makes at most: half a minute."""
SEARCHED = frozenset({"barrier", "wait", "mask", "scope"})
"""Classes of which schedules decide. Others are chosen by what they do to results: they matter."""

_LETTERS = {TypeKind.SIGNED: "i", TypeKind.FLOAT: "f"}


def is_harmless(fault: Fault) -> bool | None:
    """Whether a fault changes nothing; None: nobody knows."""
    if fault.fault_class not in SEARCHED:
        return False
    subject = subjects()[fault.subject]
    taken = _taken(subject, fault)
    if taken is None:
        return None
    texts = subject.texts, fault.planted(subject.texts)
    original, planted = (_module(one[fault.module], fault.kernel) for one in texts)
    with tempfile.TemporaryDirectory() as folder:
        launch = _launch(taken, Path(folder))
        if launch is None:
            return None
        try:
            return exhaustive.is_harmless(
                original, planted, launch, kernel=fault.kernel, most_states=MOST_STATES
            )
        except InputError:  # the kernel cannot be launched with what was found of its arguments
            return None


def _module(text: str, kernel: str) -> Module:
    return text_of(Source("m", text)).parse(kernel).module


# The launch, cut down.


@dataclass(frozen=True)
class TakenLaunch:
    """A launch of few CTAs, and memory before it, by address.

    ``variables`` are the addresses of the module's variables that have memory, by name.
    """

    kernel: Kernel
    request: LaunchRequest
    memory: Mapping[int, npt.NDArray[np.uint8]]
    variables: Mapping[str, int]


class _TakenError(Exception):
    """The launch was taken: what follows is of no use."""


class _TakingBackend(CpuBackend):
    """The executor, which makes launches of a kernel smaller, until one executes a line."""

    def __init__(self, options: CpuOptions, fault: Fault) -> None:
        super().__init__(options)
        self._fault = fault
        self.taken: TakenLaunch | None = None

    def launch(self, request: LaunchRequest) -> LaunchOutcome:
        """Run a launch, or the first CTAs of it."""
        if request.kernel.name != self._fault.kernel:
            return super().launch(request)
        small = replace(request, grid=_cut(request.grid))
        memory = {one.address: one.data.copy() for one in self.memory.allocations}
        outcome = super().launch(small)
        if self._executes(request.kernel, outcome):
            own = self._variables.get(request.module)
            variables = {} if own is None else dict(own.addresses)
            self.taken = TakenLaunch(request.kernel, small, memory, variables)
            raise _TakenError
        for address, data in memory.items():
            self.memory.view(address, data.size)[:] = data
        return super().launch(request)

    def _executes(self, kernel: Kernel, outcome: LaunchOutcome) -> bool:
        counts = outcome.execution
        assert isinstance(counts, Execution)
        lines = {
            one.span.line
            for block in kernel.blocks
            if counts.block_warps[block.id]
            for one in block.instructions
        }
        return self._fault.line in lines


def _cut(grid: Dim3) -> Dim3:
    """As many CTAs along the first axis that has several, one along the others."""
    x, y, z = grid
    if x > 1:
        return min(x, MOST_CTAS), 1, 1
    return (1, min(y, MOST_CTAS), 1) if y > 1 else (1, 1, min(z, MOST_CTAS))


def _taken(subject: Subject, fault: Fault) -> TakenLaunch | None:
    """The first launch of which two CTAs execute the line of a fault; None: there is none."""
    options = RunOptions()
    backend = _TakingBackend(cpu_options(options), fault)
    try:
        subject.run(replace(options, device=backend), subject.texts)
    except _TakenError:
        return backend.taken
    except InputError:  # host programs' own errors, which _TakenError comes out as
        return backend.taken
    return None


# The launch, as data.


def _launch(taken: TakenLaunch, folder: Path) -> Launch | None:
    """The launch with its buffers' contents in files; None where an argument is something else."""
    request, arguments = taken.request, []
    made: dict[int, BufferArgument] = {}
    for parameter, offset in zip(taken.kernel.parameters, request.offsets, strict=True):
        data = request.params[offset : offset + parameter.size_bytes]
        argument = _argument(parameter, data, taken, folder, made)
        if argument is None:
            return None
        arguments.append(argument)
    symbols = {
        name: _buffer(taken, address, folder)
        for name, address in taken.variables.items()
        if taken.memory[address].size
    }
    return Launch.of(
        "m",
        taken.kernel.name,
        grid=request.grid,
        block=request.block,
        shared=request.dynamic_shared_bytes,
        arguments=arguments,
        symbols=symbols,
    )


def _buffer(taken: TakenLaunch, start: int, folder: Path) -> BufferArgument:
    """A buffer with what memory holds at an address."""
    file = folder / f"{start:x}.npy"
    np.save(file, taken.memory[start])
    return BufferArgument("u8", taken.memory[start].shape, FromFile(file), name=file.stem)


def _argument(
    parameter: Parameter,
    data: bytes,
    taken: TakenLaunch,
    folder: Path,
    made: dict[int, BufferArgument],
) -> Argument | None:
    size = parameter.size_bytes
    if parameter.shape or size not in {1, 2, 4, 8}:
        return None
    value = int.from_bytes(data, "little")
    holders = [at for at, held in taken.memory.items() if at <= value < at + held.size]
    if size == 8 and holders:
        (start,) = holders
        if start in made:
            return RefArgument(made[start], value - start)
        if value != start:
            return None
        made[start] = _buffer(taken, start, folder)
        return made[start]
    if parameter.is_pointer and not value:
        return NullArgument()
    letter = _LETTERS.get(parameter.type.kind, "u")
    kind = np.dtype(f"{letter}{size}")
    return ScalarArgument(f"{letter}{8 * size}", np.frombuffer(data, kind)[0].item())
