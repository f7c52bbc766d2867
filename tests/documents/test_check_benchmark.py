"""benchmarks/check: what the rules plant and where, what tells that it matters, what is found."""

import hashlib
import json
from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from warpmill.analyzer.base.diagnostics import Source
from warpmill.benchmarks.check import CheckResult, PlantedFault, build, measuring, subjects
from warpmill.benchmarks.check.harmless import is_harmless
from warpmill.benchmarks.check.oracles import is_pattern_read
from warpmill.benchmarks.check.planting import TextEdit, check, edited, executed_kernels
from warpmill.benchmarks.check.programs import PROGRAMS
from warpmill.benchmarks.check.subjects import ProgramSubject
from warpmill.session.runs import LaunchRun, make_device, run_made

HEAD = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 a, .param .u64 b, .param .u32 n)
{
  .reg .pred %p<9>; .reg .b32 %r<20>; .reg .b64 %d<20>;
  .shared .align 16 .b8 s[512];
  ld.param.u64 %d0, [a];
  ld.param.u64 %d1, [b];
  ld.param.u32 %r9, [n];
  mov.u32 %r0, %tid.x;
  shl.b32 %r1, %r0, 2;
"""


@dataclass(frozen=True)
class Small:
    """A kernel of two buffers: ``a`` has numbers, ``b`` is undefined and comes back."""

    body: str
    grid: int = 1
    block: int = 64
    name: str = "small"
    n: int = 60
    texts: dict = field(init=False)

    def __post_init__(self):
        lines = "\n".join(f"{one.strip()};" for one in self.body.split(";") if one.strip())
        object.__setattr__(self, "texts", {"m": f"{HEAD}{lines}\nret;\n}}\n"})

    def prepare(self, device, module):
        """What is done before the launch."""

    def run(self, options, texts, *, checked=False):  # noqa: ARG002 - nothing says what is right
        device, done = make_device(options), []
        device.on_launch = lambda one: done.append(LaunchRun("launch", one))
        a = device.array(np.arange(self.n, dtype=np.uint32))
        b = device.empty(self.n, np.uint32)
        module = device.load(Source("m", texts["m"]))
        self.prepare(device, module)
        kernel = module["k"]
        device.launch(kernel, self.grid, self.block, [a, b, np.uint32(self.n)])
        return run_made("small", device, done, {"b": b.get()})


def planted(name, body, **sizes):
    """What a rule plants in a kernel: before, after, and the rule's words."""
    small = Small(body, **sizes)
    found = [f for k in executed_kernels(small) for f in measuring.RULES[name](k)]
    return small, found


def changes(name, body, **sizes):
    small, found = planted(name, body, **sizes)
    return [(one.before(small.texts).rstrip(";"), one.edits[0].after, one.rule) for one in found]


COPY = (
    "setp.ge.u32 %p1, %r0, %r9; @%p1 bra OUT; mul.wide.u32 %d2, %r0, 4; add.u64 %d3, %d0, %d2; "
    "ld.global.u32 %r3, [%d3]; add.u64 %d4, %d1, %d2; st.global.u32 [%d4], %r3; OUT:"
)
FIRST = "setp.lt.u32 %p1, %r0, 0; @%p1 bra NEVER; bra GO; NEVER: bar.sync 0; GO:"


def test_only_what_is_executed_is_changed():
    body = (
        "bar.sync 0; st.shared.u32 [%r1], 1; bar.sync 0; @!%p1 bar.warp.sync -1; bar.arrive 1, 64"
    )
    found = changes("barrier", f"{FIRST} {body}; ld.shared.u32 %r4, [%r1]; bar.sync 0")
    assert [one[:2] for one in found] == [("bar.sync 0", ""), ("@!%p1 bar.warp.sync -1", "")]


def test_a_barrier_in_a_loop_lies_between_its_accesses():
    body = """mov.u32 %r5, 0; MORE: bar.sync 0; st.shared.u32 [%r1], %r5; add.u32 %r5, %r5, 1;
        setp.lt.u32 %p1, %r5, 3; @%p1 bra MORE; bar.sync 0"""
    assert len(changes("barrier", body)) == 1


def test_waits_are_removed_or_wait_for_less():
    body = """mbarrier.init.shared.b64 [s], 64; bar.sync 0; cp.async.wait_group 1;
        cp.async.commit_group; cp.async.bulk.wait_group 0; cp.async.wait_all;
        cp.async.mbarrier.arrive.noinc.shared.b64 [s];
        mbarrier.test_wait.parity.shared.b64 %p2, [s], 1"""
    assert changes("wait", body) == [
        ("cp.async.wait_group 1", "", "removed"),
        ("cp.async.wait_group 1", "cp.async.wait_group 2", "one group more left open"),
        ("cp.async.commit_group", "", "group not committed"),
        ("cp.async.bulk.wait_group 0", "", "removed"),
        ("cp.async.bulk.wait_group 0", "cp.async.bulk.wait_group 1", "one group more left open"),
        (
            "cp.async.bulk.wait_group 0",
            "cp.async.bulk.wait_group.read 0",
            "waits for reads alone",
        ),
        ("cp.async.wait_all", "", "removed"),
        (
            "cp.async.mbarrier.arrive.noinc.shared.b64 [s]",
            "mbarrier.arrive.shared.b64 _, [s]",
            "arrives before its copies",
        ),
        (
            "mbarrier.test_wait.parity.shared.b64 %p2, [s], 1",
            "setp.eq.u32 %p2, 0, 0",
            "told to be over",
        ),
    ]


def test_masks_leave_out_a_lane_that_is_there():
    found = changes("mask", "vote.sync.ballot.b32 %r3, 1, -1; bar.warp.sync 0xffffffff")
    masks = [after for _, after, rule in found if rule == "leaves out a lane"]
    assert masks[0].startswith("vote.sync.ballot.b32 %r3, 1, 0x")
    assert [int(one.split()[-1], 16).bit_count() for one in masks] == [31, 31]
    passed = [after for _, after, rule in found if rule == "a lane goes round it"]
    assert [one.count("@%planted_p") for one in passed] == [1, 1]


def test_masks_of_a_part_of_a_warp_name_all_lanes():
    half = "setp.lt.u32 %p1, %r0, 16; @!%p1 bra OUT; bar.warp.sync 0xffff; OUT:"
    assert changes("mask", half, block=32) == [
        ("bar.warp.sync 0xffff", "bar.warp.sync 0xfffe", "leaves out a lane"),
        ("bar.warp.sync 0xffff", "bar.warp.sync -1", "names all lanes"),
    ]


SCOPES = """atom.global.add.u32 %r3, [%d0], 1; atom.add.release.gpu.global.u32 %r3, [%d0], 1;
    @%p1 red.global.max.u32 [%d0], 1; membar.gl; fence.acq_rel.gpu; fence.acq_rel.cta;
    ld.acquire.gpu.global.u32 %r3, [%d0]; st.volatile.global.u32 [%d0], 1;
    ld.volatile.shared.u32 %r3, [s]; atom.shared.add.u32 %r3, [s], 1; fence.proxy.async"""


def test_scopes_are_narrowed_and_fences_removed():
    body = f"setp.lt.u32 %p1, %r0, 1; {SCOPES}"
    assert changes("scope", body) == []
    assert changes("scope", body, grid=2) == [
        (
            "atom.global.add.u32 %r3, [%d0], 1",
            "atom.relaxed.cta.global.add.u32 %r3, [%d0], 1",
            "scope of a CTA",
        ),
        (
            "atom.add.release.gpu.global.u32 %r3, [%d0], 1",
            "atom.add.release.cta.global.u32 %r3, [%d0], 1",
            "scope of a CTA",
        ),
        (
            "atom.add.release.gpu.global.u32 %r3, [%d0], 1",
            "atom.add.relaxed.gpu.global.u32 %r3, [%d0], 1",
            "order left out",
        ),
        (
            "@%p1 red.global.max.u32 [%d0], 1",
            "@%p1 red.relaxed.cta.global.max.u32 [%d0], 1",
            "scope of a CTA",
        ),
        ("membar.gl", "membar.cta", "scope of a CTA"),
        ("membar.gl", "", "fence removed"),
        ("fence.acq_rel.gpu", "fence.acq_rel.cta", "scope of a CTA"),
        ("fence.acq_rel.gpu", "", "fence removed"),
        (
            "ld.acquire.gpu.global.u32 %r3, [%d0]",
            "ld.acquire.cta.global.u32 %r3, [%d0]",
            "scope of a CTA",
        ),
        (
            "ld.acquire.gpu.global.u32 %r3, [%d0]",
            "ld.relaxed.gpu.global.u32 %r3, [%d0]",
            "order left out",
        ),
        ("st.volatile.global.u32 [%d0], 1", "st.global.u32 [%d0], 1", "not volatile"),
        ("fence.proxy.async", "", "fence removed"),
    ]


def test_bounds_are_off_by_one_where_a_buffer_is_left():
    loop = "mov.u32 %r5, 0; MORE: add.u32 %r5, %r5, 2; setp.ne.u32 %p3, %r5, 8; @%p3 bra MORE"
    small, found = planted("bound", f"{loop}; {COPY}")
    assert [one.edits[0].after for one in found] == [
        "setp.ne.u32 %p3, %r5, 10",
        "setp.gt.u32 %p1, %r0, %r9",
    ]
    (kernel,) = executed_kernels(small)
    assert [is_pattern_read(small, kernel.kernel, one) for one in found] == [False, True]
    inside = replace(small, n=64)  # all threads are inside then
    assert not is_pattern_read(inside, kernel.kernel, found[1])


def test_initialisation_is_removed_where_what_was_there_is_read():
    body = """add.u32 %r3, %r1, 4; mov.u32 %r5, 7; setp.ge.u32 %p2, %r0, 2; @%p2 bra MORE;
        mov.u32 %r5, 9; MORE: st.shared.u32 [%r1], %r0; st.shared.u32 [%r1], %r5; bar.sync 0;
        xor.b32 %r3, %r1, 4; ld.shared.u32 %r4, [%r3]; add.u32 %r4, %r4, 1;
        mul.wide.u32 %d2, %r0, 4; add.u64 %d3, %d1, %d2; st.global.u32 [%d3], %r4"""
    small, found = planted("initialisation", body, n=64)
    (kernel,) = executed_kernels(small)
    matters = {one.before(small.texts): is_pattern_read(small, kernel.kernel, one) for one in found}
    assert matters == {
        "mov.u32 %r5, 7;": True,
        "mov.u32 %r5, 9;": False,  # the first one is there
        "st.shared.u32 [%r1], %r0;": False,  # the next one overwrites it
        "st.shared.u32 [%r1], %r5;": False,  # and it stands in for that
        "st.global.u32 [%d3], %r4;": False,  # a result that is missing, and nobody's use
    }


def test_an_index_wraps_where_its_counterpart_is_clean():
    small, found = planted("index", COPY)
    assert [one.bias_bytes for one in found] == [1 << 32]
    (one,) = found
    counterpart = {"m": edited(small.texts["m"], one.counterpart)}
    assert check(small, counterpart, one.bias_bytes).findings == ()
    tools = {tool for tool, *_ in check(small, one.planted(small.texts), one.bias_bytes).findings}
    assert "overflow" in tools


def test_edits_keep_the_numbers_of_lines():
    edits = [TextEdit(2, 1, 2, "xx"), TextEdit(2, 3, 4, ""), TextEdit(1, 1, 1, "-")]
    assert edited("abc\ndef\n", edits) == "-abc\nxxe\n"


HANDED_ON = """mul.wide.u32 %d2, %r0, 4; add.u64 %d3, %d1, %d2; st.global.u32 [%d3], %r0;
    bar.sync 0; xor.b32 %r3, %r0, 33; mul.wide.u32 %d2, %r3, 4; add.u64 %d4, %d1, %d2;
    ld.global.u32 %r4, [%d4]; bar.sync 0; add.u32 %r4, %r4, 1; st.global.u32 [%d3], %r4"""


def test_a_store_that_a_kernel_reads_is_initialisation():
    small, found = planted("initialisation", HANDED_ON, n=64)
    (kernel,) = executed_kernels(small)
    assert [is_pattern_read(small, kernel.kernel, one) for one in found] == [True, False]


TWICE = HANDED_ON.replace("bar.sync 0; xor", "bar.sync 0; bar.sync 0; xor")


@pytest.mark.parametrize(
    ("body", "n", "harmless"),
    [(HANDED_ON, 64, [False, False]), (TWICE, 64, [True, True, False])],
)
def test_a_barrier_beside_another_is_harmless(monkeypatch, body, n, harmless):
    small, found = planted("barrier", body, n=n, grid=1)
    monkeypatch.setattr("warpmill.benchmarks.check.harmless.subjects", lambda: {"small": small})
    assert [is_harmless(one) for one in found] == harmless
    assert is_harmless(replace(found[0], fault_class="bound")) is False


@dataclass(frozen=True)
class WithConstant(Small):
    """A kernel that does nothing unless the host has set a constant."""

    def __post_init__(self):
        super().__post_init__()
        head = ".const .align 4 .u32 times;\n.visible"
        text = self.texts["m"].replace(".visible", head, 1)
        object.__setattr__(self, "texts", {"m": text})

    def prepare(self, device, module):
        device.symbol(module, "times").set(np.ones(1, np.uint32))


def test_the_smaller_launch_has_the_constants_that_the_host_has_set(monkeypatch):
    begin = "ld.const.u32 %r8, [times]; setp.eq.u32 %p3, %r8, 0; @%p3 bra OUT;"
    own = WithConstant(f"{begin} {HANDED_ON}; OUT:", n=64)
    found = [f for k in executed_kernels(own) for f in measuring.RULES["barrier"](k)]
    monkeypatch.setattr("warpmill.benchmarks.check.harmless.subjects", lambda: {"small": own})
    assert [is_harmless(one) for one in found] == [False, False]


def test_what_the_launch_of_two_ctas_does_not_execute_is_unknown(monkeypatch):
    last = f"mov.u32 %r7, %ctaid.x; setp.lt.u32 %p4, %r7, 2; @%p4 bra OUT; {TWICE}; OUT:"
    small, found = planted("barrier", last, n=64, grid=3)
    monkeypatch.setattr("warpmill.benchmarks.check.harmless.subjects", lambda: {"small": small})
    assert [is_harmless(one) for one in found] == [None] * 3


SHARED = """st.shared.u32 [%r1], %r0; bar.sync 0; xor.b32 %r3, %r1, 128; ld.shared.u32 %r4, [%r3];
    mul.wide.u32 %d2, %r0, 4; add.u64 %d3, %d1, %d2; st.global.u32 [%d3], %r4"""


@pytest.fixture
def small(monkeypatch):
    """A subject with a fault that is found, by what its kernel as it is does not have."""
    made, (fault,) = planted("barrier", SHARED, n=64)
    monkeypatch.setattr(measuring, "subjects", lambda: {"small": made})
    monkeypatch.setattr(measuring, "_as_it_is", measuring._as_it_is.__wrapped__)
    return made, fault


def test_a_fault_is_found_by_a_new_finding(small):
    row = measuring.judged(small[1])
    assert (row["line"], row["before"], row["after"]) == (14, "bar.sync 0;", "")
    assert "racecheck: race" in row["found_by"]
    assert row["is_fitting"]


def test_a_finding_that_was_there_before_finds_nothing(small, monkeypatch):
    made, fault = small
    as_planted = check(made, fault.planted(made.texts))
    monkeypatch.setattr(measuring, "_as_it_is", lambda _: as_planted)
    monkeypatch.setattr(measuring, "is_harmless", lambda _: None)
    row = measuring.judged(fault)
    assert (row["found_by"], row["is_fitting"], row["harmless"]) == ([], False, None)


def test_kernels_with_findings_are_left_out(monkeypatch):
    dirty = replace(Small(SHARED, n=64), body=SHARED.replace("bar.sync 0;", "bar.warp.sync -1;"))
    monkeypatch.setattr(measuring, "subjects", lambda: {"small": dirty})
    monkeypatch.setattr(measuring, "_as_it_is", measuring._as_it_is.__wrapped__)
    assert measuring.faults_of(dirty) == ([], ["small: k"])


def test_faults_are_drawn_of_each_subject_in_turn():
    _, (fault,) = planted("barrier", SHARED, n=64)
    every = [
        replace(fault, subject=subject, edits=(TextEdit(line, 1, 2, ""),))
        for subject, lines in (("a", 4), ("b", 1), ("c", 3))
        for line in range(lines)
    ]
    names = [one.subject for one in measuring.drawn(every, "barrier", 5)]
    assert sorted(names[:3]) == ["a", "b", "c"]
    assert sorted(names[3:]) == ["a", "c"]
    assert measuring.drawn(every, "wait", 5) == []


def fault_row(fault_class="mask", **others):
    own = dict.fromkeys(("subject", "kernel", "rule", "before", "after", "problem"), "")
    row = {"line": 1, "found_by": (), "is_fitting": False, "harmless": None, "seconds": 0.0}
    return PlantedFault(**{**own, **row, "fault_class": fault_class, "is_aside": False, **others})


def test_harmless_faults_count_for_themselves():
    found = {"found_by": ("racecheck: race",)}
    result = CheckResult(seed=1, unclean=(), faults=(
        fault_row(**found), fault_row(harmless=True), fault_row(harmless=False),
        fault_row("wait", **found, is_aside=True), fault_row("wait", is_aside=True),
    ))  # fmt: skip
    assert (result.planted_found, result.aside_found) == ((1, 2), (1, 2))
    assert (result.found_share, result.harmless, result.fewest) == (50.0, 20.0, 2)
    rows = [(one.fault_class, one.found, one.harmless, one.missed) for one in result.classes]
    assert rows == [("wait", 1, 0, 1), ("mask", 1, 1, 1)]


@pytest.mark.one_in(12)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda one: one.name)
def test_kernels_of_here_are_right_and_clean(program):
    subject = ProgramSubject(program)
    assert executed_kernels(subject)
    found = check(subject, subject.texts)
    assert (found.findings, found.problem) == ((), "")


def test_the_kernels_are_what_their_record_says():
    record = json.loads(build.RECORD.read_text("utf-8"))
    assert record["files"] == build.hashes()
    for name in build.CHIPS:
        text = (build.KERNELS / f"{name}.ptx").read_bytes()
        assert record["files"][name]["ptx"] == hashlib.sha256(text).hexdigest()


def test_a_glance_names_subjects_that_there_are():
    assert set(measuring.QUICK) <= set(subjects.subjects())
