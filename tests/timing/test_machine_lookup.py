"""Machines by the names that people have for them."""

import pytest

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.cli.main import main
from warpmill.simulator.machines import load_machine
from warpmill.simulator.machines.files import machine_meant


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("a100", "a100"), ("A100", "a100"), ("h100", "h100_sxm"), ("H100-80GB", "h100_sxm"),
        ("H100 SXM", "h100_sxm"), ("H100 PCIe", "h100_pcie"), ("RTX 4090", "rtx4090"),
        ("4090", "rtx4090"), ("GeForce RTX 2080 Ti", "rtx2080ti"), ("2080ti", "rtx2080ti"),
        ("A100 80GB", "a100_pcie_80gb"), ("NVIDIA A100-SXM4-40GB", "a100"), ("K40", "tesla_k40"),
        ("Titan X", "gtx_titan_x_maxwell"), ("MI250X", "mi250x_gcd"), ("H200", "h200_sxm"),
        ("fx 5800", "quadro_fx5800"), ("QV100", "qv100_accelsim"), ("rtx_a6000", "rtx_a6000"),
    ],
)  # fmt: skip
def test_what_people_type(typed, name):
    assert machine_meant(typed).name == name
    assert load_machine(typed).name == name


@pytest.mark.parametrize(
    ("typed", "like"),
    [
        ("a10", "a100"), ("MI250", "mi250x_gcd"), ("L40S", "l40"), ("V100 PCIe", "v100"),
        ("RTX 3060 Ti", "rtx3060"), ("GTX 1080Ti", "rtx2080ti"), ("A100-SXM4-80GB", "a100"),
        ("H100 NVL", "h100_pcie"), ("titan", "titan_v"), ("", "a100"),
    ],
)  # fmt: skip
def test_another_product_is_none_of_them(typed, like):
    with pytest.raises(UsageError, match="there is no machine") as caught:
        machine_meant(typed)
    assert like in caught.value.diagnostics[0].hint


def test_what_was_taken_is_said_once(capsys):
    target = "samples/vecadd/launch.toml"
    assert main(["estimate", target, "--size", "n=4096", "-m", "H100,RTX 4090,h100_sxm"]) == 0
    found = capsys.readouterr()
    assert "note: --machine H100 is taken to be h100_sxm (NVIDIA H100 SXM5 80GB)" in found.err
    assert "; h100_pcie would fit, too" in found.err
    assert found.err.count("is taken to be") == 2
    assert main(["machines", "show", "4090"]) == 0
    assert "note: 4090 is taken to be rtx4090" in capsys.readouterr().err
