"""The device object of host programs: memory, arguments, launches, symbols, faults."""

import numpy as np
import pytest

from warpmill.analyzer.base.diagnostics import InputError, LimitError, UsageError
from warpmill.executor.faults import ExecutionFault
from warpmill.executor.host.cpu_device import CpuOptions
from warpmill.executor.host.device import Device

HEAD = ".version 8.0\n.target sm_80\n.address_size 64\n"
SCALE = (
    HEAD
    + """
.visible .entry scale(.param .u64 out, .param .f32 factor, .param .u32 n)
{
  .reg .pred %p; .reg .f32 %f<3>; .reg .b32 %r<5>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [out];
  ld.param.f32 %f1, [factor];
  ld.param.u32 %r1, [n];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.s32 %r2, %r2, %r3, %r4;
  setp.ge.u32 %p, %r2, %r1;
  @%p bra DONE;
  mul.wide.u32 %rd2, %r2, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.f32 %f2, [%rd3];
  mul.f32 %f2, %f2, %f1;
  st.global.f32 [%rd3], %f2;
DONE:
  ret;
}
"""
)
VARIABLES = (
    HEAD
    + """
.global .align 4 .u32 total = 5;
.const .align 4 .f32 weights[3] = {0f3F800000, 0f40000000, 0f40400000};
.global .align 8 .u64 where = generic(total);
.visible .entry k(.param .u64 out)
{
  .reg .f32 %f<3>; .reg .b32 %r<3>; .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [out];
  ld.global.u32 %r1, [total];
  add.u32 %r2, %r1, 1;
  st.global.u32 [total], %r2;
  ld.const.f32 %f1, [weights+8];
  st.global.f32 [%rd1], %f1;
  ld.global.u64 %rd2, [where];
  ld.u32 %r1, [%rd2];
  st.global.u32 [%rd1+4], %r1;
  ret;
}
"""
)


# ---------------------------------------------------------------------------------- arrays


@pytest.mark.parametrize(
    "dtype", ["int8", "uint16", "int32", "uint64", "float16", "float64", "bool"]
)
def test_what_goes_in_comes_out(dtype):
    values = (np.arange(60) % 7).astype(dtype).reshape(3, 4, 5)
    array = Device().array(values)
    assert (array.shape, array.dtype, array.nbytes) == (values.shape, values.dtype, values.nbytes)
    np.testing.assert_array_equal(array.get(), values)


def test_arrays_that_are_not_contiguous_are_copied_in_their_order():
    values = np.arange(24, dtype=np.int32).reshape(4, 6)
    np.testing.assert_array_equal(Device().array(values.T).get(), values.T)
    np.testing.assert_array_equal(Device().array(values[::2, 1::2]).get(), values[::2, 1::2])


def test_slices_are_views_of_the_same_memory():
    values = np.arange(24, dtype=np.float32).reshape(6, 4)
    array = Device().array(values)
    for index in (slice(2, 5), slice(None, -1), slice(5, 2), 3, -1):
        np.testing.assert_array_equal(array[index].get(), values[index])
    array[1:3].set(np.full((2, 4), 9, np.float32))
    values[1:3] = 9
    np.testing.assert_array_equal(array.get(), values)
    array[4][1:2].fill(5)
    values[4, 1] = 5
    np.testing.assert_array_equal(array.get(), values)
    np.testing.assert_array_equal(
        array.reshape(-1).view(np.uint32).get(), values.reshape(-1).view("u4")
    )
    np.testing.assert_array_equal(array.reshape(2, -1).get(), values.reshape(2, -1))
    assert array[2:].base is array


def test_nothing_is_converted_in_silence():
    array = Device().zeros(4, np.float32, name="a")
    with pytest.raises(UsageError, match=r"device array `a` has elements of float32.*astype"):
        array.set(np.zeros(4))
    with pytest.raises(UsageError, match="shape"):
        array.set(np.zeros(5, np.float32))
    with pytest.raises(UsageError, match="shape"):
        array.set(np.zeros((2, 2), np.float32))
    with pytest.raises(UsageError, match="step of 1"):
        array[::2]
    with pytest.raises(IndexError, match="4 rows"):
        array[4]
    with pytest.raises(TypeError, match=r"\.get\(\)"):
        np.asarray(array)
    array.set([1, 2, 3, 4])
    assert array.get().tolist() == [1, 2, 3, 4]
    with pytest.raises(UsageError, match="does not fit"):
        Device().zeros(3, np.uint8).fill(300)


