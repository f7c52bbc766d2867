"""Control of a simulation that runs: saved at a cycle and restored, or watched and steered."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.diagnostics import InputError
from warpmill.analyzer.base.whole_files import (
    MAX_UNPACKED_BYTES,
    input_limit,
    read_input,
    read_up_to,
    write_whole,
)
from warpmill.analyzer.base.zstd import zstd
from warpmill.simulator.gpu import constants as c
from warpmill.simulator.gpu.compiled import sources_digest
from warpmill.simulator.gpu.pool import Numbers, StreamBatch, Window
from warpmill.simulator.gpu.simulate import LaunchEndCounts, Simulation
from warpmill.simulator.gpu.state import Records

# A simulation put away at a cycle, and taken up again by the same warpmill with the same launches.
#
# What is kept: the words of the state, the traces that are at hand, and how far each launch's
# traces were taken. Traces to come are made anew from where they were; executed ones run what lies
# before.

_MAGIC = b"WMSIM001"

_DAMAGED = (
    *(zstd.ZstdError, zipfile.BadZipFile, ValueError, OSError, KeyError, IndexError),
    *(TypeError, MemoryError, EOFError),
)
"""Exceptions from reading a file that is no checkpoint, or not a whole one."""


def save(simulation: Simulation, path: Path) -> None:
    """Write what a simulation has come to into a file, whole or not at all. UsageError."""
    held = io.BytesIO()
    arrays: dict[str, npt.NDArray[Any]] = {
        "digest": np.frombuffer(_digest(simulation), np.uint8),
        "words": simulation.state.words,
        "armed": np.array([simulation.armed, simulation.unknown_accesses]),
        "loaded": np.array(sorted(simulation.loaded().items()), np.int64).reshape(-1, 2),
        "lanes": np.stack([simulation.lanes.issued, simulation.lanes.on]),
        "counted": np.array([one.launches for one in simulation.counts], np.int64),
    }
    for number, counts in enumerate(simulation.counts):
        for name in ("sms", "slices", "channels"):
            arrays[f"count {number} {name}"] = getattr(counts, name)
    for number, batch in enumerate(simulation.pool.batches):
        arrays[f"batch {number} {batch.place(simulation.state.words)}"] = batch.words
    for launch, window in simulation.pool.windows.items():
        arrays[f"window {launch} {window.cta}"] = window.pairs
    np.savez(held, **arrays)  # type: ignore[arg-type] # its other parameter has no such name
    write_whole(path, _MAGIC + zstd.compress(held.getvalue(), 3))


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
    simulation.lanes.issued[:], simulation.lanes.on[:] = arrays["lanes"]
    _restore_traces(simulation, arrays)
    simulation.counts = [
        LaunchEndCounts(
            int(done), *(arrays[f"count {n} {x}"] for x in ("sms", "slices", "channels"))
        )
        for n, done in enumerate(arrays["counted"])
    ]
    armed, simulation.unknown_before = arrays["armed"].tolist()
    simulation.resume(armed, dict(arrays["loaded"].tolist()))


def _restore_traces(simulation: Simulation, arrays: dict[str, npt.NDArray[Any]]) -> None:
    """Take up batches and windows; what names places in a batch is told where it lies now."""
    state, pool = simulation.state, simulation.pool
    warps = state.table("warp")
    pending = state.table("pending")
    columns = [warps[x] for x in ("event", "last_event", "access")]
    columns.append(pending["access"])
    for name, array in arrays.items():
        if name.startswith("window "):
            launch, cta = map(int, name.split()[1:])
            pool.windows[launch] = Window(cta, array.copy())
            columns.append(pool.windows[launch].pairs)
    told = [column.copy() for column in columns]
    for name, array in arrays.items():
        if name.startswith("batch "):
            before, batch = int(name.split()[2]), StreamBatch(array)
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
        packed = zstd.ZstdFile(io.BytesIO(data[len(_MAGIC) :]))
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
    rows = simulation.compiled.rows
    for name in rows.dtype.names or ():  # what lies between the fields is nobody's
        digest.update(rows[name].tobytes())
    for work in simulation.works:
        launch = work.launch
        told = (launch.grid, launch.block, launch.dynamic_shared_bytes, launch.arguments)
        registers = work.registers.registers_per_thread
        digest.update(repr((*told, registers, work.stream)).encode())
    return digest.digest()


# A simulation that is watched and steered: stopped where CTAs end, and told what to pass over.

_PIECES = 50
"""An interval has no more than one part in so many too much."""


@dataclass(frozen=True, eq=False)
class SimulationInterval:
    """A part of a simulation: what was issued between two cycles, by rows of the code too.

    A row of the code is an instruction of a kernel; ``issues`` counts those by warps.
    """

    begin_cycle: int
    end_cycle: int
    warp_instructions: int
    issues: Numbers


class Steered(Simulation):
    """Launches one after another, whose CTAs to come may be skipped.

    What is skipped is not simulated; where later CTAs may depend on what it does to memory it
    is executed all the same, when their traces are made.
    """

    def begin_next(self) -> bool:
        """Start the next launch, whose predecessor has ended; returns whether there is one."""
        assert self.armed == 0 or self.counts[-1].launches == self.armed, "the last one runs"
        if self.armed == len(self.works):
            return False
        self._begin_group()
        return True

    def run_to_end_of(self, launch: int, cta: int) -> bool:
        """Go on until a CTA has ended, about; gives whether its launch goes on. Errors as ``run``.

        False: the launch has ended.
        """
        gpu = self.state.gpu
        gpu["watched_cta"] = self._log(launch, cta)
        try:
            return self.run_group() == c.RUN_PAUSED
        finally:
            gpu["watched_cta"] = c.NONE

    def run_intervals(self, warp_instructions: int) -> Iterator[SimulationInterval]:
        """Run to the end, in parts of about so many warp instructions; the last may have fewer.

        Errors as ``run``.
        """
        begin, issued, rows = 0, 0, self._issues()
        while True:
            done = self._run_on(issued + warp_instructions, warp_instructions // _PIECES)
            now, total, of_rows = self.reached, self.issued(), self._issues()
            if total > issued:
                yield SimulationInterval(begin, now, total - issued, of_rows - rows)
            if done:
                return
            begin, issued, rows = now, total, of_rows

    def _run_on(self, issued: int, least: int) -> bool:
        """Go on until so many instructions have been issued in all; whether all is over.

        In pieces in which no more can be issued than are left, or ``least`` where fewer are: rates
        change by orders of magnitude from one piece to the next, and tell nothing ahead.
        """
        a_cycle = self.spec.sm_count * self.spec.schedulers_per_sm
        a_cycle *= self.spec.issue_width
        while (left := issued - self.issued()) > 0:
            cycles = max(1, max(left, least) // a_cycle)
            if self.run(self.reached + cycles) == c.RUN_DONE:
                return True
        return False

    def issued(self) -> int:
        """The warp instructions that were issued on all SMs up to the cycle reached."""
        counts = self.state.table("sm")["counts"]
        return int(counts["warp_instructions"].sum())

    def _issues(self) -> Numbers:
        rows = self.state.table("instruction_counts")
        found: Numbers = rows["issues"].copy()
        return found

    def skip_ctas(self, launch: int, end: int) -> int:
        """Skip the CTAs of a launch that have not begun, up to before ``end``; gives that.

        Where no CTA runs, the last one is kept, as a launch ends with a CTA.
        """
        row = self._row(launch)
        first, every = int(row["next_cta"]), int(row["ctas"])
        if end == every and row["done_ctas"] == first:
            end -= 1
        if end <= first:
            return first
        row["next_cta"] = end
        row["done_ctas"] += end - first
        self.state.gpu["waiting_ctas"] -= end - first
        feed = self._feeds[launch]
        feed.order.next = max(feed.order.next, end)
        if launch in self.pool.windows:
            self.pool.drop_begun(launch, min(end, feed.loaded), int(row["warps"]))
        feed.loaded = max(feed.loaded, end)
        self.refresh()
        row["loaded_ctas"] = feed.loaded
        return end

    def resident(self, launch: int) -> int:
        """How many CTAs of a launch the machine holds at once: the system occupancy."""
        return self.occupancies[launch].ctas_per_sm * self.machine.integer("sm.count")

    def dispatched(self, launch: int) -> int:
        """How many CTAs of a launch have begun or were skipped: the number of the next."""
        return int(self._row(launch)["next_cta"])

    def alive(self, launch: int) -> Numbers:
        """The CTAs of a launch that run, ascending."""
        log = self._lives(launch)
        there = log["launch"] > 0
        return np.flatnonzero(there & (log["end"] == c.NEVER))

    def life(self, launch: int, cta: int) -> tuple[int, int]:
        """First and last cycle of a CTA."""
        row = self._lives(launch)[cta]
        return int(row["begin"]), int(row["end"])

    def first_begun(self, launch: int, cycle: int) -> int:
        """The first CTA of a launch that has begun at a cycle or later; else the next one."""
        log = self._lives(launch)
        begun = (log["launch"] > 0) & (log["begin"] >= cycle)
        found = np.flatnonzero(begun)
        return int(found[0]) if len(found) else self.dispatched(launch)

    def span(self, launch: int) -> tuple[int, int]:
        """The cycles at which a launch began and ended."""
        row = self._row(launch)
        return int(row["begin"]), int(row["end"])

    def _row(self, launch: int) -> Any:
        row: Any = self.state.table("launch")[launch]
        return row

    def _log(self, launch: int, cta: int) -> int:
        return int(self._row(launch)["log"]) + cta

    def _lives(self, launch: int) -> Records:
        """The log of a launch's CTAs up to the next one that will begin."""
        first = self._log(launch, 0)
        kept = self.state.table("cta_log")
        return kept[first : first + self.dispatched(launch)]
