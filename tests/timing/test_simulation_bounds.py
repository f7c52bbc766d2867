"""What simulations come out with against what a machine can do: rates, factors and latencies."""

from dataclasses import replace

import pytest

from tests.timing.machine_kernels import Case, simulated
from warpmill.simulator.machines import load_machine

HARDWARE = ("v100", "a100", "h100_sxm", "gtx980", "gtx480", "mi100")
MACHINES = (
    "v100",
    "a100",
    "h100_sxm",
    "qv100_accelsim",
    "gtx480_gpgpusim",
    "quadro_fx5800_gpgpusim",
)
QUIET = {"icache.miss_latency": 0.0, "machine.warp_size": 32}
"""The code is there before it is asked for, and is of warps that the machine has."""


def _part_of(name, parts):
    """Settings that make a machine one of so many equal parts of itself."""
    machine = load_machine(name)
    settings = dict(QUIET)
    for key in ("sm.count", "dram.channels", "l2.slices", "l2.size_bytes"):
        settings[key] = max(machine.integer(key) // parts, int(machine.integer(key) > 0))
    share = settings["dram.channels"] / machine.integer("dram.channels")
    for key in ("dram.bandwidth_gbs", "l2.bytes_per_clk"):
        settings[key] = float(machine.number(key)) * share
    # pure streams, as the rule has it, not what some program was measured to reach
    settings["dram.measured_gbs"] = 0.95 * settings["dram.bandwidth_gbs"]
    return settings


def _streaming(sms, rounds, body):
    """A kernel of which each thread reads four times 16 bytes, a warp a row of them."""
    before = (
        "mul.wide.u32 %rd5, %r3, 16384; add.u64 %rd6, %rd1, %rd5;"
        "mul.wide.u32 %rd5, %r2, 16; add.u64 %rd6, %rd6, %rd5;"
    )
    ctas = rounds * sms
    lines = "\n".join(body.replace("@", str(4096 * k)) for k in range(4))
    return Case(lines, before=before, grid=ctas, block=256, words=2 * ctas * 4096)


READ = "ld.global.v4.u32 {%r8,%r9,%r10,%r11}, [%rd6+@];"
COPY = READ + "st.global.v4.u32 [%rd6+@+OTHER], {%r8,%r9,%r10,%r11};"


def _steady_share(result, bandwidth_gbs):
    """DRAM's rate over the middle half of the time, as a share of what it can be."""
    rate = _middle(result, result.timeline.dram_sectors)
    return rate * result.sector_bytes * result.clock_mhz / 1e3 / bandwidth_gbs


def _middle(result, counts):
    """How much was counted a cycle over the middle half of the time."""
    bins = round(result.cycles) // result.timeline.bin_cycles
    return counts[bins // 4 : 3 * bins // 4].mean() / result.timeline.bin_cycles


# the least share of DRAM's bandwidth that a streaming read has to come to; see docs/machines.md
READS = {
    "v100": (8, 0.9),
    "a100": (4, 0.9),
    "h100_sxm": (4, 0.9),
    "b200": (4, 0.9),
    "qv100_accelsim": (8, 0.9),
    "gtx980": (2, 0.9),
    "gtx480": (1, 0.9),
    "gtx480_gpgpusim": (1, 0.9),
    "quadro_fx5800_gpgpusim": (1, 0.6),
}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", READS)
def test_streaming_read_comes_near_the_bandwidth_of_dram(name):
    parts, least = READS[name]
    settings = _part_of(name, parts)
    sms = settings["sm.count"]
    result = simulated(_streaming(sms, 96 // sms * 4, READ), name, settings)
    share = _steady_share(result, settings["dram.bandwidth_gbs"])
    assert least < share <= 1.0
    assert result.dram.busy_fraction <= 1.0


# of a V100 0.9 was measured; turns by dram.timing alone leave 0.87 of this model's rate, and what
# dram.mixed_efficiency says comes on top (docs/deviations.md)
@pytest.mark.parametrize(("name", "least"), [("v100", 0.8), ("quadro_fx5800_gpgpusim", 0.55)])
def test_streaming_copy_stays_below_the_bandwidth_of_dram(name, least):
    settings = _part_of(name, 8) | {"l2.size_bytes": 98304 if name == "v100" else 0}
    sms = settings["sm.count"]
    kernel = _streaming(sms, 96 // sms * 4, COPY.replace("OTHER", str(96 // sms * 4 * sms * 16384)))
    result = simulated(kernel, name, settings)
    share = _steady_share(result, settings["dram.bandwidth_gbs"])
    assert least < share <= 1.0


# the least share of the rate of L2, or of the ports of SMs, that a read comes to which L2 holds
L2_READS = {"v100": 0.75, "a100": 0.95, "h100_sxm": 0.9, "mi100": 0.9, "qv100_accelsim": 0.55}


@pytest.mark.parametrize("name", L2_READS)
def test_read_that_l2_holds_comes_near_the_bandwidth_of_l2(name):
    settings = _part_of(name, 8) | {"l1.caches_global": False}
    machine = load_machine(name, settings)
    sms, size = settings["sm.count"], settings["l2.size_bytes"]
    result = simulated(_rereading(sms, size // 3 // 16384), name, settings, l2="warm")
    assert result.dram.reads == 0
    rate = _middle(result, result.timeline.l2_sectors) * result.sector_bytes
    ports = sms * float(machine.number("icnt.bytes_per_clk_per_sm"))
    share = rate / min(float(machine.number("l2.bytes_per_clk")), ports)
    assert L2_READS[name] < share <= 1.0


def _rereading(sms, different):
    """A kernel as ``_streaming`` of which so many CTAs read different data."""
    kernel = _streaming(sms, 24, READ)
    turn = f"rem.u32 %r20, %r3, {different}; mul.wide.u32 %rd5, %r20,"
    before = kernel.before.replace("mul.wide.u32 %rd5, %r3,", turn)
    return replace(kernel, before=before, words=different * 4096)


def _more(body, name, settings, warps, **more):
    """Simulate a loop of two lengths on one SM; gives cycles and thread instructions between."""
    few, many = (
        simulated(Case(body, turns=turns, block=32 * warps, **more), name, settings)
        for turns in (8, 24)
    )
    return many.cycles - few.cycles, many.thread_instructions - few.thread_instructions


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", MACHINES)
def test_independent_multiply_adds_reach_the_peak(name):
    machine = load_machine(name)
    body = "\n".join(f"fma.rn.f32 %f1{k}, %f1{k}, %f1, %f1;" for k in range(8))
    cycles, threads = _more(body, name, QUIET | {"sm.count": 1}, 16, unroll=32)
    flops = threads * 256 / 259 / cycles  # three of the loop's own
    share = flops / float(machine.number("lanes.fp32"))
    assert 0.95 < share <= 1.0


@pytest.mark.parametrize("name", MACHINES)
def test_issue_is_one_a_cycle_for_each_scheduler(name):
    machine = load_machine(name)
    body = "\n".join(
        f"fma.rn.f32 %f1{k}, %f1{k}, %f1, %f1; add.u32 %r1{k}, %r1{k}, %r2;" for k in range(4)
    )
    cycles, threads = _more(body, name, QUIET | {"sm.count": 1}, 16, unroll=16)
    rate = threads / 32 / cycles
    most = machine.integer("sm.schedulers") * float(machine.number("sm.issue_per_scheduler"))
    assert 0.9 < rate / most <= 1.0


@pytest.mark.one_in(12)
@pytest.mark.parametrize("name", MACHINES)
@pytest.mark.parametrize("factor", [2, 4, 8, 32])
def test_bank_conflicts_take_their_factor(name, factor):
    machine = load_machine(name)
    banks, ports = machine.integer("shared.banks"), float(machine.number("shared.ports"))
    settings = QUIET | {"sm.count": 1}
    free, held = (simulated(_shared(stride), name, settings) for stride in (1, factor))
    groups = 32 // banks  # of lanes that memory serves one after the other
    assert free.shared_wavefronts == -(-groups // ports) * free.shared_requests
    assert held.shared_wavefronts == groups * min(factor, banks) // ports * held.shared_requests
    assert free.bank_conflicts == (groups - 1) * free.shared_requests
    # nothing waits for the last access, whose warp ends when the unit has taken it up
    last = held.shared_wavefronts // held.shared_requests
    assert held.shared_wavefronts - last < held.cycles < 1.05 * held.shared_wavefronts + 300


def _shared(words):
    """A kernel of 16 warps whose lanes load shared words so far apart."""
    body = "\n".join(f"ld.shared.u32 %r1{k}, [%r21];" for k in range(4))
    before = (
        f"mov.u32 %r20, s; and.b32 %r21, %r2, 31; mul.lo.u32 %r21, %r21, {4 * words};"
        "add.u32 %r21, %r21, %r20;"
    )
    return Case(body, turns=8, unroll=4, block=512, shared_bytes=4096, before=before)


CHASE = Case("ld.global.u64 %rd6, [%rd6];", turns=2, before="mov.u64 %rd6, %rd1;")
"""A warp that follows pointers."""


def _hop(name, kernels, settings=None, *, l2="cold"):
    """The cycles from load to load, from two kernels of which one has more, and its result."""
    settings = QUIET | {"sm.count": 1} | (settings or {})
    few, many = (simulated(kernel, name, settings, l2=l2) for kernel in kernels)
    hops = [kernel.turns * kernel.unroll for kernel in kernels]
    return (many.cycles - few.cycles) / (hops[1] - hops[0]), many


def _chases(words, step):
    """Chases over new lines only."""
    return [replace(CHASE, unroll=n, words=words, chase=step) for n in (8, 24)]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", HARDWARE)
def test_pointer_chase_takes_the_latencies_of_the_machine(name):
    machine = load_machine(name)
    if machine.flag("l1.caches_global"):
        # eight lines, from the second turn on in L1; a loop's own instructions hide behind loads
        rounds = [replace(CHASE, turns=n, unroll=32, words=256, chase=128) for n in (3, 5)]
        found, _ = _hop(name, rounds)
        assert found == pytest.approx(float(machine.number("l1.latency")), rel=0.02)
    found, _ = _hop(name, _chases(1 << 16, 2048 + 128), l2="warm")
    assert found == pytest.approx(float(machine.number("l2.latency")), rel=0.005)
    found, result = _hop(name, _chases(1 << 20, (1 << 16) + 256 + 128))
    assert result.dram.row_hits == 0
    assert found == pytest.approx(float(machine.number("dram.latency")), rel=0.01)


@pytest.mark.parametrize("name", ["v100", "a100", "h100_sxm"])
def test_chase_through_rows_that_others_left_open_takes_a_precharge_more(name):
    """All rows of one bank: each load closes the row of the one before."""
    settings = {"dram.banks": 1, "dram.channels": 1, "l2.slices": 1, "l2.hash": "linear"}
    machine = load_machine(name)
    settings |= {
        "dram.bytes_per_clk_per_channel": 32.0,
        "l2.bytes_per_clk": 32.0,
        "l2.size_bytes": 1 << 18,
    }
    found, result = _hop(name, _chases(1 << 20, 1 << 15), settings)
    assert result.dram.row_hits == 0
    clock = float(machine.number("clock.sm_mhz")) / float(machine.number("clock.mem_mhz"))
    more = clock * float(machine.number("dram.timing.rp"))
    assert found == pytest.approx(float(machine.number("dram.latency")) + more, rel=0.02)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", MACHINES)
def test_barriers_of_one_warp_take_their_latency(name):
    machine = load_machine(name)
    few, many = (
        simulated(Case("bar.sync 0;", turns=2, unroll=u), name, QUIET | {"sm.count": 1}).cycles
        for u in (32, 64)
    )
    keys = ("latency.barrier", "interval.branch")
    expected = max(1.0, *(float(machine.number(key)) for key in keys))
    assert (many - few) / 64 == pytest.approx(expected, abs=1.0)
