"""A simulation as a timeline in the Trace Event Format, which ui.perfetto.dev opens.

An SM is a process with its warp slots as threads; a process ``GPU`` has a thread a stream with the
launches, and counters over time. Times are in microseconds as the format wants them, the cycles
that they come from stand in the arguments.
"""

from __future__ import annotations

import gzip
import heapq
import io
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.naming import base_name, demangle
from warpmill.analyzer.base.whole_files import check_file, write_whole
from warpmill.commands.simulate.rates import gigabytes, rates
from warpmill.report.bars import plain, sampled_words
from warpmill.simulator.gpu.result import SimResult
from warpmill.simulator.gpu.result_parts import Ctas, LaunchResult, Spans

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
