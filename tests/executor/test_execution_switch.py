"""Switches of few cases and of many: each lane goes where its value says, the first case counts."""

import numpy as np
import pytest

from warpmill.cli.main import main
from warpmill.executor import compile as compiling
from warpmill.executor.native import control

KERNEL = """target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %from = getelementptr TYPE, ptr addrspace(1) %in, i64 %i
  %to = getelementptr i32, ptr addrspace(1) %out, i64 %i
  %x = load TYPE, ptr addrspace(1) %from
  switch TYPE %x, label %none [
CASES
  ]
BLOCKS
none:
  br label %end
end:
  %v = phi i32 [ -1, %none ]PHIS
  store i32 %v, ptr addrspace(1) %to
  ret void
}
"""
TARGETS = 7


def kernel(type_, cases):
    """Case ``n`` goes to block ``n % TARGETS``, which gives that number; others give -1."""
    names = range(TARGETS)
    parts = {
        "TYPE": type_,
        "CASES": "\n".join(f"    {type_} {c}, label %b{n % TARGETS}" for n, c in enumerate(cases)),
        "BLOCKS": "\n".join(f"b{n}:\n  br label %end" for n in names),
        "PHIS": "".join(f", [ {n}, %b{n} ]" for n in names),
    }
    text = KERNEL
    for word, part in parts.items():
        text = text.replace(word, part)
    return text


def ran(tmp_path, type_, cases, values):
    out = tmp_path / f"out{len(cases)}"
    (tmp_path / "k.ll").write_text(kernel(type_, cases))
    np.save(tmp_path / "in.npy", values)
    (tmp_path / "launch.toml").write_text(
        '[[launch]]\nmodule = "k.ll"\ngrid = [1]\nblock = [96]\nargs = ['
        f'{{ buffer = "{type_}", shape = [96], init = {{ file = "in.npy" }} }}, '
        '{ buffer = "i32", shape = [96] }]\n'
    )
    assert main(["run", str(tmp_path / "launch.toml"), "--save", str(out)]) == 0
    (saved,) = out.glob("*out*.npy")
    return np.load(saved)


@pytest.mark.parametrize(("type_", "count"), [("i32", 20), ("i32", 300), ("i64", 300), ("i16", 65)])
def test_each_lane_goes_where_its_value_says(tmp_path, type_, count):
    rng = np.random.default_rng(count)
    info = np.iinfo(f"int{type_[1:]}")
    cases = [*np.unique(rng.integers(-2 * count, 2 * count, count)).tolist(), info.min, info.max]
    values = rng.choice([*cases, 1, -1, 7], 96).astype(info.dtype)
    values[64:] = values[64]  # a warp that goes one way
    by_hand = [cases.index(v) % TARGETS if v in cases else -1 for v in values.tolist()]
    assert ran(tmp_path, type_, cases, values).tolist() == by_hand


def test_the_code_of_a_switch_grows_with_few_words_a_case(tmp_path, monkeypatch):
    """All lanes beside each case took seven lines; a case of each lane takes some words."""
    sizes = []
    made = compiling._compiled

    def noted(text):
        sizes.append(len(text))
        return made(text)

    monkeypatch.setattr(compiling, "_compiled", noted)
    values = np.zeros(96, np.int32)
    for count in (control._MOST_CASES + 1, 2000):
        ran(tmp_path, "i32", range(count), values)
    each = (sizes[-1] - sizes[-2]) / (2000 - control._MOST_CASES - 1)
    assert each < 40, each


def test_one_large_block_is_compiled_without_optimising(tmp_path, monkeypatch):
    """A product of 1,024 bits, with the limit at a fortieth: what it gives is Python's."""
    chosen = []
    made = compiling.target_machine

    def noted(optimised=True, features=None):
        chosen.append(optimised)
        return made(optimised, features)

    monkeypatch.setattr(compiling, "target_machine", noted)
    monkeypatch.setattr(compiling, "_LARGEST_OPTIMISED", compiling._LARGEST_OPTIMISED // 40)
    (tmp_path / "k.ll").write_text(
        KERNEL[: KERNEL.index("declare")] + "define ptx_kernel void @k(ptr addrspace(1) %p) {\n"
        "  %a = load i1024, ptr addrspace(1) %p\n"
        "  %q = getelementptr i8, ptr addrspace(1) %p, i64 128\n"
        "  %b = load i1024, ptr addrspace(1) %q\n"
        "  %m = mul i1024 %a, %b\n"
        "  store i1024 %m, ptr addrspace(1) %p\n  ret void\n}\n"
    )
    words = np.random.default_rng(5).integers(0, 2**64, 32, dtype=np.uint64)
    np.save(tmp_path / "in.npy", words)
    (tmp_path / "launch.toml").write_text(
        '[[launch]]\nmodule = "k.ll"\ngrid = [1]\nblock = [1]\n'
        'args = [{ buffer = "u64", shape = [32], init = { file = "in.npy" } }]\n'
    )
    assert main(["run", str(tmp_path / "launch.toml"), "--save", str(tmp_path / "out")]) == 0
    (out,) = (tmp_path / "out").glob("*.npy")
    a, b = (int.from_bytes(part.tobytes(), "little") for part in (words[:16], words[16:]))
    right = (a * b % 2**1024).to_bytes(128, "little")
    assert np.load(out)[:16].tobytes() == right
    assert chosen[-1] is False
