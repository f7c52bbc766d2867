"""The page of ``inspect``; and its rows as CSV."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from warpmill.commands.inspect.result import (
    FileInspection,
    KernelInspection,
    KernelParameter,
    MachineCodeInspection,
)
from warpmill.report.facts import SourcePlace
from warpmill.report.page import size
from warpmill.report.sections import Comparison, Repeated, Shown, Table
from warpmill.report.table import CsvTable, RowsOf
from warpmill.report.words import dimensions


def _title(file: FileInspection) -> str:
    return f"{file.file}: {file.format} for {file.target}"


def _kernel(kernel: KernelInspection) -> str:
    mangled = "" if kernel.demangled == kernel.name else f"  [{kernel.name}]"
    return f"{kernel.demangled}{mangled}"


def _language(file: FileInspection) -> str:
    return f"version {file.language_version or 'unknown'}, {file.address_bits}-bit"


def _size(threads: Sequence[int] | None) -> str | None:
    return None if threads is None else dimensions(threads)


def _where(where: SourcePlace) -> str:
    printed = " of the print" if where.of == "printed bitcode" else ""
    return f"{where.file}:{where.line}{printed}"


def _source(kernel: KernelInspection) -> str:
    if kernel.source is None:
        return "unknown (no debug lines; compile with -lineinfo or -gline-tables-only)"
    return f"{_where(kernel.source)}, the first line with code"


def _pointer(one: KernelParameter) -> str:
    if one.is_pointer is None:
        return "not said"
    return f"yes{f', {one.space}' if one.space else ''}" if one.is_pointer else "no"


def _counts(mix: Mapping[str, int], most: int) -> str:
    """The most frequent; JSON has all."""
    words = [f"{name} {count}" for name, count in list(mix.items())[:most]]
    left = len(mix) - len(words)
    return ", ".join([*words, f"and {left} more"] if left > 0 else words)


def _classes(mix: Mapping[str, int]) -> str:
    return _counts(mix, 8)


def _opcodes(mix: Mapping[str, int]) -> str:
    return _counts(mix, 10)


def _constant(file: FileInspection | MachineCodeInspection) -> str | None:
    return size(file.constant_bytes) if file.constant_bytes else None


KERNEL = (
    Comparison(
        "Kernel",
        (
            Shown("place", words=_where),
            Shown("", "Source", words=_source),
            "registers",
            "registers_by_type",
            "shared_bytes",
            "uses_dynamic_shared",
            "local_bytes",
            Shown("launch_bounds.required_threads", words=_size),
            Shown("launch_bounds.max_threads", words=_size),
            "launch_bounds.min_ctas_per_sm",
            "launch_bounds.max_registers",
            "blocks",
        ),
    ),
    Comparison(
        "Instruction mix",
        (
            "instructions",
            "instructions_by_nearest_rule",
            Shown("by_class", words=_classes),
            Shown("by_opcode", words=_opcodes),
        ),
    ),
    Table(
        "Parameters",
        "parameters",
        ("name", "type", "size_bytes", Shown("", "Pointer", words=_pointer)),
        top=100,
        left=(0, 1, 3),
    ),
)


def _machine_title(code: MachineCodeInspection) -> str:
    return f"{code.file}: machine code for {code.target}"


def _relocatable(is_relocatable: bool) -> str | None:
    return "yes: without the functions that kernels call" if is_relocatable else None


MACHINE_CODE = (
    Comparison(
        "",
        (Shown("relocatable", words=_relocatable), Shown("", "Constant memory", words=_constant)),
    ),
    Table(
        "Kernels",
        "kernels",
        ("demangled", "registers", "stack_frame_bytes", "shared_bytes", "constant_bytes"),
        top=100,
        wrap=(0,),
    ),
)

PAGE = (
    Repeated(
        "files",
        (
            Comparison(
                "File",
                (
                    Shown("", "Language", words=_language),
                    "compiled_by",
                    "warp_size",
                    Shown("kernels", "Kernels", words=lambda kernels: f"{len(kernels)}"),
                    Shown("", "Constant memory", words=_constant),
                ),
            ),
            Repeated("kernels", KERNEL, _kernel),
        ),
        _title,
    ),
    Repeated("machine_code", MACHINE_CODE, _machine_title),
)

COLUMNS = (
    "file", "format", "target", "kernel", "demangled", "line", "parameters", "registers",
    "shared_bytes", "local_bytes", "blocks", "instructions", "instructions_known",
    "instructions_by_nearest_rule", "stack_frame_bytes", "constant_bytes", "mark",
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
        RowsOf(
            "machine_code.kernels",
            {
                "file": ".machine_code.file",
                "target": ".machine_code.target",
                "kernel": "name",
            },
            {"format": "machine code"},
        ),
    ),
)
