"""Launch files, and a kernel that one of them fits."""

from warpmill.analyzer.base.diagnostics import Span
from warpmill.analyzer.ir.kernel import Kernel, Module, Parameter, Variable
from warpmill.analyzer.ir.types import TYPES, Space

HEAD = '[sizes]\nn = 1024\n[[launch]]\nmodule = "a.ptx"\ngrid = [1]\nblock = [32]\n'


def parameter(name, type_name, size=None, **more):
    type_ = TYPES[type_name]
    return Parameter(name, type_, size or type_.size_bytes, 8, **more)


KERNEL = Kernel(
    name="_Z1kPfijf",
    parameters=(
        parameter("p0", "u64"),
        parameter("p1", "s32"),
        parameter("p2", "u32"),
        parameter("p3", "f32"),
        parameter("p4", "b8", 24),
        parameter("p5", "u64"),
        parameter("p6", "b16"),
        parameter("p7", "u8"),
    ),
    registers=(),
    blocks=(),
    span=Span(1, 1, 2),
    variables=(Variable("tile", Space.SHARED, TYPES["f32"], 1024, 4),),
)


MODULE = Module(
    name="m.ptx",
    target="sm_80",
    version="8.0",
    address_bits=64,
    warp_size=32,
    kernels=(KERNEL,),
    variables=(
        Variable("_ZN2ns6filterE", Space.CONST, TYPES["f32"], 900, 4),
        Variable("open", Space.GLOBAL, TYPES["f32"], None, 4),
        Variable("common", Space.SHARED, TYPES["b8"], 1000, 4),
    ),
)


GOOD = """\
[[launch]]
module = "m.ptx"
grid = [64, 2]
block = [32, 8]
shared = 0
symbols = { filter = { buffer = "f32", shape = [225] } }
args = [
  { buffer = "f32", shape = [64] },
  { i32 = 5 },
  { i32 = -1 },
  { f32 = 0.5 },
  { struct = [ { f64 = 1 }, { i32 = 2 }, { null = true } ] },
  { texture = "f32", shape = [8, 8] },
  { f16 = 1 },
  { bool = true },
]
"""
