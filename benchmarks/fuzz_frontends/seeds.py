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

import zstandard

ROOT = Path(__file__).resolve().parents[2]
LARGE_BYTES = 1 << 17

INPUTS = "benchmarks/fuzz_frontends/inputs"
_REPEATED = {"ptx": "samples/matmul/matmul.sm_80.ptx", "llvm": f"{INPUTS}/wide.ll"}
_CONTAINER = struct.Struct("<4sHHQ")
_ENTRY = struct.Struct("<HHIQIIHHIIIQQQ")


class Seed(NamedTuple):
    """A valid input: its name in the repository and what it holds."""

    name: str
    data: bytes


@cache
def seeds(frontend: str) -> tuple[Seed, ...]:
    """The valid inputs of a front-end, sorted by name: the same ones in every process."""
    return tuple(sorted(_GATHERED[frontend](), key=lambda seed: seed.name))


@cache
def large_seeds(frontend: str) -> tuple[Seed, ...]:
    """An input of 128 KiB where text is read: one kernel many times over."""
    name = _REPEATED.get(frontend)
    return tuple(
        Seed(f"{seed.name}, repeated", _repeated(seed.data, frontend))
        for seed in seeds(frontend)
        if seed.name == name
    )


def _ptx() -> Iterator[Seed]:
    yield from _files(
        "samples/*/*.ptx", "tests/frontends/ptx_inputs/*.ptx", "tests/filetests/*.ptx"
    )
    yield from _files(f"{INPUTS}/*.ptx")


def _llvm() -> Iterator[Seed]:
    yield from _files("samples/*/*.ll", "tests/filetests/*.ll", f"{INPUTS}/*.ll")


def _bitcode() -> Iterator[Seed]:
    yield from _files("samples/*/*.bc")
    for seed in _files(f"{INPUTS}/*.ll"):
        yield Seed(seed.name.replace(".ll", ".bc"), _assembled(seed.data))


def _binary() -> Iterator[Seed]:
    yield from _files(
        "tests/frontends/binary_inputs/pair.o", "tests/frontends/binary_inputs/*.fatbin"
    )
    yield from _files("tests/frontends/cubins/*.cubin")
    for seed in _files("samples/vecadd/*.ptx", "samples/reduce/*.ptx"):
        yield Seed(f"{seed.name} in a fat binary", _fat_binary(seed.data))


SMALL = {
    "binomial": ("options=256", "large=2"),
    "bitonic": ("n=2048",),
    "lud": ("n=32",),
    "matmul": ("n=32",),
    "nw": ("n=32",),
    "reduce": ("n=1500",),
    "scan": ("n=1500",),
    "spmv": ("rows=64", "cols=64"),
    "stencil5": ("width=64", "height=24"),
    "transpose": ("rows=64", "columns=32"),
    "vecadd": ("n=300",),
}
"""Sizes with which a sample's launches take no time."""


@cache
def samples() -> dict[str, bytes]:
    """The launch files of samples by name, with small sizes and without their comments."""
    from warpmill.benchmarks.fuzz_frontends.decoded import toml  # noqa: PLC0415 - which needs the texts from here

    found = {}
    for name, sizes in SMALL.items():
        tree = tomllib.loads((ROOT / "samples" / name / "launch.toml").read_text("utf-8"))
        for size in sizes:
            key, _, value = size.partition("=")
            tree["sizes"][key] = int(value)
        found[name] = toml(tree).encode()
    return found


def _launch() -> Iterator[Seed]:
    for name, data in samples().items():
        yield Seed(f"samples/{name}/launch.toml, small", data)


def _made(*words: str) -> bytes:
    """What a command writes to the file that ``FILE`` among its words stands for."""
    from warpmill.cli.main import main  # noqa: PLC0415 - heavy

    quiet = StringIO()
    with TemporaryDirectory() as folder, redirect_stdout(quiet), redirect_stderr(quiet):
        path = Path(folder, "made")
        code = main([str(path) if word == "FILE" else word for word in words])
        if code != 0:
            raise SystemExit(f"{' '.join(words)} ended with {code}: {quiet.getvalue()}")
        return path.read_bytes()


def _sized(name: str) -> tuple[str, ...]:
    sizes = [word for size in SMALL[name] for word in ("--size", size)]
    return (str(ROOT / "samples" / name / "launch.toml"), *sizes)


def _recording() -> Iterator[Seed]:
    for name in ("reduce", "scan", "vecadd", "spmv"):
        yield Seed(f"recording of {name}", _made("run", *_sized(name), "--record", "FILE"))
    program = str(ROOT / INPUTS / "calls.py")
    yield Seed("recording of calls.py", _made("record", program, "--output", "FILE"))


def _trace() -> Iterator[Seed]:
    for name in ("reduce", "matmul", "transpose", "spmv"):
        for kind in ("static", "executed"):
            words = ("trace", *_sized(name), "--trace", kind, "--save", "FILE")
            yield Seed(f"{kind} traces of {name}", _made(*words))


