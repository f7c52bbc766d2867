"""Commands on a file, in this process: how each ends, and what must hold whatever the file is.

Exit codes are 0, 1, 2 or 3; what ends in 2 or 3 has said an error, and where in the file it is
where the file can be pointed into; JSON is JSON.

A command that only reads the file goes first. Of those behind it, each file meets some, in turn by
its number; a file that the first one refuses meets one, which has to refuse it as well.
"""

from __future__ import annotations

import io
import json
import os
import re
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path

from warpmill.benchmarks.fuzz_frontends.check import (
    ACCEPTED,
    BAD_OUTPUT,
    REJECTED,
    ROOT,
    TRACEBACK,
    UNLOCATED,
    Found,
)
from warpmill.benchmarks.fuzz_frontends.seeds import SMALL, samples, trace_launch
from warpmill.cli.main import TRACEBACK_VARIABLE, main

Words = tuple[str, ...]
_PARAMETERS = re.compile(r"\.entry\s+([\w$]+)\s*\(([^)]*)\)")
_PARAMETER = re.compile(r"\.param\s+(?:\.align\s+\d+\s+)?\.(\w+)[^,\[]*(?:\[(\d+)\])?")
_DEFINED = re.compile(r"^define .*?(@[\w.$]+)\((.*?)\)[^()]*\{", re.MULTILINE)
_FRAME = re.compile(r'File "(.*)", line (\d+), in (\S+)')
_LAST = re.compile(r"^internal error: (\w+)", re.MULTILINE)
_MACHINE = ("--machine", "a100")
_SMALL_MACHINE = ("--machine", "geforce_940m")  # 3 SMs: the state of a large one takes 0.1 s
_MEMORY = ("--max-memory", str(1 << 28))
_WORK = ("--max-instructions", "300000")
_STEPS = (*_WORK, "--max-trace-visits", "500")
_CYCLES = ("--max-cycles", "10000", "--max-trace-events", "100000", *_MEMORY, *_STEPS)
_FORMATS = ("json", "json", "csv", "text")
TURNS = 2
"""Commands of those that take turns that a file meets, where it can be read."""


def check_commands(path: Path, kind: str, number: int) -> Found:
    """Run the commands for a kind of file; the first that ends wrongly is what is found."""
    reading, *turns = _COMMANDS[kind](path)
    form = ("--format", _FORMATS[number % len(_FORMATS)])
    found = _ended((*reading, *form), path)
    if found.kind not in (ACCEPTED, REJECTED):
        return found
    kinds = {found.kind}
    count = 1 if found.kind == REJECTED else TURNS
    for words in _in_turn(turns, number, count) if turns else ():
        found = _ended((*words, *form), path)
        if found.kind not in (ACCEPTED, REJECTED):
            return found
        kinds.add(found.kind)
    return Found(ACCEPTED if ACCEPTED in kinds else REJECTED)


