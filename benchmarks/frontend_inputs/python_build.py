"""Compiles kernels in Python without a GPU, in a process of its own: PTX and LLVM IR files.

    python -m benchmarks.frontend_inputs.python_build PACKAGE FOLDER

What the package refuses is told on stderr, and the others go on; the exit code is 1 then.
"""

from __future__ import annotations

import os
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

Texts = tuple[str, Callable[[], dict[str, str]]]
"""How the names of files begin, and what makes their texts, by suffix."""
POINTER_ALIGN = 16
CHIPS = ((8, 0), (9, 0), (10, 0))
SEVERAL_TEXTS = ("waves",)  # numba makes several PTX texts of it where it does not optimise
FLAVOURS = {"": {}, ".lineinfo": {"lineinfo": True}, ".debug": {"debug": True, "opt": False}}


def of_triton() -> Iterator[Texts]:
    """All variants for their chips. Triton's stage after PTX, which calls ptxas, is left out."""
    from triton.backends.nvidia.compiler import CUDABackend  # noqa: PLC0415 - may be missing

    from warpmill.benchmarks.frontend_inputs.triton_kernels import VARIANTS  # noqa: PLC0415

    CUDABackend.make_cubin = lambda *_arguments, **_options: b""
    for variant in VARIANTS:
        for chip in variant.chips:
            yield f"triton.{variant.name}.sm_{chip}", partial(_compiled_by_triton, variant, chip)


def _compiled_by_triton(variant, chip):
    from triton.backends.compiler import GPUTarget  # noqa: PLC0415
    from triton.compiler import ASTSource, compile  # noqa: PLC0415 - Triton's name for it

    from warpmill.benchmarks.frontend_inputs.triton_kernels import TYPES  # noqa: PLC0415

    kinds = variant.kind, variant.out or variant.kind
    own = TYPES[variant.kernel].format(*kinds).split()
    types = [*own, *["constexpr"] * len(variant.numbers)]
    source = ASTSource(
        variant.kernel,
        signature=dict(zip(variant.kernel.arg_names, types, strict=True)),
        constexprs={(place,): one for place, one in enumerate(variant.numbers, len(own))},
        attrs={
            (place,): [["tt.divisibility", POINTER_ALIGN]]
            for place, type_ in enumerate(types)
            if type_[0] == "*" or (type_ == "i32" and len(types) > 8)
        },
    )
    options = {"num_warps": variant.warps, "num_stages": variant.stages}
    made = compile(source, target=GPUTarget("cuda", chip, 32), options=options)
    return {".ptx": made.asm["ptx"], ".ll": made.asm["llir"]}


def of_numba() -> Iterator[Texts]:
    """All kernels: plain for each chip, with line numbers and for debugging for one."""
    from numba.cuda.codegen import CUDACodeLibrary  # noqa: PLC0415 - numba is heavy

    from warpmill.benchmarks.frontend_inputs.numba_kernels import KERNELS  # noqa: PLC0415

    warnings.simplefilter("ignore")
    modules, original = [], CUDACodeLibrary.get_asm_strs

    def get_asm_strs(self, cc=None):
        modules[:] = self.llvm_strs  # what numba makes PTX of
        return original(self, cc=cc)

    CUDACodeLibrary.get_asm_strs = get_asm_strs
    for number, (kernel, types) in enumerate(KERNELS):
        for flavour, options in FLAVOURS.items():
            if flavour == ".debug" and kernel.__name__ in SEVERAL_TEXTS:
                continue
            for chip in CHIPS if not flavour else CHIPS[:1]:
                stem = f"numba.{kernel.__name__}{number}{flavour}.sm_{chip[0]}{chip[1]}"
                yield stem, partial(_compiled_by_numba, modules, kernel, types, chip, options)


def _compiled_by_numba(modules, kernel, types, chip, options):
    from numba import cuda  # noqa: PLC0415 - numba is heavy

    ptx, _ = cuda.compile_ptx(kernel, types, cc=chip, **options)
    return {".ptx": ptx, **({".ll": max(modules, key=len)} if chip == CHIPS[0] else {})}


def main() -> int:
    """Compile everything of a package; the exit code."""
    package, folder = sys.argv[1], Path(sys.argv[2])
    failed = 0
    with tempfile.TemporaryDirectory() as cache:
        os.environ |= {
            "TRITON_CACHE_DIR": cache, "TRITON_HOME": cache, "TRITON_DEFAULT_FP_FUSION": "1"
        }  # fmt: skip
        for stem, make in of_triton() if package == "triton" else of_numba():
            try:
                made = make()
            except Exception as problem:  # of many kinds
                print(f"{stem}: {problem!r:.600}", file=sys.stderr)
                failed = 1
                continue
            for suffix, text in made.items():
                folder.joinpath(f"{stem}{suffix}").write_text(text)
    return failed


if __name__ == "__main__":
    sys.exit(main())
