"""Micro-benchmarks as PTX: they are read back, wait for what they should, and do what they say."""

import re
import shutil
import subprocess

import numpy as np
import pytest

from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.frontends import ptx
from warpmill.analyzer.ir.kernel import Reg
from warpmill.analyzer.ir.operation import Knowledge
from warpmill.analyzer.ir.ptx_printer import NOUNROLL, print_ptx
from warpmill.calibration.devices import OnDevice, load
from warpmill.calibration.probes import Probe, Ring, ZeroedMemory
from warpmill.codegen.microbench.frame import (
    LOCATOR,
    NamedRegisters,
    copied,
    measured_operations,
    names_in,
    own_of,
)
from warpmill.codegen.microbench.kernels import (
    MOST_BRANCHES,
    SPACES,
    back_to_front,
    branches,
    chain,
    chase,
    empty,
    shared_stride,
    stream,
)
from warpmill.executor.host.device import Device
from warpmill.simulator.machines.schema import schema

CHIP = "sm_80"
OPERATIONS = measured_operations()
PTXAS = shutil.which("ptxas")


def benches(chip=CHIP):
    """One of each kind, and two chains of every operation."""
    for operation in OPERATIONS.values():
        yield chain(operation, 1, 4, chip)
        yield chain(operation, 2, 4, chip)
        if operation.pads:
            yield chain(operation, 1, 4, chip, 3)
    yield from (chase(space, 4, chip) for space in SPACES)
    yield from (stream(4, 4096, chip), stream(4, 4096, chip, copies=True))
    yield from (shared_stride(8, chip), branches(MOST_BRANCHES, chip))
    yield from (empty(chip), empty(chip, 32))
    yield back_to_front(6, 4, chip)


def read(bench):
    parsed = ptx.parse(Source(f"{bench.name}.ptx", bench.text), None)
    assert parsed.diagnostics == ()
    return parsed.module


def loop_of(bench):
    """The instructions of the loop without its last three, which count turns."""
    kernel = read(bench).kernel(bench.kernel)
    (first,) = (b.id for b in kernel.blocks if NOUNROLL in b.attributes)
    (last,) = (b.id for b in kernel.blocks if first in b.successors and b.id >= first)
    whole = [i for b in kernel.blocks[first : last + 1] for i in b.instructions]
    assert [i.operation.name for i in whole[-3:]] == ["sub", "setp", "bra"]
    return whole[:-3]


def without_declarations(text):
    """Leave out the note and the lines that declare registers, whose order is the text's own."""
    return [x for x in text.split("\n") if x and not x.strip().startswith((".reg", "//"))]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("bench", list(benches()), ids=lambda b: b.name)
def test_every_benchmark_is_read_back_as_it_was_printed(bench):
    module = read(bench)
    assert module.target == CHIP
    assert without_declarations(print_ptx(module)) == without_declarations(bench.text)
    instructions = module.kernel(bench.kernel).instructions
    assert all(i.operation.knowledge is Knowledge.TABLE for i in instructions)
    parameters = [p.name for p in module.kernel(bench.kernel).parameters]
    assert parameters == ["records", "memory", "turns", *bench.numbers]


def depth(instructions):
    """The longest way from one instruction to another by what they write and read."""
    ready, longest = {}, 0
    for instruction in instructions:
        own = 1 + max((ready.get(r, 0) for r in instruction.reads), default=0)
        ready |= dict.fromkeys(instruction.writes, own)
        longest = max(longest, own)
    return longest


CHAINS = [o for o in OPERATIONS.values() if o.name not in ("barrier", "issue")]


@pytest.mark.parametrize("operation", CHAINS, ids=lambda o: o.name)
def test_each_link_of_a_chain_waits_for_the_one_before(operation):
    bench = chain(operation, 1, 6, CHIP)
    loop = loop_of(bench)
    assert bench.links == 6 * operation.links
    assert len(loop) == depth(loop) == 6 * len(operation.statements)
    assert tuple(dict.fromkeys(i.operation.opcode for i in loop)) == operation.opcodes


@pytest.mark.one_in(12)
@pytest.mark.parametrize("operation", CHAINS, ids=lambda o: o.name)
def test_chains_side_by_side_do_not_wait_for_each_other(operation):
    one, four = (loop_of(chain(operation, copies, 6, CHIP)) for copies in (1, 4))
    assert len(four) == 4 * len(one)
    assert depth(four) == depth(one)


@pytest.mark.parametrize("name", [o.name for o in CHAINS if o.pads])
def test_what_lengthens_a_chain_is_part_of_it(name):
    operation = OPERATIONS[name]
    loop = loop_of(chain(operation, 1, 2, CHIP, 3))
    assert len(loop) == depth(loop) == 2 * 4 * len(operation.statements)


