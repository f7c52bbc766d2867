"""numba's compiler with a cache where one can be written, and without where not.

What is kept is loaded at once: numba itself would first load all that it knows of NumPy and of
Python's types, which takes ten times as long, and which code needs that is yet to be compiled.
"""

# mypy: allow-untyped-calls
# numba has no types

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar, cast

from warpmill.analyzer.base.compiling import announce, hidden, not_kept

# It looks up SciPy's version, and reads settings of a file of its own as YAML.
with hidden("scipy", *() if Path(".numba_config.yaml").exists() else ("yaml",)):
    import numba
from numba.core import codegen, compiler
from numba.core.options import DefaultOptions
from numba.core.registry import CPUDispatcher
from numba.core.runtime.nrt import rtsys

_Function = TypeVar("_Function", bound=Callable[..., Any])

_UNCOUNTED = {"_nrt": False} if hasattr(DefaultOptions, "_nrt") else {}
"""Options that make numba count no references; it has them for itself, and promises nothing."""


def jit(function: _Function, *, arrays: bool = True) -> _Function:
    """Compile a function of arrays and NamedTuples of scalars without the interpreter.

    The cache's key is the function's own file; an engine keeps all that it jits in one file.
    ``arrays`` as in ``jit_part``.
    """
    options: dict[str, Any] = {} if arrays else dict(_UNCOUNTED)
    options["pipeline_class"] = _WholeCompiler
    try:
        compiled: Any = numba.njit(cache=True, **options)(function)
    except RuntimeError:  # numba finds no folder that it may write to
        compiled = numba.njit(**options)(function)
    return cast(_Function, _kept_if_it_can_be(compiled))


def jit_part(
    function: _Function,
    *,
    arrays: bool = False,
    error_model: str = "python",
    inlined: bool = False,
) -> _Function:
    """Compile a function that jitted ones alone call, as a part of these.

    Without ``arrays`` it makes none and gives none back. Then references to the arrays that it is
    handed need not be counted, which takes longer than a short function does (a cache steps at a
    third of its speed). With the error model of ``numpy`` division by zero is not looked for.
    ``inlined`` ones are a part of their callers' code, however long they are.

    Python can call it too, and then runs it as it stands.
    """
    options = {"nopython": True, "error_model": error_model, **({} if arrays else _UNCOUNTED)}
    if inlined:
        options["forceinline"] = True
    no_wrappers = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    made: Any = _Part(function, {}, {**options, **no_wrappers})
    return cast(_Function, made)


def _kept_if_it_can_be(compiled: Any) -> Any:
    """Cache whose reading or writing may fail at a cost of time alone."""
    cache = compiled._cache
    save = cache.save_overload

    def loaded(signature: Any, target: Any) -> Any:
        try:
            rtsys.initialize(target)  # all that code needs which is not to be compiled
            found = cache._load_overload(signature, target)
        except Exception:  # no cache, or whatever a damaged file makes of unpickling
            found = None
        if found is None:
            announce()
        return found

    def saved(*given: Any) -> None:
        try:
            save(*given)
        except OSError as error:
            cache.disable()
            not_kept[cache.cache_path] = error.strerror or str(error)
        except Exception:  # what is kept there names a class that is gone: it is written anew
            cache.flush()
            save(*given)

    cache.load_overload, cache.save_overload = loaded, saved
    return compiled


def cache_folder() -> str | None:
    """Folder of numba's compiled code; None where no folder can be written."""
    compiled: Any = jit(_nothing)
    path = compiled.stats.cache_path
    return None if path is None else str(path)


def _nothing() -> None:
    """Function that numba's options are looked up for: it is never compiled."""


# numba's compiler where it does no work twice.
#
# numba optimises each function that is called, its own ones for NumPy among them, with all that it
# calls, and makes machine code of each. In an engine whose calls are twelve deep that is a multiple
# of the work. Here what a function calls is linked into it as it was lowered: what is optimised and
# made machine code of is the whole, once.


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


class _WholeCompiler(compiler.Compiler):
    """numba's compiler for functions that Python calls, and no C code."""

    def compile_extra(self, function: Any) -> Any:
        """Compile a function as numba does, and what it calls as parts of it."""
        code = self.state.targetctx.codegen()
        self.state.library = _WholeLibrary(code, function.__qualname__)
        self.state.library.enable_object_caching()
        self.state.flags.no_cfunc_wrapper = True
        with _linked(code):
            return super().compile_extra(function)


class _Part(CPUDispatcher):
    """A part as jitted functions know it."""

    def __call__(self, *given: Any, **named: Any) -> Any:
        """Run the function as Python, as there is no wrapper of compiled code to call."""
        return self.py_func(*given, **named)
