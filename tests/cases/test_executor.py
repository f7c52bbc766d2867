"""What the executor runs, and what is counted while it does."""

from pathlib import Path

import numpy as np
import pytest

from warpmill.executor.host.device import Device

CASES = Path(__file__).parent


def saved(warpmill, folder, case, launch, name="kernel.ptx"):
    """Run a kernel; give what it left in its first buffer."""
    said = warpmill(case, "run", name, launch, f"--save {folder}/left.npz")
    assert said.code == 0, said.err
    left = np.load(folder / "left.npz")
    return left[left.files[0]]


@pytest.mark.parametrize(("machine", "passes"), [("v100", 1), ("gtx980", 2)])
@pytest.mark.parametrize("trace", ["static", "executed"])
def test_lanes_in_pairs_are_packed_by_every_kind_of_trace(warpmill, machine, passes, trace):
    launch = f"--grid 1 --block 32 --arg buffer=f32:32 --machine {machine} --trace {trace}"
    said = warpmill("11-paired-lanes", "explain", "kernel.ptx", launch, "--format json")
    assert f'"wavefronts": {passes}.0' in said.out


def test_a_video_instruction_reads_no_third_operand_without_a_second_operation(warpmill, tmp_path):
    """128 + 772, and 3 + 124 + 3 + 129 + 100: ptxas reads no third operand of the first one."""
    launch = "--grid 1 --block 1 --arg buffer=u32:8"
    left = saved(warpmill, tmp_path, "09-video-simd", launch)
    assert left.tolist() == [900, 359, 0, 0, 0, 0, 0, 0]


@pytest.mark.parametrize(
    ("name", "arguments", "place"),
    [
        ("fma.ptx", "--arg buffer=f32:64", "fma.ptx:6"),
        ("mutant-compare.ptx", "--arg 1 " * 9, "mutant-compare.ptx:251"),
        ("mutant-llvm.ptx", "--arg 1 " * 10, "mutant-llvm.ptx:139"),
    ],
)
def test_odd_words_are_refused_at_their_place(warpmill, name, arguments, place):
    said = warpmill("attack", "run", name, "--grid 1 --block 32", arguments)
    assert said.code == 2
    assert f"{place}:" in said.err
    assert "it has to" in said.said


def test_the_mutant_of_the_video_case_is_executed(warpmill):
    said = warpmill("attack", "run", "mutant-video.ptx", "--grid 1 --block 1 --arg buffer=u32:8")
    assert said.code == 0


# Calls through registers.

DISPATCH = "-k dispatch --grid 1 --block 8 --arg buffer=u32:8 --arg"
TABLE = "04-branchtargets-callprototype"


def test_calls_through_a_table_of_functions(warpmill, tmp_path):
    values = np.array([10, 20, 30, 40] * 2)
    assert (saved(warpmill, tmp_path, TABLE, f"{DISPATCH} 0") == 2 * values).all()
    assert (saved(warpmill, tmp_path, TABLE, f"{DISPATCH} 1") == values**2).all()


def test_what_a_call_through_a_register_is_taken_to_be_is_said(warpmill):
    said = warpmill(TABLE, "analyze", "kernel.ptx", "-k dispatch").said
    assert "a call through a register is taken to be of twice, square" in said


def test_a_call_of_no_function_is_a_fault_with_a_place(warpmill, tmp_path):
    text = (CASES / TABLE / "kernel.ptx").read_text()
    (tmp_path / "k.ptx").write_text(text.replace("{ twice, square }", "{ 64, square }"))
    said = warpmill(TABLE, "run", f"{tmp_path}/k.ptx", f"{DISPATCH} 0")
    assert said.code == 2
    assert "k.ptx:34:2: error: a call goes to 0x40, which is no function" in said.err


@pytest.mark.parametrize("name", ["kernel.ptx", "amd.ll"])
def test_a_chosen_function_and_virtual_ones(warpmill, tmp_path, name):
    """nvcc's PTX and clang's text for AMD, whose tables of virtual functions are casts."""
    t, chosen = np.arange(32), 2
    launch = f"--grid 1 --block 32 --arg buffer=i32:64 --arg buffer=f32:32 --arg {chosen}"
    said = warpmill("04b-function-pointers", "run", name, launch, f"--save {tmp_path}/left.npz")
    assert said.code == 0, said.err
    left = np.load(tmp_path / "left.npz")
    whole, areas = (left[key] for key in left.files)
    assert (whole[:32] == np.choose((t + chosen) % 3, [t + 5, t - 5, t * 5])).all()
    assert (whole[32:] == np.where(t & 4, t + chosen, t * chosen)).all()
    assert (areas == np.where(t % 3 == 1, t**2 * chosen, 3 * (t + 1) ** 2 + chosen + 7)).all()


# Recursion and the stack.


def test_a_recursive_function(warpmill, tmp_path):
    launch = "-k facts --grid 1 --block 6 --arg buffer=u32:6"
    left = saved(warpmill, tmp_path, "10-recursion-alloca", launch)
    assert left.tolist() == [1, 1, 2, 6, 24, 120]


def test_memory_of_the_stack(warpmill, tmp_path):
    launch = "-k scratch --grid 1 --block 6 --arg buffer=u32:6 --arg 5"
    left = saved(warpmill, tmp_path, "10-recursion-alloca", launch)
    assert left.tolist() == [16 + k for k in range(6)]


