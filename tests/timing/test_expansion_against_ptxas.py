"""How many machine instructions we expect of the samples, against what ptxas makes of them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections import defaultdict
from functools import cache
from itertools import chain
from pathlib import Path
from statistics import median

import pytest

from tests.reference.expansion_counts import (
    CHIPS,
    ROOT,
    Count,
    counted,
    counts,
    expanded_count,
    module_of,
)
from warpmill.analyzer.analyses.analyse import analyse_structure
from warpmill.analyzer.analyses.structure import Structure
from warpmill.simulator.assembler.values import expansion_table

MEDIAN_ERROR = 0.04
WITHIN_A_QUARTER = 0.92
BAND = (0.25, 1.4)
"""The farthest off are kernels whose loops ptxas unrolls without an access in them."""


@cache
def analysed(file: str) -> dict[str, Structure]:
    """What tells the lanes of each kernel of a file apart, and with it the structure."""
    kernels = module_of(ROOT / file).kernels
    return {kernel.name: analyse_structure(kernel) for kernel in kernels}


Ratios = dict[int, list[tuple[float, Count]]]


@pytest.fixture
def ratios(request: pytest.FixtureRequest) -> Ratios:
    """Ours over ptxas's, by compute capability; of every third file, of all with --every."""
    return ratios_of(1 if request.config.getoption("--every") else 3)


@cache
def ratios_of(step: int) -> Ratios:
    files = sorted({one.file for one in counts()})[::step]
    found = defaultdict(list)
    for one in counts():
        if one.file in files:
            ours = expanded_count(analysed(one.file)[one.kernel], one.capability)
            found[one.capability].append((ours / one.ptxas, one))
    return found


def test_every_chip_has_many_kernels(ratios: Ratios) -> None:
    assert all(len(ratios[chip]) > 40 for chip in CHIPS)


@pytest.mark.parametrize("chip", CHIPS)
def test_counts_are_near_those_of_ptxas(ratios: Ratios, chip: int) -> None:
    errors = [abs(ratio - 1) for ratio, _ in ratios[chip]]
    assert median(errors) <= MEDIAN_ERROR
    assert sum(error <= 0.25 for error in errors) >= WITHIN_A_QUARTER * len(errors)


@pytest.mark.parametrize("chip", CHIPS)
def test_counts_are_neither_high_nor_low_on_the_whole(ratios: Ratios, chip: int) -> None:
    assert median(ratio for ratio, _ in ratios[chip]) == pytest.approx(1, abs=0.02)


@pytest.mark.parametrize("chip", CHIPS)
def test_no_count_is_far_off(ratios: Ratios, chip: int) -> None:
    far = [one for one in ratios[chip] if not BAND[0] <= one[0] <= BAND[1]]
    assert not far


def tools(name: str) -> list[str]:
    """The tools of that name on the PATH and in the folders of toolkits that are listed."""
    folders = [f for f in os.environ.get("WARPMILL_CUDA", "").split(os.pathsep) if f]
    listed = chain.from_iterable(Path(f).glob(f"**/bin/{name}") for f in folders)
    on_path = shutil.which(name)
    return [*([on_path] if on_path else []), *map(str, listed)]


def test_ptxas_still_makes_what_was_counted() -> None:
    assemblers, listers = tools("ptxas"), tools("nvdisasm")
    if not assemblers or not listers:
        pytest.skip("needs ptxas and nvdisasm")
    file = "samples/vecadd/vecadd.sm_80.ptx"
    (found,) = counted(ROOT / file, 86, assemblers, listers)
    (known,) = [one for one in counts() if one.file == file and one.capability == found.capability]
    assert found.ptxas == pytest.approx(known.ptxas, abs=2)  # releases differ


CONVERSIONS = """.version 7.8
.target sm_86
.address_size 64
.visible .entry k(.param .u64 p)
{ .reg .b64 %d<9>; .reg .b32 %r<20>; .reg .f32 %f<20>; .reg .b16 %h<9>; ld.param.u64 %d1, [p];
ld.global.v2.u32 {%r1, %r2}, [%d1]; ld.global.v2.f32 {%f1, %f2}, [%d1+16]; bar.sync 0;
cvt.rn.f32.u32 %f3, %r1; cvt.rn.f32.s32 %f4, %r2; cvt.rzi.s32.f32 %r3, %f1;
ex2.approx.f32 %f5, %f2; cvt.rn.f16x2.f32 %r4, %f1, %f2; cvt.rn.f16.f32 %h1, %f2;
add.f32 %f6, %f3, %f4; add.f32 %f6, %f6, %f5; st.global.f32 [%d1], %f6;
st.global.v2.u32 [%d1+8], {%r3, %r4}; st.global.b16 [%d1+32], %h1; ret; }
"""


def test_conversions_that_ptxas_gives_a_scoreboard_are_of_the_xu(tmp_path: Path) -> None:
    """Its schedule says which results come after a known time, as those of the XU do not."""
    assemblers, listers = tools("ptxas"), tools("nvdisasm")
    if not assemblers or not listers:
        pytest.skip("needs ptxas and nvdisasm")
    (tmp_path / "k.ptx").write_text(CONVERSIONS)
    cubin = str(tmp_path / "k.cubin")
    subprocess.run([assemblers[0], "-arch=sm_86", str(tmp_path / "k.ptx"), "-o", cubin], check=True)
    listing = subprocess.check_output([listers[0], "-hex", "-c", cubin], text=True)
    coded = re.findall(r"\*/ +(?:@!?U?P\w+ )?([A-Z0-9]+)[^;]*;[^\n]*\n\s*/\* 0x(\w+) \*/", listing)
    units = {name: unit for unit in expansion_table().units.values() for name in unit.opcodes}
    looked_at = {"I2FP", "F2FP", "F2I", "MUFU"}
    scoreboard = {name: int(word, 16) >> 46 & 7 for name, word in coded if name in looked_at}
    assert scoreboard.keys() == looked_at
    assert {name for name, own in scoreboard.items() if own != 7} == {
        name for name in looked_at if units[name].pipe == "xu"
    }
