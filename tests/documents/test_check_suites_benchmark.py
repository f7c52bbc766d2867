"""The benchmark of public suites: what is planted, what is counted, and graphs drawn by seed."""

import numpy as np
import pytest

from warpmill.benchmarks.check_suites import (
    DISPUTED,
    PUBLISHED,
    SuitesResult,
    decided,
    indigo,
    on_graphs,
    running,
    scor,
)
from warpmill.benchmarks.check_suites.running import SuiteKernel, SuiteRow, checked

KERNEL = """.version 8.0
.target sm_80
.address_size 64
.visible .entry test_kernel(.param .u64 data, .param .u32 wide) {
.reg .pred %p<2>; .reg .b32 %r<4>; .reg .b64 %d<2>;
ld.param.u64 %d0, [data]; ld.param.u32 %r1, [wide]; mov.u32 %r0, %tid.x;
st.global.u32 [%d0], %r0;
setp.eq.u32 %p0, %r1, 0; @%p0 bra over;
ld.global.u32 %r2, [%d0+4];
over: ret;
}
"""
"""Threads store different values to one word, and load the next one where they are told to."""


def launched(threads, wide):
    """A program that launches the kernel on a buffer of one word."""

    def program(device, module):
        device.launch(module["test_kernel"], 1, threads, [device.zeros(1, np.uint32), wide])

    return program


def kernel(tmp_path, programs, **changes):
    words = {"suite": "s", "name": "k", "planted": (), "has_race": True, "has_memory_error": False}
    return SuiteKernel(**words, source=tmp_path / "k.cu", programs=programs, **changes)


@pytest.fixture
def ptx(tmp_path, monkeypatch):
    """No compiler is asked: the PTX is that of above."""
    path = tmp_path / "k.ptx"
    path.write_text(KERNEL)
    monkeypatch.setattr(running, "compiled", lambda _: path)
    return path


def test_findings_count_by_input(tmp_path, ptx):
    one = kernel(tmp_path, {"one": launched(1, 0), "two": launched(2, 0), "wide": launched(1, 1)})
    row, races = checked(one)
    assert (row.inputs, row.races_on, row.warned_on, row.memory_on) == (3, 1, 0, 1)
    assert (row.race, row.memory, row.problem) == ("TP", "FP", "")
    assert row.found == ("memcheck: out of bounds", "racecheck: race")
    assert races == {"two"}


def test_a_run_that_does_not_end_is_unknown(tmp_path, ptx, monkeypatch):
    monkeypatch.setattr(running, "MOST_INSTRUCTIONS", 1)
    row, _ = checked(kernel(tmp_path, {"one": launched(1, 0)}))
    assert row.problem
    assert row.race is None
    assert row.memory is None


def test_what_does_not_compile_is_unknown(tmp_path, monkeypatch):
    def refused(_):
        raise running.NotCompiledError("no such type")

    monkeypatch.setattr(running, "compiled", refused)
    row, _ = checked(kernel(tmp_path, {"one": launched(1, 0)}))
    assert (row.problem, row.race) == ("no such type", None)


def test_of_a_compiler_the_first_error_is_told():
    words = "/tmp/a.cu(3): warning: x\n/tmp/a.cu(55): error: no instance of `f`\n  f(1);\n"
    assert running.first_error(words) == "not compiled: no instance of `f`"
    assert running.first_error("killed\n") == "not compiled: killed"


def test_ptx_is_rewritten(tmp_path, ptx):
    def no_store(text):
        return text.replace("st.global.u32 [%d0], %r0;", "")

    row, _ = checked(kernel(tmp_path, {"two": launched(2, 0)}, rewrite=no_store))
    assert row.race == "FN"


def row(suite, name, planted, races, memory_error=None, memory=0):
    return SuiteRow(
        suite=suite, kernel=name, planted=(), has_race=planted, has_memory_error=memory_error,
        found=(), inputs=1, races_on=races, warned_on=0, memory_on=memory, problem="",
    )  # fmt: skip


def test_sums_count_cells_and_what_a_rule_decides():
    rows = [
        row("Indigo", "a", True, 3, False),
        row("Indigo", "b", False, 0, True, 1),
        row("Indigo", "c", True, 0, True),
        row("Indigo", "d", False, 1, False),
        row("ScoR", "race_volatile", True, 0),
        row("ScoR", "norace_other", False, 1),
    ]
    result = SuitesResult(rows=tuple(rows), graphs=())
    of = {(one.suite, one.what): one for one in result.sums if one.codes == "all"}
    races = of["Indigo", "data races"]
    assert (races.tp, races.fp, races.fn, races.tn, races.disputed) == (1, 1, 1, 1, 0)
    assert (races.precision, races.recall, races.accuracy) == (0.5, 0.5, 0.5)
    memory = of["Indigo", "memory errors"]
    assert (memory.tp, memory.fp, memory.fn, memory.tn) == (1, 0, 1, 2)
    scopes = of["ScoR", "data races"]
    assert (scopes.fn, scopes.fp, scopes.disputed) == (1, 1, 1)
    assert ("ScoR", "memory errors") not in of
    assert [one.kernel for one in result.differences][-1] == "race_volatile"


