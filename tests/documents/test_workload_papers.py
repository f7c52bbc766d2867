"""The workloads beside the papers: which benchmarks there are, and how large their presets are."""

import pytest

from warpmill.analyzer.frontends.load import kernel_names
from warpmill.session.dfsgs import dfsgs
from warpmill.session.options import LaunchOptions
from warpmill.session.workload_runs import read_figures
from warpmill.session.workloads import kept_text, workloads

TABLE_IV = {
    "backprop": {"bpnn_adjust_weights", "bpnn_layerforward"},
    "bfs": {"BFS_1", "BFS_2"},
    "b+tree": {"findK", "findRangeK"},
    "cfd": {"compute_flux", "compute_step_factor", "initialize_variables", "memset", "time_step"},
    "hotspot": {"hotspot"},
    "kmeans": {"kmeans_c", "kmeans_swap"},
    "lud": {"lud_internal"},
    "nn": {"nearestNeighbor"},
    "nw": {"nw_kernel1", "nw_kernel2"},
    "particlefilter": {"particle_naive"},
    "pathfinder": {"dynproc"},
}
"""The 20 kernels of the hybrid paper's Table IV."""

SECTION_VI = {"lane-detection": {"KERNEL_PRE", "KERNEL_LD", "KERNEL_PF"}}

TABLE_VI = {  # launches, CTAs, type
    "bfs-frontier": (41, 10619, "I"),
    "sssp": (49, 12691, "I"),
    "mst": (9, 2331, "I"),
    "mri-gridding": (7, 18158, "I"),
    "spmv-csr": (50, 38250, "II"),
    "lbm": (6, 108000, "II"),
    "cfd": (100, 50600, "II"),
    "kmeans": (30, 58080, "II"),
    "hotspot": (1, 1849, "II"),
    "streamcluster": (21, 2688, "I"),
    "blackscholes": (87, 41760, "II"),
    "convolution-separable": (11, 202752, "II"),
}
"""TBPoint's."""

TABLE_4 = {  # threads a CTA, thread instructions
    "aes-128": (256, 28e6),
    "bfs-gpgpusim": (512, 17e6),
    "cp": (128, 126e6),
    "lps": (128, 82e6),
    "ray": (128, 71e6),
    "sto": (128, 134e6),
    "backprop": (512, 193e6),
    "bfs": (512, 28e6),
    "hotspot": (256, 80e6),
    "nw": (16, 3.4e6),
    "matmul": (64, 78e6),
}
"""Stargazer's."""


TABLE_2 = {
    "BFS": "bfs", "BLK": "blackscholes", "CL": "streamcluster", "HS": "hotspot", "KM": "kmeans",
    "LIB": "libor", "LU": "lud", "LV": "lavamd", "MM": "matmul", "MT": "transpose",
    "MUM": "mummer", "NE": "nn", "NN": "neural-network", "NW": "nw", "PF": "pathfinder",
    "PNS": "pns", "RPES": "rpes", "SLA": "scan-large", "SP": "scalar-product", "TPACF": "tpacf",
    "CP": "cp", "LPS": "lps", "SR": "srad",
}  # fmt: skip
"""MiniBench's; the paper names 20 of its 23, the last three have loops."""

TABLE_I = {
    "Graphics T-Rex", "Physics Ocean Surf", "Physics Part Sim 64K", "Throughput Bitcoin",
    "Vision Facedetect", "Vision Tv-l1-of", "Graphics Provence", "Gaussian Buffer",
    "Gaussian Image", "Histogram Buffer", "Histogram Image", "Physics Part Sim 32K",
    "Throughput Ao", "Throughput Juliaset", "Vision Face Detect", "Crypto Aes128",
    "Crypto Aes256", "Processor GPU", *(f"Press Project Region {n}" for n in range(1, 8)),
}  # fmt: skip
"""GT-Pin's."""


def facts(paper):
    return {n: getattr(w.form.paper, paper) for n, w in workloads().items()
            if getattr(w.form.paper, paper) is not None}  # fmt: skip


def test_all_kernels_of_the_hybrid_paper_are_there_in_opencl():
    wanted = TABLE_IV | SECTION_VI
    assert sum(map(len, TABLE_IV.values())) == 20
    assert {name: set(fact.kernels) for name, fact in facts("hybrid").items()} == wanted
    for name, fact in facts("hybrid").items():
        workload = workloads()[name]
        files = [workload.module_file(m.name, "opencl") for m in workload.form.module]
        assert set(fact.kernels.values()) <= {k for file in files for k in kernel_names(file)}


