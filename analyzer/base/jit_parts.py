"""Parts: jitted functions without machine code of their own.

numba optimises each function that is called, with all that it calls, and makes machine code of it.
In an engine whose calls are twelve deep that is a multiple of the work. A part is handed to its
callers as it was lowered: what is optimised and compiled is the whole.
"""

# mypy: allow-untyped-calls
# numba has no types

from __future__ import annotations

from typing import Any

from numba import _dynfunc  # type: ignore[attr-defined]  # it is compiled
from numba.core import codegen, compiler, typed_passes
from numba.core.compiler_machinery import LoweringPass, register_pass
from numba.core.registry import CPUDispatcher


class _PartLibrary(codegen.JITCodeLibrary):
    """Code that is linked into its callers', neither optimised nor made machine code of."""

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True


@register_pass(mutates_CFG=True, analysis_only=False)
class _LinkPart(LoweringPass):
    """Tell the target of a part that was lowered, so that callers find it.

    numba does so as it makes the part's machine code, by the address of its wrapper for Python.
    """

    _name = "warpmill_link_part"

    def __init__(self) -> None:
        LoweringPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        lowered = state["cr"]
        described = lowered.fndesc
        name, no_wrapper = described.qualname, 0
        entry = _dynfunc.make_function(
            described.lookup_module(), name, name, no_wrapper, lowered.env, (state.library,)
        )
        state.targetctx.insert_user_function(entry, described, [state.library])
        state["cr"] = lowered._replace(cfunc=entry)
        return True


class PartCompiler(compiler.CompilerBase):
    """numba's compiler up to the code that is linked."""

    def compile_extra(self, function: Any) -> Any:
        """Compile a function as numba does, but for a library of its own kind."""
        state = self.state
        state.library = _PartLibrary(state.targetctx.codegen(), function.__qualname__)
        state.library.enable_object_caching()
        state.flags.no_compile = True
        state.flags.no_cpython_wrapper = state.flags.no_cfunc_wrapper = True
        return super().compile_extra(function)

    def define_pipelines(self) -> list[Any]:
        """The passes of numba, and the one that takes the place of making machine code."""
        passes = compiler.DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.add_pass_after(_LinkPart, typed_passes.NativeLowering)
        passes.finalize()
        return [passes]


class Part(CPUDispatcher):
    """A part as jitted functions know it."""

    def __call__(self, *given: Any, **named: Any) -> Any:
        """Run the function as Python, as there is no wrapper of compiled code to call."""
        return self.py_func(*given, **named)
