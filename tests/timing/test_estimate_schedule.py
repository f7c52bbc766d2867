"""The order in which an assembler leaves a block: loads early, and every value as it was."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from tests.timing.estimated_kernels import job
from warpmill.analyzer.analyses.cfg.graph import build_cfg
from warpmill.analyzer.ir.kernel import Instruction, Kernel
from warpmill.analyzer.ir.types import Space
from warpmill.session.estimates import Estimator
from warpmill.session.options import EstimateOptions, RegisterSources
from warpmill.simulator.assembler.program import KernelFacts, MachineProgram
from warpmill.simulator.assembler.registers import RESERVED, RegisterCount
from warpmill.simulator.assembler.schedule import scheduled_regions, written_regions
from warpmill.simulator.estimate.engine import Mode
from warpmill.simulator.estimate.kernel import EstimateSubject, KernelCode
from warpmill.simulator.machines import load_machine

LOADS = 8

Orders = tuple[tuple[int, ...], ...]
"""For each block the numbers of its instructions."""


def as_written(kernel: Kernel) -> Orders:
    return tuple(tuple(i for _, i in own) for own in written_regions(kernel))


def scheduled(kernel: Kernel, registers: int) -> Orders:
    orders = scheduled_regions(kernel, build_cfg(kernel), registers)
    return tuple(tuple(i for _, i in own) for own in orders)


def kernel_of(folder: Path, body: str, params: str = "p") -> Kernel:
    return job(folder, body, 1, 32, params).kernel


def order(kernel: Kernel, registers: int) -> list[Instruction]:
    """The first block's instructions as they are left."""
    orders = scheduled(kernel, registers)
    return [kernel.blocks[0].instructions[i] for i in orders[0]]


def names(instructions: list[Instruction]) -> list[str]:
    return [i.operation.name for i in instructions if i.operation.name in {"ld", "add", "st"}]


def sums(loads: int = LOADS) -> str:
    """Load a number and add it to a sum, several times; then the sum is stored."""
    each = [
        f"ld.global.f32 %f{k}, [%rd1+{128 * k}]; add.f32 %f50, %f50, %f{k};" for k in range(loads)
    ]
    return "\n".join(["ld.param.u64 %rd1, [p];", *each, "st.global.f32 [%rd1], %f50;"])


def early(instructions: list[Instruction]) -> int:
    """Loads from memory before the first addition."""
    found = [i.operation for i in instructions]
    first = next(k for k, o in enumerate(found) if o.name == "add")
    return sum(o.name == "ld" and o.space is not Space.PARAM for o in found[:first])


def test_with_registers_to_spare_all_loads_go_first(tmp_path: Path) -> None:
    kernel = kernel_of(tmp_path, sums())
    written = list(kernel.blocks[0].instructions)
    assert early(written) == 1
    assert names(order(kernel, 255))[1:] == ["ld"] * LOADS + ["add"] * LOADS + ["st"]


def test_as_many_loads_go_first_as_registers_are_left(tmp_path: Path) -> None:
    """The sum takes one, each number that waits for its turn one; parameters take none."""
    kernel = kernel_of(tmp_path, sums())
    for waiting in range(1, LOADS + 1):
        assert early(order(kernel, RESERVED + 1 + waiting)) == waiting


def test_without_registers_the_text_is_kept(tmp_path: Path) -> None:
    kernel = kernel_of(tmp_path, sums())
    assert order(kernel, RESERVED) == list(kernel.blocks[0].instructions)


def test_the_longest_way_to_the_end_goes_first(tmp_path: Path) -> None:
    """What the last load waits for comes before what nobody waits for long."""
    body = """add.f32 %f1, %f2, %f3; add.f32 %f4, %f1, %f3;
add.s64 %rd2, %rd1, 4096; ld.global.u64 %rd3, [%rd2]; ld.global.f32 %f5, [%rd3];
add.f32 %f6, %f4, %f5; st.global.f32 [%rd1], %f6;"""
    opcodes = [i.operation.opcode for i in order(kernel_of(tmp_path, body), 255)]
    assert opcodes == [
        "add.s64", "add.f32", "ld.global.u64", "add.f32", "ld.global.f32", "add.f32",
        "st.global.f32", "ret",
    ]  # fmt: skip


def test_barriers_keep_accesses_on_their_side(tmp_path: Path) -> None:
    body = """mov.u32 %r1, tile; ld.shared.f32 %f1, [%r1]; add.f32 %f1, %f1, %f1; bar.sync 0;
st.shared.f32 [%r1], %f1; bar.sync 0; ld.shared.f32 %f2, [%r1+4]; add.f32 %f3, %f2, %f1;"""
    found = [i.operation.opcode for i in order(kernel_of(tmp_path, body, ""), 255)]
    memory = [o for o in found if o.startswith(("ld", "st", "bar"))]
    assert memory == ["ld.shared.f32", "bar.sync", "st.shared.f32", "bar.sync", "ld.shared.f32"]