def test_two_pipes_by_turns_are_eighteen_chains():
    loop = loop_of(chain(OPERATIONS["issue"], 1, 5, CHIP))
    assert depth(loop) == 5
    kinds = [i.operation.name for i in loop]
    assert kinds == ["fma", "lop3"] * 45


def test_the_table_names_keys_and_lines_that_there_are():
    keys = schema().keys
    for operation in OPERATIONS.values():
        for key in (operation.latency, operation.interval):
            assert key is None or key in keys
        others = [operation.minus, *operation.pads]
        assert all(other is None or other in OPERATIONS for other in others)
        assert not operation.pads or len(operation.pads) == len(operation.statements)
        assert all(len(OPERATIONS[p].statements) == 1 for p in operation.pads)
    given = [o.latency for o in OPERATIONS.values() if o.latency]
    assert len(given) == len(set(given))


# -- the short way to write instructions -----------------------------------------------------------


def test_registers_have_the_types_that_their_names_say():
    scope = NamedRegisters()
    scope.written("cvt.rn.f32.s32 f0 r0; mov.b64 d1 qa; setp.eq.u32 pa r0 7; mov.b32 r0 f0")
    assert [r.type.name for r in scope.registers.declared] == [
        "f32", "b32", "f64", "b64", "pred",
    ]  # fmt: skip
    assert scope.register("r0") == Reg(1)


def test_operands_and_guards():
    scope = NamedRegisters()
    made = scope.write("@!p0 ld.global.v2.u64 {q1 q2} [q3+16]")
    assert made.guard.negated
    assert made.guard.register == scope.register("p0")
    assert made.address.offset == 16
    assert [scope.register(n).index for n in ("q1", "q2")] == list(made.writes)
    with pytest.raises(ValueError, match="no name of a register"):
        scope.write("add.u32 x0 r0 r1")


def test_copies_have_registers_of_their_own_and_share_the_others():
    text = "@!pa mul.lo.u32 r0 r1 rc; cvt.rn.f32.u32 f1 r0"
    assert copied(text, 2) == [
        "@!pa mul.lo.u32 r0 r1 rc", "@!pa mul.lo.u32 r2 r3 rc",
        "cvt.rn.f32.u32 f1 r0", "cvt.rn.f32.u32 f3 r2",
    ]  # fmt: skip
    names = names_in("; ".join(copied(text, 2)))
    assert set(names) == {"pa", "rc", "r0", "r1", "r2", "r3", "f1", "f3"}  # f32 is no register
    assert set(own_of(names)) == {"r0", "r1", "r2", "r3", "f1", "f3"}


# -- executed: what they do ------------------------------------------------------------------------


def executed(probe):
    """Run a probe on the executor; gives the words of its records beside the clock's."""
    device = Device(record=False)
    made = OnDevice(device, probe, load(device, probe.bench))
    device.launch(made.kernel, probe.grid, probe.block, made.arguments)
    return made.records.get().view(np.uint64).reshape(-1, 2)[:, 1], made.arguments[1]


@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize(("chains", "parted"), [(1, False), (4, False), (4, True)])
def test_a_chase_ends_where_its_ring_says(space, chains, parted):
    bench = chase(space, 4, CHIP)
    stride = 24 if space != "texture" else 12
    ring = Ring(space, 40, stride, chains, parted)
    size = 4 if space == "texture" else 8
    unit = stride // 4 if space == "texture" else stride
    first = ring.first_bytes // (4 if space == "texture" else 1)
    probe = Probe(bench, 3, chains, 32, (first,), ring)
    values, memory = executed(probe)
    hops = 12
    for chain_, value in enumerate(values):
        place = chain_ * (10 if parted else 1)
        for _ in range(hops):
            place = (
                place // 10 * 10 + (place + 1) % 10
                if parted and chains > 1
                else (place + chains) % 40
            )
        if chains == 1:
            place = hops % 40
        if space == "global":
            assert int(value) == (memory.address + place * unit) & 0xFFFF_FFFF
        elif space == "texture":
            assert int(value) == place * unit
        else:
            assert (int(value) - int(values[0])) % size == 0  # where constants lie is the code's
    if space == "const":
        assert len({int(v) for v in values}) == chains


def test_constants_are_chased_where_the_code_finds_them():
    bench = chase("const", 4, CHIP)
    ring = Ring("const", 16, 64)
    device = Device(record=False)
    made = OnDevice(device, Probe(bench, 4, numbers=(64,), memory=ring), load(device, bench))
    device.launch(made.kernel, 1, 32, made.arguments)
    (record,) = made.records.get().view(np.uint64).reshape(-1, 2)
    device.launch(load(device, bench)[LOCATOR], 1, 1, [made.records])
    begin = int(made.records.get()[:8].view(np.uint64)[0])
    assert int(record[1]) == begin & 0xFFFF_FFFF  # 16 hops: once around