def test_copies_either_way_and_on_the_device():
    device = Device()
    a, b = device.array(np.arange(8, dtype=np.int32)), device.zeros(8, np.int32)
    device.copy(b[2:6], a[:4])
    assert b.get().tolist() == [0, 0, 0, 1, 2, 3, 0, 0]
    device.copy(a[1:], a[:7])  # overlapping: as if through a copy
    assert a.get().tolist() == [0, 0, 1, 2, 3, 4, 5, 6]
    host = np.zeros(8, np.int32)
    device.copy(host, a)
    assert host.tolist() == a.get().tolist()
    device.copy(a, np.full(8, 3, np.int32))
    assert a.get().tolist() == [3] * 8
    with pytest.raises(UsageError, match="do not fit"):
        device.copy(a, b[1:])
    with pytest.raises(UsageError, match="list to DeviceArray"):
        device.copy(a, [1])


def test_freed_arrays_are_gone():
    device = Device()
    array = device.zeros(4)
    array.free()
    with pytest.raises(UsageError, match="which was freed"):
        array.get()
    with pytest.raises(UsageError, match="no memory of its own"):
        array.free()
    with pytest.raises(UsageError, match="a part of an array"):
        device.zeros(4)[1:].free()
    assert device.arrays.keys() == {a.address for a in device.arrays.values()}


def test_memory_has_a_limit():
    device = Device(options=CpuOptions(max_memory_bytes=1000))
    with pytest.raises(LimitError, match="--max-memory"):
        device.zeros(251)
    device.zeros(250)


# -------------------------------------------------------------------------------- launches


@pytest.fixture(scope="module")
def loaded():
    device = Device()
    return device, device.load(SCALE, "scale.ptx")


def test_a_kernel_scales(loaded):
    device, module = loaded
    values = np.linspace(-3, 3, 100, dtype=np.float32)
    array = device.array(values)
    launched = device.launch(module["scale"], 2, 64, [array, 1.5, 90])
    values[:90] *= np.float32(1.5)
    np.testing.assert_array_equal(array.get(), values)
    # 10 instructions up to the branch, 5 after it, the return; 4 warps, 90 of 128 lanes inside
    assert launched.counts.thread_instructions == 128 * 9 + 90 * 5 + 128
    assert launched.counts.warp_instructions == 4 * 9 + 3 * 5 + 4
    assert launched.lane_utilization == (128 * 10 + 90 * 5) / (32 * (4 * 10 + 3 * 5))
    assert (launched.grid, launched.block) == ((2, 1, 1), (64, 1, 1))


def test_a_part_of_an_array_is_passed_by_its_address(loaded):
    device, module = loaded
    array = device.array(np.ones(64, np.float32))
    device.launch(module["scale"], 1, 32, [array[40:], 2.0, 8])
    assert array.get().tolist() == [1] * 40 + [2] * 8 + [1] * 16


def test_a_module_names_its_kernels(loaded):
    _, module = loaded
    assert module.kernel_names == ("scale",)
    assert module.kernel() is module["scale"]
    with pytest.raises(UsageError, match="scale"):
        module["scall"]


def test_sizes_are_checked(loaded):
    device, module = loaded
    array = device.zeros(4)
    for grid, block, words in (
        (0, 32, "1 to 2147483647"),
        (1, 1025, "1 to 1024"),
        ((1, 70000), 32, "65535"),
        (1, (32, 64), "1024 threads"),
        (1, (1, 2, 3, 4), "one to three"),
        (1.5, 32, "whole numbers"),
    ):
        with pytest.raises((UsageError, InputError), match=words):
            device.launch(module["scale"], grid, block, [array, 1.0, 4])


def test_devices_do_not_share(loaded):
    device, module = loaded
    other = Device()
    with pytest.raises(UsageError, match="another device"):
        other.launch(module["scale"], 1, 32, [other.zeros(4), 1.0, 4])
    with pytest.raises(UsageError, match="another device"):
        device.launch(module["scale"], 1, 32, [other.zeros(4), 1.0, 4])


