"""PTX out of CUDA's binaries.

``binary_inputs/`` was made from ``pair.cu`` there by nvcc 13.0: ``.zstd`` with -gencode for
compute_80 and compute_90, ``.lz4`` with --compress-mode=speed, ``.machine`` with -code=sm_80,
``pair.o`` with -c.
"""

from __future__ import annotations

import random
import struct
from pathlib import Path

import pytest

from warpmill.analyzer.base.diagnostics import InputError, Severity, UsageError
from warpmill.analyzer.frontends.load import kernel_names, load, load_all, load_kernel
from warpmill.analyzer.machine_code.binaries import MAGIC, ptx_images

INPUTS = Path(__file__).parent / "binary_inputs"


def container(*entries: bytes) -> bytes:
    body = b"".join(entries)
    return struct.pack("<4sHHQ", MAGIC, 1, 16, len(body)) + body


def entry(kind: int, chip: int, payload: bytes, flags: int = 0, unpacked: int = 0) -> bytes:
    head = struct.pack(
        "<HHIQIIHHIIIQQQ",
        kind,
        0x101,
        80,
        len(payload),
        0,
        64,
        0,
        9,
        chip,
        0,
        0,
        flags,
        0,
        unpacked,
    )
    return head.ljust(80, b"\0") + payload


@pytest.mark.parametrize(
    ("file", "targets"),
    [("pair.zstd.fatbin", [80, 90]), ("pair.lz4.fatbin", [80]), ("pair.o", [80])],
)
def test_ptx_is_unpacked_from_what_nvcc_writes(file: str, targets: list[int]) -> None:
    images = ptx_images((INPUTS / file).read_bytes(), file)
    assert [i.target for i in images] == targets
    assert [i.name for i in images] == [f"{file}[{n}:sm_{t}]" for n, t in enumerate(targets)]
    for image in images:
        assert image.text.startswith(".version 9.0\n")
        assert f".target sm_{image.target}\n" in image.text
        assert image.text.endswith("}\n")


def test_kernels_of_a_binary_load_like_those_of_a_file() -> None:
    assert kernel_names(INPUTS / "pair.o") == ("scale", "_Z5shiftPfi")
    loaded, kernel = load_kernel(INPUTS / "pair.o", "shift")
    assert kernel.name == "_Z5shiftPfi"
    assert loaded.source.derived
    assert loaded.path == f"{INPUTS / 'pair.o'}[0:sm_80]"


def test_the_newest_chip_is_taken_and_said() -> None:
    loaded, _ = load_kernel(INPUTS / "pair.zstd.fatbin", "scale")
    assert loaded.module.target == "sm_90"
    (note,) = [d for d in loaded.diagnostics if d.severity is Severity.NOTE]
    assert "in 2 PTX texts" in note.message
    assert [one.module.target for one in load_all(INPUTS / "pair.zstd.fatbin")] == [
        "sm_80",
        "sm_90",
    ]
    with pytest.raises(UsageError, match="2 PTX texts"):
        load(INPUTS / "pair.zstd.fatbin")


def test_plain_entries_and_several_containers_are_read() -> None:
    ptx = b".version 8.0\n.target sm_75\n.address_size 64\n\0\0\0"
    data = container(entry(2, 75, b"machine"), entry(1, 75, ptx)) + bytes(8)
    images = ptx_images(data + container(entry(1, 61, ptx)), "a")
    assert [(i.name, i.text) for i in images] == [
        ("a[0:sm_75]", ptx.rstrip(b"\0").decode()),
        ("a[1:sm_61]", ptx.rstrip(b"\0").decode()),
    ]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (
            container(entry(2, 80, b"x"), entry(2, 90, b"y")),
            "machine code for sm_80, sm_90 and no PTX",
        ),
        (container(), "no device code"),
        (container(entry(1, 80, b"abc"))[:-1], "longer than the file"),
        (container(entry(1, 80, b"not zstd", 0x8000, 99)), "damaged"),
        (container(entry(1, 80, b"not lz4", 0x2000, 99)), "damaged"),
        (container(entry(1, 80, b"", 0x8000, 1 << 40)), "too many"),
        (b"\x7fELF" + bytes(60), "ELF file is damaged"),
    ],
)
def test_what_has_no_ptx_is_refused_in_words(data: bytes, words: str) -> None:
    with pytest.raises(InputError, match=words):
        ptx_images(data, "a")


def test_machine_code_alone_is_refused_with_what_to_do() -> None:
    with pytest.raises(InputError, match=r"machine code for sm_80 and no PTX") as error:
        load(INPUTS / "pair.machine.fatbin")
    assert "code=compute_80" in str(error.value)


def test_damage_never_escapes_as_anything_else() -> None:
    source = random.Random(7)
    for file in ("pair.o", "pair.zstd.fatbin", "pair.lz4.fatbin"):
        whole = (INPUTS / file).read_bytes()
        for _ in range(150):
            data = bytearray(whole)
            for _ in range(source.randint(1, 8)):
                data[source.randrange(len(data))] = source.randrange(256)
            cut = bytes(data[: source.choice([len(data), source.randrange(len(data))])])
            try:
                ptx_images(cut, file)
            except InputError:
                continue