def test_what_is_said_of_tbpoint_and_stargazer_is_what_they_print():
    found = {n: (f.launches, f.ctas, f.type) for n, f in facts("tbpoint").items()}
    assert found == TABLE_VI
    found = {n: (f.threads_per_block, f.thread_instructions) for n, f in facts("stargazer").items()}
    assert found == TABLE_4


def test_minibench_s_benchmarks_are_there_by_name():
    assert len(TABLE_2) == 23
    assert {fact.name: name for name, fact in facts("minibench").items()} == TABLE_2
    without = {fact.name for fact in facts("minibench").values() if not fact.loops}
    assert without == {"BFS", "MT", "NE"}


def test_gt_pin_s_applications_are_there_with_two_inputs():
    assert len(TABLE_I) == 25
    named = [a for fact in facts("gtpin").values() for a in fact.applications.values()]
    assert sorted(named) == sorted(TABLE_I)
    for name, fact in facts("gtpin").items():
        presets, sizes = fact.applications, read_figures(workloads()[name])
        assert {p for p in workloads()[name].presets if p.startswith("paper-gtpin")} == {
            f"{preset}{second}" for preset in presets for second in ("", "-b")
        }
        for preset in presets:
            for own in (preset, f"{preset}-b"):
                assert 0.5e8 <= sizes[own].total.warp_instructions <= 2e8
                assert sizes[own].total.launches >= 100


@pytest.mark.parametrize("name", ["kmeans", "ray", "gaussian-image", "histogram-image"])
def test_textures_are_read_where_the_originals_do(name):
    workload = workloads()[name]
    files = [workload.module_file(m.name, "sm_80") for m in workload.form.module]
    assert any("\ttex." in (kept_text(file) or "") for file in files)


@pytest.mark.parametrize("name", workloads())
def test_every_workload_has_its_presets(name):
    workload = workloads()[name]
    every = ("hybrid", "tbpoint", "stargazer", "minibench", "gtpin")
    papers = {p for p in every if name in facts(p)}
    assert papers == set(every) & set(workload.form.papers)
    assert workload.presets[:2] == ("tiny", "small")
    for paper in papers:
        assert any(preset.startswith(f"paper-{paper}") for preset in workload.presets)
    assert len(workload.form.left_out.strip().splitlines()) <= 2
    assert 1e6 <= read_figures(workload)["small"].total.warp_instructions <= 1e7


@pytest.mark.parametrize("name", TABLE_VI)
def test_launches_and_ctas_are_those_of_tbpoint(name):
    launches, ctas, _ = TABLE_VI[name]
    workload = workloads()[name]
    main = read_figures(workload)["paper-tbpoint"].of_kernel(workload.form.main_kernel)
    assert main.launches == pytest.approx(launches, rel=0.1)
    assert main.ctas == pytest.approx(ctas, rel=0.1)


@pytest.mark.parametrize("name", TABLE_4)
def test_instructions_and_threads_are_those_of_stargazer(name):
    threads, instructions = TABLE_4[name]
    workload = workloads()[name]
    figures = read_figures(workload)["paper-stargazer"]
    main = figures.of_kernel(workload.form.main_kernel)
    assert figures.total.thread_instructions == pytest.approx(instructions, rel=0.25)
    assert main.threads == main.ctas * threads


def test_kmeans_has_the_entry_of_figure_13():
    """GPGPU-MiniBench: 57,600 threads come to block 0, 51,200 go to block 1, 6,400 to the exit."""
    graphs = dfsgs("kmeans:paper-minibench", launch=LaunchOptions(sizes={"iterations": 1}))
    graph = next(g for g in graphs if g.launch.kernel == "kmeans_c")
    assert (graph.nodes[0].ecount, graph.nodes[0].threads) == (57600, 57600)
    ways = {e.target: e.tcount for e in graph.edges if e.source == 0}
    assert sorted(ways.values()) == [6400, 51200]
    assert ways[1] == 51200
    (exit_,) = set(ways) - {1}
    assert {e.target for e in graph.edges if e.source == exit_} == {None}
