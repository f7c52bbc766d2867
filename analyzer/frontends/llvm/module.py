"""A module of the IR from a module's text: the front-end's entry point."""

from __future__ import annotations

import re
from collections.abc import Callable, Set
from dataclasses import dataclass, field, replace

from warpmill.analyzer.base.diagnostics import Diagnostic, InputError, Severity, Source, Span, at
from warpmill.analyzer.frontends.llvm.context import ModuleContext
from warpmill.analyzer.frontends.llvm.function import LoweredBody, lower_function
from warpmill.analyzer.frontends.llvm.globals import (
    ParsedGlobal,
    find_aliases,
    make_variable,
    parse_globals,
)
from warpmill.analyzer.frontends.llvm.metadata import (
    FIELD,
    DebugLines,
    LoopHints,
    compiler_version,
    debug_files,
    launch_bounds,
)
from warpmill.analyzer.frontends.llvm.parameters import with_copies
from warpmill.analyzer.frontends.llvm.prepared_text import (
    Checked,
    check_text,
    needs_promotion,
    printed,
    promote,
    refusal,
    rewritten,
    too_deep,
    upgraded,
)
from warpmill.analyzer.frontends.llvm.syntax import SyntaxFault, parse_type
from warpmill.analyzer.frontends.llvm.text import (
    FunctionText,
    NotCanonical,
    ScannedModule,
    scan_module,
    split_body,
)
from warpmill.analyzer.frontends.llvm.types import (
    GpuTarget,
    Type,
    Unsupported,
    find_target,
    make_layout,
)
from warpmill.analyzer.ir.kernel import Declaration, Function, Kernel, Module, Variable
from warpmill.analyzer.ir.types import TYPES, Space

IMPLEMENTATION_PREFIX = "__clang_ocl_kern_imp_"
_LOCAL = re.compile(r'%(?:[-\w.$]+|"[^"]*")')


def read_module(
    source: Source, kernel: str | None, strict: bool
) -> tuple[Module, tuple[Diagnostic, ...], Source]:
    """Verify a module's text and lower one kernel, or all; give the text that spans point into.

    A derived text is LLVM's print of a module that it verified: that is not done again.
    Raise InputError where LLVM refuses the text or the kernel is not there.
    """
    source, checked = _checked(source)
    try:
        return _lower_printed_anew(source, checked, kernel, strict)
    except RecursionError:
        raise too_deep(source) from None


def _lower_printed_anew(
    source: Source, checked: Checked, kernel: str | None, strict: bool
) -> tuple[Module, tuple[Diagnostic, ...], Source]:
    """Lower a text; one that is not laid out as LLVM does it is printed first."""
    try:
        return _lower(source, checked, kernel, strict)
    except NotCanonical:
        source = printed(source)
    try:
        return _lower(source, check_text(source), kernel, strict)
    except NotCanonical as error:
        message = f"the layout of this text is not understood: {error}"
        raise refusal(source.name, message) from None


def _checked(source: Source) -> tuple[Source, Checked]:
    """A text that LLVM has verified, and what it sees in it; what it printed it has verified.

    What an older LLVM wrote in another way is written anew, what a newer one does where it is
    refused. So is debug information: cut down to lines, or left out, which is then remarked.
    """
    if source.derived:
        return promote(source) if needs_promotion(source.text) else (source, Checked())
    source = without_inrange(upgraded(source))
    try:
        found = _verified(source)
    except InputError as error:
        return _otherwise(source, error)
    return found if not found[1].remark else _with_lines(source, found)


def _with_lines(source: Source, found: tuple[Source, Checked]) -> tuple[Source, Checked]:
    """The same with lines where LLVM left all debug information out, if they alone are valid."""
    try:
        lines = _verified(lines_only(source))
    except InputError:
        return found
    return found if lines[1].remark else lines


def _otherwise(source: Source, error: InputError) -> tuple[Source, Checked]:
    """The same of a text that LLVM refuses as it is written; raise InputError where none helps."""
    newer = rewritten(source)
    if newer is not source:
        try:
            return _verified(newer)
        except InputError as of_newer:
            error = of_newer
    if not is_about_debugging(newer, error):
        raise error
    try:
        return _verified(lines_only(newer))
    except InputError:
        source, checked = _verified(without_debugging(newer))
    return source, replace(checked, remark=error.diagnostics[0].message)


