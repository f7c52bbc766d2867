"""The script that carries annotated machine descriptions over."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

_SCRIPT = Path(__file__).parents[2] / "tools" / "import_machines.py"


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("import_machines", _SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


_ANNOTATED = """\
# A heading
[sm]
count = 108  # V Wikipedia | alt: 96 <M sheet; page 3>; 90 <C a config>
[dram]
type = "GDDR3"  # A as another
timing = "nbk=8:CCD=2:RRD=8"  # C some config
"""


def test_annotations_become_sources(tool: ModuleType, tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_text(_ANNOTATED, "utf-8")
    entries = tool.read_annotated(path)
    count = entries["sm.count"]
    assert (count.value, count.letter, count.source) == (108, "V", "Wikipedia")
    assert [(a.value, a.source) for a in count.alternatives] == [
        (96, "M sheet; page 3"),
        (90, "C a config"),
    ]
    timing = {k: (e.value, e.letter) for k, e in entries.items() if ".timing." in k}
    assert timing == {
        "dram.timing.n_banks": (8, "C"),
        "dram.timing.ccd": (2, "C"),
        "dram.timing.rrd": (8, "C"),
        "dram.timing.n_bank_groups": (1, "A"),
    }


def test_a_line_that_is_not_understood_stops_it(tool: ModuleType, tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_text("[sm]\ncount = 108 # no letter\n", "utf-8")
    with pytest.raises(SystemExit, match="not every line was understood"):
        tool.read_annotated(path)


@pytest.mark.parametrize(
    ("stated", "derived", "same"),
    [
        (0.167, 1 / 6, True),
        (18.824, 32 / 1.7, True),
        (732, 732.16, True),
        (4, 4.4, False),
        (900, 896, False),
        (31.99, 32.0, False),
        (8.0, 8.05, False),
    ],
)
def test_a_number_follows_when_it_agrees_to_the_digits_stated(
    tool: ModuleType, stated: float, derived: float, same: bool
) -> None:
    assert tool.agrees(stated, derived) is same
