"""Result of ``inspect``: the kernels of a file, and what they are made of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from typing import Annotated, ClassVar, Literal

from warpmill.analyzer.analyses.mix import InstructionMix, instruction_mix
from warpmill.analyzer.base.metric import INTERNAL, derived
from warpmill.analyzer.base.naming import demangle
from warpmill.analyzer.frontends.load import LoadedModule
from warpmill.analyzer.ir.kernel import Address, Kernel, LaunchBounds, Parameter, Symbol, Variable
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.machine_code.cubins import Cubin, KernelResources
from warpmill.analyzer.traces.layout import shared_bytes
from warpmill.report.base import Mark, Part, Report
from warpmill.report.facts import (
    KernelIdentity,
    Remark,
    SourcePlace,
    first_source_place,
    kernel_place,
    remarks,
)


class KernelParameter(Part):
    """One parameter; ``space`` is where it points to, where the input says so."""

    parameter: Annotated[Parameter, INTERNAL]

    @derived("Parameter")
    def name(self) -> str:
        """Its name in the input."""
        return self.parameter.name

    @derived("Type")
    def type(self) -> str:
        """The type that it is written with."""
        return self.parameter.type.name

    @derived("Bytes", "B")
    def size_bytes(self) -> int:
        """The whole size, of arrays and structs too."""
        return self.parameter.size_bytes

    @derived("Alignment", "B")
    def align_bytes(self) -> int:
        """Its alignment in param space."""
        return self.parameter.align

    @derived("Pointer")
    def is_pointer(self) -> bool | None:
        """Whether it is a pointer; null where the input is silent."""
        return self.parameter.is_pointer

    @derived("State space")
    def space(self) -> str | None:
        """State space that it points to."""
        space = self.parameter.pointee_space
        return None if space is None else space.value


class KernelInspection(Part):
    """One kernel. Registers are virtual ones, by type. Counts are static, not executed."""

    loaded: Annotated[LoadedModule, INTERNAL]
    kernel: Annotated[Kernel, INTERNAL]

    @cached_property
    def _mix(self) -> InstructionMix:
        return instruction_mix(self.kernel)

    @derived("Mangled name")
    def name(self) -> str:
        """The kernel's name as the file has it."""
        return self.kernel.name

    @derived("Kernel")
    def demangled(self) -> str:
        """The kernel's name as its author wrote it."""
        return demangle(self.kernel.name)

    @derived("Line")
    def place(self) -> SourcePlace:
        """Place in its file."""
        return kernel_place(self.loaded, self.kernel)

    @derived("Source")
    def source(self) -> SourcePlace | None:
        """First line of the compiled source; null where the input has no debug lines."""
        return first_source_place(self.loaded, self.kernel)

    @derived("Parameters")
    def parameters(self) -> list[KernelParameter]:
        """In the order of the launch."""
        return [KernelParameter(parameter=one) for one in self.kernel.parameters]

    @derived("Virtual registers")
    def registers(self) -> int:
        """Those of all types together."""
        return sum(self.registers_by_type.values())

    @derived("Registers by type")
    def registers_by_type(self) -> dict[str, int]:
        """Virtual registers of each type; those of a vector count one by one."""
        types: Counter[str] = Counter()
        for register in self.kernel.registers:
            types[register.type.name] += register.vector
        return dict(sorted(types.items()))

    @derived("Static shared memory per CTA", "B")
    def shared_bytes(self) -> int:
        """Static shared memory of a CTA."""
        return shared_bytes(self.loaded.module, self.kernel)

    @derived("Dynamic shared memory")
    def uses_dynamic_shared(self) -> bool:
        """Whether it uses shared memory whose size the launch says."""
        variables = (*self.kernel.variables, *self.loaded.module.variables)
        shared = [v for v in variables if v.space is Space.SHARED]
        open_ended = {v.name for v in shared if v.size_bytes is None}
        operands = (o for i in self.kernel.instructions for o in i.operands)
        bases = (o.base if isinstance(o, Address) else o for o in operands)
        return any(isinstance(b, Symbol) and b.name in open_ended for b in bases)

    @derived("Local memory per thread", "B")
    def local_bytes(self) -> int:
        """Local variables of a thread."""
        return _bytes(self.kernel.variables, Space.LOCAL)

    @derived("Launch bounds")
    def launch_bounds(self) -> LaunchBounds:
        """Launch bounds that the input states."""
        return self.kernel.bounds

    @derived("Basic blocks")
    def blocks(self) -> int:
        """Those that control does not reach too."""
        return len(self.kernel.blocks)

    @derived("Instructions")
    def instructions(self) -> int:
        """Static instructions."""
        return self._mix.instructions

    @derived("Instructions by opcode")
    def instructions_known(self) -> int:
        """Instructions whose opcode is in the table."""
        return self._mix.instructions - self._mix.by_nearest_rule

    @derived("Instructions by the nearest rule")
    def instructions_by_nearest_rule(self) -> int:
        """Instructions whose opcode is not, and whose class is the nearest rule's."""
        return self._mix.by_nearest_rule

    @derived("Instruction mix by class")
    def by_class(self) -> dict[str, int]:
        """Instructions of each class, most frequent first."""
        return dict(self._mix.by_class)

    @derived("Instruction mix by opcode")
    def by_opcode(self) -> dict[str, int]:
        """Instructions of each opcode, most frequent first."""
        return dict(self._mix.by_opcode)


