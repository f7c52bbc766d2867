"""Accel-Sim's traces: what is read of files written by hand, and what is said of bad ones."""

import lzma
import random

import numpy as np
import pytest

from tests.traces.accelsim_text import HEADER, TWO_CTAS, WARP_0, WARP_1, cta, trace
from warpmill.analyzer.base.diagnostics import InputError, LimitError, Severity, UsageError
from warpmill.analyzer.ir.kernel import Imm
from warpmill.analyzer.ir.types import OpClass, Space
from warpmill.analyzer.memory.rules import MemoryRules
from warpmill.analyzer.traces.accelsim.reading import read_traced
from warpmill.analyzer.traces.accelsim.source import AccelSimSource
from warpmill.analyzer.traces.accelsim.text import read_list
from warpmill.analyzer.traces.batch_summary import summarise_batches
from warpmill.simulator.assembler.program import awaits_copies, closes_copies

GRID = [(0, 0, 0), (1, 0, 0)]


def written(folder, text, name="kernel-3.traceg"):
    path = folder / name
    data = text.encode()
    path.write_bytes(lzma.compress(data) if name.endswith(".xz") else data)
    return path


def read(folder, text, name="kernel-3.traceg"):
    return read_traced(written(folder, text, name))


def refused(folder, text, kind=InputError):
    with pytest.raises(kind) as caught:
        read(folder, text)
    (diagnostic,) = caught.value.diagnostics
    return diagnostic


def instructions(traced, cta_=(0, 0, 0)):
    """(PC's label and index, mask of lanes, addresses of lanes) of each warp, in order."""
    found = []
    for warp in AccelSimSource(traced).warps(cta_):
        own = []
        for visit in warp.nodes:
            guards, block = dict(visit.guards), traced.code.kernel.blocks[visit.block]
            for index, one in enumerate(block.instructions):
                lanes = {}
                for access in visit.accesses:
                    if access.instruction == index:
                        on = [k for k in range(32) if access.mask >> k & 1]
                        offsets = access.addresses.pattern.offsets(access.mask)
                        base = warp.bases[access.addresses.slot]
                        lanes = {k: base + o for k, o in zip(on, offsets, strict=True)}
                own.append((one.operation.opcode, guards.get(index, visit.mask), lanes))
        found.append(own)
    return found


@pytest.mark.parametrize("name", ["kernel-3.traceg", "kernel-3.traceg.xz"])
def test_what_warps_execute_is_what_stands_there(tmp_path, name):
    traced = read(tmp_path, TWO_CTAS, name)
    first, second = instructions(traced)
    opcodes = [opcode for opcode, _, _ in first]
    loop = ["LDG.E.64.SYS", "DADD", "BRA"]
    assert opcodes == ["MOV", "S2R", *loop, *loop, "ATOMG.E.ADD.STRONG.GPU", "EXIT"]
    assert [mask for _, mask, _ in first] == [0xFFFFFFFF] * 8 + [0xF, 0xFFFFFFFF]
    assert first[2][2] == {k: 0x7F0000000100 + 8 * k for k in range(32)}
    at = 0x7F0000002000
    assert first[8][2] == {0: at, 1: at + 4, 2: at, 3: at + 16}
    assert [mask for _, mask, _ in second] == [0xFFFF] * 5 + [0, 0xFFFF]
    assert second[2][2] == {k: 0x7F0000000200 + 8 * k for k in range(16)}
    assert second[5][2] == {}
    assert instructions(traced, (1, 0, 0)) == [first, second]


def test_counts_are_those_made_by_hand(tmp_path):
    traced = read(tmp_path, TWO_CTAS)
    source = AccelSimSource(traced)
    summary = summarise_batches(
        traced.code.kernel, source.batches(GRID), 32, MemoryRules(), {}, None
    )
    assert summary.warp_instructions == traced.warp_instructions == 2 * (10 + 7)
    # of warp 0: the loop's 2 loads touch 32 x 8 B = 8 sectors each, the atomic's one; of warp 1 the
    # load of 16 lanes 4 sectors
    assert sum(a.sectors for a in summary.accesses) == 2 * (8 + 8 + 1 + 4)


