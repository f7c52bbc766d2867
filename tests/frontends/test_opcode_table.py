"""The opcode table keeps its own rules, and known opcodes mean what the PTX manual says."""

import re
import shutil
import subprocess
import tomllib
from importlib.resources import files
from pathlib import Path

import pytest

from warpmill.analyzer.base.diagnostics import Severity, Source
from warpmill.analyzer.frontends.ptx import parse
from warpmill.analyzer.ir.operation import Knowledge, Role, decode, operation_table
from warpmill.analyzer.ir.ptx_printer import operand_text, print_ptx
from warpmill.analyzer.ir.types import TYPES, OpClass, Space

RAW = tomllib.loads(
    files("warpmill.analyzer.ir").joinpath("opcodes.toml").read_text(encoding="utf-8")
)
LINES = RAW["operations"]
EFFECTS = {"reads", "writes", "barrier", "convergent", "ends", "volatile", "aborts"}
KEYS = {
    "bytes", "class", "operands", "type", "types", "needs", "space", "effects", "origin", "access",
    "remote",
}  # fmt: skip


def test_the_file_has_a_version_and_operations_only():
    assert set(RAW) == {"version", "operations"}
    assert RAW["version"] == 1
    assert len(LINES) > 150


@pytest.mark.parametrize("name", LINES)
def test_a_line_is_well_formed(name):
    line = LINES[name]
    assert {"class", "operands"} <= set(line) <= KEYS
    assert line["class"] in {c.value for c in OpClass} - {"unknown"}
    for word in line["operands"].split():
        role, colon, type_ = word.removesuffix("?").partition(":")
        assert role in {role.value for role in Role}
        assert not colon or type_ in {"1", "2", "w", "c", *TYPES}
    assert line.get("type", "first") in {"first", "last"}
    assert line.get("space", "global") in {s.value for s in Space}
    words = line["operands"].split()
    assert words[line["bytes"]] == "s" if "bytes" in line else True
    access = line.get("access", [])
    assert set(access) <= {"load", "store", "atomic"} and len(access) <= words.count("a")
    assert line.get("remote", True) is True
    effects = line.get("effects", [])
    assert set(effects) <= EFFECTS
    assert len(set(effects)) == len(effects)
    assert 1 <= line.get("types", 2) <= 3
    assert all(len(choice.split()) > 1 for choice in line.get("needs", []))
    assert line.get("origin", "warpmill") == "warpmill"
    parts = name.split(".")
    assert 1 <= len(parts) <= 5, "decode looks at five parts"
    assert all(part and part == part.strip() for part in parts)
    assert decode(name).name == name
    assert decode(name).knowledge is Knowledge.TABLE


def test_operations_of_our_own_are_explained():
    text = (Path(__file__).parents[2] / "docs" / "ir.md").read_text(encoding="utf-8")
    own = {name for name, line in LINES.items() if line.get("origin") == "warpmill"}
    assert own <= set(re.findall(r"`([\w.]+)`", text.partition("## Operations beyond PTX")[2]))


@pytest.mark.parametrize("name", LINES)
def test_class_roles_and_effects_agree(name):
    entry = operation_table()[name]
    required = [r for r, o in zip(entry.roles, entry.optional, strict=True) if not o]
    effects = {
        OpClass.LOAD: {"reads"},
        OpClass.STORE: {"writes"},
        OpClass.ATOMIC: {"reads", "writes"},
        OpClass.RETURN: {"ends"},
    }
    assert effects.get(entry.op_class, set()) <= entry.effects
    if entry.op_class.is_memory:
        assert Role.ADDRESS in required
    if entry.op_class.is_arithmetic and entry.name not in {"stackrestore"}:
        assert required[0] is Role.DESTINATION
    if entry.op_class in {OpClass.LOAD, OpClass.SHUFFLE, OpClass.VOTE, OpClass.TEXTURE}:
        assert entry.roles[0] is Role.DESTINATION
    if entry.op_class is OpClass.STORE:
        assert Role.DESTINATION not in entry.roles
    assert (Role.LABEL in entry.roles) == (entry.op_class is OpClass.BRANCH)
    if "ends" in entry.effects:
        assert entry.op_class in {OpClass.BRANCH, OpClass.RETURN}
    if "barrier" in entry.effects:
        assert entry.op_class is OpClass.BARRIER
    if entry.op_class.is_arithmetic:
        assert not entry.effects & {"reads", "writes", "barrier", "ends"}


HERE = Path(__file__).parent


def lines_of(name):
    lines = (HERE / name).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def or_none(word, absent, make):
    return None if word == absent else make(word)