def test_a_stream_reads_the_slabs_that_it_says():
    """All that lane 0 of each warp took, told again from the description."""
    unroll, lane, step, slab, slabs, advance, turns = 4, 32, 1024, 2048, 5, 2, 4
    grid, block = 3, 64
    bench = stream(unroll, step, CHIP)
    size = slabs * slab + unroll * step + block * lane
    data = np.random.default_rng(3).integers(0, 1 << 32, size // 4, np.uint32)
    device = Device(record=False)
    kernel = load(device, bench)[bench.kernel]
    records, memory = device.zeros(16 * grid * block // 32, np.uint8), device.array(data)
    device.launch(kernel, grid, block, [records, memory, turns, lane, slab, slabs, advance])
    values = records.get().view(np.uint64).reshape(-1, 2)[:, 1]
    for warp, value in enumerate(values):
        cta, thread = divmod(32 * warp, block)
        taken, place = 0, cta
        for _ in range(turns - 1):  # a turn's loads are taken in the next one
            for k in range(unroll):
                word = (place * slab + thread * lane + k * step) // 4
                taken ^= int(np.bitwise_xor.reduce(data[word : word + 4]))
            place += advance
            place -= slabs if place >= slabs else 0
        assert int(value) == taken


def test_a_stream_reads_its_slab_again():
    once, twice = stream(2, 512, CHIP), stream(2, 512, CHIP, again=2)
    assert twice.links == 2 * once.links == 4
    loads = [i for i in loop_of(twice) if i.operation.name == "ld"]
    assert len(loads) == 4
    assert len(loop_of(twice)) == 2 * len(loop_of(once))


def test_a_copy_writes_what_it_reads_so_many_mebibytes_behind():
    bench = stream(2, 512, CHIP, copies=True)
    data = np.zeros(1 << 19, np.uint32)
    data[:2048] = np.arange(1, 2049)
    device = Device(record=False)
    records, memory = device.zeros(16, np.uint8), device.array(data)
    device.launch(load(device, bench)[bench.kernel], 1, 32, [records, memory, 2, 16, 1024, 2, 1, 1])
    found = memory.get()
    assert found[1 << 18 : (1 << 18) + 512].tolist() == list(range(1, 513))
    assert not found[(1 << 18) + 512 :].any()


@pytest.mark.parametrize(("stride", "odd"), [(4, 0), (64, 32), (512, 256)])
def test_shared_loads_stay_within_their_array(stride, odd):
    executed(Probe(shared_stride(8, CHIP), 2, 1, 64, (stride, odd)))


def test_no_branch_is_taken():
    bench = branches(MOST_BRANCHES, CHIP)
    values, _ = executed(Probe(bench, 5, 2, 64))
    threads = np.arange(0, 128, 32) % 64
    assert values.tolist() == [int(t) * 5 + 5 + 5 for t in threads]  # each exit multiplies it


def test_code_is_gone_through_from_the_last_block_to_the_first():
    bench = back_to_front(6, 4, CHIP)
    executed(Probe(bench, 3, 1, 32))
    blocks = read(bench).kernels[0].blocks
    way = [1]
    while blocks[way[-1]].terminator.targets[0] != 1:
        way += blocks[way[-1]].terminator.targets
    assert way == [1, 7, 6, 5, 4, 3, 2, 8]
    assert blocks[8].terminator.targets == (1,)


@pytest.mark.one_in(5)
@pytest.mark.parametrize("name", list(OPERATIONS))
def test_every_chain_can_be_executed(name):
    executed(Probe(chain(OPERATIONS[name], 1, 2, CHIP), 2, 1, 32, (), ZeroedMemory(1 << 12)))


# -- what ptxas makes of them ----------------------------------------------------------------------


@pytest.mark.skipif(PTXAS is None, reason="ptxas is not installed")
@pytest.mark.one_in(8)
@pytest.mark.parametrize("bench", list(benches("sm_90")), ids=lambda b: b.name)
def test_ptxas_takes_every_benchmark(bench, tmp_path):
    path = tmp_path / f"{bench.name}.ptx"
    path.write_text(bench.text)
    out = tmp_path / "a.cubin"
    command = [PTXAS, "-arch=sm_90", "-v", "-o", str(out), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "0 bytes spill stores" in done.stderr
    assert int(re.search(r"Used (\d+) registers", done.stderr)[1]) <= 64
