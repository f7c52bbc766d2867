"""Where clones work out what they need: against dominators of networkx, and by executing."""

import random
from dataclasses import replace

import networkx as nx
import numpy as np
import pytest

from tests.reference.clone_kernels import ROUND, THREAD, WORK, made, studied
from tests.reference.plain_graphs import PlainGraphMaker
from tests.reference.random_graphs import words_of
from tests.reference.run_kernel import Prepared, module_of
from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.frontends.ptx import parse
from warpmill.analyzer.ir.kernel import Imm, Reg, Register, Special
from warpmill.analyzer.ir.types import TYPES
from warpmill.analyzer.ir.verifier import verify
from warpmill.cloning.clone import study
from warpmill.codegen.synthesis.assembly import place
from warpmill.codegen.synthesis.writing import write
from warpmill.session.options import LaunchOptions

DATA = Reg(11)
"""The register of random graphs that never decides where a thread goes, and that is stored."""


class Flow:
    """What networkx says of the blocks that control comes to: dominators and loops."""

    def __init__(self, kernel):
        whole = nx.DiGraph((b.id, after) for b in kernel.blocks for after in b.successors)
        whole.add_node(0)
        self.graph = whole.subgraph({0} | nx.descendants(whole, 0))
        tree = nx.immediate_dominators(self.graph, 0)
        self.above = {block: self._up(tree, block) for block in self.graph}
        parts = nx.strongly_connected_components(self.graph)
        many = {block for part in parts if len(part) > 1 for block in part}
        self.in_loops = many | set(nx.nodes_with_selfloops(self.graph))
        ahead = nx.DiGraph((a, b) for a, b in self.graph.edges if b not in self.above[a])
        self.reducible = nx.is_directed_acyclic_graph(ahead)

    @staticmethod
    def _up(tree, block):
        found = {block}
        while block != 0:
            block = tree[block]
            found.add(block)
        return found


def readers(kernel, register):
    """(block, place) of what reads a register."""
    return [
        (block.id, number)
        for block in kernel.blocks
        for number, instruction in enumerate(block.instructions)
        if register in instruction.reads
    ]


def check(kernel, values, placed, where):
    """See that each value is made once, before all that read it, out of loops, and no sooner."""
    flow = Flow(kernel)
    for block, before in zip(placed.blocks, kernel.blocks, strict=True):
        assert tuple(i for i in block.instructions if i not in values) == before.instructions
        assert block.terminator == before.terminator
    for number, value in enumerate(values):
        ((at, own),) = [
            (block.id, k)
            for block in placed.blocks
            for k, instruction in enumerate(block.instructions)
            if instruction == value
        ]
        assert at == where[number]
        assert at not in flow.in_loops
        reading = [(b, k) for b, k in readers(placed, value.writes[0]) if b in flow.graph]
        assert all(own < k if b == at else at in flow.above[b] for b, k in reading)
        assert at == 0 or flow.reducible
        if not reading or not flow.reducible:
            continue
        common = set.intersection(*(flow.above[b] for b, _ in reading))
        later = [b for b in common - flow.in_loops if at in flow.above[b] and b != at]
        assert not later, "threads that leave before would execute it for nothing"


def chosen_values(kernel, rng, count):
    """A kernel with readers of so many new values, in any block, and what makes these."""
    first = len(kernel.registers)
    made_here = [Reg(first + k) for k in range(count)]
    values = []
    for k, register in enumerate(made_here):
        before = made_here[:k]
        sources = rng.sample(before, min(len(before), rng.randint(0, 2)))
        if not sources:
            values.append(write("mov.u32", register, Special(rng.choice(["tid.x", "ctaid.x"]))))
            continue
        values.append(write("mad.lo.u32", register, sources[0], Imm(2 * k + 3), sources[-1]))
    blocks = list(kernel.blocks)
    for register in made_here:
        for number in rng.sample(range(len(blocks)), rng.randint(0, 2)):
            body = list(blocks[number].instructions)
            last = len(body) - (blocks[number].terminator is not None)
            reading = write("mad.lo.u32", DATA, DATA, Imm(5), register)
            body.insert(rng.randint(min(1, last), last), reading)
            blocks[number] = replace(blocks[number], instructions=tuple(body))
    registers = [Register(f"%v{k}", TYPES["u32"]) for k in range(count)]
    return replace(kernel, blocks=tuple(blocks), registers=(*kernel.registers, *registers)), tuple(
        values
    )


def at_the_front(kernel, values):
    """A kernel that makes all values first."""
    first = kernel.blocks[0]
    first = replace(first, instructions=(*values, *first.instructions))
    return replace(kernel, blocks=(first, *kernel.blocks[1:]))


def results(kernel):
    out = np.zeros(words_of(2, 40), np.uint32)
    return Prepared(module_of(kernel), kernel).run(2, 40, {"out": out})["out"]


@pytest.mark.one_in(12)
@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize("seed", range(40))
def test_values_are_made_once_before_their_readers_and_no_sooner(seed, apart):
    rng = random.Random(f"placing {seed}")
    kernel, values = chosen_values(PlainGraphMaker(rng, 3 + seed % 12).kernel(), rng, seed % 9)
    placed, where = place(kernel, values, apart=apart)
    check(kernel, values, placed, where)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("seed", range(6))
def test_threads_compute_the_same(seed):
    """As with all of it at the front. Early threads execute less."""
    rng = random.Random(f"same {seed}")
    kernel, values = chosen_values(PlainGraphMaker(rng, 5 + seed).kernel(), rng, 4 + seed)
    front = results(at_the_front(kernel, values))
    assert front.any()
    for apart in (False, True):
        placed, _ = place(kernel, values, apart=apart)
        assert (results(placed) == front).all()


