"""A selection as SimPoint's files: vectors (.bb), intervals (.simpoints), weights (.weights).

A line of a .bb file is an interval, ``T:1:45 :3:200``: dimension 1 (they count from 1) has 45, and
dimension 3 has 200. A line of a .simpoints file is ``interval cluster``, of a .weights file
``weight cluster``; intervals and clusters count from 0.
"""

from __future__ import annotations

import gzip
import io
import math
import re
import zlib
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, NoReturn, cast

import numpy as np

from warpmill.analyzer.base.diagnostics import Diagnostic, InputError, Severity, Span, UsageError
from warpmill.analyzer.base.whole_files import (
    MAX_UNPACKED_BYTES,
    check_file,
    input_limit,
    open_input,
    too_large,
    write_whole,
)
from warpmill.sampling.methods import unit_features
from warpmill.simulator.sampling.clustering import sparse_rows
from warpmill.simulator.sampling.model import CountedLaunch, Selection

if TYPE_CHECKING:
    import numpy.typing as npt
    from scipy.sparse import csr_array


SUFFIXES = (".bb", ".simpoints", ".weights")


def simpoint_paths(prefix: Path) -> tuple[Path, ...]:
    """The files of a prefix. UsageError where they could not be written."""
    if not prefix.name:
        raise UsageError(f"--simpoints {prefix}: a name that the files begin with is needed")
    paths = tuple(prefix.with_name(prefix.name + suffix) for suffix in SUFFIXES)
    for path in paths:
        check_file(path)
    return paths


def save_simpoints(prefix: Path, launches: Sequence[CountedLaunch], selection: Selection) -> None:
    """Write the frequency vectors of all units, the chosen units and their weights.

    Vectors are by GT-Pin's feature where that chose, else by basic blocks. UsageError where a unit
    executes nothing, which the format cannot say.
    """
    paths = simpoint_paths(prefix)
    vectors = unit_features(launches, selection).rows
    empty = np.flatnonzero(np.asarray(vectors.sum(axis=1)).reshape(-1) == 0)
    if len(empty):
        words = f"unit {empty[0]} executes nothing, which a vector of frequencies cannot say"
        raise UsageError(f"{paths[0]} cannot be written: {words}")
    points = tuple(simpoints(selection))
    texts = (vectors_text(vectors), simpoints_text(points), weights_text(points))
    for path, text in zip(paths, texts, strict=True):
        write_whole(path, text.encode())


def simpoints(selection: Selection) -> Iterator[SimPoint]:
    """Each chosen unit as a cluster, with its part of what its stratum weighs.

    SimPoint measures one interval of a cluster. Where several of a stratum are measured its weight
    is shared out by their instructions, so that the weighted CPI is what is projected here.
    """
    number = 0
    for stratum in selection.strata:
        executed = sum(selection.units[n].warp_instructions for n in stratum.chosen)
        for unit in stratum.chosen:
            share = selection.units[unit].warp_instructions / executed if executed else 1.0
            yield SimPoint(unit, number, stratum.weight * share)
            number += 1


# The texts of the three files, written and read.

LONGEST_LINE = 64 << 20
"""Characters; a longer line is no interval's."""
MOST_DIMENSIONS = (1 << 31) - 1

_NUMBER = r"[0-9]+(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?"
_ENTRY = re.compile(rf"\s*:\s*([0-9]+)\s*:\s*({_NUMBER})(?=[\s:]|$)")
_INTERVAL = re.compile(rf"T(?>(?:\s*+:\s*+[0-9]{{1,10}}\s*+:\s*+{_NUMBER})+)\s*+")
_BLANK_OR_COMMENT = re.compile(r"\s*(#.*)?")
_OTHER_RECORD = re.compile(r"[A-SU-Z]:")
_WORD = re.compile(r"\S+")
_GZIP = b"\x1f\x8b"
_HIGHEST_COUNT = 1e18
_SUM_TOLERANCE = 0.01


@dataclass(frozen=True)
class SimPoint:
    """The interval that stands for a cluster, and what share of the whole the cluster has."""

    interval: int
    cluster: int
    weight: float


