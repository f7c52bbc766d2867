"""Launches of Triton's kernels, by what the compiler said: the file beside their module."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from warpmill.analyzer.launch.triton import TritonLaunch
from warpmill.session.workloads import kept_text


@dataclass(frozen=True)
class TritonKernel:
    """A kernel with how Triton launches it, and its compile-time constants."""

    device: Any
    kernel: Any
    facts: TritonLaunch
    constants: dict[str, Any]

    def launch(self, grid, arguments):
        """Launch it; the parameters that Triton appends are null pointers."""
        every = [*arguments, *[None] * len(self.facts.scratch)]
        self.device.launch(self.kernel, grid, self.facts.threads, every, self.facts.shared_bytes)


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
    metadata = json.loads(launch_text(module.text.name))
    facts = TritonLaunch.of(metadata)
    return TritonKernel(device, module[facts.kernel], facts, metadata["constants"])
