"""Compiles the numba kernels without a GPU, in a process of its own: PTX, and its LLVM IR.

    python -m benchmarks.frontend_inputs.numba_build FOLDER

A kernel that numba refuses is told on stderr, and the others go on; the exit code is 1 then.
"""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

CHIPS = ((8, 0), (9, 0), (10, 0))
SEVERAL_TEXTS = ("waves",)  # numba makes several PTX texts of it where it does not optimise
FLAVOURS = {"": {}, ".lineinfo": {"lineinfo": True}, ".debug": {"debug": True, "opt": False}}


def keep_llvm(kept):
    """Have numba hand over the LLVM modules that it makes PTX of."""
    from numba.cuda.codegen import CUDACodeLibrary  # noqa: PLC0415 - numba is heavy

    original = CUDACodeLibrary.get_asm_strs

    def get_asm_strs(self, cc=None):
        kept[:] = self.llvm_strs
        return original(self, cc=cc)

    CUDACodeLibrary.get_asm_strs = get_asm_strs


def main():
    """Compile all kernels: plain for each chip, with line numbers and for debugging for one."""
    from numba import cuda  # noqa: PLC0415 - numba is heavy

    from warpmill.benchmarks.frontend_inputs.numba_kernels import KERNELS  # noqa: PLC0415

    warnings.simplefilter("ignore")
    folder = Path(sys.argv[1])
    failed = 0
    modules = []
    keep_llvm(modules)
    for number, (kernel, types) in enumerate(KERNELS):
        for flavour, options in FLAVOURS.items():
            if flavour == ".debug" and kernel.__name__ in SEVERAL_TEXTS:
                continue
            for chip in CHIPS if not flavour else CHIPS[:1]:
                stem = f"numba.{kernel.__name__}{number}{flavour}.sm_{chip[0]}{chip[1]}"
                try:
                    ptx, _ = cuda.compile_ptx(kernel, types, cc=chip, **options)
                except Exception as problem:  # numba raises many kinds
                    print(f"{stem}: {problem!r:.300}", file=sys.stderr)
                    failed = 1
                    continue
                (folder / f"{stem}.ptx").write_text(ptx)
                if chip == CHIPS[0]:
                    largest = max(modules, key=len)
                    (folder / f"{stem}.ll").write_text(largest)
    return failed


if __name__ == "__main__":
    sys.exit(main())
