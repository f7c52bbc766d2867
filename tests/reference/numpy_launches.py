"""Bodies of kernels run by the NumPy executor."""

import numpy as np

from tests.reference.numpy_executor import execute
from warpmill.analyzer.frontends.load import load_kernel

REGISTERS = """
    .reg .pred %p<9>;  .reg .b16 %h<9>;  .reg .b32 %r<20>;  .reg .b64 %d<20>;
    .reg .f32 %f<9>;   .reg .f64 %g<9>;
"""
OWN_PLACE = """
    ld.param.u64 %d0, [out];
    mov.u32 %r0, %tid.x;
    mad.lo.u32 %r1, %ctaid.x, %ntid.x, %r0;
    mul.wide.u32 %d1, %r1, 4;
    add.u64 %d1, %d1, %d0;
"""  # 5 instructions; %d1 is the thread's word of `out`


def launcher(folder):
    """What runs a body on arguments; its text goes to a file in the folder."""

    def launch(body, arguments, grid=1, block=32, *, more="", parameters=(".u64 out",), **options):
        listed = ", ".join(f".param {p}" for p in parameters)
        text = f".version 8.0\n.target sm_80\n.address_size 64\n{more}\n"
        text += f".visible .entry k({listed}) {{ {REGISTERS} {body} }}\n"
        path = folder / "k.ptx"
        path.write_text(text)
        loaded, kernel = load_kernel(path)
        return execute(loaded.module, kernel, grid, block, arguments, **options)

    return launch


def words(count):
    return np.zeros(count, np.uint32)