class _Line(NamedTuple):
    """A line without its end, and where it stands."""

    file: str
    number: int
    text: str

    def fail(self, start: int, end: int, message: str, hint: str | None = None) -> NoReturn:
        """Raise an error at ``start`` to ``end``, which count from 0."""
        span = Span(self.number, start + 1, max(start + 1, end) + 1)
        shown = self.text if len(self.text) <= 200 else None  # carets below more help nobody
        raise InputError(Diagnostic(Severity.ERROR, message, self.file, span, shown, hint))


_Reader = Callable[[_Line, re.Match[str]], float]


def read_vectors(path: Path) -> csr_array:
    """Read the frequency vectors of a .bb file, plain or gzip: a row an interval.

    Dimension 1 is column 0. Passed over are blank lines, comments (#) and records of other kinds
    (another capital letter and a colon), which profilers write between intervals. InputError.
    """
    from scipy.sparse import csr_array  # noqa: PLC0415 - slow to load

    columns, counts, ends = array("i"), array("d"), [0]
    for line in _lines(path):
        if not line.text.startswith("T"):
            _check_other(line)
            continue
        dimensions, values = _entries(line)
        columns.extend(dimension - 1 for dimension in dimensions)
        counts.extend(values)
        ends.append(len(columns))
    if len(ends) == 1:
        hint = "an interval is a line such as T:1:45 :3:200"
        raise InputError(_of_file(path, "the file has no interval", hint))
    width = max(columns) + 1
    return csr_array((counts, columns, ends), shape=(len(ends) - 1, width), dtype=float)


def vectors_text(vectors: npt.NDArray[np.float64] | csr_array) -> str:
    """Frequency vectors (a row an interval) as the text of a .bb file, zeros left out."""
    table = sparse_rows(vectors)
    columns, counts, ends = (a.tolist() for a in (table.indices, table.data, table.indptr))
    return "".join(
        "T" + " ".join(f":{columns[k] + 1}:{_number(counts[k])}" for k in range(begin, end)) + "\n"
        for begin, end in pairwise(ends)
    )


def read_simpoints(simpoints: Path, weights: Path) -> tuple[SimPoint, ...]:
    """Read chosen intervals and their weights, in the order of the first file. InputError."""
    intervals = _by_cluster(simpoints, "an interval", _whole_number)
    shares = _by_cluster(weights, "a weight", _share)
    for here, there, other in ((intervals, shares, weights), (shares, intervals, simpoints)):
        for cluster, (line, _) in here.items():
            if cluster not in there:
                words = f"cluster {cluster} is not in {other}"
                line.fail(0, len(line.text), words)
    total = math.fsum(share for _, share in shares.values())
    if abs(total - 1) > _SUM_TOLERANCE:
        raise InputError(_of_file(weights, f"the weights sum to {total:.6g}, and not to 1"))
    return tuple(
        SimPoint(int(interval), cluster, shares[cluster][1])
        for cluster, (_, interval) in intervals.items()
    )


def simpoints_text(chosen: Iterable[SimPoint]) -> str:
    """The text of a .simpoints file."""
    return "".join(f"{one.interval} {one.cluster}\n" for one in chosen)


def weights_text(chosen: Iterable[SimPoint]) -> str:
    """The text of a .weights file. Read again, the weights are the same numbers."""
    return "".join(f"{_number(one.weight)} {one.cluster}\n" for one in chosen)


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) else repr(float(value))


def _of_file(path: Path, message: str, hint: str | None = None) -> Diagnostic:
    return Diagnostic(Severity.ERROR, message, str(path), hint=hint)


