"""Thermal simulation of a chip: some time steps a launch, temperatures back and forth."""

import numpy as np
from scipy import ndimage

from warpmill.checks import close

TILE = 16  # cells a side of a block's tile, as the kernel has it
SURROUNDINGS = 80.0  # as the kernel has it

CHIP = 0.016  # metres a side
THICKNESS = 0.0005  # metres
CONDUCTIVITY = 100.0  # of silicon, W / (m K)
SPECIFIC_HEAT = 1.75e6  # of silicon, J / (m3 K)
HEAT_FACTOR = 0.5  # share of the chip's heat capacity that takes part
POWER_DENSITY = 3e6  # of the hottest units, W / m2
STABLE_SHARE = 0.1  # a time step, as a share of the time in which a cell follows its neighbours


def make(columns, rows, steps, pyramid, seed):
    """Make a chip of functional units with their powers, and temperatures that vary by cell."""
    if not 1 <= pyramid < TILE // 2 or min(columns, rows, steps) < 1:
        raise ValueError("pyramid is from 1 to 7; columns, rows and steps are at least 1")
    rng = np.random.default_rng(seed)
    cell_width, cell_height = CHIP / columns, CHIP / rows
    area = cell_width * cell_height
    units = rng.random((8, 8)) ** 3  # a few hot ones
    unit_of_cell = np.ix_(np.arange(rows) * 8 // rows, np.arange(columns) * 8 // columns)
    power = units[unit_of_cell] * (0.9 + 0.1 * rng.random((rows, columns)))
    capacity = HEAT_FACTOR * SPECIFIC_HEAT * THICKNESS * area
    across = cell_width / (CONDUCTIVITY * THICKNESS * cell_height)
    along = cell_height / (CONDUCTIVITY * THICKNESS * cell_width)
    out = THICKNESS / (CONDUCTIVITY * area)
    seconds = STABLE_SHARE * capacity / (2 / across + 2 / along + 1 / out)
    return {
        "power": (POWER_DENSITY * area * power).astype(np.float32),
        "temperature": (320 + 20 * rng.random((rows, columns))).astype(np.float32),
        "constants": [np.float32(value) for value in (capacity, across, along, out, seconds)],
        "steps": steps,
        "pyramid": pyramid,
    }


def run(device, modules, inputs):
    """Advance by `steps` time steps, `pyramid` of them a launch; the temperatures at the end."""
    rows, columns = inputs["power"].shape
    power = device.array(inputs["power"], name="power")
    now = device.array(inputs["temperature"], name="temperatures")
    then = device.zeros((rows, columns), np.float32, name="other temperatures")
    for done in range(0, inputs["steps"], inputs["pyramid"]):
        steps = min(inputs["pyramid"], inputs["steps"] - done)
        inner = TILE - 2 * steps
        grid = (-(-columns // inner), -(-rows // inner))
        arguments = [steps, power, now, then, columns, rows, *inputs["constants"]]
        device.launch(modules["hotspot"]["hotspot"], grid, (TILE, TILE), arguments)
        now, then = then, now
    return {"temperature": now.get()}


def check(inputs, results):
    """Convolve the whole chip, step by step, in double precision.

    A step rounds a temperature by little more than half an ulp, and never enlarges an error.
    """
    capacity, across, along, out, seconds = (float(value) for value in inputs["constants"])
    stencil = np.array([[0, 1 / along, 0], [1 / across, -1 / out, 1 / across], [0, 1 / along, 0]])
    stencil[1, 1] -= 2 / across + 2 / along
    gained = inputs["power"].astype(np.float64) + SURROUNDINGS / out
    expected = inputs["temperature"].astype(np.float64)
    for _ in range(inputs["steps"]):
        heat = ndimage.convolve(expected, stencil, mode="nearest") + gained
        expected = expected + seconds / capacity * heat
    ulp = float(np.spacing(np.float32(expected.max())))
    got = results["temperature"]
    against = "scipy.ndimage.convolve in double precision"
    yield close("temperature", got, expected, against, rtol=0, atol=inputs["steps"] * ulp)
