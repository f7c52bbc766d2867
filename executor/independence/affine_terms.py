"""The numbers of a launch, and the terms of its linear forms: what its threads differ in."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from warpmill.analyzer.ir.kernel import Module
from warpmill.executor.independence.affine import Bound, LinearForm, Term

Dim3 = tuple[int, int, int]


@dataclass(frozen=True)
class LaunchNumbers:
    """What is known of a launch: its sizes, the bytes of its parameters, symbols' addresses."""

    grid: Dim3
    block: Dim3
    params: bytes = b""
    symbols: Mapping[str, int] = field(default_factory=dict)


class LaunchTerms:
    """The terms of one launch by what they stand for; each is made once."""

    def __init__(self, module: Module, facts: LaunchNumbers) -> None:
        self._made: dict[object, Term] = {}
        self._remainders: dict[Term, tuple[LinearForm, int]] = {}
        self.fixed: set[Term] = set()
        """What no instruction makes."""
        lanes, threads = module.warp_size, math.prod(facts.block)
        self._counts = {"laneid": min(lanes, threads), "warpid": -(-threads // lanes)}
        self._numbers = {"nwarpid": -(-threads // lanes)}
        for axis, size, count in zip("xyz", facts.block, facts.grid, strict=True):
            self._counts |= {f"tid.{axis}": size, f"ctaid.{axis}": count}
            self._numbers |= {f"ntid.{axis}": size, f"nctaid.{axis}": count}
        self.ctas = [
            self.between(f"ctaid.{a}", 0, n - 1) for a, n in zip("xyz", facts.grid, strict=True)
        ]

    def between(self, key: object, low: int, high: Bound) -> Term:
        """Give the term of a key; the bounds count when it is asked for first."""
        if key not in self._made:
            self._made[key] = Term(str(key), low, high)
        return self._made[key]

    def special(self, name: str) -> LinearForm:
        """Give a special register."""
        if name in self._numbers:
            return LinearForm(self._numbers[name])
        return self.given(name, 0, self._counts.get(name, 1 << 64) - 1)

    def given(self, key: object, low: int, high: Bound) -> LinearForm:
        """Give the form of a term that no instruction makes."""
        form = self.form(key, low, high)
        self.fixed |= set(form.terms)
        return form

    def remainder(self, form: LinearForm, divisor: int) -> LinearForm:
        """Give what a division of a form leaves, from 0 on."""
        found = self.form(("remainder", divisor, form.key), 0, divisor - 1)
        for term in found.terms:
            self._remainders[term] = form, divisor
        return found

    def is_multiple(self, form: LinearForm, divisor: int) -> bool:
        """Tell whether a number divides a form for sure, as 4 does ``x - x mod 4``."""
        whole = LinearForm(form.constant)
        for term, coefficient in form.terms.items():
            of, by = self._remainders.get(term, (LinearForm(0, {term: 1}), 0))
            known = of if by * coefficient % divisor == 0 else LinearForm(0, {term: 1})
            whole = whole.plus(known, coefficient)
        return not any(n % divisor for n in (whole.constant, *whole.terms.values()))

    def form(self, key: object, low: int, high: Bound) -> LinearForm:
        """Give the form of a term alone, or a number where its bounds are one."""
        return LinearForm(low) if low == high else LinearForm(0, {self.between(key, low, high): 1})