# -- by hand ---------------------------------------------------------------------------------------

TEXT = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 p)
{
.reg .pred %p<4>; .reg .b32 %a, %b, %c, %d, %e, %v0, %v1, %v2; .reg .b64 %rd<4>;
BODY
}
"""


def by_hand(body):
    """The kernel, and a function that gives one of its registers by its name."""
    (kernel,) = parse(Source("k.ptx", TEXT.replace("BODY", body))).module.kernels
    used = {register.name for register in kernel.registers}
    others = [Register(n, TYPES["b32"]) for n in ("%a", "%v0", "%v1") if n not in used]
    kernel = replace(kernel, registers=(*kernel.registers, *others))
    numbers = {register.name: k for k, register in enumerate(kernel.registers)}
    return kernel, lambda name: Reg(numbers[name])


def order_of(kernel, block):
    """Give the names of what a block writes, in order; a jump is ``-``."""
    return [
        kernel.registers[i.writes[0]].name.strip("%") if i.writes else "-"
        for i in kernel.blocks[block].instructions
    ]


def test_who_leaves_early_does_not_make_what_only_others_read():
    kernel, reg = by_hand("""
mov.u32 %a, %tid.x; setp.gt.u32 %p1, %a, 9; @%p1 ret;
add.u32 %b, %a, %v0; add.u32 %c, %b, %v1; setp.gt.u32 %p2, %c, 5; @%p2 bra SIDE;
add.u32 %d, %d, %v2; bra END;
SIDE: add.u32 %e, %e, %v2;
END: ret;
""")
    values = tuple(write("mov.u32", reg(f"%v{k}"), Special("tid.x")) for k in range(3))
    placed, where = place(kernel, values, apart=False)
    assert where == (1, 1, 1)
    assert order_of(placed, 0) == order_of(kernel, 0) == ["a", "p1", "-"]
    assert order_of(placed, 1) == ["v0", "b", "v1", "c", "p2", "v2", "-"]
    placed, _ = place(kernel, values, apart=True)
    assert order_of(placed, 1) == ["v0", "v1", "v2", "b", "c", "p2", "-"]


def test_what_is_read_in_a_loop_is_made_before_it():
    kernel, reg = by_hand("""
mov.u32 %a, 0; bra LOOP;
LOOP: add.u32 %a, %a, %v0; setp.gt.u32 %p1, %a, 9; @%p1 bra MORE; bra NEXT;
MORE: add.u32 %b, %b, %v1;
NEXT: setp.lt.u32 %p2, %b, 50; @%p2 bra LOOP;
add.u32 %c, %c, %v2; ret;
""")
    values = tuple(write("mov.u32", reg(f"%v{k}"), Special("tid.x")) for k in range(3))
    placed, where = place(kernel, values, apart=False)
    assert order_of(placed, 0) == ["a", "v0", "v1", "-"]
    after = where[2]
    assert order_of(placed, after) == ["v2", "c", "-"]


def test_those_apart_stand_by_how_many_they_are_made_of():
    """Two chains, v0 to a to b and v1 to c, one behind the other: side by side they wait less."""
    kernel, reg = by_hand("add.u32 %d, %b, %c; ret;")
    chain = (
        write("mov.u32", reg("%v0"), Special("tid.x")),
        write("add.u32", reg("%a"), reg("%v0"), Imm(1)),
        write("add.u32", reg("%b"), reg("%a"), Imm(1)),
        write("mov.u32", reg("%v1"), Special("ctaid.x")),
        write("add.u32", reg("%c"), reg("%v1"), Imm(1)),
    )
    placed, _ = place(kernel, chain, apart=False)
    assert order_of(placed, 0) == ["v0", "a", "b", "v1", "c", "d", "-"]
    placed, _ = place(kernel, chain, apart=True)
    assert order_of(placed, 0) == ["v0", "v1", "a", "c", "b", "d", "-"]


def test_nothing_stands_behind_a_return_of_some_lanes(tmp_path):
    """What a loop reads is made at the end of the block before it, which ends with the return."""
    body = f"setp.ge.u32 %p1, {THREAD}, 999; mov.u32 {ROUND}, 0; @%p1 ret;\n"
    inside = f"LOOP: {WORK} add.u32 {ROUND}, {ROUND}, 1; setp.lt.u32 %p8, {ROUND}, 32;"
    one = made(tmp_path, studied(tmp_path, f"{body}{inside} @%p8 bra LOOP;\n"), reduction=2)
    assert verify(one.cloned.application.module) == ()
    assert one.here.executions[1] == one.there.executions[1] / 2


FROM_THE_FIRST = """
LOOP: add.u32 %r7, %r7, 1; mov.u32 %r1, %tid.x; ld.param.u64 %rd1, [p];
mad.wide.u32 %rd2, %r1, 4, %rd1; ld.global.u32 %r2, [%rd2];
setp.lt.u32 %p1, %r7, 10; @%p1 bra LOOP;
st.global.u32 [%rd2], %r2; ret;
"""


@pytest.mark.xfail(strict=True, reason="counters and states start anew in each iteration")
def test_a_loop_from_the_first_instruction_on(tmp_path):
    path = tmp_path / "original.ptx"
    names = ".reg .b32 %r<9>;"
    path.write_text(TEXT.replace("BODY", names + FROM_THE_FIRST))
    options = LaunchOptions(grid="4", block="64", args=("buffer=u32:4096",))
    one = made(tmp_path, study(path, None, options), reduction=2)
    assert one.here.executions[0] == 5
