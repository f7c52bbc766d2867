"""Made-up kept results for tests of docs/validation.md: as little as the page needs."""

from __future__ import annotations

from benchmarks.accuracy import Accuracy, DatasetAccuracy
from benchmarks.accuracy.figures import groups
from benchmarks.validation import by_engine
from tests.unit.accuracy_rows import row

COMPUTER = {"processor": "a processor", "python": "3.11.7", "cores": 2}
FRESH = {"date": "2026-11-23", "version": "0.1.0", "fresh": True, "changed": []}
HOTSPOT = {"table": "kt_hotspot", "dataset": "kt_hotspot", "kernel": "hotspot", "gpu": "RTX_A4000"}
MEASURED = [
    *(row(n, 1.0 + n, 1.1 * (1.0 + n)) for n in range(4)),
    *(row(n, 1.0 + n, 1.2 + n, **HOTSPOT) for n in range(5)),
    row(9, 1.0, 1.5, kernel="scan"),
    row(10, 1.0, None, kernel="scan", problem="it took more than 60 s"),
    *(row(n, 1.0, None, kernel="sort", problem="no such texture") for n in (12, 13)),
    row(11, 1.0, 9.0, table="small", dataset="gpubench_small_kernels"),
]


def changed(number):
    """When a result was measured since when so many files have changed."""
    files = [f"simulator/file{n}.py" for n in range(number)]
    return {**FRESH, "fresh": not files, "changed": files}


def accuracy(*engines, unfinished=(), **more):
    """What is kept of engines."""
    parts = {"all": DatasetAccuracy(groups=groups(MEASURED), simulated_too=groups(MEASURED[:1]))}
    own = by_engine({name: Accuracy(engine=name, tables={}, parts=parts) for name in engines})
    state = {name: {**FRESH, "unfinished": list(unfinished)} for name in engines}
    told = {"missing": [], "tables": {}, "computer": COMPUTER, **FRESH, "by_engine": state}
    return {**own, **told, **more}


def simulate(**more):
    """What is kept of simulations beside GPGPU-Sim: three launches of two programs."""
    launches = [_launch("matmul", 105), _launch("matmul", 99), _launch("spmv", 70)]
    count = {"config": "SM7_QV100", "suite": "own", "input": "1", "launch": 1, "reference": 100}
    off = [
        {**count, "program": "matmul", "count": "warp_insts", "ours": 99, "off": 0.01},
        {**count, "program": "spmv", "count": "l1d_accesses", "ours": 120, "off": 0.2},
    ]
    equal = {"thread_insts": [3, 3], "warp_insts": [2, 3], "global_read_transactions": [3, 3],
             "global_write_transactions": [0, 3], "l1d_accesses": [1, 3]}  # fmt: skip
    found = {
        "rows": 3, "mape": 0.165, "bias": -0.0867, "worst": launches[2], "pearson": None,
        "mape_by_program": {"matmul": 0.03, "spmv": 0.3}, "l1_hit_error_points": 1.0,
        "l2_hit_error_points": None, "counts_equal": equal, "counts_exact": equal,
        "counts_off": off, "ctas_per_sm_equal": [3, 3], "limiters_equal": [2, 3],
        "agreement_rows": launches,
    }  # fmt: skip
    return {"gpgpusim": found, **_speeds(), "computer": COMPUTER, **FRESH, **more}


def _launch(program, cycles):
    return {
        "suite": "own", "program": program, "input": "1", "config": "SM7_QV100", "launch": 1,
        "cycles": [cycles, 100], "error": cycles / 100 - 1, "l1_hit_rate": [0.5, None],
        "l2_hit_rate": [0.5, 0.25], "ctas_per_sm": [4, 4],
        "counts": {"global_read_transactions": [5, 6], "global_write_transactions": [7, 7]},
    }  # fmt: skip


def _speeds():
    rows = [
        {"name": name, "launches": 1, "warp_insts": 1000, "warp_inst_per_s": rate,
         "total_warp_inst_per_s": rate / 2, "engine_s": 0.5, "load": 1.0}
        for name, rate in (("quick", 9e6), ("slow", 1e6))
    ]  # fmt: skip
    longer = {"program": "slow", "input": "1", "sms": 80, "warp_insts": 9, "engine_s": 1.0,
              "over_linear": 1.0}  # fmt: skip
    return {
        "speed_rows": rows, "warp_inst_per_s": 3e6, "total_warp_inst_per_s": 1.5e6,
        "longer_rows": [longer], "wider_rows": [{**longer, "same_work": True}],
        "peak_warp_insts": 1000, "peak_bytes": 9e6, "peak_bytes_before_simulating": 4e6,
    }  # fmt: skip


