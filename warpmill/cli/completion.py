"""Shell completion: what may stand where the cursor is, for the scripts that typer installs.

It answers before typer is loaded, from what commands declare: a shell asks at each press of Tab.
"""

from __future__ import annotations

import re
import shlex
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import warpmill
from warpmill.analyzer.base.opt import Arg, Declared, declared
from warpmill.report.manifest import command, commands, is_command

VARIABLE = "_WARPMILL_COMPLETE"
"""The environment variable by which a shell asks, as typer's scripts set it."""


@dataclass(frozen=True)
class Candidate:
    """A word that may stand at the cursor, and what it is for."""

    value: str
    help: str = ""


def answer(asked: Mapping[str, str]) -> tuple[str, int]:
    """Answer to a shell, and the exit code. ``asked``: the variables that its script sets."""
    shell = asked[VARIABLE].removeprefix("complete_")
    if shell == "bash":
        words, incomplete = _bash_words(asked.get("COMP_WORDS", ""), asked.get("COMP_CWORD", ""))
        cut = max(incomplete.rfind(":"), incomplete.rfind("=")) + 1  # bash breaks words there
        return "\n".join(one.value[cut:] for one in candidates(words, incomplete)), 0
    line = asked.get("_TYPER_COMPLETE_ARGS", "")
    words = _split(line)[1:]
    incomplete = "" if line.endswith(" ") or not words else words.pop()
    found = candidates(words, incomplete)
    if shell == "zsh":
        return _zsh(found), 0
    if asked.get("_TYPER_COMPLETE_FISH_ACTION") == "is-args":
        return "", 0 if found else 1
    return "\n".join(f"{one.value}\t{one.help}" if one.help else one.value for one in found), 0


def _zsh(found: Iterable[Candidate]) -> str:
    lines = [
        f'"{_quoted(one.value)}":"{_quoted(one.help)}"' if one.help else f'"{_quoted(one.value)}"'
        for one in found
    ]
    every = "\n".join(lines)
    return f"_arguments '*: :(({every}))'" if lines else "_files"


def _quoted(text: str) -> str:
    for plain, quoted in (('"', '""'), ("'", "''"), ("$", "\\$"), ("`", "\\`"), (":", "\\\\:")):
        text = text.replace(plain, quoted)
    return text


def _split(line: str) -> list[str]:
    try:
        return shlex.split(line)
    except ValueError:  # a quote is open
        return line.split()


def _bash_words(text: str, place: str) -> tuple[list[str], str]:
    """The words before the cursor, and what stands of its own. Bash breaks them at : and =."""
    every, number = _split(text), int(place or 0)
    given = [*every[1:number], every[number] if number < len(every) else ""]
    words: list[str] = []
    glued = False
    for word in given:
        if word == "=" and words and words[-1].startswith("--"):
            glued = False
            continue  # the value of an option stands alone, as without the sign
        if words and (glued or word in (":", "=")):
            words[-1] += word
        else:
            words.append(word)
        glued = word in (":", "=")
    if given[-1] == "=" and not glued:
        words.append("")
    return words[:-1], words[-1] if words else ""


# Candidates: commands, then options and values of one.


def candidates(words: list[str], incomplete: str) -> list[Candidate]:
    """The words that begin as ``incomplete`` and may stand behind others."""
    if not words:
        offered = _ROOT if incomplete.startswith("-") else [(c.name, c.summary) for c in commands()]
        return [Candidate(*each) for each in offered if each[0].startswith(incomplete)]
    if not is_command(words[0]):
        return []
    one, rest = command(words[0]), words[1:]
    if one.subcommands is None:
        return _of_function(one.function(), rest, incomplete)
    names = one.subcommands.summaries
    if rest and rest[0] in names:
        return _of_function(one.function(rest[0]), rest[1:], incomplete)
    found = [Candidate(*each) for each in names.items() if each[0].startswith(incomplete)]
    first = one.function(next(iter(names)))
    return [*(found if not rest else ()), *_of_function(first, rest, incomplete)]


_ROOT = (
    ("--version", "Show the versions that matter and exit."),
    ("--help", "Show this message and exit."),
    ("--install-completion", "Install completion for the current shell."),
    ("--show-completion", "Show completion for the current shell."),
)


def _of_function(
    function: Callable[..., Any], words: list[str], incomplete: str
) -> list[Candidate]:
    every = [value for part in declared(function) for value in part.all()]
    options = {name: one for one in every if not isinstance(one.shown, Arg) for name in one.names}
    arguments = [one for one in every if isinstance(one.shown, Arg)]
    given: list[str] = []
    awaited: Declared | None = None
    for word in words:
        if awaited is not None:
            awaited = None
        elif word.startswith("-"):
            one = options.get(word)
            awaited = one if one is not None and one.on_line is not bool else None
        else:
            given.append(word)
    if awaited is not None:
        return _values(awaited, given, incomplete)
    name, equals, value = incomplete.partition("=")
    if equals and name in options:
        found = _values(options[name], given, value)
        return [Candidate(f"{name}={each.value}", each.help) for each in found]
    if incomplete.startswith("-"):
        return _options(options, incomplete)
    if not arguments:
        return []
    return _values(arguments[min(len(given), len(arguments) - 1)], given, incomplete)


