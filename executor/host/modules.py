"""Modules and kernels of a device: read when they are first asked for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Protocol

import numpy as np

from warpmill.analyzer.base.diagnostics import Diagnostic, InputError, Severity, Source, UsageError
from warpmill.analyzer.base.metric import INTERNAL, derived
from warpmill.analyzer.base.naming import demangle, find_by_name, suggestion
from warpmill.analyzer.frontends.compilers.options import CompileOptions, is_source
from warpmill.analyzer.frontends.load import (
    STANDARD_INPUT,
    KernelText,
    LoadedModule,
    kernel_names,
    kernel_of,
    load,
    load_kernel,
    text_of,
)
from warpmill.analyzer.ir.kernel import Kernel, Module, Variable
from warpmill.analyzer.ir.types import TypeKind
from warpmill.analyzer.launch.check import check_launch
from warpmill.analyzer.launch.model import Dim3, Launch

if TYPE_CHECKING:
    import threading
    from collections.abc import Sequence

    import numpy.typing as npt

    from warpmill.executor.host.device_array import DeviceArray
    from warpmill.executor.host.device_log import DeviceLog

_NUMPY = {
    (TypeKind.SIGNED, 1): "int8", (TypeKind.SIGNED, 2): "int16",
    (TypeKind.SIGNED, 4): "int32", (TypeKind.SIGNED, 8): "int64",
    (TypeKind.FLOAT, 2): "float16", (TypeKind.FLOAT, 4): "float32", (TypeKind.FLOAT, 8): "float64",
}  # fmt: skip


@dataclass(frozen=True)
class ModuleSource:
    """Source of a module: a file, or a text; with the name that people know it by.

    ``compile_options`` are for one that is compiled first.
    """

    name: str
    path: Path | Source | None = None
    text: KernelText | None = None
    compile_options: CompileOptions | None = None

    def names(self) -> tuple[str, ...]:
        """List the kernels."""
        if self.text is None:
            return kernel_names(self._file, self.compile_options)
        return self.text.names()

    def kernel(self, name: str | None) -> tuple[LoadedModule, Kernel]:
        """Read one kernel, its device functions inlined. InputError and UsageError."""
        if self.text is None:
            return load_kernel(self._file, name, compile_options=self.compile_options)
        return kernel_of(self.name, (self.text,), name)

    def module(self) -> LoadedModule:
        """Read everything."""
        if self.text is None:
            return load(self._file, compile_options=self.compile_options)
        return self.text.parse()

    @property
    def _file(self) -> Path | Source:
        assert self.path is not None
        return self.path


def check_sizes(
    loaded: LoadedModule, kernel: Kernel, sizes: tuple[Dim3, Dim3], shared_bytes: int
) -> None:
    """Check grid, block and shared memory against what any GPU could launch. InputError."""
    bare = replace(kernel, parameters=())  # the arguments are looked at on their own
    launch = Launch(
        kernel=kernel.name,
        module=Path(loaded.path),
        grid=sizes[0],
        block=sizes[1],
        dynamic_shared_bytes=shared_bytes,
    )
    check_launch(launch, loaded.module, bare)


def module_text(
    given: str | Path | Source,
    name: str | None = None,
    compile_options: CompileOptions | None = None,
) -> ModuleSource:
    """Source read from a file or a text: a text has more than one line, or is a ``Source``.

    InputError where no file of this name can be read, UsageError for what is neither.
    """
    if isinstance(given, str) and "\n" in given:
        given = Source(name or "<text>", given.replace("\r\n", "\n"))
    if isinstance(given, Source):
        if is_source(given.name):
            return ModuleSource(name or given.name, given, compile_options=compile_options)
        return ModuleSource(name or given.name, text=text_of(given))
    if not isinstance(given, str | Path):
        words = f"a module is a file's name or the text of one, not {given!r:.60}"
        raise UsageError(words)
    path = Path(given)
    if str(path) != STANDARD_INPUT and not path.is_file():
        reason = "this is a folder" if path.is_dir() else "there is no such file"
        raise InputError(Diagnostic(Severity.ERROR, f"cannot be read: {reason}", str(given)))
    return ModuleSource(name or str(path), path, compile_options=compile_options)


@dataclass(frozen=True)
class TakenKernel:
    """A kernel with what it was read from."""

    loaded: Annotated[LoadedModule, INTERNAL]
    kernel: Annotated[Kernel, INTERNAL]

    @derived("Mangled name")
    def name(self) -> str:
        """Its name in the module, mangled as there."""
        return self.kernel.name

    @derived("Kernel")
    def demangled(self) -> str:
        """Its name as its author wrote it."""
        return demangle(self.name)


@dataclass(frozen=True)
class DeviceKernel(TakenKernel):
    """A kernel that can be launched."""

    module: Annotated[DeviceModule, INTERNAL]

    def __repr__(self) -> str:
        return f"<kernel {self.name} of {self.module.text.name}>"


class SupportsModules(Protocol):
    """Operations that modules need of their device."""

    lock: threading.RLock

    def symbol(
        self,
        module: DeviceModule,
        name: str,
        dtype: npt.DTypeLike | None = None,
        shape: int | Sequence[int] | None = None,
    ) -> DeviceArray:
        """A module's variable as an array over its memory."""


