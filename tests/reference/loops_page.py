"""The page of the samples' loops, docs/loops.md: by hand, and by the analysis beside it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tests.reference.loop_nests import SampleLoops, SourceLoop
from tests.reference.sample_bounds import MOST_COMPARED, Compared, compared, line_of, partners
from tests.reference.sample_jobs import (
    FOLDERS,
    job_of,
    launches_of,
    numbers_of,
    sample_loops,
)
from warpmill.analyzer.analyses.ranges.bounds import ExitBound, LoopBound, UnknownTrips
from warpmill.analyzer.launch.model import Launch
from warpmill.session.jobs import Job

LONGEST = 120
"""Characters of a formula or condition that are written out."""

COMPILERS = {"clang": ".bc", "nvcc": ".sm_80.ptx"}
"""Whose artefacts of CUDA the page shows, and how their names end."""

INTRODUCTION = """\
# The samples' loops

Every loop of every [sample](../samples/README.md), with its trip count as it was derived by hand
from the source and as warpmill's analysis derives it from what compilers made of the source. The
page is made of `samples/*/loops.toml` and the artefacts in the samples' folders by
`pytest tests/documents/test_loops_page.py --bless`; without `--bless` the same test fails where the
page is out of date.

Each kernel has two tables. The first is **by hand**:

- *loop*: its counter, the counter of the loop around, and the line of its header in the `.cu` file;
  *triangular*: its count depends on a counter of the loops around;
- *trips*: the count in the source's words: arguments, `tid.x`, `ntid.x`, counters of the loops
  around; `bits` is the number of binary digits;
- *at the launch*: the same as a number, or the least and the most, in CTA 0 at the size in
  `launch.toml`;
- *how*: the derivation.

The second is **by the analysis**, from clang's LLVM IR and nvcc's PTX of the CUDA source:

- *trips*: the analysis' formula. `#i` is the number, from 0, of the iteration of the loop that
  counts with `i`, which is not the value of `i`. *unrolled*: the compiler left no loop. *at most*:
  data may end it earlier. *unknown*: no formula, and why;
- *at the launch*: the formula's least and most value over the entries that are compared, see below;
- *it leaves*: the test at the exit that the count was solved from, and its line where the compiler
  wrote one down; `%12` and the like are registers of the artefact;
- *as by hand*: *yes*, where the formula gives what executing the source's loop headers one by one
  gives, at each entry into the loop by a thread of CTA 0; of more than {most} entries of a thread
  an even choice is compared, and those of least and most trips. *differs*, where it does not: a
  compiler that unrolls in part makes a loop of several iterations at once, and another of the rest.
  The page does not tell whether such a formula is right; how often the body is executed in all is
  compared through traces (`tests/documents/test_sample_loops.py`), which do not use formulas. *not
  computed*: the formula has operations that this page cannot compute.