def tbpoint(**more):
    """What is kept of TBPoint: three kernels, of which one is far off on another machine."""
    rows = [_kernel("cfd", -1.0), _kernel("mst", 0.0, half_width=None, held=None),
            _kernel("sssp", -4.0, held=False)]  # fmt: skip
    others = [_kernel("cfd", -9.0), _kernel("mst", 0.0), _kernel("sssp", 2.0)]
    goals = [
        {"what": "largest error, %", "figure": "worst_error", "wanted": 5.0, "here": 4.0,
         "reached": True},
        {"what": "size, %", "figure": "size", "wanted": 2.0, "here": 6.0, "reached": False},
        {"what": "nobody knows", "figure": "none", "wanted": 2.0, "here": None, "reached": False},
    ]  # fmt: skip
    return {
        "error_geomean": 0.3, "error_mean": 1.67, "worst_error": 4.0, "worst_sensitivity": 9.0,
        "sample_geomean": 6.0, "intervals": {"held": 1, "of": 2}, "speedup": 7.0, "rows": rows,
        "others": {"W48 S7": others}, "goals": goals, "computer": COMPUTER, **FRESH, **more,
    }  # fmt: skip


def _kernel(name, error, half_width=2.0, held=True):
    return {"workload": name, "launches": 2, "ctas": 1234, "error": error, "held": held,
            "half_width": half_width, "sample": 10.0}  # fmt: skip


def gtpin(**more):
    """What is kept of GT-Pin: an application with a large error of its own, one elsewhere."""
    rows = [
        _application("ocean", 0.1, {"seed 7": {"unknown": "other launches"}}, 0.2),
        _application("faces", 4.0, {"seed 7": {"error": 5.0}}, 4.5),
        _application("aes", 0.3, {"seed 7": {"error": 0.4}}, 33.0),
    ]
    goal = {"what": "pairs, %", "figure": "pairs", "wanted": ">= 90", "here": 68.0,
            "reached": False}  # fmt: skip
    least = {"error": 1.47}
    return {
        "machine": "quadro_k600", "least_error": least, "threshold10": {}, "rows": rows,
        "universal": {"division": "sync", "feature": "BB"}, "goals": [goal],
        "computer": COMPUTER, **FRESH, **more,
    }  # fmt: skip


def _application(name, error, trials, on_a100):
    validation = {
        "trials": trials,
        "clocks": {"350 MHz": {"error": error}, "700 MHz": {"error": error / 2}},
        "machines": {"v100": {"error": 0.0}, "a100": {"error": on_a100}},
    }
    own = {"error": error, "speedup": 99.0, "validation": validation}
    return {"application": name, "launches": 400, "least_error": own,
            "universal": {"error": 1.0, "speedup": 9.0}}  # fmt: skip


NOTHING = dict.fromkeys(("accuracy", "error_bands", "engines", "simulate", "tbpoint", "gtpin"))


def error_bands(**more):
    """What is kept of error bands: twelve kernels on two GPUs, half of them too fast."""
    kernels = [_measured(f"k{n}", gpu, (-0.1, 0.02 * n)[n % 2]) for n in range(12) for gpu in "ab"]
    told = {"tables": {}, "missing": [], "computer": COMPUTER, **FRESH}
    return {"kernels": kernels, **told, **more}


def _measured(kernel, gpu, error):
    bound = "dram_bandwidth" if error < 0 else "fma_pipe"
    rows = [{"error": error + step, "time_us": 20.0, "shares": {bound: 0.9, "launch": 0.1}}
            for step in (-0.01, 0.0, 0.01)]  # fmt: skip
    return {"dataset": "simple16", "kernel": kernel, "gpu": gpu, "capability": 80, "rows": rows}


def engines(**more):
    """What is kept of the two engines beside each other: one launch near, two apart."""
    rows = [_beside("near", 1.0, 1.1), _beside("far", 2.0, 1.0), _beside("further", 1.0, 3.0)]
    figures = {"engines_apart": 66.67, "engines_compared": 3, "engines_ratio_median": 0.909}
    differs = {"L2 latency": 2}
    return {**figures, "differs": differs, "rows": rows, "computer": COMPUTER, **FRESH, **more}


def _beside(workload, estimated, simulated):
    differs = {"cause": "L2 latency", "estimated_us": estimated, "simulated_us": simulated}
    return {"workload": workload, "launch": 0, "machine": "a100", "estimated_us": estimated,
            "simulated_us": simulated, "bound": "L2 latency", "waits": "Stall Drain",
            "differs": differs}  # fmt: skip


def everything(**more):
    """All kept results, some of them others."""
    made = {"accuracy": accuracy("estimate", "simulate"), "simulate": simulate(),
            "error_bands": error_bands(), "engines": engines(),
            "tbpoint": tbpoint(), "gtpin": gtpin()}  # fmt: skip
    return {**made, **more}
