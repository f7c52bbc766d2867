"""Small kernels in PTX for tests of divergence, and what is found for them."""

from warpmill.analyzer.analyses.analyse import analyse_structure
from warpmill.analyzer.analyses.divergence.analysis import divergence
from warpmill.analyzer.analyses.values.ssa import DefinitionKind
from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.frontends.ptx import parse

HEAD = """\
.version 8.0
.target sm_90
.address_size 64
.extern .func (.param .b32 r) other ();
.visible .entry k(.param .u64 data, .param .u32 n)
{
    .reg .pred %p<9>;
    .reg .b16 %rs<9>;
    .reg .b32 %r<30>;
    .reg .b64 %rd<20>;
    .reg .f32 %f<9>;
    .shared .align 4 .b8 tile[4096];
    .local .align 8 .b8 mine[64];
    ld.param.u64 %rd1, [data];
    ld.param.u32 %r1, [n];
    mov.u32 %r2, %tid.x;
"""


def structure_of(*lines):
    text = f"{HEAD}{chr(10).join(lines)}\nret;\n}}\n"
    return analyse_structure(parse(Source("k.ptx", text)).module.kernels[0])


def found_for(*lines, warps=None):
    return divergence(structure_of(*lines), warps)


def classes_of(found, name):
    """The classes of a register's written values, in program order."""
    kernel, ssa = found.structure.kernel, found.structure.ssa
    return [
        found.classes[d.id]
        for d in ssa.definitions
        if kernel.registers[d.register].name == name and d.kind is DefinitionKind.INSTRUCTION
    ]
