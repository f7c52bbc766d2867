"""An application made ready to be written: checked, and with names that every file takes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from warpmill.analyzer.base.diagnostics import Diagnostic, InputError, LimitError, Severity
from warpmill.analyzer.ir.kernel import (
    Address,
    Arguments,
    Instruction,
    Kernel,
    Module,
    Operand,
    Pair,
    Register,
    Symbol,
    TupleAddress,
    Variable,
    Vector,
    allocate_bytes,
)
from warpmill.analyzer.ir.types import Space, TypeKind
from warpmill.analyzer.launch.check import check_launch
from warpmill.analyzer.launch.model import (
    ELEMENT_TYPES,
    Argument,
    BufferArgument,
    Launch,
    RefArgument,
    TextureArgument,
)
from warpmill.codegen.emission.application import (
    BufferPointer,
    CloneApplication,
    CloneLaunch,
    CloneTexture,
    check_textures,
    texture_bytes,
)
from warpmill.codegen.targets import refused_on

# What can be written: what an application holds, how it launches, how large it is.

STATIC_SHARED_BYTES = 48 << 10
"""Shared memory that ptxas lets a kernel declare; what goes beyond has to be dynamic."""

CONSTANT_BYTES = 64 << 10
"""Constants that ptxas lets a module declare."""

_TARGET = re.compile(r"sm_\d{2,3}[af]?")
_LINKAGE = frozenset({"visible", "extern", "weak"})
_MODULE_SPACES = (Space.GLOBAL, Space.CONST, Space.SHARED)
_KERNEL_SPACES = (Space.SHARED, Space.LOCAL)


@dataclass(frozen=True)
class EmissionLimits:
    """How large an application may be; the names of the flags that move each are in messages."""

    memory_bytes: int = 16 << 30
    launches: int = 20_000
    instructions: int = 500_000


def check(app: CloneApplication, limits: EmissionLimits) -> None:
    """See that all of ``app`` can be written. InputError with all that is wrong, or LimitError."""
    problems = [
        *_check_module(app.module),
        *_check_buffers(app),
        *check_textures(app),
        *_check_names(app),
    ]
    if problems:
        raise InputError(*problems)
    _check_limits(app, limits)
    for launch in app.launches:
        kernel = app.launched(launch)
        check_launch(_as_launch(app, launch), app.module, kernel)


def _check_limits(app: CloneApplication, limits: EmissionLimits) -> None:
    memory_bytes = sum(b.size_bytes for b in app.buffers) + texture_bytes(app)
    for size, limit, what, flag in (
        (memory_bytes, limits.memory_bytes, "bytes", "--max-memory"),
        (app.launch_count, limits.launches, "launches", "--max-launches"),
        (
            sum(k.instruction_count for k in app.module.kernels),
            limits.instructions,
            "instructions",
            "--max-clone-instructions",
        ),
    ):
        if size > limit:
            words = f"the clone has {size} {what}, more than the limit of {limit}"
            hint = f"{flag} moves the limit"
            raise LimitError(Diagnostic(Severity.ERROR, words, hint=hint))


def _check_module(module: Module) -> Iterator[str]:
    if _TARGET.fullmatch(module.target) is None:
        yield f"a clone is for a target such as sm_80, not `{module.target}`"
    if module.address_bits != 64:
        yield f"a clone has addresses of 64 bits, not {module.address_bits}"
    if not module.kernels:
        yield "a clone has at least one kernel"
    if module.functions or module.declarations:
        yield "a clone has no functions beside its kernels"
    if module.attributes:
        yield f"a clone's module has no attributes: {', '.join(module.attributes)}"
    for variable in module.variables:
        yield from _check_variable(variable, _MODULE_SPACES, "the module")
    constants = allocate_bytes(v for v in module.variables if v.space is Space.CONST)
    if constants > CONSTANT_BYTES:
        yield f"the module declares {constants} bytes of constants; {CONSTANT_BYTES} may be"
    for kernel in module.kernels:
        yield from _check_kernel(kernel)
        yield from _check_opcodes(kernel, module.target)


def _check_opcodes(kernel: Kernel, chip: str) -> Iterator[str]:
    """See that a kernel's chip has all that the kernel executes."""
    for opcode in dict.fromkeys(i.operation.opcode for i in kernel.instructions):
        first = refused_on(opcode, chip)
        if first is not None:
            yield f"`{opcode}` of `{kernel.name}` needs {first} or later; the clone is for {chip}"


