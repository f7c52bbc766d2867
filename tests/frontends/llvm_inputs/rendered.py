"""Instructions of the IR as short lines, for tests to compare with."""

from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.frontends.llvm import ParsedLlvm, parse
from warpmill.analyzer.ir.kernel import (
    Address,
    Arguments,
    Element,
    FloatImm,
    Function,
    Imm,
    Instruction,
    Negated,
    NotPredicate,
    Operand,
    Pair,
    Reg,
    Sink,
    Special,
    Symbol,
    TupleAddress,
    Vector,
)
from warpmill.analyzer.ir.verifier import verify

NVPTX = 'target triple = "nvptx64-nvidia-cuda"\n'
PARAMETERS = (
    "ptr addrspace(1) %p, ptr %q, i32 %x, i32 %y, i64 %l, i8 %c, float %f, float %g, double %d,"
    " half %h, ptr addrspace(3) %s"
)


def parsed(text: str, **options: object) -> ParsedLlvm:
    """Parse a text and let the IR's verifier look at the result."""
    result = parse(Source("t.ll", text), **options)
    assert [str(d) for d in verify(result.module)] == []
    return result


def kernel_text(body: str, parameters: str = PARAMETERS, around: str = "") -> str:
    """A module with one kernel `k` whose only block holds ``body``."""
    lines = "\n".join("  " + line.strip() for line in body.strip().split("\n"))
    return (
        f"{NVPTX}{around}\ndefine ptx_kernel void @k({parameters}) {{\nentry:\n"
        f"{lines}\n  ret void\n}}\n"
    )


def lowered(body: str, parameters: str = PARAMETERS, around: str = "") -> list[str]:
    """The instructions that a kernel's body becomes, without its ``ret``."""
    result = parsed(kernel_text(body, parameters, around))
    assert [d.message for d in result.diagnostics if d.severity.value == "warning"] == []
    lines = rendered(result.module.kernels[0])
    assert lines[-1] == "ret"
    return lines[:-1]


def rendered(function: Function) -> list[str]:
    """All instructions of a function, one line each."""
    return [line_of(function, i) for i in function.instructions]


def line_of(function: Function, instruction: Instruction) -> str:
    """One instruction: guard, opcode, operands, targets."""
    guard = ""
    if instruction.guard is not None:
        guard = f"@{'!' * instruction.guard.negated}{_show(function, instruction.guard.register)} "
    parts = [_show(function, o) for o in instruction.operands]
    parts += [function.blocks[t].label for t in instruction.targets]
    return f"{guard}{instruction.operation.opcode} {', '.join(parts)}".strip()


def copies(function: Function, label: str) -> dict[str, dict[str, str]]:
    """The edge copies into a block: by predecessor, register to value."""
    block = function.blocks[function.block_ids[label]]
    return {
        function.blocks[c.predecessor].label: {
            _show(function, to): _show(function, value) for to, value in c.copies
        }
        for c in block.incoming
    }


def _show(function: Function, operand: Operand) -> str:
    match operand:
        case Reg(index):
            return function.registers[index].name
        case Imm(value):
            return str(value)
        case FloatImm(bits, type_):
            return f"{type_}:{bits:x}"
        case Special(name):
            return f"%{name}"
        case Symbol(name, offset):
            return f"&{name}+{offset}" if offset else f"&{name}"
        case Address(base, offset):
            return f"[{_show(function, base)}+{offset}]" if offset else f"[{_show(function, base)}]"
        case Vector(items) | Arguments(items):
            return "{" + " ".join(_show(function, i) for i in items) + "}"
        case Pair(first, second):
            return f"{_show(function, first)}|{_show(function, second)}"
        case Element(register, component):
            return f"{_show(function, register)}.{component}"
        case Negated(of) | NotPredicate(of):
            sign = "-" if isinstance(operand, Negated) else "!"
            return sign + _show(function, of)
        case TupleAddress(parts):
            return "[" + " ".join(_show(function, part) for part in parts) + "]"
        case Sink():
            return "_"
    raise AssertionError(operand)