def test_a_rule_is_of_rows_that_differ():
    assert decided(row("ScoR", "race_x", True, 0))
    assert not decided(row("ScoR", "race_x", True, 1))
    assert not decided(row("ScoR, weak data", "race_x", True, 0))
    assert all(rule["why"] for rule in DISPUTED["rule"])


def test_published_figures_add_up():
    for figure in PUBLISHED["figure"]:
        assert figure["source"] in PUBLISHED["sources"]
        for tool, found in figure["found"].items():
            sums = {a + b for a, b in zip(found, figure["missed"][tool], strict=True)}
            assert sums == {figure["racing"]}
            assert len(found) == len(figure["graphs"])


def test_races_on_published_graphs(tmp_path):
    graph = PUBLISHED["figure"][0]["graphs"][1]
    own = {"suite": indigo.SUITE, "programs": {graph: launched(1, 0), "mine": launched(1, 0)}}
    one = kernel(tmp_path, {})
    right = SuiteKernel(**{**vars(one), **own, "has_race": False})
    racing = SuiteKernel(**{**vars(one), **own})
    told = on_graphs([(racing, {graph}), (racing, {"mine"}), (right, {graph})])
    assert [(each.graph, each.racing, each.found, each.false_alarms) for each in told] == [
        (graph, 2, 1, 1)
    ]
    assert told[0].published["HiRace"] == PUBLISHED["figure"][0]["found"]["HiRace"][1]


# Indigo.


def test_a_graph_in_sparse_rows():
    starts, neighbours = indigo.graph(4, [(2, 1), (0, 3), (0, 3), (0, 1), (1, 1)])
    assert starts.tolist() == [0, 2, 2, 3, 3]
    assert neighbours.tolist() == [1, 3, 1]


def test_graphs_have_ends_without_neighbours_and_are_the_same_each_time():
    drawn, again = indigo.graphs(), indigo.graphs()
    for name, (starts, neighbours) in drawn.items():
        assert starts[-1] == len(neighbours)
        assert (np.diff(starts) >= 0).all()
        assert neighbours.max() < len(starts) - 1
        assert (neighbours == again[name].neighbours).all()
    assert drawn["dag"].starts[-2] == drawn["dag"].starts[-1]
    assert drawn["counter-dag"].starts[1] == 0


GENERATOR = """import pathlib, sys
out = pathlib.Path(sys.argv[3], "pattern")
out.mkdir()
for name in ("pattern", "pattern_boundsBug", "pattern_persistent_atomicBug_guardBug"):
    (out / f"{name}.cu").write_text("/* words */\\n\\ntypedef float data_t;\\n")
"""


def test_names_of_indigo_tell_what_is_planted(tmp_path):
    generators = tmp_path / indigo.FOLDER / "Generators"
    (generators / "CUDA_sources").mkdir(parents=True)
    (generators / "CUDA_sources" / "pattern.idg").write_text("")
    (generators / "generate_CUDA_codes.py").write_text(GENERATOR)
    graphs = tmp_path / indigo.HIRACE_FOLDER / "indigo" / "input"
    graphs.mkdir(parents=True)
    np.array([2, 1, 0, 1, 1, 1], np.int32).tofile(graphs / "small.egr")
    found = {one.name: one for one in indigo.kernels(tmp_path)}
    assert {name: one.planted for name, one in found.items()} == {
        "pattern": (),
        "pattern_boundsBug": ("bounds",),
        "pattern_persistent_atomicBug_guardBug": ("atomicity", "guard"),
    }
    assert [one.has_race for one in found.values()] == [False, False, True]
    assert [one.has_memory_error for one in found.values()] == [False, True, False]
    assert {"dag", "small"} < set(found["pattern"].programs)


def test_persistent_codes_have_threads_for_half_of_the_vertices():
    drawn = {"g": indigo.graph(127, [(0, 1)])}

    def ctas(code):
        return indigo.programs_on(drawn, code, 64, np.dtype("int32"))["g"].args[1]

    assert [ctas("push"), ctas("push_warp"), ctas("push_block")] == [2, 64, 128]
    assert [ctas("push_persistent"), ctas("push_block_persistent")] == [2, 64]


# ScoR.


def test_volatile_accesses_become_weak_ones():
    text = "ld.volatile.global.u32 %r1, [%rd1];\nst.volatile.shared.u32 [%r2], %r1;"
    assert scor.weak(text) == "ld.global.u32 %r1, [%rd1];\nst.shared.u32 [%r2], %r1;"


def test_names_of_microbenchmarks_tell_whether_they_race(tmp_path):
    folder = tmp_path / scor.FOLDER / "microbenchmarks" / "src"
    folder.mkdir(parents=True)
    for name in ("race_a", "norace_b"):
        (folder / f"{name}.cu").write_text("#define NBLOCKS  2\n#define TPERBLK  33\n")
    found = [one for one in scor.kernels(tmp_path) if one.source.parent == folder]
    assert [(one.suite, one.name, one.has_race) for one in found] == [
        (suite, name, name == "race_a")
        for suite in (scor.SUITE, scor.WEAK_SUITE)
        for name in ("norace_b", "race_a")
    ]
    assert all(one.resident_ctas == 2 for one in found)
