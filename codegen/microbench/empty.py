"""A kernel that does nothing: what launching one takes, and how fast CTAs begin."""

from __future__ import annotations

from functools import cache

from analyzer.ir.kernel import Block, Kernel, Module
from analyzer.ir.ptx_printer import print_ptx
from codegen.emission.render import render
from codegen.microbench.frame import WARP, Microbench, parameters
from codegen.microbench.statements import Scope
from codegen.synthesis.writing import NOWHERE
from codegen.targets import ptx_version


@cache
def empty(chip: str) -> Microbench:
    """Give the kernel. It keeps no record: its time is that of the launch."""
    block = Block(0, "$BEGIN", tuple(Scope().written("ret")), None)
    kernel = Kernel("empty", tuple(parameters(())), (), (block,), NOWHERE, attributes=("visible",))
    version = ptx_version(Module("", chip, "", 64, WARP, ()), chip)
    module = Module("empty", chip, version, 64, WARP, (kernel,))
    note = ("empty: no work at all", "A micro-benchmark that warpmill calibrates machines with.")
    text = render("ptx/clone.ptx.j2", {"note": note, "module": print_ptx(module)})
    return Microbench("empty", text, "empty", 0, clocked=False)
