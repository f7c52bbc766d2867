"""Races that `warpmill check` tells of, with both accesses, and programs without any."""


def checked(warpmill, folder, words):
    """Check a launch for races: the exit code and the report."""
    said = warpmill(folder, f"check {words} --tool racecheck --format json")
    return said.code, said.data


def lines(finding):
    return finding["access"]["place"]["line"], finding["other"]["place"]["line"]


def test_a_race_between_warps_on_shared_memory(warpmill):
    """128 threads read what those of the other half write: a barrier is missing between."""
    launch = "--grid 1 --block 256 --arg buffer=i32:256:arange --arg buffer=i32:256"
    code, report = checked(warpmill, "14-shared-race-missing-barrier", f"kernel.ptx {launch}")
    assert code == 1
    (found,) = report["findings"]  # whichever of the two accesses comes first
    assert (lines(found), found["kind"], found["count"]) == ((48, 54), "race", 256)
    assert (found["access"]["thread"], found["other"]["thread"]) == ([128, 0, 0], [127, 0, 0])
    assert (found["access"]["value"], found["other"]["value"]) == ("0x80", "0x0")


def test_a_race_between_ctas_on_global_memory(warpmill):
    launch = "--grid 8 --block 32 --arg buffer=i32:1 --arg buffer=i32:1"
    code, report = checked(warpmill, "15-global-race-between-ctas", f"kernel.ptx {launch}")
    assert code == 1
    assert sorted(map(lines, report["findings"])) == [(34, 34), (35, 37), (37, 37)]
    assert all(f["access"]["cta"] != f["other"]["cta"] for f in report["findings"])


def test_a_missing_barrier_and_the_same_kernel_with_it(warpmill):
    folder = "64-missing-syncthreads"
    code, report = checked(warpmill, folder, "batched_ok.toml --size batch=64")
    assert (code, report["verdict"]) == (0, "clean")
    code, report = checked(warpmill, folder, "batched_race.toml --size batch=64")
    assert code == 1
    sources = {
        (f["access"]["source"]["line"], f["other"]["source"]["line"]) for f in report["findings"]
    }
    assert (14, 16) in sources  # the read of s[k][k], and the update before it
