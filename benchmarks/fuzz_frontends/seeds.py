"""The valid files that damage begins at: the samples, the tests' inputs, and some of their own."""

from __future__ import annotations

import json
import struct
import tomllib
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from warpmill.analyzer.base.zstd import zstd
from warpmill.benchmarks.benchmark import ROOT

LARGE_BYTES = 1 << 17
INPUTS = "benchmarks/fuzz_frontends/inputs"
TABLE = tomllib.loads(Path(__file__).with_name("kinds.toml").read_text(encoding="utf-8"))
SUFFIXES: dict[str, str] = {kind: about["suffix"] for kind, about in TABLE["kind"].items()}
MUTATED_BY_FORM = tuple(kind for kind, about in TABLE["kind"].items() if "commands" in about)
"""Kinds of files that commands run on; the others are read."""

_REPEATED = {
    "ptx": ("samples/matmul/matmul.sm_80.ptx", b".visible .entry"),
    "llvm": (f"{INPUTS}/wide.ll", b"define ptx_kernel"),
}
_CONTAINER = struct.Struct("<4sHHQ")
_ENTRY = struct.Struct("<HHIQIIHHIIIQQQ")


class Seed(NamedTuple):
    """A valid input: its name in the repository and what it holds."""

    name: str
    data: bytes


@cache
def seeds(kind: str) -> tuple[Seed, ...]:
    """The valid inputs of a kind, sorted by name: the same ones in every process."""
    found = [*_files(*TABLE["kind"][kind].get("files", ()))]
    if kind in _MADE:
        found += _MADE[kind]()
    if kind == "machine":
        found = [seed for seed in found if b"[machine]" in seed.data]
    return tuple(sorted(found))


def _files(*patterns: str) -> Iterator[Seed]:
    paths = {path for pattern in patterns for path in ROOT.glob(pattern)}
    if patterns and not paths:
        raise SystemExit(f"no file is like {patterns[0]}: run this in a checkout")
    for path in paths:
        yield Seed(str(path.relative_to(ROOT)), path.read_bytes())


@cache
def large_seeds(kind: str) -> tuple[Seed, ...]:
    """An input of 128 KiB where text is read: one kernel many times over, by names of their own."""
    name, begin = _REPEATED.get(kind, ("", b""))
    found = []
    for seed in seeds(kind):
        if seed.name == name:
            head, start, rest = seed.data.partition(begin)
            end = rest.index(b"\n}") + 3
            kernel, name_of = start + rest[:end], rest.split(b"(", 1)[0].split()[-1]
            copies = (
                kernel.replace(name_of + b"(", b"%s_%d(" % (name_of, number), 1)
                for number in range(LARGE_BYTES // end)
            )
            found.append(Seed(f"{seed.name}, repeated", head + b"".join(copies) + rest[end:]))
    return tuple(found)


def _bitcode() -> Iterator[Seed]:
    import llvmlite.binding as llvm  # noqa: PLC0415 - heavy, and for bitcode only

    for name, text in _files(f"{INPUTS}/*.ll"):
        data = bytes(llvm.parse_assembly(text.decode()).as_bitcode())
        yield Seed(name.replace(".ll", ".bc"), data)


def _binary() -> Iterator[Seed]:
    """Containers with one PTX entry that is not packed."""
    for name, text in _files("samples/vecadd/*.ptx", "samples/reduce/*.ptx"):
        payload = text + b"\0" * (-len(text) % 8)
        fields = (1, 0x101, _ENTRY.size, len(payload), 0, 0, 8, 0, 80, 0, 0, 0x11, 0, 0)
        size = _ENTRY.size + len(payload)
        container = _CONTAINER.pack(b"\x50\xed\x55\xba", 1, _CONTAINER.size, size)
        yield Seed(f"{name} in a fat binary", container + _ENTRY.pack(*fields) + payload)


@cache
def samples() -> dict[str, bytes]:
    """The launch files of samples by name, with small sizes and without their comments."""
    from warpmill.benchmarks.fuzz_frontends.decoded import toml  # noqa: PLC0415 - which needs the texts from here

    found = {}
    for name, sizes in TABLE["small"].items():
        tree = tomllib.loads((ROOT / "samples" / name / "launch.toml").read_text("utf-8"))
        tree["sizes"] |= sizes
        found[name] = toml(tree).encode()
    return found


def _launch() -> Iterator[Seed]:
    for name, data in samples().items():
        yield Seed(f"samples/{name}/launch.toml, small", data)


def _made(words: str) -> bytes:
    """What a command writes to the file that ``FILE`` among its words stands for.

    Behind a launch file of a sample its small sizes are put.
    """
    from warpmill.cli.main import main  # noqa: PLC0415 - heavy

    quiet = StringIO()
    with TemporaryDirectory() as folder, redirect_stdout(quiet), redirect_stderr(quiet):
        path = Path(folder, "made")
        code = main(words.replace("FILE", str(path)).split())
        if code != 0:
            raise SystemExit(f"{words} ended with {code}: {quiet.getvalue()}")
        return path.read_bytes()


def _sized(name: str) -> str:
    sizes = (f" --size {size}={value}" for size, value in TABLE["small"][name].items())
    return f"{ROOT / 'samples' / name / 'launch.toml'}{''.join(sizes)}"


def _recording() -> Iterator[Seed]:
    for name in ("reduce", "scan", "vecadd", "spmv"):
        yield Seed(f"recording of {name}", _made(f"run {_sized(name)} --record FILE"))
    program = ROOT / INPUTS / "calls.py"
    yield Seed("recording of calls.py", _made(f"record {program} --output FILE"))


def _trace() -> Iterator[Seed]:
    for name in ("reduce", "matmul", "transpose", "spmv"):
        for kind in ("static", "executed"):
            words = f"trace {_sized(name)} --trace {kind} --save FILE"
            yield Seed(f"{kind} traces of {name}", _made(words))


def trace_launch(data: bytes) -> str | None:
    """The sample whose traces a file holds, as it says itself; None where it does not."""
    try:
        start = int.from_bytes(data[-16:-8], "little")
        index = zstd.decompress(data[start:-16])
    except zstd.ZstdError:
        return None
    return next((name for name in TABLE["small"] if name.encode() in index), None)


def whole(words: str, shorts: dict[str, str]) -> list[str]:
    """Words of a command line, with those that some stand for in their place."""
    found = []
    for word in words.split():
        found += whole(shorts[word], shorts) if word in shorts else [word]
    return found


def _options() -> Iterator[Seed]:
    lines = TABLE["lines"]
    for line in lines["typed"]:
        words = whole(line, lines)
        yield Seed(" ".join(words), json.dumps(words).encode())


_MADE = {
    "bitcode": _bitcode,
    "binary": _binary,
    "launch": _launch,
    "recording": _recording,
    "trace": _trace,
    "options": _options,
}
