"""Traces of a launch that is executed, CTA by CTA, when they are asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from warpmill.analyzer.ir.kernel import Kernel
from warpmill.analyzer.launch.model import BufferArgument, Launch, RefArgument, StructArgument
from warpmill.analyzer.launch.numbering import PARAMETER_BASE, ravel_index
from warpmill.analyzer.traces.event_batch import EventBatch
from warpmill.analyzer.traces.layout import LaunchLayout, MemoryRegion
from warpmill.analyzer.traces.model import Assumption, WarpTrace
from warpmill.analyzer.traces.static.values import KnownNumbers
from warpmill.executor.cta_tracing import CtaTracer
from warpmill.executor.host.backend import LaunchRequest
from warpmill.executor.host.cpu_device import CpuBackend

Triple = tuple[int, int, int]


class ExecutedSource:
    """Traces of what a launch does with its data (a ``TraceSource``).

    The launch is one that could be made on ``backend`` now; what its CTAs leave in the device's
    memory is undefined, until ``finish`` says what it is. ``layout`` is the one that
    ``layout_on`` gives, and ``data`` a hash of what buffers hold. ExecutionFault and LimitError as
    executing it gives.
    """

    kind = "executed"
    ctas = None
    assumptions: tuple[Assumption, ...] = ()

    def __init__(
        self,
        backend: CpuBackend,
        request: LaunchRequest,
        layout: LaunchLayout,
        reason: str,
        data: str = "",
    ) -> None:
        self._kernel, self.reason, self.layout, self.data = request.kernel, reason, layout, data
        self._backend, self._tracer = backend, CtaTracer(backend.prepared(request))
        self._explaining = partial(backend.explaining, request)

    @property
    def kernel(self) -> Kernel:
        """The kernel whose blocks the traces name."""
        return self._kernel

    def warps(self, cta: Triple) -> tuple[WarpTrace, ...]:
        """The traces of a CTA's warps, in order."""
        return next(iter(self.many([cta])))

    def many(self, ctas: Iterable[Triple]) -> Iterator[tuple[WarpTrace, ...]]:
        """The traces of several CTAs, in order."""
        for batch in self.batches(ctas):
            yield from map(batch.traces, range(len(batch.ctas)))

    def finish(self) -> bool:
        """Whether tracing has made the launch, all CTAs once; it counts as made then.

        Else the device's memory is what it was before the launch, which can be made now.
        """
        if self._tracer.is_whole:
            self._backend.count_as_made(self._tracer.thread_instructions)
            return True
        self._tracer.restore()
        return False

    def batches(self, ctas: Iterable[Triple]) -> Iterator[EventBatch]:
        """The events of several CTAs as arrays, in order, some CTAs at a time."""
        with self._explaining():
            yield from self._tracer.batches(map(self._number, ctas))

    def beginnings(self, ctas: Iterable[Triple], words: int) -> EventBatch | None:
        """The events that CTAs begin with, as ``SupportsProbing`` says."""
        with self._explaining():
            return self._tracer.beginnings(sorted(map(self._number, ctas)), words)

    def executions(self, ctas: Iterable[Triple]) -> Sequence[Mapping[int, int]] | None:
        """Count executions of blocks; as ``analyzer.traces.source.SupportsProbing`` says."""
        with self._explaining():
            found = self._tracer.executions(sorted(map(self._number, ctas)))
        return None if found is None else [dict(enumerate(own)) for own in found.tolist()]

    def _number(self, cta: Triple) -> int:
        return ravel_index(cta, self._tracer.tables.grid)


def _regions(backend: CpuBackend) -> tuple[MemoryRegion, ...]:
    return tuple(
        MemoryRegion(a.name or f"{a.address:#x}", a.address, a.bytes)
        for a in backend.memory.allocations
    )


def layout_on(
    backend: CpuBackend, request: LaunchRequest, launch: Launch, layout: LaunchLayout
) -> LaunchLayout:
    """The layout of a launch as it is on a device: where its buffers and variables really lie.

    ``layout`` is that of the launch alone (``lay_out``); other launches may have come before.
    """
    size = request.loaded.module.address_bits // 8
    arguments = dict(layout.arguments)
    for parameter, start, argument in zip(
        request.kernel.parameters, request.offsets, launch.arguments, strict=True
    ):
        parts = [(0, argument)]
        if isinstance(argument, StructArgument):
            parts = list(zip(argument.offsets, argument.fields, strict=True))
        for offset, part in parts:
            if isinstance(part, BufferArgument | RefArgument):
                name = parameter.name + (f"+{offset}" if offset else "")
                held = request.params[start + offset : start + offset + size]
                arguments[name] = KnownNumbers(int.from_bytes(held, "little"))
    constants = tuple(r for r in layout.regions if r.start >= PARAMETER_BASE)
    addresses = dict(layout.addresses) | backend.variable_addresses(request)
    return replace(
        layout, arguments=arguments, addresses=addresses, regions=(*_regions(backend), *constants)
    )
