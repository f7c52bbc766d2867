"""Rounds of CTAs, and what of them does not depend on the machine: made once for many machines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cached_property

from analyzer.ir.kernel import Kernel
from analyzer.memory_rules import MemoryRules
from analyzer.trace.model import UnknownAddresses, WarpTrace, visits_with_counts, weighted_visits
from simulator.estimate.batch_round import BatchRound
from simulator.estimate.kernel_code import KernelCode
from simulator.estimate.program import Template, TraceCompiler
from simulator.estimate.subject import Subject
from simulator.estimate.traffic import AccessFacts, Classes, Place, requested_bytes

MOST_KEPT = 8
"""Rounds that are kept: machines have few numbers of SMs, and traces take memory."""

Triple = tuple[int, int, int]


class Round:
    """CTAs of a launch that run on one SM together."""

    def __init__(self, ctas: tuple[tuple[WarpTrace, ...], ...], kernel: Kernel) -> None:
        self.size, self._ctas, self._kernel = len(ctas), ctas, kernel
        self._classes: dict[MemoryRules, Classes] = {}
        self._requested: dict[MemoryRules, dict[str, float]] = {}
        self._templates: dict[tuple[MemoryRules, float], Template] = {}

    @cached_property
    def executions(self) -> Mapping[int, int]:
        """How often warps execute each block."""
        found: Counter[int] = Counter()
        for warp, number in self._by_tree:
            for visit, times in weighted_visits(warp.nodes):
                found[visit.block] += number * times
        return found

    @cached_property
    def _by_tree(self) -> list[tuple[WarpTrace, int]]:
        """A warp of each tree, and how many there are."""
        warps = [warp for own in self._ctas for warp in own]
        number = Counter(id(warp.nodes) for warp in warps)
        return [(w, number[key]) for key, w in {id(w.nodes): w for w in warps}.items()]

    @cached_property
    def unknown_addresses(self) -> frozenset[Place]:
        """Accesses whose addresses the traces do not know."""
        return frozenset(
            (visit.block, access.instruction)
            for warp, _ in self._by_tree
            for visit, _ in visits_with_counts(warp.nodes)
            for access in visit.accesses
            if isinstance(access.addresses, UnknownAddresses)
        )

    def _classed(self, facts: AccessFacts) -> Classes:
        """Give the classes of its warps, for one set of rules the same ones."""
        return self._classes.setdefault(facts.rules, Classes(facts))

    def requested(self, facts: AccessFacts) -> Mapping[str, float]:
        """Sum the bytes that go off the SM, by region."""
        if facts.rules not in self._requested:
            self._requested[facts.rules] = requested_bytes(self._ctas, self._classed(facts))
        return self._requested[facts.rules]

    def template(self, code: KernelCode, facts: AccessFacts, factor: float = 1.0) -> Template:
        """Lay the traces out; ``factor`` below 1 cuts the outermost loops short."""
        key = facts.rules, factor
        if key not in self._templates:
            compiler = TraceCompiler(code, self._kernel, self._classed(facts))
            self._templates[key] = compiler.compile(self._ctas, factor)
        return self._templates[key]


AnyRound = Round | BatchRound


class Rounds:
    """The rounds of a subject's traces; those that were asked for last are kept."""

    def __init__(self, subject: Subject) -> None:
        self._source, self._kernel = subject.source, subject.kernel
        self._kept: dict[tuple[Triple, ...], AnyRound] = {}

    def of(self, ctas: tuple[Triple, ...]) -> AnyRound:
        """Give the round of some CTAs. Errors as the source's."""
        found = self._kept.pop(ctas, None)
        if found is None:
            found = self._made(ctas)
        self._kept[ctas] = found
        if len(self._kept) > MOST_KEPT:
            self._kept.pop(next(iter(self._kept)))
        return found

    def _made(self, ctas: tuple[Triple, ...]) -> AnyRound:
        batches = self._source.batches(ctas)
        if batches is None:
            return Round(tuple(self._source.many(ctas)), self._kernel)
        return BatchRound(list(batches), self._kernel)
