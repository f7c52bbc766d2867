"""Names and numbers of originals are found where they stand in a clone's files."""

from dataclasses import replace

import pytest

from warpmill.analyzer.ir.kernel import FloatImm, Imm
from warpmill.analyzer.ir.types import TYPES
from warpmill.cloning.clone import clone_studied, study
from warpmill.cloning.files import Original, check_leaks, folder_of, leaks
from warpmill.cloning.options import CloneOptions
from warpmill.codegen.model import models_text
from warpmill.codegen.synthesis.assembly import assemble
from warpmill.session.options import LaunchOptions

HASH, TENTH = 0x9E37_79B9, 0x3DCC_CCCD
CHAIN = f"  xor.b32 %r2, %r2, {HASH};\n" * 12
KERNEL = f"""
.version 7.0
.target sm_70
.address_size 64
.global .align 4 .u32 secret_table[4] = {{3141592, 2718281, 1414213, 1732050}};
.visible .entry trade_signal(.param .u64 ledger)
{{
  .reg .b64 %rd<4>;
  .reg .b32 %alpha;
  .reg .b32 %r<4>;
  .reg .f32 %f<3>;
  ld.param.u64 %rd0, [ledger];
  mov.u32 %r0, %tid.x;
  mul.wide.u32 %rd1, %r0, 4;
  add.u64 %rd2, %rd0, %rd1;
  ld.global.u32 %r1, [%rd2];
  mul.lo.u32 %alpha, %r1, {HASH};
  and.b32 %r2, %alpha, 1023;
{CHAIN}
  cvt.rn.f32.u32 %f0, %r2;
  mul.f32 %f1, %f0, 0f3DCCCCCD;
  st.global.f32 [%rd2], %f1;
  ret;
}}
"""


@pytest.fixture(scope="module")
def cloned(tmp_path_factory):
    path = tmp_path_factory.mktemp("leaks") / "alpha_strategy.ptx"
    path.write_text(KERNEL)
    launch = LaunchOptions(grid="2", block="64", args=("buffer=u32:1024:arange",))
    return clone_studied(study(path, None, launch), CloneOptions())


def found(cloned, **files):
    job = cloned.studied.jobs[0]
    original = Original(job.loaded.module, job.kernel, job.loaded.path)
    app = cloned.application
    return leaks([original], cloned.models, app, {**dict(cloned.files.files), **files})


def test_a_clone_carries_nothing_over(cloned):
    folder = folder_of(cloned)
    text = "\n".join(folder.files.values())
    assert found(cloned, **{"model.json": models_text(cloned.models)}) == ()
    words = ("trade_signal", "ledger", "alpha", "secret_table", "strategy", "3141592", "3DCCCCCD")
    assert [word for word in words if word in text] == []
    assert str(HASH) not in text
    assert f"{HASH:x}" not in text.lower()


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("trade_signal", "a kernel"),
        ("ledger", "a parameter"),
        ("secret_table", "a variable"),
        ("alpha", "a register"),
        ("alpha_strategy", "a file"),
    ],
)
def test_names_are_seen(cloned, name, what):
    (leak,) = found(cloned, **{"clone.ptx": f"// made of {name}\n.version 7.0"})
    assert leak.startswith(f"clone.ptx: `{name}`, {what}")


def with_number(cloned, opcode, number):
    """Let a chain of the clone hold a number, in the model and in the application."""
    (model,) = cloned.models
    block = model.blocks[0]
    place = next(k for k, slot in enumerate(block.slots) if slot.opcode == opcode)
    slot = block.slots[place]
    slot = replace(slot, operands=(*slot.operands[:-1], number))
    slots = (*block.slots[:place], slot, *block.slots[place + 1 :])
    changed = replace(model, blocks=(replace(block, slots=slots), *model.blocks[1:]))
    module = replace(cloned.application.module, kernels=(assemble(changed).kernel,))
    application = replace(cloned.application, module=module)
    return replace(cloned, models=(changed,), application=application)


@pytest.mark.parametrize(
    ("opcode", "number", "seen"),
    [
        ("xor.b32", Imm(HASH), f"{HASH:#x}"),
        ("xor.b32", Imm(HASH - (1 << 32)), f"{HASH:#x}"),
        ("xor.b32", Imm(2718281), f"{2718281:#x}"),  # of the table
        ("mul.f32", FloatImm(TENTH, TYPES["f32"]), f"{TENTH:#x}"),
        ("xor.b32", Imm(HASH + 2), None),  # nobody's
        ("xor.b32", Imm(1023), None),  # it tells nothing
        ("mul.f32", FloatImm(0x3FC00000, TYPES["f32"]), None),
    ],
)
def test_numbers_are_seen(cloned, opcode, number, seen):
    leaked = found(with_number(cloned, opcode, number))
    assert len(leaked) == (seen is not None)
    assert all(seen in leak for leak in leaked)


def test_a_find_is_a_bug_of_ours(cloned):
    with pytest.raises(AssertionError, match=r"would carry over what is the original's: clone\.cu"):
        check_leaks(cloned, {"clone.cu": "int trade_signal;"})
