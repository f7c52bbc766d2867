"""What ``inspect`` answers: which kernels a file holds, and what they are made of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal

from warpmill.analyzer.analyses.mix import instruction_mix
from warpmill.analyzer.base.naming import demangle
from warpmill.analyzer.frontends.load import LoadedModule
from warpmill.analyzer.ir.kernel import Address, Kernel, LaunchBounds, Parameter, Symbol
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.traces.layout import shared_bytes
from warpmill.report.base import Mark, Marks, Part, Report, marks
from warpmill.report.facts import Remark, SourcePlace, kernel_place, place_of, remarks


class KernelParameterFacts(Part):
    """One parameter; ``space`` is where it points to, where the input says so."""

    name: str
    type: str
    size_bytes: int
    align_bytes: int
    is_pointer: bool | None
    space: str | None


class LaunchBoundsFacts(Part):
    """What the input says about how the kernel may be launched; null where it is silent."""

    max_threads: list[int] | None
    required_threads: list[int] | None
    min_ctas_per_sm: int | None
    max_registers: int | None


class KernelInspection(Part):
    """One kernel. Registers are virtual ones, by type. Counts are static, not executed."""

    name: str
    demangled: str
    place: SourcePlace
    source: SourcePlace | None
    """First line of the compiled source; null where the input has no debug lines."""
    parameters: list[KernelParameterFacts]
    registers: int
    registers_by_type: dict[str, int]
    shared_bytes: int
    """Static shared memory of a CTA."""
    uses_dynamic_shared: bool
    local_bytes: int
    launch_bounds: LaunchBoundsFacts
    blocks: int
    instructions: int
    instructions_known: int
    """Instructions whose opcode is in the table."""
    instructions_by_nearest_rule: int
    """Instructions whose opcode is not, and whose class is the nearest rule's."""
    by_class: dict[str, int]
    by_opcode: dict[str, int]


class FileInspection(Part):
    """One kernel file."""

    file: str
    format: str
    target: str
    language_version: str
    warp_size: int
    address_bits: int
    constant_bytes: int
    """Variables of the module in constant memory."""
    kernels: list[KernelInspection]
    remarks: list[Remark]
    marks: Marks


class InspectReport(Report):
    """What kernel files hold."""

    report: Literal["inspect"] = "inspect"
    files: list[FileInspection]


def inspect_report(loaded: Sequence[LoadedModule]) -> InspectReport:
    """Describe the kernels of some files, in the order given."""
    return InspectReport(files=[_file(one) for one in loaded])


def _file(loaded: LoadedModule) -> FileInspection:
    module = loaded.module
    constant = sum(v.size_bytes or 0 for v in module.variables if v.space is Space.CONST)
    return FileInspection(
        file=loaded.path,
        format=loaded.format.value,
        target=module.target,
        language_version=module.version,
        warp_size=module.warp_size,
        address_bits=module.address_bits,
        constant_bytes=constant,
        kernels=[_kernel(loaded, kernel) for kernel in module.kernels],
        remarks=remarks(loaded.diagnostics, loaded),
        marks=marks(FileInspection, Mark.EXACT),
    )


def _kernel(loaded: LoadedModule, kernel: Kernel) -> KernelInspection:
    mix = instruction_mix(kernel)
    types: Counter[str] = Counter()
    for register in kernel.registers:
        types[register.type.name] += register.vector
    return KernelInspection(
        name=kernel.name,
        demangled=demangle(kernel.name),
        place=kernel_place(loaded, kernel),
        source=_first_source_line(loaded, kernel),
        parameters=[_parameter(p) for p in kernel.parameters],
        registers=sum(types.values()),
        registers_by_type=dict(sorted(types.items())),
        shared_bytes=shared_bytes(loaded.module, kernel),
        uses_dynamic_shared=_uses_dynamic_shared(loaded, kernel),
        local_bytes=sum(v.size_bytes or 0 for v in kernel.variables if v.space is Space.LOCAL),
        launch_bounds=_bounds(kernel.bounds),
        blocks=len(kernel.blocks),
        instructions=mix.instructions,
        instructions_known=mix.instructions - mix.by_nearest_rule,
        instructions_by_nearest_rule=mix.by_nearest_rule,
        by_class=dict(mix.by_class),
        by_opcode=dict(mix.by_opcode),
    )


def _uses_dynamic_shared(loaded: LoadedModule, kernel: Kernel) -> bool:
    variables = (*kernel.variables, *loaded.module.variables)
    open_ended = {v.name for v in variables if v.space is Space.SHARED and v.size_bytes is None}
    operands = (o for i in kernel.instructions for o in i.operands)
    bases = (o.base if isinstance(o, Address) else o for o in operands)
    return any(isinstance(b, Symbol) and b.name in open_ended for b in bases)


def _first_source_line(loaded: LoadedModule, kernel: Kernel) -> SourcePlace | None:
    found = (i for i in kernel.instructions if i.debug is not None and i.debug.line)
    first = next(found, None)
    return None if first is None else place_of(loaded, first.span, first.debug)


def _parameter(parameter: Parameter) -> KernelParameterFacts:
    space = parameter.pointee_space
    return KernelParameterFacts(
        name=parameter.name,
        type=parameter.type.name,
        size_bytes=parameter.size_bytes,
        align_bytes=parameter.align,
        is_pointer=parameter.is_pointer,
        space=None if space is None else space.value,
    )


def _bounds(bounds: LaunchBounds) -> LaunchBoundsFacts:
    return LaunchBoundsFacts(
        max_threads=_listed(bounds.max_threads),
        required_threads=_listed(bounds.required_threads),
        min_ctas_per_sm=bounds.min_ctas_per_sm,
        max_registers=bounds.max_registers,
    )


def _listed(sizes: tuple[int, ...] | None) -> list[int] | None:
    return None if sizes is None else list(sizes)
