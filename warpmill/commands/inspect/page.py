"""The page of ``inspect``; and its rows as CSV."""

from __future__ import annotations

from collections.abc import Iterator

from warpmill.commands.inspect.result import FileInspection, InspectReport, KernelInspection
from warpmill.report.facts import SourcePlace
from warpmill.report.page import Page, size
from warpmill.report.table import CsvRow, CsvTable
from warpmill.report.words import dimensions, plural

_CLASSES = 8
_OPCODES = 10


def inspect_page(report: InspectReport, page: Page) -> None:
    """Show each file with its kernels."""
    for file in report.files:
        _file(file, page)


def _file(file: FileInspection, page: Page) -> None:
    page.title(f"{file.file}: {file.format} for {file.target}")
    facts = [
        ("language", f"version {file.language_version or 'unknown'}, {file.address_bits}-bit"),
        ("warps of", f"{file.warp_size} lanes"),
        ("kernels", f"{len(file.kernels)}"),
    ]
    if file.constant_bytes:
        facts.append(("constant memory", size(file.constant_bytes)))
    page.facts(facts)
    for kernel in file.kernels:
        _kernel(kernel, page)


def _kernel(kernel: KernelInspection, page: Page) -> None:
    mangled = "" if kernel.demangled == kernel.name else f"  [{kernel.name}]"
    page.heading(f"{kernel.demangled}{mangled}")
    by_type = ", ".join(f"{count} {name}" for name, count in kernel.registers_by_type.items())
    dynamic = " and dynamic" if kernel.uses_dynamic_shared else ""
    facts = [
        ("at", _where(kernel.place)),
        ("source", _source(kernel)),
        ("virtual registers", f"{kernel.registers} ({by_type})" if by_type else "none"),
        ("shared memory", f"{size(kernel.shared_bytes)} a CTA{dynamic}"),
        ("local memory", f"{size(kernel.local_bytes)} a thread"),
        ("launch bounds", _bounds(kernel)),
        ("blocks", f"{kernel.blocks}"),
        ("instructions", _coverage(kernel)),
    ]
    page.facts(facts)
    if kernel.parameters:
        page.table(
            ("parameter", "type", "bytes", "pointer"),
            [(p.name, p.type, str(p.size_bytes), _pointer(p.is_pointer, p.space))
             for p in kernel.parameters],
            left=(0, 1, 3),
        )  # fmt: skip
    _mix(kernel, page)


def _where(where: SourcePlace) -> str:
    printed = " of the print" if where.of == "printed bitcode" else ""
    return f"{where.file}:{where.line}{printed}"


def _source(kernel: KernelInspection) -> str:
    if kernel.source is None:
        return "unknown (no debug lines; compile with -lineinfo or -gline-tables-only)"
    return f"{_where(kernel.source)}, the first line with code"


def _coverage(kernel: KernelInspection) -> str:
    return (
        f"{kernel.instructions_known:,} of {plural(kernel.instructions, 'instruction')} known, "
        f"{kernel.instructions_by_nearest_rule:,} by the nearest rule"
    )


def _bounds(kernel: KernelInspection) -> str:
    bounds, words = kernel.launch_bounds, []
    if bounds.required_threads is not None:
        words.append(f"exactly {dimensions(bounds.required_threads)} threads a CTA")
    if bounds.max_threads is not None:
        words.append(f"at most {dimensions(bounds.max_threads)} threads a CTA")
    if bounds.min_ctas_per_sm is not None:
        words.append(f"at least {plural(bounds.min_ctas_per_sm, 'CTA')} an SM")
    if bounds.max_registers is not None:
        words.append(f"at most {bounds.max_registers} registers")
    return "; ".join(words) or "none"


def _pointer(is_pointer: bool | None, space: str | None) -> str:
    if is_pointer is None:
        return "not said"
    return f"yes{f', {space}' if space else ''}" if is_pointer else "no"


def _mix(kernel: KernelInspection, page: Page) -> None:
    classes, opcodes = list(kernel.by_class.items()), list(kernel.by_opcode.items())
    if not page.style.verbose:
        classes, opcodes = classes[:_CLASSES], opcodes[:_OPCODES]
    left_out = len(kernel.by_opcode) - len(opcodes)
    words = [
        ("instructions by class", ", ".join(f"{name} {count}" for name, count in classes)),
        ("instructions by opcode", ", ".join(f"{name} {count}" for name, count in opcodes)),
    ]
    if len(classes) < len(kernel.by_class):
        words[0] = (words[0][0], f"{words[0][1]}, and {len(kernel.by_class) - len(classes)} more")
    if left_out:
        words[1] = (words[1][0], f"{words[1][1]}, and {left_out} more (--verbose)")
    page.facts(words)


INSPECT_COLUMNS = (
    "file", "format", "target", "kernel", "demangled", "line", "parameters", "registers",
    "shared_bytes", "local_bytes", "blocks", "instructions", "instructions_known",
    "instructions_by_nearest_rule", "mark",
)  # fmt: skip


def _inspect(report: InspectReport) -> Iterator[CsvRow]:
    for file in report.files:
        for kernel in file.kernels:
            yield {
                **file.flat(only={"file", "format", "target"}),
                **kernel.flat(only=set(INSPECT_COLUMNS) - {"parameters"}),
                "kernel": kernel.name,
                "line": kernel.place.line,
                "parameters": len(kernel.parameters),
                "mark": "exact",
            }


INSPECT = CsvTable(INSPECT_COLUMNS, _inspect)
