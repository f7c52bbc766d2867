"""Who says how many registers a thread takes, and in which order they are asked."""

import hashlib
import json
import shutil
import stat
from dataclasses import replace
from pathlib import Path

import pytest

import warpmill
from warpmill.analyzer.base.diagnostics import InputError, UsageError
from warpmill.analyzer.frontends.load import load_kernel
from warpmill.analyzer.machine_code import ptxas as ptxas_module
from warpmill.session.options import RegisterSources
from warpmill.session.registers import NO_PTXAS, chip_number, find_registers
from warpmill.simulator.assembler.registers import RegisterCount, RegisterDemand, Spilled
from warpmill.simulator.machines import load_machine

CUBINS = Path(__file__).parents[1] / "frontends" / "cubins"
SAMPLES = Path(__file__).parents[2] / "samples"
PTX = """\
.version 7.0
.target {target}
.address_size 64
.visible .entry narrow() {bounds}
{{
    ret;
}}
"""


class Case:
    """A module in a folder of its own, with or without a record beside it."""

    def __init__(self, folder, *, target="sm_80", bounds="", counts=None, fresh=True):
        self.path = folder / "m.ptx"
        self.path.write_text(PTX.format(target=target, bounds=bounds))
        if counts is not None:
            self.record({"m.ptx": self.entry(counts, fresh)})

    def entry(self, counts, fresh=True):
        digest = hashlib.sha256(self.path.read_bytes() + (b"" if fresh else b"x")).hexdigest()
        facts = {name: {"registers": count} for name, count in counts.items()}
        return {"sha256": digest, "ptxas": {"kernels": {"narrow": facts}}}

    def record(self, content):
        self.path.with_name("artefacts.json").write_text(json.dumps(content))

    def find(self, machine="a100", **sources):
        loaded, kernel = load_kernel(self.path)
        return find_registers(
            loaded, kernel, lambda: DEMAND, load_machine(machine), RegisterSources(**sources)
        )


DEMAND = RegisterDemand(17, 12)
COUNTS = {"sm_80": 32, "sm_86": 40, "sm_90": 30}


def test_the_users_number_comes_first(tmp_path):
    case = Case(tmp_path, counts=COUNTS)
    assert case.find(registers=64) == RegisterCount(64, "--regs", False)
    with pytest.raises(UsageError, match="--regs and --cubin each say what the registers are"):
        case.find(registers=64, cubin=CUBINS / "pair.sm_80.cubin")
    for wrong in (0, -1, 256):
        with pytest.raises(UsageError, match=f"--regs {wrong}: a thread takes 1 to 255 registers"):
            case.find(registers=wrong)


def test_the_record_gives_the_machines_own_chip(tmp_path):
    case = Case(tmp_path, bounds=".maxnreg 24", counts=COUNTS)
    assert case.find("a100") == RegisterCount(32, "ptxas for sm_80 (artefacts.json)", False)
    assert case.find("a40") == RegisterCount(40, "ptxas for sm_86 (artefacts.json)", False)


@pytest.mark.parametrize(
    ("machine", "count", "words"),
    [
        ("v100", 32, "ptxas for sm_80, the nearest to sm_70 (artefacts.json)"),
        ("rtx4090", 30, "ptxas for sm_90, the nearest to sm_89 (artefacts.json)"),
        ("b200", 30, "ptxas for sm_90, the nearest to sm_100 (artefacts.json)"),
        ("mi100", 32, "ptxas for sm_80 (artefacts.json)"),
    ],
)
def test_the_nearest_chip_is_assumed(tmp_path, machine, count, words):
    case = Case(tmp_path, counts=COUNTS)
    assert case.find(machine) == RegisterCount(count, words, True)


def test_a_tie_goes_to_the_older_chip(tmp_path):
    assert Case(tmp_path, counts={"sm_90": 9, "sm_70": 7}).find("a100").registers_per_thread == 7


def test_what_is_assumed_is_no_more_than_the_machine_has(tmp_path):
    counts = {"sm_75": 64}
    words = "ptxas for sm_75, the nearest to sm_20 (artefacts.json); 64 cut to the machine's most"
    case = Case(tmp_path, counts=counts)
    assert case.find("gtx480") == RegisterCount(63, words, True)
    assert case.find("a100").registers_per_thread == 64
    with pytest.raises(UsageError, match="1 to 63"):
        case.find("gtx480", registers=64)


def test_an_outdated_record_is_not_believed(tmp_path):
    found = Case(tmp_path, counts=COUNTS, fresh=False).find()
    words = "live registers (artefacts.json is of another version of the module)"
    assert found == RegisterCount(17, words, True)


