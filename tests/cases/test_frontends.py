"""What front-ends read, what nothing defines, and what writes: inputs of other projects' kinds."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from tests.cases.conftest import CASES, Command

EXTERN = "47-extern-without-definition"
SPIRV, SPIRV_FUNCTIONS = "46-sycl-spirv-builtins", "46b-spirv-functions"
BULK, REMOTE = "20-bulk-store-is-a-write", "34-multimem-and-remote"
HIP_VERSION = "47b-hip-abi-version"


def saved(warpmill: Command, folder: Path, *words: str) -> dict[str, npt.NDArray[np.generic]]:
    """The buffers that a run leaves."""
    ended = warpmill(*words, f"--save {folder / 'out.npz'}")
    assert ended.code == 0, ended.err
    return dict(np.load(folder / "out.npz"))


def test_contents_that_nothing_defines_are_no_zeros(warpmill: Command) -> None:
    """Each variable at its load, in every command that executes."""
    launch = "--grid 1 --block 8 --arg buffer=u32:8"
    for command in ("run", "profile"):
        ended = warpmill(EXTERN, command, "kernel.ptx", launch)
        assert ended.code == 2
        assert "kernel.ptx:15:2: error: `table` of 64 bytes is declared here" in ended.said
        assert "kernel.ptx:16:2: error: `factor` of 4 bytes is declared here" in ended.said
    executed = warpmill(EXTERN, "estimate", "kernel.ptx", launch, "-m a100 --trace executed")
    assert executed.code == 2
    assert "--symbol table=u32:16:arange" in executed.said
    assert warpmill(EXTERN, "estimate", "kernel.ptx", launch, "-m a100").code == 0  # by addresses


def test_symbols_give_contents(warpmill: Command, tmp_path: Path) -> None:
    """In the variable's own type and shape, or as a buffer is written."""
    run = (EXTERN, "run", "kernel.ptx", "--grid 1 --block 8 --arg buffer=u32:8")
    for table in ("arange", "u32:16:arange"):
        got = saved(warpmill, tmp_path, *run, f"--symbol table={table} --symbol factor=3")
        assert got["out"].tolist() == [3 * i + 1 for i in range(8)]


@pytest.mark.parametrize(
    ("symbol", "why"),
    [
        ("table=u32:8", "defined elsewhere and has 64 bytes: the 32 given leave the rest unknown"),
        ("tabel=arange", "has not exactly one global or constant variable `tabel`"),
        ("table=often", "`often` is neither a number nor an initialiser"),
        ("table", "not of the form NAME=CONTENTS"),
        ("table=u32:17", "variable `table` has 64 bytes, the 68 given do not fit"),
    ],
)
def test_symbols_that_do_not_fit(warpmill: Command, symbol: str, why: str) -> None:
    """Each with what is wrong."""
    launch = "--grid 1 --block 8 --arg buffer=u32:8"
    ended = warpmill(EXTERN, "run", "kernel.ptx", launch, f"--symbol {symbol}")
    assert ended.code == 2
    assert why in ended.said


def test_sycl_ids(warpmill: Command, tmp_path: Path) -> None:
    """SPIR-V's variables and functions are OpenCL's ids."""
    args = "--arg buffer=f32:64:arange --arg buffer=f32:64 --arg 2.0"
    got = saved(warpmill, tmp_path, SPIRV, "run kernel.ll -k axpy --grid 2 --block 32", args)
    assert np.array_equal(got["y"], 2 * np.arange(64))
    ids = "run kernel.ll -k ids --grid 2 --block 32 --arg buffer=u32:64"
    assert np.array_equal(saved(warpmill, tmp_path, SPIRV, ids)["y"], np.tile(np.arange(32), 2))


