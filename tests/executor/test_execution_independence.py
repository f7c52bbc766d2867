"""Which launches' CTAs are independent: a rule at a time, each beside one that is nearly so."""

import math
from pathlib import Path

import numpy as np
import pytest

from tests.reference.cta_orders import Program
from warpmill.analyzer.frontends.load import load_kernel
from warpmill.analyzer.launch import load_launches
from warpmill.analyzer.launch.model import BufferArgument, RefArgument
from warpmill.executor.device_memory import DeviceMemory
from warpmill.executor.host.kernel_arguments import pack_arguments
from warpmill.executor.independence.affine import LaunchNumbers
from warpmill.executor.independence.deciding import Dependence, decide

SIZE = 1 << 12
X = """mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
mad.lo.s32 %r4, %r1, %r2, %r3;"""
XY = """mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
mad.lo.s32 %r4, %r1, %r2, %r3;
mov.u32 %r5, %ctaid.y; mov.u32 %r6, %ntid.y; mov.u32 %r7, %tid.y;
mad.lo.s32 %r8, %r5, %r6, %r7;"""


def at(index, buffer="a", number=1, width=4):
    """Write the address of an element into a register of 64 bits."""
    return (
        f"mul.wide.s32 %rd{number}, {index}, {width}; add.s64 %rd{number}, %{buffer}, %rd{number};"
    )


def program(body, grid=(4, 1, 1), block=(32, 1, 1), **others):
    buffers = {"a": np.zeros(SIZE, np.uint32), "b": np.zeros(SIZE, np.uint32)}
    return Program(body, buffers | others, grid, block)


def is_independent(body, **options):
    return program(body, **options).dependence is None


# Addresses that are linear.


@pytest.mark.parametrize(
    ("step", "wanted"),
    [(128, True), (124, False), (-128, True), (132, True), (0, False), (64, False)],
)
def test_steps_of_ctas_are_as_long_as_what_a_cta_writes(step, wanted):
    body = (
        f"{X} mul.lo.s32 %r10, %r1, {step // 4}; add.s32 %r10, %r10, %r3; add.s32 %r10, %r10, 512;"
    )
    assert is_independent(f"{body} {at('%r10')} st.global.u32 [%rd1], %r1;") is wanted


def test_wider_stores_reach_into_the_next_cta():
    body = f"{X} {at('%r4')}"
    assert is_independent(f"{body} st.global.u32 [%rd1], %r4;")
    assert not is_independent(f"{body} st.global.v2.u32 [%rd1], {{%r4, %r4}};")
    assert is_independent(f"{X} {at('%r4', width=8)} st.global.v2.u32 [%rd1], {{%r4, %r4}};")


def rows(pitch, guard):
    skip = "setp.ge.s32 %p1, %r4, %width; @%p1 bra END;" if guard else ""
    body = f"{XY} {skip} mad.lo.s32 %r10, %r8, {pitch}, %r4; {at('%r10')}"
    return f"{body} st.global.u32 [%rd1], %r4; END:"


@pytest.mark.parametrize(
    ("pitch", "guard", "wanted"),
    [(64, False, True), (50, False, False), (50, True, True), (49, True, False)],
)
def test_guards_keep_rows_apart_that_the_grid_does_not_divide(pitch, guard, wanted):
    """Rows of 50, a grid 64 wide: without the guard a CTA at the right end writes the next rows."""
    launch = {"grid": (2, 3, 1), "block": (32, 4, 1), "width": 50}
    assert is_independent(rows(pitch, guard), **launch) is wanted


def test_each_dimension_of_the_grid_has_to_be_told_from_the_address():
    body = f"{X} {at('%r4')} st.global.u32 [%rd1], %r4;"
    assert is_independent(body, grid=(4, 1, 1))
    assert not is_independent(body, grid=(4, 2, 1))
    assert is_independent(body, grid=(1, 1, 1))


def test_stores_of_one_cta_alone():
    body = f"{X} setp.ne.s32 %p1, %r1, {{}}; @%p1 bra END; st.global.u32 [%a], %r3; END:"
    assert is_independent(body.format(0))
    assert is_independent(body.format(2))
    assert not is_independent(
        f"{X} setp.ne.s32 %p1, %r3, 0; @%p1 bra END; st.global.u32 [%a], %r3; END:"
    )


@pytest.mark.parametrize(("to", "first"), [("u8", 128), ("s8", -64), ("u16", 65_000), ("s16", -9)])
def test_numbers_that_fit_a_narrower_type_stay_as_they_are(to, first):
    """The first of 128: as many as the type's own sign lets stand."""
    body = f"{X} add.s32 %r10, %r4, {first}; cvt.{to}.s32 %r11, %r10;"
    index = f"add.s32 %r12, %r11, {-first};"
    assert is_independent(f"{body} {index} {at('%r12')} st.global.u32 [%rd1], %r1;")


