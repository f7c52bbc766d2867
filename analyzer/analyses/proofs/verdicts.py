"""What proofs tell of a launch: questions, answers and examples. Nothing here needs z3."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from warpmill.analyzer.ir.types import Place, Space

MOST_OF_SIZE = (1 << 31) - 1
"""The largest value of a size that is looked at."""

Dim3 = tuple[int, int, int]


class ProofKind(StrEnum):
    """What is to be proven."""

    BOUNDS = "in bounds"
    ALIGNMENT = "aligned"
    OVERFLOW = "no 32-bit overflow"
    BARRIER = "barrier reached by all threads"


class ProofStatus(StrEnum):
    """What came out."""

    PROVEN = "proven"
    REFUTED = "refuted"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Counterexample:
    """Sizes with which something goes wrong, and the CTA and the thread that it happens to.

    ``offset`` is where the thread accesses, in bytes from the start of a memory of ``size`` bytes;
    ``wraps``: a 32-bit integer that it follows from has wrapped.
    """

    sizes: tuple[tuple[str, int], ...]
    cta: Dim3
    thread: Dim3
    offset: int | None = None
    size: int | None = None
    wraps: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """Answer to one question about one instruction; ``reason`` says why it is unknown.

    ``address`` counts the addresses of an instruction that has several. ``memory`` names the
    buffer or variable, None where nobody knows which.
    """

    kind: ProofKind
    place: Place
    address: int
    status: ProofStatus
    memory: str | None = None
    space: Space | None = None
    example: Counterexample | None = None
    reason: str | None = None
    in_domain: bool = False


@dataclass(frozen=True, slots=True)
class Domain:
    """Sizes up to ``most``, each a multiple of its own number in ``multiples``.

    Those in ``ranges`` are asked of from a lowest to a highest value alone.
    """

    most: int = MOST_OF_SIZE
    multiples: tuple[tuple[str, int], ...] = ()
    ranges: tuple[tuple[str, int, int], ...] = ()


@dataclass(frozen=True)
class Proofs:
    """Verdicts of a launch, whose sizes that do not follow from others are ``sizes``.

    What is proven is so for sizes in ``every``. What is not, and holds for all of ``domain``, which
    those of the launch belong to, says so by ``in_domain``.
    """

    sizes: tuple[str, ...]
    verdicts: tuple[Verdict, ...]
    every: Domain
    domain: Domain
