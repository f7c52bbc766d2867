"""Texts of PTX and launch files that are wrong, with what is said of them and where.

The files of ``refused/`` hold statements of a kernel, texts of modules, lines of a launch, and
changes of a launch file (``old => new``); expressions also with what they are.
"""

from pathlib import Path

import pytest
from launch_inputs import GOOD, HEAD, KERNEL, MODULE
from text_cases import hold

from warpmill.analyzer.base.diagnostics import InputError, Source
from warpmill.analyzer.frontends.ptx import parse
from warpmill.analyzer.launch import check_launch, load_launches
from warpmill.analyzer.launch.expressions import ExpressionError, evaluate

REFUSED = Path(__file__).parent / "refused"
PTX_HEAD = """.version 8.0
.target sm_90
.address_size 64
.visible .entry k()
{
.reg .pred %p<4>; .reg .b32 %r<10>; .reg .b64 %rd<9>;
"""


def told(refused, *inputs):
    """What is said of an input, each with its place."""
    with pytest.raises(InputError) as caught:
        refused(*inputs)
    for each in caught.value.diagnostics:
        place = each.span and f"{each.span.line}:{each.span.column}-{each.span.end_column} "
        yield (place or "") + each.message
        if each.hint:
            yield f"  help: {each.hint}"


def read_ptx(text):
    parse(Source("k.ptx", text))


@pytest.mark.parametrize("name", ["statements", "modules"])
def test_ptx(name, bless):
    frame = f"{PTX_HEAD}{{}}\n}}\n" if name == "statements" else "{}"

    def outcome(lines):
        return list(told(read_ptx, frame.replace("{}", "\n".join(lines), 1)))

    hold(REFUSED / f"{name}.txt", bless, outcome)


@pytest.mark.parametrize("name", ["launches", "launch_files", "unfit_launches"])
def test_launches(name, bless, tmp_path):
    for module in ("a.ptx", "m.ptx", "temp.npy"):
        (tmp_path / module).touch()
    path = tmp_path / "launch.toml"

    def check():
        (launch,) = load_launches(path)
        if name == "unfit_launches":
            check_launch(launch, MODULE, KERNEL)

    def outcome(lines):
        text = "\n".join(lines)
        if name == "launches":
            path.write_text(HEAD + text)
        else:
            good = HEAD if name == "launch_files" else GOOD
            old, new = text.split(" =>", 1)
            assert old in good
            path.write_text(good.replace(old, new.removeprefix(" "), 1))
        return list(told(check))

    hold(REFUSED / f"{name}.txt", bless, outcome)


def test_expressions(bless):
    def outcome(lines):
        try:
            return [str(evaluate(lines[0], {"n": 1000, "rows": 7, "zero": 0}))]
        except ExpressionError as error:
            told = [f"{error.start}-{error.end} {error.message}"]
            return told + ([f"  help: {error.hint}"] if error.hint else [])

    hold(REFUSED / "expressions.txt", bless, outcome)
