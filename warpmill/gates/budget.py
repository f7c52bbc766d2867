"""Budgets: bounds of figures, by kernel and machine, in a TOML file.

::

    [[budget]]
    kernel = "reduce*"
    machine = "a100"
    time_us = { most = 40 }
    occupancy_fraction = { least = 0.5 }
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Annotated, Any

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    FiniteFloat,
    ValidationError,
    create_model,
    model_validator,
)

from warpmill.analyzer.base.diagnostics import SourcePlace, UsageError
from warpmill.analyzer.base.naming import base_name, demangle
from warpmill.analyzer.base.toml_source import TomlDocument, read_toml_file, validate
from warpmill.gates.figures import FIGURES, LARGER_IS_BETTER, GateSubject
from warpmill.simulator.machines import load_machine

EVERY = "*"
_PATTERN = set("*?[")


class _Form(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class BoundForm(_Form):
    """Bounds of a figure; one of them at least."""

    most: FiniteFloat | None = None
    least: FiniteFloat | None = None

    @model_validator(mode="after")
    def _check(self) -> BoundForm:
        if self.most is None and self.least is None:
            raise ValueError("must have `most`, `least` or both")
        if self.most is not None and self.least is not None and self.least > self.most:
            raise ValueError("must have no `least` above its `most`")
        return self


class _RuleForm(_Form):
    kernel: Annotated[str, Field(min_length=1)] = EVERY
    machine: Annotated[str, Field(min_length=1)] = EVERY

    @model_validator(mode="after")
    def _check(self) -> _RuleForm:
        if all(getattr(self, figure) is None for figure in FIGURES):
            raise ValueError(f"must bound a figure, of {', '.join(FIGURES)}")
        return self


_BOUNDS: dict[str, Any] = dict.fromkeys(FIGURES, (BoundForm | None, None))
RuleForm = create_model("RuleForm", __base__=_RuleForm, **_BOUNDS)
"""A ``[[budget]]`` table: patterns of a kernel and a machine, and a table for each figure."""


class BudgetForm(_Form):
    """A budget file."""

    budget: Annotated[list[RuleForm], Field(min_length=1)]  # type: ignore[valid-type]


@dataclass(frozen=True)
class Bound:
    """What a figure may be at the most and at the least; None: no such bound."""

    most: float | None
    least: float | None
    place: SourcePlace

    def holds(self, value: float) -> bool:
        """Whether a value keeps it."""
        above = self.most is not None and value > self.most
        below = self.least is not None and value < self.least
        return not above and not below


@dataclass(frozen=True)
class BudgetRule:
    """Bounds by figure, of the kernels and machines that patterns match."""

    kernel: str
    machine: str
    bounds: Mapping[str, Bound]
    place: SourcePlace

    def is_of_machine(self, machine: str) -> bool:
        """Whether the pattern of the machine matches a name."""
        return fnmatchcase(machine, self.machine)

    def is_of(self, subject: GateSubject) -> bool:
        """Whether both patterns match: the kernel mangled, demangled, or by its last part."""
        name = subject.kernel
        names = (name, demangle(name), base_name(name))
        matches = any(fnmatchcase(each, self.kernel) for each in names)
        return matches and self.is_of_machine(subject.machine)


def read_budget(path: Path) -> tuple[BudgetRule, ...]:
    """Read a budget file. InputError, located."""
    document = read_toml_file(path)
    form = validate(document, BudgetForm)
    return tuple(_rule(document, number, rule) for number, rule in enumerate(form.budget))


def _rule(document: TomlDocument, number: int, form: Any) -> BudgetRule:
    def place(*keys: str) -> SourcePlace:
        span = document.key_span(("budget", number, *keys))
        return span.place(document.source.name, "input")

    bounds = {
        figure: Bound(own.most, own.least, place(figure))
        for figure in FIGURES
        if (own := getattr(form, figure)) is not None
    }
    return BudgetRule(form.kernel, form.machine, bounds, place())


def rule_of(words: Mapping[str, Any], place: SourcePlace) -> BudgetRule:
    """A rule as Python says it: a number for each figure, or a mapping with ``most`` and ``least``.

    A number is the most; of figures of which more is better it is the least. UsageError.
    """
    kernel, machine = words.get("kernel", EVERY), words.get("machine")
    if not isinstance(machine, str) or _PATTERN & set(machine):
        raise UsageError("a budget needs the name of a machine: machine='a100'")
    load_machine(machine)
    figures = {name: value for name, value in words.items() if name not in {"kernel", "machine"}}
    unknown = next((name for name in figures if name not in FIGURES), None)
    if unknown is not None or not figures:
        told = "a budget needs a figure" if unknown is None else f"there is no figure `{unknown}`"
        raise UsageError(f"{told}; figures are {', '.join(FIGURES)}")
    bounds = {name: _bound(name, value, place) for name, value in figures.items()}
    return BudgetRule(kernel, machine, bounds, place)


def _bound(figure: str, value: Any, place: SourcePlace) -> Bound:
    given = value
    if not isinstance(value, Mapping):
        given = {"least" if figure in LARGER_IS_BETTER else "most": value}
    try:
        form = BoundForm(**given)
    except (TypeError, ValidationError):
        words = f"{figure} is a number, or a mapping with most or least, not {value!r:.60}"
        raise UsageError(words) from None
    return Bound(form.most, form.least, place)


def machines_named(rules: Sequence[BudgetRule]) -> list[str]:
    """Machines that rules name in full; chips of machine code are none."""
    names = (rule.machine for rule in rules if not _PATTERN & set(rule.machine))
    return [name for name in dict.fromkeys(names) if not is_chip(name)]


def is_chip(machine: str) -> bool:
    """Whether a name is that of a chip, as machine code has it: ``sm_80``."""
    return machine.startswith("sm_")
