"""What users get wrong: each ends with one clear message, the right code and no traceback."""

import os
from pathlib import Path

import pytest

import warpmill
from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.cli.main import main
from warpmill.simulator.gpu.options import Options

SAMPLES = Path(__file__).parents[2] / "samples"
VECADD = str(SAMPLES / "vecadd" / "vecadd.sm_80.ptx")
LAUNCH = str(SAMPLES / "vecadd" / "launch.toml")
REDUCE = str(SAMPLES / "reduce" / "launch.toml")
GIVEN = ["--arg", "null", "--arg", "null", "--arg", "null"]


def fails(capsys, arguments, code, *words):
    assert main([str(a) for a in arguments]) == code
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "Traceback" not in captured.err
    assert captured.err.count("error:") + captured.err.count("Error:") >= 1, captured.err
    for word in words:
        assert word in captured.err
    return captured.err


def written(folder, name, data):
    path = folder / name
    path.write_bytes(data)
    return path


BITCODE = (SAMPLES / "vecadd" / "vecadd.bc").read_bytes()
PTX = Path(VECADD).read_bytes()


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("empty.ptx", b"", "the file is empty"),
        ("blank.ll", b" \n\n", "the file is empty"),
        ("cut.ptx", PTX[: PTX.index(b"{") + 100], "this `{` is never closed"),
        ("cut.bc", BITCODE[:100], "LLVM cannot read this module"),
        ("binary.ptx", b"\x80\x81\x00\xff" * 50, "no UTF-8"),
        ("wrong.ptx", BITCODE, "this is LLVM bitcode, but the suffix says PTX"),
        ("wrong.bc", PTX, "this is PTX, but the suffix says LLVM bitcode"),
        ("text.txt", b"hello", "this is neither PTX nor LLVM IR nor LLVM bitcode"),
        ("program.o", b"\x7fELF" + bytes(60), "this ELF file is damaged"),
    ],
)
def test_files_that_are_no_kernels(name, data, words, tmp_path, capsys):
    path = written(tmp_path, name, data)
    for command in ("inspect", "analyze"):
        assert fails(capsys, [command, path], 2, words).startswith(str(path))


def test_a_folder(tmp_path, capsys):
    (tmp_path / "a.ptx").mkdir()
    fails(capsys, ["inspect", tmp_path / "a.ptx"], 2, "this is a folder")


def test_a_file_that_is_not_there_names_its_neighbour(tmp_path, capsys):
    written(tmp_path, "vecadd.ptx", PTX)
    fails(capsys, ["inspect", tmp_path / "vecad.ptx"], 2, "did you mean", "vecadd.ptx")


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_a_file_that_may_not_be_read(tmp_path, capsys):
    path = written(tmp_path, "vecadd.ptx", PTX)
    path.chmod(0)
    fails(capsys, ["inspect", path], 2, "Permission denied")


def test_a_path_through_a_file(tmp_path, capsys):
    path = written(tmp_path, "vecadd.ptx", PTX)
    fails(capsys, ["inspect", path / "inner.ptx"], 2, "cannot be read: Not a directory")


