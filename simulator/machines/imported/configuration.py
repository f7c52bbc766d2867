"""A configuration of GPGPU-Sim as a machine: read, put into a machine's keys, written as TOML."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from warpmill.analyzer.base.diagnostics import Diagnostic, InputError, Severity, UsageError, at
from warpmill.analyzer.base.naming import suggestion
from warpmill.analyzer.base.source import Source, Span
from warpmill.simulator.machines.compare import tables
from warpmill.simulator.machines.files import machine_names, read_machine_text
from warpmill.simulator.machines.imported import caches, core, dram, network, pipes
from warpmill.simulator.machines.imported.booksim import Network, read_network
from warpmill.simulator.machines.imported.configs_json import read_configs
from warpmill.simulator.machines.imported.settings import Option, Settings, Stated, file_name, shown
from warpmill.simulator.machines.imported.tables import is_without_effect, known_name, known_options
from warpmill.simulator.machines.imported.text_file import places, read_source
from warpmill.simulator.machines.model import Machine
from warpmill.simulator.machines.resolve import load_machine, machine_of
from warpmill.simulator.machines.schema import Scalar, problem_with, schema

_SINCE_VOLTA, _BEFORE = "qv100_accelsim", "gtx480_gpgpusim"
_USUAL_NAME = "gpgpusim"  # of option files: their folders say which GPU it is


@dataclass(frozen=True)
class Configuration:
    """A configuration that was read: the text of its machine file, and what is to be said of it.

    ``warnings`` tell what the machine does not follow; ``left_out`` has one for each option that
    is no value of a machine.
    """

    name: str
    path: str
    text: str
    warnings: tuple[Diagnostic, ...]
    left_out: tuple[Diagnostic, ...]

    def machine(self, overrides: Mapping[str, Scalar] | None = None) -> Machine:
        """Give the machine that the text describes, with some of its values set."""
        file = read_machine_text(self.path, self.text)
        return machine_of(file, overrides, self.name)


def imported_machine(  # noqa: PLR0913, PLR0917 - one parameter for each option
    path: str | Path,
    config: str | None = None,
    name: str | None = None,
    base: str | None = None,
    overrides: Mapping[str, Scalar] | None = None,
    icnt: str | Path | None = None,
) -> Machine:
    """Give the machine that a configuration of GPGPU-Sim describes; ``import`` writes the same.

    ``path`` is a gpgpusim.config, or JSON records of which ``config`` names one. What it does not
    say is taken from ``base``. ``icnt`` is the file of the network, by default the one that the
    configuration names beside it. InputError for what is wrong in a file, UsageError for a
    configuration or a base that is not there.
    """
    return read_configuration(path, config, name, base, icnt).machine(overrides)


def read_configuration(
    path: str | Path,
    config: str | None = None,
    name: str | None = None,
    base: str | None = None,
    icnt: str | Path | None = None,
) -> Configuration:
    """Read a configuration as ``imported_machine`` does, and check that its machine loads."""
    if base is not None and base not in machine_names():
        hint = suggestion(base, machine_names())
        words = f"`{base}` is not a machine that comes with warpmill"
        raise UsageError(Diagnostic(Severity.ERROR, words, hint=hint))
    source = read_source(Path(path))
    settings, left_out = _settings(source, config)
    warnings = list(_warnings(settings))
    file = _network_file(settings, icnt, warnings)
    fallback = base or _fallback(settings)
    stated = _checked(settings, _all_stated(settings, name or settings.name, fallback, file))
    text = _text(settings, stated)
    found = Configuration(name or settings.name, str(path), text, tuple(warnings), tuple(left_out))
    found.machine()
    return found


def _settings(source: Source, config: str | None) -> tuple[Settings, tuple[Diagnostic, ...]]:
    path = Path(source.name)
    if path.suffix == ".json" or source.text.lstrip().startswith("{"):
        return read_configs(source, config)
    if config is not None:
        words = f"--config {config}: {source.name} is one configuration, not a file of several"
        raise UsageError(words)
    folder = path.resolve().parent.name
    return read_options(source, folder if path.stem == _USUAL_NAME and folder else path.stem)


def _fallback(s: Settings) -> str:
    return _SINCE_VOLTA if core.compute_capability(s)[0] >= 7 else _BEFORE


def _network_file(
    s: Settings, icnt: str | Path | None, warnings: list[Diagnostic]
) -> Network | None:
    """Read the file of a booksim network; with a warning None where it is not found."""
    is_booksim = s.says("network_mode") and network.network_mode(s) == network.BOOKSIM
    if icnt is not None:
        if not is_booksim:
            words = f"--icnt {icnt}: the configuration has a crossbar, which has no such file"
            raise UsageError(words)
        return read_network(read_source(Path(icnt)))
    if not is_booksim:
        return None
    option = "inter_config_file"
    named = Path(s.source.name).parent / s.text(option) if option in s.given else None
    if named is not None and named.is_file():
        return read_network(read_source(named))
    file = "the file of the network" if named is None else f"the network file {named}"
    words = f"{file} is not there: the shape of the network is taken from machine.fallback"
    hint = "--icnt FILE names one"
    warnings.append(Diagnostic(Severity.WARNING, words, s.source.name, hint=hint))
    return None


def _warnings(s: Settings) -> Iterator[Diagnostic]:
    """Tell what the machine does not follow although the option is known."""
    if s.says("gpgpu_scheduler") and not tuple(core.scheduler(s)):
        words = "no policy of a machine is like this one; it is taken from machine.fallback"
        yield s.problem(Severity.WARNING, "gpgpu_scheduler", words)
    _, icnt, l2, _ = s.numbers("gpgpu_clock_domains", ":", 4)
    if icnt != l2:
        words = f"network and L2 have one clock in a machine, {l2:.15g} MHz here"
        yield s.problem(Severity.WARNING, "gpgpu_clock_domains", words)


def _all_stated(s: Settings, name: str, base: str, file: Network | None) -> Iterator[Stated]:
    yield from core.identification(s, name)
    words = "- what the configuration does not say"
    yield Stated("machine.fallback", base, words)
    yield from core.table(s)
    for part in (core.clocks, core.sms, core.scheduler, core.registers, pipes.pipes):
        yield from part(s)
    fallback = load_machine(base)
    yield from caches.shared_memory(s, fallback)
    yield from caches.other_caches(s, fallback)
    for part in (caches.l1, caches.l2, dram.dram, dram.mapping):
        yield from part(s)
    yield from network.network(s, file)


def _checked(s: Settings, stated: Iterator[Stated]) -> Mapping[str, Stated]:
    """Give the values by key. InputError for those that a machine cannot have."""
    found = {value.key: value for value in stated}
    problems = []
    for key, value in found.items():
        problem = problem_with(schema().keys[key], value.value)
        if problem is not None:
            option = next((o for o in value.options if o in s.given), None)
            problems.append(
                Diagnostic(Severity.ERROR, problem, s.source.name)
                if option is None
                else s.problem(Severity.ERROR, option, problem)
            )
    if problems:
        raise InputError(*problems)
    return found


def _text(s: Settings, stated: Mapping[str, Stated]) -> str:
    """Write the machine file."""
    lines = [
        f"# Made from {s.origin} by `warpmill machines import`".replace("\n", " "),
        "# Keys, units and the letters of sources: docs/machines.md",
        "",
        f"schema = {schema().version}",
    ]
    lines += tables(stated)
    return "\n".join(lines) + "\n"


# Reading a file of GPGPU-Sim's options: ``-name value``, comments, quoted values over lines.

_COMMENT = re.compile(r"#[^\n]*")
_WORD = re.compile(r'"([^"]*)("?)|[^\s"]+')
_NAME = re.compile(r"-[A-Za-z_]\S*")


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
            raise _error(source, label, words)
        elif not is_without_effect(label.text[1:]):
            words = f"{label.text} is no value of a machine"
            left_out.append(at(source, label.span, Severity.WARNING, words))
    if not given:
        words = "there is no option of GPGPU-Sim in this file"
        hint = "a gpgpusim.config has lines such as `-gpgpu_n_clusters 80`"
        raise InputError(Diagnostic(Severity.ERROR, words, source.name, hint=hint))
    return Settings(source, name, file_name(source), given, known_options()), tuple(left_out)


def _grouped(source: Source) -> Iterator[tuple[_Word, list[_Word]]]:
    """Give each name with the words that follow it."""
    label: _Word | None = None
    values: list[_Word] = []
    for word in _words(source):
        if _NAME.fullmatch(word.text):
            if label is not None:
                yield label, values
            label, values = word, []
        elif label is None:
            words = f"`{shown(word.text)}` stands where an option is needed"
            raise _error(source, word, words, "options are written `-name value`")
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
            raise _error(source, word, "this quotation never ends")
        yield word


def _option(source: Source, label: _Word, values: list[_Word]) -> Option:
    if not values:
        raise _error(source, label, f"{label.text} has no value")
    if len(values) > 1:
        words = f"{label.text} has one value; `{shown(values[1].text)}` is one too many"
        raise _error(source, values[1], words)
    return Option(label.text, values[0].text, values[0].span)


def _error(source: Source, word: _Word, words: str, hint: str | None = None) -> InputError:
    return InputError(at(source, word.span, Severity.ERROR, words, hint))
