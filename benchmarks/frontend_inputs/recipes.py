"""What is compiled from what: the command lines that make the inputs.

A recipe is one call of a compiler. Sources stand in ``cuda`` and ``opencl`` beside this file; the
CUDA sources that need no header of CUDA are compiled as HIP too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from warpmill.benchmarks.frontend_inputs.tools import cuda_folder, tools

HERE = Path(__file__).resolve().parent
CUDA = tuple(sorted((HERE / "cuda").glob("*.cu")))
OPENCL = tuple(sorted((HERE / "opencl").glob("*.cl")))
HIP = tuple(HERE / "cuda" / f"{stem}.cu" for stem in ("stencils", "sorting"))

# What nvcc 13.0 lists. Sources are compiled for the main ones all, for each of the others a third.
MAIN_CHIPS = ("80", "90", "100")
OTHER_CHIPS = ("75", "86", "87", "88", "89", "103", "110", "120", "121")
OLD_CHIPS = ("50", "60", "70")
LEVELS = ("O0", "O2")
DEBUGGED = ("gemm_tiles", "reductions", "calls", "mathematics", "sorting", "layouts", "simulations")
DEBUGGED_BY_CLANG = ("calls", "reductions")  # few: most of such a file is tables for the debugger

# The oldest chip that a source is written for, where clang would take an older one.
OLDEST = {
    "atomics": 60, "bulk_copies": 60, "calls": 60, "integers": 70, "mma_assembly": 75,
    "narrow_floats": 60, "reductions": 70, "wmma_tiles": 70,
}  # fmt: skip

OPENCL_TARGETS = {
    "nvptx64": ("--target=nvptx64-nvidia-cuda", "-march=sm_80", "--cuda-feature=+ptx70"),
    "amdgcn": ("--target=amdgcn-amd-amdhsa", "-mcpu=gfx90a"),
    "spir64": ("--target=spir64",),
}


@dataclass(frozen=True)
class Recipe:
    """One file to make: ``command`` lacks the compiler, the source and the output.

    ``flavour`` is ``plain``, ``lines`` (with line numbers) or ``debug`` (without optimisation, with
    debug information); ``producer`` is the compiler by the name that the figures give it, and how
    the name of the file begins.
    """

    producer: str
    rest: str
    source: Path
    command: tuple[str, ...]
    flavour: str = "plain"

    @property
    def file(self) -> str:
        """The name of the file."""
        return f"{self.producer.lower().replace(' ', '-')}.{self.source.stem}.{self.rest}"

    @property
    def tool(self) -> str:
        """What makes it."""
        return self.producer.partition(" ")[0]


def recipes() -> list[Recipe]:
    """List what the tools at hand can make."""
    made = [*_opencl(), *_hip(), *_clang_cuda()] if "clang" in tools() else []
    return [*_nvcc(), *made] if "nvcc" in tools() else made


def _nvcc() -> Iterator[Recipe]:
    start = ("-std=c++17", "-ptx", "-w")
    for number, source in enumerate(CUDA):
        for chip in (*MAIN_CHIPS, *OTHER_CHIPS[number % 3 :: 3]):
            command = (*start, "-O3", f"-arch=compute_{chip}")
            yield Recipe("nvcc", f"sm_{chip}.ptx", source, command)
        for chip in ("80", "100") if source.stem in DEBUGGED else ():
            for flavour, flag in (("lines", "-lineinfo"), ("debug", "-G")):
                command = (*start, flag, f"-arch=compute_{chip}")
                yield Recipe("nvcc", f"{flavour}.sm_{chip}.ptx", source, command, flavour)


def _clang_cuda() -> Iterator[Recipe]:
    folder = cuda_folder()
    if folder is None:
        return
    start = (
        "-x", "cuda", "--cuda-device-only", f"--cuda-path={folder}", "-w",
        "--no-cuda-version-check", "-std=c++17", "-fuse-cuid=none",
        "-isystem", str(HERE / "absent"), "-isystem", str(folder / "include" / "cccl"),
    )  # fmt: skip
    for source in CUDA:
        for chip in OLD_CHIPS:
            if int(chip) >= OLDEST.get(source.stem, 0):
                command = (*start, "-O2", f"--cuda-gpu-arch=sm_{chip}", "-S")
                yield Recipe("clang", f"sm_{chip}.ptx", source, command)
        if source.stem in DEBUGGED_BY_CLANG:
            command = (*start, "-O0", "-g", "--cuda-gpu-arch=sm_70", "-S")
            yield Recipe("clang", "debug.sm_70.ptx", source, command, "debug")
        for level in LEVELS:
            command = (*start, f"-{level}", "--cuda-gpu-arch=sm_80", "-emit-llvm", "-c")
            yield Recipe("clang CUDA", f"{level}.bc", source, command)


def _opencl() -> Iterator[Recipe]:
    start = (
        "-x", "cl", "-cl-std=CL2.0", "-w", "--cuda-path=.", "-nogpulib", "-Xclang",
        "-finclude-default-header",
    )  # fmt: skip
    for source in OPENCL:
        for target, flags in OPENCL_TARGETS.items():
            for level in LEVELS:
                command = (*start, *flags, f"-{level}", "-emit-llvm", "-c")
                yield Recipe("clang OpenCL", f"{target}.{level}.bc", source, command)
        for chip, feature in (("50", "+ptx60"), ("70", "+ptx60"), ("80", "+ptx70")):
            command = (*start, "--target=nvptx64-nvidia-cuda", f"-march=sm_{chip}",
                       f"--cuda-feature={feature}", "-O2", "-S")  # fmt: skip
            yield Recipe("clang OpenCL", f"sm_{chip}.ptx", source, command)


def _hip() -> Iterator[Recipe]:
    start = (
        "-x", "hip", "--cuda-device-only", "-nogpulib", "-nogpuinc", "-w", "-std=c++17",
        "-fuse-cuid=none", "-include", str(HERE / "hip" / "words.h"),
    )  # fmt: skip
    for source in HIP:
        for chip in ("gfx90a", "gfx1100"):
            for level in LEVELS:
                command = (*start, f"--offload-arch={chip}", f"-{level}", "-emit-llvm", "-c")
                yield Recipe("clang HIP", f"{chip}.{level}.bc", source, command)
