"""Clone models go through JSON and come back equal, but for names of registers."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from warpmill.analyzer.base.diagnostics import InputError
from warpmill.cloning.clone import clone
from warpmill.codegen.model import Random, ScatteredSite, models_of, models_text, without_names
from warpmill.codegen.synthesis.assembly import assemble
from warpmill.session.options import LaunchOptions

SPMV = Path(__file__).parents[2] / "samples" / "spmv" / "launch.toml"


@pytest.fixture(scope="module")
def models():
    sizes = {"rows": 128, "cols": 128}
    return clone(SPMV, launch=LaunchOptions(sizes=sizes)).models


def test_models_come_back_equal(models):
    text = models_text(models)
    back = models_of(text)
    assert back == tuple(map(without_names, models))
    assert models_text(back) == text
    assert any(isinstance(site, ScatteredSite) for site in back[0].sites)
    assert any(isinstance(block.decision, Random) for block in back[0].blocks)


def test_lines_are_indented_by_the_brackets_around_them(models):
    depth = 0
    lines = models_text(models).splitlines()
    for line in lines:
        plain = re.sub(r'"(?:[^"\\\\]|\\\\.)*"', "", line)
        opened, closed = (sum(map(plain.count, pair)) for pair in ("[{", "]}"))
        closes_first = plain.lstrip()[:1] in ("]", "}")
        assert len(line) - len(line.lstrip(" ")) == 2 * (depth - closes_first), line
        depth += opened - closed
    assert depth == 0
    assert max(map(len, lines)) > 80  # short values share a line


def test_what_is_seldom_so_comes_back_too(models):
    """Values side by side, lengths that each run draws, accesses that mostly stay in place."""
    (model,) = models
    seldom = replace(
        model,
        apart=not model.apart,
        loops=tuple(replace(loop, anew=not loop.anew) for loop in model.loops),
        sites=tuple(
            replace(site, fresh=0.25) if isinstance(site, ScatteredSite) else site
            for site in model.sites
        ),
    )
    (back,) = models_of(models_text([seldom]))
    assert back == without_names(seldom)
    assert back != without_names(model)


def test_what_comes_back_is_the_same_code(models):
    (model,) = models_of(models_text(models))
    assert assemble(model) == assemble(models[0])


def test_names_of_registers_do_not_go_in(models):
    assert "%" not in models_text(models)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda data: data.clear(), "no clone models"),
        (lambda data: data.update(clone_models=9), "version 9"),
        (lambda data: data["models"][0].pop("grid"), "grid"),
        (lambda data: data["models"][0].update(extra=1), "has no extra"),
        (lambda data: data["models"][0].update(seed="1"), "'1' is no int"),
        (lambda data: data["models"][0].update(grid=[1, 2]), "no clone model"),
        (lambda data: data["models"][0]["sites"][0].update(kind="Path"), "Path"),
        (lambda data: data["models"][0]["registers"].append(["b9", 1]), "b9"),
        (lambda data: data["models"][0].update(blocks=5), "no list"),
    ],
)
def test_what_is_no_model_is_an_error(models, change, words):
    data = json.loads(models_text(models))
    change(data)
    with pytest.raises(InputError, match=words):
        models_of(json.dumps(data))


def test_what_is_no_json_is_an_error():
    for text in ("", "{", "[" * 100_000, "[]"):
        with pytest.raises(InputError):
            models_of(text)