def _verified(source: Source) -> tuple[Source, Checked]:
    """Promotion of stack slots verifies the text as well."""
    return promote(source) if needs_promotion(source.text) else (source, check_text(source))


def kernels_of(text: ScannedModule) -> tuple[FunctionText, ...]:
    """The kernels of a module, in order."""
    return tuple(f for f in text.functions.values() if f.is_kernel)


def _chosen(text: ScannedModule, name: str | None) -> tuple[FunctionText, ...]:
    kernels = kernels_of(text)
    if not kernels:
        raise InputError(_no_kernel(text))
    if name is None:
        return kernels
    found = tuple(k for k in kernels if k.name == name)
    if not found:
        known = ", ".join(k.name for k in kernels)
        message = f"there is no kernel `{name}`"
        raise refusal(text.source.name, message, f"kernels here: {known}")
    return found


def _no_kernel(text: ScannedModule) -> Diagnostic:
    hint = "kernels have the calling convention ptx_kernel, spir_kernel or amdgpu_kernel"
    message = "there is no kernel in this module"
    functions = [*text.functions.values(), *text.declarations.values()]
    if not functions:
        return Diagnostic(Severity.ERROR, message, text.source.name, hint=hint)
    return at(text.source, functions[0].span, Severity.ERROR, message, hint)


def _lower(
    source: Source, checked: Checked, kernel: str | None, strict: bool
) -> tuple[Module, tuple[Diagnostic, ...], Source]:
    text = scan_module(source)
    if checked.instructions is not None and checked.instructions.keys() != text.functions.keys():
        raise NotCanonical("functions stand where none are seen")
    chosen = _chosen(text, kernel)
    context = _context(text, chosen[0], strict)
    if checked.remark:
        words = f"LLVM leaves debug information out: {checked.remark}"
        context.diagnostics.append(Diagnostic(Severity.NOTE, words, source.name))
    kernels = tuple(_kernel(context, checked, f) for f in chosen)
    named = _named_by(context, checked, {kernel.name for kernel in kernels})
    attributes = text.attributes(chosen[0])
    module = Module(
        name=source.name,
        target=context.target.chip_name(attributes, text.triple),
        version=compiler_version(text),
        address_bits=context.layout.pointer_width(0),
        warp_size=context.warp_size,
        kernels=kernels,
        functions=(*context.assembly.values(), *named.functions.values()),
        variables=tuple(named.variables[n] for n in text.variables if n in named.variables),
        declarations=tuple(named.declarations.values()),
        debug_files=debug_files(text),
    )
    return module, tuple(context.diagnostics), source


def _context(text: ScannedModule, first: FunctionText, strict: bool) -> ModuleContext:
    target = _target(text)
    names = frozenset(text.types)
    layout = make_layout(text.datalayout, target.address_bits, _named_types(text, names))
    for space in range(6):  # beyond, AMD has pointers to buffers, of 128 to 192 bits
        if layout.pointer_width(space) not in (32, 64):
            words = f"pointers of address space {space} have {layout.pointer_width(space)} bits"
            message = f"{words}: those of GPUs have 32 or 64"
            raise InputError(_at_head(text, "target datalayout", message))
    return ModuleContext(
        text=text,
        target=target,
        layout=layout,
        debug=DebugLines(text),
        strict=strict,
        warp_size=target.lanes(text.attributes(first)),
        type_names=names,
        aliases=find_aliases(text.variables),
        loops=LoopHints(text.metadata),
    )


def _target(text: ScannedModule) -> GpuTarget:
    target = find_target(text.triple)
    if target is None:
        message = f"`{text.triple}` is no GPU target that is known here"
        hint = "known are nvptx, amdgcn, spir and spirv triples"
        raise InputError(_at_head(text, "target triple", message, hint))
    return target


