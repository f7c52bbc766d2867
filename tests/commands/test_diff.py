"""What ``diff`` says of pairs whose differences are known by construction."""

from pathlib import Path

import pytest

import warpmill
from tests.commands import diff_builds as builds
from warpmill.commands.diff.result import ComparedBuilds, diff_report
from warpmill.comparing.blocks import AccessShape, AccessTarget, pair_names
from warpmill.comparing.builds import prepare_builds
from warpmill.comparing.runs import launch_diff
from warpmill.report.base import Mark
from warpmill.session.options import LaunchOptions

SAMPLES = Path(__file__).parents[2] / "samples"


@pytest.fixture
def compared(tmp_path):
    def compare(a, b, **options):
        paths = []
        for name, text in (("a.ptx", a), ("b.ptx", b)):
            (tmp_path / name).write_text(text)
            paths.append(str(tmp_path / name))
        found = prepare_builds((paths[0], paths[1]))
        pairs = [ComparedBuilds(x, y) for x, y in found.pairs]
        lone = (found.only_in_a, found.only_in_b)
        return diff_report((paths[0], paths[1]), pairs, lone, **options)

    return compare


def figures(rows):
    return {(row.key, row.of): (row.a, row.b) for row in rows}


@pytest.mark.parametrize("text", [builds.ROLLED, builds.SCALAR, builds.many_live(20)])
def test_a_build_does_not_differ_from_itself(text, compared):
    report = compared(text, text)
    assert report.equal
    (kernel,) = report.kernels
    assert kernel.equal
    lists = (kernel.figures, kernel.classes, kernel.opcodes, kernel.loops, kernel.buffers)
    assert not any((*lists, kernel.addresses))
    assert kernel.compared["figures"] > 20


def test_names_of_registers_and_parameters_are_no_difference(compared):
    assert compared(builds.SCALAR, builds.RENAMED).equal


def test_all_rows_are_there_where_they_are_asked_for(compared):
    (kernel,) = compared(builds.ROLLED, builds.ROLLED, all_rows=True).kernels
    assert len(kernel.figures) == kernel.compared["figures"]
    assert figures(kernel.figures)["instructions", None] == (14, 14)
    assert all(row.equal and row.delta in (0, None) for row in kernel.figures)
    (loop,) = kernel.loops
    assert figures(loop.figures)["trips", None] == ("8", "8")


def test_an_unrolled_loop_is_the_same_loop(compared):
    report = compared(builds.ROLLED, builds.UNROLLED)
    (kernel,) = report.kernels
    (loop,) = kernel.loops
    assert not report.equal
    assert (loop.a.name, loop.b.name, loop.matched_by) == ("LOOP", "LOOP", "structure")
    assert loop.iterations_of_a == 2
    rows = figures(loop.figures)
    assert rows["trips", None] == ("8", "4")
    assert rows["instructions", None] == (7, 10)
    assert rows["accessed_bytes", None] == (8, 16)
    assert ("depth", None) not in rows
    assert figures(kernel.classes) == {
        ("add", None): (4, 5), ("load", None): (2, 3), ("store", None): (1, 2),
    }  # fmt: skip
    (add,) = [row for row in kernel.classes if row.key == "add"]
    assert (add.delta, add.change_fraction, add.sides) == (1, 0.25, (Mark.EXACT, Mark.EXACT))


def test_the_other_way_round_an_iteration_does_half_of_one(compared):
    (loop,) = compared(builds.UNROLLED, builds.ROLLED).kernels[0].loops
    assert loop.iterations_of_a == 0.5


def test_an_iteration_that_does_more_is_not_several(compared):
    """Twice the bytes of a stencil's wider step, in as many iterations or at the same pace."""
    wider = builds.UNROLLED.replace("%rd4, 256", "%rd4, 128").replace("%r2, %r2, 2", "%r2, %r2, 1")
    (loop,) = compared(builds.ROLLED, wider).kernels[0].loops
    assert figures(loop.figures)["accessed_bytes", None] == (8, 16)
    assert loop.iterations_of_a is None
    longer = wider.replace("%r2, 8;", "%r2, 4;")  # half of the work is left out, not unrolled
    (loop,) = compared(builds.ROLLED, longer).kernels[0].loops
    assert loop.iterations_of_a is None


def test_a_loop_that_is_gone(compared):
    (kernel,) = compared(builds.ROLLED, builds.FLAT).kernels
    (loop,) = kernel.loops
    assert loop.b is None
    assert (loop.matched_by, loop.like, loop.elsewhere) == (None, None, None)
    assert figures(kernel.figures)["loops", None] == (1, 0)


