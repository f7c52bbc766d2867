"""The first chips that have an opcode, beside what ptxas takes."""

import shutil
import subprocess
from pathlib import Path

import pytest

from warpmill.codegen.targets import refused_on

PTXAS = shutil.which("ptxas")
CHIPS = (50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 89, 90, 100)

INSTRUCTIONS = Path(__file__).parents[1] / "reference" / "first_chips.txt"

TEXT = """.version 8.6
.target {chip}
.address_size 64
.visible .entry k(.param .u64 p)
{{
.reg .pred %p<9>; .reg .b16 %h<20>; .reg .b32 %r<60>; .reg .b64 %d<40>; .reg .f32 %f<40>;
.reg .f64 %e<20>; .reg .b128 %q<4>; .shared .align 16 .b8 s[1024];
ld.param.u64 %d1, [p]; cvta.to.global.u64 %d2, %d1;
{instruction};
ret;
}}
"""


def _by_chip():
    found, first = [], 0
    for line in INSTRUCTIONS.read_text("utf-8").splitlines():
        if line.startswith("#"):
            first = int(line[1:])
        elif not line.startswith("//"):
            found.append((line, first))
    return found


@pytest.mark.parametrize(("instruction", "first"), _by_chip())
def test_an_opcode_is_refused_on_chips_before_its_first(instruction, first):
    opcode = instruction.split()[0]
    for chip in CHIPS:
        assert refused_on(opcode, f"sm_{chip}") == (f"sm_{first}" if chip < first else None)
    assert refused_on(opcode, "gfx90a") is None


@pytest.mark.one_in(12)
@pytest.mark.skipif(PTXAS is None, reason="ptxas is not installed")
@pytest.mark.parametrize(("instruction", "first"), _by_chip())
def test_ptxas_takes_an_opcode_from_its_first_chip_on(instruction, first, tmp_path):
    """As far as this ptxas knows the chips: that of CUDA 12.8 and 12.9 takes all."""
    for chip in CHIPS:
        path = tmp_path / f"{chip}.ptx"
        text = TEXT.format(chip=f"sm_{chip}", instruction=instruction)
        path.write_text(text if chip >= 70 else text.replace(".reg .b128 %q<4>;", ""))
        words = [PTXAS, f"-arch=sm_{chip}", str(path), "-o", str(tmp_path / "o")]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        if "is not defined for option" not in done.stderr:
            assert (done.returncode == 0) == (chip >= first), done.stderr
