"""Which machine stands for a GPU: names of drivers and people, and what must not be mixed up."""

import pytest

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.measurements.machines import MachineChoices, Machines, find_machine
from warpmill.simulator.machines import machine_names


@pytest.mark.parametrize(
    ("gpu", "machine"),
    [
        ("NVIDIA A100-SXM4-40GB", "a100"),
        ("A100", "a100"),
        ("NVIDIA A100 80GB PCIe", "a100_pcie_80gb"),
        ("Tesla V100-SXM2-16GB", "v100"),
        ("Tesla V100", "v100"),
        ("NVIDIA H100 80GB HBM3", "h100_sxm"),
        ("NVIDIA H100 PCIe", "h100_pcie"),
        ("NVIDIA H200", "h200_sxm"),
        ("NVIDIA GH200 480GB", "gh200"),
        ("Tesla T4 (0)", "t4"),
        ("GeForce RTX 2080 Ti", "rtx2080ti"),
        ("RTX_2080_Ti", "rtx2080ti"),
        ("rtx 2080ti", "rtx2080ti"),
        ("NVIDIA GeForce RTX 3060 12GB", "rtx3060"),
        ("GTX_980", "gtx980"),
        ("GeForce GTX 1650 GDDR6", "gtx1650"),
        ("GeForce GTX TITAN X", "gtx_titan_x_maxwell"),
        ("AMD Instinct MI100", "mi100"),
        ("GeForce GTX 480", "gtx480"),
    ],
)
def test_products(gpu, machine):
    found = find_machine(gpu)
    assert (found.gpu, found.machine, found.guessed) == (gpu, machine, True)
    assert found.machine_name is not None


@pytest.mark.parametrize(
    ("gpu", "like"),
    [
        ("NVIDIA A100-SXM4-80GB", "a100 (NVIDIA A100 SXM4 40GB)"),
        ("NVIDIA A100-PCIE-40GB", "a100_pcie_80gb"),
        ("Tesla V100-PCIE-16GB", "v100 ("),
        ("NVIDIA GeForce RTX 3070 Ti", "rtx3070 ("),
        ("RTX 2080", "rtx2080ti ("),
        ("GTX 1650 SUPER", "gtx1650 ("),
        ("GeForce GTX 1650 GDDR5", "gtx1650 ("),
        ("Tesla V100 32GB", "v100 ("),
        ("NVIDIA RTX A4000 Laptop GPU", "rtx_a4000 ("),
        ("RTX 4090 D", "rtx4090 ("),
        ("NVIDIA H200 NVL", "h200_sxm ("),
        ("NVIDIA H100 96GB HBM2", "h100_sxm ("),
        ("NVIDIA L40S", "warpmill machines list"),
        ("NVIDIA TITAN X (Pascal)", "warpmill machines list"),
        ("NVIDIA", "warpmill machines list"),
        ("HBM3", "warpmill machines list"),
        ("80GB", "warpmill machines list"),
        ("7", "warpmill machines list"),
    ],
)
def test_what_is_another_product_is_none(gpu, like):
    with pytest.raises(UsageError, match="no machine is known to be") as caught:
        find_machine(gpu)
    assert like in str(caught.value)
    assert f"--machine '{gpu}=NAME'" in str(caught.value)


def test_what_could_be_several_is_none():
    with pytest.raises(UsageError, match="could be several machines") as caught:
        find_machine("NVIDIA H100")
    assert "h100_pcie (NVIDIA H100 PCIe 80GB), h100_sxm (" in str(caught.value)


@pytest.mark.parametrize("name", machine_names())
def test_every_machine_is_known_by_its_name_and_every_product_by_its_own(name):
    found = find_machine(name)
    assert (found.machine, found.guessed) == (name, False)
    if "gpgpusim" not in name and name not in NO_PRODUCTS:
        assert find_machine(found.machine_name).machine == name


NO_PRODUCTS = {
    "generic", "minibench_8sm", "minibench_28sm", "minibench_56sm", "minibench_110sm",
    "tbpoint_fermi", "qv100_accelsim",
}  # fmt: skip


def test_what_the_user_says_comes_first():
    found = find_machine("a100", {"a100": "h100_sxm"})
    assert (found.machine, found.guessed) == ("h100_sxm", False)


def test_a_file_beside_the_table(tmp_path):
    (tmp_path / "mine.toml").write_text("")
    assert find_machine("mine.toml", folder=tmp_path).machine == str(tmp_path / "mine.toml")
    assert find_machine("other.toml", folder=tmp_path).machine == "other.toml"


def test_machines_of_a_table(tmp_path):
    machines = Machines(MachineChoices("t4", {"x": "v100"}), {"sm.count": 3}, tmp_path)
    assert [machines.choice(gpu) for gpu in (None, "Tesla T4", "x", "A40")] == [
        "t4", "t4", "v100", "a40",
    ]  # fmt: skip
    assert machines.loaded("a40").integer("sm.count") == 3
    assert list(machines.found) == ["t4", "Tesla T4", "x", "A40"]
    with pytest.raises(UsageError, match="there is no --machine for all rows"):
        Machines(MachineChoices(), {}, tmp_path).choice(None)


@pytest.mark.parametrize("choices", [MachineChoices("a10"), MachineChoices(None, {"x": "a10"})])
def test_machines_that_the_user_names_wrong(choices, tmp_path):
    with pytest.raises(UsageError, match="there is no machine `a10`"):
        Machines(choices, {}, tmp_path)
