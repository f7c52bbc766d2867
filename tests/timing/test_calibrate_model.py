"""Calibration on the whole-GPU model: what comes back is what the machine says, altered or not.

Machines are cut down to parts of themselves, so that their calibration takes seconds. What is
expected is said here, key by key; nothing of it is read from the machine that is calibrated.
"""

import pytest

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.calibration.caches import constant_cache, data_caches, texture_cache
from warpmill.calibration.calibrate import (
    atomics,
    bank_conflicts,
    coalescing,
    code_cache,
    launching,
)
from warpmill.calibration.comparison import agrees
from warpmill.calibration.figures import FittedNumber
from warpmill.calibration.latencies import latencies
from warpmill.calibration.probes import Reading
from warpmill.calibration.simulated_gpu import ModelRunner
from warpmill.calibration.throughput import bandwidths, barriers, intervals
from warpmill.simulator.machines import load_machine

SMALL = {
    "sm.count": 2, "dram.channels": 2, "dram.bandwidth_gbs": 56.25, "l2.slices": 4,
    "l2.size_bytes": 393216, "l2.bytes_per_clk": 55.0, "l1.size_bytes": 16384,
    "l1.unified_bytes": 16384, "l1.ways": 16, "l1.latency": 28.0, "l2.latency": 212.0,
    "dram.latency": 425.0, "l1.line_bytes": 128, "l1.sector_bytes": 32, "l1.bytes_per_clk": 128.0,
    "tex.l1_bytes": 8192, "tex.ways": 16, "icnt.bytes_per_clk_per_sm": 32.0,
}  # fmt: skip
"""Two SMs with small caches."""

UNITS = {
    "latency": "cycles", "interval": "cycles", "l1.latency": "cycles", "l2.latency": "cycles",
    "dram.latency": "cycles", "const.l1_latency": "cycles", "tex.latency": "cycles",
}  # fmt: skip


def runner(machine="v100", **settings):
    return ModelRunner(load_machine(machine, SMALL | settings))


def check(part, wanted):
    """See that a part has these values, within 5 % or a cycle, none of them bounded."""
    found = {one.key: one for one in part.findings}
    assert set(wanted) <= set(found)
    for key, value in wanted.items():
        unit = UNITS.get(key) or UNITS.get(key.partition(".")[0], "")
        assert agrees(found[key].value, value, unit), (key, found[key], value)
        assert found[key].bound is None, key


OPERATIONS = (
    "int_add", "int_minmax", "setp", "vote", "fp32_fma", "conv", "popc", "mufu", "tensor_mma",
    "shared_load",
)  # fmt: skip
LATENCIES = {
    "v100": {
        "int_add": 4, "int_minmax": 4, "setp": 4, "vote": 13, "fp32_fma": 4, "conv": 4, "popc": 4,
        "tensor_mma": 8, "shared_load": 20,
    },
    "a100": {
        "int_add": 4, "setp": 10, "vote": 13, "fp32_fma": 4, "conv": 6, "popc": 6,
        "tensor_mma": 24.6, "shared_load": 23,
    },
    "tesla_k40": {
        "int_add": 9, "setp": 9, "vote": 9, "fp32_fma": 9, "conv": 9, "popc": 9,
        "mufu": 18, "shared_load": 24,
    },
}  # fmt: skip
"""What machine files say, of three generations.

Two machine instructions make a minimum on Volta, and a special function on Kepler.
"""


@pytest.mark.slow
@pytest.mark.one_in(3)
@pytest.mark.parametrize("machine", LATENCIES)
def test_latencies_come_back(machine):
    wanted = dict(LATENCIES[machine])
    found = latencies(runner(machine), OPERATIONS)
    check(found, {f"latency.{name}": value for name, value in wanted.items()})
    assert all(one.spread < 0.1 for one in found.findings)
    if "tensor_mma" not in wanted:
        reasons = {one.key: one.reason for one in found.missing}
        assert reasons["latency.tensor_mma"] == f"{machine} has no value for interval.tensor"


@pytest.mark.slow
def test_latencies_follow_what_is_altered():
    altered = {"setp": 11, "vote": 30, "conv": 5, "tensor_mma": 12, "shared_load": 40}
    changed = {f"latency.{name}": float(value) for name, value in altered.items()}
    check(latencies(runner(**changed), altered), changed)


def test_a_pipeline_adds_its_depth_to_what_chains_take():
    machine = load_machine("gtx480_gpgpusim")
    depth = float(machine.number("sm.pipeline_cycles"))
    wanted = float(machine.number("latency.int_add")) + depth
    found = latencies(ModelRunner(machine), ["int_add"])
    check(found, {"latency.int_add": wanted})


