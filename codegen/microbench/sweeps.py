"""Shared memory by the stride of its lanes, and branches that are not taken."""

from __future__ import annotations

from functools import cache

from analyzer.ir.types import Space
from codegen.microbench.frame import WARP, Body, Microbench, microbench, variable
from codegen.microbench.statements import Scope

MOST_STRIDE = 512
"""Bytes between the words of two lanes, at most."""

_STRIDE = """
ld.param.u32 rs [&stride]; ld.param.u32 rb [&odd]; mul.lo.u32 ri rl rs; and.b32 rc rl 1;
mad.lo.u32 ri rc rb ri; mov.u32 ra &cell; add.u32 ra ra ri;
st.shared.u32 [ra] rx; bar.sync 0; mov.u32 ro 0
"""
_NEVER = 1 << 30  # what the compared register never is, as it counts threads and turns


@cache
def shared_stride(unroll: int, chip: str) -> Microbench:
    """Give a kernel whose lanes load shared words ``stride`` bytes apart, so often a turn.

    Those of odd lanes lie ``odd`` bytes further on, up to a stride less a word.
    """
    scope = Scope()
    # every load is taken, as ptxas leaves out even volatile ones that nobody looks at; it is taken
    # half a turn later, so that nothing waits for it
    begun = [f"mov.u32 r{k} rx" for k in range(unroll)]
    loop = []
    for k in range(unroll):
        loop.append(f"xor.b32 ro ro r{k}")
        loop.append(f"ld.volatile.shared.u32 r{k} [ra]")
    return microbench(
        f"shared_stride_{unroll}",
        f"{unroll} loads of shared words a turn, lanes a stride apart",
        scope,
        Body(scope.written("; ".join([_STRIDE, *begun])), [scope.written("; ".join(loop))], []),
        chip,
        unroll,
        numbers=("stride", "odd"),
        variables=[variable("cell", Space.SHARED, WARP * MOST_STRIDE)],
    )


MOST_BRANCHES = 6
"""Predicates that are left to a thread beside the loop's own."""


@cache
def branches(count: int, chip: str) -> Microbench:
    """Give a kernel of so many branches a turn that are never taken, up to MOST_BRANCHES.

    Each looks at a predicate of its own and leads elsewhere: ptxas leaves out what an earlier one
    has decided, and joins those that lead to one place.
    """
    scope = Scope()
    before = ["mad.lo.u32 r0 rx rt rt; mov.u32 ro r0"]
    before += [f"setp.eq.u32 p{k} r0 {_NEVER + k}" for k in range(count)]
    loop = [[scope.write(f"@p{k} bra", (k,))] for k in range(count)]
    exits = [scope.written(f"mul.lo.u32 ro ro {2 * k + 3}") for k in range(count)]
    loop.append(scope.written("add.u32 ro ro 1"))
    return microbench(
        f"branches_{count}",
        f"{count} branches a turn that are not taken",
        scope,
        Body(scope.written("; ".join(before)), loop, [], exits),
        chip,
        count,
    )
