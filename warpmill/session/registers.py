"""How many registers a thread of a kernel takes, and who says so."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from warpmill.analyzer.base.diagnostics import UsageError, WarpmillError
from warpmill.analyzer.frontends.load import FileFormat, LoadedModule
from warpmill.analyzer.ir.kernel import Kernel, allocate_bytes
from warpmill.analyzer.ir.types import Space
from warpmill.session.jobs import Job
from warpmill.session.options import RegistersFrom, RegisterSources
from warpmill.simulator.assembler.registers import RegisterCount, RegisterDemand, Spilled
from warpmill.simulator.machines.model import Machine

if TYPE_CHECKING:
    from warpmill.analyzer.machine_code.cubins import Cubin

RECORD = "artefacts.json"
"""The file beside a sample's modules that holds what ptxas said of them."""

_MAX_RECORD_BYTES = 16 << 20
_ARCHITECTURE = re.compile(r"sm_(?P<chip>\d+)(?P<special>[af]?)")


NO_PTXAS = "WARPMILL_NO_PTXAS"
"""Environment variable that keeps ptxas from being asked where nobody asks for it."""


def find_registers(
    loaded: LoadedModule,
    kernel: Kernel,
    demand: Callable[[], RegisterDemand],
    machine: Machine,
    sources: RegistersFrom | None = None,
) -> RegisterCount:
    """The registers of a thread, and what they do not hold, from the first source that knows.

    In this order: ``--regs``; the cubin that ``--cubin`` names; a trace's header; the count that
    ptxas gave for this machine's chip when the sample was built; ptxas where ``--ptxas`` asks for
    it; the cubin that Triton's cache has beside the PTX; the sample's count for the nearest chip
    (assumed); of a clone what the record says of its original (assumed); ptxas where it is on PATH
    and takes the text, unless ``--no-ptxas`` or ``NO_PTXAS`` are given; ``.maxnreg`` (assumed);
    live registers (assumed). A count that ptxas gave for another chip than the machine's is assumed
    too, and at most what a thread of the machine can have.

    A compiler tells what is spilled; otherwise it is modelled where fewer registers are there than
    the ``demand``. UsageError and InputError for sources that cannot be used.
    """
    found = _found(loaded, kernel, demand, machine, RegisterSources.of(sources))
    return _within(found, demand, machine)


def registers_of(job: Job, machine: Machine, sources: RegistersFrom | None = None) -> RegisterCount:
    """The registers of a thread of a job's kernel, as ``find_registers`` does."""
    demand = lambda: job.analysis.register_demand  # noqa: E731 - worked out where no one else knows
    return find_registers(job.loaded, job.kernel, demand, machine, sources)


def _within(
    count: RegisterCount, demand: Callable[[], RegisterDemand], machine: Machine
) -> RegisterCount:
    """Cut a count that no compiler gave for this machine down to what the machine has."""
    most = machine.integer("reg.max_per_thread")
    if not count.assumed or count.registers_per_thread <= most:
        return count
    words = f"{count.source}; {count.registers_per_thread} cut to the machine's most"
    return _modelled(most, words, True, f"a thread of {machine.name} has {most}", demand)


def _modelled(
    registers: int, source: str, assumed: bool, cause: str, demand: Callable[[], RegisterDemand]
) -> RegisterCount:
    """A count that no compiler gave, with what it spills by the model."""
    few = registers < demand().fewest
    return RegisterCount(registers, source, assumed, Spilled(cause) if few else None)


def _found(
    loaded: LoadedModule,
    kernel: Kernel,
    demand: Callable[[], RegisterDemand],
    machine: Machine,
    sources: RegisterSources | None,
) -> RegisterCount:
    sources = sources or RegisterSources()
    chip = chip_number(machine)
    if sources.registers is not None:
        return _given(sources.registers, machine, demand)
    if sources.cubin is not None:
        return _from_cubin(sources.cubin, kernel, chip)
    if loaded.format is FileFormat.ACCELSIM:
        return _of_trace(loaded, kernel, demand, chip)
    recorded, outdated = recorded_registers(loaded, kernel)
    if chip is not None and chip in recorded:
        return _recorded(recorded, chip, chip)
    if sources.ptxas:
        return _from_ptxas(loaded, kernel, chip)
    beside = _of_triton(loaded)
    if beside is not None:
        return _from_cubin(beside, kernel, chip)
    if recorded:
        return _recorded(recorded, _nearest(recorded, chip), chip)
    stated = _stated(loaded, kernel)
    if stated is not None:
        return stated
    there = None if sources.ptxas is False else _ptxas_there(loaded, kernel, chip)
    return there or _without_compiler(demand, outdated)


def chip_number(machine: Machine) -> int | None:
    """The number that ptxas has for a machine's chip: 80 for sm_80; None where it has none."""
    value = machine.get("machine.compute_capability")
    match = None if value is None else re.fullmatch(r"(\d+)\.(\d)", str(value.value))
    return None if match is None else int(match[1]) * 10 + int(match[2])


def _given(registers: int, machine: Machine, demand: Callable[[], RegisterDemand]) -> RegisterCount:
    most = machine.integer("reg.max_per_thread")
    if not 1 <= registers <= most:
        raise UsageError(
            f"--regs {registers}: a thread takes 1 to {most} registers on {machine.name}"
        )
    return _modelled(registers, "--regs", False, f"--regs {registers}", demand)


