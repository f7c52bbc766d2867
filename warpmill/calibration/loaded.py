"""Micro-benchmarks as devices take them: their texts read, their memory filled."""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.frontends import ptx
from warpmill.analyzer.frontends.load import FileFormat, LoadedModule
from warpmill.calibration.probes import Probe, Ring
from warpmill.codegen.microbench.frame import LOCATOR, RECORD_BYTES, Microbench
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
