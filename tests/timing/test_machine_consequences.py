"""What settings of a machine bring with them is told: what follows, and what no longer fits."""

from __future__ import annotations

import pytest

from warpmill.cli.main import main
from warpmill.simulator.machines import load_machine, machine_names
from warpmill.simulator.machines.compare import (
    AT_MOST,
    announced_for_another,
    contradictions,
    followers,
)

SHORTER_THAN_ITS_L2 = {("quadro_fx5800_gpgpusim", "l2.latency", "dram.latency")}
"""A configuration whose latencies follow from its parts, and L2 is not there."""


def told(name, **settings):
    own = {key.replace("__", "."): value for key, value in settings.items()}
    machine, base = load_machine(name, own), load_machine(name)
    return [d.message for d in contradictions(machine, base)]


def test_no_machine_contradicts_itself():
    found = set()
    for name in machine_names():
        machine = load_machine(name)
        for low, high in AT_MOST:
            values = [machine.get(key) for key in (low, high)]
            if all(values) and all(v.value for v in values) and values[0].value > values[1].value:
                found.add((name, low, high))
    assert found == SHORTER_THAN_ITS_L2


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"interval__fp32": 0.5}, "interval.fp32 = 0.5, but machine.warp_size"),
        ({"sm__max_warps": 128}, "sm.max_warps = 128, but sm.max_threads"),
        ({"l2__latency": 800.0}, "l2.latency = 800 is more than dram.latency = 550"),
        ({"l1__latency": 300.0}, "l1.latency = 300 is more than l2.latency"),
        ({"clock__sm_mhz": 2820.0}, "dram.latency stays 550 cycles, which are 195 ns and were 390"),
        ({"dram__measured_gbs": 3000.0}, "dram.measured_gbs = 3000 is more than"),
        ({"shared__per_sm_bytes": 330000}, "shared.per_sm_bytes = 330000 is more than"),
        ({"reg__per_block": 131072}, "reg.per_block = 131072 is more than reg.per_sm = 65536"),
    ],
)
def test_what_does_not_fit_is_told(settings, words):
    (message,) = told("a100", **settings)
    assert message.startswith(words)


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"sm__count": 216},
        {"dram__bus_bits": 10240},
        {"lanes__fp32": 128.0},
        {"sm__max_threads": 4096},
        {"l2__latency": 800.0, "dram__latency": 1200.0},
        {"clock__sm_mhz": 2820.0, "dram__latency": 1100.0},
        {"sm__max_threads": 4096, "sm__max_warps": 128},
    ],
)
def test_nothing_is_told_where_all_fits(settings):
    assert told("a100", **settings) == []


def test_values_that_follow_are_told_with_both_numbers():
    given = load_machine("a100", {"dram.bus_bits": 10240})
    words = [d.message for d in followers(given, load_machine("a100"))]
    assert "dram.channels follows: 40 → 80" in words
    assert "l2.slices follows: 160 → 320" in words


@pytest.mark.parametrize(
    ("settings", "keys"),
    [
        ({"sm.count": 50}, ["peak.fp32_tflops", "peak.fp64_tflops"]),
        ({"lanes.fp64": 16.0}, ["peak.fp64_tflops"]),
        ({"clock.mem_gtps": 3.0}, ["peak.dram_gbs"]),
        ({"clock.mem_gtps": 3.0, "peak.dram_gbs": 1920.0}, []),
        ({"l1.latency": 50.0}, []),
    ],
)
def test_announced_rates_that_settings_do_not_hold_for_are_named(settings, keys, capsys):
    given = load_machine("a100", settings)
    words = [d.message for d in announced_for_another(given, load_machine("a100"))]
    assert [w.split()[0] for w in words] == keys
    sets = [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
    for command in (["new", "w", "--from", "a100"], ["show", "a100"]):
        assert main(["machines", *command, *sets]) == 0
        said = capsys.readouterr().err
        assert [k for k in PEAKS if f"note: {k} = " in said] == keys


PEAKS = ("peak.fp32_tflops", "peak.fp64_tflops", "peak.dram_gbs")


def test_commands_tell_it_beside_their_output(capsys, tmp_path):
    assert main(["machines", "new", "w", "--from", "a100", "--set", "l2.latency=800"]) == 0
    said = capsys.readouterr().err
    assert "warning: l2.latency = 800 is more than dram.latency = 550" in said
    assert "note: l2.latency_far follows:" in said
    words = ["estimate", "samples/vecadd/launch.toml", "-m", "a100", "--set", "l2.latency=800"]
    assert main(words) == 0
    assert "a100: l2.latency = 800 is more than dram.latency" in capsys.readouterr().err
