"""The page of ``inspect``; and its rows as CSV."""

from __future__ import annotations

from warpmill.commands.inspect.result import FileInspection, KernelInspection, KernelParameter
from warpmill.report.facts import SourcePlace
from warpmill.report.page import Page, size
from warpmill.report.sections import Comparison, Repeated, Shown, Special, Table
from warpmill.report.table import CsvTable, RowsOf
from warpmill.report.words import dimensions, plural

_CLASSES = 8
_OPCODES = 10


def _title(file: FileInspection) -> str:
    return f"{file.file}: {file.format} for {file.target}"


def _kernel(kernel: KernelInspection) -> str:
    mangled = "" if kernel.demangled == kernel.name else f"  [{kernel.name}]"
    return f"{kernel.demangled}{mangled}"


def _language(file: FileInspection) -> str:
    return f"version {file.language_version or 'unknown'}, {file.address_bits}-bit"


def _registers(kernel: KernelInspection) -> str:
    by_type = ", ".join(f"{count} {name}" for name, count in kernel.registers_by_type.items())
    return f"{kernel.registers} ({by_type})" if by_type else "none"


def _shared(kernel: KernelInspection) -> str:
    return f"{size(kernel.shared_bytes)}{' and dynamic' if kernel.uses_dynamic_shared else ''}"


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


def _pointer(one: KernelParameter) -> str:
    if one.is_pointer is None:
        return "not said"
    return f"yes{f', {one.space}' if one.space else ''}" if one.is_pointer else "no"


def _mix(page: Page, kernel: KernelInspection) -> None:
    classes, opcodes = list(kernel.by_class.items()), list(kernel.by_opcode.items())
    if not page.style.verbose:
        classes, opcodes = classes[:_CLASSES], opcodes[:_OPCODES]
    left_out = len(kernel.by_opcode) - len(opcodes)
    words = [
        ("by class", ", ".join(f"{name} {count}" for name, count in classes)),
        ("by opcode", ", ".join(f"{name} {count}" for name, count in opcodes)),
    ]
    if len(classes) < len(kernel.by_class):
        words[0] = (words[0][0], f"{words[0][1]}, and {len(kernel.by_class) - len(classes)} more")
    if left_out:
        words[1] = (words[1][0], f"{words[1][1]}, and {left_out} more (--verbose)")
    page.heading("Instruction mix")
    page.facts(words)


def _constant(file: FileInspection) -> str | None:
    return size(file.constant_bytes) if file.constant_bytes else None


KERNEL = (
    Comparison(
        "Kernel",
        (
            Shown("place", words=_where),
            Shown("", "Source", words=_source),
            Shown("", "Virtual registers", words=_registers),
            Shown("", "Shared memory per CTA", words=_shared),
            "local_bytes",
            Shown("", "Launch bounds", words=_bounds),
            "blocks",
            Shown("", "Instructions", words=_coverage),
        ),
    ),
    Table(
        "Parameters",
        "parameters",
        ("name", "type", "size_bytes", Shown("", "Pointer", words=_pointer)),
        top=100,
        left=(0, 1, 3),
    ),
    Special(_mix),
)

PAGE = (
    Repeated(
        "files",
        (
            Comparison(
                "File",
                (
                    Shown("", "Language", words=_language),
                    "warp_size",
                    Shown("kernels", "Kernels", words=lambda kernels: f"{len(kernels)}"),
                    Shown("", "Constant memory", words=_constant),
                ),
            ),
            Repeated("kernels", KERNEL, _kernel),
        ),
        _title,
    ),
)

COLUMNS = (
    "file", "format", "target", "kernel", "demangled", "line", "parameters", "registers",
    "shared_bytes", "local_bytes", "blocks", "instructions", "instructions_known",
    "instructions_by_nearest_rule", "mark",
)  # fmt: skip

INSPECT = CsvTable(
    COLUMNS,
    (
        RowsOf(
            "files.kernels",
            {
                "file": ".files.file",
                "format": ".files.format",
                "target": ".files.target",
                "kernel": "name",
                "line": "place.line",
                "parameters": lambda kernel: len(kernel.parameters),
            },
        ),
    ),
)
