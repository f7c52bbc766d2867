"""The files of GPGPU-Sim that are read: options, networks, JSON records. Errors point."""

from __future__ import annotations

import json

import pytest

from warpmill.analyzer.base.diagnostics import InputError, LimitError, Source, UsageError
from warpmill.simulator.machines.imported.configuration import read_options
from warpmill.simulator.machines.imported.memory import read_network
from warpmill.simulator.machines.imported.settings import (
    defaults,
    json_places,
    json_tables,
    key_tables,
    known_options,
    read_configs,
    read_source,
)
from warpmill.simulator.machines.schema import schema


def options(text):
    settings, left_out = read_options(Source("a.config", text), "a")
    return {name: option.text for name, option in settings.given.items()}, left_out


def refused(read, text):
    with pytest.raises(InputError) as caught:
        read(text)
    (found,) = caught.value.diagnostics
    assert found.file == "a.config"
    return (found.span.line, found.span.column), found.message


# --- option files -------------------------------------------------------------------------------


def test_options_comments_and_quoted_values_over_lines():
    text = """\
# -gpgpu_n_mem 99
-gpgpu_n_mem 6 # -gpgpu_n_mem 98
\t-gpgpu_scheduler    gto   -gpgpu_n_clusters
  15
-gpgpu_dram_timing_opt "nbk=16:CCD=2: # -gpgpu_n_mem 97
                        RRD=6"
"""
    assert options(text) == (
        {
            "gpgpu_n_mem": "6",
            "gpgpu_scheduler": "gto",
            "gpgpu_n_clusters": "15",
            "gpgpu_dram_timing_opt": "nbk=16:CCD=2:RRD=6",
        },
        (),
    )


def test_the_last_one_of_a_name_counts_and_older_names_are_known():
    text = "-gpgpu_smem_latency 3 -smem_latency 24\n-l1_latency 82\n-gpgpu_n_mem 3\n-gpgpu_n_mem 4"
    assert options(text)[0] == {
        "gpgpu_smem_latency": "24",
        "gpgpu_l1_latency": "82",
        "gpgpu_n_mem": "4",
    }


def test_what_is_no_value_of_a_machine_is_told_and_what_has_no_bearing_on_time_is_not():
    text = "-gpgpu_n_mem 6\n-gpgpu_runtime_stat 500 -power_trace_enabled 0\n -l2_ideal 1\n"
    text += "-trace_sampling_memory_partition -1\n"
    _, left_out = options(text)
    assert [(d.span.line, d.span.column, d.message) for d in left_out] == [
        (3, 2, "-l2_ideal is no value of a machine")
    ]


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("gpgpu_n_mem 6", (1, 1), "`gpgpu_n_mem` stands where an option is needed"),
        ("# x\n  -gpgpu_n_mem\n-gpgpu_n_clusters 3", (2, 3), "-gpgpu_n_mem has no value"),
        ("-gpgpu_n_mem 6\n<<<<<<< HEAD", (2, 1), "-gpgpu_n_mem has one value; `<<<<<<<` is one"),
        ('-gpgpu_n_mem 6 -x "nbk=1:\nCCD=2', (1, 19), "this quotation never ends"),
        ("-gpgpu_n_mem 6\n -config b.config", (2, 2), "another file is included here"),
    ],
)
def test_what_is_not_of_the_form_is_pointed_at(text, place, words):
    found = refused(options, text)
    assert found[0] == place
    assert found[1].startswith(words)


@pytest.mark.parametrize("text", ["", "# nothing\n", "-some -other 3\n"])
def test_a_file_without_options_of_gpgpusim(text):
    with pytest.raises(InputError, match=r"a\.config: error: there is no option of GPGPU-Sim"):
        options(text)


def test_files_that_cannot_be_read(tmp_path):
    (tmp_path / "b").write_bytes(b"-gpgpu_n_mem 6\n# \xff")
    with pytest.raises(InputError, match=r"b:2:3: error: byte 0xff is not UTF-8"):
        read_source(tmp_path / "b")
    for name in (".", "none", "\0"):
        with pytest.raises(InputError, match="cannot read the file"):
            read_source(tmp_path / name)
    with (tmp_path / "large").open("wb") as file:
        file.truncate((4 << 20) + 1)
    with pytest.raises(LimitError, match="more than 4194304 bytes"):
        read_source(tmp_path / "large")


def test_the_tables_fit_together():
    used = {row["option"] for row in key_tables()["taken"].values()}
    used |= {row["option"] for row in key_tables()["classes"].values() if "option" in row}
    assert used <= set(defaults())
    keys = set(schema().keys)
    assert set(key_tables()["taken"]) | set(key_tables()["fixed"]) <= keys
    assert set(key_tables()["taken"]).isdisjoint(key_tables()["fixed"])
    for name in key_tables()["classes"]:
        assert keys & {f"lanes.{name}", f"interval.{name}"}, name
    tables = json_tables()
    held = {*tables["fields"].values(), *tables["together"]}
    held |= {option for row in tables["implied"].values() for option in row}
    assert held <= known_options()


# --- networks -----------------------------------------------------------------------------------


def network(text):
    return read_network(Source("a.config", text))


