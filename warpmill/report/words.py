"""Words that several pages share."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePath

from warpmill.analyzer.base.naming import base_name
from warpmill.report.facts import KernelIdentity, LaunchFacts, SourcePlace
from warpmill.report.page import UNKNOWN, Page, size
from warpmill.report.source_text import source_name


def place(where: SourcePlace | None, file: str | None = None) -> str:
    """Write a line: ``stencil5.cu:18``; a line of ``file``, or of printed bitcode, alone."""
    if where is None:
        return "-"
    if where.of == "printed bitcode" or where.file == file:
        return f"{where.line}"
    return f"{PurePath(where.file).name}:{where.line}"


def lines_of(kernel: KernelIdentity) -> str:
    """Which lines a page's line numbers count."""
    if kernel.place.of == "printed bitcode":
        return f"{kernel.file}, printed as LLVM IR"
    return kernel.file


def variable(name: str | None, kernel: KernelIdentity) -> str:
    """Write a buffer's name: a parameter without its kernel's, a variable without its mangling."""
    if name is None:
        return "-"
    named = source_name(kernel.loaded, kernel.kernel, name)
    return named or short_name(name, kernel.name)


def short_name(name: str, kernel: str) -> str:
    """A parameter's name without its kernel's, a variable's without its mangling."""
    if name.startswith(f"{kernel}_param_"):
        return name.removeprefix(f"{kernel}_")
    local = _LOCAL.match(name)
    if local is not None and len(local["name"]) >= int(local["length"]):
        return local["name"]
    return base_name(name).removeprefix(f"{kernel}.")


_LOCAL = re.compile(r"_ZZ.*E(?P<length>[1-9][0-9]{0,2})(?P<name>[A-Za-z_]\w*)$")
"""A variable of a function, ``_ZZ6matmulE6a_tile``; what it is the local of is not shown."""


def dimensions(sizes: Sequence[int]) -> str:
    """Write a grid or a block: ``64 x 64``; ones at the end are left out."""
    kept = list(sizes)
    while len(kept) > 1 and kept[-1] == 1:
        kept.pop()
    return " x ".join(f"{n:,}" for n in kept)


def duration(seconds: float | None) -> str:
    """A time with its unit: ``3.82 ms``."""
    if seconds is None:
        return UNKNOWN
    for unit, step in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= step:
            return f"{seconds / step:.3g} {unit}" if seconds < 1000 else f"{seconds:,.0f} s"
    return f"{seconds / 1e-6:.3g} µs"


def plural(count: int, word: str) -> str:
    """Write ``1 loop``, ``2 loops``, ``3 branches``."""
    ending = "es" if word.endswith(("ch", "s", "x")) else "s"
    return f"{count:,} {word}" if count == 1 else f"{count:,} {word}{ending}"


def kernel_lines(kernel: KernelIdentity) -> list[tuple[str, str]]:
    """Lines on where a kernel was found and what else its file holds."""
    target = f"{kernel.format} for {kernel.target}, warps of {kernel.warp_size}"
    found = f"{plural(len(kernel.kernels_in_file), 'kernel')} in {kernel.file} ({target})"
    found += f", compiled by {kernel.compiled_by}" if kernel.compiled_by else ""
    return [
        ("found", found),
        ("lines are of", f"{lines_of(kernel)}; the kernel's is {place(kernel.place, kernel.file)}"),
    ]


def launch_lines(launch: LaunchFacts) -> list[tuple[str, str]]:
    """How a kernel is launched."""
    grid, block = dimensions(launch.grid), dimensions(launch.block)
    ctas, threads = plural(launch.ctas, "CTA"), plural(launch.threads_per_cta, "thread")
    wide = f"{grid} ({ctas})" if "x" in grid else f"of {ctas}"
    deep = f"{block} ({threads})" if "x" in block else f"of {threads}"
    lines = [("launch", f"grid {wide}, block {deep}")]
    if launch.dynamic_shared_bytes:
        lines.append(("dynamic shared", size(launch.dynamic_shared_bytes)))
    if launch.place is not None:
        number, of = launch.place.number, launch.place.launches
        words = f"{launch.file}, launch {number} of {of:,}, counted from 0"
        lines.append(("application", f"{words}; {launch.place.of_kernel:,} of this kernel"))
    sizes = ", ".join(f"{name} = {value:,}" for name, value in launch.sizes.items())
    return [*lines, ("sizes", sizes)] if sizes else lines


_TIMED = {
    "event": "by events around one launch",
    "back-to-back": "one of many launches in a stream",
    "graph": "one of the nodes of a graph",
}


def timed_lines(timed: str) -> list[tuple[str, str]]:
    """How the time is taken; of the kernel alone, as profilers do, goes without saying."""
    return [("timed", _TIMED[timed])] if timed != "kernel" else []


def kernel_title(command: str, kernel: KernelIdentity) -> str:
    """Head a kernel's part of a page."""
    mangled = "" if kernel.demangled == kernel.name else f"  [{kernel.name}]"
    return f"{command}: {kernel.demangled}{mangled}"


def add_kernel(
    page: Page,
    command: str,
    kernel: KernelIdentity,
    launch: LaunchFacts | None,
    more: Sequence[tuple[str, str]] = (),
) -> None:
    """Head a part of a page with its kernel and launch, and ``more`` facts."""
    page.title(kernel_title(command, kernel))
    started = [] if launch is None else launch_lines(launch)
    page.facts([*kernel_lines(kernel), *started, *more])


_FEW = 4


def few(lines: Sequence[str]) -> str:
    """List the first few of some lines; a file is named once: ``a.cu:24, 26 and 3 more``."""
    unique = list(dict.fromkeys(lines))
    words, last = [], ""
    for line in unique[:_FEW]:
        file, _, number = line.rpartition(":")
        words.append(number if file == last else line)
        last = file
    more = f" and {len(unique) - _FEW} more" if len(unique) > _FEW else ""
    return ", ".join(words) + more
