"""Public suites of kernels with planted bugs: what ``warpmill check`` finds of what is planted.

``--data`` is a folder with checkouts of the suites, by the names of their repositories on GitHub;
what is not there is left out. Nothing of them is carried along. As measured:

===================================  ========  ===================================================
burtscher/IndigoSuite                c95ac19   graph codes, made by the suite's own generator
csl-iisc/ScoR                        6dc3507   microbenchmarks and applications that synchronise
                                               by scopes
JohnJacobsonIII/HiRace-Artifact-SC24 44a935f   six graphs (``indigo/input``) that published figures
                                               are of
===================================  ========  ===================================================

Indigo's ``Generators/configure.txt`` as it is asks for all codes with data of type ``int``: 590.
With ``dataType: {all}`` there it is the whole suite, six times as many, of which nvcc refuses those
whose atomics CUDA does not have for their type; they are listed. A code is taken for racing where
its name has a bug of atomicity, guard or synchronisation or a race, and for leaving its buffers
where it has one of bounds.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from itertools import chain, islice
from pathlib import Path
from typing import Annotated, Any

from warpmill.analyzer.base.metric import Metric, derived
from warpmill.benchmarks.benchmark import Benchmark, Goal, Request, column, put_aside, say
from warpmill.benchmarks.check_suites import indigo, scor
from warpmill.benchmarks.check_suites.running import SuiteKernel, SuiteRow, checked
from warpmill.report.base import Part
from warpmill.report.sections import Table

HERE = Path(__file__).parent
PUBLISHED: dict[str, Any] = tomllib.loads((HERE / "published.toml").read_text("utf-8"))
DISPUTED: dict[str, Any] = tomllib.loads((HERE / "disputed.toml").read_text("utf-8"))

SUITES: Mapping[str, Callable[[Path], Iterator[SuiteKernel]]] = {
    "indigo": indigo.kernels,
    "scor": scor.kernels,
}
QUICK = 16
"""Of a quick run every so many codes are checked."""


class Sum(Part):
    """The confusion matrix of one class of bugs over codes of a suite.

    ``unknown`` were not checked to the end. ``disputed``: of those that differ, how many a rule
    decides for check (``disputed.toml``).
    """

    suite: Annotated[str, Metric("suite")]
    what: Annotated[str, Metric("bugs")]
    codes: Annotated[str, Metric("codes")]
    tp: Annotated[int, Metric("TP")]
    fp: Annotated[int, Metric("FP")]
    fn: Annotated[int, Metric("FN")]
    tn: Annotated[int, Metric("TN")]
    unknown: Annotated[int, Metric("unknown")]
    disputed: Annotated[int, Metric("disputed")]

    @derived("precision")
    def precision(self) -> float | None:
        """Of what is found, what is planted; None where nothing is found."""
        return _share(self.tp, self.fp)

    @derived("recall")
    def recall(self) -> float | None:
        """Of what is planted, what is found; None where nothing is planted."""
        return _share(self.tp, self.fn)

    @derived("accuracy")
    def accuracy(self) -> float | None:
        """Codes of which check says what the suite says, of all."""
        return _share(self.tp + self.tn, self.fp + self.fn)


def _share(right: int, wrong: int) -> float | None:
    return right / (right + wrong) if right + wrong else None


class Difference(Part):
    """A code on which check and the suite differ, with the rule that decides it, if it is one."""

    suite: Annotated[str, Metric("suite")]
    kernel: Annotated[str, Metric("kernel")]
    planted: Annotated[str, Metric("planted")]
    race: Annotated[str | None, Metric("races")]
    memory: Annotated[str | None, Metric("memory errors")]
    found: Annotated[str, Metric("check finds")]
    why: Annotated[str, Metric("decided by")]


class OnGraph(Part):
    """Codes with races that tools find on one graph, of those that the suite plants."""

    graph: Annotated[str, Metric("graph")]
    racing: Annotated[int, Metric("codes with races")]
    found: Annotated[int, Metric("check finds")]
    false_alarms: Annotated[int, Metric("false alarms")]
    published: Mapping[str, int]


class SuitesResult(Part):
    """All codes, in the suites' order, and Indigo's on the graphs of published figures."""

    rows: tuple[SuiteRow, ...]
    graphs: tuple[OnGraph, ...]

    @property
    def aside(self) -> frozenset[str]:
        """Kernels that are put aside."""
        return put_aside({row.kernel for row in self.rows})

    @derived("sums")
    def sums(self) -> tuple[Sum, ...]:
        """The matrix by suite and class, over all codes and over those put aside."""
        found = []
        for suite in dict.fromkeys(row.suite for row in self.rows):
            every = [row for row in self.rows if row.suite == suite]
            aside = [row for row in every if row.kernel in self.aside]
            for what in ("race", "memory"):
                found += [_sum(suite, what, codes, rows)
                          for codes, rows in (("all", every), ("put aside", aside))]  # fmt: skip
        return tuple(one for one in found if one.tp + one.fp + one.fn + one.tn)

    @derived("of Indigo")
    def of_indigo(self) -> Mapping[str, Sum]:
        """Indigo's matrix over all codes, by class."""
        own = [one for one in self.sums if one.suite == indigo.SUITE and one.codes == "all"]
        return {one.what: one for one in own}

    @derived("differences")
    def differences(self) -> tuple[Difference, ...]:
        """What check and the suite differ on, undecided first."""
        rows = [
            Difference(
                suite=row.suite,
                kernel=row.kernel,
                planted=", ".join(row.planted),
                race=row.race,
                memory=row.memory,
                found=", ".join(row.found),
                why=decided(row),
            )
            for row in self.rows
            if row.differs
        ]
        return tuple(sorted(rows, key=lambda one: bool(one.why)))

    @derived("incomplete")
    def incomplete(self) -> tuple[SuiteRow, ...]:
        """Codes that were not checked to their end."""
        return tuple(row for row in self.rows if row.problem)


