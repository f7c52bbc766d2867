"""A simulation for other tools: as a timeline that Perfetto shows, and in GPGPU-Sim's words.

The timeline is in the Trace Event Format, which ui.perfetto.dev opens: an SM is a process with its
warp slots as threads; a process ``GPU`` has a thread a stream with the launches, and counters over
time. Times are in microseconds as the format wants them, the cycles that they come from stand in
the arguments.

What reads GPGPU-Sim's output can read this too: each launch has its block, as GPGPU-Sim prints one
when a kernel ends. ``gpu_sim_`` figures are the launch's, all others of the simulation up to its
end. Names stand only for what is known and means the same; caches count sectors, as GPGPU-Sim does
where its caches have them.
"""

from __future__ import annotations

import gzip
import heapq
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.naming import base_name, demangle
from warpmill.analyzer.base.whole_files import check_file, write_whole
from warpmill.commands.simulate.plot import gigabytes, rates
from warpmill.commands.simulate.result import MachineSimulation, SimulateReport
from warpmill.report.bars import plain, sampled_words
from warpmill.simulator.gpu.result import SimResult
from warpmill.simulator.gpu.result_parts import Ctas, LaunchResult, SimulatedCache, Spans, Totals

_CACHES = {
    "l1": "L1D_total_cache",
    "const": "L1C_total_cache",
    "tex": "L1T_total_cache",
    "icache": "L1I_total_cache",
    "l2": "L2_total_cache",
}
_KINDS = (
    ("gpgpu_n_load_insn", ("ld", "ldu", "atom", "red"), ("global", "local", "generic")),
    ("gpgpu_n_store_insn", ("st",), ("global", "local", "generic")),
    ("gpgpu_n_shmem_insn", ("ld", "st", "atom", "red"), ("shared",)),
    ("gpgpu_n_param_insn", ("ld",), ("param",)),
    ("gpgpu_n_const_insn", ("ld",), ("const",)),
)
"""Memory instructions of threads: the name there, and the opcodes and spaces here."""


def gpgpusim_text(report: SimulateReport) -> str:
    """A report as lines ``name = value``."""
    lines: list[str] = []
    for one in report.simulations:
        lines.append(f"# {one.result.machine}: {one.result.machine_name}")
        if one.result.sampled:
            lines.append("# cycles are of whole launches, all else of the CTAs that were simulated")
        lines += _blocks(report, one)
    return "\n".join(lines) + "\n"


def _blocks(report: SimulateReport, one: MachineSimulation) -> Iterator[str]:
    for number, launch in enumerate(report.launches):
        done = one.result.launches[: number + 1]
        alone = [each.alone for each in done if each.alone is not None]
        yield ""
        yield f"kernel_name = {report.kernels[launch.kernel].name}"
        yield f"kernel_launch_uid = {number + 1}"
        yield f"kernel_stream_id = {done[-1].stream}"
        yield from _launch(done)
        if len(alone) == len(done):
            yield from _occupancy(done, one.result)
            yield from _memory(alone)
    yield from _whole(one)


def _launch(done: Sequence[LaunchResult]) -> Iterator[str]:
    """Cycles and instructions of the last launch, then of all so far."""
    for prefix, some in (("gpu_", done[-1:]), ("gpu_tot_", done)):
        cycles = sum(round(one.cycles) for one in some)
        yield f"{prefix}sim_cycle = {cycles}"
        known = [one.alone.thread_instructions for one in some if one.alone is not None]
        if len(known) == len(some):
            yield f"{prefix}sim_insn = {sum(known)}"
            simulated = sum(one.simulated_cycles for one in some)
            yield f"{prefix}ipc = {sum(known) / max(1, simulated):12.4f}"
    yield f"gpu_tot_issued_cta = {sum(one.ctas_simulated for one in done)}"


def _occupancy(done: Sequence[LaunchResult], result: SimResult) -> Iterator[str]:
    slots = result.warp_slots_per_sm * max(1, sum(1 for sm in result.per_sm if sm.ctas))
    for name, some in (("gpu_occupancy", done[-1:]), ("gpu_tot_occupancy", done)):
        cycles = [each.simulated_cycles for each in some]
        resident = sum((x.resident_warps or 0) * n for x, n in zip(some, cycles, strict=True))
        yield f"{name} = {100 * resident / max(1, sum(cycles)) / slots:.4f}%"


