"""What commands say of the samples, by digest: changes that move code may not move a number.

    python -m tests.reference.kept_numbers                compare everything, and say what differs
    python -m tests.reference.kept_numbers --bless        keep what comes out now
    python -m tests.reference.kept_numbers --save FOLDER  write the reports, to look at what changed

A report is its JSON without what names this version or this machine; each of its parts has its own
digest, so that a difference says where it is. A clone is its files.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import io
import json
import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from warpmill.cli.main import main

ROOT = Path(__file__).parents[2]
KEPT = Path(__file__).with_suffix(".json")

_SMALL = {
    "binomial": ["options=512", "large=8"],
    "bitonic": ["n=8192"],
    "lud": ["n=128"],
    "matmul": ["n=64"],
    "nw": ["n=128"],
    "reduce": ["n=16384"],
    "scan": ["n=8192"],
    "spmv": ["rows=2048", "cols=2048"],
    "stencil5": ["width=128", "height=64"],
    "transpose": ["rows=128", "columns=64"],
    "trisolve": ["n=64", "sides=256", "batch=256"],
    "vecadd": ["n=16384"],
}
"""Sizes that make a sample small, by its folder."""

_MACHINES = ["--machine", "a100,v100"]
_COMMANDS = {
    "analyze": [],
    "trace": ["--trace", "static"],
    "trace-executed": ["--trace", "executed"],
    "profile": ["--machine", "v100"],
    "dfsg": [],
    "estimate": _MACHINES,
    "simulate": ["--machine", "a100"],
}
_OF_WORKLOADS = {
    "profile": [],
    "estimate": _MACHINES,
    "simulate": ["--machine", "a100"],
}
_CLONED = ("matmul", "nw", "reduce", "scan", "spmv", "transpose")

_NOT_NUMBERS = frozenset({"warpmill_version", "schema_version", "seconds"})
"""Keys of what another version or another machine says otherwise."""


def cases() -> dict[str, list[str]]:
    """The command lines by name: of all samples, and of all workloads at their least size."""
    found = {}
    for path in sorted(ROOT.glob("samples/*/launch*.toml")):
        folder = path.parent.name
        sizes = [word for size in _SMALL.get(folder, []) for word in ("--size", size)]
        target = path.relative_to(ROOT).as_posix()
        for name, words in _COMMANDS.items():
            found[f"{name} {folder}/{path.name}"] = [name.partition("-")[0], target, *sizes, *words]
        if folder in _CLONED and path.name == "launch.toml":
            found[f"clone {folder}"] = ["clone", target, *sizes, "--out", "CLONE"]
    for path in sorted(ROOT.glob("samples/workloads/*/workload.toml")):
        for name, words in _OF_WORKLOADS.items():
            found[f"{name} {path.parent.name}:tiny"] = [name, f"{path.parent.name}:tiny", *words]
    return found


def report(words: list[str]) -> object:
    """What a command says, as JSON holds it, and the files of a clone beside it."""
    out, err = io.StringIO(), io.StringIO()
    with TemporaryDirectory() as folder, contextlib.chdir(ROOT):
        named = [str(Path(folder, "clone")) if word == "CLONE" else word for word in words]
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = _run([*named, "--format", "json"])
        if code:
            return {"exit": code, "said": _placeless(err.getvalue(), folder)}
        found = _numbers(json.loads(_placeless(out.getvalue(), folder)))
        files = {p.name: p.read_text() for p in sorted(Path(folder).glob("clone/*"))}
    return found | {f"file {name}": _text(text) for name, text in files.items()}


def _placeless(text: str, folder: str) -> str:
    """Leave out where the project lies, and a temporary folder."""
    return text.replace(folder, "").replace(f"{ROOT}/", "").replace("warpmill/samples/", "samples/")


def _run(words: list[str]) -> int:
    try:
        return main(words) or 0
    except SystemExit as end:
        return int(end.code or 0)


def _text(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if "warpmill" not in line)


def _numbers(value: object) -> object:
    if isinstance(value, dict):
        return {k: _numbers(v) for k, v in value.items() if k not in _NOT_NUMBERS}
    return [_numbers(each) for each in value] if isinstance(value, list) else value


def digests(value: object, depth: int = 2, path: str = "") -> dict[str, str]:
    """The digests of a report's parts, by where they stand."""
    if depth and isinstance(value, dict):
        parts = ((str(key), each) for key, each in value.items())
    elif depth and isinstance(value, list):
        parts = ((str(place), each) for place, each in enumerate(value))
    else:
        text = json.dumps(value, sort_keys=True)
        return {path: hashlib.sha256(text.encode()).hexdigest()[:12]}
    found: dict[str, str] = {}
    for name, each in parts:
        found |= digests(each, depth - 1, f"{path}/{name}")
    return found


def kept() -> dict[str, dict[str, str]]:
    """What was kept, by case."""
    return json.loads(KEPT.read_text(encoding="utf-8"))


def differing(name: str, found: dict[str, str]) -> list[str]:
    """Which parts of a case are not as they were kept."""
    before = kept().get(name, {})
    return sorted(k for k in before.keys() | found.keys() if before.get(k) != found.get(k))


def run(arguments: argparse.Namespace) -> int:
    """Compare, keep or save everything; give the exit code."""
    os.environ.setdefault("WARPMILL_STRICT", "1")
    found, wrong = {}, 0
    for name, words in cases().items():
        if arguments.only and arguments.only not in name:
            continue
        said = report(words)
        found[name] = digests(said)
        if arguments.save:
            arguments.save.mkdir(parents=True, exist_ok=True)
            path = arguments.save / f"{name.replace('/', '-').replace(' ', '.')}.json"
            path.write_text(json.dumps(said, indent=1, sort_keys=True))
        parts = differing(name, found[name]) if KEPT.exists() else []
        wrong += bool(parts)
        print(f"{name}: {'as kept' if not parts else ', '.join(parts)}", flush=True)
    if arguments.bless:
        found = {**kept(), **found} if arguments.only else found
        KEPT.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n", encoding="utf-8")
        return 0
    print(f"{wrong} of {len(found)} differ")
    return int(wrong > 0)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--bless", action="store_true", help="keep what comes out now, with --only of these cases"
    )
    parser.add_argument("--save", type=Path, metavar="FOLDER", help="write the reports there")
    parser.add_argument("--only", metavar="TEXT", help="cases that have this in their name")
    sys.exit(run(parser.parse_args()))
