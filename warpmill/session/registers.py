"""How many registers a thread of a kernel takes, and who says so."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.frontends.load import FileFormat, LoadedModule
from warpmill.analyzer.ir.kernel import Kernel
from warpmill.session.jobs import Job
from warpmill.session.options import RegistersFrom, RegisterSources
from warpmill.simulator.assembler.registers import RegisterCount
from warpmill.simulator.machines.model import Machine

RECORD = "artefacts.json"
"""The file beside a sample's modules that holds what ptxas said of them."""

_MAX_RECORD_BYTES = 16 << 20
_ARCHITECTURE = re.compile(r"sm_(?P<chip>\d+)(?P<special>[af]?)")


def find_registers(
    loaded: LoadedModule,
    kernel: Kernel,
    live_registers: Callable[[], int],
    machine: Machine,
    sources: RegistersFrom | None = None,
) -> RegisterCount:
    """The registers of a thread, from the first source that knows.

    In this order: ``--regs``; the cubin that ``--cubin`` names; the count that ptxas gave for this
    machine's chip when the sample was built; ptxas where ``--ptxas`` asks for it; the sample's
    count for the nearest chip (assumed); of a clone what the record says of its original (assumed);
    ``.maxnreg`` (assumed); live registers (assumed), which are asked for only then. A count that
    ptxas gave for another chip than the machine's is assumed too. Nothing depends on what is
    installed unless ``--ptxas`` is given.
    A count that is assumed is at most what a thread of the machine can have, as a compiler for it
    would spill the rest. UsageError and InputError for sources that cannot be used.
    """
    found = _found(loaded, kernel, live_registers, machine, RegisterSources.of(sources))
    return _within(found, machine)


def registers_of(job: Job, machine: Machine, sources: RegistersFrom | None = None) -> RegisterCount:
    """The registers of a thread of a job's kernel, as ``find_registers`` does."""
    live = lambda: job.analysis.live_registers  # noqa: E731 - worked out where no one else knows
    return find_registers(job.loaded, job.kernel, live, machine, sources)


def _within(count: RegisterCount, machine: Machine) -> RegisterCount:
    """Cut a count that no compiler gave for this machine down to what the machine has."""
    most = machine.integer("reg.max_per_thread")
    if not count.assumed or count.registers_per_thread <= most:
        return count
    cut = f"{count.registers_per_thread} cut to the machine's most"
    words = f"{count.source}; {cut}, spills are not modelled"
    return RegisterCount(most, words, True)


def _found(
    loaded: LoadedModule,
    kernel: Kernel,
    live_registers: Callable[[], int],
    machine: Machine,
    sources: RegisterSources | None,
) -> RegisterCount:
    sources = sources or RegisterSources()
    chip = chip_number(machine)
    if sources.registers is not None:
        return _given(sources.registers, machine)
    if sources.cubin is not None:
        return _from_cubin(sources.cubin, kernel, chip)
    recorded, outdated = recorded_registers(loaded, kernel)
    if chip is not None and chip in recorded:
        return _recorded(recorded, chip, chip)
    if sources.ptxas:
        return _from_ptxas(loaded, kernel, chip)
    if recorded:
        return _recorded(recorded, _nearest(recorded, chip), chip)
    stated = _stated(loaded, kernel)
    if stated is not None:
        return stated
    return _without_compiler(kernel, live_registers(), outdated)


def chip_number(machine: Machine) -> int | None:
    """The number that ptxas has for a machine's chip: 80 for sm_80; None where it has none."""
    value = machine.get("machine.compute_capability")
    match = None if value is None else re.fullmatch(r"(\d+)\.(\d)", str(value.value))
    return None if match is None else int(match[1]) * 10 + int(match[2])


def _given(registers: int, machine: Machine) -> RegisterCount:
    most = machine.integer("reg.max_per_thread")
    if not 1 <= registers <= most:
        raise UsageError(
            f"--regs {registers}: a thread takes 1 to {most} registers on {machine.name}"
        )
    return RegisterCount(registers, "--regs", False)


def _from_cubin(path: Path, kernel: Kernel, chip: int | None) -> RegisterCount:
    from warpmill.analyzer.machine_code.binaries import read_cubin  # noqa: PLC0415 - only where one is given

    cubin = read_cubin(path)
    source = f"cubin for sm_{cubin.chip} ({path.name})"
    return RegisterCount(cubin.kernel_registers(kernel.name), source, cubin.chip != chip)


