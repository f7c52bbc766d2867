"""A launch: which kernel, how many threads, with what arguments. Frozen; data are referred to."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from warpmill.analyzer.base.diagnostics import Diagnostic, Severity, Span
from warpmill.analyzer.base.metric import Id, Metric
from warpmill.analyzer.base.toml_source import KeyPath, TomlDocument
from warpmill.analyzer.frontends.compilers.options import CompileOptions

if TYPE_CHECKING:
    import numpy.typing as npt

# How the elements of a buffer are filled before a launch: frozen descriptions.
#
# ``analyzer.launch.buffers.materialise`` makes the data.


@dataclass(frozen=True, slots=True)
class Zeros:
    """All elements are zero."""


@dataclass(frozen=True, slots=True)
class Constant:
    """All elements are ``value``."""

    value: float


@dataclass(frozen=True, slots=True)
class Arange:
    """Element ``i`` is ``start + i * step``."""

    start: float = 0
    step: float = 1


@dataclass(frozen=True, slots=True)
class Uniform:
    """Elements are drawn evenly from ``low`` to below ``high``; whole numbers for integers."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Normal:
    """Elements are drawn from a normal distribution."""

    mean: float
    deviation: float


@dataclass(frozen=True, slots=True)
class Permutation:
    """Elements are 0 … count - 1 in random order."""


class CsrPart(Enum):
    """One of the three arrays of a sparse matrix in CSR form."""

    ROW_PTR = "row_ptr"
    COL_IDX = "col_idx"
    VALUES = "values"


@dataclass(frozen=True, slots=True)
class Csr:
    """One part of a random ``rows`` × ``columns`` sparse matrix.

    The matrix has ``rows * nnz_per_row`` entries in all, spread over the rows at random; parts
    with equal numbers and the buffer's seed belong to one matrix.
    """

    part: CsrPart
    rows: int
    columns: int
    nnz_per_row: int

    @property
    def entries(self) -> int:
        """Entries of the whole matrix."""
        return self.rows * self.nnz_per_row

    @property
    def length(self) -> int:
        """Elements of this part."""
        return self.rows + 1 if self.part is CsrPart.ROW_PTR else self.entries


@dataclass(frozen=True, slots=True)
class FromFile:
    """Elements are those of a ``.npy`` file of the same type and number of elements."""

    path: Path


@dataclass(frozen=True, slots=True)
class Recorded:
    """Elements are what the calls of a recording have left there: its replay has them alone."""


@dataclass(frozen=True, eq=False)
class InMemory:
    """Elements are those that an array of this process has when the launch is made.

    ``values`` is contiguous, with as many bytes as the buffer. Two of one memory are equal:
    launches that are made one after another share a buffer for it.
    """

    values: npt.NDArray[Any] = field(repr=False)

    @property
    def memory(self) -> tuple[int, int]:
        """The address and the bytes of the memory."""
        return self.values.ctypes.data, self.values.nbytes

    def __eq__(self, other: object) -> bool:
        return isinstance(other, InMemory) and self.memory == other.memory

    def __hash__(self) -> int:
        return hash(self.memory)


Initialiser = (
    Zeros
    | Constant
    | Arange
    | Uniform
    | Normal
    | Permutation
    | Csr
    | FromFile
    | InMemory
    | Recorded
)


def seed_of(init: Initialiser, number: int) -> int:
    """The seed of an array where none is said: its number among the arrays of its launch, from 0.

    Two arrays of random numbers differ so. The parts of a CSR matrix share one, as they belong
    together; what is not random has 0.
    """
    return number if isinstance(init, Uniform | Normal | Permutation) else 0


Dim3 = tuple[int, int, int]

CHANNELS = (1, 2, 4)
"""Elements that a texel of a texture may have."""


@dataclass(frozen=True)
class ScalarArgument:
    """A number passed by value. Integers and truth values are kept as ``int``."""

    type_name: str
    value: int | float

    @property
    def type(self) -> ElementType:
        """The type by its name."""
        return ELEMENT_TYPES[self.type_name]

    @property
    def size_bytes(self) -> int:
        """Bytes that it takes as a parameter."""
        return self.type.size_bytes

    @property
    def align(self) -> int:
        """Alignment in bytes that it needs in a struct."""
        return self.type.size_bytes


@dataclass(frozen=True)
class _Array:
    """Common part of buffers and textures: elements of one type in a row-major shape."""

    element: str
    shape: tuple[int, ...]
    init: Initialiser = field(default_factory=Zeros)
    seed: int = 0

    @property
    def type(self) -> ElementType:
        """The element's type by its name."""
        return ELEMENT_TYPES[self.element]

    @property
    def array_shape(self) -> tuple[int, ...]:
        """The shape of all elements as an array."""
        return self.shape

    @property
    def element_count(self) -> int:
        """Number of elements."""
        return math.prod(self.array_shape)

    @property
    def bytes(self) -> int:
        """Bytes of all elements."""
        return self.element_count * self.type.size_bytes

    @property
    def size_bytes(self) -> int:
        """Bytes that its address takes as a parameter."""
        return 8

    @property
    def align(self) -> int:
        """Alignment in bytes of its address in a struct."""
        return 8


