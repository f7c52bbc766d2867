"""Templates of clones: they hold frames, and are given all that they name."""

import re
from pathlib import Path

import jinja2
import pytest

from warpmill.analyzer.ir.operation import operation_table
from warpmill.codegen.emission.preparing import HOST_NAMES
from warpmill.codegen.emission.render import environment, render

ROOT = Path(__file__).parents[2]
TEMPLATES = sorted((ROOT / "codegen" / "templates").rglob("*.j2"))


def test_what_a_template_is_not_given_is_an_error():
    with pytest.raises(jinja2.UndefinedError):
        render("cuda/clone.cu.j2", {})
    with pytest.raises(jinja2.UndefinedError):
        render("ptx/clone.ptx.j2", {"note": ()})
    assert environment().undefined is jinja2.StrictUndefined


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_templates_hold_frames_only(path):
    text = path.read_text(encoding="utf-8")
    tags = re.findall(r"\{%-?\s*(\w+)", text)
    assert set(tags) <= {"for", "endfor"}
    places = re.findall(r"\{\{-?\s*(.*?)\s*-?\}\}", text)
    assert all(re.fullmatch(r"\w+(\.\w+)*", place) for place in places)
    # no word with a dot such as `add.s32` or `st.global`, and no assembly with text of its own
    frame = re.sub(r"\{[{%].*?[%}]\}", "", text)
    dotted = set(re.findall(r"\b([a-z]\w*)\.[a-z]\w*", frame))
    assert dotted & set(operation_table()) == set()
    assert set(re.findall(r"asm volatile\((.*?)\);", frame)) <= {'""', '"" :: "l"()'}


def test_templates_are_there_and_host_names_are_reserved():
    assert len(TEMPLATES) == 3
    text = (ROOT / "codegen/templates/cuda/clone.cu.j2").read_text(encoding="utf-8")
    own = set(re.findall(r"^(?:static \w+|int|struct) (\w+)", text, re.MULTILINE))
    own |= set(re.findall(r"^    std::vector<\w+> (\w+) = ", text, re.MULTILINE))
    assert own == HOST_NAMES