def _memory(done: Sequence[Totals]) -> Iterator[str]:
    """Statistics of caches and DRAM so far."""
    for level, name in _CACHES.items():
        found = [c for one in done for c in one.caches if c.level == level and c.accesses]
        if not found:
            continue
        accesses, misses = sum(c.accesses for c in found), sum(map(_misses, found))
        tab = "\t" if name.startswith("L1") else ""
        yield f"{tab}{name}_accesses = {accesses}"
        yield f"{tab}{name}_misses = {misses}"
        yield f"{tab}{name}_miss_rate = {misses / accesses:.4f}"
        yield f"{tab}{name}_pending_hits = {sum(c.pending for c in found)}"
    yield f"total dram reads = {sum(one.dram_reads for one in done)}"
    yield f"total dram writes = {sum(one.dram_writes for one in done)}"


def _misses(cache: SimulatedCache) -> int:
    """Misses as GPGPU-Sim counts them, where a store whose sector L2 does not have is one."""
    stores = cache.write_accesses - cache.write_hits if cache.level == "l2" else 0
    return cache.misses + stores


def _whole(one: MachineSimulation) -> Iterator[str]:
    """Statistics of the whole simulation, at its end."""
    result = one.result
    for name, opcodes, spaces in _KINDS:
        found = [
            x.result.thread_instructions
            for x in one.instructions
            if x.space in spaces and x.opcode.split(".")[0] in opcodes
        ]
        yield f"{name} = {sum(found)}"
    yield f"gpgpu_n_shmem_bkconflict = {result.bank_conflicts}"
    yield f"gpgpu_n_tot_w_icount = {result.warp_instructions}"
    yield f"icnt_total_pkts_simt_to_mem = {result.packets_to_l2}"
    yield f"icnt_total_pkts_mem_to_simt = {result.packets_from_l2}"


MOST_LIVES = 500_000
"""Lives of warps or CTAs above which some are left out: browsers choke on larger files."""

Event = dict[str, Any]

_GPU = 100
_FIRST_SM = 1000
_THREADS = 1000
"""Numbers of processes: 100, and 1000 plus the SM's. A thread's is its process's times 1000 plus
its place there: readers look names of threads up by that number alone, and give each process a
thread of its own number."""

_PIECE = 10_000  # events that are written at a time


def write_timeline(result: SimResult, path: str | Path) -> None:
    """Write the timeline of a simulation, whole or not at all; compressed where it ends in .gz.

    The same result gives the same bytes. UsageError where the file cannot be written.
    """
    path = Path(path)
    check_file(path)
    write_whole(path, timeline_bytes(result, compress=path.suffix.lower() == ".gz"))


def timeline_bytes(
    result: SimResult, *, compress: bool = False, most_lives: int = MOST_LIVES
) -> bytes:
    """The timeline of a simulation as JSON in UTF-8, or that compressed by gzip.

    Where not every warp is shown, a note on the GPU's track ``notes`` and in ``otherData`` says so.
    """
    pieces = _pieces(result, most_lives)
    if not compress:
        return b"".join(pieces)
    held = io.BytesIO()
    with gzip.GzipFile(fileobj=held, filename="", mode="wb", mtime=0) as file:
        file.writelines(pieces)
    return held.getvalue()


def _pieces(result: SimResult, most_lives: int) -> Iterator[bytes]:
    """The file in pieces. Readers want the unit first, and what else there is last."""
    shown = lives(result, most_lives)
    notes = _notes(result, shown)
    yield b'{"displayTimeUnit":"ns","traceEvents":[\n'
    events, between = _events(result, shown, notes), b""
    while piece := list(islice(events, _PIECE)):
        yield between + ",\n".join(map(_json, piece)).encode()
        between = b",\n"
    yield b'\n],"otherData":' + _json(_other(result, notes)).encode() + b"}\n"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _other(result: SimResult, notes: list[str]) -> dict[str, Any]:
    return {
        "machine": plain(result.machine),
        "clock_mhz": result.clock_mhz,
        "cycles": result.cycles,
        "microseconds": result.time_us,
        "notes": "; ".join(notes),
    }


def _notes(result: SimResult, shown: Lives) -> list[str]:
    notes = [f"all times are modelled, for {plain(result.machine)}"]
    return notes + [words for words in (sampled_words(result), shown.note) if words]


