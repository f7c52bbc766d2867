"""Values that pass through local memory in pieces of other sizes, against memory byte by byte."""

import random

import pytest

from warpmill.analyzer.analyses.analyse import analyse_structure
from warpmill.analyzer.analyses.values.symbolic import evaluate
from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.frontends.ptx import parse

HEAD = """.version 7.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 n, .param .u64 m)
{
 .local .align 8 .b8 depot[24];
 .reg .b16 %s<99>; .reg .b32 %r<99>; .reg .b64 %d<99>;
 ld.param.u64 %d0, [n]; ld.param.u64 %d1, [m];
"""
NAMES = {1: "s", 2: "s", 4: "r", 8: "d"}
SIZE = 24


class _Program:
    """Random stores and loads, as PTX and done on bytes; ``held`` are registers with their bits."""

    def __init__(self, rng, given):
        self.rng, self.lines, self.memory = rng, [], bytearray(SIZE)
        self.held = {f"%d{i}": (value, 8) for i, value in enumerate(given)}
        for place in range(0, SIZE, 8):  # nothing is read that was not written
            self.store(8, place, [self.chosen(8)])

    def chosen(self, size):
        wide = [name for name, (_, width) in self.held.items() if width == max(size, 2)]
        if not wide or self.rng.random() < 0.2:
            number = self.rng.randrange(256)
            return str(number), number
        name = self.rng.choice(wide)
        return name, self.held[name][0]

    def store(self, size, place, values):
        names = ", ".join(name for name, _ in values)
        spelled, word = (names, "") if len(values) == 1 else (f"{{{names}}}", f".v{len(values)}")
        self.lines.append(f" st.local{word}.b{8 * size} [depot+{place}], {spelled};")
        for turn, (_, value) in enumerate(values):
            bits = value % (1 << 8 * size)
            at = place + turn * size
            self.memory[at : at + size] = bits.to_bytes(size, "little")

    def load(self, size, place, *, signed):
        name = f"%{NAMES[size]}{len(self.lines) + 2}"
        self.lines.append(f" ld.local.{'s' if signed else 'u'}{8 * size} {name}, [depot+{place}];")
        kept = bytes(self.memory[place : place + size])
        width = max(size, 2)
        self.held[name] = int.from_bytes(kept, "little", signed=signed) % (1 << 8 * width), width

    def step(self):
        size = self.rng.choice([1, 2, 4, 4, 8])
        if self.rng.random() < 0.5:
            self.load(size, self.rng.randrange(0, SIZE, size), signed=self.rng.random() < 0.3)
            return
        count = self.rng.choice([1, 1, 2]) if size < 8 else 1
        place = self.rng.randrange(0, SIZE - size * count + 1, size * count)
        self.store(size, place, [self.chosen(size) for _ in range(count)])


@pytest.mark.one_in(12)
@pytest.mark.parametrize("seed", range(120))
def test_what_is_loaded_is_what_bytes_are(seed):
    rng = random.Random(seed)
    given = [rng.choice([rng.randrange(1 << 62), rng.randrange(300)]) for _ in range(2)]
    program = _Program(rng, given)
    for _ in range(rng.randrange(4, 24)):
        program.step()
    text = HEAD + "\n".join(program.lines) + "\n ret;\n}\n"
    kernel = parse(Source("fields.ptx", text)).module.kernels[0]
    structure = analyse_structure(kernel)
    values = dict(zip("nm", given, strict=True))
    number = {r.name: i for i, r in enumerate(kernel.registers)}
    for name, (expected, width) in program.held.items():
        definition = structure.ssa.out[0][number[name]]
        formula = structure.values.made_from(definition)[0]
        found = evaluate(formula, {a: values[a.name] for a in formula.atoms if a.name in values})
        assert found is not None, (text, name, str(formula))
        assert found % (1 << 8 * width) == expected, (text, name, str(formula))