def _from_cubin(path: Path, kernel: Kernel, chip: int | None) -> RegisterCount:
    from warpmill.analyzer.machine_code.cubins import read_cubin  # noqa: PLC0415 - only where one is given

    cubin = read_cubin(path)
    source = f"cubin for sm_{cubin.chip} ({path.name})"
    count = cubin.kernel_registers(kernel.name)
    spilled = _of_frame(cubin, kernel, f"cubin with {count} registers")
    return RegisterCount(count, source, cubin.chip != chip, spilled)


def _of_triton(loaded: LoadedModule) -> Path | None:
    """The cubin that Triton's cache has beside a module; None where there is none."""
    path = Path(loaded.path)
    cubin = path.with_suffix(".cubin") if path.name else path
    if not path.name or not cubin.is_file():
        return None
    from warpmill.analyzer.launch.triton import triton_launch_beside  # noqa: PLC0415 - only then

    return None if triton_launch_beside(path) is None else cubin


def _of_trace(
    loaded: LoadedModule, kernel: Kernel, demand: Callable[[], RegisterDemand], chip: int | None
) -> RegisterCount:
    """The count that a trace's header tells: of the chip that it was traced on."""
    count = kernel.bounds.max_registers
    if count is None:
        return _without_compiler(demand, outdated=False)
    target = loaded.module.target
    return RegisterCount(count, f"header of the trace for {target}", target != f"sm_{chip}")


def _of_frame(cubin: Cubin, kernel: Kernel, cause: str) -> Spilled | None:
    """Spills that lie in what a cubin's frame has beside the kernel's own variables."""
    own = allocate_bytes(v for v in kernel.variables if v.space is Space.LOCAL)
    more = (cubin.kernel(kernel.name).stack_frame_bytes or 0) - own
    return Spilled(cause, frame_bytes=more) if more > 0 else None


def _from_ptxas(loaded: LoadedModule, kernel: Kernel, chip: int | None) -> RegisterCount:
    from warpmill.analyzer.machine_code.ptxas import assemble  # noqa: PLC0415 - only where it is asked for

    if loaded.format is not FileFormat.PTX:
        raise UsageError(f"--ptxas reads PTX only; {loaded.path} is {loaded.format.value}")
    architecture = _assembled_for(loaded.module.target, chip)
    found = assemble(loaded.source, kernel.name, architecture)
    count, source = found.cubin.kernel_registers(kernel.name), f"ptxas for {architecture}"
    return RegisterCount(count, source, found.cubin.chip != chip, _told(found.figures, source))


def _told(figures: Mapping[str, int], source: str) -> Spilled | None:
    """Spills that ptxas has told."""
    stored, loaded = (figures.get(f"spill_{kind}_bytes", 0) for kind in ("store", "load"))
    if not stored and not loaded:
        return None
    return Spilled(source, stored, loaded, is_modelled=False)


def _ptxas_there(loaded: LoadedModule, kernel: Kernel, chip: int | None) -> RegisterCount | None:
    """The count of a ptxas that nobody has asked for; None where there is none, or it fails."""
    if loaded.format is not FileFormat.PTX or chip is None or os.environ.get(NO_PTXAS):
        return None
    if shutil.which("ptxas") is None:
        return None
    try:
        return _from_ptxas(loaded, kernel, chip)
    except WarpmillError:
        return None  # it does not know the chip, or not the text


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


def recorded_registers(
    loaded: LoadedModule, kernel: Kernel
) -> tuple[Mapping[int, RegisterCount], bool]:
    """Registers by ptxas when a sample was built, by chip number, and whether it is outdated.

    Outdated: the record beside the module is of a file of this name with other contents; then
    nothing is taken from it. A file that is no such record counts as none.
    """
    entry = _entry(loaded)
    architectures = _table(_table(_table(entry.get("ptxas")).get("kernels")).get(kernel.name))
    found: dict[int, RegisterCount] = {}
    for name, facts in architectures.items():
        match = _ARCHITECTURE.fullmatch(name)
        figures = {k: n for k, n in _table(facts).items() if type(n) is int}
        count = figures.get("registers", 0)
        if match is not None and count > 0:
            source = f"ptxas for {name}"
            found[int(match["chip"])] = RegisterCount(count, source, False, _told(figures, source))
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


def _nearest(recorded: Mapping[int, RegisterCount], chip: int | None) -> int:
    """The recorded chip whose number is nearest; the lowest where the machine has none."""
    return min(recorded, key=lambda other: (abs(other - (chip or 0)), other))


def _recorded(recorded: Mapping[int, RegisterCount], used: int, chip: int | None) -> RegisterCount:
    if used == chip:
        return replace(recorded[used], source=f"ptxas for sm_{used} ({RECORD})")
    own = "" if chip is None else f", the nearest to sm_{chip}"
    words = f"ptxas for sm_{used}{own} ({RECORD})"
    return replace(recorded[used], source=words, assumed=True)


def _without_compiler(demand: Callable[[], RegisterDemand], outdated: bool) -> RegisterCount:
    note = f" ({RECORD} is of another version of the module)" if outdated else ""
    found = demand()
    words = "live registers" if found.limit is None else found.limit
    return _modelled(found.registers, f"{words}{note}", True, words, demand)