def _check_kernel(kernel: Kernel) -> Iterator[str]:
    name = kernel.name
    for parameter in kernel.parameters:
        is_scalar = parameter.size_bytes == parameter.type.size_bytes
        if not is_scalar or parameter.type.kind in (TypeKind.OPAQUE, TypeKind.PREDICATE):
            yield f"parameter `{parameter.name}` of `{name}` is no number and no pointer"
        if parameter.register is not None:
            yield f"parameter `{parameter.name}` of `{name}` stands in a register"
    for word in kernel.attributes:
        if word not in _LINKAGE:
            yield f"`{name}` has the attribute `{word}`, which CUDA has no word for here"
    for variable in kernel.variables:
        yield from _check_variable(variable, _KERNEL_SPACES, f"`{name}`")
    shared = allocate_bytes(v for v in kernel.variables if v.space is Space.SHARED)
    if shared > STATIC_SHARED_BYTES:
        words = f"`{name}` declares {shared} bytes of shared memory, of which"
        yield f"{words} {STATIC_SHARED_BYTES} may be static"


def _check_variable(variable: Variable, spaces: tuple[Space, ...], where: str) -> Iterator[str]:
    name = variable.name
    if variable.space not in spaces or variable.type.kind is TypeKind.OPAQUE:
        yield f"variable `{name}` of {where} lies in a space that a clone does not have there"
    if any(word not in _LINKAGE for word in variable.attributes):
        yield f"variable `{name}` of {where} has attributes that a clone does not have"
    if any(isinstance(value, Symbol) for value in variable.initialiser or ()):
        yield f"variable `{name}` of {where} is initialised with an address"
    is_dynamic = variable.size_bytes is None
    if is_dynamic and (variable.space is not Space.SHARED or spaces is _KERNEL_SPACES):
        yield f"variable `{name}` of {where} has no size"


def _check_buffers(app: CloneApplication) -> Iterator[str]:
    for buffer in app.buffers:
        if buffer.element not in ELEMENT_TYPES:
            yield f"buffer `{buffer.name}` has elements `{buffer.element}`, which is no type"
        if buffer.elements < 1:
            yield f"buffer `{buffer.name}` has {buffer.elements} elements"


def _check_names(app: CloneApplication) -> Iterator[str]:
    """See that names are there once, and that what launches name is there."""
    module = app.module
    yield from _twice("kernel", [k.name for k in module.kernels])
    yield from _twice("variable", [v.name for v in module.variables])
    yield from _twice("buffer", [b.name for b in app.buffers])
    kernels = {kernel.name for kernel in module.kernels}
    buffers = {b.name: b for b in app.buffers if b.element in ELEMENT_TYPES}
    for number, launch in enumerate(app.launches, 1):
        if launch.kernel not in kernels:
            yield f"launch {number} is of `{launch.kernel}`, which is not there"
        if launch.repeats < 1:
            yield f"launch {number} is repeated {launch.repeats} times"
        for argument in launch.arguments:
            if isinstance(argument, BufferPointer):
                buffer = buffers.get(argument.buffer)
                if buffer is None:
                    yield f"launch {number} names buffer `{argument.buffer}`, which is not there"
                elif not _is_element(argument.offset_bytes, buffer.size_bytes, buffer.element):
                    words = f"launch {number} points {argument.offset_bytes} bytes into"
                    yield f"{words} `{buffer.name}`, where no element of it begins"


def _is_element(offset: int, size_bytes: int, element: str) -> bool:
    return 0 <= offset < size_bytes and offset % ELEMENT_TYPES[element].size_bytes == 0


def _twice(what: str, names: Iterable[str]) -> Iterator[str]:
    for name, count in Counter(names).items():
        if count > 1:
            yield f"{what} `{name}` is there {count} times"


def _texture(texture: CloneTexture) -> TextureArgument:
    return TextureArgument(
        texture.element, texture.shape, filter=texture.filter, channels=texture.channels
    )