def _machine() -> Iterator[Seed]:
    for seed in _files("simulator/machines/*.toml"):
        if b"[machine]" in seed.data:
            yield seed


_VECADD = ("samples/vecadd/vecadd.sm_80.ptx", "--grid", "2", "--block", "64")
_BUFFERS = ("--arg", "buffer=f32:128:uniform") * 3
_COMMAND_LINES = (
    ("analyze", *_VECADD, *_BUFFERS, "--arg", "128"),
    ("run", *_VECADD, *_BUFFERS, "--arg", "vecadd_param_3=128"),
    ("run", "samples/stencil5/launch.toml", "--size", "width=64", "--size", "height=24"),
    ("profile", "samples/vecadd/launch.toml", "--size", "n=300", "--count", "memory,lanes"),
    ("trace", "samples/reduce/launch.toml", "--size", "n=1500", "--cta", "0", "--warp", "1"),
    ("estimate", "samples/scan/launch.toml", "--size", "n=1500", "--set", "sm.count=100"),
    ("estimate", *_VECADD, *_BUFFERS, "--arg", "i32=128", "--regs", "32", "--mode", "eq8"),
    ("explain", "samples/spmv/launch.toml", "--size", "rows=64", "--assume", "$L__BB0_7=4..64"),
    ("simulate", *_VECADD, *_BUFFERS, "--arg", "128", "--machine", "geforce_940m"),
    ("run", f"{INPUTS}/symbols.ptx", "--grid", "1", "--block", "32",
     "--arg", "buffer=f32:64", "--symbol", "table=f32:64:uniform", "--symbol", "scale=2"),
    ("trace", f"{INPUTS}/symbols.ptx", "--grid", "1", "--block", "32",
     "--arg", "buffer=f32:64", "--symbol", "table=arange", "--symbol", "scale=3"),
    ("machines", "show", "a100", "--set", "sm.count=100"),
    ("sweep", "samples/vecadd/launch.toml", "--size", "n=300", "--over", "block=64,128",
     "--where", "n >= 4 * block", "--machine", "a100", "--no-store"),
)  # fmt: skip
"""What people type, with small launches; files are named from the top of the repository."""


def _options() -> Iterator[Seed]:
    for words in _COMMAND_LINES:
        yield Seed(" ".join(words), json.dumps(words).encode())


def trace_launch(data: bytes) -> str | None:
    """The sample whose traces a file holds, as it says itself; None where it does not."""
    names = [name for name in SMALL if name.encode() in _index_text(data)]
    return names[0] if names else None


def _index_text(data: bytes) -> bytes:
    try:
        start = int.from_bytes(data[-16:-8], "little")
        return zstandard.ZstdDecompressor().decompress(data[start:-16])
    except zstandard.ZstdError:
        return b""


_GATHERED = {
    "ptx": _ptx,
    "llvm": _llvm,
    "bitcode": _bitcode,
    "binary": _binary,
    "ptx-statements": _ptx,
    "llvm-statements": _llvm,
    "launch": _launch,
    "recording": _recording,
    "trace": _trace,
    "machine": _machine,
    "options": _options,
}


def _files(*patterns: str) -> Iterator[Seed]:
    paths = {path for pattern in patterns for path in ROOT.glob(pattern)}
    if not paths:
        raise SystemExit(f"no file is like {patterns[0]}: run this in a checkout")
    for path in sorted(paths):
        yield Seed(str(path.relative_to(ROOT)), path.read_bytes())


def _assembled(text: bytes) -> bytes:
    import llvmlite.binding as llvm  # noqa: PLC0415 - heavy, and for bitcode only

    return bytes(llvm.parse_assembly(text.decode()).as_bitcode())


def _fat_binary(text: bytes) -> bytes:
    """A container with one PTX entry that is not packed."""
    payload = text + b"\0" * (-len(text) % 8)
    fields = (1, 0x101, _ENTRY.size, len(payload), 0, 0, 8, 0, 80, 0, 0, 0x11, 0, 0)
    entry = _ENTRY.pack(*fields) + payload
    return _CONTAINER.pack(b"\x50\xed\x55\xba", 1, _CONTAINER.size, len(entry)) + entry


def _repeated(data: bytes, frontend: str) -> bytes:
    """A file in which the kernel stands many times, each under a name of its own."""
    head, start, rest = data.partition(
        b"define ptx_kernel" if frontend == "llvm" else b".visible .entry"
    )
    end = rest.index(b"\n}") + 3
    name = rest.split(b"(", 1)[0].split()[-1]
    copies = (
        (start + rest[:end]).replace(name + b"(", b"%s_%d(" % (name, number), 1)
        for number in range(1, LARGE_BYTES // end)
    )
    return head + start + rest[:end] + b"".join(copies) + rest[end:]