@pytest.mark.parametrize("line", lines_of("known_opcodes.txt"), ids=lambda line: line.split()[0])
def test_known_opcodes_mean_what_the_manual_says(line):
    opcode, op_class, type_, space, width, vector, *roles = line.split()
    operation = decode(opcode)
    written = [
        role.value + "?" * optional
        for role, optional in zip(operation.roles, operation.optional, strict=True)
    ]
    assert operation.knowledge is Knowledge.TABLE
    assert operation.opcode == opcode
    assert operation.op_class is OpClass(op_class)
    assert operation.type == or_none(type_, "-", TYPES.get)
    assert operation.space == or_none(space, "-", Space)
    assert operation.width_bytes == or_none(width, "?", int)
    assert operation.vector == int(vector)
    assert (written or ["."]) == roles


@pytest.mark.parametrize(
    ("opcode", "spaces"),
    [
        ("cp.async.ca.shared.global", (Space.SHARED, Space.GLOBAL)),
        ("cp.async.bulk.global.shared::cta.bulk_group", (Space.GLOBAL, Space.SHARED)),
        ("add.s32", ()),
    ],
)
def test_copies_name_the_space_written_first(opcode, spaces):
    assert decode(opcode).spaces == spaces


@pytest.mark.parametrize(
    ("opcode", "effects"),
    [
        ("bar.sync", {"barrier", "convergent"}),
        ("barrier.sync", {"barrier", "convergent"}),
        ("shfl.sync.idx.b32", {"convergent"}),
        ("ret", {"ends"}),
        ("exit", {"ends"}),
        ("bra", set()),
        ("brx.idx", {"ends"}),
        ("ld.global.u32", {"reads"}),
        ("st.global.u32", {"writes"}),
        ("red.global.add.u32", {"reads", "writes"}),
        ("add.f32", set()),
        ("bar.arrive", {"convergent", "volatile"}),
        ("barrier.cta.sync", {"barrier", "convergent"}),
        ("barrier.cluster.wait", {"convergent", "volatile"}),
        ("trap", {"volatile", "aborts"}),
    ],
)
def test_effects(opcode, effects):
    assert decode(opcode).effects == effects


@pytest.mark.parametrize(
    ("opcode", "op_class", "type_"),
    [
        ("frobnicate.f32", OpClass.ADD, "f32"),
        ("frobnicate", OpClass.UNKNOWN, None),
        ("frobnicate.global.u32", OpClass.UNKNOWN, "u32"),
        ("", OpClass.UNKNOWN, None),
        ("...", OpClass.UNKNOWN, None),
    ],
)
def test_unknown_opcodes_get_the_nearest_rule(opcode, op_class, type_):
    operation = decode(opcode)
    assert operation.knowledge is Knowledge.NEAREST
    assert operation.op_class is op_class
    assert operation.type == (None if type_ is None else TYPES[type_])


TYPE_BITS = {
    "pred": 1, "b8": 8, "s16": 16, "u32": 32, "b64": 64, "b128": 128, "f16": 16, "f16x2": 32,
    "bf16x2": 32, "tf32": 32, "f32x2": 64, "f64": 64, "e4m3x2": 16, "e5m2": 8, "e2m1x2": 8,
    "ue8m0": 8, "u4": 4, "s16x2": 32, "texref": 64, "b8x16": 128, "b6x16_p32": 128,
    "b4x16_p64": 128, "b1024": 1024, "e2m3x4": 32, "e2m1x4": 16,
    "u8x4": 32, "s8x4": 32, "s2f6x2": 16, "ue5m3x2": 16, "b2": 2,
}  # fmt: skip


@pytest.mark.parametrize("name", TYPE_BITS)
def test_types_have_the_sizes_of_the_manual(name):
    assert TYPES[name].bits == TYPE_BITS[name]
    assert TYPES[name].size_bytes == (TYPE_BITS[name] + 7) // 8
    assert str(TYPES[name]) == name


ISA_NAMES = lines_of("isa_names.txt")
SHARED_LINES = {
    "add.cc": "add", "sub.cc": "sub", "mad.cc": "mad",
    "rcp.approx.ftz.f64": "rcp", "rsqrt.approx.ftz.f64": "rsqrt",
    "shfl.sync": "shfl", "vote.sync": "vote", "redux.sync": "redux", "elect.sync": "elect",
    "match.any.sync": "match", "match.all.sync": "match", "ld.global.nc": "ld",
    "createpolicy.fractional": "createpolicy", "createpolicy.cvt": "createpolicy",
    "bar.sync": "bar", "bar.cta.sync": "bar", "bar.warp.sync": "bar.warp",
    "barrier.sync": "barrier", "barrier.cta.sync": "barrier", "fence.mbarrier_init": "fence",
    "griddepcontrol.launch_dependents": "griddepcontrol", "griddepcontrol.wait": "griddepcontrol",
    "mma.sp::ordered_metadata": "mma.sp",
    "tcgen05.wait::ld": "tcgen05.wait", "tcgen05.wait::st": "tcgen05.wait",
    "tcgen05.fence::before_thread_sync": "tcgen05.fence",
    "tcgen05.fence::after_thread_sync": "tcgen05.fence",
}  # fmt: skip


