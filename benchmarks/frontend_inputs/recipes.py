"""What is compiled from what: the command lines that make the inputs.

A recipe is one call of a compiler. Sources stand in ``cuda`` and ``opencl`` beside this file; the
CUDA sources that need no header of CUDA are compiled as HIP too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from warpmill.benchmarks.frontend_inputs.tools import cuda_folder, tools

HERE = Path(__file__).resolve().parent

# What nvcc 13.0 lists. Sources are compiled for the main ones all, for each of the others a third.
MAIN_CHIPS = ("80", "90", "100")
OTHER_CHIPS = ("75", "86", "87", "88", "89", "103", "110", "120", "121")
OLD_CHIPS = ("50", "60", "70")
DEBUGGED = ("gemm_tiles", "reductions", "calls", "mathematics", "sorting", "layouts", "simulations")
DEBUGGED_BY_CLANG = ("calls", "reductions")  # few: most of such a file is tables for the debugger

# The oldest chip that a source is written for, where clang would take an older one.
OLDEST = {
    "atomics": 60, "bulk_copies": 60, "calls": 60, "integers": 70, "mma_assembly": 75,
    "narrow_floats": 60, "reductions": 70, "wmma_tiles": 70,
}  # fmt: skip
HIP_SOURCES = ("stencils", "sorting")

OPENCL_TARGETS = {
    "nvptx64": ("--target=nvptx64-nvidia-cuda", "-march=sm_80", "--cuda-feature=+ptx70"),
    "amdgcn": ("--target=amdgcn-amd-amdhsa", "-mcpu=gfx90a"),
    "spir64": ("--target=spir64",),
}


@dataclass(frozen=True)
class Recipe:
    """One file to make: ``command`` lacks the output, which is put after its last word, ``-o``.

    ``flavour`` is ``plain``, ``lines`` (with line numbers) or ``debug`` (without optimisation, with
    debug information); ``producer`` is the compiler by the name that the figures give it.
    """

    file: str
    producer: str
    flavour: str
    tool: str
    command: tuple[str, ...]
    source: Path


def recipes() -> list[Recipe]:
    """List what the tools at hand can make."""
    made: list[Recipe] = []
    if "nvcc" in tools():
        made += _nvcc()
    if "clang" in tools():
        made += [*_opencl(), *_hip()]
        if cuda_folder() is not None:
            made += _clang_cuda()
    return made


def _sources(folder: str) -> list[Path]:
    return sorted(p for p in (HERE / folder).iterdir() if p.suffix in (".cu", ".cl"))


def _recipe(producer: str, name: str, flavour: str, command: Iterable[str], source: Path) -> Recipe:
    tool = producer.partition(" ")[0]
    whole = (tools()[tool].path, *command, str(source), "-o")
    return Recipe(name, producer, flavour, tool, whole, source)


def _nvcc() -> Iterator[Recipe]:
    start = ("-std=c++17", "-ptx", "-w")
    for number, source in enumerate(_sources("cuda")):
        some = tuple(c for place, c in enumerate(OTHER_CHIPS) if place % 3 == number % 3)
        for chip in (*MAIN_CHIPS, *some):
            command = (*start, "-O3", f"-arch=compute_{chip}")
            yield _recipe("nvcc", f"nvcc.{source.stem}.sm_{chip}.ptx", "plain", command, source)
        for chip in ("80", "100") if source.stem in DEBUGGED else ():
            for flavour, flag in (("lines", "-lineinfo"), ("debug", "-G")):
                name = f"nvcc.{source.stem}.{flavour}.sm_{chip}.ptx"
                command = (*start, flag, f"-arch=compute_{chip}")
                yield _recipe("nvcc", name, flavour, command, source)


def _clang_cuda() -> Iterator[Recipe]:
    folder = cuda_folder()
    assert folder is not None
    start = (
        "-x", "cuda", "--cuda-device-only", f"--cuda-path={folder}", "-w",
        "--no-cuda-version-check", "-std=c++17", "-fuse-cuid=none",
        "-isystem", str(HERE / "absent"), "-isystem", str(folder / "include" / "cccl"),
    )  # fmt: skip
    for source in _sources("cuda"):
        stem, command = source.stem, tuple[str, ...]()
        for chip in OLD_CHIPS:
            if int(chip) >= OLDEST.get(stem, 0):
                command = (*start, "-O2", f"--cuda-gpu-arch=sm_{chip}", "-S")
                yield _recipe("clang", f"clang.{stem}.sm_{chip}.ptx", "plain", command, source)
        if stem in DEBUGGED_BY_CLANG:
            command = (*start, "-O0", "-g", "--cuda-gpu-arch=sm_70", "-S")
            yield _recipe("clang", f"clang.{stem}.debug.sm_70.ptx", "debug", command, source)
        for level in ("O0", "O2"):
            command = (*start, f"-{level}", "--cuda-gpu-arch=sm_80", "-emit-llvm", "-c")
            yield _recipe("clang CUDA", f"clang-cuda.{stem}.{level}.bc", "plain", command, source)


def _opencl() -> Iterator[Recipe]:
    start = (
        "-x", "cl", "-cl-std=CL2.0", "-w", "--cuda-path=.", "-nogpulib", "-Xclang",
        "-finclude-default-header",
    )  # fmt: skip
    for source in _sources("opencl"):
        for target, flags in OPENCL_TARGETS.items():
            for level in ("O0", "O2"):
                command = (*start, *flags, f"-{level}", "-emit-llvm", "-c")
                name = f"clang-opencl.{source.stem}.{target}.{level}.bc"
                yield _recipe("clang OpenCL", name, "plain", command, source)
        for chip, feature in (("50", "+ptx60"), ("70", "+ptx60"), ("80", "+ptx70")):
            command = (*start, "--target=nvptx64-nvidia-cuda", f"-march=sm_{chip}",
                       f"--cuda-feature={feature}", "-O2", "-S")  # fmt: skip
            name = f"clang-opencl.{source.stem}.sm_{chip}.ptx"
            yield _recipe("clang OpenCL", name, "plain", command, source)


def _hip() -> Iterator[Recipe]:
    start = (
        "-x", "hip", "--cuda-device-only", "-nogpulib", "-nogpuinc", "-w", "-std=c++17",
        "-fuse-cuid=none", "-include", str(HERE / "hip" / "words.h"),
    )  # fmt: skip
    for source in (HERE / "cuda" / f"{stem}.cu" for stem in HIP_SOURCES):
        for chip in ("gfx90a", "gfx1100"):
            for level in ("O0", "O2"):
                command = (*start, f"--offload-arch={chip}", f"-{level}", "-emit-llvm", "-c")
                name = f"clang-hip.{source.stem}.{chip}.{level}.bc"
                yield _recipe("clang HIP", name, "plain", command, source)
