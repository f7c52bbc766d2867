"""Text of LLVM made into native code of this CPU, in this process."""

from __future__ import annotations

import re
import threading
from functools import cache
from typing import TYPE_CHECKING

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.executor.native.instructions import ModuleText

if TYPE_CHECKING:
    import llvmlite.binding as llvm


class NativeCode:
    """A module's machine code; functions are found by name while it lives."""

    def __init__(self, module: ModuleText) -> None:
        _provide_shared(module)
        self._engine = _compiled(module.text())

    def address(self, name: str) -> int:
        """Give the address of a function."""
        return int(self._engine.get_function_address(name))


_shared: dict[str, llvm.ExecutionEngine] = {}
"""Who holds the machine code of each shared function, by symbol: it lives as long as the process.

Half of the time that LLVM took for a small kernel went into functions that the kernel before it had
as well, such as those that check addresses.
"""

_sharing = threading.Lock()


def _provide_shared(module: ModuleText) -> None:
    """Compile the shared functions of a module that no module before it had."""
    import llvmlite.binding as llvm  # noqa: PLC0415 - slow to load, only to run kernels

    with _sharing:
        missing = {f.symbol for f in module.shared.values()} - _shared.keys()
        if not missing:
            return
        engine = _compiled(module.shared_text(_shared))
        for symbol in missing:
            llvm.add_symbol(symbol[1:], engine.get_function_address(symbol[1:]))
            _shared[symbol] = engine


_MOST_OPTIMISED = 2_000_000
"""Characters of LLVM IR that are optimised, those of some ten thousand instructions.

Allocating registers well takes LLVM 25 s for a straight line of 30,000 instructions; as they come,
1 s. What is computed is the same.
"""


_LARGEST_OPTIMISED = 400_000
"""Characters of a basic block that are optimised: 11,000 lines take 3 s, 36,000 take 37 s."""

_LABEL = re.compile(r"^[\w.$-]+:$", re.MULTILINE)


def _compiled(text: str) -> llvm.ExecutionEngine:
    import llvmlite.binding as llvm  # noqa: PLC0415 - slow to load, only to run kernels

    largest = max(map(len, _LABEL.split(text)))
    optimised = len(text) <= _MOST_OPTIMISED and largest <= _LARGEST_OPTIMISED
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(text), target_machine(optimised))
    engine.finalize_object()
    return engine


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


def target_machine(optimised: bool = True, features: str | None = None) -> llvm.TargetMachine:
    """Make a code generator for this CPU; ``features`` replaces those that it has."""
    import llvmlite.binding as llvm  # noqa: PLC0415 - slow to load, only to run kernels

    _initialise()
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=features or llvm.get_host_cpu_features().flatten(),
        opt=2 if optimised else 0,
    )
