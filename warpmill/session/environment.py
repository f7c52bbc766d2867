"""Python, libraries, optional tools and data files that warpmill works with, and a self-test."""

from __future__ import annotations

import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from importlib import metadata
from importlib.resources import files
from typing import Annotated, Literal

from warpmill.analyzer.base.extras import extras
from warpmill.analyzer.base.metric import Metric, derived
from warpmill.analyzer.frontends.compilers.toolchains import COMPILERS
from warpmill.report.base import Report
from warpmill.simulator.machines import machine_names
from warpmill.version import __version__

_TOOL_LIMIT_S = 10.0
_NUMBERED = re.compile(r"\d+\.\d+")
_REQUIREMENT = re.compile(r"(?P<name>[\w.-]+) *>= *(?P<least>\d+(\.\d+)*)(?P<rest>.*)")


class Status(Enum):
    """How a check ended. What is missing is optional; what is broken has to be mended."""

    OK = "ok"
    MISSING = "missing"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class EnvironmentCheck:
    """One thing that was looked at: what was found, and what to do where it is not well."""

    group: Annotated[str, Metric("Part")]
    name: Annotated[str, Metric("Name")]
    status: Annotated[Status, Metric("Status")]
    found: Annotated[str, Metric("Details")]
    advice: str | None = None


class DoctorReport(Report):
    """Checks of the environment, in groups; it states no figures."""

    report: Literal["doctor"] = "doctor"
    checks: tuple[EnvironmentCheck, ...]

    @derived("Check result")
    def is_healthy(self) -> bool:
        """Whether nothing is broken. Optional tools may be missing."""
        return all(check.status is not Status.BROKEN for check in self.checks)


def examine(*, self_test: bool = True) -> DoctorReport:
    """Check everything; it takes a second or two, and longer where numba has to compile first.

    Without ``self_test`` nothing is imported and no kernel is estimated.
    """
    checks = [*_python(), *_libraries(), *_extras(), *_compilers(), *_tools(), *_data()]
    return DoctorReport(checks=(*checks, *(_work() if self_test else ())))


# ---------------------------------------------------------------- Python and libraries


def _python() -> Iterator[EnvironmentCheck]:
    implementation = f"{platform.python_implementation()} {platform.python_version()}"
    known = sys.implementation.name == "cpython" and sys.version_info >= (3, 11)
    advice = None if known else "warpmill needs CPython 3.11 or later"
    status = Status.OK if known else Status.BROKEN
    yield EnvironmentCheck(
        "python", "Python", status, f"{implementation}, {sys.executable}", advice
    )
    yield EnvironmentCheck(
        "python", "platform", Status.OK, f"{platform.system()} {platform.machine()}"
    )
    yield _installed()


def _installed() -> EnvironmentCheck:
    try:
        version = metadata.version("warpmill")
    except metadata.PackageNotFoundError:
        found = f"{__version__}, not installed"
        advice = "run `make install`, or `pip install .`, so that its libraries are known"
        return EnvironmentCheck("python", "warpmill", Status.MISSING, found, advice)
    if version != __version__:
        found = f"{__version__}, installed as {version}"
        return EnvironmentCheck(
            "python", "warpmill", Status.BROKEN, found, "install it again: `pip install .`"
        )
    return EnvironmentCheck("python", "warpmill", Status.OK, version)


def _libraries() -> Iterator[EnvironmentCheck]:
    """Compare what is installed with what the package asks for, without importing any of it."""
    try:
        requirements = metadata.requires("warpmill") or []
    except metadata.PackageNotFoundError:
        requirements = []
    for requirement in requirements:
        match = _REQUIREMENT.fullmatch(requirement)
        if match is not None and "extra" not in match["rest"]:
            yield _library(match["name"], match["least"])


def _library(name: str, least: str) -> EnvironmentCheck:
    advice = f'`pip install "{name}>={least}"`'
    version = _version(name)
    if version is None:
        return EnvironmentCheck("libraries", name, Status.BROKEN, "not installed", advice)
    if _numbers(version) < _numbers(least):
        words = f"{version}, but {least} is needed"
        return EnvironmentCheck("libraries", name, Status.BROKEN, words, advice)
    extra = f", LLVM {_llvm_version()}" if name == "llvmlite" else ""
    return EnvironmentCheck("libraries", name, Status.OK, version + extra)


def _extras() -> Iterator[EnvironmentCheck]:
    """Which extras are installed, each with its libraries."""
    for extra, packages in sorted(extras().items()):
        versions = {name: _version(name) for name in packages}
        there = all(versions.values())
        found = ", ".join(f"{name} {version or 'is missing'}" for name, version in versions.items())
        status, advice = (
            (Status.OK, None) if there else (Status.MISSING, f"`pip install 'warpmill[{extra}]'`")
        )
        yield EnvironmentCheck("extras", extra, status, found, advice)


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(n) for n in re.findall(r"\d+", version.partition("+")[0])[:3])


def _llvm_version() -> str:
    """Ask llvmlite in another process: loading LLVM costs time, and a wrong build may crash."""
    code = "import llvmlite.binding as b; print(*b.llvm_version_info, sep='.')"
    return _output([sys.executable, "-c", code]) or "unknown"


# ---------------------------------------------------------------- optional tools


@dataclass(frozen=True, slots=True)
class _Tool:
    names: tuple[str, ...]
    version_option: str
    use: str


_TOOLS = (
    _Tool(("ptxas",), "--version", "gives a kernel's registers where --ptxas asks for it"),
    _Tool(("nvdisasm",), "--version", "shows a cubin's machine code; warpmill does not run it"),
    _Tool(("cuobjdump",), "--version", "takes cubins out of programs; warpmill does not run it"),
    _Tool(("dot",), "-V", "draws the graphs that warpmill writes as DOT"),
)


