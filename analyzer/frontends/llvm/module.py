"""A module of the IR from a module's text: the front-end's main road."""

from __future__ import annotations

import re
from typing import Any

from analyzer.diagnostics import Diagnostic, InputError, Severity, at
from analyzer.frontends.llvm.child import promote
from analyzer.frontends.llvm.context import ModuleContext
from analyzer.frontends.llvm.function import Body, lower_function
from analyzer.frontends.llvm.globals import ParsedGlobal, make_variable, parse_globals
from analyzer.frontends.llvm.metadata import (
    DebugLines,
    compiler_version,
    debug_files,
    launch_bounds,
)
from analyzer.frontends.llvm.newer import rewritten
from analyzer.frontends.llvm.shapes import SyntaxFault, parse_type
from analyzer.frontends.llvm.target import Target, find_target
from analyzer.frontends.llvm.text import (
    FunctionText,
    ModuleText,
    NotCanonical,
    scan_module,
    split_body,
)
from analyzer.frontends.llvm.types import Type, Unsupported, make_layout
from analyzer.frontends.llvm.verify import (
    has_typed_pointers,
    instruction_count,
    needs_promotion,
    parse_text,
    printed,
)
from analyzer.ir.kernel import Declaration, Function, Kernel, Module, Register, Variable
from analyzer.ir.types import TYPES
from analyzer.source import Source, Span

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
    if needs_promotion(source.text):
        source, checked = promote(source), None
    elif has_typed_pointers(source.text):
        source = printed(source)
    try:
        return _lower(source, checked, kernel, strict)
    except NotCanonical:
        source = printed(source)
    try:
        return _lower(source, parse_text(source), kernel, strict)
    except NotCanonical as error:
        message = f"the layout of this text is not understood: {error}"
        raise InputError(Diagnostic(Severity.ERROR, message, source.name)) from None


def _checked(source: Source) -> tuple[Source, Any]:
    """LLVM's view of a text, None of one that LLVM printed; a newer LLVM's text is written anew."""
    if source.derived:
        return source, None
    try:
        return source, parse_text(source)
    except InputError:
        older = rewritten(source)
        if older is source:
            raise
    return older, parse_text(older)


def kernels_of(text: ModuleText) -> tuple[FunctionText, ...]:
    """The kernels of a module, in order."""
    return tuple(f for f in text.functions.values() if f.is_kernel)


def _chosen(text: ModuleText, name: str | None) -> tuple[FunctionText, ...]:
    kernels = kernels_of(text)
    if not kernels:
        raise InputError(_no_kernel(text))
    if name is None:
        return kernels
    found = tuple(k for k in kernels if k.name == name)
    if not found:
        known = ", ".join(k.name for k in kernels)
        message = f"there is no kernel `{name}`"
        raise InputError(
            Diagnostic(Severity.ERROR, message, text.source.name, hint=f"kernels here: {known}")
        )
    return found


def _no_kernel(text: ModuleText) -> Diagnostic:
    hint = "kernels have the calling convention ptx_kernel, spir_kernel or amdgpu_kernel"
    message = "there is no kernel in this module"
    functions = [*text.functions.values(), *text.declarations.values()]
    if not functions:
        return Diagnostic(Severity.ERROR, message, text.source.name, hint=hint)
    return at(text.source, functions[0].span, Severity.ERROR, message, hint)


def _lower(
    source: Source, checked: Any, kernel: str | None, strict: bool
) -> tuple[Module, tuple[Diagnostic, ...], Source]:
    text = scan_module(source)
    if checked is not None and any(
        not f.is_declaration and f.name not in text.functions for f in checked.functions
    ):
        raise NotCanonical("a function is hidden")
    chosen = _chosen(text, kernel)
    context = _context(text, chosen[0], strict)
    kernels = tuple(_kernel(context, checked, f) for f in chosen)
    functions, declarations = _referenced_functions(context, checked)
    variables = _variables(context)
    attributes = text.attributes(chosen[0])
    module = Module(
        name=source.name,
        target=context.target.chip_name(attributes, text.triple),
        version=compiler_version(text),
        address_bits=context.layout.pointer_width(0),
        warp_size=context.warp_size,
        kernels=kernels,
        functions=functions,
        variables=variables,
        declarations=declarations,
        debug_files=debug_files(text),
    )
    return module, tuple(context.diagnostics), source