LINES = {"ld.global": 3, "st.global": 3, "add.s32": 2, "setp": 2}


def test_debug_lines_tell_what_became_of_a_loop(compared):
    """Its lines have 16 accesses in the build without it."""
    a, b = (builds.with_lines(text, LINES) for text in (builds.ROLLED, builds.FLAT))
    (loop,) = compared(a, b).kernels[0].loops
    assert loop.a.place.line == 3
    assert loop.elsewhere == 8 * 3 + 1  # .loc counts on: the additions between, and ret


def moved(text, lines=10):
    return builds.with_lines(text, {word: n + lines for word, n in LINES.items()})


def test_lines_decide_and_where_an_edit_moved_them_structure_does(compared):
    a = builds.with_lines(builds.ROLLED, LINES)
    assert compared(a, moved(builds.ROLLED)).equal
    fewer = moved(builds.ROLLED.replace("%r2, 8", "%r2, 7").replace("st.global", "st.shared"))
    loops = compared(a, fewer).kernels[0].loops
    assert [(loop.a is None, loop.b is None) for loop in loops] == [(False, True), (True, False)]
    same = builds.with_lines(builds.UNROLLED, LINES)
    (loop,) = compared(a, same).kernels[0].loops
    assert loop.matched_by == "source line"


def test_a_vectorised_load_touches_the_same_bytes(compared):
    (kernel,) = compared(builds.SCALAR, builds.VECTOR).kernels
    (load,) = kernel.buffers
    assert load.target == AccessTarget("global", "load", "arg0")
    shapes = [[(s.count, s.shape) for s in side.shapes] for side in (load.a, load.b)]
    assert shapes == [
        [(4, AccessShape(4, "strided", 16))],
        [(1, AccessShape(16, "contiguous", 16))],
    ]
    assert load.same_bytes
    assert figures(load.figures) == {
        ("accesses", None): (4, 1), ("accessed_bytes", None): (16, 16),
    }  # fmt: skip


LOOPS = {
    "rolled": builds.ROLLED,
    "unrolled": builds.UNROLLED,
    "flat": builds.FLAT,
    "tested in the middle": builds.TESTED_IN_THE_MIDDLE,
}


@pytest.mark.one_in(12)
@pytest.mark.parametrize("a", LOOPS)
@pytest.mark.parametrize("b", LOOPS)
def test_a_loop_touches_the_same_bytes_however_it_is_cut(a, b, compared):
    (kernel,) = compared(LOOPS[a], LOOPS[b], all_rows=True).kernels
    assert [row.same_bytes for row in kernel.buffers] == [True, True]


def test_a_loop_with_one_iteration_more_touches_other_bytes(compared):
    more = builds.ROLLED.replace("%r2, 8", "%r2, 9")
    (kernel,) = compared(builds.FLAT, more).kernels
    assert [row.same_bytes for row in kernel.buffers] == [False, False]


def test_formulas_that_may_be_one_number_are_not_called_other_bytes(compared):
    """``n - 2 * (n / 2)`` and ``n & 1``."""
    by_mask = "ld.param.u32 %r3, [n];\nand.b32 %r4, %r3, 1;\n"
    by_division = (
        "ld.param.u32 %r3, [n];\ndiv.u32 %r5, %r3, 2;\nmul.lo.u32 %r5, %r5, 2;\n"
        "sub.u32 %r4, %r3, %r5;\n"
    )
    ways = [
        builds.SCALAR.replace("mul.wide.u32 %rd3, %r1", f"{way}mul.wide.u32 %rd3, %r4")
        for way in (by_mask, by_division)
    ]
    assert [row.same_bytes for row in compared(*ways).kernels[0].buffers] == [None, None]


def test_trip_counts_that_are_no_numbers_are_compared_as_formulas(compared):
    symbolic = [
        text.replace("mov.u32 %r2, 0;", "mov.u32 %r2, 0;\nld.param.u32 %r3, [n];").replace(
            "%r2, 8", "%r2, %r3"
        )
        for text in (builds.ROLLED, builds.UNROLLED)
    ]
    other = symbolic[0].replace("f1, [%rd4]", "f1, [%rd4+4]")
    rows = compared(symbolic[0], other).kernels[0].buffers
    moved = {row.target.op_class: row.same_bytes for row in rows}
    assert moved == {"load": False}
    unrolled = compared(*symbolic).kernels[0]
    assert [row.same_bytes for row in unrolled.buffers] == [None, None]


