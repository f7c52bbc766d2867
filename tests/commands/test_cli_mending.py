"""All faults of one command at once, and the command that would do, which does."""

import re
import shlex
from pathlib import Path

import pytest

from warpmill.analyzer.base.diagnostics import Diagnostic, Severity
from warpmill.cli.main import main, mended_command

SAMPLES = Path(__file__).parents[2] / "samples"
VECADD, MATMUL = (str(SAMPLES / n / f"{n}.sm_80.ptx") for n in ("vecadd", "matmul"))
LAUNCH = str(SAMPLES / "vecadd" / "launch.toml")
BUFFER = "--arg buffer=f32:1048576"


def said(capsys, words):
    assert main(shlex.split(words)) == 2
    return capsys.readouterr().err


def tried(capsys, words):
    """The command that is said to do, after it was run."""
    found = said(capsys, words)
    (command,) = re.findall(r"^  = try: warpmill (.*)$", found, re.MULTILINE)
    assert main(shlex.split(command)) == 0, command
    capsys.readouterr()
    return command


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("words", "added"),
    [
        (f"run {VECADD}", f" --grid 4 --block 256 {BUFFER} {BUFFER} {BUFFER} --arg 1024"),
        (f"run {MATMUL} --grid 4", f" --block 16,16 {BUFFER} {BUFFER} {BUFFER} --arg 1024"),
        (f"trace {VECADD} --arg 99", f" --grid 4 --block 256 {BUFFER} {BUFFER} {BUFFER} --arg 99"),
        (f"run {VECADD} --grid 1e3 --block 4096", None),
        (f"run {VECADD} -k vecad --grid=4 --block 32,64", None),
        (f"run {VECADD} --grid 4 --block 32 {BUFFER} --arg f64=1 {BUFFER} --arg x", None),
        (f"estimate {VECADD} --grid 4 -k vecad -m a101,h100 --arg 7", None),
        (f"profile {LAUNCH} --size n=4096 -m v1000", " --machine v100"),
    ],
)  # fmt: skip
def test_the_command_that_is_said_to_do_does(capsys, words, added):
    command = tried(capsys, words)
    if added is not None:
        assert command == f"{words.split(' --arg')[0]}{added}".replace(" -m v1000", "")


def test_all_that_is_wrong_is_said(capsys):
    found = said(capsys, f"estimate {VECADD} --grid 1e3 -k vecad -m a101 --arg x --assume y")
    for words in (
        "there is no machine `a101`", "--assume y: this is not of the form", "no kernel vecad",
        "needs --block", "grid: `1e3` is not an integer", "`x` is not an integer",
        "takes 4 arguments, not 1",
    ):  # fmt: skip
        assert words in found
    assert "= try:" not in found  # nobody knows what is to be assumed
    found = said(capsys, f"simulate {LAUNCH} -m v1000 --set sm.cuont=1")
    assert "there is no machine `v1000`" in found
    assert "there is no machine key `sm.cuont`" in found
    for command, own in (("sample", "needs --compare"), ("clone", "--max-error is for")):
        option = "--fail-over 3%" if command == "sample" else "--max-error 3%"
        found = said(capsys, f"{command} {LAUNCH} -m v1000 -k nope {option}")
        for words in (own, "there is no machine `v1000`", "launches no kernel nope"):
            assert words in found


def test_a_struct_is_proposed_by_the_fields_that_are_loaded(capsys, tmp_path):
    text = (
        Path(VECADD)
        .read_text()
        .replace(".param .u32 vecadd_param_3", ".param .b8 vecadd_param_3[12]")
    )
    (tmp_path / "k.ptx").write_text(text)
    wanted = " --arg struct=i32=1024,i32=0,i32=0"
    assert tried(capsys, f"run {tmp_path / 'k.ptx'}").endswith(wanted)
    (tmp_path / "k.ptx").write_text(text.replace("[vecadd_param_3]", "[vecadd_param_2]"))
    assert "= try:" not in said(capsys, f"run {tmp_path / 'k.ptx'}")  # nothing of it is loaded


def test_the_block_that_a_kernel_requires_needs_no_option(capsys, tmp_path):
    text = re.sub(r"\n\)\n", "\n)\n.reqntid 64, 1, 1\n", Path(VECADD).read_text(), count=1)
    (tmp_path / "k.ptx").write_text(text)
    arguments = " --arg buffer=f32:256" * 3 + " --arg 256"
    assert main(shlex.split(f"run {tmp_path / 'k.ptx'} --grid 4{arguments} -f json")) == 0
    assert '"block": [\n' in capsys.readouterr().out
    assert tried(capsys, f"run {tmp_path / 'k.ptx'} --grid 4 --block 32{arguments}").endswith(
        "--block 64,1,1"
    )


def test_options_are_replaced_however_they_are_written():
    def wrong(option, *values):
        return Diagnostic(Severity.ERROR, "wrong", fix=(option, values))

    given = ["run", "a b.ptx", "-kx", "-k", "y", "--kernel=z", "--kernel", "w", "--keep", "-o", "f"]
    assert mended_command(given, [wrong("--kernel", "k<1>")]) == (
        "warpmill run 'a b.ptx' --keep -o f --kernel 'k<1>'"
    )
    assert mended_command(given, [wrong("--kernel", "k"), Diagnostic(Severity.ERROR, "?")]) is None
    assert mended_command(given, []) is None
