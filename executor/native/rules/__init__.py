"""Lowering of each operation: importing this package fills the registry.

Nothing lists the modules of rules: all that stand in this folder are imported, in the order of
their names.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from warpmill.executor.native.rules.registry import REFUSALS, RULES

__all__ = ["REFUSALS", "RULES"]

for _found in iter_modules(__path__):
    import_module(f"{__name__}.{_found.name}")
