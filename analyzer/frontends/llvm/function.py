"""One function: from the text of its body to blocks of the IR, with the branches that end them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from warpmill.analyzer.frontends.llvm import calls, memory, operations
from warpmill.analyzer.frontends.llvm import statement as st
from warpmill.analyzer.frontends.llvm.context import Builder, ModuleContext, is_predicate
from warpmill.analyzer.frontends.llvm.launch_reads import LaunchReads, reads_structures
from warpmill.analyzer.frontends.llvm.memory import Bound, infer_spaces
from warpmill.analyzer.frontends.llvm.parameters import (
    FunctionFrame,
    is_dynamic_slot,
    lay_out,
    lower_dynamic_slot,
)
from warpmill.analyzer.frontends.llvm.plans import Planner, StatementPlan
from warpmill.analyzer.frontends.llvm.syntax import SyntaxFault, parse_header
from warpmill.analyzer.frontends.llvm.text import (
    FunctionText,
    NotCanonical,
    StatementText,
    TextBlock,
    split_body,
    unquoted,
)
from warpmill.analyzer.frontends.llvm.types import (
    VOID,
    DataLayout,
    IntType,
    StructType,
    Type,
    Unsupported,
    VectorType,
    data_table,
)
from warpmill.analyzer.frontends.llvm.values import BlockEnds, Lowering, OperandValues
from warpmill.analyzer.frontends.llvm.word_values import is_odd
from warpmill.analyzer.ir.kernel import (
    Block,
    EdgeCopies,
    Guard,
    Imm,
    Instruction,
    Operand,
    Reg,
    Register,
    Vector,
)

# Lowering of what ends a block.


def block_of(low: Lowering, label: st.Name) -> int:
    """The id of a block by its label's name."""
    text = low.values.name(label)[1:]
    if text not in low.labels:
        raise Unsupported(f"the label %{text}")
    return low.labels[text]


def lower_branch(low: Lowering, template: st.Template) -> None:
    """``br``: the false successor is the one that falls through."""
    targets = [block_of(low, label) for label in template.labels]
    if not template.operands:
        low.emit("bra", targets=(targets[0],))
        return
    condition = low.values.scalar(template.operands[0])
    guard = Guard(low.builder.predicate(condition))  # both edges stay, also of a constant
    low.emit("bra", guard=guard, targets=(targets[0],))
    low.fallthrough = targets[1]


def lower_switch(low: Lowering, template: st.Template) -> None:
    """``switch``: the default is the one that falls through."""
    value, *cases = template.operands
    default, *targets = (block_of(low, label) for label in template.labels)
    if not cases:
        low.emit("bra", targets=(default,))
        return
    leaf = low.layout.leaf(value.type)
    numbers = [low.values.integer(case) for case in cases]
    if is_odd(low, leaf):
        mask = (1 << low.layout.scalar_bits(leaf)) - 1
        numbers = [None if n is None else n & mask for n in numbers]
    operand = low.values.scalar(value)
    if is_predicate(leaf):
        operand = low.builder.resized(operand, leaf, 32)
        numbers = [None if n is None else n & 1 for n in numbers]
    width = max(low.module.width(leaf), 8) if not is_predicate(leaf) else 32
    immediates = tuple(Imm(n) for n in numbers if n is not None)
    if len(immediates) != len(targets):
        raise Unsupported("a case that is no constant")
    low.emit(f"switch.s{width}", operand, *immediates, targets=tuple(targets))
    low.fallthrough = default


def lower_indirect_branch(low: Lowering, template: st.Template) -> None:
    """``indirectbr``: a jump to one of the blocks, said not to be known which."""
    message = "`indirectbr`: which block an address names is not known, any of them may follow"
    low.module.warn(low.builder.span, message)
    operand = low.values.scalar(template.operands[0])
    targets = dict.fromkeys(block_of(low, label) for label in template.labels)
    if not targets:
        low.emit("unreachable")
        return
    operand = low.builder.resized(operand, low.layout.leaf(template.operands[0].type), 32)
    low.emit("brx.idx", operand, targets=tuple(targets))


def lower_return(low: Lowering, template: st.Template) -> None:
    """``ret``: a device function's result is moved to where its caller finds it."""
    for value in template.operands:
        for to, part in zip(low.returns, low.values.parts(value, symbols=True), strict=True):
            low.builder.move(to, part)
    low.emit("ret")


def lower_unreachable(low: Lowering, template: st.Template) -> None:  # noqa: ARG001 - a handler takes both
    """``unreachable``."""
    low.emit("unreachable")