def test_the_kernel_has_blocks_registers_and_classes(tmp_path):
    traced = read(tmp_path, TWO_CTAS)
    kernel = traced.code.kernel
    assert [b.label for b in kernel.blocks] == ["pc_0000", "pc_0020", "pc_0050"]
    assert [b.successors for b in kernel.blocks] == [(1,), (2, 1), ()]
    load, add, branch = kernel.blocks[1].instructions
    assert (load.operation.space, load.width_bytes) == (Space.GLOBAL, 8)
    names = [r.name for r in kernel.registers]
    assert [names[r] for r in add.reads] == ["R0", "R4"]
    assert [names[r] for r in add.writes] == ["R0", "R1"]  # a double takes two registers
    assert branch.targets == (1,)
    assert kernel.blocks[2].instructions[-1].operation.op_class is OpClass.RETURN
    assert kernel.bounds.max_registers == 18
    assert traced.launch.grid == (2, 1, 1)
    assert traced.launch.block == (48, 1, 1)
    assert traced.launch.dynamic_shared_bytes == 256
    assert {d.severity for d in traced.diagnostics} == {Severity.NOTE}


def test_all_forms_of_addresses_are_alike(tmp_path):
    listed = " ".join(f"0x{0x7F0000000100 + 8 * k:016x}" for k in range(32))
    forms = [
        "1 0x00007f0000000100 8 0",
        f"0 {listed} 0",
        f"2 0x00007f0000000100 {' '.join(['8'] * 31)} 0",
    ]
    line = "0020 ffffffff 1 R4 LDG.E.64.SYS 1 R2 8 {}\n0060 ffffffff 0 EXIT 0 0 0\n"
    found = []
    for number, form in enumerate(forms):
        own = trace(cta(0, line.format(form)), header=HEADER.replace("(48", "(32"))
        found.append(instructions(read(tmp_path, own, f"kernel-{number}.traceg")))
    assert found[0] == found[1] == found[2]
    assert found[0][0][0][2][31] == 0x7F0000000100 + 8 * 31


def test_blocks_and_warps_may_stand_in_any_order(tmp_path):
    swapped = cta(1, WARP_0, WARP_1) + cta(0, WARP_0, WARP_1).replace(
        "warp = 0", "warp = X"
    ).replace("warp = 1", "warp = 0").replace("warp = X", "warp = 1")
    traced = read(tmp_path, trace(swapped))
    first, second = instructions(traced)
    assert [len(first), len(second)] == [7, 10]
    assert [len(each) for each in instructions(traced, (1, 0, 0))] == [10, 7]
    batches = [*AccelSimSource(traced).batches(GRID)]
    assert [batch.ctas.tolist() for batch in batches] == [[0], [1]]


def test_generic_accesses_are_in_the_space_of_their_window(tmp_path):
    body = (
        "0000 ffffffff 1 R4 LD.E.SYS 1 R2 4 1 0x00007f1000000040 4 0\n"
        "0010 ffffffff 0 ST.E.SYS 2 R2 R4 4 1 0x00007f0000000040 4 0\n"
        "0020 ffffffff 1 R4 LDL 1 R2 4 1 0x0000000000fffe00 0 0\n"
        "0030 ffffffff 0 STL.64 2 R2 R4 8 1 0x0000000000fffe10 0 0\n"
        "0040 ffffffff 0 EXIT 0 0 0\n"
    )
    traced = read(tmp_path, trace(cta(0, body), header=HEADER.replace("(48", "(32")))
    points = [(p.kind, p.space, p.width_bytes) for p in traced.tables.points]
    assert points == [
        ("load", Space.SHARED, 4),
        ("store", Space.GLOBAL, 4),
        ("load", Space.LOCAL, 4),
        ("store", Space.LOCAL, 8),
    ]
    (batch,) = AccelSimSource(traced).batches([(0, 0, 0)])
    assert batch.access_base.tolist() == [0x40, 0x7F0000000040, 0, 0x10]
    (local,) = traced.code.kernel.variables
    assert local.size_bytes == 0x10 + 16


def test_what_the_format_does_not_tell_is_an_assumption(tmp_path):
    body = (
        "0000 ffffffff 1 R4 LD.E.SYS 1 R2 4 1 0x00007f0000000040 4 0\n"
        "0010 ffffffff 0 BAR.SYNC 0 0 0\n0020 ffffffff 1 R4 LDC.64 1 R2 0 0\n"
        "0030 ffffffff 0 EXIT 0 0 0\n"
    )
    header = HEADER.replace("(48", "(32")
    source = AccelSimSource(read(tmp_path, trace(cta(0, body), header=header)))
    assert [a.text.partition(":")[0] for a in source.assumptions] == [
        "the trace does not tell which barrier a BAR names",
        "the trace has no addresses of constants and texels",
    ]
    without = header.replace("0x00007f1000000000", "0x0").replace("0x00007f1001000000", "0x0")
    source = AccelSimSource(read(tmp_path, trace(cta(0, body), header=without)))
    assert "no windows of generic addresses" in source.assumptions[0].text