@pytest.mark.slow
def test_intervals_follow_what_is_altered():
    names = ("fp32_fma", "popc", "shuffle")
    changed = {"lanes.fp32": 32.0, "lanes.popc": 8.0, "lanes.shuffle": 16.0}
    found = intervals(runner(**changed, **{"sm.max_threads": 512}), names)
    lanes = {"interval.fp32": 4.0, "interval.shuffle": 8.0, "interval.sfu": 8.0}
    sm = {"sm.subpartitions": 4, "sm.schedulers": 4, "interval.ldst": 4.0, "interval.branch": 4.0}
    check(found, changed | lanes | sm | {"latency.branch": 4.0})
    (curve,) = (c for c in found.curves if c.name == "fp32_fma")
    assert [x for x, _ in curve.points] == [1, 2, 4, 8, 16]
    assert curve.points[-1][1] == pytest.approx(1.0, rel=0.02)  # 32 lanes


@pytest.mark.parametrize("machine", ["v100", pytest.param("rtx3070", marks=pytest.mark.slow)])
def test_integers_have_the_lanes_of_their_own_pipe(machine):
    """Additions and shifts go to either of two pipes since Volta; fp32 may have twice the lanes."""
    few = {"lanes.int_add": 32.0, "lanes.int_mul": 32.0, "lanes.int_shift": 32.0}
    names = ("int_add", "int_shift", "int_minmax")
    found = intervals(runner(machine, **few, **{"sm.max_threads": 512}), names)
    wanted = {"lanes.int_add": 32, "lanes.int_shift": 32, "interval.int_add": 4}
    check(found, wanted | {"lanes.compare": 64})
    hows = {one.key: one.how for one in found.findings}
    assert hows["lanes.int_shift"] == "independent chains of shl.b32, beside mad.lo.u32"
    assert "beside" not in hows["lanes.compare"]


class WithoutChains:
    """A GPU whose compiler has taken chains of some operations away: only loops are left."""

    launches = 0

    def __init__(self, *gone):
        self.target, self._gone = ModelRunner(load_machine("v100", SMALL)).target, gone

    def read(self, probes):
        return [self._reading(probe) for probe in probes]

    def _reading(self, probe):
        there = not any(name in probe.bench.name for name in self._gone)
        cycles = 100.0 + probe.turns * (8 + 4 * probe.bench.links * there)
        return Reading((cycles,), (cycles * 1e-9,))


@pytest.mark.parametrize(
    ("gone", "missing"),
    [("popc", {"latency.popc"}), ("fp32_fma", {"latency.fp32_fma", "latency.mufu", "latency.conv"}),
     ("setp", {"latency.setp", "latency.vote"})],
)  # fmt: skip
def test_chains_that_are_optimised_away_tell_nothing(gone, missing):
    found = latencies(WithoutChains(gone))
    reasons = {one.key: one.reason for one in found.missing}
    assert all("take no time, as if they were not there" in reasons[key] for key in missing)
    assert not missing & {one.key for one in found.findings}
    assert {one.key for one in found.findings} > {"latency.int_add", "latency.shared_load"}


def test_intervals_of_what_is_optimised_away_are_missing_too():
    one = intervals(WithoutChains("popc"))
    assert "lanes.popc" in {each.key for each in one.missing}
    assert "lanes.popc" not in {each.key for each in one.findings}
    assert "interval.fp32" in {each.key for each in one.findings}
    none = intervals(WithoutChains("mufu"))  # by which sub-partitions are counted
    assert none.findings == ()
    assert {"interval.fp32", "lanes.popc"} <= {each.key for each in none.missing}


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("machine", "lanes", "bound"),
    [("v100", 16.0, None), ("v100", 8.0, None), ("a100", 32.0, None), ("tesla_k40", 128.0, "least"),
     ("gtx980", 64.0, "least")],
)  # fmt: skip
def test_barriers_come_back(machine, lanes, bound):
    """As many threads a cycle as the SM counts, where it issues barriers faster than that."""
    issue = FittedNumber(0.25, 0.0)
    (found,) = barriers(runner(machine, **{"lanes.barrier": lanes}), issue).findings
    assert found.value == pytest.approx(lanes, rel=0.02)
    assert (found.bound, found.key) == (bound, "lanes.barrier")


