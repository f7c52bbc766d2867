"""Collectors of users: classes out of Python files, made ready for a run, and what they found."""

from __future__ import annotations

import ast
import functools
import inspect
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, ClassVar, TypeGuard

import numpy as np

from warpmill.analyzer.base.diagnostics import Diagnostic, InputError, Severity, Span, UsageError
from warpmill.analyzer.base.metric import INTERNAL, Mark, derived
from warpmill.analyzer.base.naming import suggestion
from warpmill.executor.collectors import COUNTS, STANDARD, Collector
from warpmill.session.python_files import PythonFile

_TOLD = ("on_launch", "on_blocks", "on_accesses", "on_profile", "result")
_DEEPEST = 32


@dataclass(frozen=True)
class LoadedCollector:
    """A collector that a run is to tell of its launches; ``file`` null: it comes with warpmill.

    It is told exact counts; its figures are what it made of them, modelled where it simulates a
    machine (``is_model``).
    """

    mark: ClassVar[Mark] = Mark.EXACT

    name: str
    file: str | None
    collector: Annotated[Collector, INTERNAL]
    is_model: Annotated[bool, INTERNAL] = False

    @derived("Result")
    def result(self) -> Any:
        """Result of the collector: a text, a number, a list or an object; null: nothing.

        InputError for what JSON cannot hold.
        """
        return self._result

    def mark_exceptions(self) -> Mapping[str, Mark]:
        """Mark of the result: a simulated machine is a model."""
        return {"result": Mark.MODELLED if self.is_model else Mark.EXACT}

    @cached_property
    def _result(self) -> Any:
        found = self.collector.result()
        try:
            return plain(found)
        except TypeError as error:
            words = f"`{self.name}.result` gives {error}"
            raise InputError(Diagnostic(Severity.ERROR, words, self.file)) from None


_FILE = re.compile(r"[./\\]")
"""What a file has in its name, and no collector that comes with warpmill."""


def checked_collectors(texts: Sequence[str]) -> tuple[str, ...]:
    """The names of collectors, each a file or one of STANDARD. UsageError."""
    for text in texts:
        if text in STANDARD or _FILE.search(text) or Path(text.partition(":")[0]).is_file():
            continue
        near = suggestion(text, STANDARD)
        hint = f"{near} " if near else ""
        hint += f"--collector takes FILE.py, FILE.py:CLASS, {' or '.join(STANDARD)}"
        words = f"--collector {text}: there is no such file, and no collector of that name"
        raise UsageError(Diagnostic(Severity.ERROR, words, hint=hint))
    return tuple(texts)


def load_collectors(texts: Sequence[str]) -> tuple[LoadedCollector, ...]:
    """Make collectors of ``FILE.py``, ``FILE.py:CLASS`` or names of STANDARD, told apart by name.

    InputError, at the file's line, for what cannot be one; errors in its methods are told likewise
    when they happen, and what it prints goes to stderr.
    """
    found: dict[str, LoadedCollector] = {}
    for text in texts:
        name, file, collector = _load(text)
        number, unique = 1, name
        while unique in found:
            number += 1
            unique = f"{name}.{number}"
        found[unique] = LoadedCollector(unique, file, collector)
    return tuple(found.values())


def load_caches(machine: str) -> LoadedCollector:
    """Make the collector that simulates the caches of a machine, by name or file. UsageError."""
    from warpmill.session.cache_collector import CacheCollector  # noqa: PLC0415 - as above
    from warpmill.simulator.machines.resolve import load_machine  # noqa: PLC0415 - only where asked for

    found = load_machine(machine)
    made = CacheCollector.for_machine(found)
    return LoadedCollector(f"caches of {found.name}", None, made, is_model=True)


def _load(text: str) -> tuple[str, str | None, Collector]:
    if text in STANDARD:
        return text, None, STANDARD[text]()
    path, name = _parts(text)
    file = PythonFile.read(Path(path), "collector")
    with file.running():
        module = _ended(file, file.execute)
        chosen = _chosen(file, vars(module), name)
        _check_constructor(file, chosen)
        collector = _ended(file, lambda: _guarding(file, chosen))
        _check_counts(file, chosen, _ended(file, lambda: collector.counts))
    return chosen.__name__, file.source.name, collector


def _parts(text: str) -> tuple[str, str | None]:
    """Split FILE.py:CLASS."""
    path, colon, name = text.rpartition(":")
    if not colon or Path(text).is_file():
        return text, None
    if not name.isidentifier():
        raise UsageError(f"--collector {text}: `{name}` is no name of a class")
    return path, name


