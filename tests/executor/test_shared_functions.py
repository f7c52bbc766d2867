"""Functions that kernels have in common: compiled once a process, told apart by their text."""

import ctypes

import pytest

from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.frontends import ptx
from warpmill.executor import compile as machine
from warpmill.executor.compile import CompileOptions, NativeCode, compile_kernel
from warpmill.executor.native.emitter import Emitter
from warpmill.executor.native.instructions import LlvmModule, LlvmValue, constant

KERNEL = """.version 7.8
.target sm_80
.address_size 64
.visible .entry {name}(.param .u64 a)
{{
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [a];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.u32 %r2, [%rd3];
  add.u32 %r3, %r2, {number};
  st.global.u32 [%rd3], %r3;
  ret;
}}
"""


@pytest.fixture
def compiled_texts(monkeypatch):
    """What LLVM is given, from now on."""
    texts, compiled = [], machine._compiled
    monkeypatch.setattr(machine, "_compiled", lambda text: texts.append(text) or compiled(text))
    return texts


def native(name, number, options=None):
    module = ptx.parse(Source("k.ptx", KERNEL.format(name=name, number=number))).module
    return compile_kernel(module, module.kernels[0], options or CompileOptions())


def test_the_second_kernel_compiles_nothing_that_the_first_had(compiled_texts):
    native("first", 1)
    before = len(compiled_texts)
    native("second", 2)
    (own,) = compiled_texts[before:]
    defined = [line for line in own.splitlines() if line.startswith("define")]
    assert sorted(line.split("@")[1].split("(")[0] for line in defined) == ["clear", "run", "warp"]
    assert "declare" in own


def test_what_is_counted_has_a_driver_of_its_own(compiled_texts):
    native("first", 1)
    paths = CompileOptions(count_edges=True, count_paths=True)
    native("first", 1, paths)
    before = len(compiled_texts)
    native("third", 3, paths)
    assert len(compiled_texts) == before + 1


def module_of(opcode, name="op"):
    """A module whose function ``name`` calls a shared one of the same key, whatever it does."""
    module = LlvmModule(32)
    e = Emitter(module)
    seven = constant(7, "i64")
    inner = lambda f, x: f.outlined("same.inner", lambda g, y: g.op(opcode, y, seven), x)  # noqa: E731
    (result,) = e.outlined("same.outer", inner, LlvmValue("%x", "i64", uniform=True))
    e.raw(f"  ret i64 {result.text}")
    module.functions[f"@{name}"] = (
        f"define i64 @{name}(ptr %ctx, i64 %x) #0 {{\n{e.body_text()}\n}}\n"
    )
    return module


def value_of(code, x):
    function = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64)
    return function(code.address("op"))(None, x)


def test_functions_of_one_name_that_differ_only_in_what_they_call_are_two():
    sums, products = NativeCode(module_of("add")), NativeCode(module_of("mul"))
    again = NativeCode(module_of("add"))
    assert [value_of(c, 5) for c in (sums, products, again)] == [12, 35, 12]


def test_a_function_that_is_called_twice_is_defined_once():
    module = LlvmModule(32)
    e = Emitter(module)
    for _ in range(2):
        e.outlined("same", lambda f, x: f.op("add", x, x), LlvmValue("%x", "i64", uniform=True))
    assert len(module.shared) == 1
    assert module.shared_text(()).count("define") == 1
    (function,) = module.shared.values()
    assert module.shared_text({function.symbol}).count("define") == 0
    assert function.declaration in module.text()
