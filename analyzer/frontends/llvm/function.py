"""One function: from the text of its body to blocks of the IR."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from warpmill.analyzer.frontends.llvm import atomics, calls, control, memory, scalars, vectors
from warpmill.analyzer.frontends.llvm import statement as st
from warpmill.analyzer.frontends.llvm.builder import Builder
from warpmill.analyzer.frontends.llvm.context import ModuleContext
from warpmill.analyzer.frontends.llvm.launch_reads import LaunchReads, reads_structures
from warpmill.analyzer.frontends.llvm.lowering import BlockEnds, Lowering
from warpmill.analyzer.frontends.llvm.parameters import (
    Frame,
    is_dynamic_slot,
    lay_out,
    lower_dynamic_slot,
)
from warpmill.analyzer.frontends.llvm.plans import Plan, Planner
from warpmill.analyzer.frontends.llvm.spaces import Bound, infer_spaces
from warpmill.analyzer.frontends.llvm.syntax import SyntaxFault, parse_header
from warpmill.analyzer.frontends.llvm.target import data_table
from warpmill.analyzer.frontends.llvm.text import (
    FunctionText,
    NotCanonical,
    Statement,
    TextBlock,
    split_body,
    unquoted,
)
from warpmill.analyzer.frontends.llvm.types import (
    VOID,
    IntType,
    Layout,
    StructType,
    Type,
    Unsupported,
    VectorType,
)
from warpmill.analyzer.frontends.llvm.values import Values
from warpmill.analyzer.ir.kernel import (
    Block,
    EdgeCopies,
    Imm,
    Instruction,
    Operand,
    Reg,
    Register,
    Vector,
)

_TABLE = data_table("instructions.toml")
_LABEL = re.compile(r'label %([-\w.$]+|"[^"]*")')
_BIT_CASTS = ("ptrtoint", "ptrtoaddr", "inttoptr", "bitcast", "addrspacecast")
_HANDLERS: dict[str, Callable[[Lowering, st.Template], None]] = {
    **dict.fromkeys((*_TABLE["binary"], "frem"), scalars.lower_binary),
    **dict.fromkeys((*_TABLE["cast"], *_BIT_CASTS), scalars.lower_cast),
    "fneg": scalars.lower_unary,
    "freeze": scalars.lower_unary,
    "icmp": scalars.lower_compare,
    "fcmp": scalars.lower_compare,
    "select": scalars.lower_select,
    "extractelement": vectors.lower_extract_element,
    "insertelement": vectors.lower_insert_element,
    "shufflevector": vectors.lower_shuffle,
    "extractvalue": vectors.lower_extract_value,
    "insertvalue": vectors.lower_insert_value,
    "load": memory.lower_load,
    "store": memory.lower_store,
    "atomicrmw": atomics.lower_atomic,
    "cmpxchg": atomics.lower_compare_exchange,
    "fence": memory.lower_fence,
    "getelementptr": memory.lower_gep,
    "call": calls.lower_call,
    "alloca": lower_dynamic_slot,
    "br": control.lower_branch,
    "switch": control.lower_switch,
    "indirectbr": control.lower_indirect_branch,
    "ret": control.lower_return,
    "unreachable": control.lower_unreachable,
}  # fmt: skip


@dataclass(frozen=True)
class Body:
    """What a function's text became."""

    frame: Frame
    registers: tuple[Register, ...]
    blocks: tuple[Block, ...]


class _Line(NamedTuple):
    """A statement with its plan, and the texts of its slots."""

    text: Statement
    plan: Plan
    texts: Sequence[str]


@dataclass
class _OpenBlock:
    label: str
    lines: list[_Line]
    out: list[Instruction]
    fallthrough: int | None = None
    cut_short: bool = False


def lower_function(module: ModuleContext, function: FunctionText, count: int | None) -> Body:
    """Lower a function's body. ``count`` is how many instructions LLVM sees in it, if it was asked.

    Raise NotCanonical where the text is not laid out as LLVM prints it: print it and try again.
    """
    header, texts = _header(module, function)
    planner = _planner(module)
    blocks = [_parse_block(planner, block) for block in split_body(module.source, function)]
    if count is not None and sum(len(block.lines) for block in blocks) != count:
        raise NotCanonical(function.name)
    return _FunctionLowering(module, function, header, texts, blocks).run()


