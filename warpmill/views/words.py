"""Words that several pages share."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

from warpmill.reports.facts import KernelFacts, LaunchFacts, Place
from warpmill.views.page import Page, size


def place(where: Place | None, *, short: bool = True) -> str:
    """Write a line: ``stencil5.cu:18``; lines of printed bitcode have no file to look into."""
    if where is None:
        return "-"
    if where.of == "printed bitcode":
        return f"line {where.line} of the print"
    name = PurePath(where.file).name if short else where.file
    return f"{name}:{where.line}"


def dimensions(sizes: Sequence[int]) -> str:
    """Write a grid or a block: ``64 x 64``; ones at the end are left out."""
    kept = list(sizes)
    while len(kept) > 1 and kept[-1] == 1:
        kept.pop()
    return " x ".join(f"{n:,}" for n in kept)


def plural(count: int, word: str) -> str:
    """Write ``1 loop``, ``2 loops``, ``3 branches``."""
    ending = "es" if word.endswith(("ch", "s", "x")) else "s"
    return f"{count:,} {word}" if count == 1 else f"{count:,} {word}{ending}"


def kernel_lines(kernel: KernelFacts) -> list[tuple[str, str]]:
    """Say where a kernel was found and what else its file holds."""
    target = f"{kernel.format}, {kernel.target}, warps of {kernel.warp_size}"
    others = len(kernel.kernels_in_file) - 1
    found = f"{plural(others + 1, 'kernel')} in {kernel.file}"
    return [("found", f"{found} ({target})"), ("kernel at", place(kernel.place))]


def launch_lines(launch: LaunchFacts) -> list[tuple[str, str]]:
    """Say how a kernel is launched."""
    grid, block = dimensions(launch.grid), dimensions(launch.block)
    lines = [
        (
            "launch",
            f"grid {grid} ({plural(launch.ctas, 'CTA')}), block {block} "
            f"({plural(launch.threads_per_cta, 'thread')})",
        )
    ]
    if launch.dynamic_shared_bytes:
        lines.append(("dynamic shared", size(launch.dynamic_shared_bytes)))
    sizes = ", ".join(f"{name} = {value:,}" for name, value in launch.sizes.items())
    return [*lines, ("sizes", sizes)] if sizes else lines


def kernel_title(command: str, kernel: KernelFacts) -> str:
    """Head a kernel's part of a page."""
    mangled = "" if kernel.demangled == kernel.name else f"  [{kernel.name}]"
    return f"{command}: {kernel.demangled}{mangled}"


def add_kernel(
    page: Page, command: str, kernel: KernelFacts, launch: LaunchFacts | None
) -> None:
    """Head a part of a page with its kernel and launch."""
    page.title(kernel_title(command, kernel))
    page.facts([*kernel_lines(kernel), *(launch_lines(launch) if launch is not None else [])])