def _bytes(variables: Sequence[Variable], space: Space) -> int:
    return sum(v.size_bytes or 0 for v in variables if v.space is space)


class FileInspection(Part):
    """One kernel file."""

    mark: ClassVar[Mark] = Mark.EXACT

    loaded: Annotated[LoadedModule, INTERNAL]
    kernels: list[KernelInspection]
    remarks: list[Remark]

    file = KernelIdentity.file
    format = KernelIdentity.format
    compiled_by = KernelIdentity.compiled_by
    target = KernelIdentity.target

    @derived("Language")
    def language_version(self) -> str:
        """The version of the language."""
        return self.loaded.module.version

    @derived("Warp size")
    def warp_size(self) -> int:
        """Lanes of a warp."""
        return self.loaded.module.warp_size

    @derived("Address size")
    def address_bits(self) -> int:
        """Those of a pointer to global memory."""
        return self.loaded.module.address_bits

    @derived("Constant memory", "B")
    def constant_bytes(self) -> int:
        """Variables of the module in constant memory."""
        return _bytes(self.loaded.module.variables, Space.CONST)


class MachineKernel(Part):
    """What a kernel takes in machine code; null: the file does not say."""

    resources: Annotated[KernelResources, INTERNAL]

    @derived("Mangled name")
    def name(self) -> str:
        """The kernel's name as the file has it."""
        return self.resources.name

    @derived("Kernel")
    def demangled(self) -> str:
        """The kernel's name as its author wrote it."""
        return demangle(self.resources.name)

    @derived("Registers per thread", ncu="launch__registers_per_thread")
    def registers(self) -> int | None:
        """Those that the hardware gives a thread."""
        return self.resources.registers

    @derived("Stack frame", "B")
    def stack_frame_bytes(self) -> int | None:
        """Local memory of a thread: arrays, and registers that are spilled."""
        return self.resources.stack_frame_bytes

    @derived("Static shared memory per CTA", "B", ncu="launch__shared_mem_per_block_static")
    def shared_bytes(self) -> int:
        """Without what the driver reserves, and without what the launch adds."""
        return self.resources.shared_bytes

    @derived("Constant memory", "B")
    def constant_bytes(self) -> int:
        """Its parameters and what the compiler puts beside them, and numbers of its code."""
        return self.resources.constant_bytes


class MachineCodeInspection(Part):
    """Machine code for one chip, read from its ELF.

    Figures of code that is ``relocatable`` are without the functions that kernels call.
    """

    mark: ClassVar[Mark] = Mark.EXACT

    cubin: Annotated[Cubin, INTERNAL]

    @derived("File")
    def file(self) -> str:
        """The file; of a binary with several, with its number and chip."""
        return self.cubin.file

    @derived("Target")
    def target(self) -> str:
        """Chip that it was assembled for."""
        return f"sm_{self.cubin.chip}"

    @derived("Relocatable device code")
    def relocatable(self) -> bool:
        """Whether it is linked later (``nvcc -rdc=true``)."""
        return self.cubin.is_relocatable

    @derived("Constant memory", "B")
    def constant_bytes(self) -> int:
        """Variables of the module in constant memory."""
        return self.cubin.constant_bytes

    @derived("Kernels")
    def kernels(self) -> tuple[MachineKernel, ...]:
        """Sorted by name."""
        return tuple(MachineKernel(resources=one) for one in self.cubin.kernels)


class InspectReport(Report):
    """Contents of kernel files; of binaries the PTX (``files``) and the machine code in them."""

    report: Literal["inspect"] = "inspect"
    files: list[FileInspection]
    machine_code: list[MachineCodeInspection]


def inspect_report(
    loaded: Sequence[LoadedModule], machine_code: Sequence[Cubin] = ()
) -> InspectReport:
    """The kernels of some files, in the order given."""
    return InspectReport(
        files=[_file(one) for one in loaded],
        machine_code=[MachineCodeInspection(cubin=one) for one in machine_code],
    )


def _file(loaded: LoadedModule) -> FileInspection:
    kernels = [KernelInspection(loaded=loaded, kernel=one) for one in loaded.module.kernels]
    found = remarks(loaded.diagnostics, loaded)
    return FileInspection(loaded=loaded, kernels=kernels, remarks=found)