def test_numbers_that_wrap_are_followed():
    """An index of 2**31 for each second CTA is none of 0 … 127, but what 2**32 leaves may be."""
    scaled = f"{X} shl.b32 %r10, %r1, {{}}; shl.b32 %r10, %r10, 5; add.s32 %r10, %r10, %r3;"
    store = f"{at('%r10')} st.global.u32 [%rd1], %r4;"
    assert is_independent(scaled.format(0) + store)
    assert not is_independent(scaled.format(26) + store)
    back = "add.s32 %r10, %r4, 2147483647; sub.s32 %r10, %r10, 2147483647;"
    assert is_independent(f"{X} {back} {store}")


# Loops.


def strided(start, bound, step):
    return f"""{X} mov.u32 %r12, %nctaid.x; mul.lo.s32 %r13, %r2, %r12; mov.u32 %r10, {start};
    setp.ge.s32 %p1, %r10, {bound}; @%p1 bra END;
    LOOP: {at("%r10")} st.global.u32 [%rd1], %r4; add.s32 %r10, %r10, {step};
    setp.lt.s32 %p2, %r10, {bound}; @%p2 bra LOOP; END:"""


@pytest.mark.parametrize("bound", ["1000", "%n"])
def test_strides_over_the_grid(bound):
    assert is_independent(strided("%r4", bound, "%r13"), n=999)
    assert not is_independent(strided("%r4", bound, "%r2"), n=999)
    assert is_independent(strided("%r4", "%r4", "%r2"), n=999)  # never goes round


def blocked(each, trips):
    """Each thread writes some words after another through a pointer that moves."""
    return f"""{X} mul.lo.s32 %r10, %r4, {each}; {at("%r10")} mov.u32 %r11, {trips};
    LOOP: st.global.u32 [%rd1], %r4; add.s64 %rd1, %rd1, 4; add.s32 %r11, %r11, -1;
    setp.ne.s32 %p1, %r11, 0; @%p1 bra LOOP;"""


@pytest.mark.parametrize(
    ("each", "trips", "wanted"), [(8, 8, True), (8, 9, False), (8, "%n", True)]
)
def test_counted_loops(each, trips, wanted):
    assert is_independent(blocked(each, trips), n=7) is wanted


@pytest.mark.parametrize(("end", "wanted"), [(9, True), (12, False), (8, False)])
def test_loops_that_have_to_meet_their_end(end, wanted):
    """Steps of 3 from 0 meet 9 and 12, and go past 8: such a loop goes on for ever."""
    body = f"""{X} mul.lo.s32 %r10, %r4, 12; {at("%r10", width=1)} mov.u32 %r11, 0;
    LOOP: st.global.u8 [%rd1+2], %r4; add.s64 %rd1, %rd1, 3; add.s32 %r11, %r11, 3;
    setp.ne.s32 %p1, %r11, {end}; @%p1 bra LOOP; st.global.v4.u8 [%rd1], {{%r4, %r4, %r4, %r4}};"""
    assert is_independent(body) is wanted


def test_loops_that_data_end():
    body = f"""{X} {at("%r4", "b", 2)} ld.global.u32 %r20, [%rd2]; mov.u32 %r10, 0;
    LOOP: mad.lo.s32 %r11, %r10, 128, %r4; {at("%r11")} st.global.u32 [%rd1], %r4;
    add.s32 %r10, %r10, 1; setp.lt.u32 %p1, %r10, %r20; {{}} @%p1 bra LOOP;"""
    assert not is_independent(body.format(""))  # wraps a word, for all that is known
    assert is_independent(body.format("setp.lt.and.u32 %p1, %r10, 9, %p1;"))


# Pairs of accesses.


def test_neighbours_in_place():
    body = f"{X} {at('%r4')} ld.global.u32 %r10, [%rd1{{}}]; st.global.u32 [%rd1], %r10;"
    assert is_independent(body.format(""))
    assert not is_independent(body.format("+4"))
    other = f"{at('%r4', 'b', 2)} ld.global.u32 %r10, [%rd2+4]; st.global.u32 [%rd1], %r10;"
    assert is_independent(f"{X} {at('%r4')} {other}")


def test_two_halves_of_one_buffer():
    body = f"{X} {at('%r4')} ld.global.u32 %r10, [%rd1+{{}}]; st.global.u32 [%rd1], %r10;"
    assert is_independent(body.format(512))
    assert not is_independent(body.format(508))