def test_every_way_to_spirv_variables(warpmill: Command, tmp_path: Path) -> None:
    """Elements by offset, low words, generic addresses; an unknown element is an error."""
    run = "run kernel.ll -k variables --grid 2,2 --block 4,2 --arg buffer=u32:32"
    got = saved(warpmill, tmp_path, SPIRV_FUNCTIONS, run)["out"]
    y, x = np.mgrid[:4, :8]
    index = (y % 2) * 4 + x % 4
    assert np.array_equal(got.reshape(4, 8), y * 1000000 + y // 2 * 100000 + 4000 + index)
    chosen = "run kernel.ll -k chosen --grid 1 --block 1 --arg buffer=u64:1 --arg 1"
    ended = warpmill(SPIRV_FUNCTIONS, chosen)
    assert ended.code == 2
    assert "error: `__spirv_BuiltInWorkgroupId` of 32 bytes is declared here" in ended.said


def test_spirv_functions(warpmill: Command, tmp_path: Path) -> None:
    """Group operations, barriers, atomics and OpenCL's mathematics by SPIR-V's names."""
    run = "run kernel.ll -k functions --grid 2 --block 32"
    args = "--arg buffer=u32:64:arange --arg buffer=u32:65"
    got = saved(warpmill, tmp_path, SPIRV_FUNCTIONS, run, args)["out"]
    values = np.arange(64).reshape(2, 32)
    before = np.cumsum(values, 1) - values
    swapped = values[:, np.arange(32) ^ 1]
    wanted = 32 * values.sum(1, keepdims=True) + np.maximum(before, swapped)
    assert np.array_equal(got[:64].reshape(2, 32), wanted)
    assert got[64] == 128


def test_hip_block_size_behind_the_abi_version(warpmill: Command, tmp_path: Path) -> None:
    """At -O0 a version that another file defines chooses between two places of one number."""
    run = "run kernel.ll --grid 2 --block 32 --arg buffer=f32:64:arange --arg 64"
    got = saved(warpmill, tmp_path, HIP_VERSION, run)
    (doubled,) = got.values()
    assert np.array_equal(doubled, 2 * np.arange(64))


def test_a_bulk_store_writes(warpmill: Command) -> None:
    """16 KiB a CTA: written, not read, and counted once."""
    launch = "--block 256 --arg buffer=i32:2097152"
    ended = warpmill(BULK, "simulate kernel.ptx --grid 512", launch, "-m h100_sxm -f json")
    moved = ended.data["simulations"][0]["result"]
    assert (moved["read_sectors"], moved["write_sectors"]) == (0, 262144)
    ended = warpmill(BULK, "profile kernel.ptx --grid 4", launch, "--format json")
    (written,) = [t for t in ended.data["launches"][0]["memory"] if t["space"] == "global"]
    assert written["kind"] == "store"
    assert (written["bytes_requested"], written["sectors"]) == (65536, 2048)
    ended = warpmill(BULK, "trace kernel.ptx --grid 4", launch, "--trace static --format json")
    accesses = ended.data["launches"][0]["accesses"]
    (written,) = [t for t in accesses if t["space"] == "global"]
    assert (written["bytes_requested"], written["sectors"]) == (65536, 2048)


@pytest.mark.parametrize("command", ["estimate", "simulate"])
def test_remote_memory_is_told(warpmill: Command, command: str) -> None:
    """What multimem costs no engine knows: it is named among what has no model."""
    args = "--grid 128 --block 256 --arg buffer=f32:131072 --arg buffer=f32:128 -m h100_sxm"
    ended = warpmill(REMOTE, command, "kernel.ptx", args)
    assert ended.code == 0
    assert "classes without a model: load of remote memory (" in ended.said
    assert "store of remote memory (" in ended.said


def test_debug_information_of_another_llvm(warpmill: Command) -> None:
    """A calling convention that this LLVM does not know costs no line."""
    ended = warpmill("81-dwcc", "inspect kernel.ll --format json")
    assert (ended.code, ended.err) == (0, "")
    assert "fill.cl:2, the first line with code" in warpmill("81-dwcc", "inspect kernel.ll").out


def test_signatures_of_an_older_llvm(warpmill: Command) -> None:
    """A buffer's number of records had 32 bits; what is lowered is the same."""
    mixes = []
    for name in ("kernel.ll", "kernel_llvm21.ll"):
        (file,) = warpmill("36-amd-mfma-buffer-dpp", f"inspect {name} --format json").data["files"]
        mixes.append(file["kernels"][0]["by_opcode"])
    assert mixes[0] == mixes[1]


def test_a_shared_pointer_in_a_wide_register(warpmill: Command) -> None:
    """Extended with zeros, as LLVM and ptxas take it."""
    ended = warpmill("87-asm-shared-pointer", "inspect kernel.ll")
    assert (ended.code, ended.err) == (0, "")
    assert "Instructions by the nearest rule  0" in ended.out


def test_a_newer_ptx_is_noted_once_a_run(warpmill: Command, tmp_path: Path) -> None:
    """However many files and kernels there are; 9.5 is known."""
    files = []
    for name, version in (("a", "9.9"), ("b", "9.9"), ("c", "9.5")):
        files.append(tmp_path / f"{name}.ptx")
        kernels = "".join(f".visible .entry {name}{n}() {{ ret; }}\n" for n in range(2))
        files[-1].write_text(f".version {version}\n.target sm_80\n.address_size 64\n{kernels}")
    ended = warpmill(BULK, "inspect", *map(str, files))
    assert ended.code == 0
    assert ended.said.count("note: PTX 9.9 is newer than 9.5") == 1
    assert ended.said.count("note:") == 1


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="nvcc is not there")
def test_resources_of_a_cubin_and_of_a_library_come_from_their_elf(
    warpmill: Command, tmp_path: Path
) -> None:
    """What ptxas spills to 32 registers: a frame of 1,960 B."""
    folder = "40-resources-of-a-cubin-library"
    for file, options in (
        ("spilly.cubin", ["-cubin", "-arch=sm_80"]),
        ("libspilly.so", ["-shared", "-Xcompiler=-fPIC", "-gencode=arch=compute_80,code=sm_80"]),
    ):
        made = tmp_path / file
        command = ["nvcc", *options, "-o", made, CASES / folder / "kernel.cu"]
        subprocess.run(command, check=True)
        ended = warpmill(folder, "inspect", str(made), "-f json")
        assert ended.code == 0
        assert '"registers": 32' in ended.out
        (code,) = ended.data["machine_code"]
        assert code["kernels"][0]["stack_frame_bytes"] == 1960


