"""A simulation put away at a cycle, and taken up again by the same warpmill with the same launches.

What is kept: the words of the state, the traces that are at hand, and how far each launch's traces
were taken. Traces to come are made anew from where they were; executed ones run what lies before.
"""

from __future__ import annotations

import io
import zipfile
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import zstandard

from warpmill.analyzer.base.diagnostics import InputError
from warpmill.analyzer.base.input_files import (
    MAX_UNPACKED_BYTES,
    input_limit,
    read_input,
    read_up_to,
)
from warpmill.analyzer.base.whole_files import write_whole
from warpmill.simulator.gpu import fields as f
from warpmill.simulator.gpu.compiled import sources_digest
from warpmill.simulator.gpu.pool import Batch, Window
from warpmill.simulator.gpu.simulate import Counts, Simulation

_MAGIC = b"WMSIM001"

_DAMAGED = (
    *(zstandard.ZstdError, zipfile.BadZipFile, ValueError, OSError, KeyError, IndexError),
    *(TypeError, MemoryError, EOFError),
)
"""What reading a file raises that is no checkpoint, or not a whole one."""


def save(simulation: Simulation, path: Path) -> None:
    """Write what a simulation has come to into a file, whole or not at all. UsageError."""
    held = io.BytesIO()
    arrays: dict[str, npt.NDArray[Any]] = {
        "digest": np.frombuffer(_digest(simulation), np.uint8),
        "words": simulation.state.words,
        "armed": np.array([simulation.armed, simulation.unknown_accesses]),
        "loaded": np.array(sorted(simulation.loaded().items()), np.int64).reshape(-1, 2),
        "counted": np.array([c.launches for c in simulation.counts], np.int64),
    }
    for number, counts in enumerate(simulation.counts):
        for name in ("sms", "slices", "channels"):
            arrays[f"count {number} {name}"] = getattr(counts, name)
    for number, batch in enumerate(simulation.pool.batches):
        arrays[f"batch {number} {batch.place(simulation.state.words)}"] = batch.words
    for launch, window in simulation.pool.windows.items():
        arrays[f"window {launch} {window.cta}"] = window.pairs
    np.savez(held, **arrays)  # type: ignore[arg-type] # its other parameter has no such name
    write_whole(path, _MAGIC + zstandard.compress(held.getvalue(), 3))


def restore(simulation: Simulation, path: Path) -> None:
    """Take up a simulation that was saved; it is one that was just made, of the same launches.

    InputError where the file cannot be read, or is of another simulation.
    """
    arrays = _read(path)
    try:
        _take_up(simulation, path, arrays)
    except _DAMAGED as error:
        raise _damaged(path, error) from None


def _take_up(simulation: Simulation, path: Path, arrays: dict[str, npt.NDArray[Any]]) -> None:
    if arrays["digest"].tobytes() != _digest(simulation):
        raise InputError(
            f"{path} is of another simulation: of other launches, another machine, other options, "
            "or made by another warpmill; simulate from the start"
        )
    simulation.state.words[:] = arrays["words"]
    _restore_traces(simulation, arrays)
    simulation.counts = [
        Counts(int(done), *(arrays[f"count {n} {x}"] for x in ("sms", "slices", "channels")))
        for n, done in enumerate(arrays["counted"])
    ]
    armed, simulation.unknown_before = arrays["armed"].tolist()
    simulation.resume(armed, dict(arrays["loaded"].tolist()))


def _restore_traces(simulation: Simulation, arrays: dict[str, npt.NDArray[Any]]) -> None:
    """Take up batches and windows; what names places in a batch is told where it lies now."""
    state, pool = simulation.state, simulation.pool
    warps = state.part(f.AT_WARP, state.number(f.SMS) * state.number(f.WARPS), f.WARP_FIELDS)
    flights = state.part(
        f.AT_FLIGHT, state.number(f.SMS) * state.number(f.FLIGHTS), f.FLIGHT_FIELDS
    )
    columns = [warps[:, x] for x in (f.WP_EVENT, f.WP_LAST_EVENT, f.WP_ACCESS)]
    columns.append(flights[:, f.F_ACCESS])
    for name, array in arrays.items():
        if name.startswith("window "):
            launch, cta = map(int, name.split()[1:])
            pool.windows[launch] = Window(cta, array.copy())
            columns.append(pool.windows[launch].pairs)
    told = [column.copy() for column in columns]
    for name, array in arrays.items():
        if name.startswith("batch "):
            before, batch = int(name.split()[2]), Batch(array)
            pool.batches.append(batch)
            for column, old in zip(columns, told, strict=True):
                inside = (old >= before) & (old < before + len(array))
                column[inside] = old[inside] - before + batch.place(state.words)


def _read(path: Path) -> dict[str, npt.NDArray[Any]]:
    try:
        data = read_input(path, MAX_UNPACKED_BYTES)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None
    if not data.startswith(_MAGIC):
        raise InputError(f"{path} is no checkpoint of a simulation, or one of another version")
    try:
        packed = zstandard.ZstdDecompressor().stream_reader(data[len(_MAGIC) :])
        limit = input_limit(MAX_UNPACKED_BYTES)
        with np.load(io.BytesIO(read_up_to(packed.read, limit, path))) as found:
            return dict(found)
    except _DAMAGED as error:
        raise _damaged(path, error) from None


def _damaged(path: Path, error: BaseException) -> InputError:
    reason = str(error) or type(error).__name__
    return InputError(f"{path} is damaged: {reason}; simulate from the start")


def _digest(simulation: Simulation) -> bytes:
    """Hash what a simulation's state depends on."""
    digest = sha256(sources_digest().encode())
    digest.update(repr(simulation.machine.values).encode())
    options = simulation.options
    unlimited = replace(options, max_cycles=None, max_memory_bytes=0, max_trace_events=0)
    digest.update(repr(unlimited).encode())
    digest.update(simulation.compiled.rows.tobytes())
    for work in simulation.works:
        launch = work.launch
        told = (launch.grid, launch.block, launch.dynamic_shared_bytes, launch.arguments)
        digest.update(repr((*told, work.registers, work.stream)).encode())
    return digest.digest()
