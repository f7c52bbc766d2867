"""Micro-benchmarks as devices take them: their texts read, their memory filled.

``GpuRunner`` has them as probes on a GPU, through ``cuda.bindings``: several launches of each,
timed by the SM's clock.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, cached_property

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.frontends import ptx
from warpmill.analyzer.frontends.load import FileFormat, LoadedModule
from warpmill.calibration.gpu_facts import DriverFacts, target_of
from warpmill.calibration.probes import Probe, ProbedMachine, Reading, Ring
from warpmill.codegen.microbench.frame import LOCATOR, RECORD_BYTES, Microbench, measured_operations
from warpmill.codegen.microbench.kernels import chain
from warpmill.executor.host.device import Device
from warpmill.executor.host.device_array import DeviceArray
from warpmill.executor.host.modules import DeviceKernel, DeviceModule
from warpmill.executor.host.texture_objects import Texture


@cache
def loaded(bench: Microbench) -> LoadedModule:
    """Read a micro-benchmark's text, once."""
    source = Source(f"{bench.name}.ptx", bench.text)
    parsed = ptx.parse(source, None)
    return LoadedModule(source.name, FileFormat.PTX, parsed.module, parsed.diagnostics, source)


def load(device: Device, bench: Microbench) -> DeviceModule:
    """Module of a micro-benchmark, loaded on a device."""
    return device.load(bench.text, f"{bench.name}.ptx")


class OnDevice:
    """A probe on a device: its kernel taken, its memory filled. ``arguments`` are the launch's.

    ``module`` is the benchmark's, where the device has loaded it already.
    """

    def __init__(self, device: Device, probe: Probe, module: DeviceModule | None = None) -> None:
        self._device, self._probe = device, probe
        self._module = module or load(device, probe.bench)
        self.kernel = self._taken(probe.bench.kernel)
        self.records = device.zeros(RECORD_BYTES * probe.warps, np.uint8, name="records")
        self._memory = self._filled()
        self.arguments = [self.records, self._memory, probe.turns, *probe.numbers]

    def free(self) -> None:
        """Memory back; of textures the device keeps what they were made of."""
        self._device.free(self.records)
        if isinstance(self._memory, DeviceArray) and self._memory is not self.records:
            self._device.free(self._memory)

    def _taken(self, name: str) -> DeviceKernel:
        """A kernel as it was read; so a device that compiles it does that once."""
        read = loaded(self._probe.bench)
        return self._module.take(read, read.module.kernel(name))

    def _filled(self) -> DeviceArray | Texture:
        ring = self._probe.memory
        if not isinstance(ring, Ring):
            return self._device.zeros(ring.size_bytes, np.uint8, name="memory")
        if ring.space == "texture":
            return self._device.texture(ring.links(0), linear_memory=True)
        if ring.space == "const":
            self._fill_table(ring)
            return self.records
        memory = self._device.empty(ring.size_bytes, np.uint8, name="memory")
        memory.set(ring.links(memory.address).view(np.uint8))
        return memory

    def _fill_table(self, ring: Ring) -> None:
        """Write a ring to constant memory; its links are where the code finds them."""
        self._device.launch(self._taken(LOCATOR), 1, 1, [self.records])
        begin = int(self.records.get()[:8].view(np.uint64)[0])
        table = self._device.symbol(self._module, str(self._probe.bench.table))
        whole: npt.NDArray[np.uint8] = np.zeros(table.nbytes, np.uint8)
        links = ring.links(begin).view(np.uint8)
        whole[: links.size] = links
        table.set(whole)


_LONG_TURNS = (1 << 14, 1 << 17)
_FLUSHED_BYTES = 1 << 26
_BEHIND_TURNS = 1 << 18


