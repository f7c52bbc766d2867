"""The IR: a Module with its Kernels, frozen and made of tuples and small integers.

Both front-ends make it, and nothing after them asks which one did. The vocabulary of operations is
PTX's, with a few of our own (``lea``, ``switch``): an LLVM instruction becomes the operation that
does the same. Values are scalars: a vector or an aggregate of LLVM is taken apart into registers,
as the hardware has no others. Registers may be written several times (PTX) or once (LLVM); a φ
becomes copies on the incoming edges, which are no instructions and are not counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Annotated, NamedTuple

from warpmill.analyzer.base.diagnostics import DebugLocation, Span
from warpmill.analyzer.base.metric import Metric
from warpmill.analyzer.ir.operation import Operation, Role
from warpmill.analyzer.ir.types import OpClass, Space, Type, TypeKind


@dataclass(frozen=True, slots=True)
class Reg:
    """A virtual register: an index into the registers of its function."""

    index: int


@dataclass(frozen=True, slots=True)
class Imm:
    """An integer constant as written; negative ones stay negative."""

    value: int


@dataclass(frozen=True, slots=True)
class FloatImm:
    """A floating-point constant by its bits, so that NaNs and signed zeros keep their identity."""

    bits: int
    type: Type


@dataclass(frozen=True, slots=True)
class Special:
    """A special register by PTX's name without the percent sign: ``tid.x``, ``laneid``."""

    name: str


@dataclass(frozen=True, slots=True)
class Symbol:
    """The address of a variable, a parameter or a function, with a byte offset."""

    name: str
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Address:
    """A memory address: a base with a byte offset, ``[%rd4+16]``."""

    base: Reg | Symbol | Imm
    offset: int = 0


@dataclass(frozen=True, slots=True)
class TupleAddress:
    """An address with coordinates: ``[tex, {%f1, %f2}]`` or ``[map, {%r1, %r2}], ...``."""

    parts: tuple[Operand, ...]