def _events(result: SimResult, shown: Lives, notes: list[str]) -> Iterator[Event]:
    yield from _named("process", _GPU, 0, "GPU", 0)
    yield from _launches(result)
    yield from _counters(result)
    yield from _noted(result, notes)
    yield from _tracks(shown)
    yield from _lives(result, shown)


def _named(kind: str, process: int, place: int, name: str, order: int) -> Iterator[Event]:
    """The name of a process or a thread, and its place among the others."""
    about: Event = {"ph": "M", "pid": process, "tid": process * _THREADS + place}
    yield about | {"name": f"{kind}_name", "args": {"name": name}}
    yield about | {"name": f"{kind}_sort_index", "args": {"sort_index": order}}


def _launches(result: SimResult) -> Iterator[Event]:
    streams = sorted({launch.stream for launch in result.launches})
    for place, stream in enumerate(streams):
        yield from _named("thread", _GPU, place, f"stream {stream}", place)
    for number, launch in enumerate(result.launches):
        thread = _thread(_GPU, streams.index(launch.stream))
        span = _span(result, launch.begin_cycle, launch.end_cycle)
        name = {"cat": "launch", "name": plain(base_name(launch.kernel))}
        yield span | thread | name | {"args": _about(number, launch)}


def _about(number: int, launch: LaunchResult) -> dict[str, Any]:
    return {
        "launch": number,
        "kernel": plain(demangle(launch.kernel)),
        "grid": " x ".join(map(str, launch.grid)),
        "block": " x ".join(map(str, launch.block)),
        "ctas": launch.ctas,
        "ctas_simulated": launch.ctas_simulated,
        "begin_cycle": launch.begin_cycle,
        "end_cycle": launch.end_cycle,
        "cycles": launch.cycles,
        "warp_instructions": launch.warp_instructions,
        "registers": launch.registers.registers_per_thread,
        "occupancy": launch.occupancy.occupancy_fraction,
    }


def _counters(result: SimResult) -> Iterator[Event]:
    """Counters over time; a value holds until the next, and all end at 0.

    A counter's name and the name of its value are shown one after the other.
    """
    over = rates(result)
    table = [
        ("IPC", "warp instructions per cycle", over.ipc),
        ("resident", "warps", over.resident_warps),
        ("L1", "sectors per cycle", over.l1_sectors),
        ("L2", "sectors per cycle", over.l2_sectors),
        ("DRAM", "GB/s", gigabytes(result, over.dram_sectors)),
    ]
    if result.cache("l2") is None:
        table = [row for row in table if row[0] != "L2"]
    edges = over.edges.tolist()
    for name, unit, values in table:
        found = [*(round(value, 6) for value in values.tolist()), 0]
        for cycle, value in zip(edges, found, strict=True):
            about = {"ph": "C", "ts": _stamp(result, cycle), "pid": _GPU, "tid": _GPU * _THREADS}
            yield about | {"name": name, "args": {unit: value}}


def _noted(result: SimResult, notes: Iterable[str]) -> Iterator[Event]:
    place = len({launch.stream for launch in result.launches})
    yield from _named("thread", _GPU, place, "notes", place)
    for note in notes:
        about = {"ph": "i", "s": "t", "ts": _stamp(result, 0)} | _thread(_GPU, place)
        yield about | {"cat": "note", "name": note}


def _tracks(shown: Lives) -> Iterator[Event]:
    """The names of SMs that had work, and of their rows."""
    word = "slot" if shown.of == "warp" else "CTAs"
    seen = -1
    for sm, row in sorted(set(zip(shown.sm.tolist(), shown.row.tolist(), strict=True))):
        if sm != seen:
            yield from _named("process", _FIRST_SM + sm, 0, f"SM {sm}", sm + 1)
            seen = sm
        yield from _named("thread", _FIRST_SM + sm, row, f"{word} {row}", row)


def _lives(result: SimResult, shown: Lives) -> Iterator[Event]:
    kernels = [plain(base_name(launch.kernel)) for launch in result.launches]
    columns = (shown.sm, shown.row, shown.cta, shown.launch, shown.begin_cycle, shown.end_cycle)
    for sm, row, cta, launch, begin, end in zip(*(c.tolist() for c in columns), strict=True):
        args = {"cta": cta, "launch": launch, "begin_cycle": begin, "end_cycle": end}
        name = {"cat": shown.of, "name": f"{kernels[launch]} CTA {cta}", "args": args}
        yield _span(result, begin, end) | _thread(_FIRST_SM + sm, row) | name