@pytest.mark.parametrize(
    ("first", "second", "may_swap"),
    [
        ("st.global.f32 [%rd1], %f1;", "ld.global.f32 %f2, [%rd1];", False),
        ("st.shared.f32 [%r1], %f1;", "ld.global.f32 %f2, [%rd1];", True),
        ("st.global.f32 [%rd1], %f1;", "ld.global.nc.f32 %f2, [%rd1];", True),
        ("atom.global.add.f32 %f1, [%rd1], %f9;", "ld.global.f32 %f2, [%rd1];", False),
    ],
)
def test_loads_pass_stores_only_where_they_cannot_meet(
    tmp_path: Path, first: str, second: str, may_swap: bool
) -> None:
    """The store waits for a long chain of arithmetic, which the load could go before."""
    chain = "mul.f32 %f1, %f1, %f1;" * 6
    body = f"mov.u32 %r1, tile; {chain} {first} {second} add.f32 %f3, %f2, %f2;"
    found = [i.operation.opcode for i in order(kernel_of(tmp_path, body), 255)]
    swapped = found.index(second.split(maxsplit=1)[0]) < found.index(first.split(maxsplit=1)[0])
    assert swapped is may_swap


# Whatever the order, each instruction reads what it read.


def read_in(kernel: Kernel, orders: Orders) -> list[dict[int, tuple[tuple[str, int], ...]]]:
    """Tell by block and instruction which writes the registers that it reads come from.

    A register that the block has not written yet is its own; what the block leaves in each
    register stands under -1.
    """
    found = []
    for block, own in zip(kernel.blocks, orders, strict=True):
        writer: dict[int, tuple[str, int]] = {}
        read = {}
        for number in own:
            instruction = block.instructions[number]
            read[number] = tuple(writer.get(r, ("entry", r)) for r in instruction.reads)
            for register in instruction.writes:
                writer[register] = ("write", number)
        read[-1] = tuple(v for _, v in sorted(writer.items()))
        found.append(read)
    return found


def random_body(rng: random.Random) -> str:
    """Blocks that write few registers again and again, under guards too."""
    lines = ["ld.param.u64 %rd1, [p]; mov.u32 %r9, tile;"]
    for number in range(40):
        a, b, c = (rng.randrange(6) for _ in range(3))
        guard = f"@%p{rng.randrange(2)} " if rng.random() < 0.2 else ""
        lines.append(
            guard
            + rng.choice(
                [
                    f"add.f32 %f{a}, %f{b}, %f{c};",
                    f"fma.rn.f32 %f{a}, %f{b}, %f{c}, %f{a};",
                    f"ld.global.f32 %f{a}, [%rd1+{4 * b}];",
                    f"st.global.f32 [%rd1+{4 * b}], %f{a};",
                    f"ld.shared.f32 %f{a}, [%r9+{4 * b}];",
                    f"setp.lt.f32 %p{a % 2}, %f{b}, %f{c};",
                ]
            )
        )
        if rng.random() < 0.08:
            lines.append(f"@%p0 bra L{number};\nL{number}:")
    return "\n".join(lines)


@pytest.mark.one_in(12)
@pytest.mark.parametrize("seed", range(25))
@pytest.mark.parametrize("registers", [RESERVED + 4, RESERVED + 8, 255])
def test_every_instruction_reads_what_it_read(tmp_path: Path, seed: int, registers: int) -> None:
    kernel = kernel_of(tmp_path, random_body(random.Random(seed)))
    orders = scheduled(kernel, registers)
    written = as_written(kernel)
    assert [sorted(own) for own in orders] == [list(own) for own in written]
    assert read_in(kernel, orders) == read_in(kernel, written)
    for block, own in zip(kernel.blocks, orders, strict=True):
        stores = [i for i in own if block.instructions[i].operation.name == "st"]
        assert stores == sorted(stores)
        if block.terminator is not None:
            assert own[-1] == len(block.instructions) - 1


def test_orders_that_are_random_do_move_something(tmp_path: Path) -> None:
    moved = 0
    for seed in range(5):
        kernel = kernel_of(tmp_path, random_body(random.Random(seed)))
        moved += scheduled(kernel, 255) != as_written(kernel)
    assert moved == 5


def test_the_pipeline_has_the_operations_in_that_order(tmp_path: Path) -> None:
    kernel = kernel_of(tmp_path, sums())
    orders = scheduled(kernel, 255)
    ordered = tuple(tuple((b, i) for i in own) for b, own in enumerate(orders))
    code = KernelCode(MachineProgram(kernel, ordered, (), {}, assembled=True))
    numbers = [code.number[0, i] for i in orders[0]]
    assert numbers == list(range(len(orders[0])))
    plain = KernelCode(MachineProgram(kernel, written_regions(kernel), (), {}))
    assert [plain.number[0, i] for i in range(len(orders[0]))] == numbers


def guarded(pairs: int = LOADS) -> str:
    """Loads to shared memory, each behind a test of its own, that only some lanes pass."""
    lines = ["ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; mov.u32 %r9, tile;"]
    lines.append("mul.wide.u32 %rd2, %r1, 4; add.s64 %rd1, %rd1, %rd2;")
    for i in range(pairs):
        lines.append(f"setp.gt.u32 %p{i}, %r1, {i}; @%p{i} bra L{i};")
        lines.append(f"ld.global.f32 %f{i}, [%rd1+{1024 * i}]; st.shared.f32 [%r9+{4 * i}], %f{i};")
        lines.append(f"L{i}:")
    return "\n".join([*lines, "ld.shared.f32 %f30, [%r9]; st.global.f32 [%rd1], %f30;"])


