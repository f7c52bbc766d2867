"""Space files: those that ship, machines of points, block concurrency, and what is refused."""

import json
import random
from pathlib import Path

import pytest

from tests.sampling.exploring_parts import SMALL, VECADD, small
from tests.sampling.regression_surfaces import TABLE_2
from warpmill.analyzer.base.diagnostics import InputError, UsageError
from warpmill.exploring.concurrency import Footprint, concurrency_settings
from warpmill.exploring.evaluation import simulated
from warpmill.exploring.machine_checks import problem_of
from warpmill.exploring.points import ExplorationConfig
from warpmill.exploring.space_file import shipped_spaces, space_called
from warpmill.exploring.workloads import LoadedWorkload
from warpmill.simulator.machines import load_machine
from warpmill.simulator.machines.compare import new_machine_text
from warpmill.simulator.occupancy import occupancy
from warpmill.simulator.regression.draws import draw


def test_stargazers_space_is_table_2_on_table_3():
    space = space_called("stargazer")
    assert {p.name: p.parameter.values for p in space.parameters} == TABLE_2
    assert space.design.count == 933_120
    fixed = space.fixed
    assert [fixed[k].value for k in ("sm.count", "clock.sm_mhz", "l1.size_bytes", "l2.size_bytes",
            "icnt.topology", "icnt.flit_bytes", "dram.channels", "dram.chips_per_channel",
            "clock.mem_mhz", "dram.type")] == [
        30, 325.0, 0, 0, "butterfly", 32, 8, 2, 800.0, "GDDR3",
    ]  # fmt: skip
    point = {"#blk": 4, "c$": 2, "t$": 16, "smp": 8, "ccp": 1, "simd": 16, "mshr": 3,
             "dramq": 64, "intra": 2, "inter": 6}  # fmt: skip
    machine = space.machine(point)
    keys = ("const.l1_bytes", "tex.l1_bytes", "shared.ports", "const.ports", "mshr.per_thread",
            "dram.queue", "coalesce.intra", "coalesce.inter", "sm.simd_width",
            "interval.fp32")  # fmt: skip
    assert [machine[k].value for k in keys] == [2048, 16384, 8, 1, 3, 64, 2, 6, 16.0, 2.0]


def test_the_modern_space_has_over_a_million_machines_and_its_base_among_them():
    space = space_called("modern")
    assert space.design.count > 1_000_000
    point = {"sms": 108, "clock": 1410, "schedulers": 4, "threads": 2048, "registers": 65536,
             "l1": 192, "l2": 1024, "channels": 40, "memclock": 1215}  # fmt: skip
    machine, base = space.machine(point), load_machine("a100")
    assert [k for k, v in machine.values if v.value != base[k].value] == []
    wide = space.machine({**point, "channels": 64, "memclock": 2000})
    assert wide.number("dram.bandwidth_gbs") == pytest.approx(64 * 128 / 8 * 4)
    assert wide.number("dram.bytes_per_clk_per_channel") == pytest.approx(32)


@pytest.mark.parametrize("name", shipped_spaces())
def test_machines_of_drawn_points_can_all_be_simulated(name):
    space = space_called(name)
    assert [p for p in draw(space.design, 40, seed=7) if problem_of(space, p)] == []


BASES = ("quadro_fx5800_gpgpusim", "gtx480_gpgpusim", "a100", "p100", "qv100_accelsim")


@pytest.mark.one_in(3)
@pytest.mark.parametrize("base", BASES)
def test_so_many_ctas_of_every_kernel_reside_as_concurrency_asks_for(base):
    rng, machine = random.Random(base), load_machine(base)
    most_threads = machine.integer("sm.max_threads_per_block")
    most_shared = machine.integer("shared.per_block_bytes") - 1024
    for _ in range(60):
        kernels = [
            Footprint(rng.randint(1, most_threads), rng.randint(0, 24), rng.randint(0, most_shared))
            for _ in range(rng.randint(1, 4))
        ]
        ctas = rng.choice((1, 2, 3, 4, 8, 16, 31))
        made = load_machine(base, concurrency_settings(machine, ctas, kernels))
        for one in kernels:
            alone = occupancy(machine, one.threads, one.registers, one.shared_bytes)
            fit = occupancy(made, one.threads, one.registers, one.shared_bytes)
            assert fit.ctas_per_sm == (ctas if alone.ctas_per_sm else 0), (one, alone.notes)


def test_concurrency_takes_nothing_away_and_no_more_than_is_needed():
    machine = load_machine("quadro_fx5800_gpgpusim")
    own = concurrency_settings(machine, 1, [Footprint(64, 8, 256)])
    assert own == {"sm.max_blocks": 1, "sm.max_threads": 1024, "reg.per_sm": 16384,
                   "shared.per_sm_bytes": 16384}  # fmt: skip
    more = concurrency_settings(machine, 16, [Footprint(500, 20, 3000), Footprint(64, 8, 0)])
    assert more == {"sm.max_blocks": 16, "sm.max_threads": 16 * 512, "reg.per_sm": 16 * 10240,
                    "shared.per_sm_bytes": 16 * 3072}  # fmt: skip


def test_simulations_have_that_concurrency():
    space, ready = small(), LoadedWorkload.ready(VECADD)
    kernels = ready.footprints(space.fixed)
    times = {}
    for ctas in (1, 8):
        point = {"#blk": ctas, "simd": 32, "smp": 1, "flit": 32}
        done = simulated(ready.jobs, space.machine(point, kernels), ExplorationConfig())
        assert done.facts["ctas_per_sm"] == [ctas]
        times[ctas] = done.figures["cycles"]
    assert times[8] < times[1]


WRONG = json.loads(Path(__file__).with_name("wrong_spaces.json").read_text("utf-8"))


@pytest.mark.one_in(12)
@pytest.mark.parametrize("wrong", WRONG, ids=[what for what, *_ in WRONG])
def test_what_is_wrong_in_a_file_is_said_where_it_stands(wrong, tmp_path):
    _, text, line, column, words = wrong
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        space_called(path)
    (first, *_) = caught.value.diagnostics
    assert words in first.message
    assert (first.file, first.span.line, first.span.column) == (str(path), line, column)


def test_other_names_are_refused(tmp_path):
    with pytest.raises(UsageError, match="there is no space `stargazr`") as caught:
        space_called("stargazr")
    assert "stargazer" in str(caught.value)
    with pytest.raises(InputError, match="cannot read"):
        space_called(tmp_path / "none.toml")


def test_a_base_may_be_a_file_beside_the_space(tmp_path, monkeypatch):
    text = new_machine_text("quadro_fx5800_gpgpusim", {"shared.banks": 8}, "own")
    (tmp_path / "own.toml").write_text(text)
    (tmp_path / "space.toml").write_text(SMALL.replace("quadro_fx5800_gpgpusim", "own.toml"))
    assert space_called(tmp_path / "space.toml").fixed.integer("shared.banks") == 8
    monkeypatch.chdir(tmp_path)
    assert space_called("space.toml").fixed.integer("shared.banks") == 8
