"""Shared memory by the stride of its lanes, branches that are not taken, and code back to front."""

from __future__ import annotations

from functools import cache

from warpmill.analyzer.ir.types import Space
from warpmill.codegen.microbench.frame import WARP, Body, Microbench, microbench, variable
from warpmill.codegen.microbench.statements import Scope, copied, names_in

MOST_STRIDE = 512
"""Bytes between the words of two lanes, at most."""

_STRIDE = """
ld.param.u32 rs [&stride]; ld.param.u32 rb [&odd]; mul.lo.u32 ri rl rs; and.b32 rc rl 1;
mad.lo.u32 ri rc rb ri; mov.u32 ra &cell; add.u32 ra ra ri;
st.shared.u32 [ra] rx; bar.sync 0; mov.u32 ro 0
"""
_ONE = 0x3F80_0000
"""Bits of 1.0."""

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
    loop = [[scope.write(f"@p{k} bra", (count + 1 + k,))] for k in range(count)]
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


@cache
def back_to_front(blocks: int, copies: int, chip: str) -> Microbench:
    """Give a kernel whose loop goes through so many blocks of code from the last to the first.

    Each has a multiply-add of so many chains and a branch. No prefetcher of what lies ahead brings
    the next one, and ptxas leaves the blocks as they are, since it does not know that branches are
    always taken.
    """
    scope = Scope()
    chains = copied("fma.rn.f32 f0 f0 f0 f0", copies)
    names = names_in("; ".join(chains))
    before = ["setp.ne.u32 pj rt 0"]
    before += [f"add.u32 ri rn {n}; mov.b32 {name} ri" for n, name in enumerate(names, _ONE)]
    links = scope.written("; ".join(chains))
    loop = [[scope.write("@pj bra", (blocks,))]]
    for number in range(1, blocks + 1):
        to = number - 1 if number > 1 else blocks + 1
        loop.append([*links, scope.write("@pj bra", (to,))])
    loop.append(scope.written("add.u32 rn rn 1"))
    value = ["mov.u32 ro rn", *(f"mov.b32 ri {name}; xor.b32 ro ro ri" for name in names)]
    return microbench(
        f"back_to_front_{blocks}x{copies}",
        f"{blocks} blocks of {copies} links of fp32_fma a turn, the last one first",
        scope,
        Body(
            scope.written("; ".join(["mad.lo.u32 rn rx rt rt", *before])),
            loop,
            scope.written("; ".join(value)),
        ),
        chip,
        blocks * copies,
    )
