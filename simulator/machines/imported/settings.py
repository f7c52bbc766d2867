"""The settings of one configuration, read from an option file or from a JSON record.

They keep options as they were written and give them as numbers. What cannot be read is an
InputError that points at the option's value.
"""

from __future__ import annotations

import json
import re
import tomllib
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

from warpmill.analyzer.base.diagnostics import (
    Diagnostic,
    InputError,
    Severity,
    Source,
    Span,
    UsageError,
    at,
)
from warpmill.analyzer.base.naming import suggestion
from warpmill.analyzer.base.whole_files import read_input
from warpmill.simulator.machines.schema import Scalar

# Texts that other programs wrote, read with located errors: characters and values of JSON.

_MOST_BYTES = 4 << 20


def read_source(path: Path) -> Source:
    """Read a text file. InputError where it is not there, too large, or not UTF-8."""
    name = str(path)
    try:
        data = read_input(path, _MOST_BYTES)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise _refused(name, f"cannot read the file: {reason}") from None
    try:
        return Source(name, data.decode("utf-8"))
    except UnicodeDecodeError as error:
        source = Source(name, data.decode("utf-8", "replace"))
        span = places(source.text)(len(data[: error.start].decode("utf-8")), 1)
        words = f"byte 0x{data[error.start]:02x} is not UTF-8: this is no text"
        raise InputError(at(source, span, Severity.ERROR, words)) from None


def places(text: str) -> Callable[[int, int], Span]:
    """Make the function that gives the span of so many characters from an offset on."""
    starts = [0]
    while end := text.find("\n", starts[-1]) + 1:
        starts.append(end)

    def span(offset: int, length: int) -> Span:
        line = bisect_right(starts, offset)
        column = offset - starts[line - 1] + 1
        return Span(line, column, column + length)

    return span


def _refused(name: str, words: str) -> InputError:
    return InputError(Diagnostic(Severity.ERROR, words, name))


