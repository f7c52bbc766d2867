"""Spaces of machines: parameters, how each is realised on a base machine, and conditions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Annotated, Literal

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.base.metric import INTERNAL, Metric, derived
from warpmill.analyzer.launch.expressions import ExpressionError
from warpmill.exploring.concurrency import KEYS as OF_CONCURRENCY
from warpmill.exploring.concurrency import NOMINAL, Footprint, concurrency_settings
from warpmill.simulator.machines import load_machine
from warpmill.simulator.machines.model import Machine
from warpmill.simulator.machines.resolve import simd_overrides
from warpmill.simulator.machines.schema import Scalar, normalised, problem_with, schema
from warpmill.simulator.regression.parameters import (
    DesignParameter,
    Point,
    Value,
    evaluate_at,
    plain_name,
    with_hint,
)
from warpmill.simulator.regression.space import DesignSpace

Realise = Literal["concurrency", "simd"]
OfLaunch = Literal["block", "grid", "shared", "regs"]
SIZE, DEFINE = "size ", "-D "
"""How sizes and macros are told apart in what a space says of launches."""


@dataclass(frozen=True)
class Realisation:
    """How a parameter's value becomes values of a machine, or part of a launch.

    ``key`` is the one key that takes it as it is; ``formulas`` are expressions of all parameters by
    key; ``rule`` is block concurrency or the SIMD width; ``software`` is what of the launch it is:
    ``block``, ``grid``, ``shared``, ``regs``, a size ``size n`` or a macro ``-D TILE``. One of the
    four.
    """

    key: str | None = None
    formulas: tuple[tuple[str, str], ...] = ()
    rule: Realise | None = None
    software: str | None = field(default=None, repr=False)

    @property
    def words(self) -> str:
        """Words that tell it from others: what is kept of explorations has them."""
        return repr(self) if self.software is None else self.software

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys that it sets; of the SIMD width all lanes are set as well.

        Of a launch it is the part of it.
        """
        if self.software is not None:
            return (self.software,)
        if self.rule == "concurrency":
            return OF_CONCURRENCY
        if self.rule == "simd":
            return ("sm.simd_width", *(k for k in schema().keys if k.startswith("lanes.")))
        return (self.key,) if self.key is not None else tuple(key for key, _ in self.formulas)


@dataclass(frozen=True)
class SpaceParameter:
    """A parameter of a space. ``log2``: models look at the logarithm of its values."""

    parameter: Annotated[DesignParameter, INTERNAL]
    realisation: Annotated[Realisation, INTERNAL]
    log2: bool = False
    about: str = ""

    @derived("Parameter")
    def name(self) -> str:
        """Its name."""
        return self.parameter.name

    @derived("Values")
    def values(self) -> tuple[Value, ...]:
        """The values that it takes."""
        return self.parameter.values

    @derived("Sets")
    def sets(self) -> Mapping[str, str]:
        """Expression of parameters for each machine key, or how its value is chosen."""
        how = self.realisation
        if how.software is not None:
            return {how.software: self.name}
        if how.rule == "concurrency":
            return dict.fromkeys(how.keys, "as so many CTAs need")
        if how.rule == "simd":
            return {"sm.simd_width": self.name, "lanes.*": "in proportion"}
        return {how.key: self.name} if how.key is not None else dict(how.formulas)


@dataclass(frozen=True)
class ExploredSpace:
    """Machines by parameters: a base machine, constants that are set over it, and conditions.

    ``base`` is a machine's name, or the path of a machine file. ``text`` and ``folder`` are the
    file that the space was read from, and where.
    """

    name: Annotated[str, Metric("Space")]
    base: Annotated[str, Metric("Machine")]
    constants: tuple[tuple[str, Scalar], ...]
    parameters: tuple[SpaceParameter, ...]
    conditions: Annotated[tuple[str, ...], Metric("Where")] = ()
    about: Annotated[str, Metric("Note")] = ""
    text: Annotated[str, INTERNAL] = field(default="", repr=False)
    folder: Annotated[str, INTERNAL] = field(default=".", repr=False)

    @derived("Points")
    def points(self) -> int:
        """How many points the space has."""
        return self.design.count

    @cached_property
    def design(self) -> DesignSpace:
        """The points. UsageError where conditions are none, or allow nothing."""
        return DesignSpace(tuple(each.parameter for each in self.parameters), self.conditions)

    @property
    def logarithms(self) -> tuple[str, ...]:
        """Parameters whose logarithms models look at."""
        return tuple(each.name for each in self.parameters if each.log2)

    @cached_property
    def fixed(self) -> Machine:
        """The base machine with the constants. UsageError and InputError for what is none."""
        return load_machine(self.base, dict(self.constants))

    def settings(
        self, point: Point, footprints: Iterable[Footprint] = (NOMINAL,)
    ) -> dict[str, Scalar]:
        """The values that a point's machine has over the base, for kernels of a workload.

        UsageError for a value that a machine cannot have.
        """
        found = dict(self.constants)
        for each in self.parameters:
            found |= self._own(each, point)
        if any(each.realisation.rule == "concurrency" for each in self.parameters):
            found |= self._concurrency(found, point, footprints)
        return found

    def _concurrency(
        self, settings: Mapping[str, Scalar], point: Point, footprints: Iterable[Footprint]
    ) -> dict[str, Scalar]:
        rules = (each for each in self.parameters if each.realisation.rule == "concurrency")
        ctas = _whole(point, next(rules).name)
        return concurrency_settings(load_machine(self.base, dict(settings)), ctas, footprints)

    def _own(self, each: SpaceParameter, point: Point) -> dict[str, Scalar]:
        how = each.realisation
        if how.software is not None:
            return {}
        if how.rule == "simd":
            return simd_overrides(self.fixed, _whole(point, each.name))
        if how.key is not None:
            return {how.key: _typed(how.key, point[each.name])}
        return {key: _computed(key, text, point) for key, text in how.formulas}

    def software(self, point: Point) -> dict[str, Value]:
        """What a point says of launches, by part; nothing where all parameters are of machines."""
        return {
            each.realisation.software: point[each.name]
            for each in self.parameters
            if each.realisation.software is not None
        }

    def machine(self, point: Point, footprints: Iterable[Footprint] = (NOMINAL,)) -> Machine:
        """Make the machine of a point. UsageError for values that it cannot have together."""
        return self.machine_with(self.settings(point, footprints))

    def machine_with(self, settings: Mapping[str, Scalar]) -> Machine:
        """Make the machine of a point's ``settings``. UsageError as ``machine``."""
        return load_machine(self.base, settings)


def _whole(point: Point, name: str) -> int:
    value = point[name]
    if type(value) is not int or value < 1:
        raise UsageError(f"{name}={value}: this has to be a whole number above 0")
    return value


def _computed(key: str, text: str, point: Point) -> Scalar:
    numbers = {plain_name(n): v for n, v in point.items() if not isinstance(v, str)}
    try:
        return _typed(key, evaluate_at(text, numbers))
    except ExpressionError as error:
        raise UsageError(f"{key} = `{text}`: {with_hint(error)}") from None


def _typed(key: str, value: Value | Fraction) -> Scalar:
    """A value in the type of its key. UsageError for what it cannot be."""
    row = schema().key(key)
    given: object = value
    if isinstance(value, Fraction):
        given = int(value) if value.denominator == 1 else float(value)
    elif isinstance(value, float) and row.type == "int" and value.is_integer():
        given = int(value)
    problem = problem_with(row, given)
    if problem is not None:
        raise UsageError(problem)
    return normalised(row, given)
