"""The compilers: where each is looked for, its command line, and one run of it in a child process.

A run has limits of time and memory, works in a folder that is removed, and sees of this process no
more than its environment.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from warpmill.analyzer.base.diagnostics import Diagnostic, InputError, LimitError, Severity
from warpmill.analyzer.base.whole_files import moved_limit, read_input
from warpmill.analyzer.frontends.compilers.options import CompileOptions, CompilerName, Language

MAX_SECONDS = 300
"""Seconds that a compiler may take."""

MAX_SECONDS_VARIABLE = "WARPMILL_MAX_COMPILE_SECONDS"
"""The environment variable that moves this limit."""

_MAX_MEMORY_BYTES = 16 << 30
_MAX_TEXT_BYTES = 256 << 20
_MAX_MESSAGES = 1 << 20
HEADERS = Path(__file__).with_name("headers")
"""Headers with the words of CUDA and HIP, for compilers whose own toolkit is not there."""


@dataclass(frozen=True)
class Tool:
    """A compiler that was found. ``identity`` changes when it does: results are kept by it."""

    name: CompilerName
    path: Path
    version: str
    identity: str


@dataclass(frozen=True)
class Unit:
    """What is compiled: a file by its absolute path, its language, and a template's instance.

    ``options`` name a chip. ``folder`` is for what is needed meanwhile.
    """

    path: Path
    language: Language
    options: CompileOptions
    instance: str | None
    folder: Path


@dataclass(frozen=True)
class CompilerRun:
    """Outcome of a run: the text that came out, or None; what was said; the instance's name."""

    text: str | None
    messages: str
    name: str | None = None


@dataclass(frozen=True)
class Compiler:
    """How one compiler is found and run, and what is said where it is not there."""

    name: CompilerName
    languages: frozenset[Language]
    makes: Literal["PTX", "LLVM IR"]
    find: Callable[[], Tool | None]
    run: Callable[[Tool, Unit], CompilerRun]
    looked_for: str
    installed_by: str


# nvcc.


def nvcc_command(tool: Tool, unit: Unit, output: Path) -> list[str]:
    """The command line of nvcc for PTX with lines."""
    options = unit.options
    return [
        str(tool.path), "-x", "cu", "-ptx", "-lineinfo", f"-arch={options.arch}",
        *([f"-std={options.std}"] if options.std else []),
        *(f"-I{_absolute(folder)}" for folder in options.include),
        *(f"-D{macro}" for macro in options.define),
        *([f"-I{unit.path.parent}"] if unit.instance else []),
        "-o", str(output), str(_written(unit, ".cu")),
    ]  # fmt: skip


def _nvcc() -> Tool | None:
    found = shutil.which("nvcc") or _file_in(_cuda_folders(), "bin/nvcc")
    return _asked(Path(found), "nvcc", r"\bV(\d+\.\d+\.\d+)") if found else None


def _run_nvcc(tool: Tool, unit: Unit) -> CompilerRun:
    output = unit.folder / "kernel.ptx"
    return _compiled(nvcc_command(tool, unit, output), unit, output)


# clang.

_CLANGS = ("clang", *(f"clang-{version}" for version in range(30, 14, -1)))


def clang_command(tool: Tool, unit: Unit, output: Path) -> list[str]:
    """The command line of clang for LLVM IR with lines: of CUDA and HIP by warpmill's headers.

    HIP for a chip of NVIDIA is CUDA with HIP's words, as HIP has it.
    """
    options = unit.options
    chip = (options.arch or "").replace("compute_", "sm_")
    on_nvidia = unit.language == "HIP" and chip.startswith("sm_")
    language = "CUDA" if on_nvidia else unit.language
    words = {
        "CUDA": [
            "-x", "cuda", "--cuda-device-only", f"--cuda-gpu-arch={chip}", "--cuda-path=.",
            "--cuda-feature=+ptx80", "-nocudainc", "-nocudalib", "-fuse-cuid=none",
            "-include", str(HEADERS / "cuda_runtime.h"),
        ],
        "HIP": [
            "-x", "hip", "--cuda-device-only", f"--offload-arch={chip}", "-nogpuinc", "-nogpulib",
            "-fuse-cuid=none",
        ],
        "OpenCL": [
            "-x", "cl", *_opencl_target(chip), "-nogpulib", "-Xclang", "-finclude-default-header",
        ],
    }  # fmt: skip
    is_opencl = unit.language == "OpenCL"
    standard = "-cl-std" if is_opencl else "-std"
    return [
        str(tool.path), *words[language], "-O3", "-gline-tables-only", "-S", "-emit-llvm",
        *([f"{standard}={options.std}"] if options.std else []),
        *(f"-I{_absolute(folder)}" for folder in options.include),
        *(f"-D{macro}" for macro in options.define),
        *([] if is_opencl else ["-idirafter", str(HEADERS)]),
        "-o", str(output), str(_written(unit, ".cl" if is_opencl else ".cu")),
    ]  # fmt: skip


