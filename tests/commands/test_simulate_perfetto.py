"""The timeline of a simulation: what a viewer is told, and that it can show it."""

import gzip
import json
from collections import defaultdict
from dataclasses import replace

import numpy as np
import pytest

from tests.timing.simulation_results import CLOCK_MHZ, LIVES, WARPS, sampled_result, small_result
from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.commands.simulate.exports import lives, timeline_bytes, write_timeline
from warpmill.simulator.gpu.result_parts import Ctas, Spans


def events_of(result, **options):
    return json.loads(timeline_bytes(result, **options))["traceEvents"]


def of(events, **wanted):
    return [e for e in events if all(e.get(key) == value for key, value in wanted.items())]


def names(events, kind):
    """The names of processes or of threads, by number."""
    return {
        e["pid" if kind == "process" else "tid"]: e["args"]["name"]
        for e in of(events, ph="M", name=f"{kind}_name")
    }


def without_warps(result, kept=0):
    spans = result.spans
    names = ("sm", "slot", "cta", "begin_cycle", "end_cycle", "launch")
    columns = [getattr(spans, name)[:kept] for name in names]
    return replace(result, spans=Spans(*columns, complete=False))


def whole_nanoseconds(microseconds, read):
    return read(microseconds * 1000.0)


def test_the_result_made_by_hand_agrees_with_itself():
    result = small_result()
    line, l1, l2 = result.timeline, result.cache("l1"), result.cache("l2")
    issued = result.warp_instructions
    assert issued == result.stalls[0] == sum(one.warp_instructions for one in result.instructions)
    assert issued == sum(launch.warp_instructions for launch in result.launches)
    assert issued == sum(sm.warp_instructions for sm in result.per_sm)
    assert issued == line.warp_instructions.sum()
    assert sum(result.stalls) == sum(sm.warp_cycles for sm in result.per_sm)
    assert line.resident_warps.sum() * line.bin_cycles == sum(result.stalls)
    for cache, counted in ((l1, line.l1_sectors), (l2, line.l2_sectors)):
        assert cache.accesses == counted.sum() == cache.hits + cache.pending + cache.misses
    assert l1.misses == l2.accesses and l2.misses == result.dram.reads == line.dram_sectors.sum()
    assert l1.accesses == result.read_sectors == sum(one.sectors for one in result.instructions)
    assert l1.hits == sum(one.l1_hits for one in result.instructions)


def test_the_file_begins_and_ends_as_readers_want_it():
    data = timeline_bytes(small_result())
    assert data.startswith(b'{"displayTimeUnit":"ns","traceEvents":[')
    whole = json.loads(data)
    assert list(whole) == ["displayTimeUnit", "traceEvents", "otherData"]
    assert whole["otherData"]["machine"] == "two_sms"
    assert whole["otherData"]["clock_mhz"] == CLOCK_MHZ
    assert whole["otherData"]["cycles"] == 418


def test_an_sm_is_a_process_and_a_slot_a_thread():
    events = events_of(small_result())
    processes, threads = names(events, "process"), names(events, "thread")
    assert sorted(processes.values()) == ["GPU", "SM 0", "SM 1"]
    on_sm_1 = {e["tid"] for e in of(events, cat="warp") if processes[e["pid"]] == "SM 1"}
    assert sorted(threads[tid] for tid in on_sm_1) == ["slot 0", "slot 1", "slot 2", "slot 3"]
    on_gpu = [e["tid"] for e in of(events, cat="launch")]
    assert [threads[tid] for tid in on_gpu] == ["stream 0", "stream 7", "stream 0"]


def test_numbers_of_threads_and_processes_are_told_apart():
    events = events_of(small_result())
    whose = defaultdict(set)
    for event in events:
        whose[event["tid"]].add(event["pid"])
    assert all(len(pids) == 1 for pids in whose.values())
    assert not set(whose) & {event["pid"] for event in events}


def test_every_warp_is_an_event_of_its_cta_and_launch():
    events = of(events_of(small_result()), cat="warp")
    kernels = ("scale", "sum", "scale")
    wanted = [
        (sm, slot + warp, f"{kernels[launch]} CTA {cta}", launch, cta, begin, end)
        for launch, cta, sm, slot, begin, end in LIVES
        for warp in range(WARPS)
    ]
    found = [
        (
            e["pid"] - 1000,
            e["tid"] - e["pid"] * 1000,
            e["name"],
            *(e["args"][key] for key in ("launch", "cta", "begin_cycle", "end_cycle")),
        )
        for e in events
    ]
    assert sorted(found) == sorted(wanted)
    assert found == sorted(found, key=lambda row: (row[0], row[1], row[5]))


