"""Facts of a GPU from the CUDA driver: its name, its counts and its limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from warpmill.analyzer.base.diagnostics import Diagnostic, Severity, UsageError
from warpmill.calibration.probes import ProbedMachine, check_warps
from warpmill.codegen.microbench.frame import WARP
from warpmill.executor.host.cuda_device import CudaError, Driver, load_driver

ATTRIBUTES: Mapping[str, str] = {
    "sm.count": "MULTIPROCESSOR_COUNT",
    "sm.max_threads": "MAX_THREADS_PER_MULTIPROCESSOR",
    "sm.max_blocks": "MAX_BLOCKS_PER_MULTIPROCESSOR",
    "sm.max_threads_per_block": "MAX_THREADS_PER_BLOCK",
    "machine.warp_size": "WARP_SIZE",
    "reg.per_sm": "MAX_REGISTERS_PER_MULTIPROCESSOR",
    "reg.per_block": "MAX_REGISTERS_PER_BLOCK",
    "shared.per_sm_bytes": "MAX_SHARED_MEMORY_PER_MULTIPROCESSOR",
    "shared.per_block_bytes": "MAX_SHARED_MEMORY_PER_BLOCK",
    "shared.per_block_optin_bytes": "MAX_SHARED_MEMORY_PER_BLOCK_OPTIN",
    "shared.reserved_per_block_bytes": "RESERVED_SHARED_MEMORY_PER_BLOCK",
    "dram.bus_bits": "GLOBAL_MEMORY_BUS_WIDTH",
}
"""Keys of machines that attributes of the driver are; the driver's names begin alike."""

_PREFIX = "CU_DEVICE_ATTRIBUTE_"
_MAJOR, _MINOR = "COMPUTE_CAPABILITY_MAJOR", "COMPUTE_CAPABILITY_MINOR"
_L2 = "L2_CACHE_SIZE"
_NAME_BYTES = 256
_WIDE_CODE = 70
"""Compute capability from which on an instruction is 16 B, 8 B before."""


@dataclass(frozen=True)
class DriverFacts:
    """A GPU by its driver. ``values`` has those of ``ATTRIBUTES`` that it knows, by key.

    ``version`` is that of the driver's interface: 13000 for 13.0.
    """

    name: str
    capability: int
    l2_bytes: int
    memory_bytes: int
    version: int
    values: Mapping[str, int]


def gpu_facts(driver: Driver | None = None) -> DriverFacts:
    """Facts of the first GPU, by its driver.

    UsageError where there is none: it says what a calibration without a GPU looks like.
    """
    driver = driver or _driver()
    device = driver.call("cuDeviceGet", 0)
    known = {key: _attribute(driver, device, name) for key, name in ATTRIBUTES.items()}
    major, minor = (_attribute(driver, device, name) or 0 for name in (_MAJOR, _MINOR))
    raw = driver.call("cuDeviceGetName", _NAME_BYTES, device)
    name = bytes(raw).split(b"\0")[0].decode(errors="replace").strip()
    return DriverFacts(
        name,
        10 * major + minor,
        _attribute(driver, device, _L2) or 0,
        int(driver.call("cuDeviceTotalMem", device)),
        int(driver.call("cuDriverGetVersion")),
        {key: value for key, value in known.items() if value},
    )


def _driver() -> Driver:
    try:
        return load_driver()
    except UsageError as error:
        told = error.diagnostics[0]
        why = told.message.partition(": ")[2] or told.message
        words = f"there is no GPU that could be calibrated: {why}"
        hint = "--on-model NAME calibrates on the model of a machine, such as --on-model v100"
        hint = hint if told.hint is None else f"{told.hint}; {hint}"
        raise UsageError(Diagnostic(Severity.ERROR, words, hint=hint)) from None


def _attribute(driver: Driver, device: object, name: str) -> int | None:
    """An attribute; None where this driver does not know it."""
    names = driver.names.CUdevice_attribute
    try:
        return int(driver.call("cuDeviceGetAttribute", getattr(names, _PREFIX + name), device))
    except (AttributeError, CudaError):
        return None


def target_of(facts: DriverFacts) -> ProbedMachine:
    """Facts of a GPU that benchmarks need. UsageError for one whose warps are not of 32."""
    values = facts.values
    warp = values.get("machine.warp_size", WARP)
    check_warps(facts.name, warp)
    return ProbedMachine(
        name=facts.name,
        chip=f"sm_{facts.capability}",
        capability=facts.capability,
        sms=values["sm.count"],
        max_warps=values["sm.max_threads"] // warp,
        max_block=values["sm.max_threads_per_block"],
        sm_mhz=None,
        l2_bytes=facts.l2_bytes,
        memory_bytes=facts.memory_bytes,
        instruction_bytes=16 if facts.capability >= _WIDE_CODE else 8,
        is_model=False,
        reserved_bytes=values.get("shared.reserved_per_block_bytes", 0),
        machine_code=facts.capability,
    )
