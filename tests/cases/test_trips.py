"""Trip counts that a launch decides: numba's ranges, and loops that count in memory."""


def test_a_loop_counted_in_the_local_depot(warpmill):
    launch = "--grid 4 --block 64 --arg buffer=f32:65536 --arg i32=20 -f json"
    case = "70-loop-counted-in-memory"
    (analysis,) = warpmill(case, "analyze kernel.ptx", launch).data["analyses"]
    (loop,) = analysis["loops"]
    assert loop["bound"]["trip_count"] == "max(0, n)"
    assert (loop["in_launch"]["low"], loop["in_launch"]["high"]) == (20, 20)
    (traced,) = warpmill(case, "trace kernel.ptx --compare", launch).data["launches"]
    assert traced["traced"]["assumptions"] == []
    beside = traced["beside_executed"]["comparison"]
    assert beside["equal_warps"] == beside["warps"] == 8


def test_a_range_of_numba_counts_down(warpmill):
    (analysis,) = warpmill("84-countdown-selp", "analyze kernel.ptx -f json").data["analyses"]
    assert [loop["bound"]["trip_count"] for loop in analysis["loops"]] == ["max(1, n)"]
    launch = "--grid 2 --block 32 --arg buffer=u64:64 --arg 37"
    (traced,) = warpmill("84-countdown-selp", f"trace kernel.ptx --compare -f json {launch}").data[
        "launches"
    ]
    assert traced["traced"]["assumptions"] == []
    assert traced["beside_executed"]["comparison"]["equal_warps"] == 2


def test_a_pointer_that_ways_choose_may_lie_in_memory(warpmill):
    launch = "--grid 2 --block 64 --arg buffer=f32:64 --arg buffer=f32:64 --arg 16"
    (analysis,) = warpmill("70b-pointer-in-memory", "analyze kernel.ptx -f json", launch).data[
        "analyses"
    ]
    assert [a["access"]["space"] for a in analysis["accesses"]].count("global") == 2


def test_counters_of_bytes_flags_and_those_beside_an_array_in_one_depot(warpmill):
    launch = "--grid 2 --block 64 --arg buffer=i32:64 --arg 20 -f json"
    case = "70c-narrow-counters"
    (analysis,) = warpmill(case, "analyze kernel.ptx", launch).data["analyses"]
    assert [loop["in_launch"]["high"] for loop in analysis["loops"]] == [20, 20, 8, 20]
    (traced,) = warpmill(case, "trace kernel.ptx --compare", launch).data["launches"]
    assert traced["traced"]["assumptions"] == []
    assert traced["beside_executed"]["comparison"]["equal_warps"] == 4


def test_a_counter_and_a_flag_that_one_thread_keeps_in_shared_memory(warpmill):
    """``count`` goes to 20; ``i`` goes by 3 until it is 20 or more: 7 times."""
    launch = "--grid 2 --block 64 --arg buffer=i32:64 --arg 20 -f json"
    case = "70d-shared-counters"
    (analysis,) = warpmill(case, "analyze kernel.ptx", launch).data["analyses"]
    assert [loop["in_launch"]["high"] for loop in analysis["loops"]] == [20, 7]
    assert [loop["marks"]["in_launch.high"] for loop in analysis["loops"]] == ["assumed"] * 2
    (traced,) = warpmill(case, "trace kernel.ptx --compare", launch).data["launches"]
    assert len(traced["traced"]["assumptions"]) == 2
    assert traced["beside_executed"]["comparison"]["equal_warps"] == 4
