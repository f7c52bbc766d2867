"""Modules of workloads that are not kept: they are what compilers write, and commands read them."""

import hashlib
import json
import shutil

import pytest

from warpmill.analyzer.frontends.load import load_kernel
from warpmill.cli.main import main
from warpmill.samples import build
from warpmill.session.jobs import Job
from warpmill.session.registers import registers_of
from warpmill.session.workloads import PACKED, kept_text, own_text, workloads
from warpmill.simulator.machines.resolve import load_machine

PTX = [
    (workload.folder, f"{module.name}.{chip}.ptx")
    for workload in workloads().values()
    for module in workload.form.module
    for chip in workload.form.architectures
]
OWN = {
    "attention.sm_90.ptx", "attention_causal.sm_90.ptx", "matmul_half.sm_90.ptx",
    *(f"layer_norm{kernel}.sm_75.ptx" for kernel in ("", "_back", "_sum")),
    *(f"layer_norm{kernel}.sm_90.ptx" for kernel in ("", "_back", "_sum")),
}  # fmt: skip
"""What Triton makes for other chips otherwise than for sm_80."""
RECOMPILED = ("arithmetic-stress", "mri-gridding", "softmax", "kmeans")


def test_few_modules_for_other_chips_are_kept():
    others = [(folder, name) for folder, name in PTX if ".sm_80." not in name]
    assert {name for folder, name in others if own_text(folder / name) is not None} == OWN
    assert len(others) - len(OWN) == 131


@pytest.mark.parametrize(("folder", "name"), PTX, ids=lambda one: getattr(one, "name", one))
def test_every_module_is_what_its_compiler_wrote(folder, name):
    """By the hash of the compiler's output, whether that is kept or not."""
    record = json.loads((folder / "artefacts.json").read_text())
    text = kept_text(folder / name)
    assert hashlib.sha256(text.encode()).hexdigest() == record[name]["sha256"]
    assert f".target {name.split('.')[1]}\n" in text


@pytest.mark.parametrize("name", RECOMPILED)
@pytest.mark.parametrize("chip", ["sm_75", "sm_90"])
def test_compilers_write_the_text_that_sm_80_gives(tmp_path, name, chip):
    """With the compiler that is recorded, where it is there: another one may write other code."""
    home, tools = build.ROOT / "workloads" / name, build.find_tools()
    steps = [s for s in build.steps_of(f"workloads/{name}") if s.artefact.endswith(f".{chip}.ptx")]
    record = build.read_record(home)
    steps = [
        s
        for s in steps
        if s.tool in tools and tools[s.tool].version == record[s.artefact]["compiler"]
    ]
    if not steps:
        pytest.skip("needs the compiler that is recorded")
    copy = tmp_path / build.ROOT.name
    shutil.copytree(build.ROOT / "common", copy / "common")
    folder = copy / "workloads" / name
    shutil.copytree(home, folder, ignore=shutil.ignore_patterns(*build.MADE))
    for step in steps:
        build.build_step(step, {step.tool: tools[step.tool]}, folder, None)
        assert own_text(folder / step.artefact) == kept_text(home / step.artefact)


def test_commands_see_a_module_that_is_not_kept_under_its_name(capsys):
    assert main(["inspect", "bfs:tiny:sm_90", "libor:tiny:sm_75", "--format", "json"]) == 0
    first, second = json.loads(capsys.readouterr().out)["files"]
    assert first["file"].endswith("workloads/bfs/bfs.sm_90.ptx")
    assert second["file"].endswith("workloads/libor/libor.sm_75.ptx")
    assert (first["target"], second["target"]) == ("sm_90", "sm_75")


def test_registers_of_a_module_that_is_not_kept_are_those_of_its_chip():
    module = workloads()["bfs"].module("bfs", "sm_90")
    loaded, kernel = load_kernel(module, "bfs_expand")
    count = registers_of(Job(loaded, kernel, None), load_machine("h100_sxm"))
    assert (count.registers_per_thread, count.source, count.assumed) == (
        24, "ptxas for sm_90 (artefacts.json)", False,
    )  # fmt: skip


def test_packed_files_are_read_where_texts_are():
    packed = [f for folder, _ in PTX for f in folder.glob(f"*{PACKED}")]
    assert packed
    for file in packed:
        assert own_text(file.with_suffix("")).startswith("//")