def test_an_access_outside_is_a_fault_with_its_place(loaded):
    device, module = loaded
    array = device.array(np.ones(40, np.float32), name="field")
    with pytest.raises(ExecutionFault) as error:
        device.launch(module["scale"], 2, 32, [array, 2.0, 64])
    (diagnostic,) = error.value.diagnostics
    line = SCALE.split("\n").index("  ld.global.f32 %f2, [%rd3];") + 1
    assert diagnostic.file == "scale.ptx"
    assert diagnostic.span.line == line
    assert diagnostic.excerpt == "  ld.global.f32 %f2, [%rd3];"
    fault = error.value.fault
    assert (fault.cta, fault.thread) == ((1, 0, 0), (8, 0, 0))
    assert fault.address == array.address + 160
    for words in ("0 B past the end of `field` of 160 B", "CTA (1,0,0)", "thread (8,0,0)", "scale"):
        assert words in diagnostic.message
    assert error.value.exit_code == 2


def test_a_freed_array_is_a_fault_that_says_so(loaded):
    device, module = loaded
    array = device.array(np.ones(40, np.float32))
    kept = array[:]
    array.free()
    with pytest.raises(ExecutionFault, match="which was freed"):
        device.launch(module["scale"], 1, 32, [kept, 2.0, 32])


def test_instructions_of_all_launches_together_are_limited():
    device = Device(options=CpuOptions(max_instructions=1000))
    kernel = device.load(SCALE)["scale"]
    array = device.array(np.ones(32, np.float32))
    device.launch(kernel, 1, 32, [array, 2.0, 32])  # 15 instructions of 32 threads
    device.launch(kernel, 1, 32, [array, 2.0, 32])
    with pytest.raises(LimitError, match="--max-instructions") as error:
        for _ in range(3):
            device.launch(kernel, 1, 32, [array, 2.0, 32])
    assert error.value.exit_code == 3


def test_variables_are_arrays():
    device = Device()
    module = device.load(VARIABLES)
    total, weights = module.symbol("total"), module.symbol("weights")
    assert (total.dtype, total.shape) == (np.uint32, ())
    assert (weights.dtype, weights.shape) == (np.float32, (3,))
    assert weights.get().tolist() == [1, 2, 3]
    out = device.zeros(2, np.uint32)
    device.launch(module["k"], 1, 1, [out])
    assert out.get().view(np.float32)[0] == 3
    assert out.get()[1] == 6  # through the address in `where`
    assert total.get() == 6
    total.fill(41)
    weights.set(np.array([7, 8, 9], np.float32))
    device.launch(module["k"], 1, 1, [out])
    assert out.get().view(np.float32)[0] == 9
    assert out.get()[1] == 42
    assert int(module.symbol("total", dtype=np.int32).get()) == 42
    with pytest.raises(InputError, match="total"):
        module.symbol("totals")


def test_two_loads_of_a_module_have_variables_of_their_own():
    device = Device()
    first, second = device.load(VARIABLES), device.load(VARIABLES)
    out = device.zeros(2, np.uint32)
    device.launch(first["k"], 1, 1, [out])
    assert (first.symbol("total").get(), second.symbol("total").get()) == (6, 5)


def test_a_bad_text_is_an_input_error():
    with pytest.raises(InputError, match=r"bad\.ptx"):
        Device().load(HEAD + ".visible .entry k() { nonsense }\n", "bad.ptx").kernel("k")
    with pytest.raises(InputError, match=r"there\.is\.none"):
        Device().load("there.is.none.ptx").kernel()


# ------------------------------------------------------------------- textures and surfaces

TEXTURES = (
    HEAD
    + """
.visible .entry look(.param .u64 tex, .param .u64 out)
{
  .reg .f32 %f<7>; .reg .b32 %r<2>; .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [tex];
  ld.param.u64 %rd2, [out];
  mov.u32 %r1, %tid.x;
  cvt.rn.f32.u32 %f5, %r1;
  mov.f32 %f6, 0f3FC00000;
  tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f5, %f6}];
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd4, %rd2, %rd3;
  st.global.f32 [%rd4], %f1;
  ret;
}
.visible .entry draw(.param .u64 surf)
{
  .reg .b32 %r<4>; .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [surf];
  mov.u32 %r1, %tid.x;
  shl.b32 %r2, %r1, 2;
  mov.u32 %r3, 1;
  sust.b.2d.b32.trap [%rd1, {%r2, %r3}], {%r1};
  ret;
}
"""
)


