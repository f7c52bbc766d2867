"""Changes of what a block's instructions wait for: sums from a place on are those of all of it."""

import random
from dataclasses import replace
from types import SimpleNamespace

import pytest

from warpmill.analyzer.ir.kernel import Address, Imm, Reg, Register
from warpmill.analyzer.ir.types import TYPES
from warpmill.codegen.model import Slot
from warpmill.codegen.synthesis import waits as waiting
from warpmill.codegen.synthesis.waits import ARITHMETIC, MEMORY, waits
from warpmill.codegen.synthesis.writing import write

FORMS = [
    ("add.u32", "uuu"), ("mul.lo.u32", "uuu"), ("mad.lo.s32", "uuuu"), ("fma.rn.f32", "ffff"),
    ("add.f32", "fff"), ("cvt.rn.f32.u32", "fu"), ("cvt.rzi.u32.f32", "uf"),
    ("selp.b32", "uuup"), ("div.rn.f32", "fff"), ("sin.approx.f32", "ff"), ("ld.global.u32", "ua"),
    ("setp.lt.u32", "puu"),
]  # fmt: skip
TYPE_OF = {"u": "u32", "f": "f32", "p": "pred"}


def random_block(seed, length):
    """Registers, slots and what is written of them: some lost, some of the clone's own."""
    rng = random.Random(seed)
    letters = [rng.choice("ufp") for _ in range(max(9, length // rng.choice((1, 3))))] + list("ufp")
    registers = tuple(Register(f"%{k}", TYPES[TYPE_OF[c]], 1) for k, c in enumerate(letters))
    forms, near = rng.sample(FORMS, rng.randint(3, len(FORMS))), rng.choice((3, 8, length))
    made, slots, code = {"u": [], "f": [], "p": []}, [], []
    for _ in range(length):
        opcode, form = rng.choice(forms)
        operands = []
        for k, letter in enumerate(form):
            alike = [r for r, c in enumerate(letters) if c == letter]
            recent = made.get(letter, [])[-near:]
            from_here = k > 0 and recent and rng.random() < 0.7
            register = Reg(rng.choice(recent if from_here else alike)) if alike else None
            operands.append(register or Address(Imm(0)))
        made[form[0]].append(operands[0].index)
        kind = rng.choices(("plain", "decides", "guarded", "lost"), (85, 5, 5, 5))[0]
        slots.append(
            Slot(
                opcode,
                tuple(operands),
                (0,) if "a" in form else (),
                1.0 if kind == "guarded" else None,
                kind == "decides",
            )
        )
        if kind != "lost":
            code.append(write(opcode, *operands))
        if rng.random() < 0.1:
            own = Reg(len(registers))
            code.append(write("add.u32", own, own, Imm(1)))
    return SimpleNamespace(registers=registers), SimpleNamespace(slots=tuple(slots)), code


@pytest.mark.parametrize("length", [2, 10, 40, 115])
def test_a_change_is_what_it_is_to_the_whole_block(length):
    """Any operand, at any place, of blocks that are shorter than what is looked at."""
    changes = set()
    for seed in range(6):
        model, _, code = random_block(seed, length)
        rng = random.Random(seed)
        warp, made = waiting._Warp(code), waiting._RegisterWrites(model.registers)
        for place, instruction in enumerate(code):
            operands = list(instruction.operands)
            k = rng.randrange(1, len(operands))
            operands[k] = Reg(rng.randrange(len(model.registers)))
            other = replace(instruction, operands=tuple(operands))
            changed = [*code[:place], other, *code[place + 1 :]]
            change = warp.change(made.sources(other))
            assert change == sum(waits(changed)) - sum(waits(code))
            changes.add(change)
            if rng.random() < 0.5:  # what is changed stays so for those behind it
                warp.read(made.sources(other))
                code = changed
            made.note(place, code[place])
            warp.issue()
    assert length == 2 or (min(changes) < 0 < max(changes) and 0 in changes)


def places(slots, code):
    """The slots that have an instruction, with the next one that is made like them."""
    at = 0
    for number, slot in enumerate(slots):
        for place in range(at, len(code) if not slot.decides else 0):
            made = code[place]
            if (made.operation.opcode, made.operands[0]) == (slot.opcode, slot.operands[0]):
                yield number, place
                at = place + 1
                break


def slowly(model, slots, code, slot_places, wanted):
    """Change slots one after another, each time looking at the whole block."""
    slots, code, gained = list(slots), list(code), 0
    for number, place in slot_places.items():
        if abs(wanted - gained) < 1:
            break
        for operands in choices(model, slots[number], code, place, more=wanted > gained):
            made = replace(code[place], operands=operands)
            other = [*code[:place], made, *code[place + 1 :]]
            change = sum(waits(other)) - sum(waits(code))
            if change and abs(wanted - gained - change) < abs(wanted - gained):
                code, gained = other, gained + change
                slots[number] = replace(slots[number], operands=operands)
                break
    return slots, code


def choices(model, slot, code, place, *, more):
    classes = [i.operation.op_class for i in code]
    if slot.sites or slot.guard is not None or classes[place] not in ARITHMETIC:
        return
    made_at = {r: p for p in range(place) for r in code[p].writes}
    for k, operand in enumerate(slot.operands):
        if k == 0 or (operand.index in made_at and classes[made_at[operand.index]] in MEMORY):
            continue
        own = model.registers[operand.index].type
        alike = [r for r, register in enumerate(model.registers) if register.type == own]
        found = [r for r in alike if r not in made_at and r != operand.index][:1]
        if more:
            found = [r for r in alike if r in made_at and classes[made_at[r]] in ARITHMETIC]
            found = sorted(found, key=lambda r: -made_at[r])[:3]
        yield from ((*slot.operands[:k], Reg(r), *slot.operands[k + 1 :]) for r in found)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("wanted", [1e9, -1e9, 7, -7, 40.5, -40.5])
def test_blocks_are_changed_as_by_looking_at_all_of_them(wanted):
    gains = []
    for seed in range(14):
        model, block, code = random_block(seed, 5 + 7 * seed)
        changed = waiting._Block(model, block, code)
        assert changed.slot_places == dict(places(block.slots, code))
        gained = changed.wait(wanted)
        slots, whole = slowly(model, block.slots, code, changed.slot_places, wanted)
        assert (changed.slots, changed.code) == (slots, whole)
        assert gained == sum(waits(whole)) - sum(waits(code))
        gains.append(gained)
    assert sum(gains) * wanted > 0


def test_it_says_what_a_long_block_gained_where_its_chains_never_meet():
    """Two chains take turns, and each waits for itself alone: only the end tells how far behind.

    Reading the first result puts the second chain off by 5 slots, and the first one by 1, which the
    128th instruction belongs to; the last one belongs to the second chain.
    """
    length = 402
    registers = tuple(Register(f"%{k}", TYPES["u32"], 1) for k in range(length + 3))
    slots = []
    for k in range(length):
        sources = Reg(max(0, k - 1)), Reg(length + 2)
        slots.append(Slot("add.u32", (Reg(k + 1), *sources), guard=None if k == 1 else 1.0))
    code = [write("add.u32", *slot.operands) for slot in slots]
    changed = waiting._Block(
        SimpleNamespace(registers=registers), SimpleNamespace(slots=slots), code
    )
    before = sum(waits(code))
    gained = changed.wait(1)
    assert changed.code != code
    assert gained == sum(waits(changed.code)) - before == 5
