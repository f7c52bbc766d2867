"""Pointers to records in jitted code: ``warp.held_until`` is a word of memory by its name.

A record is a NumPy dtype of 64-bit words, of arrays of them, of narrower numbers and of other
records; it takes whole words. Jitted code sees all numbers with 64 bits, and keeps of those that
go to narrower ones as many as these have. A record is an address and no more in it, so that a
function takes and gives records as it does numbers. numba has a type for records, which compiles a
third slower, and looks at each index of an array in one whether it is negative.

A place is the number of a word, counted on from the first one of a memory that begins with a record
which everything is found from, as the simulator's begins with the GPU's.
"""

# mypy: allow-untyped-calls, allow-untyped-decorators
# numba has no types

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core.imputils import lower_getattr_generic, lower_setattr_generic
from numba.core.typing.templates import AttributeTemplate
from numba.extending import infer_getattr, intrinsic, models, register_model

LINE_BYTES = 64
"""A line of a CPU's caches."""

DType = np.dtype[Any]
Field = str | tuple[str, int | DType]

_number_types: Any = types
_WORD = np.dtype(np.int64)
INT8, INT16, INT32 = np.dtype(np.int8), np.dtype(np.int16), np.dtype(np.int32)
"""Numbers with a sign that are narrower than a word: so many bits."""

_WORDS = _number_types.CPointer(types.int64)
_BYTE, _INT = ir.IntType(8), ir.IntType(64)


def record(*fields: Field) -> DType:
    """Layout of a record: a field is a word, so many words, a narrower number, or a record.

    They stand one behind the other, each at a multiple of its size.
    """
    made: list[Any] = []
    for field in fields:
        name, what = (field, 1) if isinstance(field, str) else field
        if not isinstance(what, int):
            made.append((name, what))
        else:
            made.append((name, _WORD) if what == 1 else (name, _WORD, (what,)))
    return np.dtype(made, align=True)


