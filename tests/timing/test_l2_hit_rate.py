"""The L2 hit rate is what Nsight Compute's is: stores always hit. Both engines, by hand.

vecadd reads two arrays and writes a third, each sector once; with an empty L2 both reads miss.
"""

from __future__ import annotations

import contextlib
import io
import json
from pathlib import Path

import pytest

from warpmill.cli.main import main

VECADD = str(Path(__file__).parents[2] / "samples/vecadd/launch.toml")
N = 65_536
STREAM = N * 4


def told(command, machine):
    """What a command says of vecadd on a machine, in JSON."""
    written = io.StringIO()
    words = ["--size", f"n={N}", "--machine", machine, "--format", "json"]
    with contextlib.redirect_stdout(written):
        assert main([command, VECADD, *words]) == 0
    found = json.loads(written.getvalue())
    if command == "estimate":
        return found["launches"][0]["estimates"][0]
    return found["simulations"][0]["result"]


def test_an_estimate_counts_stores_as_hits():
    found = told("estimate", "a100")
    assert found["l2_hit_fraction"] == pytest.approx(1 / 3)
    by_region = {
        t["region"]: (t["l2_hit_fraction"], t["l2_missed_bytes"]) for t in found["traffic"]
    }
    assert sorted(by_region.values()) == [(0.0, STREAM), (0.0, STREAM), (1.0, 0.0)]


def test_a_simulation_counts_stores_as_hits():
    found = told("simulate", "a100")
    assert found["l2_hit_fraction"] == pytest.approx(1 / 3)
    (l2,) = [c for c in found["caches"] if c["level"] == "l2"]
    sectors = STREAM // 32
    assert (l2["accesses"], l2["misses"], l2["hits"]) == (3 * sectors, 2 * sectors, sectors)
    assert (l2["write_accesses"], l2["write_hits"]) == (sectors, 0)


def test_the_form_of_gpgpusim_counts_new_sectors_as_misses(capsys):
    words = ["--size", f"n={N}", "--machine", "a100", "--stats-format", "gpgpusim"]
    assert main(["simulate", VECADD, *words]) == 0
    assert "L2_total_cache_miss_rate = 1.0000" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["estimate", "simulate"])
def test_without_l2_there_is_no_hit_rate(command):
    found = told(command, "quadro_fx5800")
    assert (found["l2_hit_fraction"], found["l2_bytes"]) == (None, 0)
    assert found["dram_bytes"] == 3 * STREAM
