"""Options as fields of options classes declare them, and how they are read off parameters.

::

    @dataclass(frozen=True)
    class TraceOptions:
        max_visits: Annotated[int, Opt("Most block visits of a static trace.", least=1)] = 100_000

The class is used from Python as it is; the command line makes ``--max-visits`` of the field. A
field without an ``Opt`` is for Python alone.
"""

from __future__ import annotations

import builtins
import dataclasses
import inspect
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, get_args, get_origin

Completes = Literal["machine", "workload", "preset", "target", "kernel", "report"]


@dataclass(frozen=True, kw_only=True)
class _Shown:
    """Parts that options and arguments have in common.

    ``text`` is the type that the command line takes where it is not the field's own, and ``read``
    makes the field's value of it, or raises UsageError. ``completes`` says what a shell completes
    it with where its type does not.
    """

    metavar: str | None = None
    text: Any = None
    read: Callable[[Any], Any] | None = None
    least: float | None = None
    shows_default: bool = True
    completes: Completes | None = None


@dataclass(frozen=True)
class Opt(_Shown):
    """An option: what it is for, and its names where they are not made of the field's.

    ``{default}`` in its help stands for the default, which typer shows of itself where the command
    line takes the field's own type.

    A file that an option ``writes`` may not be one that the command reads; with ``now`` it is also
    seen, before the command begins, that it can be written.
    """

    help: str
    names: tuple[str, ...] = ()
    writes: Literal["now", "later"] | None = None


@dataclass(frozen=True)
class Arg(_Shown):
    """An argument, which stands without a name."""

    help: str


@dataclass(frozen=True)
class Without:
    """Mark of an options class in a command's parameter: fields that the command has not."""

    fields: tuple[str, ...]

    def __init__(self, *fields: str) -> None:
        object.__setattr__(self, "fields", fields)


@dataclass(frozen=True)
class Default:
    """Mark of an options class in a command's parameter: a field with another default."""

    field: str
    value: Any


@dataclass(frozen=True)
class Help:
    """Mark of an options class in a command's parameter: other words of help for a field."""

    field: str
    words: str


@dataclass(frozen=True)
class Choices:
    """Mark of an options class in a command's parameter: the words that a field takes there."""

    field: str
    words: tuple[str, ...]

    def __init__(self, field: str, *words: str) -> None:
        object.__setattr__(self, "field", field)
        object.__setattr__(self, "words", words)


# The options and arguments that commands declare, read off their parameters.
#
# A command is a function whose parameters are options classes (dataclasses whose fields have an
# ``Opt``; those that have none are for Python alone), or single values with an ``Opt`` or an
# ``Arg``. A field may be an options class itself: its options stand beside the others.

EMPTY = inspect.Parameter.empty
"""The default of what must be given."""


@dataclass(frozen=True)
class Declared:
    """One option or argument: the name of its field, its type, what is said of it, its default."""

    name: str
    kind: Any
    shown: Opt | Arg
    default: Any

    @property
    def names(self) -> tuple[str, ...]:
        """How an option is called on the command line."""
        own = self.shown.names if isinstance(self.shown, Opt) else ()
        return own or (f"--{self.name.replace('_', '-')}",)

    @property
    def is_needed(self) -> bool:
        """Whether it must be given."""
        return self.default is EMPTY

    @property
    def on_line(self) -> Any:
        """The type that the command line takes: that of the field, unless its text is another."""
        return self.kind if self.shown.text is None else self.shown.text


@dataclass(frozen=True)
class DeclaredPart:
    """A parameter of a command, or a field: an options class with its values, or one value.

    ``defaults`` are those that are not the class's own.
    """

    name: str
    values: tuple[Declared | DeclaredPart, ...]
    options: Callable[..., Any] | None
    defaults: Mapping[str, Any]

    def all(self) -> Iterator[Declared]:
        """Its options and arguments, those of parts in their places."""
        for value in self.values:
            yield from (value,) if isinstance(value, Declared) else value.all()


def declared(command: Callable[..., Any]) -> tuple[DeclaredPart, ...]:
    """Declarations of a command, parameter by parameter."""
    return tuple(
        _part(p.name, _hint(p.annotation, command.__module__), p.default)
        for p in inspect.signature(command).parameters.values()
    )


class _Names(dict[str, Any]):
    """The names of a module, for its annotations; those for type checkers alone are ``Any``."""

    def __missing__(self, name: str) -> Any:
        return getattr(builtins, name, Any)


def _hint(annotation: Any, module: str) -> Any:
    if not isinstance(annotation, str):
        return annotation
    return eval(annotation, {}, _Names(vars(sys.modules[module])))  # of our own source


def _split(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    return (get_args(hint)[0], get_args(hint)[1:]) if get_origin(hint) is Annotated else (hint, ())


def _part(name: str, hint: Any, default: Any) -> DeclaredPart:
    options, extras = _split(hint)
    if not dataclasses.is_dataclass(options):
        shown = _shown_of(extras)
        assert shown is not None, f"{name} is no option"
        known = {} if default is EMPTY else {name: default}
        return DeclaredPart(name, (Declared(name, options, shown, default),), None, known)
    assert isinstance(options, type)
    without = {field for each in extras if isinstance(each, Without) for field in each.fields}
    defaults = {each.field: each.value for each in extras if isinstance(each, Default)}
    values: list[Declared | DeclaredPart] = []
    for field in dataclasses.fields(options):
        kind, beside = _split(_hint(field.type, _home(options, field.name)))
        shown = _shown_of(beside)
        if field.name in without:
            continue
        if dataclasses.is_dataclass(kind):
            marks = (*beside, *extras)
            inner = _part(field.name, Annotated[kind, *marks] if marks else kind, None)
            values += [inner] if inner.values else []
        elif shown is not None:
            shown = _here(field.name, shown, extras)
            values.append(Declared(field.name, kind, shown, _default(field, defaults)))
    fields = {field.name for field in dataclasses.fields(options)}
    own_defaults = {field: value for field, value in defaults.items() if field in fields}
    return DeclaredPart(name, tuple(values), options, own_defaults)


def _here(field: str, shown: Opt | Arg, extras: Sequence[Any]) -> Opt | Arg:
    """Declaration of a field, as the command has it."""
    for each in extras:
        if isinstance(each, Help) and each.field == field:
            shown = dataclasses.replace(shown, help=each.words)
        if isinstance(each, Choices) and each.field == field:
            shown = dataclasses.replace(shown, text=Literal[each.words])
    return shown


def _shown_of(extras: Sequence[Any]) -> Opt | Arg | None:
    return next((each for each in extras if isinstance(each, Opt | Arg)), None)


def _home(options: type, field: str) -> str:
    """The module of the class that declares a field, where its annotation is to be read."""
    declaring = (each for each in options.__mro__ if field in vars(each).get("__annotations__", {}))
    return next(declaring).__module__


def _default(field: dataclasses.Field[Any], defaults: Mapping[str, Any]) -> Any:
    if field.name in defaults:
        return defaults[field.name]
    if field.default is not dataclasses.MISSING:
        return field.default
    made = field.default_factory
    return EMPTY if made is dataclasses.MISSING else made()
