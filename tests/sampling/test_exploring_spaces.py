"""Space files: those that ship, machines of points, block concurrency, and what is refused."""

import random

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


HEAD = 'schema = 1\nbase = "a100"\n'
SMS = '[parameters.sms]\nvalues = [54, 108]\nkey = "sm.count"\n'
WRONG = {
    "no TOML": ("schema = ", 1, 9, "invalid value"),
    "no schema": ('base = "a100"\n' + SMS, 1, 1, "`schema` is missing"),
    "other schema": ('schema = 2\nbase = "a100"\n' + SMS, 1, 10, "must be 1"),
    "no such machine": ('schema = 1\nbase = "a1000"\n' + SMS, 2, 8, "there is no machine `a1000`"),
    "no parameters": (HEAD, 1, 1, "`parameters` is missing"),
    "unknown key": (HEAD + SMS + "kye = 1\n", 6, 1, "unknown key `kye`"),
    "no such machine key": (HEAD + SMS.replace("sm.count", "sm.cuont"), 5, 7,
                            "there is no machine key `sm.cuont`"),
    "a constant's key": (HEAD + '[set]\n"sm.kount" = 3\n' + SMS, 4, 1, "there is no machine key"),
    "a constant's value": (HEAD + '[set]\n"sm.count" = 0\n' + SMS, 4, 14, "sm.count is 1 to 4096"),
    "not realised": (HEAD + "[parameters.sms]\nvalues = [54]\n", 3, 13, "needs one of key, set"),
    "realised twice": (HEAD + SMS + 'realise = "simd"\n', 3, 13, "not key and realise"),
    "no such way": (HEAD + '[parameters.x]\nvalues = [1]\nrealise = "simt"\n', 5, 11,
                    "must be 'concurrency' or 'simd'"),
    "no values": (HEAD + SMS.replace("54, 108", ""), 4, 10, "must have 1 or more elements"),
    "a value twice": (HEAD + SMS.replace("108", "54"), 4, 10, "has a value twice"),
    "a value that no machine has": (HEAD + SMS.replace("108", "5000"), 4, 15,
                                    "sm.count is 1 to 4096 SMs, not 5000"),
    "a value of another type": (HEAD + SMS.replace("108", "108.5"), 4, 15,
                                "sm.count is a whole number"),
    "no fraction of an SM": (HEAD + '[parameters.x]\nvalues = [2, 3]\n'
                             'set = { "sm.count" = "x / 2" }\n', 4, 14, "is a whole number"),
    "no expression": (HEAD + '[parameters.x]\nvalues = [2]\nset = { "sm.count" = "4 + * x" }\n',
                      5, 27, "does not belong here"),
    "an unknown name": (HEAD + '[parameters.x]\nvalues = [2]\nset = { "sm.count" = "4 * y" }\n',
                        5, 27, "`y` is not defined"),
    "a formula of words": (HEAD + '[parameters.x]\nvalues = [2]\n'
                           'set = { "scheduler.policy" = "gto" }\n', 5, 9, "is no number"),
    "set twice": (HEAD + SMS + '[parameters.x]\nvalues = [2]\nkey = "sm.count"\n', 8, 7,
                  "sm.count is set by sms already"),
    "set as a constant too": (HEAD + '[set]\n"sm.count" = 4\n' + SMS, 7, 7, "set by [set] already"),
    "logarithms of words": (HEAD + '[parameters.x]\nvalues = ["gto"]\nkey = "scheduler.policy"\n'
                            "log2 = true\n", 4, 10, "log2 needs numbers"),
    "no condition": ('schema = 1\nbase = "a100"\nwhere = ["sms > 1", "sms"]\n' + SMS, 3, 21,
                     "is no comparison"),
    "nothing is left": ('schema = 1\nbase = "a100"\nwhere = ["sms > 200"]\n' + SMS, 3, 10,
                        "sms > 200"),
    "a value that nothing has": ('schema = 1\nbase = "a100"\nwhere = ["sms > 60"]\n' + SMS, 5, 11,
                                 "no point that meets the conditions"),
    "sets of a cache": (HEAD + '[parameters.x]\nvalues = [256, 1000]\n'
                        'set = { "l1.size_bytes" = "1000 * x" }\n', 4, 11, "l1.sets"),
}  # fmt: skip


@pytest.mark.parametrize("what", WRONG)
def test_what_is_wrong_in_a_file_is_said_where_it_stands(what, tmp_path):
    text, line, column, words = WRONG[what]
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
