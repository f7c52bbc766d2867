"""Whether a fault matters, seen from outside: results that depend on what lies where nothing is.

Memory is filled with a pattern around every buffer, in what nobody has written, and in shared
memory when a CTA begins; where two patterns leave two results, a kernel has read or written what it
may not. No sanitizer takes part. Faults of bounds and of initialisation are chosen by that: most
comparisons are never decided by their last value, and most stores are not the first.
"""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from warpmill.analyzer.base.diagnostics import InputError, LimitError
from warpmill.analyzer.ir.kernel import Kernel
from warpmill.benchmarks.check.planting import LIMIT_S, Fault, TextEdit, edited
from warpmill.benchmarks.check.subjects import Subject, Texts
from warpmill.executor.faults import ExecutionFault
from warpmill.executor.host.backend import Bytes
from warpmill.executor.host.cpu_device import CpuBackend, CpuOptions
from warpmill.session.options import RunOptions
from warpmill.session.runs import cpu_options

PAD_BYTES = 1 << 14
"""Bytes of the pattern before and behind each buffer."""
PATTERNS = (0x00, 0x3C)
"""Bytes that memory is filled with: of zeros, and of numbers near 0.01 and 10^9.

Of each further buffer they are a little more, so that one copied to the other is told.
"""


class PatternBackend(CpuBackend):
    """The executor, with a pattern around every buffer and in what nobody has written.

    What a kernel writes around them changes nothing else, and ``is_whole`` says that it did not.
    The host sees zeros in place of words that nobody has written: a result that is missing is no
    use of what was there.
    """

    def __init__(self, options: CpuOptions, pattern: int) -> None:
        super().__init__(options)
        self._pattern = pattern
        self._made: dict[int, tuple[int, int]] = {}  # by address: size and pattern
        self._was_whole = True

    def allocate(self, size: int, name: str | None, *, zeroed: bool) -> int:
        """New memory between two pads."""
        start = super().allocate(size + 2 * PAD_BYTES, name, zeroed=zeroed)
        whole = self.memory.view(start, size + 2 * PAD_BYTES)
        pattern = self._pattern + len(self._made) % 64
        whole[:] = pattern
        if zeroed:
            whole[PAD_BYTES : PAD_BYTES + size] = 0
        self._made[start + PAD_BYTES] = size, pattern
        return start + PAD_BYTES

    def free(self, address: int) -> None:
        """Free memory with its pads."""
        self._was_whole &= self._is_kept(address, *self._made.pop(address))
        super().free(address - PAD_BYTES)

    def read(self, address: int, size: int, stream: int) -> Bytes:
        """Copy to the host."""
        data = super().read(address, size, stream)
        start = max(at for at in self._made if at <= address)
        words = data[: size // 4 * 4].view(np.uint32)
        words[words == _word(self._made[start][1])] = 0
        return data

    @property
    def is_whole(self) -> bool:
        """Whether no pad was written to."""
        return self._was_whole and all(self._is_kept(at, *one) for at, one in self._made.items())

    def _is_kept(self, address: int, size: int, pattern: int) -> bool:
        pads = (self.memory.view(at, PAD_BYTES) for at in (address - PAD_BYTES, address + size))
        return all(bool(np.all(pad == pattern)) for pad in pads)


def is_pattern_read(subject: Subject, kernel: Kernel, fault: Fault) -> bool:
    """Whether results of a planted subject depend on the pattern, or a pad is written to.

    A launch that ends with a fault counts, one that does not end does not.
    """
    outcomes = []
    for pattern in PATTERNS:
        texts = fault.planted(subject.texts)
        if fault.fault_class == "initialisation":
            texts = _with_pattern(subject, kernel, fault, pattern)
        found = outcome(subject, texts, pattern)
        if found in {FAULT, WRITTEN}:
            return True
        if found == LIMIT:
            return False
        outcomes.append(found)
    return outcomes[0] != outcomes[1]


FAULT, WRITTEN, LIMIT = "ended by a fault", "a pad was written to", "did not end"


def outcome(subject: Subject, texts: Texts, pattern: int) -> str:
    """Digest of a subject's results over memory with a pattern, or why there are none."""
    options = RunOptions(max_seconds=LIMIT_S)
    backend = PatternBackend(cpu_options(options), pattern)
    try:
        run = subject.run(replace(options, device=backend), texts)
    except ExecutionFault:
        return FAULT
    except (LimitError, InputError):
        return LIMIT
    if not backend.is_whole:
        return WRITTEN
    return " ".join(one.sha256 for one in run.buffers)


def _with_pattern(subject: Subject, kernel: Kernel, fault: Fault, pattern: int) -> Texts:
    """The subject's modules with the fault, and the pattern where nothing is written at entry.

    That is shared memory, and the register whose first value is left out.
    """
    text = subject.texts[fault.module]
    moved = _MOVED.match(fault.before(subject.texts))
    filling = _FILLING.format(word=_word(pattern))
    if moved is not None:
        filling += f"mov.b{moved[1]} {moved[2]}, {_word(pattern, int(moved[1]))}; "
    first = kernel.blocks[0].instructions[0].span
    entry = TextEdit(first.line, first.column, first.column, filling)
    return {**subject.texts, fault.module: edited(text, [*fault.edits, entry])}


_MOVED = re.compile(r"mov\.[bufs](16|32|64)\s+(%\w+),")


def _word(pattern: int, bits: int = 32) -> int:
    return int.from_bytes(bytes([pattern]) * (bits // 8))


_FILLING = (
    "{{ .reg .pred %fill_p; .reg .b32 %fill_a, %fill_n; mov.u32 %fill_a, 0; "
    "mov.u32 %fill_n, %total_smem_size; and.b32 %fill_n, %fill_n, -4; "
    "FILL_MORE: setp.ge.u32 %fill_p, %fill_a, %fill_n; @%fill_p bra FILL_DONE; "
    "st.shared.b32 [%fill_a], {word}; add.u32 %fill_a, %fill_a, 4; bra FILL_MORE; "
    "FILL_DONE: bar.sync 0; }} "
)
