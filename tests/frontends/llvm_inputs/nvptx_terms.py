"""What a straight kernel computes, as terms: the same for LLVM IR and for LLVM's own PTX of it.

Copies are looked through, and packing into wider registers; what remains are operations with the
terms that they read. So two ways of passing values come out alike, two operations do not.
"""

from functools import cache

from llvmlite import binding as llvm

from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.frontends import ptx
from warpmill.analyzer.ir.kernel import (
    Address,
    FloatImm,
    Imm,
    NotPredicate,
    Reg,
    Special,
    Symbol,
    TupleAddress,
    Vector,
)
from warpmill.analyzer.ir.operation import Role


@cache
def back_end_kernels(text, chip="sm_90"):
    """The terms of each kernel of an LLVM module as LLVM's NVPTX back end compiles it."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple("nvptx64-nvidia-cuda").create_target_machine(cpu=chip)
    compiled = machine.emit_assembly(llvm.parse_assembly(text))
    kernels = ptx.parse(Source("back_end.ptx", compiled)).module.kernels
    return {kernel.name: terms_of(kernel) for kernel in kernels}


def terms_of(kernel):
    """The operations of a kernel in order, without copies: opcode, guard, what is read."""
    registers, found = {}, []
    for number, parameter in enumerate(kernel.parameters):
        if parameter.register is not None:
            registers[parameter.register.index] = ("parameter", number)
    for instruction in kernel.instructions:
        opcode = instruction.operation.opcode
        pairs = list(zip(instruction.operands, instruction.roles, strict=True))
        written = [o for o, role in pairs if role is Role.DESTINATION]
        read = [_term(o, registers) for o, role in pairs if role is not Role.DESTINATION]
        if opcode.startswith("ld.param"):
            (symbol,) = (o.base.name for o, _ in pairs if isinstance(o, Address))
            value = ("parameter", [p.name for p in kernel.parameters].index(symbol))
        elif opcode.startswith("mov.") and instruction.guard is None:
            (value,) = read
            if opcode == "mov.pred" and value[0] == "constant":
                value = ("constant", value[1] & 1)  # true is written as -1, too
        elif opcode == "ret":
            continue
        else:
            guard = instruction.guard
            when = guard and (guard.negated, registers[guard.register.index])
            old = [_term(o, registers) for o in written] if guard else []
            found.append((opcode, when, *read, *old))
            value = ("result", len(found))
        for operand in written:
            _write(operand, value, registers)
    return found


def _term(operand, registers):
    match operand:
        case Reg(index):
            return registers.get(index, "undefined")
        case Imm(value) | FloatImm(value):
            return ("constant", value)
        case Vector(items) | TupleAddress(items):
            parts = tuple(_term(item, registers) for item in items)
            whole = {part[1] for part in parts if part[0] == "part"}
            is_whole = len(whole) == 1 and [p[-1] for p in parts if p[0] == "part"] == [
                *range(len(parts))
            ]
            return whole.pop() if is_whole else ("parts", parts)
        case Address(base, offset):
            return ("address", _term(base, registers), offset)
        case NotPredicate(register):
            return ("not", registers[register.index])
        case Special(name):
            return ("special", name)
        case Symbol():
            return ("symbol", operand)
    raise AssertionError(operand)


def _write(operand, value, registers):
    if isinstance(operand, Vector):
        for number, item in enumerate(operand.elements):
            packed = value[0] == "parts" and len(value[1]) == len(operand.elements)
            _write(item, value[1][number] if packed else ("part", value, number), registers)
        return
    registers[operand.index] = value