@pytest.mark.parametrize("make", [small_result, lambda: without_warps(small_result())])
def test_events_are_inside_their_launch(make):
    events = events_of(make())
    launches = {e["args"]["launch"]: e for e in of(events, cat="launch")}
    inside = [e for e in of(events, ph="X") if e["cat"] != "launch"]
    assert inside
    for event in inside:
        whole = launches[event["args"]["launch"]]
        assert whole["args"]["begin_cycle"] <= event["args"]["begin_cycle"]
        assert event["args"]["end_cycle"] <= whole["args"]["end_cycle"]
        assert whole["ts"] <= event["ts"]
        assert event["ts"] + event["dur"] <= whole["ts"] + whole["dur"] + 1e-6


def test_times_are_microseconds():
    launch = of(events_of(small_result()), cat="launch")[2]
    assert launch["ts"] == pytest.approx(301 / CLOCK_MHZ, abs=0.001)
    assert launch["dur"] == pytest.approx((418 - 301) / CLOCK_MHZ, abs=0.001)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("clock_mhz", [800.0, 1132.0, 1410.0, 2322.7])
@pytest.mark.parametrize("read", [int, round])
def test_what_touches_does_not_overlap_however_times_are_read(clock_mhz, read):
    cycles = np.arange(3000, dtype=np.int64) * 3 + 100_000_000
    zeros = np.zeros_like(cycles)
    spans = Spans(zeros, zeros, zeros, cycles, cycles + 3, zeros, complete=True)
    events = of(events_of(small_result(clock_mhz=clock_mhz, spans=spans)), cat="warp")
    begins = [whole_nanoseconds(e["ts"], read) for e in events]
    ends = [b + whole_nanoseconds(e["dur"], read) for b, e in zip(begins, events, strict=True)]
    assert all(end <= begin for end, begin in zip(ends, begins[1:], strict=False))
    exact = [c * 1000 / clock_mhz for c in cycles.tolist()]
    assert max(abs(a - b) for a, b in zip(begins, exact, strict=True)) <= 0.5


def test_counters_go_on_in_time_and_end_at_0():
    events = of(events_of(small_result()), ph="C")
    rows = defaultdict(list)
    for event in events:
        (unit, value), *more = event["args"].items()
        assert not more
        rows[f"{event['name']} {unit}"].append((event["ts"], value))
    assert list(rows) == [
        "IPC warp instructions per cycle",
        "resident warps",
        "L1 sectors per cycle",
        "L2 sectors per cycle",
        "DRAM GB/s",
    ]
    for points in rows.values():
        times = [ts for ts, _ in points]
        assert times == sorted(set(times))
        assert points[-1] == (pytest.approx(418 / CLOCK_MHZ, abs=0.001), 0)


def test_the_last_bin_is_as_long_as_the_simulation():
    events = of(events_of(small_result()), ph="C")
    values = {e["name"]: next(iter(e["args"].values())) for e in events if 0.48 < e["ts"] < 0.52}
    assert values["IPC"] == pytest.approx(4 / 34, abs=1e-6)
    assert values["resident"] == pytest.approx((16 * 2 + 34 * 2) / 34, abs=1e-6)
    assert values["DRAM"] == pytest.approx(2 / 34 * 32 * CLOCK_MHZ / 1000, abs=1e-6)


def test_a_machine_without_l2_has_no_counter_of_it():
    caches = tuple(c for c in small_result().caches if c.level != "l2")
    found = {e["name"] for e in of(events_of(small_result(caches=caches)), ph="C")}
    assert found == {"IPC", "resident", "L1", "DRAM"}


def test_ctas_are_shown_where_not_all_warps_were_kept():
    for kept, words in ((0, "were not kept"), (3, "only 3 lives were kept")):
        result = without_warps(small_result(), kept)
        events = events_of(result)
        assert not of(events, cat="warp")
        assert len(of(events, cat="CTA")) == len(LIVES)
        (note,) = [e["name"] for e in of(events, cat="note") if "CTAs are shown" in e["name"]]
        assert words in note
        assert note in json.loads(timeline_bytes(result))["otherData"]["notes"]


def test_ctas_that_are_there_together_stand_in_rows_of_their_own():
    found = lives(without_warps(small_result()), 100)
    rows = [*zip(found.launch.tolist(), found.cta.tolist(), found.row.tolist(), strict=True)]
    assert sorted(rows) == [
        (0, 0, 0),
        (0, 1, 1),
        (0, 2, 1),
        (0, 3, 0),
        (1, 0, 0),
        (2, 0, 0),
        (2, 1, 0),
    ]