def code_of(folder: Path, body: str, machine: str) -> tuple[KernelFacts, KernelCode]:
    facts, count = job(folder, body, 1, 32, "p").analysis.kernel_facts, RegisterCount(64, "", False)
    return facts, KernelCode(facts.program(load_machine(machine), count))


def test_blocks_under_predicates_are_ordered_with_those_around(tmp_path: Path) -> None:
    facts, code = code_of(tmp_path, guarded(), "v100")
    (region,) = facts.expansion(70).branches.regions
    assert len(region) == 2 * LOADS + 1
    for place, block in enumerate(region[1:], 1):
        assert set(facts.structure.cfg.predecessors[block]) <= set(region[:place])
    assert code.heads.of[list(region)].tolist() == [region[0]] * len(region)
    assert sorted(code.number.values()) == list(range(code.operations[region[0]]))
    in_order = sorted(code.number, key=lambda place: code.number[place])
    instructions = [facts.kernel.blocks[b].instructions[i] for b, i in in_order]
    opcodes = [i.operation.opcode for i in instructions]
    loads = [n for n, opcode in enumerate(opcodes) if opcode == "ld.global.f32"]
    assert max(loads) < opcodes.index("st.shared.f32")
    for n in loads:  # each behind the test that it is under
        guard = facts.kernel.blocks[in_order[n][0] - 1].terminator
        assert guard is not None and guard.guard is not None
        tests = [m for m, i in enumerate(instructions) if guard.guard.register.index in i.writes]
        assert min(tests) < n


def test_blocks_that_are_one_have_as_many_machine_instructions(tmp_path: Path) -> None:
    executions = dict.fromkeys(range(2 * LOADS + 1), 3) | {1: 0, 3: 1}
    machine = load_machine("v100")
    facts, code = code_of(tmp_path, guarded(), "v100")
    apart = replace(code.program, regions=(), orders=written_regions(facts.kernel))
    counts = [c.on(machine).instructions(executions) for c in (code, KernelCode(apart))]
    assert counts[0] == counts[1] > 0


def test_loads_behind_tests_of_their_own_overlap(tmp_path: Path) -> None:
    """As the loads do of a tile with a halo: machine code has no branch there."""
    far = float(load_machine("v100").number("dram.latency"))
    assert cycles(tmp_path, guarded(), 64) < 3 * far
    assert cycles(tmp_path, guarded(), 64, "eq8") > 7 * far


# What the pipeline makes of it.


def cycles(folder: Path, body: str, registers: int, mode: Mode = "waves") -> float:
    subject = job(folder, body, 1, 32, "p")
    made = Estimator(
        subject, registers=RegisterSources(registers), options=EstimateOptions(mode=mode)
    )
    return made.on(load_machine("v100")).cycles


def test_more_registers_hide_more_latency(tmp_path: Path) -> None:
    """Eight loads one after another, or at once."""
    far = float(load_machine("v100").number("dram.latency"))
    few, many = (cycles(tmp_path, sums(), registers) for registers in (RESERVED + 2, 64))
    assert few > 7 * far
    assert many < 2 * far


@pytest.mark.parametrize(("mode", "asked"), [("waves", 64), ("eq8", None)])
def test_the_papers_pipeline_keeps_the_order_of_the_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: Mode, asked: int | None
) -> None:
    seen, subject_code = [], EstimateSubject.code

    def recorded(subject: EstimateSubject, program: MachineProgram) -> KernelCode:
        count = None if asked is None else RegisterCount(asked, "given", False)
        seen.append(program.orders == subject.facts.program(load_machine("v100"), count).orders)
        return subject_code(subject, program)

    monkeypatch.setattr(EstimateSubject, "code", recorded)
    cycles(tmp_path, sums(), 64, mode)
    assert seen == [True]


def test_accesses_keep_their_costs_in_another_order(tmp_path: Path) -> None:
    """A load from far away goes before one from shared memory that the text has before it."""
    near = "mov.u32 %r1, tile;" + "add.s32 %r1, %r1, 4;" * 12 + "ld.shared.f32 %f1, [%r1];"
    far = "ld.param.u64 %rd1, [p]; ld.global.f32 %f2, [%rd1];"
    after = "add.f32 %f3, %f2, %f2; add.f32 %f4, %f3, %f1; st.global.f32 [%rd1], %f4;"
    opcodes = [i.operation.opcode for i in order(kernel_of(tmp_path, near + far + after), 64)]
    assert opcodes.index("ld.global.f32") < opcodes.index("ld.shared.f32")
    one, other = (cycles(tmp_path, loads + after, 64) for loads in (near + far, far + near))
    assert one == pytest.approx(other, abs=4)
    assert one > float(load_machine("v100").number("dram.latency"))