class GpuRunner:
    """Runs probes on the first GPU, each once untimed and then ``repeats`` times.

    Cycles are those of the SM's own clock, which kernels read around their loops: of a warp on
    average where each follows pointers of its own, else of the warp that takes longest. Seconds are
    those between events around the launch.
    """

    def __init__(self, device: Device, facts: DriverFacts, repeats: int = 7) -> None:
        self._device, self._repeats = device, repeats
        self._modules: dict[Microbench, DeviceModule] = {}
        self._known: dict[Probe, Reading] = {}
        self._begin, self._end = device.event(), device.event()
        self.facts = facts
        self.target: ProbedMachine = target_of(facts)
        self.launches = 0

    @property
    def benches(self) -> tuple[Microbench, ...]:
        """The micro-benchmarks that were launched, each once."""
        return tuple(self._modules)

    @cached_property
    def sm_mhz(self) -> float:
        """The clock of the SMs under load: cycles of long loops over the seconds they take."""
        bench = chain(measured_operations()["int_mad"], 1, 48, self.target.chip)
        short, long = self.read([Probe(bench, n, self.target.sms) for n in _LONG_TURNS])
        return (long.typical - short.typical) / (long.time_s - short.time_s) / 1e6

    def read(self, probes: Sequence[Probe]) -> list[Reading]:
        """Launch those of the probes that were not launched before."""
        for probe in probes:
            if probe not in self._known:
                self._known[probe] = self._launched(probe)
        return [self._known[probe] for probe in probes]

    def queued_us(self, probe: Probe, count: int, *, behind: bool) -> tuple[float, ...]:
        """Launch so many in a row, as ``Runner`` says."""
        made, long = self._on_device(probe), self._on_device(self._long_probe())
        times = []
        for _ in range(self._repeats + 1):
            if behind:
                self._start(long, self._long_probe())
            self._begin.record()
            for _ in range(count):
                self._start(made, probe)
            self._end.record()
            times.append(1e3 * self._elapsed_ms() / count)
        made.free()
        long.free()
        return tuple(times[1:])

    def _long_probe(self) -> Probe:
        bench = chain(measured_operations()["int_mad"], 1, 48, self.target.chip)
        return Probe(bench, _BEHIND_TURNS)

    def _launched(self, probe: Probe) -> Reading:
        made = self._on_device(probe)
        scratch = self._scratch() if probe.cold else None
        cycles, seconds = [], []
        for _ in range(self._repeats + 1):
            if scratch is not None:
                self._device.backend.fill(scratch.address, 1, scratch.nbytes, 0)
            self._begin.record()
            self._start(made, probe)
            self._end.record()
            seconds.append(self._elapsed_ms() / 1e3)
            cycles.append(self._cycles(made, probe, seconds[-1]))
        made.free()
        if scratch is not None:
            self._device.free(scratch)
        return Reading(tuple(cycles[1:]), tuple(seconds[1:]))

    def _on_device(self, probe: Probe) -> OnDevice:
        if probe.bench not in self._modules:
            self._modules[probe.bench] = load(self._device, probe.bench)
        return OnDevice(self._device, probe, self._modules[probe.bench])

    def _scratch(self) -> DeviceArray:
        """Make memory that drives all else out of L2 when it is written."""
        size = max(_FLUSHED_BYTES, 3 * self.target.l2_bytes)
        return self._device.empty(size, np.uint8, name="scratch")

    def _start(self, made: OnDevice, probe: Probe) -> None:
        self._device.launch(made.kernel, probe.grid, probe.block, made.arguments)
        self.launches += 1

    def _elapsed_ms(self) -> float:
        found = self._end.elapsed_ms(self._begin)
        assert found is not None
        return found

    def _cycles(self, made: OnDevice, probe: Probe, seconds: float) -> float:
        """Read the records of a launch; where the kernel keeps none, take its time by the clock."""
        if not probe.bench.clocked:
            return seconds * self.sm_mhz * 1e6
        records = made.records.get().view(np.uint64).reshape(-1, RECORD_BYTES // 8)[:, 0]
        return float(records.mean() if isinstance(probe.memory, Ring) else records.max())
