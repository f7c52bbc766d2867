"""What a configuration says of the network between SMs and memory."""

from __future__ import annotations

from collections.abc import Iterator

from warpmill.simulator.machines.imported.booksim import Network
from warpmill.simulator.machines.imported.settings import Settings, Stated

BOOKSIM, CROSSBAR = 1, 2
_PACKET_BYTES = 40  # a sector and its header
_SECTOR_BYTES = 32
_TARGETS = 64  # more than a queue ever has packets for different targets ready


def network_mode(s: Settings) -> int:
    """Give which network GPGPU-Sim takes: BOOKSIM or CROSSBAR."""
    mode = s.count("network_mode")
    if mode not in (BOOKSIM, CROSSBAR):
        raise s.error("network_mode", "1 (a network of booksim) or 2 (a crossbar) is needed")
    return mode


def network(s: Settings, file: Network | None) -> Iterator[Stated]:
    """Give the network; of a booksim network what its file says."""
    if network_mode(s) == CROSSBAR:
        yield from _crossbar(s)
        return
    if file is not None:
        yield from _booksim(file)
    if file is not None and file.flit_bytes is not None:
        yield Stated("icnt.flit_bytes", file.flit_bytes, f"C {file.file} flit_size")
        yield _rate(s, file.flit_bytes, f"C {file.file} flit_size")
    elif s.says("icnt_flit_size"):
        flit = s.count("icnt_flit_size", 1)
        yield s.stated("icnt.flit_bytes", flit, "icnt_flit_size")
        yield _rate(s, flit, f"C {s.source_of('icnt_flit_size')}")


def _crossbar(s: Settings) -> Iterator[Stated]:
    flit, buffer, subnets = "icnt_flit_size", "icnt_in_buffer_limit", "icnt_subnets"
    yield s.stated("icnt.topology", "crossbar", "network_mode")
    yield s.stated("icnt.latency", 1.0, "network_mode", note="a packet crosses in one cycle")
    yield s.stated("icnt.flit_bytes", s.count(flit, 1), flit)
    yield _rate(s, s.count(flit, 1), f"C {s.source_of(flit)}")
    note = "each target takes a packet a cycle, several of one sender's queue"
    yield s.stated("icnt.input_speedup", _TARGETS, "network_mode", note=note)
    if s.says(buffer):
        yield s.stated("icnt.buffer", s.count(buffer), buffer)
    if s.says(subnets):
        yield s.stated("icnt.subnets", s.count(subnets), subnets)


def _booksim(file: Network) -> Iterator[Stated]:
    """Give what a network file says; its delays are those of one router, that is of a stage."""
    if file.topology is not None:
        yield Stated("icnt.topology", file.topology, f"C {file.file} topology, k, n")
    if file.radix is not None:
        yield Stated("icnt.radix", file.radix, f"C {file.file} k")
    if file.subnets is not None:
        yield Stated("icnt.subnets", file.subnets, f"C {file.file} subnets")
    yield Stated("icnt.latency", float(file.latency_cycles), f"C {file.file}: delays of a router")


def _rate(s: Settings, flit_bytes: int, source: str) -> Stated:
    """Give the bytes that an SM gets in a cycle of its clock: a sector needs its packet's flits."""
    core, clock, _, _ = s.numbers("gpgpu_clock_domains", ":", 4)
    sharing = s.count("gpgpu_n_cores_per_cluster", 1)
    rate = _SECTOR_BYTES / -(-_PACKET_BYTES // flit_bytes) * clock / core / sharing
    note = f"{_SECTOR_BYTES} B of data and 8 B of header a packet, one port a cluster"
    return Stated("icnt.bytes_per_clk_per_sm", rate, f"{source}: {note}")
