"""The table of launch configurations and of what NVIDIA's calculation says of them."""

from __future__ import annotations

import csv
import gzip
import io
from collections.abc import Iterable, Iterator
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("table.csv.gz")


@dataclass(frozen=True, order=True)
class Configuration:
    """A launch on a device of a compute capability; bytes are those of one CTA.

    ``opts_in``: 1 where the kernel opts in to more shared memory than every kernel may have.
    """

    capability: str
    threads: int
    registers: int
    static_bytes: int
    dynamic_bytes: int
    opts_in: int


@dataclass(frozen=True)
class Answer:
    """What cuda_occupancy.h says: CTAs of an SM, all and by each resource (None: no limit).

    ``blocks`` is None where the header calls the input invalid; then nothing else is said.
    ``limiting`` has the names of the resources that limit, in the order of ``LIMITING``, joined
    by +. ``allocated_shared_bytes`` are those of one CTA, with the driver's share and rounded.
    """

    blocks: int | None
    limiting: str
    by_warps: int | None
    by_registers: int | None
    by_shared_memory: int | None
    by_blocks: int | None
    allocated_shared_bytes: int | None


# The bits of cudaOccLimitingFactor. Barriers and "virtual resources" are asked for nowhere.
LIMITING = {"blocks": 0x08, "warps": 0x01, "registers": 0x02, "shared_memory": 0x04}
INVALID_INPUT = Answer(None, "", None, None, None, None, None)

Row = tuple[Configuration, Answer]
_COLUMNS = tuple(field.name for kind in (Configuration, Answer) for field in fields(kind))
_WORDS = ("capability", "limiting")


def write(rows: Iterable[Row], path: Path = FILE) -> None:
    """Write the table; the same rows give the same text, and with one zlib the same bytes."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_COLUMNS)
    writer.writerows((*astuple(asked), *astuple(told)) for asked, told in rows)
    path.write_bytes(gzip.compress(text.getvalue().encode(), mtime=0))


def read(path: Path = FILE) -> Iterator[Row]:
    """Read the table, row by row in the order of the file."""
    lines = csv.reader(gzip.decompress(path.read_bytes()).decode().splitlines())
    assert tuple(next(lines)) == _COLUMNS
    count = len(fields(Configuration))
    for line in lines:
        values = [_value(*each) for each in zip(_COLUMNS, line, strict=True)]
        yield Configuration(*values[:count]), Answer(*values[count:])


def _value(column: str, word: str) -> Any:  # what the column's field is
    if column in _WORDS:
        return word
    return int(word) if word else None
