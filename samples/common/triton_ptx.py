"""Compile one kernel of Triton for one architecture, without a GPU: its PTX, or how it is launched.

    python triton_ptx.py MODULE sm_80 SOURCE.py -o MODULE.sm_80.ptx
    python triton_ptx.py MODULE sm_80 SOURCE.py -o MODULE.sm_80.launch.json

SOURCE.py has the kernels and a dict BUILDS, which says by module what is compiled: ``kernel``;
``types`` of its parameters in their order, in Triton's words (``*fp16:16``: an address, a multiple
of 16); the ``constants``, ``warps`` and ``stages``.

The JSON holds what a launch needs and only the compiler knows, as Triton's metadata have it: the
kernel's name, warps and shared memory of a CTA, and sizes of the scratch memory whose pointers are
appended to the parameters, all of them 0; and the constants, as a grid depends on them.

PTX is made for the plain architecture, not for sm_90a, which runs on one chip: a product of tiles
becomes mma.sync there too. Triton's stage after PTX, which calls ptxas, is left out.
"""

import argparse
import json
import os
import sys
import tempfile
import types
from pathlib import Path

PTX_VERSION = 80  # the oldest that knows sm_90
WARP = 32


def kernels_of(path):
    """Run a source under its relative path, so that line tables name it so; give its BUILDS."""
    module = types.ModuleType(path.stem, path.name)
    module.__file__ = str(path)
    sys.modules[path.stem] = module  # Triton looks constants of a kernel's module up
    exec(compile(path.read_text("utf-8"), str(path), "exec"), module.__dict__)
    return module.BUILDS


def compiled(build, architecture):
    """Let Triton compile a kernel up to PTX."""
    from triton.backends.compiler import GPUTarget  # noqa: PLC0415 - after the environment is set
    from triton.backends.nvidia import compiler  # noqa: PLC0415
    from triton.compiler import ASTSource  # noqa: PLC0415
    from triton.compiler import compile as compile_kernel  # noqa: PLC0415

    compiler.CUDABackend.make_cubin = lambda *_arguments, **_options: b""
    compiler.sm_arch_from_capability = lambda capability: f"sm_{capability}"
    names = build["kernel"].arg_names
    parts = [one.partition(":") for one in build["types"].split()]
    every = [*(kind for kind, _, _ in parts), *["constexpr"] * len(build["constants"])]
    source = ASTSource(
        build["kernel"],
        signature=dict(zip(names, every, strict=True)),
        constexprs={(names.index(name),): value for name, value in build["constants"].items()},
        attrs={
            (place,): [["tt.divisibility", int(by)]] for place, (_, _, by) in enumerate(parts) if by
        },
    )
    options = {
        "num_warps": build["warps"],
        "num_stages": build["stages"],
        "ptx_version": PTX_VERSION,
    }
    target = GPUTarget("cuda", int(architecture.removeprefix("sm_")), WARP)
    return compile_kernel(source, target=target, options=options)


def ptx_text(made):
    """Give the PTX; Triton's own sources begin at its package's name in it."""
    import triton  # noqa: PLC0415 - after the environment is set

    above = f"{Path(triton.__file__).parents[1]}{os.sep}"
    return made.asm["ptx"].replace(above, "")


FACTS = (
    "name", "num_warps", "num_ctas", "warp_size", "shared", "global_scratch_size",
    "profile_scratch_size",
)  # fmt: skip
"""The fields of Triton's metadata that a launch depends on."""


def launch_facts(made, build):
    """Say what a launch needs."""
    about = made.metadata
    if about.global_scratch_size or about.profile_scratch_size:
        raise SystemExit(f"{about.name}: needs scratch memory, which no host program gives")
    return {**{name: getattr(about, name) for name in FACTS}, "constants": build["constants"]}


def main():
    """Compile, and write what the name of the output asks for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("module")
    parser.add_argument("architecture")
    parser.add_argument("source", type=Path)
    parser.add_argument("-o", dest="output", type=Path, required=True)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as cache:
        os.environ |= {
            "TRITON_CACHE_DIR": cache,
            "TRITON_HOME": cache,
            "TRITON_DEFAULT_FP_FUSION": "1",
            "DISABLE_MMA_V3": "1",
        }
        build = kernels_of(given.source)[given.module]
        made = compiled(build, given.architecture)
    if given.output.suffix == ".ptx":
        given.output.write_text(ptx_text(made), "utf-8")
    else:
        given.output.write_text(json.dumps(launch_facts(made, build), indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
