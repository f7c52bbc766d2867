"""The type of a statement's result, where the text does not write it out."""

from __future__ import annotations

from warpmill.analyzer.frontends.llvm import statement as st
from warpmill.analyzer.frontends.llvm.types import (
    VOID,
    IntType,
    Layout,
    StructType,
    Type,
    VectorType,
)


def result_type(template: st.Template, layout: Layout) -> Type | None:
    """The type of a result; None where there is none or it cannot be told."""
    if template.result is None or template.type == VOID:
        return None
    operands = [layout.resolve(o.type) for o in template.operands]
    match template.opcode:
        case "getelementptr":
            return next((t for t in operands if isinstance(t, VectorType)), operands[0])
        case "icmp" | "fcmp":
            left = operands[0]
            return (
                VectorType(left.count, IntType(1)) if isinstance(left, VectorType) else IntType(1)
            )
        case "atomicrmw":
            return operands[1]
        case "cmpxchg":
            return StructType((operands[1], IntType(1)))
        case "insertelement":
            return operands[0]
        case "extractelement" if isinstance(operands[0], VectorType):
            return operands[0].element
        case "alloca":
            return None
    return template.type
