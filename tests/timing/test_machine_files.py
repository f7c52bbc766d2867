"""What every packaged machine file promises: schema, sources, chains, sums."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

import pytest

from tests.reference.machines_page import documentation, with_generated_parts
from warpmill.simulator.machines import (
    diff,
    load_machine,
    machine_names,
    machine_schema,
    memory_rules,
)
from warpmill.simulator.machines.files import packaged_file, user_file
from warpmill.simulator.machines.model import Machine, announced_rates
from warpmill.simulator.machines.resolve import machine_chain
from warpmill.simulator.machines.schema import RULES, evaluate

_FOLDER = Path(str(files("warpmill.simulator.machines")))
_MACHINES: Mapping[str, Machine] = {name: load_machine(name) for name in machine_names()}

# Stated where a source says a different number than the rule gives.
_STATED_DERIVED = {
    "sm.simd_width": "gtx480",
    "front_end.fetch_width": "tbpoint_fermi",
    "interval.int_mad": "gtx480_gpgpusim",
    "lanes.tensor_fp16_fma_f32acc": "a40 l4 l40 rtx2060 rtx2080ti rtx3060 rtx3070 rtx4070 rtx4090 "
    "rtx_a4000 rtx_a6000 t4",
    "interval.tensor": "a100 a100_pcie_80gb gh200 h100_pcie h100_sxm h200_sxm qv100_accelsim",
    "dram.bandwidth_gbs": "generic v100",
    "dram.measured_gbs": "a100 a100_pcie_80gb a40 b200 generic gh200 gtx980 h100_pcie h200_sxm l40 "
    "mi100 p100 quadro_k620 rtx2060 rtx4090 rtx_a6000 t4 tesla_k40 titan_v v100",
}
# How a simulator models an SM, not what the SM is: one assumption serves all.
_MODELLED = {"sm.collector_units", "sm.pipeline_cycles", "reg.bank_reads"}
# Announced nowhere (the README of the figures: absent means not announced).
_NOT_ANNOUNCED = {"clock.core_base_mhz", "clock.core_boost_mhz", "clock.l2_mhz", "clock.peak_mhz"}
_NOT_ANNOUNCED |= {"peak.fp64_tflops", "machine.chip", "machine.aliases"}
_NOT_ANNOUNCED |= {"host.to_device_gbs", "host.to_host_gbs", "host.copy_us"}

every_machine = pytest.mark.parametrize("name", machine_names())


def test_there_are_43_machines() -> None:
    assert len(machine_names()) == 43
    assert "schema" not in machine_names()


@every_machine
def test_a_file_passes_the_checks_that_a_users_file_must_pass(name: str) -> None:
    assert user_file(_FOLDER / f"{name}.toml").entries == packaged_file(name).entries


@every_machine
def test_every_value_has_a_letter_and_a_source(name: str) -> None:
    for key, entry in packaged_file(name).entries.items():
        for other in entry.alternatives:
            assert re.match(r"[VDCBTXGMA] \S", other.source), key
        if entry.value is None:
            assert entry.alternatives, key
            continue
        assert entry.letter in set("VDCBTXGMA-"), key
        assert entry.source.strip(), key
        assert (entry.letter == "-") <= key.startswith("machine."), key


@every_machine
def test_comments_stand_at_the_head_alone(name: str) -> None:
    text = (_FOLDER / f"{name}.toml").read_text("utf-8")
    assert text.count("#") == text.split("schema")[0].count("#"), "a comment is not data"


@every_machine
def test_the_chain_ends_in_generic(name: str) -> None:
    chain = [file.name for file in machine_chain(name)]
    assert chain[-1] == "generic"
    assert len(set(chain)) == len(chain)


@every_machine
def test_every_key_resolves(name: str) -> None:
    machine = _MACHINES[name]
    absent = {key for key in machine_schema().keys if machine.get(key) is None}
    if machine.number("lanes.tensor_fp16_fma") == 0:
        absent -= {"interval.tensor", "interval.tensor_f32acc", "interval.wgmma"}
    assert absent <= _NOT_ANNOUNCED


@every_machine
def test_figures_of_the_chip_itself_are_not_inherited(name: str) -> None:
    own = ("sm.", "reg.", "shared.", "lanes.", "machine.", "clock.", "peak.")
    for key, value in _MACHINES[name].values:
        if key.startswith(own) and key not in _MODELLED:
            assert value.status != "inherited", key
        assert value.assumed or value.status != "inherited", key


def test_derived_values_are_stated_only_where_a_source_differs() -> None:
    stated: dict[str, list[str]] = {}
    for name in machine_names():
        for key, entry in packaged_file(name).entries.items():
            if key in RULES and entry.value is not None:
                stated.setdefault(key, []).append(name)
    assert {key: " ".join(names) for key, names in stated.items()} == _STATED_DERIVED


@every_machine
@pytest.mark.parametrize("key", RULES)
def test_a_derived_value_is_its_rule_or_marked_stated(name: str, key: str) -> None:
    machine, rule = _MACHINES[name], RULES[key]
    value = machine.get(key)
    if value is None or value.status != "derived":
        assert value is None or value.status == "stated"
        return
    inputs = tuple(machine.number(i) for i in rule.inputs)
    assert value.value == evaluate(rule, inputs)
    assert value.source == rule.formula


@every_machine
def test_announced_rates_are_what_the_parts_add_up_to(name: str) -> None:
    for rate in announced_rates(_MACHINES[name]):
        if rate.announced is not None:
            assert rate.computed == pytest.approx(rate.announced, rel=0.01), rate.key


def test_a_few_known_rates() -> None:
    rates = {rate.key: rate.computed for rate in announced_rates(_MACHINES["a100"])}
    assert rates["peak.fp32_tflops"] == pytest.approx(19.49, abs=0.01)
    assert rates["peak.fp64_tflops"] == pytest.approx(9.746, abs=0.001)
    assert rates["peak.dram_gbs"] == pytest.approx(1555.2)


@every_machine
def test_caches_are_whole(name: str) -> None:
    machine = _MACHINES[name]
    assert machine.integer("l1.sets") * machine.integer("l1.ways") * machine.integer(
        "l1.line_bytes"
    ) == machine.integer("l1.size_bytes")
    assert machine.integer("l1.line_bytes") % machine.integer("l1.sector_bytes") == 0
    slices = machine.integer("l2.slices")
    assert (machine.integer("l2.size_bytes") > 0) == (slices > 0)
    if slices:
        assert machine.integer("l2.size_bytes") % slices == 0


@every_machine
def test_parts_fit_into_wholes(name: str) -> None:
    machine = _MACHINES[name]
    at_most = (
        ("shared.per_block_bytes", "shared.per_sm_bytes"),
        ("shared.per_block_optin_bytes", "shared.per_sm_bytes"),
        ("reg.per_block", "reg.per_sm"),
        ("sm.max_threads_per_block", "sm.max_threads"),
        ("dram.timing.rcd", "dram.timing.rc"),
        ("dram.timing.ras", "dram.timing.rc"),
        ("dram.timing.n_bank_groups", "dram.timing.n_banks"),
    )
    for part, whole in at_most:
        assert machine.number(part) <= machine.number(whole), (part, whole)
    assert machine.number("sm.schedulers") >= machine.number("sm.subpartitions")
    assert max(machine.integers("shared.carveout_kib")) * 1024 == machine.integer(
        "shared.per_sm_bytes"
    )
    assert machine.integer("dram.timing.n_banks") == machine.integer("dram.banks")


@every_machine
def test_memory_rules_can_be_made(name: str) -> None:
    rules = memory_rules(_MACHINES[name])
    half_warps = _MACHINES[name].text("machine.compute_capability") == "1.3"
    assert rules.lanes_per_group == (16 if half_warps else 32)
    fills_lines = name in ("gtx480_gpgpusim", "tbpoint_fermi")
    assert rules.line_bytes >= rules.sector_bytes == (128 if fills_lines else 32)


def test_early_memory_has_no_bank_groups() -> None:
    for machine in _MACHINES.values():
        if machine.text("dram.type") in ("DDR3", "GDDR3"):
            assert machine.integer("dram.timing.n_bank_groups") == 1


def test_the_documentation_lists_what_the_schema_holds(bless: bool) -> None:
    page = Path(__file__).parents[2] / "docs" / "machines.md"
    text = page.read_text("utf-8")
    assert text.count("<!-- generated: ") == len(documentation()) == 4
    found = with_generated_parts(text)
    if bless:
        page.write_text(found, "utf-8")
    assert page.read_text("utf-8") == found, "--bless renews docs/machines.md"


def test_the_documented_example_loads(tmp_path: Path) -> None:
    page = Path(__file__).parents[2] / "docs" / "machines.md"
    example = page.read_text("utf-8").split("```toml\n")[1].split("```")[0]
    path = tmp_path / "half.toml"
    path.write_text(example, "utf-8")
    machine = load_machine(str(path))
    assert machine.integer("sm.count") == 54
    changed = {key for key, _, _ in diff(load_machine("a100"), machine)}
    assert {
        key for key in changed if not key.startswith(("machine.", "clock.", "peak.", "host."))
    } == {"sm.count"}
    assert machine.number("dram.measured_gbs") == 1539
