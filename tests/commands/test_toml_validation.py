from typing import Annotated, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field, field_validator

from warpmill.analyzer.base.diagnostics import InputError, Source
from warpmill.analyzer.base.toml_source import read_toml, validate


class Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")


class Quantity(Strict):
    value: int | float
    source: str


class Model(Strict):
    name: str = ""
    count: Annotated[int, Field(gt=0, le=9)] = 1
    size: int | str = 1
    mode: Literal["point", "linear"] = "point"
    table: dict[str, Quantity] = {}
    items: Annotated[list[Quantity], Field(max_length=2)] = []
    either: float | Quantity = 0.0
    odd: int = 1

    @field_validator("odd")
    @classmethod
    def _is_odd(cls, value: int) -> int:
        if value % 2 == 0:
            raise ValueError(f"{value} is not odd")
        return value


def problems(text, model=Model, path=()):
    with pytest.raises(InputError) as caught:
        validate(read_toml(Source("m.toml", text)), model, path)
    return [(d.span.line, d.span.column, d.message, d.hint) for d in caught.value.diagnostics]


def test_a_good_document_gives_the_model():
    document = read_toml(Source("m.toml", 'count = 3\n[table.x]\nvalue = 1.5\nsource = "s"'))
    model = validate(document, Model)
    assert (model.count, model.table["x"].value) == (3, 1.5)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("nmae = 1", (1, 1, "unknown key `nmae`", "did you mean `name`?")),
        ("count = 'x'", (1, 9, "`count` must be an integer, not text", None)),
        ("count = true", (1, 9, "`count` must be an integer, not true or false", None)),
        ("count = 0", (1, 9, "`count` must be greater than 0", None)),
        ("count = 10", (1, 9, "`count` must be less than or equal to 9", None)),
        (
            "size = 1.5",
            (1, 8, "`size` must be an integer or text, not a floating-point number", None),
        ),
        (
            "size = 1979-05-27",
            (1, 8, "`size` must be an integer or text, not a date or time", None),
        ),
        ("mode = 'pont'", (1, 8, "`mode` must be 'point' or 'linear'", "did you mean `point`?")),
        ("[table.x]\nvalue = 1", (1, 8, "`source` is missing in `x`", None)),
        (
            "[table.x]\nvalue = 1\nsource = 's'\nunit = 1",
            (4, 1, "unknown key `unit`", "known keys: value, source"),
        ),
        ("items = [\n  { value = 1 } ]", (2, 3, "`source` is missing in `items[0]`", None)),
        (
            "items = [{ value = 'a', source = 's' }]",
            (1, 20, "`value` must be a number, not text", None),
        ),
        ("items = 3", (1, 9, "`items` must be an array, not an integer", None)),
        ("items = [3]", (1, 10, "`items[0]` must be a table, not an integer", None)),
        (
            "items = [{}, {}, {}]",
            (1, 9, "`items` must have at most 2 elements, not 3", None),
        ),
        (
            "either = { value = 1, sorce = 's', source = 's' }",
            (1, 23, "unknown key `sorce`", "did you mean `source`?"),
        ),
        ("odd = 4", (1, 7, "4 is not odd", None)),
    ],
)
def test_each_kind_of_error_in_plain_words_at_its_place(text, expected):
    assert expected in problems(text)


def test_a_union_that_fails_inside_gives_only_what_is_inside():
    assert len(problems("either = { value = 1, sorce = 's', source = 's' }")) == 1


def test_all_errors_are_gathered_in_the_order_of_the_file():
    found = problems("odd = 2\ncount = 0\nname = 1\n")
    assert [place[:2] for place in found] == [(1, 7), (2, 9), (3, 8)]


def test_a_part_of_a_document_can_be_checked_alone():
    text = "[a]\n[[a.b]]\nvalue = 1\nsorce = 's'\n"
    assert problems(text, Quantity, ("a", "b", 0)) == [
        (2, 5, "`source` is missing in `b[0]`", None),
        (4, 1, "unknown key `sorce`", "did you mean `source`?"),
    ]


def test_keys_of_any_length_do_not_flood_the_message():
    ((_, _, message, _),) = problems(f"{'k' * 5000} = 1")
    assert len(message) < 100