def test_rows_of_many_ctas_do_not_overlap_and_are_as_few_as_can_be():
    draw = np.random.default_rng(5)
    begin = draw.integers(0, 1000, 400)
    end = begin + draw.integers(0, 90, 400)
    sm, number = draw.integers(0, 3, 400), np.arange(400)
    ctas = Ctas(number * 0, number, sm, begin, end, number, number, number)
    found = lives(without_warps(small_result(ctas=ctas)), 1000)
    assert sorted(found.cta.tolist()) == list(range(400))
    for place in range(3):
        own = found.sm == place
        for row in set(found.row[own].tolist()):
            at = own & (found.row == row)
            assert (found.begin_cycle[at][1:] >= found.end_cycle[at][:-1]).all()
        together = max(((begin <= t) & (t < end) & (sm == place)).sum() for t in range(1100))
        assert found.row[own].max() + 1 <= together + 2  # empty lives may ask for one of their own


def test_what_is_too_much_is_left_out_and_said():
    warps = len(LIVES) * WARPS
    assert len(of(events_of(small_result(), most_lives=warps), cat="warp")) == warps
    fewer = events_of(small_result(), most_lives=warps - 1)
    assert len(of(fewer, cat="CTA")) == len(LIVES)
    assert "14 warps are more than 13" in of(fewer, cat="note")[-1]["name"]
    few = events_of(small_result(), most_lives=3)
    assert [e["args"]["begin_cycle"] for e in of(few, cat="CTA")] == [0, 0, 2]
    assert "of 7 CTAs only the 3 that began first" in of(few, cat="note")[-1]["name"]


def test_a_sampled_result_says_so():
    notes = [e["name"] for e in of(events_of(sampled_result()), cat="note")]
    assert "sampled: 7 of 11 CTAs were simulated, and are shown" in notes
    assert not any("sampled" in e["name"] for e in of(events_of(small_result()), cat="note"))


def test_names_are_escaped():
    odd = 'k"\\<\x1b[31m\u202e\n\udc80µ$'
    first, *others = small_result().launches
    result = small_result(launches=(replace(first, kernel=odd), *others), machine=odd)
    data = timeline_bytes(result)
    whole = json.loads(data.decode("utf-8"))
    name = of(whole["traceEvents"], cat="launch")[0]["args"]["kernel"]
    assert name == 'k"\\<\\x1b[31m\\x202e\n?µ$'
    assert b"\x1b" not in data
    assert whole["otherData"]["machine"] == name


def test_mangled_names_are_read():
    events = of(events_of(small_result()), cat="launch")
    assert [e["name"] for e in events] == ["scale", "sum", "scale"]
    assert events[0]["args"]["kernel"] == "scale(float*, int, float)"


def test_nothing_simulated_is_a_file_too():
    result = small_result()
    none = np.zeros(0, np.int64)
    empty = replace(
        result,
        launches=(),
        ctas=Ctas(*[none] * 8),
        spans=Spans(*[none] * 6, complete=True),
        timeline=replace(
            result.timeline,
            **{key: np.zeros(1) for key in vars(result.timeline) if key != "bin_cycles"},
        ),
    )
    assert not of(events_of(empty), ph="X")


def test_the_same_result_gives_the_same_bytes(tmp_path):
    assert timeline_bytes(small_result()) == timeline_bytes(small_result())
    for name in ("a.json.gz", "b.JSON.GZ"):
        write_timeline(small_result(), tmp_path / name)
    first, second = ((tmp_path / name).read_bytes() for name in ("a.json.gz", "b.JSON.GZ"))
    assert first == second
    assert first[4:8] == bytes(4)  # no time, which would be another one tomorrow
    assert gzip.decompress(first) == timeline_bytes(small_result())


@pytest.mark.slow
def test_many_events_make_one_list():
    cycles = np.arange(25_000, dtype=np.int64)
    none = cycles * 0
    spans = Spans(none, none, none, cycles, cycles + 1, none, complete=True)
    assert len(of(events_of(small_result(spans=spans)), cat="warp")) == 25_000


def test_a_file_is_written_whole_or_not_at_all(tmp_path):
    path = tmp_path / "t.json"
    write_timeline(small_result(), str(path))
    assert path.read_bytes() == timeline_bytes(small_result())
    launches = (replace(small_result().launches[0], kernel=None),)
    with pytest.raises(Exception):  # noqa: B017 - anything that goes wrong on the way
        write_timeline(small_result(launches=launches), path)
    assert path.read_bytes() == timeline_bytes(small_result())
    assert list(tmp_path.iterdir()) == [path]


def test_a_place_that_cannot_be_written_is_told(tmp_path):
    with pytest.raises(UsageError, match=r"none/t\.json cannot be written: there is no folder"):
        write_timeline(small_result(), tmp_path / "none" / "t.json")
    with pytest.raises(UsageError, match="it is a folder"):
        write_timeline(small_result(), tmp_path)