Compilers test most loops at the bottom, and pass them by where there is nothing to do. Such a loop
is not entered for no trip: its least count is 1 where that by hand is 0, and a formula of a partly
unrolled loop may be below 1 where it is passed by. Formulas of more than {longest} characters are
not written out.
"""


def loops_page() -> str:
    """The page as Markdown."""
    counts = {compiler: Counter[str]() for compiler in COMPILERS}
    parts = [INTRODUCTION.format(longest=LONGEST, most=MOST_COMPARED)]
    for folder in FOLDERS:
        parts.append(f"\n## {folder.name}\n")
        told: set[str] = set()
        for number, launch in enumerate(launches_of(folder)):
            if launch.kernel not in told:
                told.add(launch.kernel or "")
                parts += _kernel(folder, number, launch, counts)
    parts += ["\n## In all\n", *_totals(counts)]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(parts)).rstrip() + "\n"


def _kernel(
    folder: Path, number: int, launch: Launch, counts: Mapping[str, Counter[str]]
) -> Iterator[str]:
    sample, name = sample_loops(folder), launch.kernel or ""
    own = sample.of(name)
    yield f"### {name}\n"
    if not own:
        yield "It has no loop.\n"
        return
    sizes = "".join(f", `{n}` = {v:,}" for n, v in numbers_of(sample, launch).items())
    yield f"Blocks of {_dimensions(launch.block)} threads{sizes}.\n"
    yield from _table(("loop", "trips", "at the launch", "how"), _by_hand(sample, own))
    views = [_View(compiler, folder, number) for compiler in COMPILERS]
    rows = [row for i in own for view in views for row in view.rows(i, counts[view.compiler])]
    rows += [row for view in views for row in view.without_source()]
    yield from _table(("loop", "from", "trips", "at the launch", "it leaves", "as by hand"), rows)


def _by_hand(sample: SampleLoops, own: Mapping[int, SourceLoop]) -> Iterator[Sequence[str]]:
    for i, loop in own.items():
        trips = "data decide" if loop.trips == "data" else _code(loop.trips)
        number = loop.number or "—"
        yield (_loop_name(sample, i), trips, number, loop.derivation)


def _loop_name(sample: SampleLoops, number: int) -> str:
    loop = sample.loops[number]
    inside = "" if loop.outer is None else f" in `{sample.loops[loop.outer].counter}`"
    triangular = ", *triangular*" if loop.triangular else ""
    return f"`{loop.counter}`{inside}, line {loop.line['cu']}{triangular}"


# ---------------------------------------------------------------- by the analysis


@dataclass(frozen=True)
class _View:
    """A kernel as one compiler made it, joined to the loops of the source."""

    compiler: str
    folder: Path
    number: int

    @cached_property
    def _artefact(self) -> Path:
        return self.folder / f"{self.folder.name}{COMPILERS[self.compiler]}"

    @cached_property
    def _job(self) -> Job:
        return job_of(self._artefact, self.number)

    @cached_property
    def _partners(self) -> dict[int, list[LoopBound]]:
        return partners(self._job, self._artefact)

    @cached_property
    def _names(self) -> dict[str, str]:
        """What the artefact calls arguments and loops, by the source's names."""
        sample, kernel = sample_loops(self.folder), self._job.kernel
        pairs = zip(kernel.parameters, sample.arguments[kernel.name], strict=True)
        labels = {
            f"i({kernel.blocks[bound.header].label})": f"#{sample.loops[i].counter}"
            for i, bounds in self._partners.items()
            for bound in bounds
        }
        return {parameter.name: name for parameter, name in pairs} | labels

    def rows(self, loop: int, counts: Counter[str]) -> Iterator[Sequence[str]]:
        """What the analysis has of a loop, and count it."""
        sample = sample_loops(self.folder)
        name, bounds = _loop_name(sample, loop), self._partners[loop]
        each = [self._compared(loop, bound) for bound in bounds]
        verdict = self._verdict(loop, each)
        counts.update(["loops", verdict])
        if sample.loops[loop].triangular:
            counts.update(["triangular", f"triangular {verdict}"])
        if not bounds:
            yield (name, self.compiler, "*unrolled*", "—", "—", "—")
        for bound, entries in zip(bounds, each, strict=True):
            number = _range([entry.found for entry in entries])
            yield (name, self.compiler, self._trips(bound), number, self._ends(bound), verdict)

    def without_source(self) -> Iterator[Sequence[str]]:
        """List loops that neither line nor depth joins to a loop of the source."""
        joined = {bound.loop for bounds in self._partners.values() for bound in bounds}
        for bound in self._job.analysis.bounds:
            if bound.loop not in joined:
                yield ("—", self.compiler, self._trips(bound), "—", self._ends(bound), "—")

    def _verdict(self, loop: int, each: Sequence[Sequence[Compared]]) -> str:
        """How a loop's partners compare with the source; a key of ``TOTALS``."""
        bounds = self._partners[loop]
        data = sample_loops(self.folder).loops[loop].trips == "data"
        if not bounds:
            return "unrolled"
        if any(isinstance(b.trips, UnknownTrips) for b in bounds):
            return "yes, data decide" if data else "unknown"
        if data or any(b.at_most for b in bounds):
            return "at most"
        if any(not entries or any(c.found is None for c in entries) for entries in each):
            return "not computed"
        agrees = len(each) == 1 and all(c.found == c.trips for c in each[0])
        return "yes" if agrees else "differs"

    def _compared(self, loop: int, bound: LoopBound) -> list[Compared]:
        """Compare one of a loop's partners in all launches of the kernel."""
        around = {i: bounds[0] for i, bounds in self._partners.items() if len(bounds) == 1}
        return [
            entry
            for number, launch in enumerate(launches_of(self.folder))
            if launch.kernel == self._job.kernel.name
            for entry in compared(
                job_of(self._artefact, number),
                self._artefact,
                number,
                loop,
                around | {loop: bound},
            )
        ]

    def _ends(self, bound: LoopBound) -> str:
        return "; ".join(self._exit(e) for e in bound.exits) or "never"

    def _trips(self, bound: LoopBound) -> str:
        if isinstance(bound.trips, UnknownTrips):
            head, colon, tail = bound.trips.reason.partition(": ")
            return f"*unknown*, {head}{colon}{self._formula(tail) if tail else ''}"
        formula = self._formula(str(bound.trips))
        return f"*at most* {formula}" if bound.at_most else formula

    def _exit(self, exit_: ExitBound) -> str:
        line = line_of(self._job, exit_.source)
        where = "" if line is None else f", line {line}"
        if exit_.condition is None:
            return f"by a jump that is no test{where}"
        part = " (*at most*)" if exit_.at_most else ""
        return f"{self._formula(str(exit_.condition))}{where}{part}"

    def _formula(self, text: str) -> str:
        named = _WORD.sub(lambda match: self._names.get(match[0], match[0]), text)
        if len(named) > LONGEST:
            return f"({len(named):,} characters)"
        return _code(named)


