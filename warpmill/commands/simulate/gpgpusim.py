"""A simulation in the words of GPGPU-Sim's output, so that what reads that can read this.

Each launch has its block, as GPGPU-Sim prints one when a kernel ends. ``gpu_sim_`` figures are the
launch's, all others of the simulation up to its end. Names stand only for what is known and means
the same; caches count sectors, as GPGPU-Sim does where its caches have them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from warpmill.commands.simulate.result import MachineSimulation, SimulateReport
from warpmill.simulator.gpu.result import SimResult
from warpmill.simulator.gpu.result_parts import LaunchResult, SimulatedCache, Totals

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
    """A report as lines ``name = value``."""
    lines: list[str] = []
    for one in report.simulations:
        lines.append(f"# {one.result.machine}: {one.result.machine_name}")
        if one.result.sampled:
            lines.append("# cycles are of whole launches, all else of the CTAs that were simulated")
        lines += _blocks(report, one)
    return "\n".join(lines) + "\n"


def _blocks(report: SimulateReport, one: MachineSimulation) -> Iterator[str]:
    for number, launch in enumerate(report.launches):
        done = one.result.launches[: number + 1]
        alone = [each.alone for each in done if each.alone is not None]
        yield ""
        yield f"kernel_name = {report.kernels[launch.kernel].name}"
        yield f"kernel_launch_uid = {number + 1}"
        yield f"kernel_stream_id = {done[-1].stream}"
        yield from _launch(done)
        if len(alone) == len(done):
            yield from _occupancy(done, one.result)
            yield from _memory(alone)
    yield from _whole(one)


def _launch(done: Sequence[LaunchResult]) -> Iterator[str]:
    """Cycles and instructions of the last launch, then of all so far."""
    for prefix, some in (("gpu_", done[-1:]), ("gpu_tot_", done)):
        cycles = sum(round(one.cycles) for one in some)
        yield f"{prefix}sim_cycle = {cycles}"
        known = [one.alone.thread_instructions for one in some if one.alone is not None]
        if len(known) == len(some):
            yield f"{prefix}sim_insn = {sum(known)}"
            simulated = sum(one.simulated_cycles for one in some)
            yield f"{prefix}ipc = {sum(known) / max(1, simulated):12.4f}"
    yield f"gpu_tot_issued_cta = {sum(one.ctas_simulated for one in done)}"


def _occupancy(done: Sequence[LaunchResult], result: SimResult) -> Iterator[str]:
    slots = result.warp_slots_per_sm * max(1, sum(1 for sm in result.per_sm if sm.ctas))
    for name, some in (("gpu_occupancy", done[-1:]), ("gpu_tot_occupancy", done)):
        cycles = [each.simulated_cycles for each in some]
        resident = sum((x.resident_warps or 0) * n for x, n in zip(some, cycles, strict=True))
        yield f"{name} = {100 * resident / max(1, sum(cycles)) / slots:.4f}%"


def _memory(done: Sequence[Totals]) -> Iterator[str]:
    """Statistics of caches and DRAM so far."""
    for level, name in _CACHES.items():
        found = [c for one in done for c in one.caches if c.level == level and c.accesses]
        if not found:
            continue
        accesses, misses = sum(c.accesses for c in found), sum(map(_misses, found))
        tab = "\t" if name.startswith("L1") else ""
        yield f"{tab}{name}_accesses = {accesses}"
        yield f"{tab}{name}_misses = {misses}"
        yield f"{tab}{name}_miss_rate = {misses / accesses:.4f}"
        yield f"{tab}{name}_pending_hits = {sum(c.pending for c in found)}"
    yield f"total dram reads = {sum(one.dram_reads for one in done)}"
    yield f"total dram writes = {sum(one.dram_writes for one in done)}"


def _misses(cache: SimulatedCache) -> int:
    """Misses as GPGPU-Sim counts them, where a store whose sector L2 does not have is one."""
    stores = cache.write_accesses - cache.write_hits if cache.level == "l2" else 0
    return cache.misses + stores


def _whole(one: MachineSimulation) -> Iterator[str]:
    """Statistics of the whole simulation, at its end."""
    result = one.result
    for name, opcodes, spaces in _KINDS:
        found = [
            x.result.thread_instructions
            for x in one.instructions
            if x.space in spaces and x.opcode.split(".")[0] in opcodes
        ]
        yield f"{name} = {sum(found)}"
    yield f"gpgpu_n_shmem_bkconflict = {result.bank_conflicts}"
    yield f"gpgpu_n_tot_w_icount = {result.warp_instructions}"
    yield f"icnt_total_pkts_simt_to_mem = {result.packets_to_l2}"
    yield f"icnt_total_pkts_mem_to_simt = {result.packets_from_l2}"
