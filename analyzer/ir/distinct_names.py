"""Names that tell apart what only has the same name."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from warpmill.analyzer.ir.kernel import Kernel
from warpmill.analyzer.ir.printer import print_function


def distinct_names(kernels: Sequence[Kernel]) -> tuple[str, ...]:
    """Name each kernel so that those of one name and other code are told apart: ``scan#2``.

    Which module or launch it is of makes no difference.
    """
    objects: dict[str, dict[int, Kernel]] = defaultdict(dict)
    for kernel in kernels:
        objects[kernel.name][id(kernel)] = kernel
    names = {}
    for name, each in objects.items():
        texts: list[str] = []
        for own, kernel in each.items():
            text = print_function(kernel) if len(each) > 1 else ""
            if text not in texts:
                texts.append(text)
            number = texts.index(text) + 1
            names[own] = name if number == 1 else f"{name}#{number}"
    return tuple(names[id(kernel)] for kernel in kernels)
