"""Distributions read off profiles against instructions counted one by one in the interpreter."""

import random
from collections import Counter, defaultdict

import numpy as np
import pytest

from tests.reference import profile_twin
from tests.reference.random_graphs import GraphMaker, words_of
from tests.reference.run_kernel import Prepared, module_of
from warpmill.analyzer.launch.numbering import GLOBAL_BASE
from warpmill.analyzer.profile.ctas import cta_block_vectors
from warpmill.analyzer.profile.mix import block_vector, executions_by, lane_histogram, opcode_mix
from warpmill.executor.compile import CompileOptions
from warpmill.executor.context import Grid
from warpmill.executor.observation import profile_of

COUNTED = CompileOptions(count_lanes=True, count_ctas=True)


def instructions_of(kernel, walked):
    """Each execution of an instruction: warp, block, instruction, lanes, those guarded on."""
    for warp in walked:
        for number, mask, guards in warp.events:
            block = kernel.blocks[number]
            for place, instruction in enumerate(block.instructions):
                branches = instruction is block.terminator
                on = mask if branches else guards.get(place, mask)
                yield warp.number, number, instruction, mask.bit_count(), on.bit_count()


@pytest.mark.parametrize(("threads", "lanes"), [(40, 32), (100, 64), (64, 32)])
def test_mixes_are_those_of_the_instructions_one_by_one(threads, lanes):
    for seed in range(6):
        chance = random.Random(f"mixes {seed} {threads} {lanes}")
        kernel = GraphMaker(chance, chance.randint(2, 10)).kernel()
        out = np.zeros(words_of(2, threads), np.uint32)
        prepared = Prepared(module_of(kernel, lanes), kernel, COUNTED)
        ran = prepared.run((2, 1, 1), (threads, 1, 1), {"out": out})
        grid = Grid((2, 1, 1), (threads, 1, 1))
        profile = profile_of(prepared.compiled, grid, ran.execution)
        where = {"out": GLOBAL_BASE}
        walked = profile_twin.walk(kernel, lanes, (2, 1, 1), (threads, 1, 1), where)
        check(profile, kernel, walked, -(-threads // lanes))


def check(profile, kernel, walked, warps_of_cta):
    opcodes, lines = (defaultdict(lambda: [0, 0, 0]) for _ in range(2))
    histogram, blocks, total = Counter(), Counter(), 0
    for warp, block, instruction, lanes, on in instructions_of(kernel, walked):
        for counts in (opcodes[instruction.operation.opcode], lines[instruction.span.line]):
            for k, more in enumerate((1, lanes, on)):
                counts[k] += more
        histogram[lanes] += 1
        blocks[warp // warps_of_cta, block] += 1
        total += 1
    static = Counter(i.operation.opcode for i in kernel.instructions)
    found = {one.name: one.executions for one in opcode_mix(profile)}
    assert {name: e.static_instructions for name, e in found.items()} == static
    for name, e in found.items():
        assert [e.warp_instructions, e.thread_instructions, e.predicated_on] == opcodes[name], name
    for line, e in executions_by(profile, lambda one: one.span.line).items():
        assert [e.warp_instructions, e.thread_instructions, e.predicated_on] == lines[line]
    assert dict(enumerate(lane_histogram(profile))) == {
        n: histogram[n] for n in range(profile.warp_size + 1)
    }
    every = range(len(kernel.blocks))
    shares = [(blocks[0, b] + blocks[1, b]) / total for b in every]
    np.testing.assert_allclose(block_vector(profile), shares, rtol=1e-15)
    vectors = cta_block_vectors(profile)
    for cta in range(2):
        own = [blocks[cta, b] for b in every]
        np.testing.assert_allclose(
            vectors.vectors[vectors.of_cta[cta]], np.array(own) / sum(own), rtol=1e-15
        )
