"""What one case of the fuzzer leaves to the next: texts read before, LLVM's answers, native code.

A launch file that is changed launches the same kernels as the one before it, and the commands that
a file meets all read the same text. Results are frozen, so what is read once serves them all.
"""

from collections import OrderedDict
from functools import cache, lru_cache, wraps

from warpmill.analyzer.frontends import load, ptx
from warpmill.analyzer.frontends.llvm import prepared_text
from warpmill.executor import compile
from warpmill.executor import compile as machine

_TEXTS, _KERNELS = 48, 256


@cache
def share():
    """Keep, from now on in this process, what is read; compile kernels without optimisation."""
    ptx.parse = _kept(ptx.parse, _text_and_rest)
    load.inline_calls = _kept(load.inline_calls, lambda *given: tuple(map(id, given)))
    prepared_text.ask = lru_cache(_TEXTS)(prepared_text.ask)
    compile.COMPILED._most = _KERNELS
    machine._MOST_OPTIMISED = 0


def _text_and_rest(source, *rest, **options):
    return source.name, source.text, rest, tuple(options.items())


def _kept(function, key_of):
    """The function, whose last results are kept by a key, with what they are of."""
    results = OrderedDict()

    @wraps(function)
    def kept(*given, **options):
        key = key_of(*given, **options)
        if key not in results:
            results[key] = given, function(*given, **options)
            if len(results) > _TEXTS:
                results.popitem(last=False)
        results.move_to_end(key)
        return results[key][1]

    return kept
