"""Space files: a base machine, parameters with their values, how they are realised, conditions.

::

    schema = 1
    base = "a100"
    where = ["2 * sms >= channels"]
    [set]
    "sm.max_threads" = 1024
    [parameters.sms]
    values = [54, 108]
    key = "sm.count"
    [parameters.channels]
    values = [16, 32, 64]
    log2 = true
    set = { "dram.channels" = "channels", "dram.bus_bits" = "128 * channels" }
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from warpmill.analyzer.base.diagnostics import (
    Diagnostic,
    InputError,
    Severity,
    Source,
    UsageError,
    WarpmillError,
    at,
)
from warpmill.analyzer.base.naming import suggestion
from warpmill.analyzer.base.toml_source import (
    KeyPath,
    TomlDocument,
    read_toml,
    read_toml_file,
    validate,
)
from warpmill.analyzer.launch.expressions import ExpressionError
from warpmill.exploring.machine_checks import check_machines
from warpmill.exploring.space import (
    DEFINE,
    SIZE,
    ExploredSpace,
    OfLaunch,
    Realisation,
    Realise,
    SpaceParameter,
)
from warpmill.simulator.machines import load_machine
from warpmill.simulator.machines.schema import Scalar, normalised, problem_with, schema
from warpmill.simulator.regression.parameters import DesignParameter, evaluate_at, plain_name
from warpmill.simulator.regression.space import DesignSpace

_R = TypeVar("_R")


class SpaceParameterForm(BaseModel):
    """A parameter: its values, and what they are: one of ``KINDS``."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    values: list[int | float | str] = Field(min_length=1)
    key: str | None = None
    set: dict[str, str | int | float | bool] | None = None
    realise: Realise | None = None
    launch: OfLaunch | None = None
    size: str | None = None
    define: str | None = None
    log2: bool = False
    about: str = ""


KINDS = ("key", "set", "realise", "launch", "size", "define")
"""What a parameter may be: of a machine the first three, of launches the others."""

_NAME = re.compile(r"[A-Za-z_]\w*")


