"""Device below its Python interface: on the CPU here, or on a GPU."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Protocol

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.metric import INTERNAL, Metric, derived
from warpmill.analyzer.frontends.load import LoadedModule
from warpmill.analyzer.ir.kernel import Kernel, Special, Variable
from warpmill.analyzer.launch.model import ELEMENT_TYPES
from warpmill.executor.native.specials import GRID_WORKSPACE_HALVES

Dim3 = tuple[int, int, int]
Bytes = npt.NDArray[np.uint8]

FILTERS = ("point", "linear")
"""Filter modes between a texture's elements: the nearest, or a mean by distance."""

ADDRESS_MODES = ("clamp", "wrap", "mirror", "border")
"""Address modes outside a texture: the edge's element, a repetition, a reflection, zero."""


@dataclass(frozen=True)
class TextureSpec:
    """A texture or surface object: how its memory is laid out and how it is sampled.

    ``extent`` is width, height and depth in elements, as many as there are dimensions; ``element``
    one of the types of launch files, ``channels`` 1, 2 or 4 of them an element. ``layers`` counts
    those of an array of textures, the faces of a cube among them; 0: it is none.
    ``normalised_coordinates``: coordinates run from 0 to 1. ``normalised_values``: integers of 8
    or 16 bits are read as floating-point numbers from 0 or -1 to 1. ``is_linear``: over plain
    memory, which ``tex1Dfetch`` reads, and not over an array of a GPU's own layout.
    """

    element: str
    extent: tuple[int, ...]
    channels: int = 1
    filter: str = "point"
    address_modes: tuple[str, ...] = ("clamp", "clamp", "clamp")
    normalised_coordinates: bool = False
    normalised_values: bool = False
    is_surface: bool = False
    layers: int = 0
    is_cube: bool = False
    is_linear: bool = False

    @property
    def kind(self) -> str:
        """Kind of the object: ``texture`` or ``surface``."""
        return "surface" if self.is_surface else "texture"

    @property
    def bytes(self) -> int:
        """Bytes of all elements."""
        size = self.channels * ELEMENT_TYPES[self.element].size_bytes
        return math.prod(self.extent) * max(1, self.layers) * size


@dataclass(frozen=True)
class LaunchRequest:
    """A launch as a backend takes it: the kernel with its module, and its parameters' bytes."""

    module: int
    loaded: LoadedModule
    kernel: Kernel
    grid: Dim3
    block: Dim3
    dynamic_shared_bytes: int
    params: bytes
    offsets: tuple[int, ...]  # of each parameter in ``params``
    stream: int


@dataclass(frozen=True)
class LaunchOutcome:
    """Outcome of a launch; null where the device does not count.

    Thread instructions count the lanes of the active mask. ``seconds`` are those of the computer
    that executed it, without compilation: no estimate of a GPU's time. ``printed`` is what threads
    printed, ``execution`` has the counts of each block; where there are any.
    """

    warp_instructions: Annotated[int | None, Metric("Warp instructions", "inst")] = None
    thread_instructions: Annotated[int | None, Metric("Thread instructions", "thread inst")] = None
    ctas: Annotated[int | None, INTERNAL] = None
    seconds: Annotated[float | None, Metric("Execution time", "s")] = None
    printed: str = ""
    execution: Annotated[object | None, INTERNAL] = None

    @derived("Thread instruction rate")
    def thread_instructions_per_second(self) -> float | None:
        """How fast it was executed; null where one of both is not counted."""
        if self.thread_instructions is None or not self.seconds:
            return None
        return self.thread_instructions / self.seconds


class DeviceBackend(Protocol):
    """A device's memory, modules and streams. Streams and events are numbers, 0 the default one.

    Addresses are of the device. ``read`` gives a copy. LimitError, InputError and ExecutionFault.
    """

    name: str

    def allocate(self, size: int, name: str | None, *, zeroed: bool) -> int:
        """The address of new memory."""

    def free(self, address: int) -> None:
        """Memory back, by the address that ``allocate`` gave."""

    def write(self, address: int, data: Bytes, stream: int) -> None:
        """Copy host memory to the device."""

    def read(self, address: int, size: int, stream: int) -> Bytes:
        """Copy device memory to the host."""

    def note_results(self, address: int, size: int) -> None:
        """Note that a program takes memory for its results: whoever watches looks at it."""

    def copy(self, address: int, source: int, size: int, stream: int) -> None:
        """Copy device memory to ``address``."""

    def fill(self, address: int, value: int, size: int, stream: int) -> None:
        """Set bytes."""

    def symbol(self, module: int, loaded: LoadedModule, variable: Variable) -> int:
        """The address of a module's variable."""

    def texture(self, spec: TextureSpec, address: int, over: int | None) -> int:
        """Make a texture or surface object of a copy of device memory; give its handle.

        ``over``: of the memory of another object instead, by its handle.
        """

    def read_texture(self, handle: int) -> Bytes:
        """Copy an object's elements to the host, when all work is done."""

    def copy_texture(self, handle: int, address: int, stream: int) -> None:
        """Copy an object's elements to device memory, in the order of the stream."""

    def launch(self, request: LaunchRequest) -> LaunchOutcome:
        """Run a kernel, or put it into its stream."""

    def stream(self) -> int:
        """Make a stream."""

    def event(self) -> int:
        """Make an event."""

    def record_event(self, event: int, stream: int) -> None:
        """Record an event in a stream."""

    def wait_event(self, event: int, stream: int) -> None:
        """Make a stream wait for an event."""

    def elapsed_ms(self, start: int, end: int) -> float | None:
        """The time between two events in milliseconds; None where there is no clock."""

    def synchronize(self, stream: int | None) -> None:
        """Wait for a stream, or for all of them."""

    def flush(self, stream: int | None) -> None:
        """Submit what waits in a stream, or in all of them; returns at once."""


def is_cooperative(kernel: Kernel) -> bool:
    """Whether a kernel reads the registers in which cooperative launches pass their workspace.

    On a GPU only a cooperative launch sets them, and all its CTAs are resident.
    """
    operands = [o for i in kernel.instructions for o in i.operands if isinstance(o, Special)]
    return any(operand.name in GRID_WORKSPACE_HALVES for operand in operands)
