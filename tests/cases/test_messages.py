"""What a command recommends, and what it says of mistakes that newcomers make."""

from __future__ import annotations

import pytest

SOFTMAX = "63-tune-softmax"


def test_no_choice_that_does_less_is_recommended(warpmill, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    small = "--over block=256,1024 --size rows=64 --size cols=1024 -m a100"
    found = warpmill(SOFTMAX, "tune softmax.toml", small)
    assert "a100: the default (block=256) is as good as any" in found.said
    assert "block=1024: it accesses memory out of bounds" in found.said
    # 4 × 256 CTAs of 1024 threads: a quarter of the rows, with a quarter of the shared memory
    found = warpmill(SOFTMAX, "tune softmax.toml", small, "--no-compare -f json").data["tuned"]
    different = found["machines"][0]["different"]
    assert [c["row"]["configuration"]["block"] for c in different] == [1024]
    found = warpmill(SOFTMAX, "sweep softmax.toml", small, "-f json").data
    ranks = {row["configuration"]["block"]: row["rank"] for row in found["rows"]}
    assert ranks == {256: 1, 1024: None}


def test_a_choice_that_leaves_rows_out_is_seen_by_its_results(warpmill):
    small = "--over shared=4096 --over block=256 --over grid=16,64 --size rows=64 --size cols=512"
    found = warpmill(SOFTMAX, "tune softmax.toml", small, "-m a100 --no-store -f json").data
    (one,) = found["tuned"]["machines"]
    assert [c["row"]["configuration"]["grid"] for c in one["different"]] == [16]
    assert "elements of y differ" in one["different"][0]["verdict"]["reason"]


def test_numba_kernels_are_found_by_the_names_of_their_functions(warpmill):
    found = warpmill("66-numba-nbody", "inspect nbody.ptx --kernel nbody -f json")
    assert "nbody" in found.out
    shown = warpmill("66-numba-nbody", "analyze nbody.ptx --kernel __main__::nbody")
    assert shown.code == 0
    assert "__main__::nbody(Array<float, 2, C, mutable, aligned>" in shown.said
    assert "abi:" not in shown.said


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("k.ttir", "module { tt.func public @k() { tt.return } }", "this is Triton's IR (TTIR)"),
        ("k.ttgir", 'module attributes {"ttg.num-warps" = 4 : i32} {}', "compiled.asm['ptx']"),
        ("t.py", "import triton\n\n@triton.jit\ndef k(x): pass\n", "compiled.asm['ptx']"),
        ("n.py", "from numba import cuda\n\n@cuda.jit\ndef k(x): pass\n", "cuda.compile_ptx("),
    ],
)
def test_what_leads_to_a_kernel_file_is_told_how(warpmill, tmp_path, name, text, words):
    (tmp_path / name).write_text(text)
    found = warpmill("66-numba-nbody", f"inspect {tmp_path / name}")
    assert found.code == 2
    assert words in found.said