_WORD = re.compile(r"\bi\([^()]*\)|%?[\w.$]+")
"""Counters, registers, arguments and names of operations in a formula's text."""


# ---------------------------------------------------------------- words and tables


def _code(text: str) -> str:
    return f"`{text}`".replace("|", "\\|")


def _dimensions(sizes: Sequence[int]) -> str:
    return " × ".join(str(size) for size in sizes if size > 1) or "1"


def _range(found: Sequence[int | None]) -> str:
    numbers = [n for n in found if n is not None]
    if not numbers or len(numbers) < len(found):
        return "—"
    low, high = min(numbers), max(numbers)
    return f"{low:,}" if low == high else f"{low:,}..{high:,}"


def _table(
    head: Sequence[str], rows: Iterator[Sequence[str]] | Sequence[Sequence[str]]
) -> list[str]:
    lines = [head, ["---"] * len(head), *rows]
    return [f"| {' | '.join(line)} |" for line in lines] + [""]


TOTALS = {
    "loops": "loops in the sources",
    "yes": "a formula as by hand",
    "yes, data decide": "unknown, and data decide by hand too",
    "differs": "a formula of the compiler's loop, which is not the source's",
    "not computed": "a formula that is not computed here",
    "at most": "no more than an upper bound",
    "unknown": "unknown, but not by hand",
    "unrolled": "no loop left: unrolled",
}


def _totals(counts: Mapping[str, Counter[str]]) -> list[str]:
    heads = [f"{name}{what}" for name in COMPILERS for what in ("", ", *triangular*")]
    rows = []
    for key, words in TOTALS.items():
        inner = "triangular" if key == "loops" else f"triangular {key}"
        cells = [f"{counts[name][k]:,}" for name in COMPILERS for k in (key, inner)]
        rows.append((words, *cells))
    return _table(("", *heads), rows)