def test_rows_above_what_is_written():
    """Rows 0 and 1 are read by all, as a pivot row is; those from 1 or 2 on are written."""
    launch = {"grid": (2, 2, 1), "block": (8, 2, 1)}
    body = f"""{XY} add.s32 %r9, %r8, {{}}; mad.lo.s32 %r10, %r9, 16, %r4; {at("%r10")}
    mad.lo.s32 %r11, %r7, 16, %r4; {at("%r11", "a", 2)}
    ld.global.u32 %r12, [%rd2]; st.global.u32 [%rd1], %r12;"""
    assert is_independent(body.format(2), **launch)
    assert not is_independent(body.format(1), **launch)


def test_gathers_are_confined_to_what_they_are_counted_from():
    body = f"""{X} {at("%r4", "b", 1)} ld.global.u32 %r10, [%rd1]; {at("%r10", "b", 2)}
    ld.global.u32 %r11, [%rd2]; {at("%r4", "a", 3)} st.global.u32 [%rd3], %r11;"""
    made = program(body)
    decision = made.decide()
    start = made.addresses["b"]
    assert decision.dependence is None
    assert list(decision.confined.values()) == [(start, start + 4 * SIZE)]
    assert decision.written == ((made.addresses["a"], made.addresses["a"] + 4 * SIZE),)
    in_place = body.replace("%b, %rd2", "%a, %rd2")
    assert not is_independent(in_place)


def test_stores_where_data_say():
    body = f"""{X} {at("%r4", "b", 1)} ld.global.u32 %r10, [%rd1];
    {at("%r10")} st.global.u32 [%rd1], %r4;"""
    found = program(body).dependence
    assert found.reason == "CTAs may write the same bytes"
    assert found.span is not None


def test_pointers_that_are_loaded():
    body = f"{X} ld.global.u64 %rd1, [%b]; {at('%r4', 'a', 2)}"
    assert not is_independent(f"{body} st.global.u32 [%rd1], %r1;")
    assert not is_independent(f"{body} ld.global.u32 %r9, [%rd1]; st.global.u32 [%rd2], %r9;")


# Reductions.


@pytest.mark.parametrize(
    ("opcode", "wanted"),
    [
        ("red.global.add.u32", True), ("red.global.min.s32", True), ("red.global.max.u32", True),
        ("red.global.and.b32", True), ("red.global.or.b32", True), ("red.global.xor.b32", True),
        ("red.global.inc.u32", False), ("red.global.dec.u32", False),
        ("red.add.u32", True),
    ],
)  # fmt: skip
@pytest.mark.parametrize("place", ["[%a]", "[%rd1]"])
def test_reductions(opcode, wanted, place):
    body = f"{X} {at('%r4', 'b', 2)} ld.global.u32 %r10, [%rd2]; {at('%r10')}"
    assert is_independent(f"{body} {opcode} {place}, %r4;") is wanted


def test_reductions_of_floats_round():
    assert not is_independent(f"{X} cvt.rn.f32.s32 %f1, %r4; red.global.add.f32 [%a], %f1;")
    assert not is_independent(f"{X} mov.b32 %r9, 0; red.global.add.noftz.f16x2 [%a], %r9;")


def test_atomics_whose_results_are_used():
    body = f"{X} atom.global.add.u32 %r9, [%a], 1;"
    assert is_independent(body)
    assert not is_independent(f"{body} {at('%r4', 'b')} st.global.u32 [%rd1], %r9;")
    assert not is_independent(f"{X} atom.global.exch.b32 %r9, [%a], 1;")
    assert not is_independent(f"{X} atom.global.cas.b32 %r9, [%a], 1, 2;")


@pytest.mark.parametrize(
    "other",
    [
        "red.global.max.u32 [%a], 1;",
        "red.global.add.u64 [%a], 1;",
        "st.global.u32 [%a], %r3;",
        "ld.global.u32 %r9, [%a];",
    ],
)
def test_reductions_beside_others(other):
    assert not is_independent(f"{X} red.global.add.u32 [%a], 1; {other}")
    assert is_independent(f"{X} red.global.add.u32 [%a], 1; red.global.add.s32 [%a], 1;")


# The rest.


@pytest.mark.parametrize(
    ("name", "type_"), [("clock", "u32"), ("clock64", "u64"), ("globaltimer", "u64")]
)
def test_clocks(name, type_):
    body = f"{X} mov.{type_} %{'r9' if type_ == 'u32' else 'rd9'}, %{name};"
    assert program(body).dependence.reason == f"%{name} is read"