def _opencl_target(chip: str) -> list[str]:
    if chip.startswith("gfx"):
        return ["--target=amdgcn-amd-amdhsa", f"-mcpu={chip}"]
    if chip.startswith("spir"):
        return [f"--target={chip}"]
    return [
        "--target=nvptx64-nvidia-cuda", f"-march={chip}", "--cuda-path=.", "--cuda-feature=+ptx80",
    ]  # fmt: skip


def _clang() -> Tool | None:
    found = next(filter(None, map(shutil.which, _CLANGS)), None)
    found = found or _file_in([Path("/opt/rocm")], "llvm/bin/clang")
    return _asked(Path(found), "clang", r"\bversion (\d+\.\d+\.\d+)") if found else None


def _run_clang(tool: Tool, unit: Unit) -> CompilerRun:
    output = unit.folder / "kernel.ll"
    return _compiled(clang_command(tool, unit, output), unit, output)


# NVRTC, a library: a process of its own loads it.

_WORKER = Path(__file__).with_name("nvrtc_worker.py")


def nvrtc_options(unit: Unit) -> list[str]:
    """The options of NVRTC for PTX with lines."""
    options = unit.options
    chip = (options.arch or "").replace("sm_", "compute_")
    folders = [_absolute(f) for f in options.include]
    folders += [str(unit.path.parent), *map(str, _cuda_includes()), str(HEADERS / "bare")]
    return [
        f"--gpu-architecture={chip}", "-lineinfo",
        *([f"--std={options.std}"] if options.std else []),
        *(f"-I{folder}" for folder in folders),
        *(f"-D{macro}" for macro in options.define),
    ]  # fmt: skip


def _nvrtc() -> Tool | None:
    folders = [*_wheel_folders("lib"), *(f / "lib64" for f in _cuda_folders())]
    found = next((lib for folder in folders for lib in sorted(folder.glob("libnvrtc.so*"))), None)
    if found is None:
        from ctypes.util import find_library  # noqa: PLC0415 - starts processes

        name = find_library("nvrtc")
        if name is None:
            return None
        found = Path(name)
    answer = _asked_nvrtc({"library": str(found), "task": "version"}, None, 30)
    if answer is None or "version" not in answer:
        return None
    version = ".".join(map(str, answer["version"]))
    there = found.stat() if found.exists() else None
    stamp = "" if there is None else f"{there.st_size} {there.st_mtime_ns}"
    return Tool("nvrtc", found, version, f"NVRTC {version} {found} {stamp}")


def _run_nvrtc(tool: Tool, unit: Unit) -> CompilerRun:
    request = {
        "library": str(tool.path), "task": "compile", "name": str(unit.path),
        "source": unit.path.read_text("utf-8", errors="surrogateescape"),
        "options": nvrtc_options(unit), "instance": unit.instance,
    }  # fmt: skip
    answer = _asked_nvrtc(request, unit, max_seconds())
    if answer is None:
        return CompilerRun(None, "NVRTC ended without an answer")
    return CompilerRun(answer.get("ptx"), str(answer.get("log", "")), answer.get("name"))


def _asked_nvrtc(
    request: Mapping[str, object], unit: Unit | None, seconds: int
) -> dict[str, Any] | None:
    command = [sys.executable, "-P", "-S", str(_WORKER)]
    done = _child(command, unit, seconds, json.dumps(request).encode())
    try:
        answer = json.loads(done.stdout)
    except ValueError:
        return None
    return answer if isinstance(answer, dict) else None


# What they share.


INSTANCE = "instance"
"""The file, beside its suffix, that has a source and the instance of a template that is wanted."""


def _written(unit: Unit, suffix: str) -> Path:
    """The file that a compiler is given: the source, or one that includes it and an instance."""
    if unit.instance is None:
        return unit.path
    file = unit.folder / f"{INSTANCE}{suffix}"
    path = str(unit.path).replace("\\", "\\\\").replace('"', '\\"')
    file.write_text(
        f'#include "{path}"\n'
        "template <typename T, T> struct warpmill_instance {};\n"
        f"template struct warpmill_instance<decltype(&{unit.instance}), &{unit.instance}>;\n"
    )
    return file


def _absolute(folder: str) -> str:
    return str(Path(folder).absolute())


