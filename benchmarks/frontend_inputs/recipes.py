"""What is compiled from what: the command lines that make the inputs.

A recipe is one call of a compiler. Sources stand in ``cuda`` and ``opencl`` beside this file; the
CUDA sources that need no header of CUDA are compiled as HIP too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.frontend_inputs.tools import cuda_folder, tools

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


def _nvcc() -> Iterator[Recipe]:
    path = tools()["nvcc"].path
    start = (path, "-std=c++17", "-ptx", "-w")
    for number, source in enumerate(_sources("cuda")):
        some = tuple(c for place, c in enumerate(OTHER_CHIPS) if place % 3 == number % 3)
        for chip in (*MAIN_CHIPS, *some):
            command = (*start, "-O3", f"-arch=compute_{chip}", str(source), "-o")
            name = f"nvcc.{source.stem}.sm_{chip}.ptx"
            yield Recipe(name, "nvcc", "plain", "nvcc", command, source)
        if source.stem not in DEBUGGED:
            continue
        for chip in ("80", "100"):
            for flavour, flag in (("lines", "-lineinfo"), ("debug", "-G")):
                command = (*start, flag, f"-arch=compute_{chip}", str(source), "-o")
                name = f"nvcc.{source.stem}.{flavour}.sm_{chip}.ptx"
                yield Recipe(name, "nvcc", flavour, "nvcc", command, source)


def _clang_cuda() -> Iterator[Recipe]:
    folder = cuda_folder()
    assert folder is not None
    start = (
        tools()["clang"].path, "-x", "cuda", "--cuda-device-only", f"--cuda-path={folder}", "-w",
        "--no-cuda-version-check", "-std=c++17", "-fuse-cuid=none",
        "-isystem", str(HERE / "absent"), "-isystem", str(folder / "include" / "cccl"),
    )  # fmt: skip
    for source in _sources("cuda"):
        for chip in OLD_CHIPS:
            if int(chip) >= OLDEST.get(source.stem, 0):
                command = (*start, "-O2", f"--cuda-gpu-arch=sm_{chip}", "-S", str(source), "-o")
                name = f"clang.{source.stem}.sm_{chip}.ptx"
                yield Recipe(name, "clang", "plain", "clang", command, source)
        if source.stem in DEBUGGED_BY_CLANG:
            command = (*start, "-O0", "-g", "--cuda-gpu-arch=sm_70", "-S", str(source), "-o")
            name = f"clang.{source.stem}.debug.sm_70.ptx"
            yield Recipe(name, "clang", "debug", "clang", command, source)
        for level in ("-O0", "-O2"):
            command = (
                *start,
                level,
                "--cuda-gpu-arch=sm_80",
                "-emit-llvm",
                "-c",
                str(source),
                "-o",
            )
            name = f"clang-cuda.{source.stem}.{level[1:]}.bc"
            yield Recipe(name, "clang CUDA", "plain", "clang", command, source)


def _opencl() -> Iterator[Recipe]:
    start = (
        tools()["clang"].path, "-x", "cl", "-cl-std=CL2.0", "-w", "--cuda-path=.", "-nogpulib",
        "-Xclang", "-finclude-default-header",
    )  # fmt: skip
    for source in _sources("opencl"):
        for target, flags in OPENCL_TARGETS.items():
            for level in ("-O0", "-O2"):
                command = (*start, *flags, level, "-emit-llvm", "-c", str(source), "-o")
                name = f"clang-opencl.{source.stem}.{target}.{level[1:]}.bc"
                yield Recipe(name, "clang OpenCL", "plain", "clang", command, source)
        for chip, feature in (("50", "+ptx60"), ("70", "+ptx60"), ("80", "+ptx70")):
            flags = (
                "--target=nvptx64-nvidia-cuda",
                f"-march=sm_{chip}",
                f"--cuda-feature={feature}",
            )
            command = (*start, *flags, "-O2", "-S", str(source), "-o")
            name = f"clang-opencl.{source.stem}.sm_{chip}.ptx"
            yield Recipe(name, "clang OpenCL", "plain", "clang", command, source)


def _hip() -> Iterator[Recipe]:
    start = (
        tools()["clang"].path, "-x", "hip", "--cuda-device-only", "-nogpulib", "-nogpuinc", "-w",
        "-std=c++17", "-fuse-cuid=none", "-include", str(HERE / "hip" / "words.h"),
    )  # fmt: skip
    for stem in HIP_SOURCES:
        source = HERE / "cuda" / f"{stem}.cu"
        for chip in ("gfx90a", "gfx1100"):
            for level in ("-O0", "-O2"):
                flags = (f"--offload-arch={chip}", level, "-emit-llvm", "-c")
                command = (*start, *flags, str(source), "-o")
                name = f"clang-hip.{stem}.{chip}.{level[1:]}.bc"
                yield Recipe(name, "clang HIP", "plain", "clang", command, source)
