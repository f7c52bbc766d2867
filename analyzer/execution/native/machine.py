"""Text of LLVM made into native code of this CPU, in this process."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from analyzer.diagnostics import UsageError

if TYPE_CHECKING:
    import llvmlite.binding as llvm


class NativeCode:
    """A module's machine code; functions are found by name while it lives."""

    def __init__(self, text: str) -> None:
        import llvmlite.binding as llvm  # noqa: PLC0415 - slow to load, only to run kernels

        module = llvm.parse_assembly(text)
        self._engine = llvm.create_mcjit_compiler(module, target_machine())
        self._engine.finalize_object()

    def address(self, name: str) -> int:
        """Give the address of a function."""
        return int(self._engine.get_function_address(name))


_COMPILER_LIBRARY = "libgcc_s.so.1"


@cache
def _initialise() -> None:
    """Make LLVM ready, with the functions that it calls where a CPU has no instruction."""
    import llvmlite.binding as llvm  # noqa: PLC0415 - slow to load, only to run kernels

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    try:
        llvm.load_library_permanently(_COMPILER_LIBRARY)
    except RuntimeError as error:
        features = llvm.get_host_cpu_features()
        if features.get("f16c", True) and features.get("fma", True):
            return  # only conversions of half precision would call it
        words = f"this CPU converts half precision by {_COMPILER_LIBRARY}, which is not there"
        raise UsageError(f"{words}: {error}") from None


def target_machine(features: str | None = None) -> llvm.TargetMachine:
    """Make a code generator for this CPU; ``features`` replaces those that it has."""
    import llvmlite.binding as llvm  # noqa: PLC0415 - slow to load, only to run kernels

    _initialise()
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=features or llvm.get_host_cpu_features().flatten(),
        opt=2,
    )
