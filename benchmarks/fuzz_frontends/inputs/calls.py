"""A host program with calls of all kinds, whose recording is mutated."""

from pathlib import Path

import numpy as np

MODULE = Path(__file__).with_name("calls.ptx")


def main(device):
    """Copy, launch on streams, wait for events, read textures and symbols, free."""
    module = device.load(MODULE)
    stream, event = device.stream(), device.event()
    values = device.array(np.arange(40, dtype=np.float32), name="values", stream=stream)
    other = device.zeros(40, np.float32)
    gone = device.empty(10)
    event.record(stream)
    stream.wait(event)
    image = device.texture(np.ones((2, 40), np.float32))
    device.launch(module["weigh"], 1, 64, [image, values, 40], stream=stream)
    device.copy(other, values)
    gone.free()
    module.symbol("weight").set(np.array([4, 5], np.float32))
    device.launch(module["weigh"], 2, 32, [image, other[4:], 36])
    surface = device.surface(np.zeros((2, 8), np.uint32))
    device.launch(module["draw"], 1, 8, [surface])
    stream.flush()
    device.synchronize()
    event.synchronize()
    return values.get(), other.get(), surface.get(), module.symbol("launches").get()