def test_lines_of_source_and_prefixes_are_passed_over(tmp_path):
    header = HEADER.replace("lineinfo = 0", "lineinfo = 1").replace("(48", "(32")
    body = "17 0000 ffffffff 1 R1 MOV 0 0 0\n18 0010 ffffffff 0 EXIT 0 0 0\n"
    traced = read(tmp_path, trace(cta(0, body), header=header))
    assert [o for o, _, _ in instructions(traced)[0]] == ["MOV", "EXIT"]
    old = HEADER.replace("tracer version = 4", "tracer version = 2").replace("(48", "(32")
    body = "0 0 0 0 0000 ffffffff 1 R1 MOV 0 0 0\n0 0 0 0 0010 ffffffff 0 EXIT 0 0 0\n"
    traced = read(tmp_path, trace(cta(0, body), header=old))
    assert [o for o, _, _ in instructions(traced)[0]] == ["MOV", "EXIT"]


def test_instructions_of_two_functions_at_one_pc_are_two(tmp_path):
    body = (
        "0000 ffffffff 1 R1 MOV 0 0 0\n0010 ffffffff 0 CALL.REL.NOINC 0 0 0\n"
        "0000 ffffffff 1 R1 IADD3 1 R1 0 0\n0010 ffffffff 0 RET.REL.NODEC 1 R20 0 0\n"
        "0020 ffffffff 0 EXIT 0 0 0\n"
    )
    traced = read(tmp_path, trace(cta(0, body), header=HEADER.replace("(48", "(32")))
    assert [b.label for b in traced.code.kernel.blocks] == ["pc_0000", "pc_0000_2", "pc_0020"]
    assert [len(b.instructions) for b in traced.code.kernel.blocks] == [2, 2, 1]
    assert len(instructions(traced)[0]) == 5


def test_an_unknown_opcode_is_told_once_at_its_place(tmp_path):
    text = TWO_CTAS.replace("DADD", "DFOO.X")
    traced = read(tmp_path, text)
    warnings = [d for d in traced.diagnostics if d.severity is Severity.WARNING]
    (warning,) = warnings
    assert "opcode DFOO.X is not in the table; it is taken for one of class add" in warning.message
    line = 1 + text.split("\n").index("0030 ffffffff 1 R0 DFOO.X 2 R0 R4 0 0")
    assert (warning.span.line, warning.span.column) == (line, 20)


def test_a_part_of_the_grid_is_told_and_the_rest_refused(tmp_path):
    traced = read(tmp_path, trace(cta(1, WARP_0, WARP_1)))
    source = AccelSimSource(traced)
    assert source.ctas == ((1, 0, 0),)
    assert any("1 of the grid's 2 CTAs" in d.message for d in traced.diagnostics)
    with pytest.raises(UsageError, match="has no CTA 0,0,0: it has 1 of 2"):
        source.warps((0, 0, 0))


def _without(text, old, new=""):
    assert old in text
    return text.replace(old, new, 1)


