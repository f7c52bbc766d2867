"""Engines' results where Python prints them, and registers as Python says them."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import pytest

import warpmill
from warpmill.analyzer.base.metric import INTERNAL, Metric, Tabled, derived
from warpmill.session.options import RegisterSources


@dataclass(frozen=True, repr=False)
class Counted(Tabled):
    """A result of three figures and a part."""

    name: Annotated[str, Metric("Kernel <name>")]
    time_us: Annotated[float, Metric("Duration", "µs")]
    hidden: Annotated[int, INTERNAL]
    rows: tuple[int, ...]
    unknown: Annotated[float | None, Metric("Hit rate", "%")] = None

    @derived("Half", "%")
    def half(self) -> float:
        """A share."""
        return 0.5


def test_a_result_prints_as_its_figures():
    found = Counted("a<b>", 12345.678, 7, (1, 2))
    assert repr(found).splitlines() == [
        "Counted",
        "  Kernel <name>  a<b>",
        "  Duration       12,345.7 µs",
        "  Half           50.0%",
    ]
    assert "<th>Kernel &lt;name&gt;</th><td>a&lt;b&gt;</td>" in found._repr_html_()


def test_an_estimate_prints_within_a_screen():
    found = warpmill.estimate("samples/vecadd/launch.toml", "a100", registers=16)
    lines = repr(found).splitlines()
    assert len(lines) < 40
    assert any(line.split()[:1] == ["Duration"] for line in lines)
    assert found.registers.registers_per_thread == 16


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        (None, RegisterSources()),
        (24, RegisterSources(registers=24)),
        ("ptxas", RegisterSources(ptxas=True)),
        ("a.cubin", RegisterSources(cubin=Path("a.cubin"))),
        (RegisterSources(registers=8), RegisterSources(registers=8)),
    ],
)
def test_registers_are_said_as_python_has_them(given, meant):
    assert RegisterSources.of(given) == meant