@dataclass(frozen=True)
class BufferArgument(_Array):
    """A block of global memory, passed as its address. ``name`` is what ``ref`` finds it by."""

    name: str | None = None


@dataclass(frozen=True)
class TextureArgument(_Array):
    """A texture object over an array of texels, of 1, 2 or 4 ``channels``: so many elements each.

    ``shape`` counts texels; the elements of one lie side by side. ``filter`` is ``point`` or
    ``linear``.
    """

    filter: str = "point"
    channels: int = 1

    @property
    def array_shape(self) -> tuple[int, ...]:
        """The shape of all elements as an array: channels last where there are several."""
        return self.shape if self.channels == 1 else (*self.shape, self.channels)

    @property
    def text(self) -> str:
        """All that it is, as text: what tells textures apart, 0.0 and -0.0 in them as well."""
        return repr(self)

    @property
    def texel(self) -> str:
        """Type of a texel: ``f32``, or ``f32x4`` of four channels."""
        return self.element if self.channels == 1 else f"{self.element}x{self.channels}"


@dataclass(frozen=True)
class RefArgument:
    """The address of a buffer that another argument has made, some bytes into it."""

    buffer: BufferArgument
    offset_bytes: int = 0
    size_bytes: int = 8
    align: int = 8


@dataclass(frozen=True)
class NullArgument:
    """The address 0."""

    size_bytes: int = 8
    align: int = 8