def test_memory_of_the_cta():
    body = f"""{X} .shared .b32 tile[64]; .local .b32 own[4]; mov.u32 %r9, tile; mov.u64 %rd8, tile;
    st.shared.u32 [%r9], %r3; cvta.shared.u64 %rd7, %rd8; st.u32 [%rd7], %r3;
    atom.shared.exch.b32 %r10, [%r9], 1; mov.u64 %rd9, own; st.local.u32 [%rd9], %r10;"""
    assert is_independent(body)
    assert not is_independent(f"{body} st.u32 [%a], %r3;")


def test_symbols():
    table = ".global .align 4 .b32 table[4096];"
    body = f"{X} mov.u64 %rd9, table; cvta.global.u64 %rd9, %rd9; mul.wide.s32 %rd1, {{}}, 4;"
    store = "add.s64 %rd1, %rd1, %rd9; st.global.u32 [%rd1], %r4;"
    buffers = {"a": np.zeros(SIZE, np.uint32)}
    for index, wanted in (("%r4", None), ("%r3", "CTAs may write the same bytes")):
        found = Program(body.format(index) + store, buffers, variables=table).dependence
        assert (found and found.reason) == wanted


def test_dependence_of_plain_facts():
    made = program(f"{X} {at('%r4')} st.global.u32 [%rd1], %r4;")

    def dependence(grid, block):
        facts = LaunchNumbers(grid, block, made.params, {})
        return decide(made.module, made.kernel, facts, made.memory).dependence

    assert dependence((4, 1, 1), (32, 1, 1)) is None
    assert dependence((4, 1, 1), (32, 2, 1)) is None  # tid.y writes what its own CTA does
    assert isinstance(dependence((4, 4, 1), (32, 1, 1)), Dependence)


# The samples.

SAMPLES = Path(__file__).parents[2] / "samples"
READS, WRITES = (
    "a CTA may write what another reads",
    "CTAs may change the same bytes here and there",
)
SMALLER = {
    "lud": {"n": 128}, "matmul": {"n": 128}, "nw": {"n": 256}, "stencil5": {"width": 200},
    "transpose": {"rows": 200, "columns": 100}, "trisolve": {"n": 64, "m": 16},
}  # fmt: skip
DECIDED = {
    "binomial": {"binomial_block": None, "binomial_thread": None, "binomial_pair": None},
    "bitonic": {"bitonic_sort": None, "bitonic_global": READS, "bitonic_merge": None},
    "lud": {
        "lud_diagonal": None, "lud_perimeter": None, "lud_internal": None, "lud_product": None,
    },
    "matmul": {"matmul": None},
    "nw": {"nw_upper_left": None, "nw_lower_right": None},
    "reduce": {"reduce": None},
    "scan": {"scan_blocks": None, "scan_add": None},
    "spmv": {"spmv": None},
    "stencil5": {"stencil5": None},
    "transpose": {"transpose": None},
    "trisolve": {
        "trisolve_forward": None, "trisolve_backward": None, "trisolve_pairs": READS,
        "trisolve_factor": READS, "trisolve_inverse": READS,
    },
    "vecadd": {"vecadd": None},
}  # fmt: skip
"""What is said of the PTX that nvcc makes; None: independent.

Dependent ones are so for all that is known here: of ``bitonic_global`` (indices made by xor) and of
the triangular systems (columns counted by values that branches choose) each CTA has its own bytes.
"""
CONFINED = {"spmv": 15}
"""How many instructions of a sample are confined to a buffer; of the others none."""


def launched(launch, named, memory):
    """Lay out a launch as the executor does, with memory that nothing has been written to."""
    loaded, kernel = load_kernel(launch.module, launch.kernel)

    def value(argument):
        if isinstance(argument, RefArgument):
            return value(argument.buffer) + argument.offset_bytes
        if not isinstance(argument, BufferArgument):
            return argument
        key = argument.name or len(named)
        if key not in named:
            named[key] = memory.allocate(math.prod(argument.shape) * argument.type.size_bytes)
        return named[key]

    packed = pack_arguments(kernel, [value(a) for a in launch.arguments])
    return loaded.module, kernel, LaunchNumbers(launch.grid, launch.block, packed.data), memory


@pytest.mark.one_in(3)
@pytest.mark.parametrize("sample", sorted(DECIDED))
def test_samples(sample):
    named, memory = {}, DeviceMemory(1 << 40)
    found, confined = {name: set() for name in DECIDED[sample]}, 0
    for launch in load_launches(SAMPLES / sample / "launch.toml", SMALLER.get(sample, {})):
        decision = decide(*launched(launch, named, memory))
        reason = decision.dependence and decision.dependence.reason.partition(" (line")[0]
        found[launch.kernel].add(reason)
        confined += len(decision.confined)
    assert found == {name: {reason} for name, reason in DECIDED[sample].items()}
    assert confined == CONFINED.get(sample, 0)