def _compilers() -> Iterator[EnvironmentCheck]:
    for compiler in COMPILERS:
        tool, use = compiler.find(), f"compiles sources in {', '.join(sorted(compiler.languages))}"
        found = (
            f"{tool.version}, {tool.path}; it {use}" if tool else f"not found; optional: it {use}"
        )
        advice = None if tool else f"where it is wanted: {compiler.installed_by}"
        status = Status.OK if tool else Status.MISSING
        yield EnvironmentCheck("tools", compiler.name, status, found, advice)


def _tools() -> Iterator[EnvironmentCheck]:
    for tool in _TOOLS:
        path = next((p for p in map(shutil.which, tool.names) if p is not None), None)
        name = tool.names[-1]
        if path is None:
            found = f"not on PATH; optional: it {tool.use}"
            yield EnvironmentCheck("tools", name, Status.MISSING, found)
            continue
        version = _output([path, tool.version_option])
        if version is None:
            advice = f"`{path} {tool.version_option}` fails; nothing but what it is for needs it"
            yield EnvironmentCheck(
                "tools", name, Status.MISSING, f"{path}, which does not run", advice
            )
        else:
            yield EnvironmentCheck("tools", name, Status.OK, f"{version}, {path}")


def _output(command: list[str]) -> str | None:
    """The line with a version number that a program prints; None where it fails."""
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            check=True,
            encoding="utf-8",
            errors="replace",
            stdin=subprocess.DEVNULL,
            timeout=_TOOL_LIMIT_S,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    lines = (line.strip() for line in (done.stdout + done.stderr).splitlines())
    return next((line for line in lines if _NUMBERED.search(line)), "version unknown")


# ---------------------------------------------------------------- data files and a self-test

_DATA = {
    "warpmill.grammars": ".lark",
    "warpmill.analyzer.ir": ".toml",
    "warpmill.analyzer.frontends.llvm": ".toml",
    "warpmill.analyzer.frontends.ptx": ".toml",
    "warpmill.simulator.assembler": ".toml",
}


def _data() -> Iterator[EnvironmentCheck]:
    advice = "the installation is not whole: install warpmill again"
    for package, suffix in _DATA.items():
        count = sum(item.name.endswith(suffix) for item in files(package).iterdir())
        status = Status.OK if count else Status.BROKEN
        name, found = package.removeprefix("warpmill."), f"{count} *{suffix}"
        yield EnvironmentCheck("data", name, status, found, None if count else advice)
    count = len(machine_names())
    status = Status.OK if count else Status.BROKEN
    yield EnvironmentCheck(
        "data", "machines", status, f"{count} machine files", None if count else advice
    )


SELF_TEST = """\
.version 7.0
.target sm_80
.address_size 64
.visible .entry twice(.param .u64 p)
{
    .reg .b32 %r<6>;
    .reg .f32 %f<3>;
    .reg .b64 %rd<5>;
    ld.param.u64 %rd1, [p];
    cvta.to.global.u64 %rd2, %rd1;
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %ntid.x;
    mov.u32 %r3, %tid.x;
    mad.lo.s32 %r4, %r1, %r2, %r3;
    mul.wide.s32 %rd3, %r4, 4;
    add.s64 %rd4, %rd2, %rd3;
    ld.global.f32 %f1, [%rd4];
    add.f32 %f2, %f1, %f1;
    st.global.f32 [%rd4], %f2;
    ret;
}
"""
"""A kernel that doubles the elements of an array."""


def _work() -> Iterator[EnvironmentCheck]:
    """Take a kernel from text to a time, whatever may go wrong on the way."""
    try:
        microseconds = _estimate_self_test()
    except Exception as error:  # whatever is wrong, that is what this is for
        words = f"{type(error).__name__}: {error}".splitlines()[0]
        advice = "reinstall the libraries above; if it stays, report it with this table"
        yield EnvironmentCheck("self-test", "estimate", Status.BROKEN, words, advice)
        return
    yield EnvironmentCheck(
        "self-test", "estimate", Status.OK, f"{microseconds:.2f} us on a100 (modelled)"
    )
    yield _compiler_cache()


def _estimate_self_test() -> float:
    from warpmill.analyzer.base.diagnostics import Source  # noqa: PLC0415
    from warpmill.analyzer.frontends.load import FileFormat, LoadedModule  # noqa: PLC0415 - only for the self-test
    from warpmill.analyzer.frontends.ptx import parse  # noqa: PLC0415
    from warpmill.analyzer.launch import BufferArgument, Launch  # noqa: PLC0415
    from warpmill.session.estimates import estimate  # noqa: PLC0415
    from warpmill.session.jobs import Job  # noqa: PLC0415

    source = Source("self-test.ptx", SELF_TEST)
    parsed = parse(source)
    kernel = parsed.module.kernels[0]
    launch = Launch.of(
        source.name, kernel.name, grid=432, block=256, arguments=[BufferArgument("f32", (110592,))]
    )
    loaded = LoadedModule(source.name, FileFormat.PTX, parsed.module, parsed.diagnostics, source)
    return estimate(Job(loaded, kernel, launch), "a100").time_us


def _compiler_cache() -> EnvironmentCheck:
    """Folder of the compiled engines; without one, each run compiles them."""
    from warpmill.analyzer.base.jit import cache_folder  # noqa: PLC0415 - needs numba

    folder = cache_folder()
    if folder is not None:
        return EnvironmentCheck("self-test", "numba cache", Status.OK, folder)
    advice = "set NUMBA_CACHE_DIR to a folder that you may write to; each run compiles until then"
    return EnvironmentCheck(
        "self-test", "numba cache", Status.MISSING, "no folder can be written", advice
    )
