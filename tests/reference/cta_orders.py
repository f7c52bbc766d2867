"""Launches of small PTX kernels with their CTAs in any order, one after another on one thread."""

from dataclasses import dataclass

import numpy as np

from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.frontends import ptx
from warpmill.analyzer.ir.inline import inline_calls
from warpmill.executor.compile import CompileOptions, compile_kernel
from warpmill.executor.cta_runs import CtaRun
from warpmill.executor.device_memory import DeviceMemory
from warpmill.executor.independence.affine import LaunchNumbers
from warpmill.executor.independence.deciding import decide
from warpmill.executor.launching import Bindings, Grid, RunLimits, RunMode, execute

_HEAD = ".version 8.0\n.target sm_80\n.address_size 64\n"
REGISTERS = """.reg .pred %p<20>;
.reg .b32 %r<60>;
.reg .b64 %rd<60>;
.reg .f32 %f<20>;
.reg .f64 %fd<20>;
.reg .b16 %h<20>;"""


@dataclass
class Program:
    """A kernel of pointers and 32-bit numbers, and a device with a buffer for each pointer.

    ``parameters`` names them in order, each ``(name, value)``: an array for a pointer.
    """

    body: str
    parameters: dict
    grid: tuple = (4, 1, 1)
    block: tuple = (32, 1, 1)
    variables: str = ""
    shared: int = 0

    def __post_init__(self):
        declared = ", ".join(
            f".param .{'u64' if isinstance(v, np.ndarray) else 'u32'} {name}"
            for name, v in self.parameters.items()
        )
        loads = "\n".join(
            f"ld.param.u64 %{name}, [{name}];"
            if isinstance(v, np.ndarray)
            else f"ld.param.u32 %{name}, [{name}];"
            for name, v in self.parameters.items()
        )
        names = "\n".join(
            f".reg .b{64 if isinstance(v, np.ndarray) else 32} %{name};"
            for name, v in self.parameters.items()
        )
        text = f"{_HEAD}{self.variables}\n.visible .entry k({declared})\n{{\n{REGISTERS}\n{names}\n"
        text += f"{loads}\n{self.body}\nret;\n}}\n"
        self.module = ptx.parse(Source("k.ptx", text)).module
        self.kernel = inline_calls(self.module, self.module.kernels[0]).kernel
        self.memory = DeviceMemory()
        self.addresses = {}
        raw = bytearray()
        for name, value in self.parameters.items():
            if isinstance(value, np.ndarray):
                self.addresses[name] = self.memory.allocate(value.nbytes, name)
                raw += bytes(-len(raw) % 8) + self.addresses[name].to_bytes(8, "little")
            else:
                raw += bytes(-len(raw) % 4) + int(value % (1 << 32)).to_bytes(4, "little")
        self.params = bytes(raw)
        self.symbols = {
            v.name: self.memory.allocate(v.size_bytes, v.name)
            for v in self.module.variables
            if v.space.value == "global"
        }
        self._compiled = {}
        self.reset()

    def reset(self):
        """Let the buffers be what they were first."""
        for name, value in self.parameters.items():
            if isinstance(value, np.ndarray):
                self.view(name)[:] = value.reshape(-1).view(np.uint8)
        for allocation in self.memory.allocations:
            if allocation.name not in self.parameters:
                allocation.data[:] = 0

    def view(self, name):
        """A buffer's bytes."""
        return self.memory.view(self.addresses[name], self.parameters[name].nbytes)

    def array(self, name):
        """A copy of a buffer in its type."""
        value = self.parameters[name]
        return self.view(name).view(value.dtype).reshape(value.shape).copy()

    def contents(self):
        """All memory."""
        return b"".join(a.data.tobytes() for a in self.memory.allocations)

    def decide(self):
        """Decide whether the CTAs depend on each other."""
        facts = LaunchNumbers(self.grid, self.block, self.params, self.symbols)
        return decide(self.module, self.kernel, facts, self.memory)

    @property
    def dependence(self):
        return self.decide().dependence

    def compiled(self, **options):
        """Compile it, once for each set of options."""
        key = tuple(sorted(options.items()))
        if key not in self._compiled:
            self._compiled[key] = compile_kernel(
                self.module, self.kernel, CompileOptions(**options)
            )
        return self._compiled[key]

    def run(self, workers=1, limits=None, progress=None):
        """Execute it, from the buffers' first contents."""
        self.reset()
        launch = Grid(self.grid, self.block, self.shared)
        compiled = self.compiled()
        given = (compiled, self.memory, launch, self.params)
        symbols = [self.symbols[n] for n in compiled.global_names]
        return execute(
            *given, Bindings(symbols=symbols), limits or RunLimits(), RunMode(workers, progress)
        )

    def run_in(self, order):
        """Execute the CTAs one by one in an order; give all memory."""
        self.reset()
        compiled = self.compiled()
        launch = Grid(self.grid, self.block, self.shared)
        symbols = tuple(self.symbols[n] for n in compiled.global_names)
        run = CtaRun(compiled, self.memory, launch, self.params, None, symbols, None, RunLimits())
        for cta in order:
            run.part(cta, cta + 1, lambda: None)
        return self.contents()