def _context(text: ModuleText, first: FunctionText, strict: bool) -> ModuleContext:
    target = _target(text)
    names = frozenset(text.types)
    layout = make_layout(text.datalayout, target.address_bits, _named_types(text, names))
    return ModuleContext(
        text=text,
        target=target,
        layout=layout,
        debug=DebugLines(text),
        strict=strict,
        warp_size=target.lanes(text.attributes(first)),
        type_names=names,
    )


def _target(text: ModuleText) -> Target:
    target = find_target(text.triple)
    if target is None:
        message = f"`{text.triple}` is no GPU target that is known here"
        hint = "known are nvptx, amdgcn, spir and spirv triples"
        line = next(
            (n for n, s in enumerate(text.source.lines, 1) if s.startswith("target triple")), 1
        )
        span = Span(line, 1, len(text.source.line(line)) + 1)
        raise InputError(at(text.source, span, Severity.ERROR, message, hint))
    return target


def _named_types(text: ModuleText, names: frozenset[str]) -> dict[str, Type]:
    found = {}
    for name, body in text.types.items():
        try:
            type_ = parse_type(body, names)
        except SyntaxFault:
            continue
        if type_ is not None:
            found[name] = type_
    return found


def _lowered(context: ModuleContext, checked: Any, function: FunctionText) -> Body:
    count = None if checked is None else instruction_count(checked, function.name)
    return lower_function(context, function, count)


def _kernel(context: ModuleContext, checked: Any, function: FunctionText) -> Kernel:
    body = _lowered(context, checked, _implementation(context.text, function))
    return Kernel(
        name=function.name,
        parameters=tuple(body.frame.parameters),
        registers=_registers(body),
        blocks=body.blocks,
        span=function.span,
        variables=tuple(body.frame.variables),
        bounds=launch_bounds(context.text, function),
    )


def _registers(body: Body) -> tuple[Register, ...]:
    return tuple(Register(name, type_) for name, type_ in body.registers)


def _implementation(text: ModuleText, kernel: FunctionText) -> FunctionText:
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


def _referenced_functions(
    context: ModuleContext, checked: Any
) -> tuple[tuple[Function, ...], tuple[Declaration, ...]]:
    """Bodies of the functions that lowered code names, and of those that these name."""
    functions: dict[str, Function] = {}
    declarations: dict[str, Declaration] = {}
    while True:
        new = [n for n in context.referenced if n not in functions and n not in declarations]
        new = [n for n in new if n in context.text.functions or n in context.text.declarations]
        if not new:
            return tuple(functions.values()), tuple(declarations.values())
        for name in new:
            if name in context.text.functions:
                functions[name] = _function(context, checked, context.text.functions[name])
            else:
                declarations[name] = Declaration(name)


def _function(context: ModuleContext, checked: Any, text: FunctionText) -> Function:
    body = _lowered(context, checked, text)
    return Function(
        name=text.name,
        parameters=tuple(body.frame.parameters),
        registers=_registers(body),
        blocks=body.blocks,
        span=text.span,
        variables=tuple(body.frame.variables),
        returns=tuple(body.frame.returns),
    )


def _variables(context: ModuleContext) -> tuple[Variable, ...]:
    """The variables that lowered code names, and those that their initialisers name."""
    parsed = dict(parse_globals(context.text.variables, context.type_names))
    made: dict[str, Variable] = {}
    while True:
        new = [n for n in context.referenced if n in parsed and n not in made]
        if not new:
            return tuple(made[n] for n in context.text.variables if n in made)
        for name in new:
            made[name] = _variable(context, name, parsed[name])


def _variable(context: ModuleContext, name: str, parsed: ParsedGlobal) -> Variable:
    try:
        return make_variable(context, name, parsed)
    except Unsupported as reason:
        context.warn(parsed.span, f"the variable's initialiser or type: {reason}")
    space = context.target.space(parsed.variable.space)
    return Variable(name, space, TYPES["b8"], None, parsed.align or 1, (None,), span=parsed.span)