# Where the values of a JSON text stand.

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]:,]|[^\s{}\[\]:,"]+')

JsonPath = tuple[str | int, ...]


@dataclass
class _Open:
    """An object or array that has not ended: the key, or the number, of what comes next."""

    is_object: bool
    key: str | int = 0
    awaits_key: bool = False


def json_places(text: str) -> dict[JsonPath, Span]:
    """The span of every value of a text that is known to be JSON, by its path.

    Of an object or array it is the bracket that opens it.
    """
    found: dict[JsonPath, Span] = {}
    span, stack = places(text), list[_Open]()
    for token in _TOKEN.finditer(text):
        here = stack[-1] if stack else None
        if token[0] == ":":
            continue
        if token[0] == ",":
            _advance(stack[-1])
        elif token[0] in "]}":
            stack.pop()
        elif here is not None and here.awaits_key:
            here.key, here.awaits_key = json.loads(token[0]), False
        else:
            found[tuple(level.key for level in stack)] = span(token.start(), len(token[0]))
            if token[0] in "[{":
                stack.append(_Open(token[0] == "{", 0, token[0] == "{"))
    return found


def _advance(level: _Open) -> None:
    if level.is_object:
        level.awaits_key = True
    elif isinstance(level.key, int):
        level.key += 1


_COUNT = re.compile(r"[0-9]{1,12}")
_LONGEST = 60
_NUMBER = re.compile(r"[0-9]{1,9}(\.[0-9]{0,9})?")


@dataclass(frozen=True)
class Option:
    """Option of a configuration; ``label`` is how the file writes its name."""

    label: str
    text: str
    span: Span


class Stated(NamedTuple):
    """One value of a machine with its source, and the options that it was made of."""

    key: str
    value: Scalar
    source: str
    options: tuple[str, ...] = ()


@dataclass(frozen=True)
class Settings:
    """All options that a configuration gives, by GPGPU-Sim's names without the hyphen.

    ``covered`` are the options whose absence means GPGPU-Sim's default: in an option file all of
    them, in a parsed record those that it has a place for. ``name`` is what the configuration is
    called, ``origin`` how sources name it.
    """

    source: Source
    name: str
    origin: str
    given: Mapping[str, Option]
    covered: frozenset[str]

    def says(self, *options: str) -> bool:
        """Whether the values of all these options are known."""
        return all(o in self.given or (o in self.covered and o in defaults()) for o in options)

    def text(self, option: str) -> str:
        """The value of an option as it is written."""
        found = self.given.get(option)
        return defaults()[option] if found is None else found.text

    def count(self, option: str, least: int = 0) -> int:
        """A whole number of at least so much."""
        return self._count(option, self.text(option), least)

    def counts(self, option: str, separator: str, least: int = 0) -> tuple[int, ...]:
        """Whole numbers that are written one after the other."""
        return tuple(self._count(option, p, least) for p in self.text(option).split(separator))

    def numbers(self, option: str, separator: str, how_many: int) -> tuple[float, ...]:
        """So many numbers above 0 that are written one after the other."""
        parts = self.text(option).split(separator)
        found = [float(part) for part in parts if _NUMBER.fullmatch(part)]
        if len(found) != len(parts) or len(found) != how_many or min(found) <= 0:
            words = f"{how_many} numbers above 0 with `{separator}` between them"
            raise self.error(option, f"{words} are needed, not `{shown(self.text(option))}`")
        return tuple(found)

    def flag(self, option: str) -> bool:
        """A yes or no, which is written as 1 or 0."""
        return self.count(option) != 0

    def stated(self, key: str, value: Scalar, *options: str, note: str = "") -> Stated:
        """State a value of a machine that follows from these options."""
        words = f": {note}" if note else ""
        return Stated(key, value, f"C {self.source_of(*options)}{words}", options)

    def source_of(self, *options: str) -> str:
        """Name where the values of options come from."""
        given = dict.fromkeys(self.given[o].label for o in options if o in self.given)
        absent = dict.fromkeys(f"-{o}" for o in options if o not in self.given)
        parts = [f"{self.origin} {' '.join(given)}"] if given else []
        return "; ".join([*parts, *([f"GPGPU-Sim's default {' '.join(absent)}"] if absent else [])])

    def error(self, option: str, words: str, hint: str | None = None) -> InputError:
        """Make an error that points at the value of an option."""
        return InputError(self.problem(Severity.ERROR, option, words, hint))

    def problem(
        self, severity: Severity, option: str, words: str, hint: str | None = None
    ) -> Diagnostic:
        """Make a diagnostic about an option, at its value where it is given."""
        found = self.given.get(option)
        if found is None:
            words = f"-{option} (GPGPU-Sim's default): {words}"
            return Diagnostic(severity, words, self.source.name, hint=hint)
        return at(self.source, found.span, severity, f"{found.label}: {words}", hint)

    def _count(self, option: str, text: str, least: int) -> int:
        if not _COUNT.fullmatch(text):
            raise self.error(option, f"a whole number is needed, not `{shown(text)}`")
        if int(text) < least:
            raise self.error(option, f"at least {least} is needed, not {text}")
        return int(text)


def file_name(source: Source) -> str:
    """The name of a source's file without the folders it is in."""
    return Path(source.name).name


def shown(text: str) -> str:
    """A text as messages show it: a long one is cut."""
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


# Option files: ``-name value``, comments, quoted values over lines.

_COMMENT = re.compile(r"#[^\n]*")
_WORD = re.compile(r'"([^"]*)("?)|[^\s"]+')
_OPTION_NAME = re.compile(r"-[A-Za-z_]\S*")


class _Word(NamedTuple):
    text: str
    span: Span


def read_options(source: Source, name: str) -> tuple[Settings, tuple[Diagnostic, ...]]:
    """Read the options of a file; the last one of a name counts, as in GPGPU-Sim.

    Gives the settings, and a warning for each option that is not understood. InputError for what
    is not of the form ``-name value``, and where no option is understood.
    """
    given: dict[str, Option] = {}
    left_out: list[Diagnostic] = []
    for label, values in _grouped(source):
        known = known_name(label.text[1:])
        if known is not None:
            given[known] = _option(source, label, values)
        elif label.text == "-config":
            words = "another file is included here: import that one, or write both into one"
            raise _word_error(source, label, words)
        elif not is_without_effect(label.text[1:]):
            words = f"{label.text} is no value of a machine"
            left_out.append(at(source, label.span, Severity.WARNING, words))
    if not given:
        words = "there is no option of GPGPU-Sim in this file"
        hint = "a gpgpusim.config has lines such as `-gpgpu_n_clusters 80`"
        raise InputError(Diagnostic(Severity.ERROR, words, source.name, hint=hint))
    return Settings(source, name, file_name(source), given, known_options()), tuple(left_out)


def _grouped(source: Source) -> Iterator[tuple[_Word, list[_Word]]]:
    """Each name with the words that follow it."""
    label: _Word | None = None
    values: list[_Word] = []
    for word in _words(source):
        if _OPTION_NAME.fullmatch(word.text):
            if label is not None:
                yield label, values
            label, values = word, []
        elif label is None:
            words = f"`{shown(word.text)}` stands where an option is needed"
            raise _word_error(source, word, words, "options are written `-name value`")
        else:
            values.append(word)
    if label is not None:
        yield label, values


def _words(source: Source) -> Iterator[_Word]:
    """Split a text at blanks; what is quoted is one word, whose blanks do not count."""
    text = _COMMENT.sub(lambda comment: " " * len(comment[0]), source.text)
    span = places(text)
    for found in _WORD.finditer(text):
        first_line = found[0].split("\n")[0]
        place = span(found.start(), len(first_line))
        if found[1] is None:
            yield _Word(found[0], place)
            continue
        word = _Word(re.sub(r"\s", "", found[1]), place)
        if not found[2]:
            raise _word_error(source, word, "this quotation never ends")
        yield word


def _option(source: Source, label: _Word, values: list[_Word]) -> Option:
    if not values:
        raise _word_error(source, label, f"{label.text} has no value")
    if len(values) > 1:
        words = f"{label.text} has one value; `{shown(values[1].text)}` is one too many"
        raise _word_error(source, values[1], words)
    return Option(label.text, values[0].text, values[0].span)


def _word_error(source: Source, word: _Word, words: str, hint: str | None = None) -> InputError:
    return InputError(at(source, word.span, Severity.ERROR, words, hint))


# JSON records: configurations that were parsed into fields, several in one file.

_START = Span(1, 1, 1)


def read_configs(source: Source, config: str | None) -> tuple[Settings, tuple[Diagnostic, ...]]:
    """Read one of the configurations of a file: the one of that name, or the only one.

    Gives the settings, and a warning for each field that is not understood. UsageError where the
    name is missing or unknown, with those that there are; InputError for what is no such file.
    """
    record = _chosen(source, _loaded(source), config)
    given = dict(record.options())
    covered = {name for names in _covered().values() for name in names}
    origin = f"{file_name(source)} {record.name}"
    if not given:
        raise record.error((), f"{record.name} has no field of a configuration of GPGPU-Sim")
    settings = Settings(source, record.name, origin, given, frozenset(covered))
    return settings, tuple(record.left_out())


def _covered() -> Mapping[str, tuple[str, ...]]:
    """The options that a record has a place for, by field."""
    tables = json_tables()
    found = {field: (option,) for field, option in tables["fields"].items()}
    for option, row in tables["together"].items():
        found |= dict.fromkeys(row["fields"], (option,))
    for field, options in tables["implied"].items():
        found[field] = (*found.get(field, ()), *options)
    return found


@dataclass(frozen=True)
class _Record:
    """One configuration of a file, with the places of its values."""

    source: Source
    name: str
    path: JsonPath
    values: Mapping[str, Any]

    @cached_property
    def places(self) -> Mapping[JsonPath, Span]:
        return json_places(self.source.text)

    def value(self, field: str) -> Any:
        """The value of a field such as ``units.sp``; None where there is none."""
        here: Any = self.values
        for part in field.split("."):
            here = here.get(part) if isinstance(here, Mapping) else None
        return here

    def options(self) -> Iterator[tuple[str, Option]]:
        """The options that the fields hold; later ones count."""
        tables = json_tables()
        for option, row in tables["together"].items():
            if self.value(row.get("when", row["fields"][0])) is not None:
                yield option, self._together(row)
        for field, option in tables["fields"].items():
            if self.value(field) is not None:
                yield option, self.option(field, _text(self.value(field)))
                for implied, text in tables["implied"].get(field, {}).items():
                    yield implied, self.option(field, text)
        yield from self._worked_out()

    def option(self, field: str, text: str) -> Option:
        """Make an option of the value of a field."""
        value = self.value(field)
        if isinstance(value, Mapping | list | bool):
            raise self.error(tuple(field.split(".")), f"{field}: a text or a number is needed")
        return Option(field, text, self.span(tuple(field.split("."))))

    def _together(self, row: Mapping[str, Any]) -> Option:
        words = [_text(self.value(field)) for field in row["fields"]]
        first = row["fields"][0]
        path = tuple(first.split("."))
        return Option(path[0], row["text"].format(*words), self.span(path))

    def _worked_out(self) -> Iterator[tuple[str, Option]]:
        """The options that follow from fields by arithmetic."""
        channels, slices = self.value("mem_channels"), self.value("l2_slices")
        if _is_count(channels) and _is_count(slices) and slices % channels == 0:
            yield (
                "gpgpu_n_sub_partition_per_mchannel",
                self.option("l2_slices", str(slices // channels)),
            )
        threads, warps = self.value("threads_per_sm"), self.value("max_warps_per_sm")
        if _is_count(threads):
            lanes = threads // warps if _is_count(warps) and threads % warps == 0 else 32
            text = f"{threads}:{lanes}"
            yield "gpgpu_shader_core_pipeline", self.option("threads_per_sm", text)
        chips = self._chips()
        if chips is not None:
            yield "gpgpu_n_mem_per_ctrlr", self.option("dram_peak_GBps_computed", str(chips))

    def _chips(self) -> int | None:
        """The chips of a channel: as many as give the peak bandwidth that was worked out."""
        fields = ("mem_channels", "dram_buswidth_B", "clock_mhz.dram", "dram_freq_ratio")
        try:
            peak = float(self.value("dram_peak_GBps_computed"))
            one = 1e-3
            for field in fields:
                one *= float(self.value(field))
            chips = round(peak / one)
        except (TypeError, ValueError, ArithmeticError):
            return None
        return chips if chips >= 1 and abs(peak - chips * one) < 0.01 * peak else None

    def left_out(self) -> Iterator[Diagnostic]:
        """Warn of each field that is not understood."""
        tables = json_tables()
        known = {field.split(".")[0] for field in (*_covered(), "l2_slices")}
        known |= {*tables["without_effect"]["names"], "threads_per_sm", "max_warps_per_sm"}
        for field in self.values:
            if field not in known:
                words = f"{field} is no value of a machine"
                yield at(self.source, self.span((field,)), Severity.WARNING, words)

    def span(self, path: JsonPath) -> Span:
        """The place of a value of the record."""
        return self.places.get((*self.path, *path), _START)

    def error(self, path: JsonPath, words: str) -> InputError:
        """Make an error that points at a value of the record."""
        return InputError(at(self.source, self.span(path), Severity.ERROR, words))


def _loaded(source: Source) -> Any:
    try:
        return json.loads(source.text)
    except json.JSONDecodeError as error:
        span = places(source.text)(error.pos, 1)
        words = f"this is not JSON: {error.msg[:1].lower()}{error.msg[1:]}"
        raise InputError(at(source, span, Severity.ERROR, words)) from None
    except (RecursionError, ValueError):
        words = "this is not JSON that can be read: it is nested too deep, or has endless numbers"
        raise InputError(Diagnostic(Severity.ERROR, words, source.name)) from None


def _chosen(source: Source, data: Any, config: str | None) -> _Record:
    configs = data.get("configs") if isinstance(data, dict) else None
    if not isinstance(configs, dict) or not configs:
        words = "this file holds no `configs`, the records of configurations by name"
        raise InputError(at(source, _START, Severity.ERROR, words))
    names = ", ".join(configs)
    if config is None and len(configs) > 1:
        words = f"{source.name} holds several configurations, and --config names none of them"
        raise UsageError(Diagnostic(Severity.ERROR, words, hint=f"they are {names}"))
    name = next(iter(configs)) if config is None else config
    if name not in configs:
        words = f"--config {name}: {source.name} holds no such configuration"
        hint = suggestion(name, configs) or f"there are {names}"
        raise UsageError(Diagnostic(Severity.ERROR, words, hint=hint))
    record = _Record(source, name, ("configs", name), configs[name])
    if not isinstance(configs[name], dict):
        raise record.error((), f"the configuration {name} is an object with its fields")
    return record


def _text(value: Any) -> str:
    """Write a value as an option file has it."""
    if isinstance(value, bool):
        return "S" if value else "N"  # of a cache: whether its lines have sectors
    return "".join(str(value).split())


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


# What is known of GPGPU-Sim's options: the tables beside this file, read once.


def _table(name: str) -> Any:
    return tomllib.loads(files(__package__).joinpath(name).read_text("utf-8"))


@cache
def key_tables() -> Mapping[str, Mapping[str, Any]]:
    """The tables of keys.toml by name."""
    tables: Mapping[str, Mapping[str, Any]] = _table("keys.toml")
    return tables


@cache
def json_tables() -> Mapping[str, Any]:
    """The tables of configs.toml by name."""
    tables: Mapping[str, Any] = _table("configs.toml")
    return tables


@cache
def defaults() -> Mapping[str, str]:
    """Defaults of GPGPU-Sim for options that a file leaves out."""
    found: Mapping[str, str] = _options()["defaults"]
    return found


@cache
def _options() -> Any:
    return _table("options.toml")


@cache
def known_options() -> frozenset[str]:
    """The names of all options that are read."""
    return frozenset([*defaults(), *_options()["others"]["names"]])


def known_name(name: str) -> str | None:
    """The name of an option as the tables write it; None where it is not read."""
    names = (name, f"gpgpu_{name}")
    return next((known for known in names if known in known_options()), None)


def is_without_effect(name: str) -> bool:
    """Whether an option is known to have no bearing on time."""
    patterns = _options()["without_effect"]["names"]
    return any(fnmatchcase(name, pattern) for pattern in patterns)
