"""The form of a launch file: what keys there are and what their values look like."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from warpmill.analyzer.launch.model import CHANNELS

Expression = int | str
"""An integer, or text that ``analyzer.launch.expressions`` computes."""

Dimensions = Expression | Annotated[list[Expression], Field(min_length=1, max_length=3)]
Element = Literal[
    "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "bf16", "f32", "f64", "bool"
]
Shape = Expression | Annotated[list[Expression], Field(min_length=1, max_length=8)]
Seed = Annotated[int, Field(ge=0, lt=1 << 64)]


def _channels(count: int) -> int:
    if count not in CHANNELS:
        raise ValueError("must be 1, 2 or 4")
    return count


Channels = Annotated[int, AfterValidator(_channels)]
"""A literal would take ``true`` for 1."""


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class LaunchForm(_Strict):
    """A ``[[launch]]`` table; the kinds of arguments are told apart later."""

    module: Annotated[str, Field(min_length=1)]
    kernel: Annotated[str, Field(min_length=1)] | None = None
    name: str | None = None
    grid: Dimensions
    block: Dimensions
    shared: Expression = 0
    symbols: dict[str, dict[str, Any]] = {}
    args: list[dict[str, Any]] = []


class FileForm(_Strict):
    """A launch file."""

    sizes: dict[str, Expression] = {}
    launch: Annotated[list[LaunchForm], Field(min_length=1)]


class BufferForm(_Strict):
    """``{ buffer = "f32", shape = ["n"] }``."""

    buffer: Element
    shape: Shape
    init: str | dict[str, Any] = "zeros"
    seed: Seed | None = None
    name: str | None = None
    offset: Expression = 0


class TextureForm(_Strict):
    """``{ texture = "f32", shape = ["n"] }``."""

    texture: Element
    channels: Channels = 1
    shape: Shape
    filter: Literal["point", "linear"] = "point"
    init: str | dict[str, Any] = "zeros"
    seed: Seed | None = None


class RefForm(_Strict):
    """``{ ref = "A", offset = 16 }``."""

    ref: str
    offset: Expression = 0


class NullForm(_Strict):
    """``{ null = true }``."""

    null: Literal[True]


class StructForm(_Strict):
    """``{ struct = [ { f32 = 1.0 }, { i32 = 2 } ] }``."""

    struct: Annotated[list[dict[str, Any]], Field(min_length=1)]


class CsrForm(_Strict):
    """``{ csr = "row_ptr", rows = "n", columns = "n", nnz_per_row = 16 }``."""

    csr: Literal["row_ptr", "col_idx", "values"]
    rows: Expression
    columns: Expression
    nnz_per_row: Expression