def test_a_butterfly_of_stages_and_one_that_is_a_crossbar():
    text = "// k = 9;\ntopology = fly;\nk = 4; n = 3;\npacket_size ={{1,2,3,4},{10,20}};\n"
    found = network(text + "flit_size = 40;\nsubnets=2;\nrouting_delay = 0;\n")
    assert (found.topology, found.radix, found.flit_bytes, found.subnets) == ("butterfly", 4, 40, 2)
    assert found.latency_cycles == 3  # two allocations and the switch, by booksim's defaults
    one = network("topology = fly;\nk = 27;\nn = 1;\n")
    assert (one.topology, one.radix, one.flit_bytes) == ("crossbar", None, None)
    assert network("topology = mesh; k = 8; n = 2;").topology == "mesh"
    assert network("").topology is None


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("k = 4;\n n = 2", (2, 2), "settings of a network are written `name = value;`"),
        ("k = 4;\n\n  oops;", (3, 3), "settings of a network are written `name = value;`"),
        ("k = 4;\nflit_size = 4o;", (2, 13), "flit_size: a whole number of at least 1 is needed"),
        ("k = 0;", (1, 5), "k: a whole number of at least 1 is needed, not `0`"),
    ],
)
def test_what_is_wrong_in_a_network_is_pointed_at(text, place, words):
    found = refused(network, text)
    assert found[0] == place
    assert found[1].startswith(words)


# --- JSON records -------------------------------------------------------------------------------

RECORD = {
    "n_sm": 15,
    "clock_mhz": {"core": 700.0, "icnt": 700.0, "l2": 700.0, "dram": 924.0},
    "threads_per_sm": 1536,
    "max_warps_per_sm": 48,
    "units": {"sp": "2", "dp": None, "tensor_core": None},
    "l1d": {"sectored": True, "sets": 4, "line": 128, "assoc": 32, "replacement": "L",
            "write": "L", "alloc": "s", "write_alloc": "N", "set_index": "L",
            "mshr_entries": 256, "mshr_merge": 8},
    "l2_slices": 12,
    "mem_channels": 6,
    "dram_buswidth_B": "4",
    "dram_freq_ratio": "4",
    "dram_timing": "nbk=16:CCD=2: CL=12",
    "dram_peak_GBps_computed": 177.4,
    "occupancy_sm": "20",
    "coalesce_arch": "20",
}  # fmt: skip


def configs(text, config=None):
    settings, left_out = read_configs(Source("a.config", text), config)
    return {name: option.text for name, option in settings.given.items()}, left_out


def test_a_record_becomes_options():
    given, left_out = configs(json.dumps({"configs": {"OLD": RECORD}}))
    assert given == {
        "gpgpu_n_clusters": "15",
        "gpgpu_n_cores_per_cluster": "1",
        "gpgpu_clock_domains": "700.0:700.0:700.0:924.0",
        "gpgpu_shader_core_pipeline": "1536:32",
        "gpgpu_num_sp_units": "2",
        "gpgpu_cache:dl1": "S:4:128:32,L:L:s:N:L,A:256:8",
        "gpgpu_n_mem": "6",
        "gpgpu_n_sub_partition_per_mchannel": "2",
        "gpgpu_dram_buswidth": "4",
        "dram_data_command_freq_ratio": "4",
        "gpgpu_dram_timing_opt": "nbk=16:CCD=2:CL=12",
        "gpgpu_n_mem_per_ctrlr": "2",
    }
    assert [d.message for d in left_out] == ["coalesce_arch is no value of a machine"]


def test_the_text_of_a_cache_counts_before_its_parts():
    record = RECORD | {"l1d_raw": "N:32:128:4,L:L:m:N:H,S:64:8,8", "unified_l1d_kib": "96"}
    given, _ = configs(json.dumps({"configs": {"OLD": record}}))
    assert given["gpgpu_cache:dl1"] == "N:32:128:4,L:L:m:N:H,S:64:8,8"
    assert (given["gpgpu_unified_l1d_size"], given["gpgpu_adaptive_cache_config"]) == ("96", "1")


def test_which_configuration_is_meant():
    text = json.dumps({"configs": {"OLD": RECORD, "NEW": RECORD | {"n_sm": 80}}})
    assert configs(text, "NEW")[0]["gpgpu_n_clusters"] == "80"
    with pytest.raises(UsageError, match="they are OLD, NEW"):
        configs(text)
    with pytest.raises(UsageError, match="did you mean `NEW`"):
        configs(text, "NEV")


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ('{"configs":\n {"A": }}', (2, 8), "this is not JSON: expecting value"),
        ('{"SM7": {"n_sm": 3}}', (1, 1), "this file holds no `configs`"),
        ('{"configs": []}', (1, 1), "this file holds no `configs`"),
        ('{"configs": {"A":\n  3}}', (2, 3), "the configuration A is an object"),
        ('{"configs": {"A":\n  {}}}', (2, 3), "A has no field of a configuration"),
        ('{"configs": {"A":\n {"n_sm": [3]}}}', (2, 11), "n_sm: a text or a number is needed"),
        ('{"configs": {"A": {"units":\n {"sp": true}}}}', (2, 9), "units.sp: a text or a number"),
    ],
)
def test_what_is_wrong_in_a_record_is_pointed_at(text, place, words):
    found = refused(configs, text)
    assert found[0] == place
    assert found[1].startswith(words)


def test_endless_nesting_is_no_traceback():
    with pytest.raises(InputError, match="nested too deep"):
        configs("[" * 200_000)


def test_places_in_json():
    text = '{"a": [1, {"b": "x,]"}],\n "a\\u0062": {"": null}, "c": true}'
    found = {path: text.split("\n")[s.line - 1][s.column - 1 : s.end_column - 1]
             for path, s in json_places(text).items()}  # fmt: skip
    assert found == {
        (): "{", ("a",): "[", ("a", 0): "1", ("a", 1): "{", ("a", 1, "b"): '"x,]"',
        ("ab",): "{", ("ab", ""): "null", ("c",): "true",
    }  # fmt: skip