def _thread(process: int, place: int) -> Event:
    return {"pid": process, "tid": process * _THREADS + place}


def _span(result: SimResult, begin: int, end: int) -> Event:
    """When something began and how long it was: what follows it does not overlap."""
    lasted = _nanoseconds(result, end) - _nanoseconds(result, begin)
    return {"ph": "X", "ts": _stamp(result, begin), "dur": round(lasted / 1000, 3)}


def _stamp(result: SimResult, cycle: int) -> float:
    """A time in microseconds, a quarter of a nanosecond late.

    Readers make whole nanoseconds of it, some by rounding and some by cutting off: with the quarter
    both find the same one, and none finds two that touch to overlap.
    """
    return round((_nanoseconds(result, cycle) + 0.25) / 1000, 5)


def _nanoseconds(result: SimResult, cycle: int) -> int:
    return round(cycle * 1000 / result.clock_mhz)


# What ran on each SM from when to when, in rows that do not overlap: warps, or else CTAs.

Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Lives:
    """Lives of warps or of CTAs, which of them ``of`` says; arrays of one length.

    ``row`` is a warp's slot on its SM. CTAs have no slots: theirs is the first row of the SM that
    is free when they begin. They stand in the order of SM, row and first cycle. ``note`` says why
    it is not every warp; None where it is.
    """

    of: str
    note: str | None
    sm: Numbers
    row: Numbers
    cta: Numbers
    launch: Numbers
    begin_cycle: Numbers
    end_cycle: Numbers


def lives(result: SimResult, most: int) -> Lives:
    """The lives of all warps; where they are not all known, or are over ``most``, of CTAs.

    Of more than ``most`` CTAs those that began first are given.
    """
    why = _why_not_warps(result.spans, most)
    if why is None:
        return _warps(result.spans)
    note, ctas = f"CTAs are shown, not warps: {why}", len(result.ctas.sm)
    if ctas > most:
        note += f"; of {ctas:,} CTAs only the {most:,} that began first"
    return _ctas(result.ctas, most, note)


def _why_not_warps(spans: Spans, most: int) -> str | None:
    warps = len(spans.sm)
    if not spans.complete:
        return f"of these only {warps:,} lives were kept" if warps else "their lives were not kept"
    return f"{warps:,} warps are more than {most:,}" if warps > most else None


def _warps(spans: Spans) -> Lives:
    order = np.lexsort((spans.end_cycle, spans.begin_cycle, spans.slot, spans.sm))
    columns = (spans.sm, spans.slot, spans.cta, spans.launch, spans.begin_cycle, spans.end_cycle)
    return Lives("warp", None, *(column[order] for column in columns))


def _ctas(ctas: Ctas, most: int, note: str) -> Lives:
    kept = np.lexsort((ctas.number, ctas.launch, ctas.end_cycle, ctas.begin_cycle))[:most]
    row = _rows(ctas.sm[kept], ctas.begin_cycle[kept], ctas.end_cycle[kept])
    order = np.lexsort((np.arange(len(kept)), row, ctas.sm[kept]))
    own = (ctas.number, ctas.launch, ctas.begin_cycle, ctas.end_cycle)
    rest = (column[kept][order] for column in own)
    return Lives("CTA", note, ctas.sm[kept][order], row[order], *rest)


def _rows(sm: Numbers, begin: Numbers, end: Numbers) -> Numbers:
    """The first row of its SM that is free, for each; they come in the order of their begins."""
    taken: dict[int, list[tuple[int, int]]] = {}  # by SM: when a row is free again
    free: dict[int, list[int]] = {}
    rows = []
    for place, first, last in zip(sm.tolist(), begin.tolist(), end.tolist(), strict=True):
        busy, idle = taken.setdefault(place, []), free.setdefault(place, [])
        while busy and busy[0][0] <= first:
            heapq.heappush(idle, heapq.heappop(busy)[1])
        row = heapq.heappop(idle) if idle else len(busy)
        heapq.heappush(busy, (last, row))
        rows.append(row)
    return np.array(rows, np.int64)
