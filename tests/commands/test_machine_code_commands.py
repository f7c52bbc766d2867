"""``inspect`` and ``diff`` of CUDA's binaries without PTX."""

import json

import pytest

from tests.frontends.elf_bytes import Kernel, cubin
from tests.frontends.test_machine_code import PTX, fat, library
from warpmill.cli.main import main

SMALL = {"_Z5scalePf": Kernel(24, 0, 512), "sum": Kernel(32, 1960)}
LARGE = {"_Z5scalePf": Kernel(40, 0, 512), "sum": Kernel(32, 1960)}


@pytest.fixture
def file(tmp_path):
    def write(name, data):
        path = tmp_path / name
        path.write_bytes(data)
        return str(path)

    return write


def data_of(capsys, *words, code=0):
    assert main([*words, "--format", "json"]) == code
    return json.loads(capsys.readouterr().out)


def test_inspect_shows_what_kernels_take(file, capsys):
    path = file("k.cubin", cubin(SMALL, 80, variables=64))
    (code,) = data_of(capsys, "inspect", path)["machine_code"]
    assert (code["target"], code["relocatable"], code["constant_bytes"]) == ("sm_80", False, 64)
    rows = [[k["demangled"], k["registers"], k["stack_frame_bytes"]] for k in code["kernels"]]
    assert rows == [["scale(float*)", 24, 0], ["sum", 32, 1960]]
    assert main(["inspect", path, "--kernel", "sum"]) == 0
    page = " ".join(capsys.readouterr().out.split())
    assert "machine code for sm_80" in page
    assert "sum 32 1,960 B 0 B 352 B" in page
    assert "scale" not in page
    assert main(["inspect", path, "--format", "csv"]) == 0
    assert f"{path},machine code,sm_80,sum,sum,,,32,0," in capsys.readouterr().out


def test_inspect_shows_ptx_and_machine_code_of_one_file(file, capsys):
    found = data_of(capsys, "inspect", file("k", library((1, 80, PTX), (2, 80, cubin(SMALL, 80)))))
    assert [one["kernels"][0]["name"] for one in found["files"]] == ["k"]
    assert len(found["machine_code"][0]["kernels"]) == 2


def test_a_file_without_device_code_is_refused_as_before(file, capsys):
    assert main(["inspect", file("k", library())]) == 2
    assert "it holds no device code" in capsys.readouterr().err


def test_machine_code_that_is_linked_later_says_so(file, capsys):
    assert main(["inspect", file("k.cubin", cubin(SMALL, 80, linked=False))]) == 0
    assert "without the functions that kernels call" in " ".join(capsys.readouterr().out.split())


def test_diff_compares_kernels_of_one_name_and_chip(file, capsys):
    a = file("a", library((2, 80, cubin(SMALL, 80)), (2, 90, cubin(SMALL, 90))))
    b = file("b", library((2, 80, cubin(LARGE, 80))))
    found = data_of(capsys, "diff", a, b, "--exit-code", code=1)
    assert [(one["name"], one["equal"]) for one in found["machine_code"]] == [
        ("_Z5scalePf", False), ("sum", True),
    ]  # fmt: skip
    (row,) = found["machine_code"][0]["figures"]
    assert (row["key"], row["a"], row["b"], row["delta"]) == ("registers", 24, 40, 16)
    assert found["only_in_a"] == [
        "scale(float*), machine code for sm_90", "sum, machine code for sm_90",
    ]  # fmt: skip
    assert main(["diff", a, b, "-f", "csv"]) == 0
    assert "_Z5scalePf,machine code,sm_80,registers,,24,40,16" in capsys.readouterr().out


def test_diff_of_two_chips_and_of_equal_files(file, capsys):
    a, b = file("a.cubin", cubin(SMALL, 80)), file("b.cubin", cubin(SMALL, 90))
    found = data_of(capsys, "diff", a, b, "--all")
    chips = [(one["chip_a"], one["chip_b"]) for one in found["machine_code"]]
    assert chips == [("sm_80", "sm_90")] * 2
    assert len(found["machine_code"][1]["figures"]) == 4
    assert main(["diff", a, a, "--exit-code"]) == 0
    assert "no differences in 2 kernels" in capsys.readouterr().out


def test_diff_of_machine_code_with_a_text_or_a_launch_is_refused(file, capsys):
    a, text = file("a.cubin", cubin(SMALL, 80)), file("k.ptx", PTX)
    assert main(["diff", a, text]) == 2
    assert "k.ptx no machine code" in " ".join(capsys.readouterr().err.split())
    assert main(["diff", a, file("b.fatbin", fat((2, 80, cubin(SMALL, 80)))), "--grid", "4"]) == 2
    assert "--grid is for kernels that are read" in capsys.readouterr().err