def _chosen(file: PythonFile, module: Mapping[str, object], name: str | None) -> type[Collector]:
    """Find the class: by its name, or the only one that the file defines."""
    there = [value for value in module.values() if _is_collector(value)]
    classes = {c.__name__: c for c in there if c.__module__ == file.module_name}
    if name is not None:
        found = module.get(name)
        if _is_collector(found):
            return found
        words = f"there is no class `{name}` that is a warpmill.Collector"
        raise InputError(Diagnostic(Severity.ERROR, words, file.source.name, hint=_hint(classes)))
    if len(classes) == 1:
        return next(iter(classes.values()))
    words = "there are several collectors" if classes else "no class here is a warpmill.Collector"
    raise InputError(Diagnostic(Severity.ERROR, words, file.source.name, hint=_hint(classes)))


def _is_collector(value: object) -> TypeGuard[type[Collector]]:
    return isinstance(value, type) and issubclass(value, Collector) and value is not Collector


def _hint(classes: Mapping[str, object]) -> str:
    if not classes:
        return "class WrittenLines(warpmill.Collector): with on_blocks, on_accesses or on_profile"
    return f"FILE.py:CLASS names one; there are {', '.join(classes)}"


def _check_constructor(file: PythonFile, chosen: type[Collector]) -> None:
    """See that it can be made without arguments."""
    for one in _ended(file, lambda: inspect.signature(chosen)).parameters.values():
        if one.default is one.empty and one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD):
            words = f"`{chosen.__name__}` needs `{one.name}`; collectors are made without arguments"
            raise file.error(words, _line_of(file, chosen))


def _check_counts(file: PythonFile, chosen: type[Collector], wanted: object) -> None:
    """See that there are the counts that it wants."""
    words = f"`{chosen.__name__}.counts` has to be a set of {', '.join(COUNTS)}"
    if not isinstance(wanted, set | frozenset | tuple | list):
        raise file.error(words, _line_of(file, chosen))
    unknown = [count for count in wanted if count not in COUNTS]
    if unknown:
        raise file.error(f"{words}, not `{unknown[0]}`", _line_of(file, chosen))


def _line_of(file: PythonFile, chosen: type) -> Span | None:
    """The line that a class of the file begins at."""
    for node in ast.walk(ast.parse(file.source.text)):
        if isinstance(node, ast.ClassDef) and node.name == chosen.__name__:
            return file.whole_line(node.lineno)
    return None


def _guarding(file: PythonFile, chosen: type[Collector]) -> Collector:
    """Make a collector of a class that also tells at which line of the file a method went wrong.

    Only the methods that the class defines are wrapped: it is told nothing else.
    """
    own = {}
    for name in _TOLD:
        method = getattr(chosen, name)
        if method is not getattr(Collector, name):
            own[name] = _guarded(file, method)
    made: Collector = type(chosen.__name__, (chosen,), own)()
    return made


def _guarded(file: PythonFile, method: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(method)
    def told(*arguments: object) -> Any:
        with file.running():
            return _ended(file, lambda: method(*arguments))

    return told


def _ended(file: PythonFile, run: Callable[[], Any]) -> Any:
    """Run a part of the file, which may not end the run."""
    try:
        return file.guarded(run)
    except SystemExit as end:
        raise file.error(f"the collector ended itself with {end.code}") from None


def plain(value: object, depth: int = 0) -> Any:
    """Turn a result into what JSON holds. TypeError, in words, for what it does not.

    Arrays become lists, keys texts; NaN and infinities are None, as JSON has no numbers for them.
    """
    if depth > _DEEPEST:
        raise TypeError(f"lists or dicts more than {_DEEPEST} deep")
    if isinstance(value, np.generic | np.ndarray):
        return plain(value.tolist(), depth + 1)
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, list | tuple):
        return [plain(one, depth + 1) for one in value]
    if isinstance(value, Mapping):
        return _plain_dict(value, depth)
    raise TypeError(f"`{type(value).__name__}`; texts, numbers, lists and dicts can be shown")


def _plain_dict(value: Mapping[Any, object], depth: int) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, one in value.items():
        if not isinstance(key, str | int | float | np.generic):
            raise TypeError(f"a key that is `{type(key).__name__}`; keys are texts or numbers")
        name = _text(str(key))
        if name in found:
            raise TypeError(f"several keys that read `{name}`")
        found[name] = plain(one, depth + 1)
    return found


def _text(value: str) -> str:
    """Leave out what cannot be encoded."""
    return value.encode("utf-8", "backslashreplace").decode("utf-8")