def _from_ptxas(loaded: LoadedModule, kernel: Kernel, chip: int | None) -> RegisterCount:
    from warpmill.analyzer.machine_code.ptxas import assemble  # noqa: PLC0415 - only where it is asked for

    if loaded.format is not FileFormat.PTX:
        raise UsageError(f"--ptxas reads PTX only; {loaded.path} is {loaded.format.value}")
    architecture = _assembled_for(loaded.module.target, chip)
    cubin = assemble(loaded.source, kernel.name, architecture)
    count = cubin.kernel_registers(kernel.name)
    return RegisterCount(count, f"ptxas for {architecture}", cubin.chip != chip)


def _assembled_for(target: str, chip: int | None) -> str:
    """Choose the chip to assemble for: the machine's, or the lowest that the PTX allows.

    PTX runs on its target and later chips; with an ``a`` or ``f`` behind it, on that one only.
    """
    match = _ARCHITECTURE.match(target)
    if match is None:
        raise UsageError(f"--ptxas: the module's target is {target}, which is no chip of NVIDIA")
    if match["special"]:
        return match[0]
    return f"sm_{max(int(match['chip']), chip or 0)}"


def recorded_registers(loaded: LoadedModule, kernel: Kernel) -> tuple[Mapping[int, int], bool]:
    """Registers by ptxas when a sample was built, by chip number, and whether it is outdated.

    Outdated: the record beside the module is of a file of this name with other contents; then
    nothing is taken from it. A file that is no such record counts as none.
    """
    entry = _entry(loaded)
    architectures = _table(_table(_table(entry.get("ptxas")).get("kernels")).get(kernel.name))
    found: dict[int, int] = {}
    for name, facts in architectures.items():
        match = _ARCHITECTURE.fullmatch(name)
        count = _table(facts).get("registers")
        if match is not None and type(count) is int and count > 0:
            found[int(match["chip"])] = count
    if not found:
        return {}, False
    return ({}, True) if _is_outdated(entry, loaded) else (found, False)


def _stated(loaded: LoadedModule, kernel: Kernel) -> RegisterCount | None:
    """Registers of a clone's original by the clone's record; None where it has none."""
    entry = _entry(loaded)
    facts = _table(_table(_table(entry.get("stated")).get("kernels")).get(kernel.name))
    count, source = facts.get("registers"), facts.get("source")
    if type(count) is not int or count <= 0 or _is_outdated(entry, loaded):
        return None
    return RegisterCount(count, f"of the original: {source} ({RECORD})", True)


def _entry(loaded: LoadedModule) -> dict[str, Any]:
    """Entry of a module in the record beside it; nothing where it was no file."""
    module = Path(loaded.path)
    if not module.name:
        return {}
    return _table(_table(_read_record(module.with_name(RECORD))).get(module.name))


def _is_outdated(entry: Mapping[str, Any], loaded: LoadedModule) -> bool:
    """Whether a record is of another text than the one that was read."""
    return bool(entry.get("sha256") != hashlib.sha256(loaded.source.text.encode()).hexdigest())


def _read_record(path: Path) -> object:
    try:
        status = path.stat()
        if status.st_size > _MAX_RECORD_BYTES:
            return None
        return _parsed(path, status.st_mtime_ns, status.st_size)
    except (OSError, ValueError, RecursionError):
        return None  # there is none, or what is there is something else's


@lru_cache(maxsize=8)
def _parsed(path: Path, _changed_ns: int, _bytes: int) -> object:
    """Read JSON, once until the file is another; nobody changes what it gives."""
    return json.loads(path.read_bytes())


def _table(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _nearest(recorded: Mapping[int, int], chip: int | None) -> int:
    """The recorded chip whose number is nearest; the lowest where the machine has none."""
    return min(recorded, key=lambda other: (abs(other - (chip or 0)), other))


def _recorded(recorded: Mapping[int, int], used: int, chip: int | None) -> RegisterCount:
    if used == chip:
        return RegisterCount(recorded[used], f"ptxas for sm_{used} ({RECORD})", False)
    own = "" if chip is None else f", the nearest to sm_{chip}"
    return RegisterCount(recorded[used], f"ptxas for sm_{used}{own} ({RECORD})", True)


def _without_compiler(kernel: Kernel, live_registers: int, outdated: bool) -> RegisterCount:
    note = f" ({RECORD} is of another version of the module)" if outdated else ""
    most = kernel.bounds.max_registers
    if most is not None:
        return RegisterCount(most, f".maxnreg{note}", True)
    return RegisterCount(live_registers, f"live registers{note}", True)
