"""Machine files of calibrations: what they state is what the machine that was measured has."""

from dataclasses import replace

import pytest

from warpmill.calibration.api import Origin, machine_text, model_origin
from warpmill.calibration.calibrate import Calibration
from warpmill.calibration.comparison import compared
from warpmill.calibration.findings import CalibrationFinding, GroupFindings
from warpmill.calibration.latencies import latencies
from warpmill.calibration.simulated_gpu import ModelRunner, target_of
from warpmill.simulator.machines import load_machine
from warpmill.simulator.memory.cache import l1_spec, l2_spec

PIPELINED = "gtx480_gpgpusim"
"""5 cycles of a pipeline come to its latencies; it executes PTX."""


def findings(values):
    return GroupFindings(
        tuple(CalibrationFinding(key, value, 0.0, "a chain") for key, value in values.items())
    )


def calibration(machine, part, *, is_model=True):
    target = replace(target_of(load_machine(machine)), is_model=is_model)
    return Calibration(target, ("latency",), part, 1, 1.0)


def of_model(values, tmp_path, like=None):
    """Load the file of a model of a V100 of which these values were measured."""
    machine = load_machine("v100")
    found = calibration("v100", findings(values))
    origin = model_origin(machine, None, like)
    return loaded(machine_text(found, compared(found, machine), origin), tmp_path)


def of_gpu(values, like):
    """The rows and the file of a GPU that has these values, beside the machine it is like."""
    known = load_machine(like)
    found = calibration(like, findings(values), is_model=False)
    rows = compared(found, known)
    identity = model_origin(known, None, None).facts
    return rows, machine_text(found, rows, Origin("mine", "calibrated", "B", like, identity))


def loaded(text, tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(text, "utf-8")
    return load_machine(str(path))


def test_latencies_are_stated_without_the_pipeline_that_the_machine_has(tmp_path):
    machine = load_machine(PIPELINED)
    found = calibration(PIPELINED, latencies(ModelRunner(machine), ["int_add", "shared_load"]))
    rows = compared(found, machine)
    assert {row.verdict for row in rows if row.found is not None} == {"agrees"}
    new = loaded(machine_text(found, rows, model_origin(machine, None, None)), tmp_path)
    for key in ("latency.int_add", "latency.shared_load", "sm.pipeline_cycles"):
        # Code comes from L2 at first, which is part of what a chain takes.
        assert new.number(key) == pytest.approx(machine.number(key), rel=0.02), key
    assert "dependent chain of add.u32, less 5 of sm.pipeline_cycles, ± " in (
        new["latency.int_add"].source
    )


def test_the_pipeline_is_that_of_the_new_file(tmp_path):
    new = of_model({"latency.int_add": 4.0}, tmp_path, PIPELINED)
    assert new.number("sm.pipeline_cycles") == 0
    assert new.number("latency.int_add") == 4


def test_a_gpu_like_a_machine_with_a_pipeline_is_compared_with_all_of_it(tmp_path):
    (row,), text = of_gpu({"latency.int_add": 9.0}, PIPELINED)
    assert (row.file_value, row.verdict) == (9.0, "agrees")
    assert loaded(text, tmp_path).number("latency.int_add") == 4


def test_what_only_the_gpu_has_is_stated(tmp_path):
    assert load_machine("gtx980").get("interval.tensor") is None
    (row,), text = of_gpu({"interval.tensor": 16.0}, "gtx980")
    assert row.verdict == "not compared"
    assert loaded(text, tmp_path).number("interval.tensor") == 16


def test_what_the_model_assumes_stays_assumed(tmp_path):
    assert load_machine("v100")["latency.vote"].assumed
    new = of_model({"latency.vote": 13.0, "latency.setp": 4.0}, tmp_path)
    assert new["latency.vote"].assumed
    assert not new["latency.setp"].assumed
    assert "the model v100, which assumes it: a chain" in new["latency.vote"].source


@pytest.mark.parametrize(
    ("values", "size", "source"),
    [
        (
            {"l2.size_bytes": 6191529.0, "l2.line_bytes": 128.0, "l2.ways": 23.42},
            2103 * 23 * 128,
            "calibrated on the model v100: a chain, ± 0 B, in whole sets",
        ),
        ({"l2.ways": 23.0}, 2137 * 23 * 128, "as v100, in whole sets"),
    ],
)
def test_caches_have_whole_sets_as_estimates_need_them(values, size, source, tmp_path):
    new = of_model(values, tmp_path)
    assert new.integer("l2.size_bytes") == size == pytest.approx(6.2e6, rel=0.02)
    assert new["l2.size_bytes"].source == source
    assert l2_spec(new).ways == 23


def test_l1_has_whole_sets_too(tmp_path):
    new = of_model({"l1.size_bytes": 126000.0, "l1.ways": 60.4, "l1.line_bytes": 128.0}, tmp_path)
    assert new.integer("l1.size_bytes") == 16 * 60 * 128
    assert new.integer("l1.sets") == 16
    assert l1_spec(new).ways == 60


def test_rules_do_not_replace_what_the_fallback_states(tmp_path):
    """The model's DRAM is found a little slower than it is announced; streams are as they were."""
    new = of_model({"dram.bandwidth_gbs": 896.85}, tmp_path)
    assert new.number("dram.bandwidth_gbs") == 896.85
    assert new.number("dram.measured_gbs") == load_machine("v100").number("dram.measured_gbs")
    assert new["dram.measured_gbs"].assumed


def test_a_machine_may_be_called_as_what_it_falls_back_on(tmp_path):
    machine = load_machine("v100")
    found = calibration("v100", findings({"latency.setp": 4.0}))
    origin = model_origin(machine, "v100", None)
    new = loaded(machine_text(found, compared(found, machine), origin), tmp_path)
    assert new.text("machine.name") == "v100"
    assert new.chain[1] == "v100"


@pytest.mark.parametrize("like", ["qv100_accelsim", "a100", "gtx980", "generic"])
def test_what_was_not_measured_is_the_models_whatever_it_falls_back_on(like, tmp_path):
    """Also what follows by rules, where the fallback states another number."""
    new, machine = of_model({"latency.setp": 4.0}, tmp_path, like), load_machine("v100")
    own = ("machine.", "peak.", "host.")  # of this machine alone
    apart = [k for k, v in machine.values if not k.startswith(own) and new[k].value != v.value]
    assert apart == []