def _at_head(text: ScannedModule, start: str, message: str, hint: str | None = None) -> Diagnostic:
    """An error at the line of the module's head that begins so."""
    line = next((n for n, s in enumerate(text.source.lines, 1) if s.startswith(start)), 1)
    span = Span(line, 1, len(text.source.line(line)) + 1)
    return at(text.source, span, Severity.ERROR, message, hint)


def _named_types(text: ScannedModule, names: frozenset[str]) -> dict[str, Type]:
    found = {}
    for name, body in text.types.items():
        try:
            type_ = parse_type(body, names)
        except SyntaxFault:
            continue
        if type_ is not None:
            found[name] = type_
    return found


def _lowered(context: ModuleContext, checked: Checked, function: FunctionText) -> LoweredBody:
    count = None if checked.instructions is None else checked.instructions[function.name]
    return lower_function(context, function, count)


def _kernel(context: ModuleContext, checked: Checked, function: FunctionText) -> Kernel:
    body = _lowered(context, checked, _implementation(context.text, function))
    kernel = Kernel(
        name=function.name,
        parameters=tuple(body.frame.parameters),
        registers=body.registers,
        blocks=body.blocks,
        span=function.span,
        variables=tuple(body.frame.variables),
        bounds=launch_bounds(context.text, function),
    )
    return with_copies(kernel, are_private=context.target.space(0) is Space.LOCAL)


def _implementation(text: ScannedModule, kernel: FunctionText) -> FunctionText:
    """The body of an OpenCL kernel that clang put into a function of its own.

    The kernel is then nothing but a call that passes its parameters on as they are.
    """
    name = IMPLEMENTATION_PREFIX + kernel.name
    other = text.functions.get(name)
    if other is None:
        return kernel
    (block, *more) = split_body(text.source, kernel)
    texts = [s.text for s in block.statements]
    is_wrapper = not more and len(texts) == 2 and f"@{name}(" in texts[0] and texts[1] == "ret void"
    if not is_wrapper or _LOCAL.findall(texts[0]) != _LOCAL.findall(kernel.header):
        return kernel
    return FunctionText(
        other.name, other.header, other.tail, other.span, other.first, other.last, is_kernel=True
    )


@dataclass
class _Named:
    """Symbols that lowered code and initialisers refer to, by name."""

    functions: dict[str, Function] = field(default_factory=dict)
    declarations: dict[str, Declaration] = field(default_factory=dict)
    variables: dict[str, Variable] = field(default_factory=dict)


def _named_by(context: ModuleContext, checked: Checked, kernels: Set[str]) -> _Named:
    """All that ``kernels`` name, and what that names in turn; they themselves are there already."""
    text, found = context.text, _Named()
    parsed = dict(parse_globals(text.variables, context.type_names))
    seen = set(kernels)
    while new := [name for name in context.referenced if name not in seen]:
        seen.update(new)
        for name in new:
            if name in text.functions:
                found.functions[name] = _function(context, checked, text.functions[name])
            elif name in text.declarations:
                found.declarations[name] = Declaration(name)
            elif name in parsed:
                found.variables[name] = _variable(context, name, parsed[name])
            elif name in text.variables:
                found.declarations[name] = _odd(context, name)
    return found


def _function(context: ModuleContext, checked: Checked, text: FunctionText) -> Function:
    body = _lowered(context, checked, text)
    return Function(
        name=text.name,
        parameters=tuple(body.frame.parameters),
        registers=body.registers,
        blocks=body.blocks,
        span=text.span,
        variables=tuple(body.frame.variables),
        returns=tuple(body.frame.returns),
    )


def _odd(context: ModuleContext, name: str) -> Declaration:
    """Declaration for a symbol that is no variable: alias of a computed address, or ``ifunc``."""
    span = context.text.variables[name][1]
    context.warn(span, f"what `{name}` is an address of is not known")
    return Declaration(name)


def _variable(context: ModuleContext, name: str, parsed: ParsedGlobal) -> Variable:
    try:
        return make_variable(context, name, parsed)
    except Unsupported as reason:
        context.warn(parsed.span, f"the variable's initialiser or type: {reason}")
    space = context.target.space(parsed.variable.space)
    return Variable(name, space, TYPES["b8"], None, parsed.align or 1, (None,), span=parsed.span)


