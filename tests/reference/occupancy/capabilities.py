"""What NVIDIA's documents say of each compute capability (capabilities.toml)."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

_FILE = Path(__file__).with_name("capabilities.toml")
KIB = 1024
WARP_SIZE = 32  # of all that NVIDIA has made


@dataclass(frozen=True)
class Capability:
    """The limits of one SM and one CTA. ``machine`` is a packaged machine of this capability.

    ``shared_sizes_kib`` are those that the shared memory of an SM can be set to, ``optin`` what a
    CTA may have when its kernel opts in, ``reserved_bytes`` what the driver takes of every CTA.
    """

    name: str
    works: tuple[str, ...]
    machine: str
    threads_per_block: int
    threads_per_sm: int
    blocks_per_sm: int
    registers_per_sm: int
    registers_per_block: int
    registers_per_thread: int
    shared_kib_per_sm: int
    shared_kib_per_block: int
    shared_kib_optin: int
    reserved_bytes: int
    shared_sizes_kib: tuple[int, ...]

    @property
    def device(self) -> tuple[int, ...]:
        """The device properties in the order in which ask_header.c reads them."""
        major, minor = map(int, self.name.split("."))
        return (
            *(major, minor, self.threads_per_block, self.threads_per_sm),
            *(self.registers_per_block, self.registers_per_sm, WARP_SIZE),
            *(self.shared_kib_per_block * KIB, self.shared_kib_per_sm * KIB),
            *(self.shared_kib_optin * KIB, self.reserved_bytes),
        )


def capabilities() -> dict[str, Capability]:
    """All compute capabilities of the table by their names, "3.0" to "10.0"."""
    data = tomllib.loads(_FILE.read_text("utf-8"))
    found = {}
    for name, entry in data["capability"].items():
        assert set(entry["works"]) <= set(data["works"]), name
        lists = {key: tuple(value) for key, value in entry.items() if isinstance(value, list)}
        found[name] = Capability(name=name, **entry | lists)
    return found
