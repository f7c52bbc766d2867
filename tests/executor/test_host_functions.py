"""What threads print: formats as C reads them, with arguments in slots of their own size."""

import struct

import pytest

from warpmill.executor.device_memory import DeviceMemory
from warpmill.executor.host_calls import HOST_FUNCTIONS, HostFunctions

FORMAT, ARGUMENTS, WORD = 0, 256, 512


def printed(text: str, layout: str, *values: float) -> str:
    memory = bytearray(1024)
    memory[FORMAT : FORMAT + len(text)] = text.encode()
    struct.pack_into(layout, memory, ARGUMENTS, *values)
    memory[WORD : WORD + 4] = b"word"
    host = HostFunctions(DeviceMemory(), lambda at, size: bytes(memory[at : at + size]), print)
    number, _ = HOST_FUNCTIONS["vprintf"]
    assert host.call(number, FORMAT, ARGUMENTS) == len(values)
    return host.printed[0]


@pytest.mark.parametrize(
    ("text", "layout", "values", "expected"),
    [
        ("%.f|%d", "<di", (2.75, 7), "3|7"),
        ("%5.e|%d", "<di", (20000.0, 7), "2e+04|7"),
        ("%.d|%d", "<ii", (42, 7), "42|7"),
        ("%.s|%d", "<Qi", (WORD, 7), "|7"),
        ("%.*f|%d", "<i4xdi", (1, 2.75, 7), "2.8|7"),
        ("%.*f|%d", "<i4xdi", (-1, 2.75, 7), "2.750000|7"),
        ("%.*s|%d", "<i4xQi", (-1, WORD, 7), "word|7"),
        ("%*.f|%d", "<i4xdi", (-4, 2.75, 7), "3   |7"),
    ],
)
def test_a_precision_may_be_left_out_after_its_dot(text, layout, values, expected):
    assert printed(text, layout, *values) == expected
