"""Machines that kernels are timed on: one TOML file a GPU, each number with its source.

The names below are loaded when they are first used, so that importing this package is cheap.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from warpmill.simulator.machines.compare import diff as diff
    from warpmill.simulator.machines.compare import new_machine_text as new_machine_text
    from warpmill.simulator.machines.files import machine_names as machine_names
    from warpmill.simulator.machines.imported.configuration import (
        imported_machine as imported_machine,
    )
    from warpmill.simulator.machines.imported.configuration import (
        read_configuration as read_configuration,
    )
    from warpmill.simulator.machines.model import Machine as Machine
    from warpmill.simulator.machines.model import SourcedValue as SourcedValue
    from warpmill.simulator.machines.model import UsedValues as UsedValues
    from warpmill.simulator.machines.model import memory_rules as memory_rules
    from warpmill.simulator.machines.model import with_recording as with_recording
    from warpmill.simulator.machines.resolve import load_machine as load_machine
    from warpmill.simulator.machines.resolve import parse_overrides as parse_overrides
    from warpmill.simulator.machines.schema import schema as machine_schema

_HOMES = {
    "Machine": ("model", "Machine"),
    "UsedValues": ("model", "UsedValues"),
    "SourcedValue": ("model", "SourcedValue"),
    "diff": ("compare", "diff"),
    "imported_machine": ("imported.configuration", "imported_machine"),
    "load_machine": ("resolve", "load_machine"),
    "machine_names": ("files", "machine_names"),
    "machine_schema": ("schema", "schema"),
    "memory_rules": ("model", "memory_rules"),
    "new_machine_text": ("compare", "new_machine_text"),
    "parse_overrides": ("resolve", "parse_overrides"),
    "read_configuration": ("imported.configuration", "read_configuration"),
    "with_recording": ("model", "with_recording"),
}

__all__ = [
    "Machine",
    "SourcedValue",
    "UsedValues",
    "diff",
    "imported_machine",
    "load_machine",
    "machine_names",
    "machine_schema",
    "memory_rules",
    "new_machine_text",
    "parse_overrides",
    "read_configuration",
    "with_recording",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, attribute = _HOMES[name]
    return getattr(import_module(f"{__name__}.{module}"), attribute)
