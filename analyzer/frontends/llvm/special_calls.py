"""Functions that a template does not describe: which handler lowers them, by name."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from warpmill.analyzer.frontends.llvm import statement as st
from warpmill.analyzer.frontends.llvm.block_memory import (
    lower_copy,
    lower_set,
    lower_vload,
    lower_vstore,
)
from warpmill.analyzer.frontends.llvm.classify import lower_amd_class, lower_class
from warpmill.analyzer.frontends.llvm.descriptors import (
    lower_buffer_load,
    lower_buffer_store,
    lower_make_descriptor,
)
from warpmill.analyzer.frontends.llvm.images import (
    lower_amd_image,
    lower_image_query,
    lower_nvvm_surface,
    lower_nvvm_texture,
    lower_read_image,
    lower_sampler,
    lower_write_image,
)
from warpmill.analyzer.frontends.llvm.lowering import Lowering
from warpmill.analyzer.frontends.llvm.masked import (
    lower_gather,
    lower_masked_load,
    lower_masked_store,
    lower_scatter,
)
from warpmill.analyzer.frontends.llvm.matrix import (
    lower_amd_matrix,
    lower_load_matrix,
    lower_mma,
    lower_store_matrix,
    lower_wmma,
)
from warpmill.analyzer.frontends.llvm.opencl import lower_convert, lower_dot, lower_reduction
from warpmill.analyzer.frontends.llvm.opencl_memory import (
    lower_group_copy,
    lower_half_load,
    lower_half_store,
    lower_to_space,
    lower_two_results,
)
from warpmill.analyzer.frontends.llvm.opencl_vectors import (
    lower_any_all,
    lower_cross,
    lower_distance,
    lower_length,
    lower_normalize,
    lower_shuffle_builtin,
)
from warpmill.analyzer.frontends.llvm.wave import (
    lower_amd_dot,
    lower_numbered_shuffle,
    lower_numbered_vote,
    lower_wave_compare,
)

Handler = Callable[[Lowering, st.Template, str], bool]

# The whole name, or a beginning of it where the expression ends in `.*`. Looked at in order.
_HANDLERS: tuple[tuple[str, Handler], ...] = (
    (r"llvm\.mem(?:cpy|move)\..*", lower_copy),
    (r"llvm\.memset\..*", lower_set),
    (r"llvm\.masked\.load\..*", lower_masked_load),
    (r"llvm\.masked\.store\..*", lower_masked_store),
    (r"llvm\.masked\.gather\..*", lower_gather),
    (r"llvm\.masked\.scatter\..*", lower_scatter),
    (r"llvm\.vector\.reduce\..*", lower_reduction),
    (r"llvm\.is\.fpclass\..*", lower_class),
    (r"llvm\.nvvm\.wmma\.m\w+\.(?:load|store)\..*", lower_wmma),
    (r"llvm\.nvvm\.(?:wmma\.m\w+\.mma|mma)\..*", lower_mma),
    (r"llvm\.nvvm\.ldmatrix\..*", lower_load_matrix),
    (r"llvm\.nvvm\.stmatrix\..*", lower_store_matrix),
    (r"llvm\.nvvm\.(?:tex|tld4)\..*", lower_nvvm_texture),
    (r"llvm\.nvvm\.(?:suld|sust)\..*", lower_nvvm_surface),
    (r"llvm\.amdgcn\.class\..*", lower_amd_class),
    (r"llvm\.amdgcn\.[if]cmp\..*", lower_wave_compare),
    (r"llvm\.amdgcn\.fdot2(?:\..*)?|llvm\.amdgcn\.[su]dot2", lower_amd_dot),
    (r"llvm\.amdgcn\.(?:mfma|smfmac|wmma|swmmac)\..*", lower_amd_matrix),
    (r"llvm\.amdgcn\.make\.buffer\.rsrc\..*", lower_make_descriptor),
    (r"llvm\.amdgcn\.s?_?(?:raw|struct|s)\.(?:ptr\.)?(?:t?buffer\.load).*", lower_buffer_load),
    (r"llvm\.amdgcn\.(?:raw|struct)\.(?:ptr\.)?t?buffer\.(?:store|atomic).*", lower_buffer_store),
    (r"llvm\.amdgcn\.image\..*", lower_amd_image),
    (r"_Z\d+vload\d+\D.*", lower_vload),
    (r"_Z\d+vstore\d+\D.*", lower_vstore),
    (r"_Z\d+vloada?_half\d*\D.*", lower_half_load),
    (r"_Z\d+vstorea?_half\d*\D.*", lower_half_store),
    (r"_Z\d+convert_.*", lower_convert),
    (r"_Z3dot\D.*", lower_dot),
    (r"_Z\d+(?:fast_)?length\D.*", lower_length),
    (r"_Z\d+(?:fast_)?distance\D.*", lower_distance),
    (r"_Z\d+(?:fast_)?normalize\D.*", lower_normalize),
    (r"_Z5cross\D.*", lower_cross),
    (r"_Z3(?:any|all)\D.*", lower_any_all),
    (r"_Z[78]shuffle2?\D.*", lower_shuffle_builtin),
    (r"_Z\d+(?:sincos|modf|fract|frexp|remquo|lgamma_r)\D.*", lower_two_results),
    (r"__(?:nv|ocml)_(?:sincos|sincosf|modff?|frexpf?|remquof?)(?:_f\d\d)?", lower_two_results),
    (r"_Z\d+async_work_group_(?:strided_)?copy.*", lower_group_copy),
    (r"_Z\d+read_image(?:f|i|ui|h).*", lower_read_image),
    (r"_Z\d+write_image(?:f|i|ui|h).*", lower_write_image),
    (r"_Z\d+get_image_\w+", lower_image_query),
    (r"__translate_sampler_initializer", lower_sampler),
    (r"llvm\.nvvm\.shfl\.sync\.[if]32", lower_numbered_shuffle),
    (r"llvm\.nvvm\.vote\.sync", lower_numbered_vote),
    (r"__to_(?:global|local|private)|_Z\d+__spirv_GenericCastToPtrExplicit.*", lower_to_space),
)  # fmt: skip
_COMPILED = tuple((re.compile(expression), handler) for expression, handler in _HANDLERS)


@cache
def find_handler(callee: str) -> Handler | None:
    """The handler of a function; None where a rule or nothing is known of it."""
    for expression, handler in _COMPILED:
        if expression.fullmatch(callee):
            return handler
    return None
