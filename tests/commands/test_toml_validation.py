import json
from pathlib import Path
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


ERRORS = json.loads(Path(__file__).with_name("toml_errors.json").read_text("utf-8"))


@pytest.mark.parametrize(("text", "line", "column", "message", "hint"), ERRORS)
def test_each_kind_of_error_in_plain_words_at_its_place(text, line, column, message, hint):
    assert (line, column, message, hint) in problems(text)


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
