"""Functions of the IR: a header, a body, and what the header says about launches."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from warpmill.analyzer.frontends.ptx import forms
from warpmill.analyzer.frontends.ptx.body import read_body
from warpmill.analyzer.frontends.ptx.literals import FaultError
from warpmill.analyzer.frontends.ptx.names import FunctionNames, Scope
from warpmill.analyzer.frontends.ptx.split import Item
from warpmill.analyzer.frontends.ptx.surroundings import Surroundings
from warpmill.analyzer.frontends.ptx.variables import make_parameter
from warpmill.analyzer.ir.kernel import Function, Kernel, LaunchBounds, Parameter

_BOUNDS = frozenset({"maxntid", "reqntid", "minnctapersm", "maxnreg"})
_COUNTED = frozenset({"maxntid", "reqntid", "maxnreg"})


def read_function(
    around: Surroundings, header: forms.Header, item: Item, module_scope: Scope
) -> Function:
    """Make a kernel or a device function; its errors go to the problems."""
    assert item.body is not None
    scope = Scope(FunctionNames(reserved=module_scope.function.taken), module_scope)
    returns = _parameters(around, header.returns, scope, item)
    parameters = _parameters(around, header.parameters, scope, item)
    body = read_body(around, scope, *item.body)
    parts = (
        header.name,
        parameters,
        scope.function.registers,
        body.blocks,
        around.problems.positions.span(item.start, item.end),
        body.variables,
        returns,
        attributes_of(header),
    )
    if not header.is_entry:
        return Function(*parts)
    _check_tuning(around, header, item)
    return Kernel(*parts, bounds=_bounds(header))


def attributes_of(header: forms.Header) -> tuple[str, ...]:
    """Give the words and directives of a header that no other field holds, in order."""
    return tuple(sorted((*header.words, *_tuning_words(header))))


def _parameters(
    around: Surroundings, wanted: tuple[forms.ParameterForm, ...], scope: Scope, item: Item
) -> tuple[Parameter, ...]:
    return tuple(_parameter(around, form, scope, item) for form in wanted)


def _parameter(
    around: Surroundings, form: forms.ParameterForm, scope: Scope, item: Item
) -> Parameter:
    register, symbol = None, None
    if form.is_register:
        register = scope.bind_register(form.name, form.type, form.vector)
    else:
        symbol = scope.declare_symbol(form.name)
    if register is None and symbol is None:
        message = f"parameter `{form.name}` is declared twice"
        around.problems.error(item.start, item.end, message)
    if None in form.dimensions:
        message = f"the size of parameter `{form.name}` is open and counts as 0"
        around.problems.warning(item.start, item.end, message)
    name = form.name if symbol is None else symbol.name
    try:
        return make_parameter(form, name, register)
    except FaultError as fault:
        around.problems.error(item.start, item.end, str(fault))
        return make_parameter(
            replace(form, align=None, pointer=None, dimensions=()), name, register
        )


def _check_tuning(around: Surroundings, header: forms.Header, item: Item) -> None:
    """Refuse counts of threads or registers that no launch can have, as ptxas does."""
    for word, given in header.tuning:
        if word in _COUNTED and not all(0 < int(n) < 1 << 32 for n in given):
            counts = ", ".join(map(str, given))
            message = f"`.{word}` takes counts from 1 to 4294967295, not {counts}"
            around.problems.error(item.start, item.end, message)


def _bounds(header: forms.Header) -> LaunchBounds:
    given = {word: numbers for word, numbers in header.tuning if word in _BOUNDS}
    return LaunchBounds(
        max_threads=_numbers(given.get("maxntid")),
        required_threads=_numbers(given.get("reqntid")),
        min_ctas_per_sm=_first(given.get("minnctapersm")),
        max_registers=_first(given.get("maxnreg")),
    )


def _numbers(given: tuple[int | str, ...] | None) -> tuple[int, ...] | None:
    return None if given is None else tuple(int(n) for n in given)


def _first(given: tuple[int | str, ...] | None) -> int | None:
    return None if given is None else int(given[0])


def _tuning_words(header: forms.Header) -> Iterator[str]:
    """Give the directives that LaunchBounds has no place for: ``maxclusterrank=8``."""
    for word, given in header.tuning:
        if word == "pragma":
            yield from (f"pragma={text}" for text in given)
        elif word not in _BOUNDS:
            yield word if not given else f"{word}={','.join(str(n) for n in given)}"