def test_a_texture_is_sampled():
    device = Device()
    kernel = device.load(TEXTURES)["look"]
    picture = np.arange(12, dtype=np.float32).reshape(3, 4)
    out = device.zeros(8)
    device.launch(kernel, 1, 8, [device.texture(picture), out])
    assert out.get().tolist() == [4, 5, 6, 7, 7, 7, 7, 7]  # row 1, clamped
    device.launch(kernel, 1, 8, [device.texture(picture, address="border"), out])
    assert out.get().tolist() == [4, 5, 6, 7, 0, 0, 0, 0]
    device.launch(kernel, 1, 8, [device.texture(picture, filter="linear"), out])
    assert out.get().tolist() == [4, 4.5, 5.5, 6.5, 7, 7, 7, 7]  # between the centres of texels


def test_a_texture_is_a_copy_unless_it_is_over_a_surface():
    device = Device()
    module = device.load(TEXTURES)
    source = device.array(np.zeros((3, 8), np.uint32))
    surface = device.surface(source)
    device.launch(module["draw"], 1, 8, [surface])
    assert surface.get()[1].tolist() == list(range(8))
    assert not source.get().any()
    over = device.texture(surface)
    np.testing.assert_array_equal(over.get(), surface.get())


def test_a_surface_is_copied_to_an_array_on_the_device():
    device = Device()
    picture = np.arange(24, dtype=np.uint32).reshape(3, 8)
    surface, array = device.surface(picture), device.array(np.zeros(30, np.uint32))
    assert device.known_content(array) is not None
    device.copy(array[6:], surface)
    assert array.get().tolist() == [0] * 6 + list(range(24))
    assert device.known_content(array) is None  # only the host's own copies are known
    with pytest.raises(UsageError, match=r"96 B of .* do not fit"):
        device.copy(array, surface)
    with pytest.raises(UsageError, match="another device"):
        device.copy(array[6:], Device().surface(picture))
    with pytest.raises(UsageError, match="not DeviceArray to Texture"):
        device.copy(surface, array[6:])


@pytest.mark.parametrize(
    ("shape", "dtype", "words", "reason"),
    [
        ((4, 4), "float64", {}, "not float64"),
        ((4, 4, 3), "float32", {"channels": 3}, "1, 2 or 4 channels"),
        ((4, 4), "float32", {"channels": 2}, "last dimension"),
        ((2, 2, 2, 2), "float32", {}, "1 to 3"),
        ((4, 4), "float32", {"filter": "lineal"}, "did you mean"),
        ((4, 4), "float32", {"address": "wrap"}, "normalised coordinates"),
        ((4, 4), "int32", {"filter": "linear"}, "floating-point"),
        ((4, 4), "int32", {"normalised_values": True}, "8 or 16 bits"),
        ((5, 4, 4), "float32", {"cube": True}, "six square faces"),
        ((4, 4), "float32", {"linear_memory": True}, "has one dimension"),
        ((4,), "float32", {"linear_memory": True, "filter": "linear"}, "point filter"),
    ],
)
def test_textures_that_no_gpu_has(shape, dtype, words, reason):
    with pytest.raises(UsageError, match=reason):
        Device().texture(np.zeros(shape, dtype), **words)


# ------------------------------------------------------------------------ streams and events


def test_streams_and_events():
    device, other = Device(), Device()
    stream, start, end = device.stream(), device.event(), device.event()
    with pytest.raises(UsageError, match="both to be recorded"):
        end.elapsed_ms(start)
    start.record(stream)
    array = device.array(np.ones(3, np.float32), stream=stream)
    end.record(stream)
    stream.wait(end)
    stream.flush()
    device.flush()
    stream.synchronize()
    end.synchronize()
    assert end.elapsed_ms(start) is None  # no GPU's time is measured here
    assert array.get(stream).tolist() == [1, 1, 1]
    with pytest.raises(UsageError, match="another device"):
        array.get(other.stream())
    with pytest.raises(UsageError, match="another device"):
        device.flush(other.stream())


def test_there_are_two_devices():
    with pytest.raises(UsageError, match="cpu, cuda"):
        Device("gpu")
