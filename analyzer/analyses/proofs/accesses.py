"""Accesses of a kernel that stay within their memory, whatever the sizes of its launch."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import z3

from warpmill.analyzer.analyses.access.accesses import access_width
from warpmill.analyzer.analyses.proofs.iterations import FAR_FROM_WRAPPING
from warpmill.analyzer.analyses.proofs.launches import (
    LaunchFormulas,
    Memory,
    launch_formulas,
)
from warpmill.analyzer.analyses.proofs.machine_values import MachineValues
from warpmill.analyzer.analyses.proofs.theory import (
    Outcome,
    Proven,
    Refuted,
    Term,
    Theory,
    Undecided,
)
from warpmill.analyzer.analyses.proofs.verdicts import (
    MOST_OF_SIZE,
    Counterexample,
    Domain,
    ProofKind,
    Proofs,
    ProofStatus,
    Verdict,
)
from warpmill.analyzer.analyses.proofs.word_rules import Word
from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.ir.kernel import Address, Instruction, Module
from warpmill.analyzer.ir.types import OpClass, Place, Space
from warpmill.analyzer.launch.model import Launch


def prove(
    module: Module,
    structure: Structure,
    launch: Launch,
    *,
    ranges: Mapping[str, tuple[int, int]] = MappingProxyType({}),
    most: int | None = None,
) -> Proofs:
    """What holds of each access of a launch for every value of its sizes.

    Those in ``ranges`` have values from the first to the second alone. ``most`` is the effort that
    may be spent, in z3's units; what is left then is unknown.
    """
    theory = Theory() if most is None else Theory(most=most)
    formulas = launch_formulas(theory, module, structure.kernel, launch, ranges)
    launched = [value for name, value in launch.sizes if name in formulas.sizes]
    asked = tuple((name, *ranges[name]) for name in formulas.sizes if name in ranges)
    every = Domain(max(MOST_OF_SIZE, *launched, 0), ranges=asked)
    prover = _Prover(module, structure, launch, formulas, theory, every)
    verdicts = tuple(prover.verdicts())
    return Proofs(tuple(formulas.sizes), verdicts, every, prover.domain)


_ACCESSES = frozenset({OpClass.LOAD, OpClass.STORE, OpClass.ATOMIC, OpClass.ASYNC_COPY})

_SMALL = (64, 1024, 1 << 16)
"""Sizes up to which examples are looked for first."""

_EFFORT_OF_DOMAINS = 1_500_000
"""Effort of each query that looks for sizes for which something holds: there are many."""

_MOST_MULTIPLE = 1 << 16
"""The largest power of two that sizes are taken to be multiples of."""


@dataclass(frozen=True)
class _Access:
    """An access whose address is a term: ``base`` and ``constant`` bytes into its memory."""

    place: Place
    number: int
    space: Space | None
    width: int | None
    word: Word
    memory: Memory | None
    base: Term
    constant: int
    given: tuple[Term, ...]

    @property
    def offset(self) -> Term:
        return self.base + self.constant


@dataclass
class _Prover:
    module: Module
    structure: Structure
    launch: Launch
    formulas: LaunchFormulas
    theory: Theory
    domain: Domain
    values: MachineValues = field(init=False)

    def __post_init__(self) -> None:
        self.values = MachineValues(self.structure, self.formulas, self.theory)

    def verdicts(self) -> Iterator[Verdict]:
        for block in self.structure.kernel.blocks:
            if block.id not in self.structure.cfg.reachable:
                continue
            accesses = [
                access
                for place, instruction in enumerate(block.instructions)
                for access in self._accesses((block.id, place), instruction)
            ]
            alike: dict[object, list[_Access]] = {}
            for access in accesses:
                given = tuple(g.get_id() for g in access.given)
                memory = None if access.memory is None else access.word.memory
                alike.setdefault((memory, access.base.get_id(), given), []).append(access)
            for group in alike.values():
                yield from self._group(group)
            for place, instruction in enumerate(block.instructions):
                if _waits_for_all(instruction):
                    yield self._barrier((block.id, place))

    def _accesses(self, place: Place, instruction: Instruction) -> Iterator[_Access]:
        operation = instruction.operation
        if operation.op_class not in _ACCESSES or operation.space is Space.PARAM:
            return
        width = access_width(self.structure, place, instruction)
        spaces, values = operation.spaces, self.values
        for n, (address, _) in enumerate(instruction.accesses):
            if not isinstance(address, Address):
                continue
            space = spaces[min(n, len(spaces) - 1)] if spaces else None
            values.bound_counters(place[0])
            word = values.operand(values.now, place, address, self.module.address_bits)
            memory = None if word.memory is None else self.formulas.memories[word.memory]
            base, constant = _parted(word.term)
            given = (values.reached(values.now, place[0]), values.guard(values.now, *place))
            yield _Access(place, n, space, width, word, memory, base, constant, given)

    def _group(self, group: Sequence[_Access]) -> Iterator[Verdict]:
        """Accesses that differ by plain numbers: where the outermost hold, all do."""
        if len(group) > 1 and all(a.memory is not None and a.width for a in group):
            memory, base, given = group[0].memory, group[0].base, group[0].given
            assert memory is not None
            low = min(a.constant for a in group)
            high = max(a.constant + (a.width or 0) for a in group)
            inside = z3.And(base + low >= 0, base + high <= memory.size)
            if isinstance(self.theory.decide(given, inside), Proven):
                for access in group:
                    yield self._verdict(access, ProofKind.BOUNDS, Proven())
                    yield from self._others(access)
                return
        for access in group:
            yield self._bounds(access)
            yield from self._others(access)

    def _bounds(self, access: _Access) -> Verdict:
        memory, width = access.memory, access.width
        if memory is None or width is None:
            reason = "data decide how many bytes it accesses"
            if memory is None:
                reason = next(
                    self.theory.unknowns((access.word.term,)),
                    "what the address is counted from is not known",
                )
            return self._verdict(access, ProofKind.BOUNDS, Undecided(reason))
        inside = z3.And(access.offset >= 0, access.offset + width <= memory.size)
        return self._judged(access, ProofKind.BOUNDS, inside)

    def _others(self, access: _Access) -> Iterator[Verdict]:
        """Alignment, and that no integer wraps that the address follows from."""
        memory, width = access.memory, access.width
        if memory is None or not width:
            return
        if width & (width - 1) == 0 and memory.align >= width:
            yield self._judged(access, ProofKind.ALIGNMENT, access.offset % width == 0)
        wraps = self.values.wraps(access.offset)
        kept = z3.And(self.theory.fact(holds=True), *(turns == 0 for turns in wraps))
        yield self._judged(access, ProofKind.OVERFLOW, kept)

    def _judged(self, access: _Access, kind: ProofKind, goal: Term) -> Verdict:
        """Decide a goal; where it is refuted, find a small example and where it holds."""
        outcome = self.theory.decide(access.given, goal)
        if not isinstance(outcome, Refuted):
            return self._verdict(access, kind, outcome)
        reason = next(
            (r for t in (access.offset, *access.given) for r in self.theory.unknowns((t,))), None
        )
        if reason is not None:
            return self._verdict(access, kind, Undecided(reason))
        for most in _SMALL:
            small = self.theory.decide((*access.given, *self._within(Domain(most))), goal)
            if isinstance(small, Refuted):
                outcome = small
                break
        return self._verdict(access, kind, outcome, in_domain=self._holds_in_domain(access, goal))

    def _verdict(
        self, access: _Access, kind: ProofKind, outcome: Outcome, *, in_domain: bool = False
    ) -> Verdict:
        status, example, reason = ProofStatus.PROVEN, None, None
        if isinstance(outcome, Refuted):
            status, example = ProofStatus.REFUTED, self._example(outcome, access)
        elif isinstance(outcome, Undecided):
            status, reason = ProofStatus.UNKNOWN, outcome.reason
        name = None if access.memory is None else access.memory.name
        return Verdict(
            kind, access.place, access.number, status, name, access.space, example, reason,
            in_domain,
        )  # fmt: skip

    def _example(self, outcome: Refuted, access: _Access) -> Counterexample:
        x, y, z = map(outcome.value, self.formulas.cta)
        i, j, k = map(outcome.value, self.formulas.thread)
        given = dict(self.launch.sizes)
        sizes = {
            name: outcome.value(term) if outcome.decides(term) else given[name]
            for name, term in self.formulas.sizes.items()
        }
        size = None if access.memory is None else outcome.value(access.memory.size)
        offset = outcome.value(access.offset)
        wraps = any(outcome.value(turns) for turns in self.values.wraps(access.offset))
        return Counterexample(tuple(sizes.items()), (x, y, z), (i, j, k), offset, size, wraps)

    # Barriers.

    def _barrier(self, place: Place) -> Verdict:
        """Whether what decides that a barrier is reached is the same for all threads of a CTA."""
        reason = next(self._partings(place), None)
        status = ProofStatus.PROVEN if reason is None else ProofStatus.UNKNOWN
        return Verdict(ProofKind.BARRIER, place, 0, status, reason=reason)

    def _partings(self, place: Place) -> Iterator[str]:
        """Branches at which threads may part that decide whether a barrier is reached."""
        blocks = self.structure.kernel.blocks
        branches = {(b, len(blocks[b].instructions) - 1) for b in self._deciding(place[0])}
        for at in sorted({*branches, place}):
            reason = self._parts(*at)
            if reason is not None:
                yield f"line {blocks[at[0]].instructions[at[1]].span.line}: {reason}"

    def _parts(self, block: int, instruction: int) -> str | None:
        """Why threads may part at a guard; None where they do not."""
        holds = self.values.guard(self.values.now, block, instruction)
        names = self._deciders(holds)
        own = {n for t in self.formulas.thread for n in self.theory.names(t)} & names
        # what a loop carries is the same for all threads if what it is made from is
        given_away = (name for name in names if not self.theory.sources(name))
        reason = next(self.theory.reasons(given_away), None)
        if not own and reason is None:
            return None
        given = (self.values.reached(self.values.now, block),)
        for outcome in (holds, z3.Not(holds)):
            if isinstance(self.theory.decide(given, outcome), Proven):
                return None
        return "thread ids decide a branch" if own else reason

    def _deciders(self, condition: Term) -> frozenset[str]:
        """The variables that a condition follows from, by what led to its values as well."""
        found: set[str] = set()
        seen: set[int] = set()
        todo = [condition]
        while todo:
            names, blocks = self.values.deciders(todo)
            found |= names
            branches = {b for block in blocks - seen for b in self._deciding(block)}
            seen |= blocks
            todo = [
                self.values.guard(
                    self.values.now, b, len(self.structure.kernel.blocks[b].instructions) - 1
                )
                for b in sorted(branches)
            ]
        return frozenset(found)

    def _deciding(self, block: int) -> frozenset[int]:
        """The blocks whose branches decide whether, and how often, a block is reached."""
        found: set[int] = set()
        todo, after = [block], self.structure.postdominators
        while todo:
            one = todo.pop()
            for source in self.structure.cfg.reachable:
                successors = self.structure.cfg.successors[source]
                if source in found or len(successors) < 2:
                    continue
                leads = any(after.dominates(one, s) for s in successors)
                always = one != source and after.dominates(one, source)
                if leads and not always:
                    found.add(source)
                    todo.append(source)
        return frozenset(found)

    # Sizes for which what is refuted holds.

    def _within(self, domain: Domain) -> list[Term]:
        """That the sizes belong to a domain."""
        multiples = dict(domain.multiples)
        sizes = self.formulas.sizes.items()
        return [
            *(term <= domain.most for _, term in sizes),
            *(term % multiples[name] == 0 for name, term in sizes if name in multiples),
        ]

    def _holds_in_domain(self, access: _Access, goal: Term) -> bool:
        """Whether a goal holds for sizes like the launch's; the domain is made as wide as that."""
        if not self.formulas.sizes:
            return False

        def holds(domain: Domain) -> bool:
            given = (*access.given, *self._within(domain))
            return isinstance(self.theory.decide(given, goal, effort=_EFFORT_OF_DOMAINS), Proven)

        if holds(self.domain):
            return True
        launched = {name: value for name, value in self.launch.sizes if name in self.formulas.sizes}
        for name, low, high in self.domain.ranges:
            launched[name] = min(max(launched[name], low), high)
        multiples = tuple(
            (name, min(value & -value, _MOST_MULTIPLE))
            for name, value in launched.items()
            if value and value & -value > 1
        )
        least = max(launched.values())
        tried = [
            replace(self.domain, most=most, multiples=by)
            for most in (self.domain.most, *FAR_FROM_WRAPPING)
            for by in (self.domain.multiples, multiples)
            if least <= most <= self.domain.most
        ]
        for domain in tried[1:]:
            if holds(domain):
                self.domain = self._fewer_multiples(domain, holds)
                return True
        for by in (self.domain.multiples, multiples):
            like = replace(self.domain, most=least, multiples=by)
            if least <= self.domain.most and holds(like):
                narrow = self._fewer_multiples(like, holds)
                self.domain = self._farther(narrow, self.domain.most, holds)
                return True
        return False

    def _farther(self, domain: Domain, high: int, holds: Callable[[Domain], bool]) -> Domain:
        """A domain with the largest sizes, below ``high``, for which it holds."""
        low = domain.most
        while low < high - 1:
            middle = (low + high) // 2
            if holds(replace(domain, most=middle)):
                low = middle
            else:
                high = middle
        return replace(domain, most=low)

    def _fewer_multiples(self, domain: Domain, holds: Callable[[Domain], bool]) -> Domain:
        """A domain whose multiples are halved as long as what has been proven still holds.

        What was proven before, for the domain so far, has to hold for it as well.
        """
        so_far = dict(self.domain.multiples)
        while True:
            halves = ((n, max(by // 2, so_far.get(n, 1))) for n, by in domain.multiples)
            smaller = replace(domain, multiples=tuple((n, by) for n, by in halves if by > 1))
            if smaller == domain or not holds(smaller):
                return domain
            domain = smaller


def _waits_for_all(instruction: Instruction) -> bool:
    """Whether an instruction is a barrier that all threads of a CTA have to come to."""
    operation = instruction.operation
    if operation.name not in ("bar", "barrier") or operation.op_class is not OpClass.BARRIER:
        return False
    words = operation.modifiers
    return "warp" not in words and "cluster" not in words and len(instruction.sources) < 2


def _parted(term: Term) -> tuple[Term, int]:
    """A term without the number that is added to it, and that number."""
    term = z3.simplify(term)
    if z3.is_int_value(term):
        return z3.simplify(term - term), term.as_long()
    if z3.is_add(term):
        numbers = [c.as_long() for c in term.children() if z3.is_int_value(c)]
        if numbers:
            return z3.simplify(term - sum(numbers)), sum(numbers)
    return term, 0
