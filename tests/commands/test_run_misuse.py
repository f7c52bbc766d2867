"""What ``warpmill run`` says to what it cannot use, and what it leaves unsaid."""

import numpy as np
import pytest

from warpmill.cli.main import main

HEAD = ".version 8.0\n.target sm_80\n.address_size 64\n"
SAY = (
    HEAD
    + """
.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);
.global .align 1 .b8 words[4] = {111, 107, 10, 0};
.visible .entry say()
{
  .reg .b64 %rd<3>;
  mov.u64 %rd1, words;
  cvta.global.u64 %rd2, %rd1;
  { .param .b64 p0; st.param.b64 [p0], %rd2;
    .param .b64 p1; st.param.b64 [p1], 0;
    .param .b32 r0; call.uni (r0), vprintf, (p0, p1); }
  ret;
}
.visible .entry by_value(.param .align 8 .b8 s[16]) { ret; }
"""
)


def test_a_function_that_was_executed_is_not_said_to_have_no_body(tmp_path, capsys):
    path = tmp_path / "say.ptx"
    path.write_text(SAY)
    assert main(["run", str(path), "-k", "say", "--grid", "1", "--block", "1"]) == 0
    captured = capsys.readouterr()
    assert "Output of printf:\n  · ok\n" in captured.out
    assert captured.err == ""


def test_a_struct_is_no_argument_of_the_command_line(tmp_path, capsys):
    path = tmp_path / "say.ptx"
    path.write_text(SAY)
    words = ["run", str(path), "-k", "by_value", "--grid", "1", "--block", "1", "--arg", "1"]
    assert main(words) == 2
    assert "launch file" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("def main(device, n, m=2): pass", "--size n=VALUE"),
        ("def main(device): return [[device.zeros(1)]]", "`result 0`, of type list"),
        ("def main(device): return {'a': (device.zeros(1),)}", "`a`, of type tuple"),
        ("def main(device): return (x for x in [1])", "`result`, of type generator"),
    ],
)
def test_programs_that_would_lose_something(text, words, tmp_path, capsys):
    path = tmp_path / "program.py"
    path.write_text(text)
    assert main(["run", str(path)]) == 2
    assert words in capsys.readouterr().err


LOCAL_ARGUMENTS = """
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @swap(ptr addrspace(1) %out, ptr addrspace(3) %a, ptr addrspace(3) %b) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a_at = getelementptr i32, ptr addrspace(3) %a, i32 %t
  %b_at = getelementptr i32, ptr addrspace(3) %b, i32 %t
  store i32 1, ptr addrspace(3) %a_at
  store i32 2, ptr addrspace(3) %b_at
  %v = load i32, ptr addrspace(3) %a_at
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %v, ptr addrspace(1) %o
  ret void
}
"""


@pytest.mark.parametrize(
    ("first", "second", "value"),
    [("0", "128", 1), ("null", "i64=128", 1), ("u64=128", "0", 1), ("0", "0", 2)],
)
def test_local_memory_of_opencl_is_a_place_in_shared_memory(first, second, value, tmp_path, capsys):
    path, saved = tmp_path / "swap.ll", tmp_path / "out.npz"
    path.write_text(LOCAL_ARGUMENTS)
    sizes = ["--grid", "1", "--block", "32", "--shared", "256"]
    arguments = ["--arg", "buffer=i32:32", "--arg", first, "--arg", second]
    assert main(["run", str(path), *sizes, *arguments, "--save", str(saved)]) == 0
    (held,) = np.load(saved).values()
    np.testing.assert_array_equal(held, np.full(32, value, np.int32))


@pytest.mark.parametrize("argument", ["f64=0", "i32=0", "buffer=i32:32"])
def test_other_arguments_for_local_memory(argument, tmp_path, capsys):
    path = tmp_path / "swap.ll"
    path.write_text(LOCAL_ARGUMENTS)
    sizes = ["--grid", "1", "--block", "32", "--shared", "256"]
    arguments = ["--arg", "buffer=i32:32", "--arg", argument, "--arg", "128"]
    assert main(["run", str(path), *sizes, *arguments]) == 2
    assert "shared memory" in capsys.readouterr().err