@dataclass(frozen=True)
class StructArgument:
    """A struct passed by value; each field stands at the next multiple of its own size, as in C."""

    fields: tuple[ScalarArgument | BufferArgument | RefArgument | NullArgument, ...]

    @property
    def offsets(self) -> tuple[int, ...]:
        """Byte offset of each field."""
        offsets, end = [], 0
        for part in self.fields:
            offsets.append(-(-end // part.align) * part.align)
            end = offsets[-1] + part.size_bytes
        return tuple(offsets)

    @property
    def align(self) -> int:
        """The strictest alignment of its fields."""
        return max((part.align for part in self.fields), default=1)

    @property
    def size_bytes(self) -> int:
        """Bytes of the whole struct with the padding at its end."""
        end = self.offsets[-1] + self.fields[-1].size_bytes if self.fields else 0
        return -(-end // self.align) * self.align


Argument = (
    ScalarArgument | BufferArgument | TextureArgument | RefArgument | NullArgument | StructArgument
)


@dataclass(frozen=True)
class LaunchPlace:
    """Place of a launch in its application: its number from 0, of how many.

    ``of_kernel`` are the launches of the same kernel.
    """

    number: Id
    launches: Annotated[int, Metric("Launches")]
    of_kernel: Annotated[int, Metric("Launches of the kernel")]


@dataclass(frozen=True)
class Launch:
    """One launch of a kernel.

    ``kernel`` is the name as written, mangled or not, or None where the module's only kernel is
    meant. ``module`` is the file with the kernel's code. ``symbols`` gives module variables their
    contents by name, references to textures a texture. ``sizes`` are the named sizes of the launch
    file. ``document`` and ``path`` are where the launch was written, ``place`` is its place in an
    application, where that made it. ``compile_options`` are for a module that is a source.
    """

    kernel: str | None
    module: Path
    grid: Dim3
    block: Dim3
    dynamic_shared_bytes: int = 0
    arguments: tuple[Argument, ...] = ()
    symbols: tuple[tuple[str, BufferArgument | TextureArgument], ...] = ()
    name: str = "launch"
    sizes: tuple[tuple[str, int], ...] = ()
    file: str | None = None
    document: TomlDocument | None = field(default=None, compare=False, repr=False)
    path: KeyPath = field(default=(), compare=False, repr=False)
    place: LaunchPlace | None = field(default=None, compare=False)
    compile_options: CompileOptions = field(default_factory=CompileOptions)

    @classmethod
    def of(
        cls,
        module: str | Path,
        kernel: str | None = None,
        *,
        grid: int | Sequence[int] = 1,
        block: int | Sequence[int] = 1,
        shared: int = 0,
        arguments: Sequence[Argument] = (),
        symbols: Mapping[str, BufferArgument | TextureArgument] | None = None,
        name: str | None = None,
    ) -> Launch:
        """Make a launch in Python: ``Launch.of("a.ptx", "vecadd", grid=64, block=256)``."""
        return cls(
            kernel=kernel,
            module=Path(module),
            grid=dim3(grid),
            block=dim3(block),
            dynamic_shared_bytes=shared,
            arguments=tuple(arguments),
            symbols=tuple((symbols or {}).items()),
            name=name or kernel or Path(module).stem,
        )

    @property
    def cta_count(self) -> int:
        """CTAs of the grid."""
        return math.prod(self.grid)

    @property
    def threads_per_cta(self) -> int:
        """Threads of one CTA."""
        return math.prod(self.block)

    @cached_property
    def buffers(self) -> tuple[BufferArgument | TextureArgument, ...]:
        """The memory that the launch makes, in order; references make none."""
        found: list[BufferArgument | TextureArgument] = [b for _, b in self.symbols]
        for argument in self.arguments:
            parts = argument.fields if isinstance(argument, StructArgument) else (argument,)
            found += [p for p in parts if isinstance(p, BufferArgument | TextureArgument)]
        return tuple(found)

    @property
    def buffer_bytes(self) -> int:
        """Bytes of all memory that the launch makes."""
        return sum(b.bytes for b in self.buffers)

    def span(self, *path: str | int) -> Span | None:
        """Span of a part in the launch file: ``span("args", 2)``; None without a file."""
        return None if self.document is None else self.document.span((*self.path, *path))

    def error(
        self, message: str, *path: str | int, hint: str | None = None, at_key: bool = False
    ) -> Diagnostic:
        """Make an error that points at a part of the launch, where it comes from a file.

        ``at_key`` points at the key instead of its value.
        """
        if self.document is None:
            return Diagnostic(Severity.ERROR, message, self.file, hint=hint)
        make = self.document.key_error if at_key else self.document.error
        return make((*self.path, *path), message, hint)


def dim3(sizes: int | Sequence[int]) -> Dim3:
    """Fill one to three sizes up with ones: ``dim3(64)`` is ``(64, 1, 1)``."""
    given = (sizes,) if isinstance(sizes, int) else tuple(sizes)
    if not 1 <= len(given) <= 3:
        raise ValueError(f"one to three sizes are needed, not {len(given)}")
    x, y, z = (*given, 1, 1)[:3]
    return x, y, z


# The types that arguments and buffers of a launch are made of, with what fits them.


class ElementKind(Enum):
    """Meaning of an element's bits."""

    SIGNED = "signed integer"
    UNSIGNED = "unsigned integer"
    FLOAT = "floating-point number"
    BOOL = "truth value"


@dataclass(frozen=True, slots=True)
class ElementType:
    """A scalar type by its name in launch files: ``i32``, ``bf16``.

    ``storage`` is the NumPy type that holds it; bf16 has none, its bits are kept in ``uint16``.
    ``largest`` is the greatest finite value.
    """

    name: str
    kind: ElementKind
    size_bytes: int
    storage: str
    largest: float

    @property
    def is_float(self) -> bool:
        """Whether it holds floating-point numbers."""
        return self.kind is ElementKind.FLOAT

    @property
    def smallest(self) -> float:
        """The least finite value."""
        if self.kind is ElementKind.SIGNED:
            return -self.largest - 1
        return -self.largest if self.is_float else 0

    def holds(self, value: float) -> bool:
        """Whether ``value`` is within the type's range; infinities and NaN fit any float."""
        if isinstance(value, float) and not math.isfinite(value):
            return self.is_float
        return self.smallest <= value <= self.largest


_C_NAMES = {
    "float": "f32", "double": "f64", "half": "f16", "__half": "f16", "bfloat16": "bf16",
    "__nv_bfloat16": "bf16", "char": "i8", "short": "i16", "int": "i32", "long": "i64",
    "uchar": "u8", "ushort": "u16", "uint": "u32", "unsigned": "u32", "ulong": "u64",
    "size_t": "u64", "byte": "u8",
}  # fmt: skip


def element_meant(name: str) -> str | None:
    """The element type that a name of C, NumPy or PTX means: ``float``, ``int32``, ``s32``."""
    plain = name.strip().lower().rstrip("*").removesuffix("_t")
    if plain in _C_NAMES or plain in ELEMENT_TYPES:
        return _C_NAMES.get(plain, plain)
    match = _SIZED.fullmatch(plain)
    letters = {"float": "f", "int": "i", "uint": "u", "s": "i", "b": "u"}
    short = None if match is None else f"{letters[match[1]]}{match[2]}"
    return short if short in ELEMENT_TYPES else None


_SIZED = re.compile(r"(float|int|uint|s|b)([0-9]{1,2})")


def _integer(prefix: str, bits: int) -> ElementType:
    signed = prefix == "i"
    kind = ElementKind.SIGNED if signed else ElementKind.UNSIGNED
    largest = (1 << (bits - signed)) - 1
    return ElementType(
        f"{prefix}{bits}", kind, bits // 8, f"{'' if signed else 'u'}int{bits}", largest
    )


_FLOATS = (
    ElementType("f16", ElementKind.FLOAT, 2, "float16", 65504.0),
    ElementType("bf16", ElementKind.FLOAT, 2, "uint16", float.fromhex("0x1.fep127")),
    ElementType("f32", ElementKind.FLOAT, 4, "float32", float.fromhex("0x1.fffffep127")),
    ElementType("f64", ElementKind.FLOAT, 8, "float64", float.fromhex("0x1.fffffffffffffp1023")),
)
ELEMENT_TYPES: dict[str, ElementType] = {
    t.name: t
    for t in (
        *(_integer(prefix, bits) for prefix in "iu" for bits in (8, 16, 32, 64)),
        *_FLOATS,
        ElementType("bool", ElementKind.BOOL, 1, "bool", 1),
    )
}
"""Every type of a scalar argument or a buffer's element, by its name."""
