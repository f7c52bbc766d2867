"""Telling that warps wait in loops for what will never happen.

A CTA is a deterministic machine: where the registers and stacks of all its warps are what they were
before, and no memory has changed in between, it goes round for ever. Snapshots are compared as
Brent's method for cycles has it: with one kept, which is renewed at every power of two.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class SpinWatch:
    """Looks at a CTA each time that it has run for a while."""

    _key: tuple[int, int] | None = None
    _records: bytes = b""
    _looks: int = 0
    _renew: int = 1

    def is_spinning(self, cta: int, stores: int, records: bytes) -> bool:
        """Tell whether the CTA is where it was, ``stores`` counting the changes of memory."""
        if self._key == (cta, stores):
            if records == self._records:
                return True
            self._looks += 1
            if self._looks < self._renew:
                return False
            self._renew *= 2
        else:
            self._looks, self._renew = 0, 1
        self._key, self._records, self._looks = (cta, stores), records, 0
        return False
