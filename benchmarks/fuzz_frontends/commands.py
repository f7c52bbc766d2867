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
from collections.abc import Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from unittest.mock import patch

from warpmill.benchmarks.benchmark import ROOT
from warpmill.benchmarks.fuzz_frontends.check import (
    ACCEPTED,
    BAD_OUTPUT,
    REJECTED,
    TRACEBACK,
    UNLOCATED,
    Found,
    crash,
)
from warpmill.benchmarks.fuzz_frontends.seeds import TABLE, samples, trace_launch, whole
from warpmill.cli.main import TRACEBACK_VARIABLE, main

Words = tuple[str, ...]
_ENTRY = re.compile(r"\.entry\s+([\w$]+)\s*\(([^)]*)\)")
_DEFINED = re.compile(r"^define .*?@([\w.$]+)\((.*?)\)[^()]*\{", re.MULTILINE)
_LAST = re.compile(r"^internal error: (\w+)", re.MULTILINE)
_FORMATS = ("json", "json", "csv", "text")


def check_commands(path: Path, kind: str, number: int) -> Found:
    """Run the commands for a kind of file; the first that ends wrongly is what is found."""
    reading, *turns = _commands(path, kind)
    kinds: list[str] = []
    for words in (reading, *_in_turn(turns, number)):
        found = _ended((*words, "--format", _FORMATS[number % len(_FORMATS)]), path)
        if found.kind not in (ACCEPTED, REJECTED):
            return found
        kinds.append(found.kind)
        if kinds == [REJECTED, found.kind]:  # what is refused meets one more command
            break
    return Found(ACCEPTED if ACCEPTED in kinds else REJECTED)


def _in_turn(commands: list[Words], number: int) -> list[Words]:
    """Two of the commands: all pairs of them come up as numbers grow."""
    size = len(commands)
    if size < 2:
        return commands
    first = number % size
    return [commands[first], commands[(first + 1 + number // size % (size - 1)) % size]]


def _commands(path: Path, kind: str) -> list[Words]:
    """The commands for a file."""
    limits = TABLE["limits"]
    if kind == "options":
        words = [
            str(ROOT / word) if word.startswith(("samples/", "benchmarks/")) else word
            for word in json.loads(path.read_bytes())
        ]
        return [(*words, *whole(TABLE["options"].get(words[0], ""), limits))]
    shorts = limits | {"FILE": path.name, "TARGET": " ".join(_target(path, kind))}
    found = []
    for line in TABLE["kind"][kind]["commands"]:
        lines = TABLE["launched"]["commands"] if line == "LAUNCHED" else [line]
        found += [tuple(whole(each, shorts)) for each in lines]
    return found


def _target(path: Path, kind: str) -> list[str]:
    """What is launched: a kernel of the file, a launch file of its traces, or one of samples."""
    if kind.endswith("-statements"):
        kernel = _kernel(path.read_text("utf-8", "replace"), is_ptx=kind.startswith("ptx"))
        return [path.name, "--grid", "2", "--block", "64", *kernel]
    for name in TABLE["small"]:  # what launch files name
        for file in (ROOT / "samples" / name).glob("*.sm_80.ptx"):
            with suppress(FileExistsError):
                path.with_name(file.name).symlink_to(file)
    if kind not in ("trace", "machine"):
        return [path.name]
    launch = path.with_name(f"of-{path.stem}.toml")
    sample = trace_launch(path.read_bytes()) if kind == "trace" else None
    launch.write_bytes(samples()[sample or "reduce"])
    return [launch.name]


def _kernel(text: str, *, is_ptx: bool) -> Iterator[str]:
    """The first kernel with arguments that fit its parameters, as far as the text tells."""
    kernel = (_ENTRY if is_ptx else _DEFINED).search(text)
    if kernel is None:
        return
    for parameter in re.sub(r"\([^()]*\)", "", kernel[2]).split(","):
        if parameter.strip():
            is_struct = is_ptx and "[" in parameter
            is_pointer = re.search(r"\.[ub]64\b" if is_ptx else "ptr", parameter)
            yield "--arg"
            yield "null" if is_struct else "buffer=f32:1024:uniform" if is_pointer else "4"
    yield "--kernel"
    yield kernel[1]


def _ended(words: Words, path: Path) -> Found:
    """How a command ended."""
    out, errors = io.StringIO(), io.StringIO()
    with (
        chdir(path.parent),
        patch.dict(os.environ, {TRACEBACK_VARIABLE: "1"}),
        redirect_stdout(out),
        redirect_stderr(errors),
    ):
        code = main(words)
    said = errors.getvalue()
    shown = f"warpmill {' '.join(words)}\nexit code {code}\n{said[-3000:]}"
    if code not in (0, 1, 2, 3):
        names = _LAST.findall(said) or ["?"]
        return Found(TRACEBACK, crash(names[-1], said, words[0]), shown)
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