@dataclass(frozen=True, slots=True)
class Vector:
    """Several operands in braces: ``{%f1, %f2, %f3, %f4}``."""

    elements: tuple[Operand, ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two destinations ``%p1|%p2``."""

    first: Operand
    second: Operand


@dataclass(frozen=True, slots=True)
class Sink:
    """The destination ``_``: the result is dropped."""


@dataclass(frozen=True, slots=True)
class NotPredicate:
    """A negated predicate operand ``!%p1``."""

    register: Reg


@dataclass(frozen=True, slots=True)
class Element:
    """One component of a vector register: ``%v1.x``."""

    register: Reg
    component: str


@dataclass(frozen=True, slots=True)
class Negated:
    """A source that counts with its sign changed, as ``vmad`` takes it: ``-%r1``."""

    operand: Reg | Element


@dataclass(frozen=True, slots=True)
class Arguments:
    """A parenthesised list, as ``call`` has."""

    items: tuple[Operand, ...]


Operand = (
    Reg
    | Imm
    | FloatImm
    | Special
    | Symbol
    | Address
    | TupleAddress
    | Vector
    | Pair
    | Sink
    | NotPredicate
    | Element
    | Negated
    | Arguments
)


def registers_in(operand: Operand) -> Iterator[int]:
    """The indices of the registers that an operand names, in order."""
    match operand:
        case Reg(index):
            yield index
        case Address(base=Reg(index)):
            yield index
        case NotPredicate(register) | Element(register, _):
            yield register.index
        case Negated(operand):
            yield from registers_in(operand)
        case Vector(items) | Arguments(items) | TupleAddress(items):
            for item in items:
                yield from registers_in(item)
        case Pair(first, second):
            yield from registers_in(first)
            yield from registers_in(second)
        case _:
            return


def symbols_in(operand: Operand) -> Iterator[str]:
    """The names of the variables and functions that an operand names, in order."""
    match operand:
        case Reg():  # most are
            return
        case Symbol(name) | Address(base=Symbol(name)):
            yield name
        case Vector(items) | Arguments(items) | TupleAddress(items):
            for item in items:
                yield from symbols_in(item)


@dataclass(frozen=True, slots=True)
class Guard:
    """The predicate that an instruction executes under: ``@%p1`` or ``@!%p1``."""

    register: Reg
    negated: bool = False


@dataclass(frozen=True, slots=True)
class CallSite:
    """Origin of an inlined instruction: its function, the call's place, and calls within.

    ``inner`` is the call site inside the function, where that called another one.
    """

    function: str
    call: Span
    inner: CallSite | None = None


@dataclass(frozen=True, slots=True)
class _Known:
    """Writes and reads of an instruction: operands, registers' indices, the first address."""

    destinations: tuple[Operand, ...]
    sources: tuple[Operand, ...]
    writes: tuple[int, ...]
    reads: tuple[int, ...]
    address: Address | TupleAddress | None

    @classmethod
    def of(cls, instruction: Instruction) -> _Known:
        """Work it out from the roles of the operands."""
        operands = instruction.operands
        are_addresses = tuple([type(o) in _ADDRESS_FORMS for o in operands])
        places = _match(instruction.operation, are_addresses)
        destinations = tuple([operands[place] for place in places.written])
        sources = tuple([operands[place] for place in places.read])
        reads = _indices_in(sources)
        if instruction.guard is not None:
            reads.append(instruction.guard.register.index)
        address = next((o for o in operands if isinstance(o, Address | TupleAddress)), None)
        return cls(destinations, sources, tuple(_indices_in(destinations)), tuple(reads), address)


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction.

    ``operands`` stand in the order of the text, destinations first; labels are not among them but
    in ``targets`` as block ids. For ``switch`` the operands are the value and one Imm a target.
    ``span`` points into the source that was read, ``debug`` to the line that a compiler recorded;
    ``inlined`` tells which device function it was copied from, and where that was called.

    What follows from its operands is worked out once: analyses ask for it again and again.
    """

    operation: Operation
    operands: tuple[Operand, ...]
    span: Span
    guard: Guard | None = None
    targets: tuple[int, ...] = ()
    debug: DebugLocation | None = None
    inlined: CallSite | None = None
    _known: _Known | None = field(default=None, init=False, repr=False, compare=False)

    @property
    def roles(self) -> tuple[Role, ...]:
        """The role of each operand, with the optional ones that are absent left out."""
        return match_roles(self.operation, self.operands)

    @property
    def destinations(self) -> tuple[Operand, ...]:
        """The operands that are written."""
        found = self._known
        return (self._find() if found is None else found).destinations

    @property
    def sources(self) -> tuple[Operand, ...]:
        """The operands that are read, addresses among them."""
        found = self._known
        return (self._find() if found is None else found).sources

    @property
    def writes(self) -> tuple[int, ...]:
        """Indices of the registers that are written."""
        found = self._known
        return (self._find() if found is None else found).writes

    @property
    def reads(self) -> tuple[int, ...]:
        """Indices of the registers that are read, the guard's last."""
        found = self._known
        return (self._find() if found is None else found).reads

    def _find(self) -> _Known:
        found = _Known.of(self)
        object.__setattr__(self, "_known", found)  # no part of what it is
        return found

    @property
    def address(self) -> Address | TupleAddress | None:
        """The first address operand, if there is one."""
        found = self._known
        return (self._find() if found is None else found).address

    @property
    def accessed(self) -> tuple[Address | TupleAddress, ...]:
        """The addresses that are accessed, in that order: of a copy its source, then its target."""
        return tuple(address for address, _ in self.accesses)

    @property
    def accesses(self) -> tuple[tuple[Address | TupleAddress, str], ...]:
        """As ``accessed``, with what is done there: load, store or atomic."""
        if self.address is None:
            return ()
        kinds = self.operation.access
        if len(kinds) < 2:
            return ((self.address, kinds[0] if kinds else ""),)
        addresses = [o for o in self.operands if isinstance(o, Address | TupleAddress)]
        return tuple(zip(addresses, kinds, strict=False))[::-1]

    @property
    def width_bytes(self) -> int | None:
        """The bytes that one thread accesses at an address, as ``Operation.width_bytes`` says.

        Where an operand says it, that has to be a number.
        """
        size = self.bytes_operand
        if size is None:
            return self.operation.width_bytes
        return size.value if isinstance(size, Imm) and size.value > 0 else None

    @property
    def read_limit(self) -> Operand | None:
        """Limit of the bytes that a copy reads, where it may read fewer than it writes.

        A number of bytes, or a predicate under which it reads none (``ignore-src``).
        """
        if self.operation.name != "cp.async":
            return None
        has_hint = "L2::cache_hint" in self.operation.opcode.split(".")
        rest = self.operands[3 : len(self.operands) - has_hint]
        return rest[0] if rest else None

    @property
    def bytes_operand(self) -> Operand | None:
        """The operand that says how many bytes a thread accesses, where one does."""
        place = self.operation.bytes_operand
        return None if place is None or place >= len(self.operands) else self.operands[place]

    @property
    def is_branch(self) -> bool:
        """Whether it jumps to blocks of this function."""
        return bool(self.targets)


def _indices_in(operands: tuple[Operand, ...]) -> list[int]:
    """The indices of the registers that operands name, in order."""
    found: list[int] = []
    for operand in operands:
        if type(operand) is Reg:  # most are
            found.append(operand.index)
        elif type(operand) is not Imm:
            found += registers_in(operand)
    return found


_WRITTEN = frozenset({Role.DESTINATION, Role.READ_WRITE})


def match_roles(operation: Operation, operands: tuple[Operand, ...]) -> tuple[Role, ...]:
    """Role of each operand from the operation's table line.

    Optional roles are dropped where the operand's form does not fit or too few operands are
    there; operands beyond the table's are sources. A source in brackets is an address: matrix
    instructions take a descriptor or an address at the same place.
    """
    return _match(operation, tuple([type(o) in _ADDRESS_FORMS for o in operands])).roles


def match_types(operation: Operation, operands: tuple[Operand, ...]) -> tuple[Type | None, ...]:
    """Type that each operand has to have; None where the opcode does not determine it."""
    return _match(operation, tuple([type(o) in _ADDRESS_FORMS for o in operands])).types


_ADDRESS_FORMS = frozenset({Address, TupleAddress})


class _Match(NamedTuple):
    """Roles and types of operands, and the places of those that are written and read."""

    roles: tuple[Role, ...]
    types: tuple[Type | None, ...]
    written: tuple[int, ...]
    read: tuple[int, ...]


@lru_cache(maxsize=4096)
def _match(operation: Operation, are_addresses: tuple[bool, ...]) -> _Match:
    """Do it by the forms of the operands; a program has few of them and many instructions."""
    roles: list[Role] = []
    types: list[Type | None] = []
    columns = zip(operation.roles, operation.optional, operation.operand_types, strict=True)
    lines = [line for line in columns if line[0] is not Role.LABEL]
    spare = len(are_addresses) - sum(not optional for _, optional, _ in lines)
    for role, is_optional, type_ in lines:
        if len(roles) == len(are_addresses):
            break
        is_address = are_addresses[len(roles)]
        if is_optional:
            if spare <= 0 or is_address != (role is Role.ADDRESS):
                continue
            spare -= 1
        roles.append(Role.ADDRESS if is_address and role is Role.SOURCE else role)
        types.append(type_)
    rest = are_addresses[len(roles) :]
    roles += [Role.ADDRESS if is_address else Role.SOURCE for is_address in rest]
    return _Match(
        tuple(roles),
        (*types, *([None] * len(rest))),
        tuple([place for place, role in enumerate(roles) if role in _WRITTEN]),
        tuple([place for place, role in enumerate(roles) if role is not Role.DESTINATION]),
    )


@dataclass(frozen=True, slots=True)
class EdgeCopies:
    """Copies that happen on the edge from ``predecessor``, all at once: (register, value)."""

    predecessor: int
    copies: tuple[tuple[Reg, Operand], ...]


@dataclass(frozen=True, slots=True)
class Block:
    """A basic block. ``id`` is its place in the function's blocks; block 0 is the entry.

    ``fallthrough`` is the block that follows where no branch is taken: the next one in PTX, the
    false successor in LLVM, the default of a ``switch`` or ``brx.idx``. ``attributes`` are hints
    for a compiler: ``pragma=nounroll``, ``loop.unroll.count=4`` where the block goes back.
    """

    id: int
    label: str
    instructions: tuple[Instruction, ...]
    fallthrough: int | None
    incoming: tuple[EdgeCopies, ...] = ()
    attributes: tuple[str, ...] = ()

    @property
    def terminator(self) -> Instruction | None:
        """The last instruction where it branches or returns."""
        if not self.instructions:
            return None
        last = self.instructions[-1]
        return last if last.is_branch or "ends" in last.operation.effects else None

    @property
    def successors(self) -> tuple[int, ...]:
        """The blocks that may follow, each once: fall-through first, then targets as written."""
        last = self.terminator
        order = () if self.fallthrough is None else (self.fallthrough,)
        return tuple(dict.fromkeys(order if last is None else (*order, *last.targets)))


@dataclass(frozen=True, slots=True)
class Register:
    """A declared register: its name as written and its type; ``vector`` elements (1: scalar)."""

    name: str
    type: Type
    vector: int = 1


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a kernel or function.

    ``size_bytes`` is the whole size (arrays and structs passed by value); ``shape`` are the
    dimensions of what was written as an array, an open one is None. ``register`` is the
    register that holds it on entry; without one it lies in param space under ``name``.
    ``pointee_space`` is where it points to, where the input or the target's rules say so.
    """

    name: str
    type: Type
    size_bytes: int
    align: int
    register: Reg | None = None
    is_pointer: bool | None = None
    pointee_space: Space | None = None
    pointee_align: int | None = None
    shape: tuple[int | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable with an address, of a module or of one function.

    ``size_bytes`` is None for an array whose size the launch gives (dynamic shared memory).
    ``initialiser`` holds the elements of the type in the order of memory, and symbols whose
    addresses are stored (in arrays of smaller elements as all their bytes); None: undefined or
    zero.
    ``attributes`` are linkage and other words of the declaration, sorted.
    """

    name: str
    space: Space
    type: Type
    size_bytes: int | None
    align: int
    shape: tuple[int | None, ...] = ()
    initialiser: tuple[int | float | Symbol, ...] | None = None
    attributes: tuple[str, ...] = ()
    span: Span | None = None

    @property
    def is_handle(self) -> bool:
        """Whether it is a reference to a texture, surface or sampler, which a launch binds."""
        return self.type.kind is TypeKind.OPAQUE


@dataclass(frozen=True)
class Function:
    """A function with a body, in the IR."""

    name: str
    parameters: tuple[Parameter, ...]
    registers: tuple[Register, ...]
    blocks: tuple[Block, ...]
    span: Span
    variables: tuple[Variable, ...] = ()
    returns: tuple[Parameter, ...] = ()
    attributes: tuple[str, ...] = ()

    @property
    def instructions(self) -> Iterator[Instruction]:
        """All instructions, block by block."""
        return (i for block in self.blocks for i in block.instructions)

    @cached_property
    def instruction_count(self) -> int:
        """Number of instructions; edge copies do not count."""
        return sum(len(block.instructions) for block in self.blocks)

    @cached_property
    def block_ids(self) -> dict[str, int]:
        """Block ids by label."""
        return {block.label: block.id for block in self.blocks}

    def reads_parameter(self, instruction: Instruction) -> bool:
        """Whether an instruction loads from a parameter, not from what a call has handed back."""
        operation = instruction.operation
        if operation.op_class is not OpClass.LOAD or operation.space is not Space.PARAM:
            return False
        match instruction.address:
            case Address(base=Symbol(name)):
                return name not in self._variable_names
        return True

    @cached_property
    def symbols(self) -> frozenset[str]:
        """Names of the variables and functions that its operands name."""
        operands = [o for i in self.instructions for o in i.operands]
        operands += [o for b in self.blocks for e in b.incoming for _, o in e.copies]
        return frozenset(name for operand in operands for name in symbols_in(operand))

    @cached_property
    def _variable_names(self) -> frozenset[str]:
        return frozenset(v.name for v in self.variables)


@dataclass(frozen=True)
class LaunchBounds:
    """Launch bounds that the input states for a kernel; None where it is silent."""

    max_threads: Annotated[tuple[int, ...] | None, Metric("Threads per CTA at most")] = None
    """.maxntid"""
    required_threads: Annotated[tuple[int, ...] | None, Metric("Threads per CTA")] = None
    """.reqntid, reqd_work_group_size"""
    min_ctas_per_sm: Annotated[int | None, Metric("CTAs per SM at least", "CTA")] = None
    """.minnctapersm"""
    max_registers: Annotated[int | None, Metric("Registers per thread at most")] = None
    """.maxnreg"""


@dataclass(frozen=True)
class Kernel(Function):
    """A kernel: a function that a launch starts."""

    bounds: LaunchBounds = LaunchBounds()

    @property
    def static_shared_bytes(self) -> int:
        """Bytes of its own shared variables, each aligned; those of the module come on top."""
        return allocate_bytes(v for v in self.variables if v.space is Space.SHARED)


def allocate_bytes(variables: Iterator[Variable]) -> int:
    """Bytes that variables of known size take when laid out one after another."""
    end = 0
    for variable in variables:
        end = -(-end // variable.align) * variable.align + (variable.size_bytes or 0)
    return end


@dataclass(frozen=True)
class Declaration:
    """A function that is named but has no body here."""

    name: str
    attributes: tuple[str, ...] = ()


MACHINE_CODE = "machine code"
"""Attribute of a module whose instructions are machine instructions already."""


@dataclass(frozen=True)
class Module:
    """A translation unit: what it is for, its variables, functions and kernels.

    ``target`` is the chip or triple that the input names (``sm_80``), ``version`` that of the
    language (PTX ISA ``9.0``, LLVM's where known). ``warp_size`` is the width that the target's
    lanes run in. ``attributes`` are what else the input says of itself: ``target=WORD`` for each
    further word of PTX's target, ``pragma=TEXT``, ``alias=NAME=FUNCTION``.
    """

    name: str
    target: str
    version: str
    address_bits: int
    warp_size: int
    kernels: tuple[Kernel, ...]
    functions: tuple[Function, ...] = ()
    variables: tuple[Variable, ...] = ()
    declarations: tuple[Declaration, ...] = ()
    debug_files: tuple[str, ...] = field(default=())
    attributes: tuple[str, ...] = ()

    @property
    def settable_variables(self) -> dict[str, Variable]:
        """The variables that a launch may give contents: those in global and constant memory."""
        of_device = (Space.GLOBAL, Space.CONST)
        return {v.name: v for v in self.variables if v.space in of_device}

    def kernel(self, name: str) -> Kernel:
        """The kernel called ``name``; KeyError where it is not there."""
        for kernel in self.kernels:
            if kernel.name == name:
                return kernel
        raise KeyError(name)
