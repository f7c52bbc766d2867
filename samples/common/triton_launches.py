"""Launches of Triton's kernels, by what the compiler said: the file beside their module."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from warpmill.session.workloads import kept_text


@dataclass(frozen=True)
class TritonKernel:
    """A kernel with its threads a CTA, its shared memory and its compile-time constants."""

    device: Any
    kernel: Any
    threads: int
    shared_bytes: int
    null_parameters: int
    constants: dict[str, Any]

    def launch(self, grid, arguments):
        """Launch it; the parameters that Triton appends are null pointers."""
        every = [*arguments, *[None] * self.null_parameters]
        self.device.launch(self.kernel, grid, self.threads, every, self.shared_bytes)


def launch_text(module):
    """Give what the compiler said of how the kernel of a module's file is launched."""
    file = Path(module).with_suffix(".launch.json")
    text = kept_text(file)
    if text is None:
        raise FileNotFoundError(file)
    return text


def triton_kernel(device, modules, name):
    """Give the kernel of a module of Triton's, as MODULE.ARCHITECTURE.launch.json describes it."""
    module = modules[name]
    facts = json.loads(launch_text(module.text.name))
    return TritonKernel(device, **{**facts, "kernel": module[facts["kernel"]]})