class DeviceModule:
    """A module on a device. ``module["name"]`` is its kernel of that name, mangled or not."""

    def __init__(
        self, device: SupportsModules, number: int, text: ModuleSource, log: DeviceLog
    ) -> None:
        self.device = device
        self.number = number
        self.text = text
        self._log = log
        self._kernels: dict[str | None, DeviceKernel] = {}

    @property
    def kernel_names(self) -> tuple[str, ...]:
        """The kernels that are in it."""
        return self.text.names()

    def kernel(self, name: str | None = None) -> DeviceKernel:
        """A kernel; the module's only one where no name is given. UsageError, InputError."""
        with self.device.lock:
            if name not in self._kernels:
                self._kernels[name] = self._taken(*self.text.kernel(name))
            return self._kernels[name]

    def let_go(self) -> None:
        """Forget the kernels that were asked for."""
        self._kernels.clear()

    def take(self, loaded: LoadedModule, kernel: Kernel) -> DeviceKernel:
        """Use a kernel that was read from the same file already."""
        if kernel.name not in self._kernels:
            self._kernels[kernel.name] = self._taken(loaded, kernel)
        return self._kernels[kernel.name]

    def _taken(self, loaded: LoadedModule, kernel: Kernel) -> DeviceKernel:
        """The kernel of another spelling of the name, or a new one."""
        known = next((k for k in self._kernels.values() if k.name == kernel.name), None)
        if known is not None:
            return known
        self._log.kernel(self.number, kernel.name, loaded)
        return DeviceKernel(loaded, kernel, self)

    def __getitem__(self, name: str) -> DeviceKernel:
        return self.kernel(name)

    def symbol(self, name: str, dtype: Any = None, shape: Any = None) -> DeviceArray:
        """A variable as an array: ``Device.symbol``."""
        return self.device.symbol(self, name, dtype, shape)

    def variable(self, name: str) -> tuple[LoadedModule, Variable, np.dtype[Any], tuple[int, ...]]:
        """Find a global or constant variable, and its type and shape as NumPy has them."""
        if not self._kernels and self.kernel_names:
            self.kernel(self.kernel_names[0])  # each kernel is read with all variables
        first = next(iter(self._kernels.values()), None)
        loaded = self.text.module() if first is None else first.loaded
        variable = _find(loaded.module, name, self.text.name)
        if variable.size_bytes is None:
            raise UsageError(f"variable `{name}` has no size")
        dtype = numpy_type(variable)
        shape = tuple(n for n in variable.shape if n is not None)
        if (
            len(shape) != len(variable.shape)
            or np.prod(shape) * dtype.itemsize != variable.size_bytes
        ):
            shape = (variable.size_bytes // dtype.itemsize,)
        return loaded, variable, dtype, shape

    def __repr__(self) -> str:
        return f"<module {self.text.name}>"


def _find(module: Module, name: str, file: str) -> Variable:
    settable = module.settable_variables
    found = find_by_name(name, settable)
    if found is None:
        listed = f"its variables are {', '.join(list(settable)[:8])}" if settable else "it has none"
        hint = suggestion(name, settable) or listed
        raise InputError(f"{file} has not exactly one global or constant variable {name}; {hint}")
    return settable[found]


def numpy_type(variable: Variable) -> np.dtype[Any]:
    """The NumPy type of a variable's elements; bits without a meaning are unsigned."""
    type_ = variable.type
    size = type_.size_bytes
    if type_.lanes > 1 or type_.name == "bf16" or size not in (1, 2, 4, 8):
        return np.dtype(f"uint{8 * size}" if size in (1, 2, 4, 8) else "uint8")
    return np.dtype(_NUMPY.get((type_.kind, size), f"uint{8 * size}"))
