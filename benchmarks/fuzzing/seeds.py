"""The valid files that damage begins at: the samples, the tests' inputs, and some of their own."""

import struct
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
OWN = "benchmarks/fuzzing/inputs/*.ll"
LARGE_BYTES = 1 << 17

_REPEATED = {"ptx": "samples/matmul/matmul.sm_80.ptx", "llvm": "benchmarks/fuzzing/inputs/wide.ll"}
_CONTAINER = struct.Struct("<4sHHQ")
_ENTRY = struct.Struct("<HHIQIIHHIIIQQQ")


class Seed(NamedTuple):
    """A valid input: its name in the repository and what it holds."""

    name: str
    data: bytes


@cache
def seeds(frontend):
    """Give the valid inputs of a front-end, sorted by name: the same ones in every process."""
    return tuple(sorted(_GATHERED[frontend](), key=lambda seed: seed.name))


@cache
def large_seeds(frontend):
    """Give an input of 128 KiB where text is read: one kernel many times over."""
    name = _REPEATED.get(frontend)
    return tuple(
        Seed(f"{seed.name}, repeated", _repeated(seed.data, frontend))
        for seed in seeds(frontend)
        if seed.name == name
    )


def _ptx():
    yield from _files("samples/*/*.ptx", "tests/unit/ptx_inputs/*.ptx", "tests/filetests/*.ptx")
    yield from _files("benchmarks/fuzzing/inputs/*.ptx")


def _llvm():
    yield from _files("samples/*/*.ll", "tests/filetests/*.ll", OWN)


def _bitcode():
    yield from _files("samples/*/*.bc")
    for seed in _files(OWN):
        yield Seed(seed.name.replace(".ll", ".bc"), _assembled(seed.data))


def _binary():
    yield from _files("tests/unit/binary_inputs/pair.o", "tests/unit/binary_inputs/*.fatbin")
    yield from _files("tests/unit/cubins/*.cubin")
    for seed in _files("samples/vecadd/*.ptx", "samples/reduce/*.ptx"):
        yield Seed(f"{seed.name} in a fat binary", _fat_binary(seed.data))


_GATHERED = {"ptx": _ptx, "llvm": _llvm, "bitcode": _bitcode, "binary": _binary}


def _files(*patterns):
    paths = {path for pattern in patterns for path in ROOT.glob(pattern)}
    if not paths:
        raise SystemExit(f"no file is like {patterns[0]}: run this in a checkout")
    for path in sorted(paths):
        yield Seed(str(path.relative_to(ROOT)), path.read_bytes())


def _assembled(text):
    import llvmlite.binding as llvm  # noqa: PLC0415 - heavy, and for bitcode only

    return llvm.parse_assembly(text.decode()).as_bitcode()


def _fat_binary(text):
    """A container with one PTX entry that is not packed."""
    payload = text + b"\0" * (-len(text) % 8)
    fields = (1, 0x101, _ENTRY.size, len(payload), 0, 0, 8, 0, 80, 0, 0, 0x11, 0, 0)
    entry = _ENTRY.pack(*fields) + payload
    return _CONTAINER.pack(b"\x50\xed\x55\xba", 1, _CONTAINER.size, len(entry)) + entry


def _repeated(data, frontend):
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
