"""An application with names that every file takes, and parameters called as nvcc calls them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

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
from warpmill.codegen.emission.naming import Namer, clean_line, clean_name


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