def lines(*fields: Field) -> DType:
    """Layout of a record that takes whole lines of a CPU's caches, of which many are far apart."""
    layout = record(*fields)
    placed: Any = layout.fields
    size = -(-layout.itemsize // LINE_BYTES) * LINE_BYTES
    formats, offsets = zip(*(field[:2] for field in placed.values()), strict=True)
    return np.dtype(
        {"names": list(placed), "formats": formats, "offsets": offsets, "itemsize": size}
    )


def words_in(layout: DType) -> int:
    """The words of a record."""
    return layout.itemsize // _WORD.itemsize


class _Pointer(types.Type):
    """numba's type of the address of a record; there is one for each layout."""

    def __init__(self, layout: DType) -> None:
        self.layout = layout
        super().__init__(f"record {_numbers.setdefault(layout, len(_numbers))}")


_numbers: dict[DType, int] = {}
"""Numbers of layouts: the names of types are part of the names of all functions that take them."""


@register_model(_Pointer)
class _PointerModel(models.PrimitiveModel):
    def __init__(self, manager: Any, of: Any) -> None:
        super().__init__(manager, of, _BYTE.as_pointer())


@infer_getattr
class _Fields(AttributeTemplate):
    key = _Pointer

    def generic_resolve(self, pointer: Any, name: str) -> Any:  # type: ignore[override] # it may
        """Type of a field: a number, a pointer to words or one to a record. None: no such field."""
        if name not in pointer.layout.fields:
            return None
        found = pointer.layout.fields[name][0]
        if found.fields is not None:
            return _Pointer(found)
        return _WORDS if found.shape else types.int64


def _address(builder: Any, pointer: Any, value: Any, name: str) -> Any:
    offset = ir.Constant(_INT, pointer.layout.fields[name][1])
    return builder.gep(value, [offset])


@lower_getattr_generic(_Pointer)
def _get(_: Any, builder: Any, pointer: Any, value: Any, name: str) -> Any:
    found = pointer.layout.fields[name][0]
    address = _address(builder, pointer, value, name)
    if found.fields is not None:
        return address
    if found.shape:
        return builder.bitcast(address, _INT.as_pointer())
    own = ir.IntType(8 * found.itemsize)
    return builder.sext(builder.load(builder.bitcast(address, own.as_pointer())), _INT)


@lower_setattr_generic(_Pointer)
def _set(_: Any, builder: Any, signature: Any, values: Any, name: str) -> None:
    pointer, (value, number) = signature.args[0], values
    address = _address(builder, pointer, value, name)
    own = ir.IntType(8 * pointer.layout.fields[name][0].itemsize)
    builder.store(builder.trunc(number, own), builder.bitcast(address, own.as_pointer()))


def _moved(builder: Any, first: Any, words: Any) -> Any:
    """The address so many words behind another one."""
    moved = builder.gep(builder.bitcast(first, _INT.as_pointer()), [words])
    return builder.bitcast(moved, _BYTE.as_pointer())


def first_at(layout: DType) -> Any:
    """Jitted function: the record that begins at an address."""

    def at(_: Any, address: Any) -> Any:
        def code(__: Any, builder: Any, ___: Any, values: Any) -> Any:
            return builder.inttoptr(values[0], _BYTE.as_pointer())

        return _Pointer(layout)(address), code

    return intrinsic(at)


def at_place(layout: DType) -> Any:
    """Jitted function of the GPU's record and a place: the record that begins there."""

    def at(_: Any, gpu: Any, __: Any) -> Any:
        def code(___: Any, builder: Any, ____: Any, values: Any) -> Any:
            return _moved(builder, *values)

        return _Pointer(layout)(gpu, types.int64), code

    return intrinsic(at)


def nth_of(table: str, layout: DType) -> Any:
    """Jitted function of the GPU's record and a number: the record of that number in a table.

    ``table`` is the field of the GPU's record that has the table's place.
    """

    def nth(_: Any, gpu: Any, __: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            first = _get(context, builder, signature.args[0], values[0], table)
            behind = builder.mul(values[1], ir.Constant(_INT, words_in(layout)))
            return _moved(builder, values[0], builder.add(first, behind))

        return _Pointer(layout)(gpu, types.int64), code

    return intrinsic(nth)


def nth_from(layout: DType) -> Any:
    """Jitted function of the GPU's record, a place and a number: the record so many behind it."""

    def nth(_: Any, gpu: Any, __: Any, ___: Any) -> Any:
        def code(____: Any, builder: Any, _____: Any, values: Any) -> Any:
            behind = builder.mul(values[2], ir.Constant(_INT, words_in(layout)))
            return _moved(builder, values[0], builder.add(values[1], behind))

        return _Pointer(layout)(gpu, types.int64, types.int64), code

    return intrinsic(nth)


def _place_of(_: Any, gpu: Any, found: Any) -> Any:
    """The place of a record."""

    def code(__: Any, builder: Any, ___: Any, values: Any) -> Any:
        first, own = (builder.ptrtoint(value, _INT) for value in values)
        return builder.ashr(builder.sub(own, first), ir.Constant(_INT, 3), flags=["exact"])

    return types.int64(gpu, found), code


def _words_of(_: Any, gpu: Any) -> Any:
    """All words by their places, for as long as the array that they are of is there."""

    def code(__: Any, builder: Any, ___: Any, values: Any) -> Any:
        return builder.bitcast(values[0], _INT.as_pointer())

    return _WORDS(gpu), code


place_of: Any = intrinsic(_place_of)
words_of: Any = intrinsic(_words_of)


def _prefetch(_: Any, gpu: Any, place: Any) -> Any:
    """Ask for the line of memory that a place is in, as it will soon be read."""

    def code(context: Any, builder: Any, ___: Any, values: Any) -> Any:
        number, pointer = ir.IntType(32), _BYTE.as_pointer()
        type_ = ir.FunctionType(ir.VoidType(), [pointer, number, number, number])
        called = builder.module.declare_intrinsic("llvm.prefetch", (pointer,), type_)
        address = _moved(builder, *values)
        builder.call(called, [address, *(ir.Constant(number, n) for n in (0, 2, 1))])
        return context.get_dummy_value()

    return types.void(gpu, place), code


prefetch: Any = intrinsic(_prefetch)