@pytest.mark.slow
def test_before_volta_integers_have_one_pipe():
    found = intervals(runner("gtx980", **{"sm.max_threads": 512}), ("int_shift",))
    check(found, {"lanes.int_shift": 64})
    assert not any("beside" in one.how for one in found.findings)


@pytest.mark.slow
def test_loops_fit_into_the_instruction_cache():
    """One of 2 KiB, where a warp that waits for its code looks like a slow pipe or scheduler."""
    machine = load_machine("gtx480_gpgpusim", {"sm.max_threads": 256})
    found = intervals(ModelRunner(machine), ("popc", "fp64_fma"))
    check(found, {"sm.subpartitions": 1, "sm.schedulers": 2, "lanes.popc": 32, "interval.fp64": 8})


@pytest.mark.slow
def test_an_interval_that_issue_hides_is_a_bound():
    found = {f.key: f for f in intervals(runner("tesla_k40", **{"sm.max_threads": 1024}),
                                         ("fp32_fma",)).findings}  # fmt: skip
    assert found["interval.fp32"].bound == "most"
    assert found["lanes.fp32"].bound == "least"
    assert found["sm.subpartitions"].value == 1


BASE = {
    "l1.size_bytes": 16384, "l1.ways": 16, "l1.sets": 8, "l1.line_bytes": 128,
    "l1.sector_bytes": 32, "l1.latency": 28, "l1.caches_global": 1, "l2.size_bytes": 393216,
    "l2.line_bytes": 128, "l2.latency": 212, "dram.latency": 425,
}  # fmt: skip
CACHES = {
    "as it is": ({}, {}),
    "latencies": ({"l1.latency": 56.0, "l2.latency": 260.0, "dram.latency": 600.0},) * 2,
    "sizes": (
        {"l1.size_bytes": 32768, "l1.unified_bytes": 32768, "l2.size_bytes": 196608},
        {"l1.size_bytes": 32768, "l1.sets": 16, "l2.size_bytes": 196608},
    ),
    "ways": ({"l1.ways": 4, "l2.ways": 8}, {"l1.ways": 4, "l1.sets": 32, "l2.ways": 8}),
    "lines": (
        {"l1.line_bytes": 64, "l1.sector_bytes": 64},
        {"l1.line_bytes": 64, "l1.sector_bytes": 64, "l1.sets": 16},
    ),
}
"""Settings, and the values beside ``BASE`` that have to be found."""


@pytest.mark.slow
@pytest.mark.one_in(5)
@pytest.mark.parametrize("case", CACHES)
def test_caches_follow_what_is_altered(case):
    settings, wanted = CACHES[case]
    check(data_caches(runner(**settings), 1 << 20), BASE | wanted)


@pytest.mark.slow
def test_a_machine_whose_loads_pass_l1_by_has_l2_alone():
    settings = {"l2.size_bytes": 131072, "l2.latency": 250.0, "dram.latency": 379.0}
    found = data_caches(runner("gtx980", **settings), 1 << 19)
    check(found, {"l2.size_bytes": 131072, "l2.latency": 250, "dram.latency": 379})
    values = {f.key: f.value for f in found.findings}
    assert values["l2.ways"] == pytest.approx(8, rel=0.1)  # few lines, not evenly dealt to slices
    assert {f.key: f.value for f in found.findings}["l1.caches_global"] == 0
    assert "l1.latency" in {m.key for m in found.missing}
    assert not any(f.key == "l1.latency" for f in found.findings)


@pytest.mark.slow
def test_what_ctas_reserve_bounds_l1():
    """Up to 32 CTAs of 1 KiB each leave half of 64 KiB to chases, of which a CTA is resident."""
    settings = {"l1.size_bytes": 65536, "l1.unified_bytes": 65536, "l1.ways": 16}
    found = {f.key: f for f in data_caches(runner("a100", **settings), 1 << 18).findings}
    assert found["l1.size_bytes"].value == pytest.approx(32768)
    assert found["l1.size_bytes"].bound == found["l1.sets"].bound == "least"
    assert found["l1.ways"].bound is None


def test_warps_of_other_machines_are_refused():
    with pytest.raises(UsageError, match="mi100 has warps of 64 lanes"):
        ModelRunner(load_machine("mi100"))


def test_constants_follow_what_is_altered():
    settings = {
        "const.l1_bytes": 1024, "const.ways": 4, "const.line_bytes": 64, "const.l1_latency": 40.0,
    }  # fmt: skip
    check(constant_cache(runner(**settings)), settings)