@pytest.mark.parametrize(
    "content",
    [
        [],
        {"m.ptx": []},
        {"m.ptx": {"ptxas": {"kernels": {"narrow": 3}}}},
        {"m.ptx": {"ptxas": {"kernels": {"narrow": {"sm_80": {"registers": None}}}}}},
        {"m.ptx": {"ptxas": {"kernels": {"narrow": {"sm_80": {"registers": True}}}}}},
        {"m.ptx": {"ptxas": {"kernels": {"narrow": {"gfx908": {"registers": 8}}}}}},
        {"other.ptx": {"ptxas": {"kernels": {"narrow": {"sm_80": {"registers": 8}}}}}},
        {"m.ptx": {"ptxas": {"kernels": {"wide": {"sm_80": {"registers": 8}}}}}},
    ],
)
def test_other_files_of_that_name_count_as_none(tmp_path, content):
    case = Case(tmp_path)
    case.record(content)
    assert case.find() == RegisterCount(17, "live registers", True)
    case.path.with_name("artefacts.json").write_bytes(b"[" * 100_000)
    assert case.find() == RegisterCount(17, "live registers", True)


@pytest.mark.parametrize("name", [".", "", "/"])
def test_a_module_without_a_file_has_no_record(tmp_path, name):
    """As recordings have them, whose modules lie in the recording."""
    loaded, kernel = load_kernel(Case(tmp_path, counts=COUNTS).path)
    found = find_registers(
        replace(loaded, path=name), kernel, lambda: DEMAND, load_machine("a100"), RegisterSources()
    )
    assert (found.registers_per_thread, found.assumed) == (17, True)


def test_without_a_compiler(tmp_path):
    loaded, kernel = load_kernel(Case(tmp_path).path)
    for fewest, spilled in ((12, None), (30, Spilled(".maxnreg 24"))):
        demand = RegisterDemand(24, fewest, ".maxnreg 24")
        found = find_registers(loaded, kernel, lambda demand=demand: demand, load_machine("a100"))
        assert found == RegisterCount(24, ".maxnreg 24", True, spilled)


def test_a_cubin_that_is_named_beats_the_record(tmp_path):
    case = Case(tmp_path, counts=COUNTS)
    cubin = CUBINS / "pair.sm_90.cubin"
    words = "cubin for sm_90 (pair.sm_90.cubin)"
    assert case.find("h100_sxm", cubin=cubin) == RegisterCount(8, words, False)
    assert case.find("a100", cubin=cubin) == RegisterCount(8, words, True)
    with pytest.raises(InputError, match="cannot be read"):
        case.find(cubin=tmp_path / "none.cubin")


@pytest.fixture
def ptxas(tmp_path, monkeypatch):
    """A ptxas that runs the given lines of sh; its arguments go to the file it returns."""

    def install(lines):
        folder = tmp_path / "bin"
        folder.mkdir()
        tool = folder / "ptxas"
        called = tmp_path / "called"
        tool.write_text(f'#!/bin/sh\necho "$@" > {called}\n{lines}\n')
        tool.chmod(tool.stat().st_mode | stat.S_IXUSR)
        monkeypatch.setenv("PATH", f"{folder}:/bin:/usr/bin")
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
        return called

    return install


def copying(name):
    return f'for last; do :; done; cp {CUBINS / name} "$last"'


def test_ptxas_is_asked_where_it_is_there_unless_it_is_told_not_to(tmp_path, ptxas, monkeypatch):
    called = ptxas(copying("pair.sm_80.cubin"))
    monkeypatch.delenv(NO_PTXAS)
    case = Case(tmp_path)
    assert case.find(ptxas=False).source == "live registers"
    assert case.find("mi100").source == "live registers"  # no chip of NVIDIA
    assert not called.exists()
    assert case.find() == RegisterCount(8, "ptxas for sm_80", False)
    called.unlink()
    assert case.find() == RegisterCount(8, "ptxas for sm_80", False)
    assert not called.exists()  # what it made is kept
    case.path.write_text(case.path.read_text() + "// changed\n")
    assert case.find().source == "ptxas for sm_80"
    assert called.exists()


def test_a_ptxas_that_fails_gives_way_to_the_model(tmp_path, ptxas, monkeypatch):
    monkeypatch.delenv(NO_PTXAS)
    ptxas("exit 9")
    assert Case(tmp_path).find() == RegisterCount(17, "live registers", True)


def test_too_few_registers_spill(tmp_path):
    """The fewest that hold its values are 12, by the model."""
    case = Case(tmp_path)
    assert case.find(registers=12).spilled is None
    assert case.find(registers=11).spilled == Spilled("--regs 11")


def test_ptxas_tells_what_is_spilled(tmp_path, ptxas):
    said = "    16 bytes stack frame, 24 bytes spill stores, 40 bytes spill loads"
    ptxas(
        f"{copying('pair.sm_80.cubin')}\n"
        f'echo "ptxas info : Function properties for narrow" >&2\necho "{said}" >&2'
    )
    told = Spilled("ptxas for sm_80", 24, 40, is_modelled=False)
    assert Case(tmp_path).find(ptxas=True).spilled == told


