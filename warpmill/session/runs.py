"""Kernels run for real: launch files, kernels with a launch, host programs. Results as NumPy."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Awaitable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Protocol

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.base.metric import INTERNAL, Metric, derived
from warpmill.analyzer.base.naming import demangle
from warpmill.analyzer.frontends.load import LoadedModule
from warpmill.analyzer.ir.kernel import Kernel
from warpmill.analyzer.launch.model import ELEMENT_TYPES
from warpmill.analyzer.memory.rules import DEFAULT_RULES
from warpmill.executor.device_memory import DEFAULT_MAX_BYTES
from warpmill.executor.host.cpu_device import CpuBackend, CpuOptions
from warpmill.executor.host.device import Device, Launched
from warpmill.executor.host.device_array import DeviceArray
from warpmill.executor.host.launch_run import LaunchSession, MadeBuffer
from warpmill.executor.host.recording import Recording, content_hash
from warpmill.executor.observation import Observation
from warpmill.report.source_text import parameter_names
from warpmill.session.jobs import Job
from warpmill.session.options import RunOptions

Array = npt.NDArray[Any]

_ATOMS = (str, bytes, np.ndarray, np.generic)
"""Types that can be iterated, but are one value."""

_ELEMENTS = {np.dtype(t.storage): name for name, t in ELEMENT_TYPES.items() if name != "bf16"}


def cpu_options(options: RunOptions) -> CpuOptions:
    """Executor's options from a run's options."""
    return CpuOptions(
        max_memory_bytes=most_memory(options),
        max_instructions=options.max_instructions,
        max_seconds=options.max_seconds,
        workers=options.workers,
        resident_ctas=options.resident_ctas,
        progress=options.progress,
        sanitizer=options.sanitizer,
        schedule=options.schedule,
        order=options.order,
    )


def make_device(options: RunOptions) -> Device:
    """The device that a run's options are of."""
    device = Device(options.device, options=cpu_options(options), record=options.record)
    if options.collectors:
        if not isinstance(device.backend, CpuBackend):
            raise UsageError("collectors are told what the executor does: run them on cpu")
        rules = options.memory_rules or DEFAULT_RULES
        device.backend.instrument = Observation(options.collectors, rules)
    return device


def most_memory(options: RunOptions) -> int:
    """Bytes of device memory that a run may take."""
    given = options.max_memory_bytes
    return given or cap_at_half_of_free_memory(DEFAULT_MAX_BYTES, available_bytes())


# How much memory this computer has free.

_MEMINFO = Path("/proc/meminfo")
_AVAILABLE = re.compile(r"^MemAvailable:\s+(?P<kib>\d+) kB$", re.MULTILINE)


def available_bytes(meminfo: Path = _MEMINFO) -> int | None:
    """Bytes that programs can take without swapping; None where Linux does not tell."""
    if not meminfo.is_file():
        return None
    found = _AVAILABLE.search(meminfo.read_text("ascii", "replace"))
    return int(found["kib"]) * 1024 if found else None