def _as_launch(app: CloneApplication, launch: CloneLaunch) -> Launch:
    arguments: list[Argument] = []
    for argument in launch.arguments:
        if isinstance(argument, BufferPointer):
            buffer = app.buffer(argument.buffer)
            whole = BufferArgument(buffer.element, (buffer.elements,), name=buffer.name)
            arguments.append(RefArgument(whole, argument.offset_bytes))
        elif isinstance(argument, CloneTexture):
            arguments.append(_texture(argument))
        else:
            arguments.append(argument)
    return Launch(
        kernel=launch.kernel,
        module=Path(f"{app.name}.ptx"),
        grid=launch.grid,
        block=launch.block,
        dynamic_shared_bytes=launch.dynamic_shared_bytes,
        arguments=tuple(arguments),
    )


# Names that every file takes, and parameters called as nvcc calls them.


def clean(app: CloneApplication) -> CloneApplication:
    """The application with clean names; what is clean already keeps its name.

    Parameters are called ``KERNEL_param_0``, which is what nvcc calls them, so that one text of an
    instruction serves a PTX file and the inline assembly of a CUDA file.
    """
    module, namer = app.module, Namer()
    kernels = {k.name: namer.give(k.name, "kernel") for k in module.kernels}
    symbols = {v.name: namer.give(v.name, "variable") for v in module.variables}
    variables = tuple(replace(v, name=symbols[v.name]) for v in module.variables)
    cleaned = tuple(_kernel(k, kernels[k.name], symbols, namer.inner()) for k in module.kernels)
    buffer_namer = Namer()
    buffers = {b.name: buffer_namer.give(b.name, "buffer") for b in app.buffers}
    return replace(
        app,
        name=clean_name(app.name, "clone"),
        module=replace(module, kernels=cleaned, variables=variables),
        buffers=tuple(replace(b, name=buffers[b.name]) for b in app.buffers),
        launches=tuple(_launch(launch, kernels, buffers) for launch in app.launches),
        note=tuple(clean_line(line) for line in app.note),
    )


def _launch(
    launch: CloneLaunch, kernels: Mapping[str, str], buffers: Mapping[str, str]
) -> CloneLaunch:
    arguments = tuple(
        replace(a, buffer=buffers[a.buffer]) if isinstance(a, BufferPointer) else a
        for a in launch.arguments
    )
    return replace(launch, kernel=kernels[launch.kernel], arguments=arguments)


def _kernel(kernel: Kernel, name: str, outer: Mapping[str, str], namer: Namer) -> Kernel:
    parameters = {p.name: f"{name}_param_{n}" for n, p in enumerate(kernel.parameters)}
    namer.taken |= {p.lower() for p in parameters.values()}
    variables = {v.name: namer.give(v.name, "variable") for v in kernel.variables}
    labels = [namer.give(block.label, "bb") for block in kernel.blocks]
    registers = tuple(
        replace(r, name="%" + namer.give(r.name.removeprefix("%"), "r")) for r in kernel.registers
    )
    symbols = {**outer, **variables, **parameters}
    blocks = tuple(
        replace(
            block,
            label=label,
            instructions=tuple(_instruction(i, symbols) for i in block.instructions),
        )
        for block, label in zip(kernel.blocks, labels, strict=True)
    )
    return replace(
        kernel,
        name=name,
        parameters=tuple(replace(p, name=parameters[p.name]) for p in kernel.parameters),
        registers=registers,
        variables=tuple(replace(v, name=variables[v.name]) for v in kernel.variables),
        blocks=blocks,
    )


def with_registers(kernel: Kernel, prefix: str) -> Kernel:
    """A cleaned kernel whose registers have names that no compiler gives: ``r_f1``.

    nvcc declares ``%r1`` and the like itself, around inline assembly.
    """
    taken = {b.label.lower() for b in kernel.blocks} | {v.name.lower() for v in kernel.variables}
    namer = Namer(taken)
    registers = [
        Register(namer.give(prefix + r.name.removeprefix("%")), r.type, r.vector)
        for r in kernel.registers
    ]
    return replace(kernel, registers=tuple(registers))


def _instruction(instruction: Instruction, names: Mapping[str, str]) -> Instruction:
    operands = tuple(_operand(o, names) for o in instruction.operands)
    return replace(instruction, operands=operands)


