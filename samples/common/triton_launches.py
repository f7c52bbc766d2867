"""Launches of Triton's kernels, by what the compiler said: the file beside their module."""

import json
from dataclasses import dataclass
from typing import Any


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


def triton_kernel(device, modules, name):
    """Give the kernel of a module of Triton's, as MODULE.ARCHITECTURE.launch.json describes it."""
    module = modules[name]
    facts = json.loads(module.text.path.with_suffix(".launch.json").read_text("utf-8"))
    return TritonKernel(device, **{**facts, "kernel": module[facts["kernel"]]})
