"""Kernels with what is expected of them in comments beside their lines.

The first line of a kernel names what is shown: ``// test: cfg, loops, branches, accesses, trace``.
For ``trace`` the second gives the launch: ``// launch: grid 2x1x1 block 40x1x1 args 4096B, 7``
(``B``: a buffer of so many bytes) and the traces stand in NAME.trace.txt. ``pytest --bless``
writes down what came out; read the diff.
"""

import re
from pathlib import Path

import pytest

from warpmill.analyzer.analyses.access.accesses import memory_accesses
from warpmill.analyzer.analyses.analyse import analyse_structure
from warpmill.analyzer.analyses.divergence.analysis import Deciders
from warpmill.analyzer.analyses.ranges.bounds import loop_bounds
from warpmill.analyzer.analyses.values.conditions import guard_condition
from warpmill.analyzer.frontends.load import load
from warpmill.analyzer.launch.model import BufferArgument, Launch, ScalarArgument
from warpmill.analyzer.traces.model import Repeat, UnknownAddresses
from warpmill.analyzer.traces.source import StaticSource
from warpmill.analyzer.traces.static.walk import WalkLimits

FOLDER = Path(__file__).parent
KERNELS = sorted([*FOLDER.glob("*.ptx"), *FOLDER.glob("*.ll")])
COLUMN = 47


@pytest.mark.parametrize("path", KERNELS, ids=lambda p: p.name)
def test_a_kernel_is_understood_as_its_comments_say(path, bless):
    text = path.read_text(encoding="utf-8")
    mark = "//" if path.suffix == ".ptx" else ";"
    shown = re.match(rf"{mark} test: (.+)", text).group(1).split(", ")
    module = load(path).module
    structure = analyse_structure(module.kernels[0])
    notes = [note for name in shown if name in NOTES for note in NOTES[name](module, structure)]
    expect(path, beside(text, mark, notes), bless)
    if "trace" in shown:
        traces = trace_text(module, structure, re.search(r"launch: (.+)", text).group(1))
        expect(path.with_suffix(".trace.txt"), traces, bless)


def expect(path, text, bless):
    if bless:
        path.write_text(text, encoding="utf-8")
    assert path.exists(), f"{path.name} is not there; write it with --bless"
    assert path.read_text(encoding="utf-8") == text


def beside(text, mark, notes):
    """Put (line, note) pairs at the ends of their lines, in place of the comments there."""
    lines = [
        line if line.startswith(mark) else line.split(mark)[0].rstrip() for line in text.split("\n")
    ]
    for number in sorted({n for n, _ in notes}):
        words = "   ".join(note for n, note in notes if n == number)
        lines[number - 1] = f"{lines[number - 1].expandtabs(4):{COLUMN}} {mark} {words}"
    return "\n".join(lines)


def first_line(block):
    return block.instructions[0].span.line if block.instructions else None


def cfg_notes(module, structure):
    labels = [*(b.label for b in structure.kernel.blocks), "exit"]
    for block in structure.kernel.blocks:
        if not block.instructions or block.id not in structure.cfg.reachable:
            continue
        after = " ".join(labels[s] for s in structure.cfg.successors[block.id])
        meet = structure.reconvergence[block.id]
        meets = "" if meet is None else f", meet at {labels[meet]}"
        yield first_line(block), f"block {block.label}: to {after}{meets}"


def loop_notes(module, structure):
    for bound in loop_bounds(structure):
        loop, block = structure.loops.loops[bound.loop], structure.kernel.blocks[bound.header]
        test = "at its end" if bound.bottom_tested else "before"
        most = "at most " if bound.at_most else ""
        yield (
            first_line(block),
            f"loop depth {loop.depth}, tested {test}, trips {most}{bound.trips}",
        )


def branch_notes(module, structure):
    for block in structure.kernel.blocks:
        for i, instruction in enumerate(block.instructions):
            if instruction.guard is None:
                continue
            condition = guard_condition(structure, block.id, i, instruction.guard)
            deciders = ", ".join(d.value for d in Deciders(structure).of(block.id, condition))
            yield instruction.span.line, f"if {condition} (by {deciders})"


def access_notes(module, structure):
    for access in memory_accesses(module, structure):
        instruction = structure.kernel.blocks[access.block].instructions[access.instruction]
        stride = step(access.lane_stride_bytes, "lane")
        loops = "".join(step(bytes_, "iteration") for _, bytes_ in access.loop_strides_bytes)
        space = f"{access.space.value} {access.width_bytes} B"
        yield instruction.span.line, f"{access.pattern.value} {space}:{stride}{loops}"


def step(bytes_, each):
    return f" ?/{each}" if bytes_ is None else f" {bytes_:+d}/{each}"


NOTES = {
    "cfg": cfg_notes,
    "loops": loop_notes,
    "branches": branch_notes,
    "accesses": access_notes,
}


def launch_of(words):
    grid, block, arguments = re.fullmatch(r"grid (\S+) block (\S+) args (.+)", words).groups()
    return Launch.of(
        "kernel",
        grid=list(map(int, grid.split("x"))),
        block=list(map(int, block.split("x"))),
        arguments=[argument_of(word) for word in arguments.split(", ")],
    )


def argument_of(word):
    if word.endswith("B"):
        return BufferArgument("u8", (int(word[:-1]),))
    return ScalarArgument("i32", int(word))


def trace_text(module, structure, words):
    """Write the traces of the first and last CTA, one node a line."""
    launch = launch_of(words)
    source = StaticSource(module, structure, launch, limits=WalkLimits(20_000))
    last = tuple(n - 1 for n in launch.grid)
    lines = []
    for cta in dict.fromkeys([(0, 0, 0), last]):
        for warp in source.warps(cta):
            lines.append(f"cta {','.join(map(str, cta))} warp {warp.warp}: {warp.visits} visits")
            lines += node_lines(warp.nodes, (structure.kernel, source.layout, warp.bases), "  ")
    lines += [f"assumed: {a.text}" for a in source.assumptions]
    return "\n".join(lines) + "\n"


def node_lines(nodes, of, indent):
    kernel, layout, bases = of
    for node in nodes:
        if isinstance(node, Repeat):
            growth = "".join(f" {s:+d}/iteration" for s in node.count_strides)
            yield f"{indent}{node.count}{growth} times"
            yield from node_lines(node.body, of, indent + "  ")
            continue
        block = kernel.blocks[node.block]
        yield f"{indent}{block.label} {node.mask:08x}"
        for index, mask in node.guards:
            yield f"{indent}  line {block.instructions[index].span.line} only {mask:08x}"
        for access in node.accesses:
            line = block.instructions[access.instruction].span.line
            where = place(access.addresses, layout, bases)
            yield f"{indent}  line {line} {access.mask:08x} {where}"


def place(where, layout, bases):
    if isinstance(where, UnknownAddresses):
        return f"unknown: {where.reason}"
    base = bases[where.slot]
    region = layout.region(base)
    start = str(base) if region is None else f"{region.name}+{base - region.start}"
    listed = getattr(where.pattern, "listed", None)
    lanes = f" {where.pattern.stride:+d}/lane" if listed is None else f" lanes {listed}"
    return start + lanes + "".join(f" {s:+d}/iteration" for s in where.loop_strides)