def test_a_load_from_elsewhere_is_told_with_its_address(compared):
    (kernel,) = compared(builds.SCALAR, builds.SHIFTED).kernels
    assert not kernel.figures
    (load,) = kernel.buffers
    assert load.same_bytes is False
    assert load.a.shapes == load.b.shapes
    changed = {row.address: (row.a, row.b) for row in kernel.addresses}
    assert changed == {"arg0 + 16*tid.x + 12": (1, 0), "arg0 + 16*tid.x + 16": (0, 1)}
    (gone,) = [row for row in kernel.addresses if not row.b]
    assert [place.line for place in gone.places_a] == [15]


def test_more_values_at_once_are_more_registers(compared):
    (kernel,) = compared(builds.many_live(40), builds.many_live(60)).kernels
    a, b = figures(kernel.figures)["live_registers", None]
    assert 15 <= b - a <= 25
    (row,) = [row for row in kernel.figures if row.key == "live_registers"]
    assert row.sides == (Mark.MODELLED, Mark.MODELLED)


def test_launch_bounds_and_memory_are_compared(compared):
    bounded = builds.SCALAR.replace("\n{\n", "\n.maxntid 256\n.minnctapersm 2\n{\n")
    bounded = bounded.replace(
        "mov.u32 %r1", ".shared .b8 s[64]; .local .b8 l[32]; .reg .b32 %x;\n"
        "st.local.u32 [l], %r1;\nld.local.u32 %x, [l];\nbar.sync 0;\nmov.u32 %r1"
    )  # fmt: skip
    (kernel,) = compared(builds.SCALAR, bounded).kernels
    rows = figures(kernel.figures)
    assert figures(kernel.classes)["barrier", None] == (0, 1)
    wanted = {
        "max_threads": (None, (256,)), "min_ctas_per_sm": (None, 2),
        "static_shared_bytes": (0, 64), "local_bytes": (0, 32), "local_loads": (0, 1),
        "local_stores": (0, 1),
    }  # fmt: skip
    assert {key: rows[key, None] for key in wanted} == wanted


def test_a_dimension_of_one_may_be_left_out(compared):
    texts = [builds.SCALAR.replace("\n{\n", f"\n.maxntid {n}\n{{\n") for n in ("256", "256, 1, 1")]
    assert compared(*texts).equal


TWO = builds.SCALAR + builds.SCALAR.partition(".address_size 64\n")[2].replace("scale", "other")


def test_kernels_of_one_name_are_compared_and_others_listed(compared):
    third = TWO.replace("other", "third")
    report = compared(TWO, third)
    assert [(k.a.name, k.b.name) for k in report.kernels] == [("scale", "scale")]
    assert (report.only_in_a, report.only_in_b) == (("other",), ("third",))
    assert not report.equal
    assert report.kernels[0].equal


def test_names_are_paired_as_they_stand_then_demangled_then_by_their_last_part():
    a = ("_Z5scalePf", "same", "_ZN1n4copyEv", "_Z3twoPf", "_Z3twoPd", "gone")
    b = ("copy", "same", "scale", "two", "new")
    pairs = {"_Z5scalePf": "scale", "same": "same", "_ZN1n4copyEv": "copy"}
    assert dict(pair_names(a, b)) == pairs
    assert {y: x for x, y in pair_names(b, a)} == pairs


def test_one_kernel_is_compared_with_one_whatever_they_are_called(compared):
    report = compared(builds.SCALAR, builds.SCALAR.replace("scale", "_Z6scale2Pf"))
    assert report.kernels[0].b.demangled == "scale2(float*)"
    assert report.equal


def test_a_launch_gives_counts_of_warps(tmp_path):
    for name, text in (("a.ptx", builds.ROLLED), ("b.ptx", builds.UNROLLED)):
        (tmp_path / name).write_text(text)
    options = LaunchOptions("4", "64", args=["buffer=f32:4096", "8"])
    paths = (str(tmp_path / "a.ptx"), str(tmp_path / "b.ptx"))
    ((a, b),) = prepare_builds(paths, options=options).pairs
    pair = ComparedBuilds(a, b)
    run = launch_diff((a, b), pair.terms, (warpmill.trace(a), warpmill.trace(b)))
    warps = 4 * 2
    rows = figures(run.figures)
    assert rows["warp_instructions", None] == (warps * (7 + 8 * 7), warps * (7 + 4 * 10))
    traffic = figures(run.accesses)
    assert traffic["sectors", "load global arg0"] == (warps * 8 * 4, warps * 8 * 4)
    assert traffic["warp_executions", "store global arg0"] == (warps * 8, warps * 8)
    assert run.a.ctas == run.a.ctas_total == 4
    assert all(row.sides == (Mark.EXACT, Mark.EXACT) for row in run.figures)
