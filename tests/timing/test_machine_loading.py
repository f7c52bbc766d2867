"""Machines: loading, fallback, derived values, overrides, records of use, files of users."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from warpmill.analyzer.base.diagnostics import InputError, UsageError
from warpmill.simulator.gpu.spec import specify
from warpmill.simulator.machines import (
    diff,
    load_machine,
    machine_names,
    machine_schema,
    new_machine_text,
    parse_overrides,
    with_recording,
)
from warpmill.simulator.machines.resolve import simd_overrides
from warpmill.simulator.machines.schema import RULES
from warpmill.simulator.memory.cache import l2_spec


def test_a_stated_value_has_its_evidence() -> None:
    value = load_machine("a100")["l2.slices"]
    assert (value.value, value.status, value.origin, value.assumed) == (
        160,
        "stated",
        "a100",
        False,
    )
    assert value.letter == "C"
    assert "SM80_A100" in value.source
    assert [(x.value, x.source) for x in value.alternatives] == [
        (80, "M whitepaper: 80 slices x 512 KiB")
    ]


def test_an_absent_value_is_inherited_and_assumed() -> None:
    near = load_machine("h100_pcie")["latency.mov"]
    assert (near.status, near.origin, near.assumed) == ("inherited", "v100", True)
    far = load_machine("h100_pcie")["latency.vote"]
    assert (far.status, far.origin, far.assumed) == ("inherited", "generic", True)


def test_siblings_and_memory_count_as_assumed() -> None:
    assert load_machine("rtx_a4000")["latency.int_add"].letter == "T"
    assert load_machine("rtx_a4000")["latency.int_add"].assumed
    assert load_machine("h100_sxm")["lanes.sfu"].letter == "M"
    assert load_machine("h100_sxm")["lanes.sfu"].assumed
    assert not load_machine("h100_sxm")["lanes.fp32"].assumed


def test_clock_and_peak_are_never_inherited() -> None:
    assert load_machine("rtx3060").get("clock.l2_mhz") is None
    assert load_machine("v100").get("peak.fp64_tflops") is not None
    assert load_machine("qv100_accelsim").get("peak.fp64_tflops") is None


def test_types_of_numbers() -> None:
    machine = load_machine("a100")
    assert isinstance(machine.integer("sm.count"), int)
    assert isinstance(machine.number("dram.measured_gbs"), float)
    assert isinstance(machine.number("clock.sm_mhz"), float)
    assert machine.flag("l1.caches_global") is True
    assert machine.integers("shared.carveout_kib") == (0, 8, 16, 32, 64, 100, 132, 164)
    assert machine.text("dram.type") == "HBM2"


def test_machines_compare_hash_and_pickle() -> None:
    machine = load_machine("t4")
    assert machine == load_machine("t4")
    assert hash(machine) == hash(load_machine("t4"))
    assert pickle.loads(pickle.dumps(machine)) == machine
    assert machine != load_machine("t4", {"sm.count": 41})


# --- derived values -----------------------------------------------------------------------------

_DERIVED = {
    "sm.max_warps": ({"sm.max_threads": 1024}, 32),
    "sm.simd_width": ({"lanes.fp32": 32.0}, 8),
    "front_end.fetch_width": ({"sm.issue_per_scheduler": 1.5}, 2),
    "interval.fp32": ({"lanes.fp32": 32.0}, 4),
    "interval.fp64": ({"lanes.fp64": 16.0}, 8),
    "interval.int_add": ({"sm.subpartitions": 2}, 1),
    "interval.int_mul": ({"lanes.int_mul": 32.0}, 4),
    "interval.int_mad": ({"lanes.int_mul": 32.0}, 4),
    "interval.sfu": ({"lanes.sfu": 4.0}, 32),
    "interval.conv": ({"machine.warp_size": 64}, 16),
    "interval.shuffle": ({"lanes.shuffle": 64.0}, 2),
    "interval.ldst": ({"lanes.ldst": 16.0}, 8),
    "interval.tensor": ({"lanes.tensor_fp16_fma": 2048.0}, 4),
    "lanes.tensor_fp16_fma_f32acc": ({"lanes.tensor_fp16_fma": 2048.0}, 2048),
    "interval.tensor_f32acc": ({"lanes.tensor_fp16_fma_f32acc": 512.0}, 16),
    "interval.wgmma": ({"lanes.tensor_fp16_fma": 2048.0}, 4),
    "l1.sets": ({"l1.size_bytes": 65536}, 8),
    "dram.bandwidth_gbs": ({"dram.bus_bits": 2048}, 622.08),
    "dram.measured_gbs": ({"dram.bus_bits": 2048}, 1539 * 2048 / 5120),  # it follows what is stated
    "dram.bytes_per_clk_per_channel": ({"dram.channels": 20}, 64),
    "dram.timing.n_banks": ({"dram.banks": 32}, 32),
}


def test_every_rule_has_a_case() -> None:
    assert set(_DERIVED) == set(RULES)


@pytest.mark.parametrize("key", _DERIVED)
def test_setting_an_input_recomputes_what_depends_on_it(key: str) -> None:
    overrides, expected = _DERIVED[key]
    before, after = load_machine("a100")[key], load_machine("a100", overrides)[key]
    assert after.value == pytest.approx(expected)
    assert after.value != before.value
    assert after.status == "derived"
    assert after.source.endswith(RULES[key].formula)


def test_a_stated_value_gives_way_to_a_set_input_only() -> None:
    assert load_machine("a100")["interval.tensor"].status == "stated"
    assert load_machine("a100", {"lanes.fp32": 128.0})["interval.tensor"].status == "stated"
    same = load_machine("a100", {"lanes.tensor_fp16_fma": 1024.0})["interval.tensor"]
    assert (same.value, same.status) == (8, "stated")
    other = load_machine("a100", {"lanes.tensor_fp16_fma": 512.0})["interval.tensor"]
    assert (other.value, other.status) == (16, "derived")


def test_a_dependant_that_is_set_itself_keeps_what_it_is_set_to() -> None:
    machine = load_machine("a100", {"lanes.fp32": 128.0, "interval.fp32": 3.0})
    assert (machine["interval.fp32"].value, machine["interval.fp32"].status) == (3, "set")
    assert not machine["interval.fp32"].assumed


def test_a_chain_of_rules_follows_through() -> None:
    machine = load_machine("v100", {"dram.bus_bits": 2048})
    assert machine.number("dram.bandwidth_gbs") == 450  # half of the announced 900
    assert machine.number("dram.measured_gbs") == 897 / 2
    assert machine["dram.measured_gbs"].assumed


def test_a_derived_value_is_assumed_where_an_input_is() -> None:
    assert not load_machine("a100")["interval.fp32"].assumed
    assert load_machine("h100_sxm")["interval.sfu"].assumed  # lanes.sfu is from memory


def test_a_rule_without_meaning_gives_no_value() -> None:
    assert load_machine("p100").get("interval.tensor") is None
    with pytest.raises(InputError, match=r"p100 has no value for interval\.tensor"):
        load_machine("p100").number("interval.tensor")
    assert load_machine("quadro_fx5800").integer("l1.sets") == 0


def test_a_count_that_is_not_whole_is_an_error() -> None:
    with pytest.raises(InputError, match=r"l1\.sets = .* is 12\.2.*, not a whole number") as caught:
        load_machine("a100", {"l1.size_bytes": 100_000})
    assert "change one of l1.size_bytes, l1.line_bytes, l1.ways" in str(caught.value)
    assert load_machine("a100", {"l1.size_bytes": 100_000, "l1.sets": 12}).integer("l1.sets") == 12


# --- overrides ----------------------------------------------------------------------------------


def test_settings_are_read_by_the_type_of_their_key() -> None:
    found = parse_overrides(
        [
            "sm.count = 120",
            "clock.sm_mhz=1500",
            "l1.caches_global=False",
            "shared.carveout_kib=0,8",
            "scheduler.policy=gto",
            "sm.count=121",
        ]
    )
    assert found == {
        "sm.count": 121,
        "clock.sm_mhz": 1500.0,
        "l1.caches_global": False,
        "shared.carveout_kib": (0, 8),
        "scheduler.policy": "gto",
    }
    assert isinstance(found["clock.sm_mhz"], float)


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ("sm.count", "`sm.count` is not of the form key=value"),
        ("=3", "is not of the form key=value"),
        ("sm.cuont=3", "did you mean `sm.count`"),
        ("zzz=3", "docs/machines.md lists every key"),
        ("sm.count=many", "sm.count is a whole number, not 'many'"),
        ("sm.count=1.5", "sm.count is a whole number, not '1.5'"),
        ("sm.count=0", "sm.count is 1 to 4096 SMs, not 0"),
        ("sm.count=4097", "sm.count is 1 to 4096 SMs, not 4097"),
        ("clock.sm_mhz=inf", "clock.sm_mhz is a number, not inf"),
        ("clock.sm_mhz=nan", "clock.sm_mhz is a number, not nan"),
        ("l1.caches_global=1", "l1.caches_global is true or false, not '1'"),
        ("scheduler.policy=fifo", "scheduler.policy is one of rr, lrr, gto, two_level"),
        ("shared.carveout_kib=8,-1", "shared.carveout_kib is 0 to 65536 KiB, not -1"),
        ("shared.carveout_kib=", "shared.carveout_kib is a list of whole numbers"),
        ("sm.count=" + "9" * 5000, "sm.count is "),
    ],
)
def test_bad_settings_say_what_is_wrong(setting: str, words: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_overrides([setting])
    assert words in str(caught.value)


def test_overrides_are_checked_wherever_they_come_from() -> None:
    with pytest.raises(UsageError, match=r"sm\.count is a whole number"):
        load_machine("a100", {"sm.count": True})
    with pytest.raises(UsageError, match="cannot be set"):
        load_machine("a100", {"machine.fallback": "v100"})


def test_a_set_value_is_not_assumed() -> None:
    value = load_machine("a100", {"latency.vote": 9.0})["latency.vote"]
    assert (value.value, value.status, value.origin, value.assumed) == (9.0, "set", "--set", False)


def test_simd_width_scales_lanes_and_intervals() -> None:
    base = load_machine("quadro_fx5800_gpgpusim")
    narrow = load_machine(base.name, simd_overrides(base, 8))
    assert base.number("sm.simd_width") == 32
    assert narrow.number("sm.simd_width") == 8
    assert narrow.number("lanes.fp32") == base.number("lanes.fp32") / 4
    assert narrow.number("interval.fp32") == 4 * base.number("interval.fp32")


# --- names, differences, new machines, records --------------------------------------------------


def test_an_unknown_machine_names_the_nearest() -> None:
    with pytest.raises(UsageError, match="did you mean `a100`"):
        load_machine("a1000")
    with pytest.raises(UsageError, match=r"a path that ends in \.toml"):
        load_machine("")


def test_an_unknown_key_names_the_nearest() -> None:
    machine = load_machine("a100")
    with pytest.raises(UsageError, match=r"did you mean `l1\.latency`"):
        machine.number("l1.latncy")
    for read in (machine.number, machine.flag, machine.integers):
        with pytest.raises(UsageError):
            read("machine.name")
    with pytest.raises(UsageError):
        machine.text("sm.count")
    with pytest.raises(UsageError):
        machine.integer("clock.sm_mhz")


def test_differences() -> None:
    a, b = load_machine("a100"), load_machine("a100", {"lanes.sfu": 32.0})
    assert [(key, x and x.value, y and y.value) for key, x, y in diff(a, b)] == [
        ("lanes.sfu", 16.0, 32.0),
        ("interval.sfu", 8.0, 4.0),
    ]
    keys = {key for key, _, _ in diff(load_machine("v100"), load_machine("p100"))}
    assert {"interval.tensor", "sm.count", "machine.name"} <= keys
    assert "machine.warp_size" not in keys


@pytest.mark.one_in(12)
@pytest.mark.parametrize("base", machine_names())
def test_a_new_machine_is_its_base_with_the_overrides(base: str, tmp_path: Path) -> None:
    overrides = {"sm.count": 13, "clock.sm_mhz": 1234.5, "dram.channels": 8, "l2.latency": 99.5}
    path = tmp_path / "mine.toml"
    path.write_text(new_machine_text(base, overrides), "utf-8")
    mine, expected = load_machine(str(path)), load_machine(base, overrides)
    different = {key for key, _, _ in diff(mine, expected)}
    never = {key for key in machine_schema().keys if key.startswith(("peak.", "host."))}
    own = {"machine.name", "machine.aliases", "machine.fallback", "machine.kind"}
    assert different <= own | never
    assert mine.text("machine.kind") == "design"
    assert mine.name == "mine"
    assert mine["sm.count"].status == "stated"
    assert not mine["sm.count"].assumed


def test_the_text_of_a_new_machine_holds_what_was_changed() -> None:
    text = new_machine_text("a100", {"l1.size_bytes": 65536}, name='half "L1"')
    assert '[l1]\nsize_bytes = { value = 65536, source = "U set by user" }\n' in text
    assert 'fallback = { value = "a100"' in text
    assert 'name = { value = "half \\"L1\\""' in text
    assert "[lanes]" not in text


def test_a_record_lists_what_was_read_and_what_of_it_is_assumed() -> None:
    machine, used = with_recording(load_machine("h100_sxm"))
    machine.number("latency.vote")
    machine.number("sm.count")
    machine.number("lanes.sfu")
    machine.get("clock.l2_mhz")
    assert [key for key, _ in used.all()] == ["sm.count", "lanes.sfu", "latency.vote"]
    assert [one.key for one in used.assumed()] == ["lanes.sfu", "latency.vote"]


def test_importing_the_package_is_light() -> None:
    code = (
        "import sys, warpmill.simulator.machines as m; m.load_machine('a100'); print(*sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"numpy", "pydantic", "tree_sitter", "networkx"} & set(ran.stdout.split())


def test_caches_that_cannot_be_are_told_by_their_keys() -> None:
    machine = load_machine("a100", {"l2.size_bytes": 41943041})
    with pytest.raises(UsageError, match="the L2 of a100: this cache cannot be") as error:
        l2_spec(machine)
    assert "l2.size_bytes = 41943041, l2.line" in (error.value.diagnostics[0].hint or "")


def test_without_slices_there_is_no_l2() -> None:
    assert l2_spec(load_machine("a100", {"l2.slices": 0})) is None


def test_a_unit_that_is_not_there_is_told() -> None:
    words = "machine a100 has no value for interval.fp64, as lanes.fp64 is 0; --set interval.fp64="
    with pytest.raises(InputError, match=words):
        load_machine("a100", {"lanes.fp64": 0.0}).number("interval.fp64")


@pytest.mark.parametrize("group", ["const", "tex"])
def test_caches_of_an_sm_that_cannot_be_are_named(group: str) -> None:
    machine = load_machine("a100", {f"{group}.line_bytes": 1 << 13, f"{group}.l1_bytes": 1 << 17})
    with pytest.raises(UsageError, match=f"the {group.upper()} of a100: this cache cannot be"):
        specify(machine, 0)