class MachineSpaceForm(BaseModel):
    """A space file."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, populate_by_name=True)

    schema_: Literal[1] = Field(alias="schema")
    about: str = ""
    base: str = Field(min_length=1)
    set: dict[str, str | int | float | bool | list[int]] = {}
    parameters: dict[str, SpaceParameterForm] = Field(min_length=1)
    where: list[str] = []


def shipped_spaces() -> tuple[str, ...]:
    """Name the spaces that come with warpmill."""
    found = files(__package__).joinpath("spaces").iterdir()
    return tuple(sorted(p.name.removesuffix(".toml") for p in found if p.name.endswith(".toml")))


def space_called(name: str | Path) -> ExploredSpace:
    """Read a space: one that comes with warpmill by its name, or a file. InputError, UsageError."""
    if str(name) in shipped_spaces():
        text = files(__package__).joinpath("spaces", f"{name}.toml").read_text("utf-8")
        return space_of_text(text, str(name), f"{name}.toml")
    path = Path(name)
    if path.suffix != ".toml" and not path.exists():
        words = f"there is no space `{name}`"
        known = f"spaces: {', '.join(shipped_spaces())}, or a path that ends in .toml"
        hint = suggestion(str(name), shipped_spaces()) or known
        raise UsageError(Diagnostic(Severity.ERROR, words, hint=hint))
    return _space(read_toml_file(path), path.stem, path.parent)


def space_of_text(text: str, name: str, file: str, folder: str | Path = ".") -> ExploredSpace:
    """Read the text of a space file that stands, or stood, in a folder. InputError, located."""
    return _space(read_toml(Source(file, text)), name, Path(folder))


def _space(document: TomlDocument, name: str, folder: Path) -> ExploredSpace:
    form = validate(document, MachineSpaceForm)
    reading = _Reading(document, form)
    base = str(folder / form.base) if form.base.endswith(".toml") else form.base
    constants = reading.constants()
    reading.located(("base",), lambda: load_machine(base))
    reading.located(("set",), lambda: load_machine(base, dict(constants)))
    parameters = tuple(reading.parameter(own) for own in form.parameters)
    reading.check_keys(parameters)
    reading.check_conditions(parameters)
    found = ExploredSpace(
        name, base, constants, parameters, tuple(form.where), form.about,
        document.source.text, str(folder.resolve()),
    )  # fmt: skip
    reading.located((), lambda: found.design)
    problem = next(iter(check_machines(found)), None)
    if problem is not None:
        path: KeyPath = ("parameters", problem.parameter, "values", problem.place)
        raise InputError(document.error(path, problem.words))
    return found


class _Reading:
    """Space from a form; errors are reported at their places."""

    def __init__(self, document: TomlDocument, form: MachineSpaceForm) -> None:
        self._document, self._form = document, form

    def located(self, path: KeyPath, made: Callable[[], _R]) -> _R:
        """Result of ``made``; an error in it is reported at a place of the file. InputError."""
        try:
            return made()
        except InputError as error:
            if any(d.file is not None for d in error.diagnostics):  # of another file
                raise
            raise InputError(self._error(path, error)) from None
        except WarpmillError as error:
            raise InputError(self._error(path, error)) from None

    def _error(self, path: KeyPath, error: WarpmillError) -> Diagnostic:
        first = error.diagnostics[0]
        return self._document.error(path, first.message, first.hint)

    def constants(self) -> tuple[tuple[str, Scalar], ...]:
        """Read ``[set]``."""
        return tuple((key, self._scalar(("set", key), key, value))
                     for key, value in self._form.set.items())  # fmt: skip

    def _scalar(self, path: KeyPath, key: str, value: Any) -> Scalar:
        row = self._key(path, key)
        problem = problem_with(row, value)
        if problem is not None:
            raise InputError(self._document.error(path, problem))
        return normalised(row, value)

    def _key(self, path: KeyPath, key: str) -> Any:
        if key in schema().keys:
            return schema().keys[key]
        hint = suggestion(key, schema().keys) or "docs/machines.md lists every key"
        words = f"there is no machine key `{key}`"
        at_value = self._document.value(path) == key
        say = self._document.error if at_value else self._document.key_error
        raise InputError(say(path, words, hint))

    def parameter(self, name: str) -> SpaceParameter:
        """Read a parameter."""
        form, path = self._form.parameters[name], ("parameters", name)
        kinds = [kind for kind in KINDS if getattr(form, kind) is not None]
        if len(kinds) != 1:
            known = f"{', '.join(KINDS[:-1])} and {KINDS[-1]}"
            words = f"`{name}` needs one of {known}, not {' and '.join(kinds) or 'none'}"
            raise InputError(self._document.error(path, words))
        values = (*path, "values")
        parameter = self.located(values, lambda: DesignParameter(name, tuple(form.values)))
        for wanting, said in ((form.log2, "log2"), (form.realise is not None, "realise")):
            if wanting and not parameter.numeric:
                raise InputError(self._document.error(values, f"{said} needs numbers"))
        if form.log2 and any(v <= 0 for v in form.values if not isinstance(v, str)):
            raise InputError(self._document.error(values, "log2 needs numbers above 0"))
        how = self._realisation(form, path)
        return SpaceParameter(parameter, how, form.log2, form.about)

    def _realisation(self, form: SpaceParameterForm, path: KeyPath) -> Realisation:
        if form.realise is not None:
            return Realisation(rule=form.realise)
        if form.launch is not None:
            return Realisation(software=form.launch)
        for kind, name, mark in (("size", form.size, SIZE), ("define", form.define, DEFINE)):
            if name is not None:
                if _NAME.fullmatch(name) is None:
                    raise InputError(self._document.error((*path, kind), f"`{name}` is no name"))
                return Realisation(software=f"{mark}{name}")
        if form.key is not None:
            self._key((*path, "key"), form.key)
            return Realisation(key=form.key)
        given = form.set or {}
        if not given:
            raise InputError(self._document.error((*path, "set"), "`set` sets no key"))
        pairs = [(key, self._formula((*path, "set", key), key, v)) for key, v in given.items()]
        return Realisation(formulas=tuple(pairs))

    def _formula(self, path: KeyPath, key: str, value: str | float) -> str:
        """Check a formula of a key: an expression of the parameters that are numbers."""
        row = self._key(path, key)
        if row.type not in ("int", "float"):
            words = f"{key} is no number: a parameter gives it with `key`, a constant with [set]"
            raise InputError(self._document.key_error(path, words))
        text = str(value)
        forms = self._form.parameters.items()
        numbers = {plain_name(n): f.values[0] for n, f in forms
                   if not any(isinstance(v, str) for v in f.values)}  # fmt: skip
        try:
            evaluate_at(text, numbers)
        except ExpressionError as error:
            span = self._document.span_inside(path, error.start, error.end)
            source = self._document.source
            raise InputError(at(source, span, Severity.ERROR, error.message, error.hint)) from None
        return text

    def check_keys(self, parameters: tuple[SpaceParameter, ...]) -> None:
        """Refuse a key that two parameters set, or a parameter and ``[set]``."""
        setters = dict.fromkeys(self._form.set, "[set]")
        for each in parameters:
            for key in each.realisation.keys:
                if key in setters:
                    words = f"{key} is set by {setters[key]} already"
                    raise InputError(self._document.error(self._place(each, key), words))
                setters[key] = each.name

    def _place(self, each: SpaceParameter, key: str) -> KeyPath:
        path = ("parameters", each.name)
        form = self._form.parameters[each.name]
        kind = next(kind for kind in KINDS if getattr(form, kind) is not None)
        last = ("set", key) if kind == "set" else (kind,)
        return (*path, *last)

    def check_conditions(self, parameters: tuple[SpaceParameter, ...]) -> None:
        """Refuse conditions one by one, each at its place."""
        each = tuple(own.parameter for own in parameters)
        self.located(("parameters",), lambda: DesignSpace(each))
        for number, text in enumerate(self._form.where):
            self.located(("where", number), partial(DesignSpace, each, (text,)))