NCU = "67-ncu-csv"


def test_a_raw_page_of_nsight_compute_is_read_as_exported(warpmill: Command) -> None:
    """Unit row, names with parameters, dimensions in brackets, registers: nothing is named."""
    ended = warpmill(NCU, "correlate ncu.csv --target ../60-tiled-gemm/gemm.toml -m a100 -f json")
    assert [line for line in ended.err.splitlines() if "error" in line] == []
    (row,) = ended.data["rows"]
    assert (row["kernel"], row["grid"], row["block"]) == ("sgemm", [8, 8, 1], [256, 1, 1])
    assert (row["measured"]["line"], row["measured_us"]) == (5, 243.78)
    used = {column["role"]: column["name"] for column in ended.data["columns"]}
    assert used["registers"] == "launch__registers_per_thread"
    softmax = warpmill(
        NCU, "correlate ncu.csv --target ../63-tune-softmax/softmax.ptx -m a100 -f json",
        "--arg buffer=f32:8192x4096 --arg buffer=f32:8192x4096 --arg 4096",
    )  # fmt: skip
    (row,) = softmax.data["rows"]
    assert row["kernel"] == "softmax_rows(float const*, float*, int)"
    assert (row["measured"]["line"], row["grid"]) == (7, [8192, 1, 1])


def test_a_details_page_of_nsight_compute_is_read_as_exported(warpmill: Command) -> None:
    page = "correlate ncu_details.csv --target ../60-tiled-gemm/gemm.toml -m a100 -f json"
    ended = warpmill(NCU, page)
    (row,) = ended.data["rows"]
    assert (row["kernel"], row["grid"], row["block"]) == ("sgemm", [8, 8, 1], [256, 1, 1])
    assert row["measured_us"] == 243.78
