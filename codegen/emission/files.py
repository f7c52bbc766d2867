"""The files of an application: their texts, whole and checked, before anything is written."""

from __future__ import annotations

from warpmill.codegen.emission.application import CloneApplication, CloneFiles
from warpmill.codegen.emission.checks import EmissionLimits, check
from warpmill.codegen.emission.cleaning import clean
from warpmill.codegen.emission.cuda import cuda_context
from warpmill.codegen.emission.launch_file import launch_context
from warpmill.codegen.emission.ptx import ptx_context
from warpmill.codegen.emission.render import render

_DEFAULT_LIMITS = EmissionLimits()


def emit(app: CloneApplication, limits: EmissionLimits = _DEFAULT_LIMITS) -> CloneFiles:
    """Give ``NAME.ptx``, ``NAME.cu`` and ``launch.toml``, which starts the first.

    The same application gives the same bytes. InputError where it holds what clones do not have or
    a launch does not fit its kernel, LimitError where it is larger than ``limits``.
    """
    cleaned = _ready(app, limits)
    ptx_name = f"{cleaned.name}.ptx"
    return CloneFiles(
        (
            (ptx_name, _ptx(cleaned)),
            (f"{cleaned.name}.cu", _cuda(cleaned)),
            ("launch.toml", _launch(cleaned, ptx_name)),
        )
    )


def ptx_text(app: CloneApplication, limits: EmissionLimits = _DEFAULT_LIMITS) -> str:
    """Give the PTX file alone; errors as those of ``emit``."""
    return _ptx(_ready(app, limits))


def cuda_text(app: CloneApplication, limits: EmissionLimits = _DEFAULT_LIMITS) -> str:
    """Give the CUDA file alone: kernels and a host program; errors as those of ``emit``."""
    return _cuda(_ready(app, limits))


def launch_text(
    app: CloneApplication, ptx_name: str, limits: EmissionLimits = _DEFAULT_LIMITS
) -> str:
    """Give the launch file of a PTX file called ``ptx_name``; errors as those of ``emit``."""
    return _launch(_ready(app, limits), ptx_name)


def _ready(app: CloneApplication, limits: EmissionLimits) -> CloneApplication:
    check(app, limits)
    return clean(app)


def _ptx(app: CloneApplication) -> str:
    return render("ptx/clone.ptx.j2", ptx_context(app))


def _cuda(app: CloneApplication) -> str:
    return render("cuda/clone.cu.j2", cuda_context(app))


def _launch(app: CloneApplication, ptx_name: str) -> str:
    return render("launch/launch.toml.j2", launch_context(app, ptx_name))
