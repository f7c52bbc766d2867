"""A simulation in the words of GPGPU-Sim's output, so that what reads that can read this.

Each launch has its block, as GPGPU-Sim prints one when a kernel ends. ``gpu_sim_`` figures are the
launch's, all others of the simulation up to its end. Names stand only for what is known and means
the same; caches count sectors, as GPGPU-Sim does where its caches have them.
"""

from __future__ import annotations

from collections.abc import Iterator

from warpmill.commands.simulate.launch import SimulatedLaunchFigures
from warpmill.commands.simulate.machine import MachineSimulation
from warpmill.commands.simulate.result import SimulateReport

_CACHES = {
    "l1": "L1D_total_cache",
    "const": "L1C_total_cache",
    "tex": "L1T_total_cache",
    "icache": "L1I_total_cache",
    "l2": "L2_total_cache",
}
_KINDS = (
    ("gpgpu_n_load_insn", ("ld", "ldu", "atom", "red"), ("global", "local", "generic")),
    ("gpgpu_n_store_insn", ("st",), ("global", "local", "generic")),
    ("gpgpu_n_shmem_insn", ("ld", "st", "atom", "red"), ("shared",)),
    ("gpgpu_n_param_insn", ("ld",), ("param",)),
    ("gpgpu_n_const_insn", ("ld",), ("const",)),
)
"""Memory instructions of threads: the name there, and the opcodes and spaces here."""


def gpgpusim_text(report: SimulateReport) -> str:
    """Write a report as lines ``name = value``."""
    lines: list[str] = []
    for one in report.simulations:
        lines.append(f"# {one.machine}: {one.machine_name}")
        if one.sampled:
            lines.append("# cycles are of whole launches, all else of the CTAs that were simulated")
        lines += _blocks(report, one)
    return "\n".join(lines) + "\n"


def _blocks(report: SimulateReport, one: MachineSimulation) -> Iterator[str]:
    for number, launch in enumerate(report.launches):
        done = one.launches[: number + 1]
        yield ""
        yield f"kernel_name = {report.kernels[launch.kernel].name}"
        yield f"kernel_launch_uid = {number + 1}"
        yield f"kernel_stream_id = {launch.stream}"
        yield from _launch(done)
        yield from _occupancy(done, one)
        if all(each.caches is not None for each in done):
            yield from _memory(done)
    yield from _whole(one)


def _launch(done: list[SimulatedLaunchFigures]) -> Iterator[str]:
    """Give cycles and instructions of the last launch, then of all so far."""
    for prefix, some in (("gpu_", done[-1:]), ("gpu_tot_", done)):
        cycles = sum(round(one.cycles) for one in some)
        threads = [one.thread_instructions for one in some]
        yield f"{prefix}sim_cycle = {cycles}"
        known = [count for count in threads if count is not None]
        if len(known) == len(threads):
            yield f"{prefix}sim_insn = {sum(known)}"
            simulated = sum(one.end_cycle - one.begin_cycle for one in some)
            yield f"{prefix}ipc = {sum(known) / max(1, simulated):12.4f}"
    yield f"gpu_tot_issued_cta = {sum(one.ctas_simulated for one in done)}"


def _occupancy(done: list[SimulatedLaunchFigures], one: MachineSimulation) -> Iterator[str]:
    slots = one.occupancy.warps_per_sm * max(1, sum(1 for sm in one.per_sm if sm.ctas))
    for name, some in (("gpu_occupancy", done[-1:]), ("gpu_tot_occupancy", done)):
        if any(each.resident_warps is None for each in some):
            continue
        cycles = [each.end_cycle - each.begin_cycle for each in some]
        resident = sum((x.resident_warps or 0) * n for x, n in zip(some, cycles, strict=True))
        yield f"{name} = {100 * resident / max(1, sum(cycles)) / slots:.4f}%"


def _memory(done: list[SimulatedLaunchFigures]) -> Iterator[str]:
    """Give what caches and DRAM have done so far."""
    for level, name in _CACHES.items():
        found = [c for one in done for c in one.caches or () if c.level == level]
        if not found:
            continue
        accesses, misses = sum(c.accesses for c in found), sum(c.misses for c in found)
        tab = "\t" if name.startswith("L1") else ""
        yield f"{tab}{name}_accesses = {accesses}"
        yield f"{tab}{name}_misses = {misses}"
        yield f"{tab}{name}_miss_rate = {misses / accesses:.4f}"
        yield f"{tab}{name}_pending_hits = {sum(c.pending for c in found)}"
    yield f"total dram reads = {sum(one.dram_reads or 0 for one in done)}"
    yield f"total dram writes = {sum(one.dram_writes or 0 for one in done)}"


def _whole(one: MachineSimulation) -> Iterator[str]:
    """Give what is known of the whole simulation only, at its end."""
    for name, opcodes, spaces in _KINDS:
        found = [
            x.thread_issues
            for x in one.instructions
            if x.space in spaces and x.opcode.split(".")[0] in opcodes
        ]
        yield f"{name} = {sum(found)}"
    yield f"gpgpu_n_shmem_bkconflict = {one.shared.bank_conflicts}"
    yield f"gpgpu_n_tot_w_icount = {one.warp_instructions}"
    yield f"icnt_total_pkts_simt_to_mem = {one.moved.packets_to_l2}"
    yield f"icnt_total_pkts_mem_to_simt = {one.moved.packets_from_l2}"