def test_the_record_tells_what_is_spilled(tmp_path):
    case = Case(tmp_path, counts=COUNTS)
    facts = {"registers": 32, "spill_store_bytes": 8, "spill_load_bytes": 0}
    digest = hashlib.sha256(case.path.read_bytes()).hexdigest()
    kernels = {"narrow": {"sm_80": facts}}
    case.record({"m.ptx": {"sha256": digest, "ptxas": {"kernels": kernels}}})
    assert case.find().spilled == Spilled("ptxas for sm_80", 8, 0, is_modelled=False)


def test_ptxas_runs_only_where_it_is_asked_for(tmp_path, ptxas):
    called = ptxas(copying("pair.sm_80.cubin"))
    case = Case(tmp_path)
    assert case.find().source == "live registers"
    assert not called.exists()
    assert case.find(ptxas=True) == RegisterCount(8, "ptxas for sm_80", False)
    assert called.read_text().startswith("-v -arch=sm_80 -e narrow ")
    assert case.find("h100_sxm", ptxas=True).assumed  # the cubin is for sm_80
    assert "-arch=sm_90" in called.read_text()


@pytest.mark.parametrize(
    ("target", "machine", "architecture"),
    [("sm_70", "a100", "sm_80"), ("sm_80", "v100", "sm_80"), ("sm_90a", "a100", "sm_90a")],
)
def test_the_chip_that_ptxas_is_asked_for(tmp_path, ptxas, target, machine, architecture):
    called = ptxas(copying("pair.sm_80.cubin"))
    Case(tmp_path, target=target).find(machine, ptxas=True)
    assert f"-arch={architecture} " in called.read_text()


def test_a_recorded_count_for_another_chip_gives_way_to_ptxas(tmp_path, ptxas):
    ptxas(copying("pair.sm_90.cubin"))
    case = Case(tmp_path, counts={"sm_80": 32})
    assert case.find("h100_sxm", ptxas=True) == RegisterCount(8, "ptxas for sm_90", False)
    assert case.find("a100", ptxas=True).source == "ptxas for sm_80 (artefacts.json)"


def test_what_ptxas_rejects_is_located(tmp_path, ptxas):
    ptxas(
        'echo "ptxas kernel.ptx, line 6; error   : Not a name of any known instruction" >&2\n'
        'echo "ptxas fatal   : Ptx assembly aborted due to errors" >&2; exit 255'
    )
    with pytest.raises(InputError) as error:
        Case(tmp_path).find(ptxas=True)
    (only,) = error.value.diagnostics
    assert (only.file, only.span.line) == (str(tmp_path / "m.ptx"), 6)
    assert only.message == "ptxas says: Not a name of any known instruction"
    assert only.excerpt == "    ret;"


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ('echo "ptxas fatal   : Unknown option" >&2; exit 1', "ptxas says: Unknown option"),
        ("exit 9", "ptxas fails for sm_80"),
        ("exit 0", "what ptxas makes of .*m.ptx: error: cannot be read"),
    ],
)
def test_other_ways_in_which_ptxas_fails(tmp_path, ptxas, lines, words):
    ptxas(lines)
    with pytest.raises(InputError, match=words):
        Case(tmp_path).find(ptxas=True)


def test_ptxas_that_is_missing_or_hangs(tmp_path, ptxas, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UsageError, match="there is no ptxas on PATH"):
        Case(tmp_path).find(ptxas=True)
    ptxas("exec sleep 20")
    monkeypatch.setattr(ptxas_module, "TIME_LIMIT_S", 0.1)
    with pytest.raises(warpmill.WarpmillError, match="ptxas took more than") as error:
        Case(tmp_path).find(ptxas=True)
    assert error.value.exit_code == 3


def test_ptxas_reads_ptx_only():
    job = warpmill.prepare(SAMPLES / "vecadd" / "vecadd.bc")
    sources = RegisterSources(ptxas=True)
    with pytest.raises(UsageError, match=r"--ptxas reads PTX only; .*vecadd\.bc is LLVM bitcode"):
        find_registers(job.loaded, job.kernel, lambda: DEMAND, load_machine("a100"), sources)


@pytest.mark.skipif(shutil.which("ptxas") is None, reason="there is no ptxas here")
def test_the_ptxas_that_is_installed(tmp_path):
    found = Case(tmp_path).find("h100_sxm", ptxas=True)
    assert found.source == "ptxas for sm_90"
    assert 1 <= found.registers_per_thread <= 16


def test_numbers_of_chips():
    numbers = {name: chip_number(load_machine(name)) for name in ("gtx480", "b200", "mi250x_gcd")}
    assert numbers == {"gtx480": 20, "b200": 100, "mi250x_gcd": None}
