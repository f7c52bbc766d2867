"""How the elements of a buffer are filled before a launch: frozen descriptions, no data.

``analyzer.launch.buffers.materialise`` makes the data.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Zeros:
    """All elements are zero."""


@dataclass(frozen=True, slots=True)
class Constant:
    """All elements are ``value``."""

    value: float


@dataclass(frozen=True, slots=True)
class Arange:
    """Element ``i`` is ``start + i * step``."""

    start: float = 0
    step: float = 1


@dataclass(frozen=True, slots=True)
class Uniform:
    """Elements are drawn evenly from ``low`` to below ``high``; whole numbers for integers."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Normal:
    """Elements are drawn from a normal distribution."""

    mean: float
    deviation: float


@dataclass(frozen=True, slots=True)
class Permutation:
    """Elements are 0 … count - 1 in random order."""


class CsrPart(Enum):
    """One of the three arrays of a sparse matrix in CSR form."""

    ROW_PTR = "row_ptr"
    COL_IDX = "col_idx"
    VALUES = "values"


@dataclass(frozen=True, slots=True)
class Csr:
    """One part of a random ``rows`` × ``columns`` sparse matrix.

    The matrix has ``rows * nnz_per_row`` entries in all, spread over the rows at random; parts
    with equal numbers and the buffer's seed belong to one matrix.
    """

    part: CsrPart
    rows: int
    columns: int
    nnz_per_row: int

    @property
    def entries(self) -> int:
        """Entries of the whole matrix."""
        return self.rows * self.nnz_per_row

    @property
    def length(self) -> int:
        """Elements of this part."""
        return self.rows + 1 if self.part is CsrPart.ROW_PTR else self.entries


@dataclass(frozen=True, slots=True)
class FromFile:
    """Elements are those of a ``.npy`` file of the same type and number of elements."""

    path: Path


@dataclass(frozen=True, slots=True)
class Recorded:
    """Elements are what the calls of a recording have left there: its replay has them alone."""


Initialiser = Zeros | Constant | Arange | Uniform | Normal | Permutation | Csr | FromFile | Recorded


def seed_of(init: Initialiser, number: int) -> int:
    """The seed of an array where none is said: its number among the arrays of its launch, from 0.

    Two arrays of random numbers differ so. The parts of a CSR matrix share one, as they belong
    together; what is not random has 0.
    """
    return number if isinstance(init, Uniform | Normal | Permutation) else 0