def _header(module: ModuleContext, function: FunctionText) -> tuple[st.Header, tuple[str, ...]]:
    try:
        return parse_header(function.header, module.type_names)
    except SyntaxFault as fault:
        module.warn(function.span, f"the parameters are not understood: {fault}")
        return st.Header(VOID, 0, (), ()), (f"@{function.name}",)


def _planner(module: ModuleContext) -> Planner:
    """The module's planner, made for its first function."""
    if not isinstance(module.planner, Planner):
        module.planner = Planner(module)
    return module.planner


def _parse_block(planner: Planner, block: TextBlock) -> _OpenBlock:
    lines = [_Line(s, *planner.plan(s.text)) for s in block.statements]
    return _OpenBlock(block.label, lines, [])


class _FunctionLowering:
    """Walks a function's blocks: first all instructions, then the copies that φs are."""

    def __init__(
        self,
        module: ModuleContext,
        function: FunctionText,
        header: st.Header,
        texts: tuple[str, ...],
        blocks: list[_OpenBlock],
    ) -> None:
        self.module = module
        self.blocks = blocks
        self.builder = Builder(module, function.span)
        self.frame = Frame()
        self.values = Values(self.builder, self.frame.spaces, self.frame.symbols)
        self.values.texts = texts
        blocks[0].label = blocks[0].label or _implicit_label(header, texts)
        lay_out(self.frame, self.values, function, header)
        labels = {block.label: number for number, block in enumerate(blocks)}
        self.low = Lowering(self.builder, self.values, labels)
        self.low.returns = tuple(r for p in self.frame.returns if (r := p.register) is not None)

    def run(self) -> Body:
        """Lower everything."""
        self.builder.out = self.blocks[0].out
        self.frame.load_parameters(self.low)
        lines = [line for block in self.blocks for line in block.lines]
        for line in lines:
            if line.plan.template.opcode == "alloca":
                self._enter(line)
                self.frame.add_slot(self.low, line.plan.template, line.text.span)
        carriers = [Bound(line.plan.template, line.texts) for line in lines if line.plan.carries]
        self.values.spaces = infer_spaces(carriers, self.frame.spaces, self.values)
        self._find_launch_reads(lines)
        for block in self.blocks:
            self._lower_block(block)
        incoming = [self._incoming(block) for block in self.blocks]
        return Body(
            self.frame,
            tuple(self.builder.registers),
            tuple(
                Block(
                    number,
                    unquoted(b.label),
                    tuple(b.out),
                    b.fallthrough,
                    incoming[number],
                    self.module.loops.words(b.lines[-1].text.attachments) if b.lines else (),
                )
                for number, b in enumerate(self.blocks)
            ),
        )

    def _find_launch_reads(self, lines: list[_Line]) -> None:
        """Put what ``LaunchReads`` finds in the place of the statements' own plans."""
        if not reads_structures(self.module):
            return
        bound = [Bound(line.plan.template, line.texts) for line in lines]
        runs = iter(LaunchReads(bound, self.values).runs(len(lines)))
        for block in self.blocks:
            for place, (line, run) in enumerate(zip(block.lines, runs, strict=False)):
                if run is not None:
                    block.lines[place] = line._replace(plan=line.plan._replace(run=run))

    def _enter(self, line: _Line) -> None:
        attachments = line.text.attachments
        self.values.texts = line.texts
        self.low.template = line.plan.template
        self.low.attachments = attachments
        self.builder.span = line.text.span
        self.builder.debug = self.module.debug.location(attachments) if attachments else None

    def _lower_block(self, block: _OpenBlock) -> None:
        try:
            self._lower_lines(block)
        except BlockEnds:
            block.cut_short = True

    def _lower_lines(self, block: _OpenBlock) -> None:
        self.builder.out = block.out
        self.low.fallthrough = None
        low, builder, locate = self.low, self.builder, self.module.debug.location
        for line in block.lines:
            (_, attachments, span), plan, texts = line
            if plan.run is None:
                self._lower_slowly(line)
                continue
            self.values.texts, low.template, low.attachments = texts, plan.template, attachments
            builder.span = span
            builder.debug = locate(attachments) if attachments else None
            mark = len(builder.out)
            try:
                plan.run(low, texts)
            except Unsupported as reason:
                del builder.out[mark:]
                self._unknown(line, str(reason))
        block.fallthrough = self.low.fallthrough
        if block.fallthrough is None and not _is_closed(block.out):
            self._close(block)

    def _close(self, block: _OpenBlock) -> None:
        """A block whose last statement is not understood: to all blocks that it names."""
        names = _LABEL.findall(block.lines[-1].text.text) if block.lines else []
        known = dict.fromkeys(self.low.labels[n] for n in names if n in self.low.labels)
        if known:
            self.builder.emit("brx.idx", Imm(0), targets=tuple(known))
        else:
            self.builder.emit("unreachable")

    def _lower_slowly(self, line: _Line) -> None:
        """A statement without a direct way."""
        self._enter(line)
        opcode = line.plan.template.opcode
        if opcode == "phi":
            self._phi_registers(line)
        elif opcode != "alloca" or is_dynamic_slot(self.low, line.plan.template):
            self._lower_line(line)

    def _lower_line(self, line: _Line) -> None:
        template = line.plan.template
        mark = len(self.builder.out)
        try:
            handler = _HANDLERS.get(template.opcode)
            if handler is None:
                raise Unsupported(line.plan.fault or f"`{template.opcode}`")
            handler(self.low, template)
            self._note_odd(template)
        except Unsupported as reason:
            del self.builder.out[mark:]
            self._unknown(line, str(reason))

    def _note_odd(self, template: st.Template) -> None:
        """Integers of other widths than registers have are kept in the next wider one."""
        for operand in template.operands:
            if isinstance(operand.type, IntType):
                width, bits = self.module.width(operand.type), operand.type.bits
                if width > 64:
                    message = f"integers of {bits} bits are kept in words of 64"
                    self.module.note_once(self.builder.span, message)
                elif width != bits:
                    message = f"integers of {bits} bits are kept in {width}"
                    self.module.note_once(self.builder.span, message)

    def _unknown(self, line: _Line, reason: str) -> None:
        """Keep an instruction that is not understood, with the operands that are."""
        template = line.plan.template
        self.module.warn(
            line.text.span,
            f"{reason} is not understood; its operands are kept, its work is unknown",
        )
        mark = len(self.builder.out)
        operands: list[Operand] = []
        for operand in template.operands:
            try:
                operands += self.values.parts(operand)
            except Unsupported:
                continue
        del self.builder.out[mark:]
        results = self._unknown_results(template)
        if not results:
            self.builder.emit("unknown", *operands)
            return
        result = results[0] if len(results) == 1 else Vector(results)
        self.builder.emit(f"unknown.{self.builder.type_of(results[0])}", result, *operands)

    def _unknown_results(self, template: st.Template) -> tuple[Reg, ...]:
        try:
            type_ = result_type(template, self.module.layout)
            return () if type_ is None else self.low.results(type_)
        except Unsupported:
            return ()

    # -- φ
    def _phi_registers(self, line: _Line) -> None:
        """A φ's registers appear where it stands, though its copies are made on the edges."""
        assert line.plan.template.type is not None
        try:
            self.low.results(line.plan.template.type)
        except Unsupported as reason:
            self._unknown(line, str(reason))

    def _incoming(self, block: _OpenBlock) -> tuple[EdgeCopies, ...]:
        copies: dict[int, dict[Reg, Operand]] = {}
        for line in block.lines:
            if line.plan.template.opcode != "phi":
                continue
            self._enter(line)
            try:
                self._copies_of(line.plan.template, copies)
            except Unsupported as reason:
                self.module.warn(line.text.span, f"{reason} is not understood")
        return tuple(
            EdgeCopies(predecessor, tuple(pairs.items()))
            for predecessor, pairs in sorted(copies.items())
        )

    def _copies_of(self, template: st.Template, copies: dict[int, dict[Reg, Operand]]) -> None:
        assert template.type is not None
        results = self.low.results(template.type)
        for value, label in zip(template.operands, template.labels, strict=True):
            predecessor = control.block_of(self.low, label)
            if self.blocks[predecessor].cut_short:
                continue
            self.builder.out = []
            parts = self.low.in_space(value, symbols=True)
            end = self.blocks[predecessor].out
            end[len(end) - 1 : len(end) - 1] = self.builder.out
            pairs = copies.setdefault(predecessor, {})
            pairs.update(zip(results, parts, strict=True))


def _is_closed(out: list[Instruction]) -> bool:
    return bool(out) and (out[-1].is_branch or "ends" in out[-1].operation.effects)


def _implicit_label(header: st.Header, texts: tuple[str, ...]) -> str:
    """The entry's number where it is not written: the first after the unnamed parameters."""
    names = (texts[p.name] if isinstance(p.name, int) else p.name for p in header.parameters)
    return str(sum(name is None or name[1:].isdigit() for name in names))


# The type of a statement's result, where the text does not write it out.


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