# ``inrange`` before an index of a constant address, as LLVM 18 and older printed it, left out.
#
# Tables of virtual functions have it. It says how far the address may be moved, which nothing here
# asks for; LLVM 19 and newer write two bounds instead, and refuse the word. Blanks stand in its
# place, so that lines and columns stay what they are in the file.

_WORD = re.compile(r'"[^"]*"|;.*|(?<=,)\s+(?P<word>inrange)(?=\s+i\d)')


def without_inrange(source: Source) -> Source:
    """The same module without the word; ``source`` itself where it has none."""
    if "inrange" not in source.text:
        return source
    text = "\n".join(map(_line, source.text.split("\n")))
    return source if text == source.text else Source(source.name, text, source.derived)


def _line(line: str) -> str:
    if "inrange" not in line:
        return line
    return _WORD.sub(lambda found: " " * len(found[0]) if found["word"] else found[0], line)


# Debug information of another version of LLVM, cut down to what tells lines.
#
# Its nodes name calling conventions, languages, operations and flags by words that come and go
# with versions; a word that the LLVM at hand does not know makes it refuse the module. Files,
# functions, blocks and locations tell the lines of statements, and their fields that matter here
# are those of every version. The rest becomes empty nodes. Lines keep their numbers; columns in
# nodes move.

_NODE = re.compile(r"(!\d+ = (?:distinct )?)!(DI\w+|GenericDINode)\b\((.*)\)")
_OF_VARIABLES = re.compile(r"""\s*(?:\#dbg_|(?:tail )?call void @"?llvm\.dbg\.)""")
_ATTACHED = re.compile(r",? !(?:dbg|DIAssignID) !(?:\d+|DI\w+\([^()]*\))")
_ABOUT = re.compile(r"![\w.]+ = .*!(?:DI\w+|GenericDINode)\b|.*!DI\w+\(|\s*#dbg_")
_KEPT = {
    "DILocation": (("line", "column", "scope", "inlinedAt"), ""),
    "DIFile": (("filename", "directory"), ""),
    "DICompileUnit": (("file",), "language: DW_LANG_C99, emissionKind: LineTablesOnly"),
    "DISubprogram": (("name", "file", "line", "unit"), "spFlags: DISPFlagDefinition"),
    "DILexicalBlock": (("scope", "file", "line", "column"), ""),
    "DILexicalBlockFile": (("scope", "file"), "discriminator: 0"),
}
"""Kinds of nodes that lead from a statement to its line: the fields that do, and what else each has
to have."""


def is_about_debugging(source: Source, error: InputError) -> bool:
    """Whether LLVM's complaint points to debug information."""
    span = error.diagnostics[0].span
    return span is not None and _ABOUT.match(source.line(span.line)) is not None


def lines_only(source: Source) -> Source:
    """The same module with nothing but the lines of its debug information."""
    return _each_line(source, _to_lines)


def without_debugging(source: Source) -> Source:
    """The same module without debug information."""
    return _each_line(source, _to_nothing)


def _each_line(source: Source, change: Callable[[str], str]) -> Source:
    return Source(source.name, "\n".join(map(change, source.text.split("\n"))), derived=True)


def _to_lines(line: str) -> str:
    found = _NODE.match(line)
    if found is not None:
        return f"{found[1]}{_reduced(found[2], found[3])}"
    if _OF_VARIABLES.match(line):
        return ""
    return _ATTACHED.sub("", line) if line.startswith(("@", "declare ")) else line


def _reduced(kind: str, text: str) -> str:
    """A node with the fields that tell lines; an empty one where it tells none."""
    names, more = _KEPT.get(kind, ((), ""))
    fields = dict(FIELD.findall(text))
    if not names or (kind == "DISubprogram" and "unit" not in fields):
        return "!{}"
    words = [f"{name}: {fields[name]}" for name in names if name in fields]
    return f"!{kind}({', '.join([*words, more] if more else words)})"


def _to_nothing(line: str) -> str:
    if _NODE.match(line):
        return _NODE.sub(r"\1!{}", line)
    if _OF_VARIABLES.match(line) or line.startswith("!llvm.dbg.cu"):
        return ""
    return _ATTACHED.sub("", line)
