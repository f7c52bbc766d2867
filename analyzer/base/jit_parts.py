"""numba's compiler where it does no work twice: wholes, and parts without code of their own.

numba optimises each function that is called, its own ones for NumPy among them, with all that it
calls, and makes machine code of each. In an engine whose calls are twelve deep that is a multiple
of the work. Here what a function calls is linked into it as it was lowered: what is optimised and
made machine code of is the whole, once.
"""

# mypy: allow-untyped-calls
# numba has no types

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numba.core import codegen, compiler
from numba.core.registry import CPUDispatcher


class _WholeLibrary(codegen.JITCodeLibrary):
    """Code that is optimised once; numba does it three times, to see more of its references."""

    def _optimize_functions(self, module: Any) -> None:
        module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self) -> None:
        passes, builder = self._codegen._module_pass_manager()
        passes.run(self._final_module, builder)


class _PartLibrary(codegen.JITCodeLibrary):
    """Code that is linked into its callers', not executable, and optimised only to be short."""

    def _optimize_functions(self, module: Any) -> None:
        module.data_layout = self._codegen._data_layout
        for function in module.functions:
            if not function.is_declaration:
                passes, builder = self._codegen._function_pass_manager(opt=1)
                passes.run(function, builder)

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True


@contextmanager
def _linked(code: Any) -> Iterator[None]:
    """Make parts of what is compiled meanwhile.

    A function's environment is what it needs of Python. It is set when the whole is executable.
    """
    environments: list[tuple[str, Any]] = []
    shadowed = {
        "create_library": lambda name, **_: _PartLibrary(code, name),
        "set_env": lambda *given: environments.append(given),
    }
    before = {name: vars(code)[name] for name in shadowed if name in vars(code)}
    vars(code).update(shadowed)
    try:
        yield
    finally:
        for name in shadowed:
            del vars(code)[name]
        vars(code).update(before)
    for name, environment in environments:
        if code._engine.get_global_value_address(name):
            type(code).set_env(code, name, environment)


class WholeCompiler(compiler.Compiler):
    """numba's compiler for functions that Python calls, and no C code."""

    def compile_extra(self, function: Any) -> Any:
        """Compile a function as numba does, and what it calls as parts of it."""
        code = self.state.targetctx.codegen()
        self.state.library = _WholeLibrary(code, function.__qualname__)
        self.state.library.enable_object_caching()
        self.state.flags.no_cfunc_wrapper = True
        with _linked(code):
            return super().compile_extra(function)


class Part(CPUDispatcher):
    """A part as jitted functions know it."""

    def __call__(self, *given: Any, **named: Any) -> Any:
        """Run the function as Python, as there is no wrapper of compiled code to call."""
        return self.py_func(*given, **named)