def _operand(operand: Operand, names: Mapping[str, str]) -> Operand:
    match operand:
        case Symbol(name):
            return replace(operand, name=names.get(name, name))
        case Address(Symbol(name) as base):
            return replace(operand, base=replace(base, name=names.get(name, name)))
        case Vector(elements):
            return Vector(tuple(_operand(o, names) for o in elements))
        case Arguments(items):
            return Arguments(tuple(_operand(o, names) for o in items))
        case TupleAddress(parts):
            return TupleAddress(tuple(_operand(o, names) for o in parts))
        case Pair(first, second):
            return Pair(_operand(first, names), _operand(second, names))
        case _:
            return operand


# Names that PTX, C++ and launch files all take: letters, digits, underscores, of bounded length.
#
# Names come from inputs, so none goes into a file as it is.

MAX_NAME = 64
"""Characters of a name at most."""

_UNFIT = re.compile(r"[^A-Za-z0-9_]+")
_UNPRINTABLE = re.compile(r"[^ -~]")
_MAX_LINE = 160

HOST_NAMES = frozenset(
    {"Buffer", "Texture", "allocate", "check", "fill", "free_texture", "main", "make_texture"}
    | {"memory", "take_back", "textures"}
)
"""Names that the host program itself uses."""

_CPP = """
alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t
char32_t class compl concept const consteval constexpr constinit const_cast continue co_await
co_return co_yield decltype default delete do double dynamic_cast else enum explicit export extern
false float for friend goto if inline int long mutable namespace new noexcept not not_eq nullptr
operator or or_eq private protected public register reinterpret_cast requires return short signed
sizeof static static_assert static_cast struct switch template this thread_local throw true try
typedef typeid typename typeof union unsigned using virtual void volatile wchar_t while xor xor_eq
"""
_LIBRARY = """
abort abs access acos acosh alloca asin asinh assert atan atan2 atanh atof atoi atol atoll bcmp
bcopy brkpt bsearch bzero cbrt ceil clock copysign cos cosh cospi ctime div drand48 erand48 erf
erfc exit exp exp10 exp2 expm1 fabs fdim ffs fill floor fma fmax fmin fmod free frexp gamma getenv
getw hypot ilogb index isfinite isinf isnan j0 j1 jn jrand48 labs lcong48 ldexp ldiv lgamma lldiv
llabs llrint llround log log10 log1p log2 logb lrand48 lrint lround malloc max memchr memcmp memcpy
memmem memmove memset min mktime modf mrand48 nan nearbyint nextafter norm norm3d norm4d normcdf
normcdfinv nrand48 pclose popen pow printf putchar puts putw qsort rand random realloc remainder
remove remquo rename rewind rhypot rindex rint rnorm round rsqrt saturate scalbln scalbn scanf
seed48 select setstate signbit signgam sin sincos sincospi sinh sinpi sqrt srand srand48 srandom
stderr stdin stdout strcat strchr strcmp strcpy strlen strncmp strsep strstr strtod strtok strtol
swab system tan tanh tgamma time timezone tmpfile tolower toupper trap trunc unlink valloc warpSize
write read y0 y1 yn gridDim blockDim blockIdx threadIdx dim3 uint ushort ulong std
"""
_RESERVED = HOST_NAMES | frozenset((_CPP + _LIBRARY).split())


def clean_name(name: str, fallback: str = "x") -> str:
    """A name that is an identifier everywhere: ``ns::copy<float>`` gives ``ns_copy_float``."""
    plain = _UNFIT.sub("_", name[: 4 * MAX_NAME]).rstrip("_") or fallback
    if not plain.isidentifier():  # it begins with a digit
        plain = f"{fallback}{plain}"
    plain = plain[:MAX_NAME]
    return f"{plain}_" if plain in _RESERVED else plain


def clean_line(line: str) -> str:
    """A line of a comment: ASCII, as ptxas takes no other, and nothing that continues it."""
    return _UNPRINTABLE.sub("?", line)[:_MAX_LINE].rstrip("\\ ")


@dataclass
class Namer:
    """Names of one scope, each given once, also where upper and lower case are the same."""

    taken: set[str] = field(default_factory=set)

    def give(self, name: str, fallback: str = "x") -> str:
        """A clean name that nobody has yet, and keep it."""
        plain = clean_name(name, fallback)
        number, unique = 1, plain
        while unique.lower() in self.taken:
            number += 1
            tail = f"_{number}"
            unique = plain[: MAX_NAME - len(tail)] + tail
        self.taken.add(unique.lower())
        return unique

    def inner(self) -> Namer:
        """The namer of a scope inside this one."""
        return Namer(set(self.taken))