BAD = [
    (lambda t: t[:-60], "the file ends within a thread block", 70),
    (lambda t: _without(t, "insts = 10", "insts = 11"), "fewer instructions than", 34),
    (lambda t: _without(t, "insts = 10", "insts = 9"), "more instructions than", 32),
    (lambda t: _without(t, "insts = 10\n"), "the number of instructions is needed", 22),
    (lambda t: _without(t, "#BEGIN_TB\n"), "begins with #BEGIN_TB", 18),
    (lambda t: _without(t, "thread block = 0,0,0\n"), "the place of the thread block", 20),
    (lambda t: _without(t, "block = 0,0,0", "block = ,0,0"), "the place of the thread block", 19),
    (lambda t: _without(t, "block = 0,0,0", "block = 0 0 0"), "the place of the thread block", 19),
    (lambda t: _without(t, "block = 0,0,0", "block = 0,0"), "the place of the thread block", 19),
    (lambda t: _without(t, "thread block = 1,0,0", "thread block = 2,0,0"), "outside the grid", 46),
    (lambda t: _without(t, "thread block = 1,0,0", "thread block = 0,0,0"), "stands twice", 46),
    (lambda t: _without(t, "warp = 1", "warp = 2"), "warps 0 to 1, and here is warp 2", 17),
    (lambda t: _without(t, "warp = 1", "warp = 0"), "warp 0 stands twice", 17),
    (lambda t: _without(t, "0000 ffffffff", "zzzz ffffffff"), "a PC is needed", 23),
    (lambda t: _without(t, "0000 ffffffff", "0000 fffffffff"), "the mask of active lanes", 23),
    (lambda t: _without(t, "1 R1 MOV 0 0 0", "1 R1"), "the opcode is missing", 23),
    (lambda t: _without(t, "1 R1 MOV 0 0 0", "x R1 MOV"), "number of registers is needed", 23),
    (lambda t: _without(t, "1 R1 MOV 0 0 0", "1 UR1 MOV 0 0 0"), "UR1 is no register", 23),
    (lambda t: _without(t, "1 R1 MOV 0 0 0", "1 R1 MOV 0"), "the bytes of an access", 23),
    (lambda t: _without(t, "8 1 0x", "8 7 0x"), "the form of the addresses", 25),
    (lambda t: _without(t, "8 1 0x", "8 1 zz"), "an address is needed", 25),
    (lambda t: _without(t, "0x00007f0000000100", "0xffffffffffffffff"), "beyond all memory", 25),
    (lambda t: _without(t, "4 -4 16 0", "4"), "fewer differences", 31),
    (lambda t: _without(t, "0020 ffffffff", "0020 fffffff5"), "lanes that follow each other", 25),
    (lambda t: _without(t, "-grid dim = (2,1,1)", "-grid dim = 2"), "three sides are needed", 3),
    (lambda t: _without(t, "(2,1,1)", "(2,1,70000)"), "three sides are needed", 3),
    (lambda t: _without(t, "0x00007f1000000000", "0xff007f1000000000"), "an address such as", 9),
    (lambda t: _without(t, "-nregs = 18", "-nregs = many"), "a number is needed", 6),
    (lambda t: _without(t, "-nregs = 18\n"), "no `-nregs", None),
    (lambda t: _without(t, "dim = (48", "dim = (4800"), "larger than GPUs have", 4),
    (lambda t: "hello\n" + t, "this is no trace of Accel-Sim", 1),
    (lambda _: "", "the file is empty", None),
    (lambda _: HEADER, "it has no thread block", None),
]


@pytest.mark.one_in(1)
@pytest.mark.parametrize(("damage", "words", "line"), BAD, ids=[w for _, w, _ in BAD])
def test_bad_traces_are_refused_where_they_are_bad(tmp_path, damage, words, line):
    found = refused(tmp_path, damage(TWO_CTAS))
    assert words in found.message
    assert (None if found.span is None else found.span.line) == line


def test_a_damaged_xz_and_a_cta_too_large_are_refused(tmp_path, monkeypatch):
    path = written(tmp_path, TWO_CTAS * 1, "kernel-3.traceg.xz")
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(InputError, match="damaged or cut off"):
        read_traced(path)
    monkeypatch.setenv("WARPMILL_MAX_CTA_TEXT", "1000")
    with pytest.raises(LimitError, match="more than 1,000 bytes of text"):
        read(tmp_path, trace("#BEGIN_TB\n\nthread block = 0,0,0\n" + "\n" * 5_000_000))


def test_a_list_has_kernels_and_copies(tmp_path):
    written(tmp_path, TWO_CTAS)
    path = tmp_path / "kernelslist.g"
    path.write_text("MemcpyHtoD,0x00007f0000000000,4096\n\nkernel-3.traceg\n")
    listed = read_list(path)
    assert [p.name for p in listed.kernels] == ["kernel-3.traceg"]
    ((copy,),) = listed.copies
    assert (copy.address, copy.size_bytes) == (0x7F0000000000, 4096)
    traced = read_traced(listed.kernels[0], listed.copies[0])
    assert AccelSimSource(traced).layout.region(0x7F0000000100).name == "memcpy 1"