def cap_at_half_of_free_memory(most_bytes: int, available: int | None) -> int:
    """``most_bytes``, or half of the available ones where that is less.

    The other half is for what is made on the way: contents of buffers before they are copied, and
    results. Beyond it the operating system ends the process without a word.
    """
    return most_bytes if available is None else max(1, min(most_bytes, available // 2))


@dataclass(frozen=True)
class Buffer:
    """An array as it is after a run, for which launch and argument it was made.

    ``element`` is the type's name in launch files, a NumPy one where those have none; bf16 is kept
    as its bits. ``changed``: whether it differs from what it held first; null where nobody knows.
    Least, greatest and mean leave NaN out; they are null where there are no numbers, and where
    they are infinite. ``sha256`` is of the bytes.
    """

    name: Annotated[str, Metric("Buffer")]
    launch: str | None
    argument: str | None
    element: Annotated[str, Metric("Element")]
    values: Annotated[Array, INTERNAL]
    sha256: Annotated[str, Metric("SHA256")]
    changed: Annotated[bool | None, Metric("Changed")]

    @derived("Shape")
    def shape(self) -> tuple[int, ...]:
        """Elements along each axis."""
        return self.values.shape

    @derived("Size", "B")
    def bytes(self) -> int:
        """Bytes of all elements."""
        return self.values.nbytes

    @cached_property
    def _statistics(self) -> tuple[Array, int, int]:
        """The numbers without NaN; how many NaN and infinities there are."""
        numbers, nans, infinities = self.values, 0, 0
        if self.element == "bf16":
            numbers = (numbers.astype(np.uint32) << np.uint32(16)).view(np.float32)
        elif numbers.dtype.kind not in "biuf":
            numbers = np.zeros(0)
        if not _all_finite(numbers):
            nans, infinities = int(np.isnan(numbers).sum()), int(np.isinf(numbers).sum())
            numbers = numbers[~np.isnan(numbers)]
        return numbers, nans, infinities

    @derived("Min")
    def min(self) -> int | float | None:
        """The least element."""
        numbers = self._statistics[0]
        return _number(numbers.min()) if numbers.size else None

    @derived("Max")
    def max(self) -> int | float | None:
        """The greatest element."""
        numbers = self._statistics[0]
        return _number(numbers.max()) if numbers.size else None

    @derived("Mean")
    def mean(self) -> float | None:
        """The mean of the elements."""
        numbers = self._statistics[0]
        if not numbers.size:
            return None
        with np.errstate(all="ignore"):
            return _number(numbers.mean(dtype=np.float64))

    @derived("NaN")
    def nans(self) -> int:
        """Elements that are NaN."""
        return self._statistics[1]

    @derived("Infinite")
    def infinities(self) -> int:
        """Elements that are infinite."""
        return self._statistics[2]


def _all_finite(values: Array) -> bool:
    """Whether there is no NaN and no infinity: least and greatest element tell."""
    if not values.size or values.dtype.kind != "f":
        return True
    return bool(np.isfinite(values.min()) and np.isfinite(values.max()))


def _number(value: Any) -> int | float | None:
    """A number of Python; None for an infinite one."""
    if value.dtype.kind != "f":
        return int(value)
    return float(value) if np.isfinite(value) else None


@dataclass(frozen=True)
class LaunchRun:
    """A launch that was run, under the name that reports give it."""

    name: Annotated[str, Metric("Launch")]
    launched: Launched


class Counted(Protocol):
    """Counter of a launch's executions; None where the device does not count."""

    @property
    def warp_instructions(self) -> int | None:
        """Warp instructions."""

    @property
    def thread_instructions(self) -> int | None:
        """Lanes of the active masks."""


@dataclass(frozen=True)
class LaunchTotals:
    """Launches together. Counts are null where the device does not tell those of one."""

    each: Annotated[tuple[Counted, ...], INTERNAL]

    @derived("Launches")
    def launches(self) -> int:
        """How many there are."""
        return len(self.each)

    @derived("Warp instructions", "inst")
    def warp_instructions(self) -> int | None:
        """Warp instructions of all."""
        return summed(one.warp_instructions for one in self.each)

    @derived("Thread instructions", "thread inst")
    def thread_instructions(self) -> int | None:
        """Lanes of the active masks of all."""
        return summed(one.thread_instructions for one in self.each)


@dataclass(frozen=True)
class KernelLaunches(LaunchTotals):
    """The launches of one kernel of a module together."""

    module: Annotated[str, Metric("Module")]
    kernel: Annotated[str, Metric("Mangled name")]

    @derived("Kernel")
    def demangled(self) -> str:
        """The kernel's name as its author wrote it."""
        return demangle(self.kernel)


@dataclass(frozen=True)
class Run:
    """Results of a run: its launches in order, the buffers after it, every call of the device."""

    target: str
    device: str
    launches: tuple[LaunchRun, ...]
    buffers: tuple[Buffer, ...]
    recording: Recording = field(repr=False)
    jobs: tuple[Job, ...] = ()

    def __getitem__(self, name: str) -> Array:
        return self.outputs[name]

    @property
    def outputs(self) -> dict[str, Array]:
        """The buffers' values by name."""
        return {b.name: b.values for b in self.buffers}


def run_jobs(jobs: Sequence[Job], options: RunOptions, target: str | None = None) -> Run:
    """Run the launches of jobs one after another; named buffers stay from one to the next."""
    for job in jobs:
        job.refuse_traced("to execute")
    launches = [job.required_launch() for job in jobs]
    device = make_device(options)
    session = LaunchSession(device)
    done = []
    for job, launch in zip(jobs, launches, strict=True):
        titles = parameter_words(job.loaded, job.kernel)
        ended = session.run(job.loaded, job.kernel, launch, titles)
        done.append(LaunchRun(launch.name, ended))
    device.synchronize()
    made = () if options.sanitizer is not None else session.buffers  # nobody asks for them then
    names = _buffer_names(made, jobs)
    buffers = tuple(_made(n, b) for n, b in zip(names, made, strict=True))
    title = target or ", ".join(dict.fromkeys(job.loaded.path for job in jobs))
    recording = device.recording
    return Run(title, device.backend.name, tuple(done), buffers, recording, tuple(jobs))


def parameter_words(loaded: LoadedModule, kernel: Kernel) -> dict[str, str]:
    """What the source calls a kernel's parameters; without it their own names, not the kernel's."""
    own = f"{kernel.name}_"  # as nvcc begins the names of parameters
    names = [p.name for p in kernel.parameters]
    said = parameter_names(loaded, kernel) or [name.removeprefix(own) for name in names]
    return dict(zip(names, said, strict=True))


def _buffer_names(buffers: Sequence[MadeBuffer], jobs: Sequence[Job]) -> list[str]:
    """Name buffers as written or by their parameters, after the launch where those are alike."""
    words = {job.required_launch().name: parameter_words(job.loaded, job.kernel) for job in jobs}
    plain = [b.name or words[b.launch].get(b.argument, b.argument) for b in buffers]
    count = Counter(plain)
    pairs = zip(plain, buffers, strict=True)
    return _names([n if count[n] == 1 else f"{b.launch}.{n}" for n, b in pairs])


def _names(wanted: Sequence[str]) -> list[str]:
    """Distinct names for equal ones: ``a``, ``a.2``."""
    found: dict[str, None] = {}
    for name in wanted:
        number, unique = 1, name
        while unique in found:
            number += 1
            unique = f"{name}.{number}"
        found[unique] = None
    return list(found)


def _made(name: str, buffer: MadeBuffer) -> Buffer:
    """Take a buffer of a launch, and see whether it is no longer what it was."""
    values, digest = _fetched(buffer.array)
    before = buffer.before
    changed = bool(values.any()) if before is None else digest != before
    return Buffer(name, buffer.launch, buffer.argument, buffer.element, values, digest, changed)


def _fetched(array: DeviceArray) -> tuple[Array, str]:
    data, digest = array.device.read_hashed(array.address, array.nbytes)
    return data.view(array.dtype).reshape(array.shape), digest


def run_made(title: str, device: Device, done: Sequence[LaunchRun], returned: object) -> Run:
    """The run that a program has made on a device.

    What it returned are the buffers, else what it left behind there.
    """
    device.synchronize()
    buffers = _returned(returned) or _left(device)
    return Run(title, device.backend.name, tuple(done), tuple(buffers), device.recording)


def _returned(returned: object) -> list[Buffer]:
    """Take arrays out of what a program returns: one, some, or some with names."""
    if returned is None:
        return []
    if isinstance(returned, Mapping):
        named = {str(k): v for k, v in returned.items()}
    elif isinstance(returned, tuple | list):
        named = {f"result {place}": value for place, value in enumerate(returned)}
    else:
        named = {"result": returned}
    found = {name: _values(name, value) for name, value in named.items()}
    return [
        Buffer(name, None, None, element_name(known[0].dtype), *known, None)
        for name, known in found.items()
        if known is not None
    ]


def _values(name: str, value: object) -> tuple[Array, str] | None:
    """Array of what is one or a number, with its hash; None for anything else.

    UsageError for what may hold arrays, which would be lost without a word.
    """
    if isinstance(value, DeviceArray):
        return _fetched(value)
    if isinstance(value, Iterable | Awaitable) and not isinstance(value, _ATOMS):
        words = f"main has returned `{name}`, of type {type(value).__name__}; results are arrays"
        raise UsageError(f"{words} or numbers, some in a list or with names in a dict")
    if not isinstance(value, np.ndarray | np.generic | bool | int | float):
        return None
    array = np.ascontiguousarray(value).reshape(np.shape(value))
    if array.dtype.kind not in "biufcV" or array.dtype.hasobject:
        return None
    return array, content_hash(array.reshape(-1).view(np.uint8))


def _left(device: Device) -> list[Buffer]:
    """Take the arrays that a program has not freed."""
    arrays = list(device.arrays.values())
    names = _names([a.name or f"array {place}" for place, a in enumerate(arrays)])
    return [
        Buffer(name, None, None, element_name(a.dtype), *_fetched(a), None)
        for name, a in zip(names, arrays, strict=True)
    ]


def element_name(dtype: np.dtype[Any]) -> str:
    """A type's name in launch files, NumPy's where it has none there."""
    return _ELEMENTS.get(dtype, str(dtype))


def summed(counts: Iterable[int | None]) -> int | None:
    """The sum of counts of launches; None where one is None: not all of them are known then."""
    known: list[int] = []
    for count in counts:
        if count is None:
            return None
        known.append(count)
    return sum(known)


def by_kernel(launches: Iterable[tuple[str, str, Counted]]) -> list[KernelLaunches]:
    """Launches by module and kernel, in the order in which these first come."""
    groups: dict[tuple[str, str], list[Counted]] = {}
    for module, kernel, counts in launches:
        groups.setdefault((module, kernel), []).append(counts)
    return [KernelLaunches(tuple(each), *names) for names, each in groups.items()]