_TABLE = data_table("instructions.toml")
_LABEL = re.compile(r'label %([-\w.$]+|"[^"]*")')
_BIT_CASTS = ("ptrtoint", "ptrtoaddr", "inttoptr", "bitcast", "addrspacecast")
_HANDLERS: dict[str, Callable[[Lowering, st.Template], None]] = {
    **dict.fromkeys((*_TABLE["binary"], "frem"), operations.lower_binary),
    **dict.fromkeys((*_TABLE["cast"], *_BIT_CASTS), operations.lower_cast),
    "fneg": operations.lower_unary,
    "freeze": operations.lower_unary,
    "icmp": operations.lower_compare,
    "fcmp": operations.lower_compare,
    "select": operations.lower_select,
    "extractelement": operations.lower_extract_element,
    "insertelement": operations.lower_insert_element,
    "shufflevector": operations.lower_shuffle,
    "extractvalue": operations.lower_extract_value,
    "insertvalue": operations.lower_insert_value,
    "load": memory.lower_load,
    "store": memory.lower_store,
    "atomicrmw": memory.lower_atomic,
    "cmpxchg": memory.lower_compare_exchange,
    "fence": memory.lower_fence,
    "getelementptr": memory.lower_gep,
    "call": calls.lower_call,
    "alloca": lower_dynamic_slot,
    "br": lower_branch,
    "switch": lower_switch,
    "indirectbr": lower_indirect_branch,
    "ret": lower_return,
    "unreachable": lower_unreachable,
}  # fmt: skip


@dataclass(frozen=True)
class LoweredBody:
    """Lowered text of a function."""

    frame: FunctionFrame
    registers: tuple[Register, ...]
    blocks: tuple[Block, ...]


class _Line(NamedTuple):
    """A statement with its plan, and the texts of its slots."""

    text: StatementText
    plan: StatementPlan
    texts: Sequence[str]


@dataclass
class _OpenBlock:
    label: str
    lines: list[_Line]
    out: list[Instruction]
    fallthrough: int | None = None
    cut_short: bool = False


def lower_function(module: ModuleContext, function: FunctionText, count: int | None) -> LoweredBody:
    """Lower a function's body. ``count`` is how many instructions LLVM sees in it, if it was asked.

    Raise NotCanonical where the text is not laid out as LLVM prints it: print it and try again.
    """
    header, texts = _header(module, function)
    planner = _planner(module)
    blocks = [_parse_block(planner, block) for block in split_body(module.source, function)]
    if count is not None and sum(len(block.lines) for block in blocks) != count:
        raise NotCanonical(function.name)
    return _FunctionLowering(module, function, header, texts, blocks).run()


def _header(
    module: ModuleContext, function: FunctionText
) -> tuple[st.FunctionHeader, tuple[str, ...]]:
    try:
        return parse_header(function.header, module.type_names)
    except SyntaxFault as fault:
        module.warn(function.span, f"the parameters are not understood: {fault}")
        return st.FunctionHeader(VOID, 0, (), ()), (f"@{function.name}",)


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
        header: st.FunctionHeader,
        texts: tuple[str, ...],
        blocks: list[_OpenBlock],
    ) -> None:
        self.module = module
        self.blocks = blocks
        self.builder = Builder(module, function.span)
        self.frame = FunctionFrame()
        self.values = OperandValues(self.builder, self.frame.spaces, self.frame.symbols)
        self.values.texts = texts
        blocks[0].label = blocks[0].label or _implicit_label(header, texts)
        lay_out(self.frame, self.values, function, header)
        labels = {block.label: number for number, block in enumerate(blocks)}
        self.low = Lowering(self.builder, self.values, labels)
        self.low.returns = tuple(r for p in self.frame.returns if (r := p.register) is not None)

    def run(self) -> LoweredBody:
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
        return LoweredBody(
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
        """Replace the statements' own plans by what ``LaunchReads`` finds."""
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
            predecessor = block_of(self.low, label)
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


def _implicit_label(header: st.FunctionHeader, texts: tuple[str, ...]) -> str:
    """The entry's number where it is not written: the first after the unnamed parameters."""
    names = (texts[p.name] if isinstance(p.name, int) else p.name for p in header.parameters)
    return str(sum(name is None or name[1:].isdigit() for name in names))


# The type of a statement's result, where the text does not write it out.


def result_type(template: st.Template, layout: DataLayout) -> Type | None:
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