def _options(options: Mapping[str, Declared], incomplete: str) -> list[Candidate]:
    told = {
        max(one.names, key=len): re.split(r"[.;:] |\.$", one.shown.help)[0]
        for one in options.values()
    }
    if any(one.name == "strict" for one in options.values()):
        told |= dict.fromkeys(_LIMITS, "A limit of kernels that are read")
    told["--help"] = "Show this message and exit"
    return [Candidate(n, h) for n, h in told.items() if n.startswith(incomplete)]


_LIMITS = ("--max-inlined", "--max-stack", "--max-event-bytes")
"""Options of all commands that read kernels (``commands.HelpCommand``)."""


def _values(one: Declared, given: list[str], incomplete: str) -> list[Candidate]:
    """Values of an option or argument; none where a shell shall name files."""
    return [Candidate(each) for each in _named(one, given, incomplete)]


def _named(one: Declared, given: list[str], incomplete: str) -> Iterator[str]:
    kind, before, last = one.shown.completes, "", incomplete
    if kind == "machine":  # several have commas between them
        *others, last = incomplete.split(",")
        before = "".join(f"{other}," for other in others)
    for name in _choices(one) if kind is None else _KINDS[kind](last, given):
        if name.startswith(last):
            yield f"{before}{name}"


def _choices(one: Declared) -> list[str]:
    """The words that an option takes, of its type or as its help names them."""
    kinds = (one.on_line, *get_args(one.on_line))
    found = [word for kind in kinds if get_origin(kind) is Literal for word in get_args(kind)]
    named = (one.shown.metavar or "").split("|")
    return found or [word for word in named if word.islower() and len(named) > 1]


# Values by kind, from the names of files or from a file that is named: no library reads them.


def _rooms() -> Path:
    return Path(warpmill.__path__[0])


def _machines(_last: str, _given: list[str]) -> list[str]:
    files = (_rooms() / "simulator" / "machines").glob("*.toml")
    return sorted(path.stem for path in files if path.stem != "schema")


def _workload_file(name: str) -> Path:
    return _rooms() / "samples" / "workloads" / name / "workload.toml"


def _workloads(_last: str, _given: list[str]) -> list[str]:
    return sorted(path.parent.name for path in _workload_file("*").parent.parent.glob("*/w*.toml"))


def _presets(_last: str, given: list[str]) -> list[str]:
    return [*_table(_workload_file(given[0])).get("presets", ())] if given else []


def _targets(last: str, _given: list[str]) -> list[str]:
    """Workloads, and their presets once one is named; beside them files that begin alike."""
    name, colon, _ = last.partition(":")
    if colon:
        return [f"{name}:{preset}" for preset in _presets("", [name])]
    named = [each for each in _workloads("", []) if each.startswith(last)]
    if not last or not named:
        return named
    beside = (path for path in Path().iterdir() if path.name.startswith(last))
    return [*named, *sorted(f"{path}/" if path.is_dir() else str(path) for path in beside)]


_ENTRIES = {
    ".ptx": re.compile(r"\.entry\s+([\w$.]+)"),
    ".ll": re.compile(
        r'(?:^define\b.*_kernel void @|^!.*!\{(?:ptr|[^@]*\*) @)"?([\w$.]+)'
        r'(?="?(?:\(|, !"kernel"))',
        re.M,
    ),
}
"""Patterns of kernels' names in texts."""


def _kernels(_last: str, given: list[str]) -> list[str]:
    """The kernels of the target that stands before, as its file names them."""
    found = dict.fromkeys(name for target in given[-1:] for name in _kernels_of(target))
    return [*found]


def _kernels_of(target: str) -> Iterator[str]:
    path = Path(target)
    if path.suffix in _ENTRIES:
        yield from _ENTRIES[path.suffix].findall(_text(path))
    elif path.suffix == ".toml":
        for launch in _table(path).get("launch", ()):
            if "kernel" in launch:
                yield str(launch["kernel"])
            else:
                yield from _kernels_of(str(path.parent / str(launch.get("module", ""))))
    elif not path.suffix:
        folder = _workload_file(target.partition(":")[0]).parent
        for file in sorted(folder.glob("*.sm_80.ptx")):
            yield from _kernels_of(str(file))


_MOST_BYTES = 4 << 20


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(_MOST_BYTES).decode(errors="replace")
    except (OSError, ValueError):  # nothing to name: the command says why
        return ""


def _table(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(_text(path))
    except tomllib.TOMLDecodeError:  # likewise
        return {}


def _reports(_last: str, _given: list[str]) -> list[str]:
    return [kind.name for one in commands() for kind in one.kinds]


_KINDS: dict[str, Callable[[str, list[str]], list[str]]] = {
    "machine": _machines,
    "workload": _workloads,
    "preset": _presets,
    "target": _targets,
    "kernel": _kernels,
    "report": _reports,
}
"""Completions by the ``completes`` of an option or argument."""