@pytest.mark.parametrize("name", ISA_NAMES)
def test_every_name_of_the_isa_has_its_line(name):
    operation = decode(name)
    assert operation.knowledge is Knowledge.TABLE
    assert operation.name == SHARED_LINES.get(name, name)


def test_the_list_of_names_is_whole_and_agrees_with_the_table():
    known = [n for n in ISA_NAMES if decode(n).knowledge is Knowledge.TABLE]
    print(f"names of the PTX ISA 9.0 known: {len(known)} of {len(ISA_NAMES)}")
    assert len(set(ISA_NAMES)) == len(ISA_NAMES) >= 220
    assert set(SHARED_LINES) <= set(ISA_NAMES)
    of_ptx = {name for name, entry in operation_table().items() if entry.is_ptx}
    assert of_ptx - set(ISA_NAMES) <= set(SHARED_LINES.values())


FORMS = [[part.strip() for part in line.split(" | ")] for line in lines_of("isa_forms.txt")]
WITHOUT_FORM = {
    # no assembler at hand has told their operands
    "fabric.try_get.async.tensor", "fabric.try_put.async.tensor", "fabric.try_red.async.tensor",
}  # fmt: skip
FORM_HEAD = """.version {version}
.target {chip}
.address_size 64
"""
FORM_KERNEL = """.visible .entry k{number}(.param .u64 p)
{{
.reg .pred %p<4>; .reg .b8 %b<3>; .reg .b16 %h<9>; .reg .b32 %r<20>, %ra, %rb; .reg .b64 %rd<9>;
.reg .f32 %f<9>; .reg .b128 %q<3>;
{statement};
ret;
}}
"""


def head_of(target):
    """The first lines of a text for ``sm_90`` or, with its version, ``sm_100a 9.3``."""
    chip, _, version = target.partition(" ")
    return FORM_HEAD.format(chip=chip, version=version or "9.0")


def test_every_name_of_the_isa_has_a_form():
    opcodes = [word.split(".") for _, statement, _ in FORMS for word in statement.split()]
    missing = {name for name in ISA_NAMES if not any(is_named(o, name) for o in opcodes)}
    assert missing == WITHOUT_FORM


def is_named(parts, name):
    """Whether the opcode has the parts of the name in order: `mad.lo.cc.u32` is a `mad.cc`."""
    rest = iter(parts if parts[0] == name.split(".")[0] else ())
    return all(
        any(part in (have, have.partition("::")[0]) for have in rest) for part in name.split(".")
    )


@pytest.mark.parametrize(("target", "statement", "written"), FORMS, ids=[f[1][:60] for f in FORMS])
def test_operands_are_written_and_read_as_the_manual_says(target, statement, written):
    text = head_of(target) + FORM_KERNEL.format(number=0, statement=statement)
    parsed = parse(Source("form.ptx", text), strict=True)
    (kernel,) = parsed.module.kernels
    instruction = next(iter(kernel.instructions))
    registers = re.findall(r"%[a-z]+\d*", statement)
    count = int(written.removesuffix("+"))
    read = registers if written.endswith("+") else registers[count:]
    assert all(d.severity is Severity.NOTE for d in parsed.diagnostics)
    assert [kernel.registers[i].name for i in instruction.writes] == registers[:count]
    assert [kernel.registers[i].name for i in instruction.reads] == read
    for operand, role in zip(instruction.operands, instruction.roles, strict=True):
        assert (type(operand).__name__ in ("Address", "TupleAddress")) == (role is Role.ADDRESS)
    again = parse(Source("again.ptx", print_ptx(parsed.module)), strict=True).module.kernels[0]
    assert list(written_out(again)) == list(written_out(kernel))


def written_out(kernel):
    """The instructions with their operands as texts, whatever numbers the registers have."""
    for instruction in kernel.instructions:
        operands = [operand_text(o, kernel.registers) for o in instruction.operands]
        yield instruction.operation.opcode, operands, instruction.targets


@pytest.mark.skipif(shutil.which("ptxas") is None, reason="ptxas is not installed")
@pytest.mark.parametrize("target", sorted({form[0] for form in FORMS}))
def test_ptxas_takes_the_forms(target, tmp_path):
    mine = [statement for of, statement, _ in FORMS if of == target]
    kernels = [FORM_KERNEL.format(number=n, statement=s) for n, s in enumerate(mine)]
    path = tmp_path / "forms.ptx"
    path.write_text(head_of(target) + "".join(kernels), encoding="utf-8")
    command = ["ptxas", "-arch", target.split()[0], "-o", str(tmp_path / "out.cubin"), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    if "is not defined for option" in done.stderr or "Unsupported .version" in done.stderr:
        pytest.skip(f"this ptxas does not know {target}")
    assert done.returncode == 0, done.stderr