def _lines(path: Path) -> Iterator[_Line]:
    """Read line by line, as files of vectors can be large."""
    try:
        limit = left = input_limit(MAX_UNPACKED_BYTES)
        with open_input(path) as file:
            packed = file.read(2) == _GZIP
            file.seek(0)
            data = cast(BinaryIO, gzip.GzipFile(fileobj=file)) if packed else file
            text = io.TextIOWrapper(data, encoding="utf-8", errors="replace", newline="\n")
            number = 1
            while line := text.readline(LONGEST_LINE + 1):
                left -= len(line)
                if left < 0:
                    raise too_large(path, limit)
                if len(line) > LONGEST_LINE:
                    words = f"line {number} has over {LONGEST_LINE} characters, the most read"
                    raise InputError(_of_file(path, words))
                yield _Line(str(path), number, line.rstrip("\r\n"))
                number += 1
    except (OSError, EOFError, ValueError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(_of_file(path, f"cannot read the file: {reason}")) from None


def _check_other(line: _Line) -> None:
    if _BLANK_OR_COMMENT.fullmatch(line.text) or _OTHER_RECORD.match(line.text):
        return
    word = _WORD.search(line.text)
    start, end = word.span() if word else (0, len(line.text))
    line.fail(start, end, "an interval begins with T", "comments begin with #")


def _entries(line: _Line) -> tuple[list[int], list[float]]:
    """The dimensions of an interval and their counts."""
    if _INTERVAL.fullmatch(line.text) is None:
        _fail_at_entry(line)
    words = line.text[1:].replace(":", " ").split()
    dimensions = list(map(int, words[::2]))
    counts = list(map(float, words[1::2]))
    sound = (
        min(dimensions) >= 1
        and max(dimensions) <= MOST_DIMENSIONS
        and len(set(dimensions)) == len(dimensions)
        and max(counts) <= _HIGHEST_COUNT
    )
    if not sound:
        _fail_at_entry(line)
    if max(counts) == 0:
        line.fail(0, len(line.text), "all counts of this interval are 0")
    return dimensions, counts


def _fail_at_entry(line: _Line) -> NoReturn:
    """Raise an error at the first entry of an interval that is wrong; there is one."""
    place, end, seen = 1, len(line.text.rstrip()), set[str]()
    if end == 1:
        line.fail(0, 1, "this interval has no counts", "an interval without any cannot be compared")
    while entry := _ENTRY.match(line.text, place):
        dimension, count = entry[1].lstrip("0"), entry[2]
        if not dimension:
            line.fail(*entry.span(1), "dimensions count from 1")
        if len(dimension) > 10 or int(dimension) > MOST_DIMENSIONS:
            line.fail(*entry.span(1), f"dimensions go up to {MOST_DIMENSIONS}")
        if dimension in seen:
            line.fail(*entry.span(1), f"dimension {dimension} is in this interval twice")
        if float(count) > _HIGHEST_COUNT:
            line.fail(*entry.span(2), f"a count of over {_HIGHEST_COUNT:g} is none")
        if len(entry[1]) > 10:
            line.fail(*entry.span(1), "the number of a dimension has at most 10 digits")
        seen.add(dimension)
        place = entry.end()
    word = _WORD.search(line.text, place)
    start, stop = word.span() if word else (end, end)
    line.fail(start, stop, "here :dimension:count is expected, such as :3:200")


def _by_cluster(path: Path, what: str, read: _Reader) -> dict[int, tuple[_Line, float]]:
    """Read lines of a number and a cluster."""
    found: dict[int, tuple[_Line, float]] = {}
    for line in _lines(path):
        fields = list(_WORD.finditer(line.text))
        if not fields:
            continue
        if len(fields) != 2:
            end = len(line.text.rstrip())
            start = fields[2].start() if len(fields) > 2 else end
            line.fail(start, end, f"a line is {what} and its cluster, with a blank between")
        value, cluster = read(line, fields[0]), int(_whole_number(line, fields[1]))
        if cluster in found:
            words = f"cluster {cluster} is on line {found[cluster][0].number} already"
            line.fail(*fields[1].span(), words)
        found[cluster] = line, value
    if not found:
        raise InputError(_of_file(path, f"the file is empty: each line is {what} and its cluster"))
    return found


def _whole_number(line: _Line, field: re.Match[str]) -> float:
    if re.fullmatch(r"[0-9]{1,15}", field[0]) is None:
        line.fail(*field.span(), "a whole number from 0 is expected")
    return int(field[0])


def _share(line: _Line, field: re.Match[str]) -> float:
    if re.fullmatch(_NUMBER, field[0]) is None or float(field[0]) > 1:
        line.fail(*field.span(), "a weight is a number from 0 to 1")
    return float(field[0])