def _in_turn(commands: list[Words], number: int, count: int) -> list[Words]:
    """Some of the commands: all pairs of them come up as numbers grow."""
    size = len(commands)
    first = number % size
    second = (first + 1 + number // size % max(1, size - 1)) % size
    return [commands[n] for n in (first, second)[: min(count, size)]]


def _ended(words: Words, path: Path) -> Found:
    """How a command ended."""
    out, errors = io.StringIO(), io.StringIO()
    before, was = Path.cwd(), os.environ.get(TRACEBACK_VARIABLE)
    os.environ[TRACEBACK_VARIABLE] = "1"
    os.chdir(path.parent)
    try:
        with redirect_stdout(out), redirect_stderr(errors):
            code = main(words)
    finally:
        os.chdir(before)
        del os.environ[TRACEBACK_VARIABLE]
        os.environ |= {} if was is None else {TRACEBACK_VARIABLE: was}
    said = errors.getvalue()
    shown = f"warpmill {' '.join(words)}\nexit code {code}\n{said[-3000:]}"
    if code not in (0, 1, 2, 3):
        return Found(TRACEBACK, _place(said, words[0]), shown)
    if code in (2, 3) and "error:" not in said.lower():
        return Found(UNLOCATED, f"{words[0]} says no error", shown)
    if code == 2 and not _says_where(said, words, path):  # a limit is of the command
        return Found(UNLOCATED, f"{words[0]} does not name the file", shown)
    if words[-1] == "json" and (code == 0 or (code == 1 and out.getvalue())):
        try:
            json.loads(out.getvalue(), parse_constant=_no_number)
        except ValueError as error:
            return Found(BAD_OUTPUT, f"{words[0]}: {error}"[:60], shown)
    return Found(ACCEPTED if code in (0, 1) else REJECTED)


def _says_where(said: str, words: Words, path: Path) -> bool:
    """Whether an error names the file, a module of the launch, or the kernel."""
    if path.suffix == ".json":  # a command line has no place but its own words
        return True
    kernel = words[words.index("--kernel") + 1] if "--kernel" in words else path.stem
    places = (path.stem, kernel, "sm_80.ptx", "kernel ", "argument `", "machine ")
    return any(p in said for p in places) or re.search(r":\d+:\d+: ", said) is not None


def _no_number(word: str) -> None:
    raise ValueError(f"{word} is no JSON")


def _place(said: str, command: str) -> str:
    """The project's innermost frame of a traceback, with the error's name."""
    frames = [f for f in _FRAME.findall(said) if f[0].startswith(ROOT) and "/.venv/" not in f[0]]
    names = _LAST.findall(said)
    name = names[-1] if names else "?"
    if not frames:
        return f"{name} in {command}"
    file, line, function = frames[-1]
    return f"{name} in {file.removeprefix(ROOT).lstrip('/')}:{line} {function}"


# -- commands, by kind ---------------------------------------------------------------------------


def _launched(target: str, *words: str) -> Iterator[Words]:
    """The commands that take a launch."""
    counted = (target, *words, *_WORK, *_MEMORY)
    traced = (target, *words, *_STEPS)
    yield "run", *counted
    yield "trace", *traced
    yield "estimate", *traced, *_MACHINE
    yield "simulate", target, *words, *_SMALL_MACHINE, *_CYCLES
    yield "profile", *counted
    yield "run", *counted, "--check-shared", "--resident", "2"
    yield "trace", *traced, "--trace", "executed"
    yield "explain", *traced, *_SMALL_MACHINE
    yield "trace", *traced, "--compare"


def _ptx(path: Path) -> Iterator[Words]:
    yield "inspect", path.name
    yield "analyze", path.name
    yield from _launched(path.name, *_ptx_launch(path.read_text("utf-8", "replace")))


def _ptx_launch(text: str) -> list[str]:
    """A small launch that fits the first kernel's parameters, as far as the text tells."""
    kernel = _PARAMETERS.search(text)
    words = ["--grid", "2", "--block", "64"]
    if kernel is None:
        return words
    for type_, size in _PARAMETER.findall(kernel[2]):
        words += ["--arg", _argument(type_, size)]
    return [*words, "--kernel", kernel[1]]


def _argument(type_: str, size: str) -> str:
    if size:
        return "null"
    return "buffer=f32:1024:uniform" if type_ in ("u64", "b64") else "4"


def _llvm(path: Path) -> Iterator[Words]:
    yield "inspect", path.name
    yield "analyze", path.name
    kernel = _DEFINED.search(path.read_text("utf-8", "replace"))
    words = ["--grid", "2", "--block", "64"]
    if kernel is not None:
        for part in filter(str.strip, re.sub(r"\([^()]*\)", "", kernel[2]).split(",")):
            words += ["--arg", "buffer=f32:1024:uniform" if "ptr" in part else "4"]
        words += ["--kernel", kernel[1].lstrip("@")]
    yield from _launched(path.name, *words)


def _launch(path: Path) -> Iterator[Words]:
    _beside(path)
    yield "inspect", path.name
    yield from _launched(path.name)


def _recording(path: Path) -> Iterator[Words]:
    yield "replay", path.name, *_WORK, *_MEMORY
    yield "trace", path.name, *_STEPS
    yield "estimate", path.name, *_MACHINE, *_STEPS
    yield "simulate", path.name, *_SMALL_MACHINE, *_CYCLES
    yield "profile", path.name, *_WORK, *_MEMORY
    yield "replay", path.name, *_WORK, *_MEMORY, "--launches", "0"


def _trace(path: Path) -> Iterator[Words]:
    _beside(path)
    launch = path.with_name(f"of-{path.stem}.toml")
    launch.write_bytes(_of_trace(path))
    words = (launch.name, "--trace", path.name)
    yield "trace", *words
    yield "estimate", *words, *_MACHINE
    yield "simulate", *words, *_SMALL_MACHINE, *_CYCLES
    yield "explain", *words, *_SMALL_MACHINE


def _machine(path: Path) -> Iterator[Words]:
    _beside(path)
    launch = path.with_name("launched.toml")
    launch.write_bytes(samples()["reduce"])
    yield "machines", "show", path.name
    yield "estimate", launch.name, "--machine", path.name, *_STEPS
    yield "simulate", launch.name, "--machine", path.name, *_CYCLES
    yield "explain", launch.name, "--machine", path.name, *_STEPS
    yield "machines", "diff", path.name, "a100"


def _options(path: Path) -> Iterator[Words]:
    """The command line that a file holds, with limits where the command takes them."""
    words = [
        str(Path(ROOT, word)) if word.startswith(("samples/", "benchmarks/")) else word
        for word in json.loads(path.read_bytes())
    ]
    yield *words, *_LIMITS.get(words[0], ())


_LIMITS = {
    "run": (*_WORK, *_MEMORY),
    "profile": (*_WORK, *_MEMORY),
    "simulate": _CYCLES,
    "sweep": (*_STEPS, "--max-points", "100"),
    **dict.fromkeys(("trace", "estimate", "explain"), _STEPS),
}


def _of_trace(path: Path) -> bytes:
    """The launch that the traces are of, as far as the file still tells."""
    name = trace_launch(path.read_bytes())
    return samples()[name if name in samples() else "reduce"]


@cache
def _sources() -> tuple[tuple[str, Path], ...]:
    return tuple(
        (file.name, file)
        for name in SMALL
        for file in sorted(Path(ROOT, "samples", name).glob("*.sm_80.ptx"))
    )


def _beside(path: Path) -> None:
    """Put the modules that launch files name beside them."""
    for name, file in _sources():
        there = path.with_name(name)
        if not there.exists():
            there.symlink_to(file)


_COMMANDS: dict[str, Callable[[Path], Iterator[Words]]] = {
    "ptx-statements": _ptx,
    "llvm-statements": _llvm,
    "launch": _launch,
    "recording": _recording,
    "trace": _trace,
    "machine": _machine,
    "options": _options,
}