@pytest.mark.parametrize(
    ("case", "launch", "place"),
    [
        ("10-recursion-alloca", "kernel.ptx -k facts --max-stack 500", "kernel.ptx:4:1"),
        ("10-recursion-alloca", "kernel.ptx -k scratch --arg 5000", "kernel.ptx:48:2"),
        ("attack", "alloca.ptx", "alloca.ptx:11:2"),
    ],
)
def test_a_full_stack_is_a_limit_with_a_flag(warpmill, case, launch, place):
    said = warpmill(case, "run", "--grid 1 --block 32 --arg buffer=u32:32", launch)
    assert said.code == 3
    assert f"{place}: error: the stack of a thread is full; kernel" in said.said
    assert "--max-stack moves it" in said.said


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def ack(m, n):
    return n + 1 if m == 0 else ack(m - 1, 1 if n == 0 else ack(m, n - 1))


def hanoi(n, a, b, c):
    return [*hanoi(n - 1, a, c, b), 10 * a + b, *hanoi(n - 1, c, b, a)] if n else []


def sums(x):
    half = len(x) // 2
    return x[0] if len(x) == 1 else np.float32(sums(x[:half]) + sums(x[half:]))


def permutations(a, k, n):
    t = [v * (k + 1) for v in a]
    if k == n:
        return t[0] * 1000 + t[1] * 100 + t[2] * 10 + t[3]
    total = 0
    for i in range(k, n):
        a[k], a[i] = a[i], a[k]
        total += permutations(a, k + 1, n) * (i + 1) + t[i & 3]
        a[k], a[i] = a[i], a[k]
    return total


@pytest.mark.slow
def test_recursion_of_several_kinds(warpmill, tmp_path):
    """Twice, within arguments, of two functions in turn, with pointers, with arrays of its own."""
    threads = 80
    launch = f"--grid 2 --block 40 --arg buffer=i32:{8 * threads} --arg buffer=f32:80:uniform"
    said = warpmill("10b-recursion-kinds", "run", "kernel.ptx", launch,
                    f"--arg 80 --save {tmp_path}/left.npz")  # fmt: skip
    assert said.code == 0, said.err
    left = np.load(tmp_path / "left.npz")
    found, x = (left[key] for key in left.files)
    for t, row in enumerate(found.reshape(threads, 8).tolist()):
        moves = hanoi(t % 7, 1, 2, 3)
        digest = 0
        for move in moves:
            digest = digest * 3 + move
        wanted = [fib(t % 12), ack(t % 3, t % 5), int(t % 2 == 0), len(moves)]
        wanted += [(digest + 2**31) % 2**32 - 2**31, int(sums(x[: t + 1]) * 4)]
        wanted += [permutations([1, 2, 3, 4 + t % 3], 0, t % 4)]
        assert row == [*wanted, fib(t % 9) if t & 1 else ack(1, t % 4)]


def test_that_recursion_goes_as_often_as_data_decide_is_said(warpmill):
    said = warpmill("10-recursion-alloca", "analyze", "kernel.ptx", "-k facts").said
    assert "fact calls itself: each call goes round a loop with a frame in local memory" in said
    assert "unknown (--assume 'fact.1.out=N'): it leaves by a" in said


# References to textures, samplers and surfaces.

TEXREF = "29-texref-legacy-and-tex-modes"
OLD = "-k old --grid 1 --block 8 --arg buffer=f32:8"


def test_an_unbound_reference_is_an_error_with_a_place(warpmill):
    said = warpmill(TEXREF, "run", "kernel.ptx", OLD)
    assert said.code == 2
    assert "kernel.ptx:29:2: error: `oldtex`, a .texref, is bound to nothing" in said.err
    assert "--symbol oldtex=texture=" in said.err


def test_references_are_bound_by_an_option_a_launch_file_and_a_program(warpmill, tmp_path):
    left = saved(warpmill, tmp_path, TEXREF, f"{OLD} --symbol oldtex=texture=f32:4:uniform")
    assert 0 < left[0] < 1
    left = saved(warpmill, tmp_path, "29b-samplers-and-surfaces", "", "old.toml")
    assert left[0] == 2.5
    device = Device("cpu")
    module = device.load(CASES / TEXREF / "kernel.ptx")
    device.bind(module, "oldtex", device.texture(np.float32([7, 8])))
    out = device.array(np.zeros(8, np.float32))
    device.launch(module.kernel("old"), 1, 1, [out])
    assert out.get()[0] == 7


@pytest.mark.parametrize("contents", ["oldtex=f32:4", "oldtex=3"])
def test_a_reference_takes_a_texture_only(warpmill, contents):
    said = warpmill(TEXREF, "run", "kernel.ptx", OLD, f"--symbol {contents}")
    assert said.code == 2


def test_samplers_and_surfaces_by_reference(warpmill, tmp_path):
    """A sampler that says what it is, one that is bound, a texture by its address, a surface."""
    bound = "--symbol image=texture=f32:16:arange --symbol other=texture=f32:1"
    launch = f"--grid 1 --block 8 --arg buffer=f32:8 {bound} --symbol sheet=texture=u32:16"
    left = saved(warpmill, tmp_path, "29b-samplers-and-surfaces", launch)
    assert left.tolist() == [3 * k for k in range(8)]