def test_what_is_wrong_with_several_files_is_told_at_once(tmp_path, capsys):
    first, second = written(tmp_path, "a.ptx", b""), written(tmp_path, "b.ll", b"")
    assert main(["inspect", str(first), VECADD, str(second)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("the file is empty") == 2


@pytest.mark.parametrize("target", [VECADD, LAUNCH])
def test_a_kernel_that_is_not_there_lists_those_that_are(target, capsys):
    fails(capsys, ["analyze", target, "--kernel", "vecmul"], 2, "vecmul", "vecadd")


def test_a_limit_names_its_flag_and_ends_with_3(capsys):
    few = ["--trace", "static", "--max-trace-visits", "3"]
    fails(capsys, ["trace", REDUCE, *few], 3, "--max-trace-visits")
    few = ["--trace", "executed", "--max-instructions", "3"]
    fails(capsys, ["trace", REDUCE, *few], 3, "--max-instructions")


def test_an_unknown_opcode_is_a_located_warning(tmp_path, capsys):
    text = PTX.replace(b"add.f32", b"addx.f32")
    path = written(tmp_path, "unknown.ptx", text)
    line = text[: text.index(b"addx")].count(b"\n") + 1
    assert main(["inspect", str(path)]) == 0
    captured = capsys.readouterr()
    assert captured.err.startswith(f"{path}:{line}:2: warning: opcode `addx.f32`")
    assert "Instructions by the nearest rule  1\n" in captured.out
    shown = fails(capsys, ["inspect", path, "--strict"], 2, "addx.f32")
    assert shown.startswith(f"{path}:{line}:2: error:")


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "command", ["analyze", "run", "profile", "trace", "estimate", "simulate", "sample", "clone"]
)
def test_what_reading_a_kernel_finds_is_told_by_each_command(command, tmp_path, capsys):
    path = written(tmp_path, "v.ptx", PTX.replace(b"ret;", b".loc 77 1 1\n\tret;"))
    launch = ["--grid", "2", "--block", "32", *["--arg", "buffer=f32:64"] * 3, "--arg", "64"]
    assert main([command, str(path), *launch]) == 0
    assert capsys.readouterr().err.count("warning: no .file declares the file 77") == 1


@pytest.mark.parametrize("command", ["estimate", "explain", "sweep", "tune"])
def test_the_help_says_how_many_registers_there_are(command, capsys):
    assert main([command, "--help"]) == 0
    words = " ".join(capsys.readouterr().out.split())
    assert "Registers of a thread: 1 to what the machine has, which is 255 on most." in words


def test_machines_with_more_registers_take_them(capsys):
    one = ["--set", "machine.warp_size=32", "-m", "mi250x_gcd", "--regs", "300"]
    assert main(["estimate", LAUNCH, *one]) == 0


@pytest.mark.parametrize(
    "command",
    [["run"], ["trace", "--trace", "executed"], ["simulate", "--trace", "executed", "-m", "v100"]],
)
def test_a_fault_points_at_its_line_whoever_executes(command, capsys):
    name, *options = command
    launch = ["--grid", "2", "--block", "32", *["--arg", "buffer=f32:40"] * 3, "--arg", "64"]
    said = fails(capsys, [name, VECADD, *launch, *options], 2, "is out of bounds")
    text = PTX.decode()
    line = text[: text.index("ld.global")].count("\n") + 1
    assert said.startswith(f"{VECADD}:{line}:2: error: `ld.global.nc.f32`")
    assert f"{line:5} | \tld.global.nc.f32" in said


def test_functions_take_paths_and_say_what_a_job_is():
    job = warpmill.prepare(LAUNCH)
    found = warpmill.estimate(LAUNCH, "a100")
    assert found.time_us == warpmill.estimate(job, "a100").time_us
    assert warpmill.trace(Path(LAUNCH)).summary == warpmill.trace(job).summary
    assert warpmill.trace_source(LAUNCH)
    cycles = warpmill.simulate(LAUNCH, "a100", options=Options(waves=1)).cycles
    assert cycles == warpmill.simulate(job, "a100", options=Options(waves=1)).cycles
    for function in (warpmill.estimate, warpmill.simulate):
        with pytest.raises(
            UsageError, match=r"a job is what warpmill\.prepare\(\) gives of a file, not .*5"
        ):
            function([5], "a100")


def test_a_launch_that_fits_on_no_machine(capsys):
    arguments = ["estimate", VECADD, "--grid", "4", "--block", "1024", *GIVEN, "--arg", "1"]
    assert main([*arguments, "--regs", "200", "-m", "a100,v100"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "does not fit on a100" in captured.err
    assert "does not fit on v100" in captured.err


def test_a_machine_that_it_does_not_fit_on_leaves_the_others(capsys):
    launch = str(SAMPLES / "matmul" / "launch.toml")
    small = ["--set", "sm.max_threads_per_block=128"]
    assert main(["estimate", launch, "-m", "a100", *small]) == 2
    capsys.readouterr()
    big = ["estimate", VECADD, "--grid", "4", "--block", "1024", *GIVEN, "--arg", "1"]
    assert main([*big, "-m", "a100,quadro_fx5800"]) == 0
    captured = capsys.readouterr()
    assert "does not fit on quadro_fx5800" in captured.err
    assert "quadro_fx5800  no estimate:" in captured.out


@pytest.mark.parametrize("command", ["estimate", "explain", "simulate"])
def test_a_machine_that_lacks_a_unit_leaves_the_others(command, tmp_path, capsys):
    path = written(tmp_path, "v.ptx", PTX)
    lacking = tmp_path / "bare.toml"
    assert main(["machines", "new", "bare", "--from", "a100", "-o", str(lacking)]) == 0
    lanes = '[lanes]\nfp32 = { value = 0, source = "- none" }\n'
    lacking.write_text(lacking.read_text("utf-8") + lanes, "utf-8")
    launch = ["--grid", "2", "--block", "32", *["--arg", "buffer=f32:64"] * 3, "--arg", "64"]
    assert main([command, str(path), *launch, "-m", f"v100,{lacking}", "-f", "json"]) == 0
    captured = capsys.readouterr()
    assert "machine bare has no value for " in captured.out


@pytest.mark.parametrize("name", ["missing/report.json", "."])
def test_output_that_cannot_be_written(name, tmp_path, capsys):
    fails(capsys, ["schema", "--output", tmp_path / name], 2, "cannot be written")


@pytest.mark.parametrize("command", ["analyze", "estimate", "explain", "profile", "trace"])
def test_output_that_cannot_be_written_is_told_before_the_work(command, tmp_path, capsys):
    missing = tmp_path / "missing.ll"  # read first, it would be the one that is complained of
    fails(capsys, [command, missing, "-o", tmp_path / "none" / "a.txt"], 2, "there is no folder")


def test_output_in_a_folder_without_permission(tmp_path, capsys, monkeypatch):
    real = os.access
    monkeypatch.setattr(os, "access", lambda p, mode: Path(p) != tmp_path and real(p, mode))
    fails(capsys, ["schema", "-o", tmp_path / "a.json"], 2, f"folder {tmp_path} is not writable")


def test_control_characters_of_a_name_do_not_reach_the_terminal(tmp_path, capsys):
    text = (SAMPLES / "vecadd" / "vecadd.ll").read_text("utf-8")
    path = tmp_path / "evil.ll"
    path.write_text(text.replace("@vecadd(", '@"ev\\1B[2Jil"('), "utf-8")
    main(["inspect", str(path)])
    captured = capsys.readouterr()
    assert "\x1b" not in captured.out + captured.err
    assert "ev\\x1b[2Jil" in captured.out
