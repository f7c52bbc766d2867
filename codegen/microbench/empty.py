"""A kernel that does nothing, or hardly anything: what launching takes, how fast CTAs begin."""

from __future__ import annotations

from functools import cache

from warpmill.analyzer.ir.kernel import Block, Kernel, Module
from warpmill.analyzer.ir.ptx_printer import print_ptx
from warpmill.codegen.emission.render import render
from warpmill.codegen.microbench.frame import WARP, Microbench, parameters
from warpmill.codegen.microbench.statements import Scope
from warpmill.codegen.synthesis.writing import NOWHERE
from warpmill.codegen.targets import ptx_version

_ORDER = "ld.param.u64 qm [&memory]; ld.param.u32 r0 [&turns]"
_LINK = "mad.lo.u32 r0 r0 r0 r0"
_NEVER = "setp.eq.u32 p0 r0 1; @p0 st.global.u32 [qm] r0"
"""No number of turns has a chain end in 1: a link gives n (n + 1), which is even."""


@cache
def empty(chip: str, links: int = 0) -> Microbench:
    """Give the kernel; with ``links``, its warps live for as long as a chain of so many takes.

    It keeps no record: its time is that of the launch.
    """
    text = "; ".join([_ORDER, *[_LINK] * links, _NEVER, "ret"]) if links else "ret"
    name = f"empty_{links}" if links else "empty"
    about = "no work at all" if not links else f"no work but a chain of {links}"
    scope = Scope()
    block = Block(0, "$BEGIN", tuple(scope.written(text)), None)
    registers = tuple(scope.registers.declared)
    kernel = Kernel(
        name, tuple(parameters(())), registers, (block,), NOWHERE, attributes=("visible",)
    )
    version = ptx_version(Module("", chip, "", 64, WARP, ()), chip)
    module = Module(name, chip, version, 64, WARP, (kernel,))
    note = (f"{name}: {about}", "A micro-benchmark that warpmill calibrates machines with.")
    text = render("ptx/clone.ptx.j2", {"note": note, "module": print_ptx(module)})
    return Microbench(name, text, name, 0, clocked=False)
