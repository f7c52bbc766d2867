"""Compiles the Triton kernels without a GPU, in a process of its own: PTX and LLVM IR files.

    python -m benchmarks.frontend_inputs.triton_build FOLDER

Triton's stage after PTX, which calls ptxas, is left out. A variant that Triton refuses for a chip
is told on stderr, and the others go on; the exit code is 1 then.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

POINTER_ALIGN = 16


def compile_variant(variant, chip, folder):
    """Write the PTX and the LLVM IR of one variant for one chip."""
    from triton.backends.compiler import GPUTarget  # noqa: PLC0415 - after the environment is set
    from triton.compiler import ASTSource, compile  # noqa: PLC0415 - Triton's name for it

    names = variant.kernel.arg_names
    types = [*variant.types.split(), *["constexpr"] * len(variant.constants)]
    source = ASTSource(
        variant.kernel,
        signature=dict(zip(names, types, strict=True)),
        constexprs={(names.index(k),): v for k, v in variant.constants.items()},
        attrs={
            (place,): [["tt.divisibility", POINTER_ALIGN]]
            for place, type_ in enumerate(types)
            if type_[0] == "*" or (type_ == "i32" and len(types) > 8)
        },
    )
    options = {"num_warps": variant.warps, "num_stages": variant.stages, **variant.options}
    made = compile(source, target=GPUTarget("cuda", chip, 32), options=options)
    stem = folder / f"triton.{variant.name}.sm_{chip}"
    stem.with_name(f"{stem.name}.ptx").write_text(made.asm["ptx"])
    stem.with_name(f"{stem.name}.ll").write_text(made.asm["llir"])


def leave_out_machine_code():
    """Replace Triton's last stage by one that makes nothing."""
    from triton.backends.nvidia.compiler import CUDABackend  # noqa: PLC0415

    CUDABackend.make_cubin = lambda *_arguments, **_options: b""


def main():
    """Compile all variants for their chips."""
    folder = Path(sys.argv[1])
    failed = 0
    with tempfile.TemporaryDirectory() as cache:
        os.environ |= {
            "TRITON_CACHE_DIR": cache, "TRITON_HOME": cache, "TRITON_DEFAULT_FP_FUSION": "1"
        }  # fmt: skip
        from warpmill.benchmarks.frontend_inputs.triton_kernels import VARIANTS  # noqa: PLC0415

        leave_out_machine_code()
        for variant in VARIANTS:
            for chip in variant.chips:
                try:
                    compile_variant(variant, chip, folder)
                except Exception as problem:  # Triton raises many kinds
                    print(f"{variant.name} for sm_{chip}: {problem!r:.600}", file=sys.stderr)
                    failed = 1
    return failed


if __name__ == "__main__":
    sys.exit(main())