@pytest.mark.parametrize(
    ("text", "words", "line"),
    [
        ("kernel-3.traceg\nkernel-4.traceg\n", "there is no file", 2),
        ("kernel-3.trace\n", "is no kernel's trace", 1),
        ("MemcpyHtoD,12\n", "a copy is MemcpyHtoD,0xADDRESS,BYTES", 1),
        ("\nmemset\n", "a line is the name of a kernel's trace", 2),
    ],
)
def test_bad_lists_are_refused_where_they_are_bad(tmp_path, text, words, line):
    written(tmp_path, TWO_CTAS)
    path = tmp_path / "kernelslist.g"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        read_list(path)
    (found,) = caught.value.diagnostics
    assert words in found.message
    assert found.span.line == line


def test_pieces_of_any_size_give_the_same(tmp_path, monkeypatch):
    ctas = [cta(k, WARP_0, WARP_1) for k in range(40)]
    text = trace(*ctas, header=HEADER.replace("(2,1,1)", "(40,1,1)"))
    path = written(tmp_path, text)
    whole = read_traced(path)
    every = [(k, 0, 0) for k in range(40)]
    (one,) = AccelSimSource(whole).batches(every)
    monkeypatch.setattr("warpmill.analyzer.traces.accelsim.text._PIECE", 700)
    monkeypatch.setattr("warpmill.analyzer.traces.accelsim.source._TOGETHER", 3000)
    parts = read_traced(path)
    assert np.array_equal(whole.begins, parts.begins)
    assert np.array_equal(whole.lines, parts.lines)
    assert whole.code.kernel == parts.code.kernel
    several = [*AccelSimSource(parts).batches(every)]
    assert len(several) > 5
    for batch in several:
        for number in batch.ctas.tolist():
            assert batch.of_cta(number) == one.of_cta(number)


def test_damaged_traces_are_read_or_refused(tmp_path):
    draw, whole, read_, refused_ = random.Random(7), TWO_CTAS.encode(), 0, 0
    path = tmp_path / "kernel-3.traceg"
    for _ in range(400):
        data = bytearray(whole)
        for _ in range(draw.randint(1, 3)):
            data[draw.randrange(len(data))] = draw.choice(
                b"0123456789abcdefx -=#,()\n\tRLDS.\0\xff"
            )
        at = draw.randrange(len(data))
        if draw.random() < 0.3:
            del data[at : at + draw.randint(1, 40)]
        path.write_bytes(data)
        try:
            traced = read_traced(path)
            grid = [traced.tables.cta(number) for number in traced.ctas.tolist()]
            assert all(len(batch.traces(0)) == 2 for batch in AccelSimSource(traced).batches(grid))
            read_ += 1
        except InputError as error:
            assert error.diagnostics[0].file == str(path)
            refused_ += 1
    assert min(read_, refused_) > 20


def test_a_block_without_lanes_has_those_of_the_event_before(tmp_path):
    body = (
        "0000 ffffffff 1 R1 MOV 0 0 0\n0010 000000ff 0 BRA 0 0 0\n0030 00000000 1 R2 MOV 0 0 0\n"
        "0040 00000000 0 BRA 0 0 0\n0010 00000f0f 0 BRA 0 0 0\n0060 ffffffff 0 EXIT 0 0 0\n"
    )
    traced = read(tmp_path, trace(cta(0, body), header=HEADER.replace("(48", "(32")))
    (batch,) = AccelSimSource(traced).batches([(0, 0, 0)])
    assert batch.mask.tolist() == [0xFFFFFFFF, 0xFF, 0xFF, 0xF0F, 0xFFFFFFFF]
    assert batch.guard_mask.tolist() == [0, 0]


def test_groups_of_asynchronous_copies_are_waited_for(tmp_path):
    body = (
        "0000 ffffffff 0 LDGSTS.E.128 2 R8 R2 16 1 0x00007f0000000000 16 0\n"
        "0010 ffffffff 0 LDGDEPBAR 0 0 0\n0020 ffffffff 0 DEPBAR.LE 0 0 1\n"
        "0030 ffffffff 0 EXIT 0 0 0\n"
    )
    traced = read(tmp_path, trace(cta(0, body), header=HEADER.replace("(48", "(32")))
    copy, closes, waits, _ = traced.code.kernel.blocks[0].instructions
    assert (copy.operation.op_class, copy.width_bytes) == (OpClass.ASYNC_COPY, 16)
    assert [p.space for p in traced.tables.points] == [Space.GLOBAL]
    names = [r.name for r in traced.code.kernel.registers]
    assert names[copy.address.base.index] == "R2"  # the place in shared memory comes first
    assert closes_copies(closes)
    assert awaits_copies(waits)
    assert waits.operands == (Imm(1),)  # groups that may be under way
