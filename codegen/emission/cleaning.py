"""An application with names that every file takes, and parameters called as nvcc calls them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from warpmill.analyzer.ir.kernel import (
    Address,
    Arguments,
    Instruction,
    Kernel,
    Operand,
    Pair,
    Register,
    Symbol,
    TupleAddress,
    Vector,
)
from warpmill.codegen.emission.application import BufferPointer, CloneApplication, CloneLaunch


def clean(app: CloneApplication) -> CloneApplication:
    """Give the application with clean names; what is clean already keeps its name.

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
    """Give a cleaned kernel whose registers have names that no compiler gives: ``r_f1``.

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
"""What the host program calls its own things."""

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
    """Give a name that is an identifier everywhere: ``ns::copy<float>`` gives ``ns_copy_float``."""
    plain = _UNFIT.sub("_", name[: 4 * MAX_NAME]).rstrip("_") or fallback
    if not plain.isidentifier():  # it begins with a digit
        plain = f"{fallback}{plain}"
    plain = plain[:MAX_NAME]
    return f"{plain}_" if plain in _RESERVED else plain


def clean_line(line: str) -> str:
    """Give a line of a comment: ASCII, as ptxas takes no other, and nothing that continues it."""
    return _UNPRINTABLE.sub("?", line)[:_MAX_LINE].rstrip("\\ ")


@dataclass
class Namer:
    """Gives names of one scope out, each once, also where upper and lower case are the same."""

    taken: set[str] = field(default_factory=set)

    def give(self, name: str, fallback: str = "x") -> str:
        """Give a clean name that nobody has yet, and keep it."""
        plain = clean_name(name, fallback)
        number, unique = 1, plain
        while unique.lower() in self.taken:
            number += 1
            tail = f"_{number}"
            unique = plain[: MAX_NAME - len(tail)] + tail
        self.taken.add(unique.lower())
        return unique

    def inner(self) -> Namer:
        """Give the namer of a scope inside this one."""
        return Namer(set(self.taken))