WORDS = {"race": "data races", "memory": "memory errors"}


def _sum(suite: str, what: str, codes: str, rows: list[SuiteRow]) -> Sum:
    cells = [(getattr(row, what), row) for row in rows]
    counts = {cell.lower(): sum(one == cell for one, _ in cells) for cell in CELLS}
    unknown = sum(bool(one is None and row.problem) for one, row in cells)
    disputed = sum(one in ("FP", "FN") and bool(decided(row)) for one, row in cells)
    return Sum(suite=suite, what=WORDS[what], codes=codes, unknown=unknown, disputed=disputed,
               **counts)  # fmt: skip


CELLS = ("TP", "FP", "FN", "TN")


def decided(row: SuiteRow) -> str:
    """The rule that decides a row for check; "" where there is none."""
    if not row.differs:
        return ""
    for rule in DISPUTED["rule"]:
        if fnmatchcase(row.suite, rule["suite"]):
            for pattern in rule["kernels"]:
                if fnmatchcase(row.kernel, pattern):
                    return str(rule["why"])
    return ""


def on_graphs(checks: Sequence[tuple[SuiteKernel, frozenset[str]]]) -> tuple[OnGraph, ...]:
    """Indigo's codes on each graph that figures were published of, of codes and where they race."""
    own = [(one, races) for one, races in checks if one.suite == indigo.SUITE]
    found = []
    for figure in PUBLISHED["figure"]:
        for place, graph in enumerate(figure["graphs"]):
            there = [(one, graph in races) for one, races in own if graph in one.programs]
            if there:
                found.append(
                    OnGraph(
                        graph=graph,
                        racing=sum(one.has_race for one, _ in there),
                        found=sum(one.has_race and races for one, races in there),
                        false_alarms=sum(races and not one.has_race for one, races in there),
                        published={tool: each[place] for tool, each in figure["found"].items()},
                    )
                )
    return tuple(found)


def measure(request: Request) -> SuitesResult:
    """Check the codes of the suites. SystemExit where there are none."""
    if request.data is None:
        raise SystemExit(f"--data: a folder with checkouts of suites\n\n{__doc__}")
    rows: list[SuiteRow] = []
    checks: list[tuple[SuiteKernel, frozenset[str]]] = []
    every = chain.from_iterable(SUITES[name](request.data) for name in request.chosen(SUITES))
    for one in islice(every, 0, None, QUICK if request.quick else 1):
        row, races = checked(one)
        rows.append(row)
        checks.append((one, races))
        if len(rows) % 50 == 0:
            say(f"{len(rows)} codes are checked")
    if not rows:
        raise SystemExit(f"there is no suite in {request.data}\n\n{__doc__}")
    return SuitesResult(rows=tuple(rows), graphs=on_graphs(checks))


def values(result: SuitesResult) -> dict[str, Any]:
    """What the template says beside tables."""
    return {
        "codes": Counter(row.suite for row in result.rows),
        "graphs": list(indigo.graphs()),
        "orders": scor.ORDERS,
    }


SHARE = "{:.3f}"
TOOLS = tuple(PUBLISHED["figure"][0]["found"])

BENCHMARK: Benchmark[SuitesResult] = Benchmark(
    name="check-suites",
    about="What warpmill check finds in public suites of kernels with planted bugs.",
    takes="10 minutes",
    result=":SuitesResult",
    measure=":measure",
    parts="suites",
    sections=(
        Table("Sums", "sums",
              ("suite", "what", "codes", "tp", "fp", "fn", "tn", "unknown", "disputed",
               *(column(name, form=SHARE) for name in ("precision", "recall", "accuracy"))),
              left=(0, 1, 2), top=20, once=(0, 1)),
        Table("Beside published figures", "graphs",
              ("graph", "racing", "found", "false_alarms",
               *(column(f"published.{tool}", tool) for tool in TOOLS)),
              below=PUBLISHED["sources"]["hirace"]),
        Table("Where check and a suite differ", "differences",
              ("suite", "kernel", "planted", "race", "memory", "found", "why"),
              left=(0, 1, 2, 3, 4, 5, 6), wrap=(1, 5, 6), once=(0, 6), top=60),
        Table("Not checked to the end", "incomplete", ("suite", "kernel", "problem"),
              left=(0, 1, 2), wrap=(2,)),
    ),
    goals=(
        Goal("of_indigo.data races.recall", 1.0, at_least=True,
             what="Indigo: recall of data races"),
        Goal("of_indigo.data races.precision", 1.0, at_least=True,
             what="Indigo: precision of data races"),
        Goal("of_indigo.memory errors.recall", 1.0, at_least=True,
             what="Indigo: recall of memory errors"),
        Goal("of_indigo.memory errors.precision", 1.0, at_least=True,
             what="Indigo: precision of memory errors"),
    ),
    data=("analyzer/**/*.toml", "grammars/*.lark", "benchmarks/check_suites/published.toml"),
    put_aside="A third of the codes is put aside by a seed. Nothing was changed for any of "
    "Indigo's; ScoR's have all been looked at, so that the split says little there.",
    values=":values",
)  # fmt: skip
