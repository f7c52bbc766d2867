"""A kernel run by the executor from its text: buffers are NumPy arrays that come back changed.

Many short kernels share their declarations: ``PRELUDE`` declares registers of each width, and each
argument gives a parameter of its own name and type.
"""

from dataclasses import dataclass, field, replace

import numpy as np

from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.frontends import ptx
from warpmill.analyzer.ir.inline import inline_calls
from warpmill.analyzer.ir.kernel import Kernel, Module, Symbol
from warpmill.analyzer.ir.types import Space
from warpmill.executor.compile import CompileOptions, compile_kernel
from warpmill.executor.context import initial_bytes
from warpmill.executor.device_memory import DeviceMemory
from warpmill.executor.host.kernel_arguments import pack_arguments
from warpmill.executor.launching import Bindings, Execution, Grid, RunLimits, RunMode, execute

PRELUDE = """
    .reg .pred %p<20>; .reg .b8 %b<9>;  .reg .b16 %h<20>; .reg .b32 %r<60>; .reg .b64 %d<60>;
    .reg .f32 %f<20>;  .reg .f64 %g<20>; .reg .b128 %q<20>;
"""
TYPES = {"i4": "s32", "u4": "u32", "i8": "s64", "u8": "u64", "f4": "f32", "f8": "f64", "u2": "u16"}


PLAIN, UNLIMITED = CompileOptions(), RunLimits()


@dataclass(frozen=True)
class Ran:
    """What a run left: counts, and every array as it is now. ``memory`` knows the addresses."""

    execution: Execution
    arrays: dict
    memory: DeviceMemory

    def __getitem__(self, name):
        return self.arrays[name]


@dataclass
class Prepared:
    """A compiled kernel that can be run many times."""

    module: Module
    kernel: Kernel
    options: CompileOptions = PLAIN
    compiled: object = field(init=False)

    def __post_init__(self):
        self.compiled = compile_kernel(self.module, self.kernel, self.options)

    def run(  # noqa: PLR0913 - a launch has as many parts
        self, grid, block, arguments, *, shared=0, limits=UNLIMITED, progress=None, memory=None,
        on_words=None, resident_ctas=1, workers=1,
    ):  # fmt: skip
        """Run it: ``arguments`` are arrays, NumPy numbers and bytes, by the parameters' names."""
        memory = memory or DeviceMemory()
        places, values = {}, []
        for name, argument in arguments.items():
            if isinstance(argument, np.ndarray):
                places[name] = put(memory, name, argument)
            values.append(places.get(name, argument))
        packed = pack_arguments(self.kernel, values, self.module.address_bits // 8)
        constants, symbols, variables = self.variables(memory)
        launch = Grid(three(grid), three(block), shared)
        execution = execute(
            self.compiled, memory, launch, packed.data, Bindings(constants, symbols), limits,
            RunMode(workers, progress, resident_ctas, on_words),
        )  # fmt: skip
        arrays = {n: take(memory, places[n], arguments[n]) for n in places}
        for name, (address, size) in variables.items():
            arrays[name] = memory.view(address, size).copy()
        return Ran(execution, arrays, memory)

    def variables(self, memory):
        """The constants' bytes, the addresses of global variables, and where all of these are.

        Variables in constant memory have addresses of initialisers' symbols where those name them.
        """
        module, compiled = self.module, self.compiled
        known = {v.name: v for v in module.variables if v.space is Space.GLOBAL}
        named = set(compiled.global_names)
        pending = [v for v in module.variables if v.space is Space.CONST or v.name in named]
        while pending:
            symbols = [s.name for s in pending.pop().initialiser or () if isinstance(s, Symbol)]
            fresh = [n for n in symbols if n in known and n not in named]
            named.update(fresh)
            pending += [known[n] for n in fresh]
        addresses = {n: memory.allocate(known[n].size_bytes, n) for n in known if n in named}
        for name, address in addresses.items():
            data = initial_bytes(known[name], addresses, module.address_bits // 8)
            memory.view(address, data.size)[:] = data
        found = {n: (a, known[n].size_bytes) for n, a in addresses.items()}
        order = [addresses[n] for n in compiled.global_names]
        return compiled.constant_image(addresses), order, found


def put(memory, name, array):
    address = memory.allocate(array.nbytes, name)
    memory.view(address, array.nbytes)[:] = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    return address


def take(memory, address, like):
    return memory.view(address, like.nbytes).copy().view(like.dtype).reshape(like.shape)


def three(size):
    """A size as three numbers, from one number or fewer."""
    size = (size,) if isinstance(size, int) else tuple(size)
    return (*size, 1, 1)[:3]


def parameter(name, argument):
    """Write the declaration of a parameter that an argument fits."""
    if isinstance(argument, bytes):
        return f".param .align 16 .b8 {name}[{len(argument)}]"
    if isinstance(argument, np.ndarray):
        return f".param .u64 {name}"
    return f".param .{TYPES[argument.dtype.str[1:]]} {name}"


def kernel_text(body, arguments, variables=""):
    """Write a module with one kernel ``k``."""
    listed = ", ".join(parameter(n, a) for n, a in arguments.items())
    header = f".version 9.0\n.target sm_100a\n.address_size 64\n{variables}\n"
    return f"{header}.visible .entry k({listed})\n{{\n{PRELUDE}\n{body}\n}}\n"


def prepare(text, lanes=32, options=PLAIN):
    """Compile the first kernel of a PTX text, for warps of so many lanes."""
    module = replace(ptx.parse(Source("k.ptx", text)).module, warp_size=lanes)
    return Prepared(module, inline_calls(module, module.kernels[0]).kernel, options)


def run_ptx(  # noqa: PLR0913 - a launch has as many parts
    body, arguments=None, grid=1, block=32, *, shared=0, variables="",
    lanes=32, options=PLAIN, limits=UNLIMITED, progress=None,
):  # fmt: skip
    """Run the body of a kernel whose parameters are the arguments by their names."""
    arguments = arguments or {}
    prepared = prepare(kernel_text(body, arguments, variables), lanes, options)
    return prepared.run(grid, block, arguments, shared=shared, limits=limits, progress=progress)


def module_of(kernel, lanes=32):
    """A module around a kernel that was made by hand."""
    return Module("made.ptx", "sm_90", "9.0", 64, lanes, (kernel,))