def max_seconds() -> int:
    """Seconds that a compiler may take. InputError where the environment has no number."""
    return moved_limit(MAX_SECONDS_VARIABLE, MAX_SECONDS, "seconds")


def _compiled(command: Sequence[str], unit: Unit, output: Path) -> CompilerRun:
    done = _child(command, unit, max_seconds())
    messages = (done.stderr + done.stdout)[:_MAX_MESSAGES].decode("utf-8", "replace")
    if done.returncode != 0 or not output.is_file():
        ended = f"{Path(command[0]).name} ended with {_ending(done.returncode)}"
        return CompilerRun(None, messages if messages.strip() else ended)
    text = read_input(output, _MAX_TEXT_BYTES).decode("utf-8", "replace")
    return CompilerRun(text, messages)


def _ending(code: int) -> str:
    return f"exit code {code}" if code >= 0 else signal.Signals(-code).name


def _child(
    command: Sequence[str], unit: Unit | None, seconds: int, given: bytes | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run a compiler; it and all that it starts end at the limit. InputError and LimitError."""
    environment = dict(os.environ)
    if unit is not None:
        environment["TMPDIR"] = str(unit.folder)
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL if given is None else subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
            start_new_session=True,
        )
    except OSError as error:
        words = f"{command[0]} cannot be started: {error.strerror or error}"
        raise InputError(words) from None
    with process:
        try:
            with suppress(OSError, ValueError):  # a process that is over, or a lower limit
                limits = (_MAX_MEMORY_BYTES, _MAX_MEMORY_BYTES)
                resource.prlimit(process.pid, resource.RLIMIT_AS, limits)
            out, said = process.communicate(given, timeout=seconds)
        except subprocess.TimeoutExpired:
            words = f"{Path(command[0]).name} has taken {seconds} s, which is the most it may"
            hint = f"{MAX_SECONDS_VARIABLE}=N in the environment gives it more"
            raise LimitError(Diagnostic(Severity.ERROR, words, hint=hint)) from None
        finally:
            with suppress(ProcessLookupError):  # all of them are over
                os.killpg(process.pid, signal.SIGKILL)
    return subprocess.CompletedProcess(list(command), process.returncode, out, said)


@lru_cache
def _asked(path: Path, name: CompilerName, pattern: str) -> Tool | None:
    """A compiler with what it says of its version; None where it does not say it."""
    said = _child([str(path), "--version"], None, 30).stdout.decode("utf-8", "replace")
    version = re.search(pattern, said)
    return None if version is None else Tool(name, path, version[1], said.strip())


def _file_in(folders: Sequence[Path], name: str) -> str | None:
    return next((str(f / name) for f in folders if os.access(f / name, os.X_OK)), None)


def _cuda_folders() -> list[Path]:
    """Folders in which a CUDA toolkit is looked for."""
    named = [os.environ.get(name) for name in ("CUDA_HOME", "CUDA_PATH")]
    return [Path(name) for name in (*named, "/usr/local/cuda") if name]


def _wheel_folders(name: str) -> list[Path]:
    """Folders of NVIDIA's Python packages: ``nvidia/cu13/lib``, ``nvidia/cuda_nvrtc/lib``."""
    try:
        spec = importlib.util.find_spec("nvidia")
    except (ImportError, ValueError):
        return []
    roots = [] if spec is None else [Path(p) for p in spec.submodule_search_locations or ()]
    return [folder for root in roots for folder in sorted(root.glob(f"*/{name}"), reverse=True)]


def _cuda_includes() -> list[Path]:
    """Folders with the headers of a CUDA toolkit, where there are any."""
    folders = [*(f / "include" for f in _cuda_folders()), *_wheel_folders("include")]
    return [folder for folder in folders if (folder / "cuda_fp16.h").is_file()][:1]


COMPILERS = (
    Compiler(
        "nvcc", frozenset({"CUDA"}), "PTX", _nvcc, _run_nvcc,
        "`nvcc` on PATH, in $CUDA_HOME and in /usr/local/cuda",
        "the CUDA toolkit",
    ),
    Compiler(
        "nvrtc", frozenset({"CUDA"}), "PTX", _nvrtc, _run_nvrtc,
        "NVRTC (`libnvrtc.so`) among the Python packages and in the CUDA toolkit",
        "`pip install 'warpmill[cuda]'`, which needs no GPU",
    ),
    Compiler(
        "clang", frozenset({"CUDA", "HIP", "OpenCL"}), "LLVM IR", _clang, _run_clang,
        "`clang` and `clang-15` to `clang-30` on PATH, and ROCm's",
        "LLVM's clang (Debian: `apt install clang`)",
    ),
)  # fmt: skip
"""The compilers, in the order in which they are looked for."""