@pytest.mark.slow
def test_texels_follow_what_is_altered():
    texels = {"tex.l1_bytes": 4096, "tex.ways": 8, "tex.line_bytes": 64, "tex.latency": 100.0}
    check(texture_cache(runner(**texels)), texels)


def test_constants_that_never_miss_have_a_reason():
    found = constant_cache(runner(**{"const.l1_bytes": 1 << 17}))
    assert found.findings == ()
    assert {m.key for m in found.missing} >= {"const.l1_bytes", "const.ways"}
    assert "65536 B" in found.missing[0].reason


@pytest.mark.slow
def test_the_instruction_cache_follows_what_is_altered():
    settings = {"icache.l1_bytes": 16384, "icache.ways": 4}
    check(code_cache(runner(**settings), 8192, 32768), settings)


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("banks", "width", "ports", "lanes"),
    [
        (32, 4, 1, 32),
        (16, 4, 1, 32),
        (32, 8, 1, 32),
        (16, 8, 1, 32),
        (32, 4, 2, 32),
        (32, 4, 1, 16),
    ],
)
def test_banks_follow_what_is_altered(banks, width, ports, lanes):
    """Also where two words a bank take no longer than none do, as the pipe is held for as long."""
    wanted = {"shared.banks": banks, "shared.bank_width_bytes": width, "shared.ports": ports}
    found = bank_conflicts(runner(**wanted, **{"lanes.ldst": lanes}))
    assert {f.key: f.value for f in found.findings} == wanted


def test_a_load_takes_longer_the_further_its_lanes_lie_apart():
    (curve,) = coalescing(runner()).curves
    costs = dict(curve.points)
    assert costs[16.0] < costs[32.0] < costs[64.0] * 1.01
    assert costs[32.0] == pytest.approx(2 * costs[16.0], rel=0.1)  # 32 sectors, not 16


def test_atomics_and_ctas_follow_what_is_altered():
    check(atomics(runner(**{"l2.atomic_cycles": 3.0})), {"l2.atomic_cycles": 3.0})
    check(launching(runner(**{"launch.blocks_per_clk": 0.125})), {"launch.blocks_per_clk": 0.125})


@pytest.mark.slow
@pytest.mark.parametrize(("machine", "rate"), [("v100", 1.0), ("minibench_8sm", None)])
def test_ctas_that_the_sms_end_no_faster_are_a_bound(machine, rate):
    """Eight SMs of eight CTAs that take some tens of cycles each end fewer than 8 a cycle."""
    (finding,) = launching(ModelRunner(load_machine(machine))).findings
    assert finding.bound == (None if rate else "least")
    assert finding.value == pytest.approx(rate) if rate else 1.0 < finding.value < 8.0


@pytest.mark.slow
@pytest.mark.parametrize(("lanes", "bound"), [(16.0, "least"), (64.0, None)])
def test_what_pipes_keep_schedulers_from_is_a_bound(lanes, bound):
    """Two pipes of 16 lanes take an instruction of a scheduler in four cycles, or so."""
    few = {"lanes.fp32": lanes, "lanes.int_logic": lanes, "lanes.int_add": lanes}
    machine = runner(**few, **{"sm.max_threads": 256})
    found = {f.key: f for f in intervals(machine, ("fp32_fma", "int_logic")).findings}
    assert found["sm.issue_per_scheduler"].bound == bound
    assert found["sm.issue_per_scheduler"].value == pytest.approx(lanes / 64, rel=0.05)


WIDE = {"l1.size_bytes": 65536, "l1.unified_bytes": 65536, "l2.size_bytes": 1 << 20}
"""Caches that hold streams of many warps."""


def test_bandwidths_follow_what_is_altered():
    halved = {"dram.bandwidth_gbs": 28.125, "icnt.bytes_per_clk_per_sm": 16.0}
    less = bandwidths(runner(**WIDE, **halved, **{"l1.bytes_per_clk": 64.0}), 1 << 20, 65536.0)
    check(less, halved | {"l1.bytes_per_clk": 64})
    (l2,) = (f for f in less.findings if f.key == "l2.bytes_per_clk")
    assert l2.bound == "least"  # two ports carry no more than 32 B a cycle
    assert [one.name for one in less.others] == ["copy in DRAM, read and written"]


@pytest.mark.slow
def test_results_do_not_depend_on_processes():
    one, two = (
        ModelRunner(load_machine("v100", SMALL), workers) for workers in (1, 2)
    )  # fmt: skip
    found = [latencies(each, ["int_add"]) for each in (one, two)]
    assert found[0] == found[1]
    assert one.launches == two.launches > 0
