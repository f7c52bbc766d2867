"""The enumeration of PTX's scalar forms: the assembler takes each, and none in use is missing."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.reference.ptx_check import statements
from tests.reference.ptx_forms import TABLE, all_forms, expand, parse_form
from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.frontends import ptx
from warpmill.analyzer.ir.operation import Knowledge, decode
from warpmill.analyzer.ir.types import OpClass

HERE = Path(__file__).parent
HEAD = ".version 9.0\n.target sm_100a\n.address_size 64\n"
TESTED = {
    OpClass.ADD, OpClass.MUL, OpClass.FMA, OpClass.DIV, OpClass.MINMAX, OpClass.SPECIAL,
    OpClass.COMPARE, OpClass.SELECT, OpClass.LOGIC, OpClass.SHIFT, OpClass.BIT, OpClass.VIDEO,
    OpClass.MOVE, OpClass.CONVERT, OpClass.ADDRESS, OpClass.SHUFFLE, OpClass.VOTE,
}  # fmt: skip
OTHERS = {
    "spcompress", "spdecompress", "clmad",  # newer than PTX 9.0
    "alloca", "stacksave", "stackrestore",  # of the stack
    "clusterlaunchcontrol.query_cancel", "movmatrix",  # with what they belong to
    "clusterlaunchcontrol.query_cancel.is_canceled",
    "clusterlaunchcontrol.query_cancel.get_first_ctaid",
}  # fmt: skip


def opcodes():
    return {form.opcode for form in all_forms()}


def in_the_table(opcode):
    operation = decode(opcode)
    return operation.op_class in TESTED and operation.name not in OTHERS


def words_of(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    return [w for line in lines if not line.startswith("#") for w in line.split()]


def test_patterns_are_written_out():
    assert expand("a[.b].{c,d}") == ["a.c", "a.d", "a.b.c", "a.b.d"]
    assert expand("a[{.b,.c}]") == ["a", "a.b", "a.c"]
    assert expand("x") == ["x"]


def test_a_form_has_its_operands():
    form = parse_form("shfl.sync.up.b32", "T|pred = T u32:lane u32:clamp b32:members")
    assert form.text(["%a", "%p", "%b", "%c", "%d", "%e"]) == (
        "shfl.sync.up.b32 %a|%p, %b, %c, %d, %e;"
    )
    assert [p.type for p in form.destinations] == ["b32", "pred"]
    assert parse_form("mul.wide.u16", "W = T T").destinations[0].type == "u32"
    assert parse_form("mov.b64", "{_,b32} = T").text(["%a", "%b"]) == "mov.b64 {_, %a}, %b;"


def test_forms_are_many_and_differ():
    names = [form.name for form in all_forms()]
    assert len(names) == len(set(names)) > 6_000


def test_the_opcode_table_knows_every_form():
    assert all(decode(opcode).knowledge is Knowledge.TABLE for opcode in opcodes())


def test_opcodes_in_use_are_enumerated():
    seen = words_of(TABLE.with_name("ptx_forms_seen.txt"))
    assert len(seen) > 400
    assert set(seen) <= opcodes()


def test_names_of_the_manual_are_enumerated():
    names = {n for n in words_of(HERE / "isa_names.txt") if in_the_table(n)}
    known = {decode(opcode).name for opcode in opcodes()}
    assert {decode(n).name for n in names} <= known
    assert len(known) > 80


def test_forms_of_the_contract_are_enumerated():
    rows = [line.split("|") for line in (HERE / "isa_forms.txt").read_text().splitlines()]
    found = {row[1].split()[0] for row in rows if len(row[0].split()) == 1 and len(row) > 2}
    assert {opcode for opcode in found if in_the_table(opcode)} <= opcodes()


def whole_text():
    lines, declarations = statements(all_forms())
    body = "\n".join(lines)
    return f"{HEAD}.visible .entry k()\n{{\n{declarations}\n{body}\nret;\n}}\n"


@pytest.mark.skipif(shutil.which("ptxas") is None, reason="ptxas is not installed")
def test_ptxas_takes_every_form(tmp_path):
    path = tmp_path / "forms.ptx"
    path.write_text(whole_text(), encoding="utf-8")
    command = ["ptxas", "-arch", "sm_100a", "-O0", "-o", str(tmp_path / "out.cubin"), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    if "is not defined for option" in done.stderr or "Unsupported .version" in done.stderr:
        pytest.skip("this ptxas does not know sm_100a")
    assert done.returncode == 0, done.stderr[:2000]


@pytest.mark.slow
def test_the_front_end_takes_every_form():
    parsed = ptx.parse(Source("forms.ptx", whole_text()), strict=True)
    (block,) = parsed.module.kernels[0].blocks
    assert len(block.instructions) == len(all_forms()) + 1
