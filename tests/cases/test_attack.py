"""Inputs of an attack: each ends in a located message, in bounded time and memory."""

import csv
import gzip
import hashlib
import io
import json
import os
import re
import resource
import signal
import subprocess
import sys
import threading
import time
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import numpy as np
import pytest

import warpmill
from warpmill.analyzer.base import whole_files
from warpmill.analyzer.base.diagnostics import InputError, LimitError
from warpmill.analyzer.base.whole_files import open_input, read_input
from warpmill.analyzer.base.zstd import zstd
from warpmill.cli.main import main
from warpmill.commands.sweep.running import tell_of_others
from warpmill.executor.host.recording import load_recording
from warpmill.report.safe import plain_text
from warpmill.sampling.simpoint_files import read_vectors
from warpmill.session.options import LaunchOptions, RunOptions
from warpmill.studies.model import PointOutcome, StudyPoint
from warpmill.studies.running import run
from warpmill.studies.store import Store

CASE = "attack"
CASES = Path(__file__).parent
SAMPLES = CASES.parents[1] / "samples"


@pytest.mark.parametrize(
    ("file", "place"),
    [
        ("fma.ptx", "6:2: error: `fma.rn.ft32`"),
        ("mutant-llvm.ptx", "139:2: error: `and.shared`"),
        ("mutant-transfer1.ptx", "91:2: error: `mul.wide.global`"),
        ("mutant-transfer2.ptx", "79:2: error: `shr.loc`"),
    ],
)
@pytest.mark.parametrize("command", ["inspect", "estimate"])
def test_an_opcode_without_the_type_that_it_needs_is_refused(warpmill, command, file, place):
    launch = "" if command == "inspect" else "--grid 1 --block 32"
    ended = warpmill(CASE, command, file, launch)
    assert ended.code == 2
    assert f"{file}:{place} is not whole: it has to name a data type" in ended.said


def test_sizes_of_a_recorded_launch_are_checked_whoever_reads_it(warpmill):
    for command in ("estimate", "replay", "trace"):
        ended = warpmill(CASE, command, "mutant-cut.wmrec")
        assert ended.code == 2
        assert "mutant-cut.wmrec: error: call 7, launch: block y must be 1 to 1024" in ended.said


# ------------------------------------------------------------------------------ what is read


def test_a_recording_of_zeros_is_refused_at_its_first_bytes(tmp_path):
    path = tmp_path / "bomb.wmrec"
    packer = zstd.ZstdCompressor(3)
    pieces = [packer.compress(bytes(1 << 24)) for _ in range(32)]
    path.write_bytes(b"WMRECORD" + b"".join((*pieces, packer.flush())))
    tracemalloc.start()
    with pytest.raises(InputError, match="no map of calls"):
        load_recording(path)
    assert tracemalloc.get_traced_memory()[1] < 32 << 20
    tracemalloc.stop()


def test_what_a_recording_unpacks_to_has_a_limit_that_can_be_moved(tmp_path, monkeypatch):
    zeros = bytes(4 << 20)
    form = {"version": 1, "device": "cpu", "calls": [], "contents": {}}
    form["contents"] = {hashlib.sha256(zeros).hexdigest(): zeros}
    path = tmp_path / "large.wmrec"
    path.write_bytes(b"WMRECORD" + zstd.compress(msgspec.msgpack.encode(form)))
    assert load_recording(path).contents
    monkeypatch.setenv("WARPMILL_MAX_INPUT", str(1 << 20))
    with pytest.raises(LimitError, match="WARPMILL_MAX_INPUT=BYTES"):
        load_recording(path)
    monkeypatch.setenv("WARPMILL_MAX_INPUT", "much")
    with pytest.raises(InputError, match="WARPMILL_MAX_INPUT=much is no number of bytes"):
        load_recording(path)


def test_vectors_that_unpack_to_much_are_limited(tmp_path, monkeypatch):
    path = tmp_path / "x.bb.gz"
    path.write_bytes(gzip.compress(b"T:1:1\n" * 100_000))
    assert read_vectors(path).shape == (100_000, 1)
    monkeypatch.setenv("WARPMILL_MAX_INPUT", "1000")
    with pytest.raises(LimitError, match="more than 1000 bytes"):
        read_vectors(path)


def test_trees_of_saved_traces_are_limited(tmp_path, capsys, monkeypatch):
    launch = str(SAMPLES / "reduce" / "launch.toml")
    traces = str(tmp_path / "t.wmtrace")
    words = ["trace", launch, "--size", "n=2000"]
    assert main([*words, "--trace", "static", "--save", traces]) == 0
    assert main([*words, "--trace", traces]) == 0
    capsys.readouterr()
    monkeypatch.setattr("warpmill.analyzer.traces.files.LARGEST_TREES", 100)
    assert main([*words, "--trace", traces]) == 3
    assert "t.wmtrace: error: what the trees of the traces unpack to has more" in (
        capsys.readouterr().err
    )


READERS = {
    ("inspect",): ".ptx",
    ("run",): ".toml",
    ("replay",): ".wmrec",
    ("dfsg",): ".json",
    ("machines", "import"): ".config",
}


@pytest.mark.parametrize("words", READERS, ids=" ".join)
@pytest.mark.parametrize("kind", ["zero", "folder", "loop", "missing"])
def test_what_is_no_file_is_told_at_once(words, kind, tmp_path, capsys):
    path = tmp_path / f"given{READERS[words]}"
    if kind == "zero":
        path.symlink_to("/dev/zero")
    elif kind == "folder":
        path.mkdir()
    elif kind == "loop":
        path.symlink_to(path)
    begin = time.perf_counter()
    assert main([*words, str(path)]) == 2
    assert time.perf_counter() - begin < 5
    assert path.stem in capsys.readouterr().err


def test_a_pipe_is_read_and_one_that_nobody_writes_is_given_up(tmp_path, monkeypatch):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=lambda: path.write_bytes(b"x" * 100_000))
    writer.start()
    assert read_input(path, 1 << 20) == b"x" * 100_000
    writer.join()
    monkeypatch.setattr(whole_files, "PIPE_S", 0.05)
    with pytest.raises(TimeoutError, match="nobody has opened this pipe"):
        open_input(path)


def test_a_closed_standard_input_is_told(capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    assert main(["inspect", "-"]) == 2
    assert "<stdin>: error: standard input is closed" in capsys.readouterr().err


# --------------------------------------------------------------------------- what is written


def test_output_goes_through_a_link_to_what_it_points_to(warpmill, tmp_path):
    target, link = tmp_path / "there.txt", tmp_path / "link"
    link.symlink_to(target)
    for _ in range(2):  # a dangling link, and one to a file
        assert warpmill(CASE, "inspect", "oob.ptx", f"-o {link}").code == 0
        assert link.is_symlink()
        assert "kernel k" in target.read_text() or "oob.ptx" in target.read_text()
    link.unlink()
    link.symlink_to(tmp_path / "no" / "there.txt")
    ended = warpmill(CASE, "inspect", "oob.ptx", f"-o {link}")
    assert ended.code == 2
    assert f"it is a link to {tmp_path}/no/there.txt, and there is no folder {tmp_path}/no" in (
        ended.said
    )
    link.unlink()
    link.symlink_to(link)
    ended = warpmill(CASE, "inspect", "oob.ptx", f"-o {link}")
    assert ended.code == 2
    assert "cannot be written: Too many levels of symbolic links" in ended.said


KILLED = """
import os, signal, sys
from pathlib import Path
from warpmill.analyzer.base.whole_files import whole_file
with whole_file(Path(sys.argv[1])) as file:
    file.write(b"half")
    file.flush()
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_what_a_killed_process_leaves_goes_at_the_next_run(warpmill, tmp_path, monkeypatch):
    output = tmp_path / "out.txt"
    subprocess.run([sys.executable, "-c", KILLED, output], check=False)
    assert [p.name[:9] for p in tmp_path.iterdir()] == [".out.txt."]
    monkeypatch.setattr("warpmill.analyzer.base.whole_files._YOUNG_S", 0.0)
    assert warpmill(CASE, "inspect", "oob.ptx", f"-o {output}").code == 0
    assert list(tmp_path.iterdir()) == [output]


def test_what_another_process_is_writing_stays(tmp_path, monkeypatch):
    from warpmill.analyzer.base.whole_files import whole_file  # noqa: PLC0415 - patched below

    monkeypatch.setattr("warpmill.analyzer.base.whole_files._YOUNG_S", 0.0)
    output = tmp_path / "out.txt"
    with whole_file(output) as first:
        first.write(b"first")
        with whole_file(output) as second:
            second.write(b"second")
        assert output.read_bytes() == b"second"
    assert output.read_bytes() == b"first"


FULL = """
import errno
import numpy as np
from numba.core.caching import IndexDataCacheFile
def save(*_):
    raise OSError(errno.ENOSPC, "No space left on device")
IndexDataCacheFile.save = save
from warpmill.analyzer.base.compiling import not_kept
from warpmill.analyzer.base.jit import jit
@jit
def twice(x):
    return x + x
assert twice(np.int64(4)) == 8
print(list(not_kept.values()))
"""


def test_a_full_disk_under_the_compile_cache_costs_time_alone(tmp_path):
    script = tmp_path / "full.py"
    script.write_text(FULL)
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "['No space left on device']\n"), done.stderr


WORKERS = """
import os, sys, time
from pathlib import Path
from warpmill.studies.processes import in_processes
from warpmill.analyzer.base.zstd import zstd
def at_work(number):
    Path(sys.argv[1], str(os.getpid())).touch()
    time.sleep(60)
with in_processes(at_work, range(2), 2, ordered=False) as results:
    list(results)
"""


def until(true, seconds=20.0):
    """Wait for what is to come true."""
    end = time.monotonic() + seconds
    while not true() and time.monotonic() < end:
        time.sleep(0.05)
    return true()


def runs(pid):
    """Whether a process does anything: one that is dead and not asked for does not."""
    try:
        return " Z " not in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False


def test_workers_end_with_the_process_that_was_killed(tmp_path):
    script, folder = tmp_path / "script.py", tmp_path / "pids"
    script.write_text(WORKERS)
    folder.mkdir()
    parent = subprocess.Popen([sys.executable, script, folder], stderr=subprocess.DEVNULL)
    assert until(lambda: len(list(folder.iterdir())) == 2)
    pids = [path.name for path in folder.iterdir()]
    assert all(map(runs, pids))
    parent.kill()
    parent.wait()
    assert until(lambda: not any(map(runs, pids)), 5.0)


# ------------------------------------------------------------------------------ hostile names


@pytest.mark.parametrize(
    ("cell", "written"),
    [
        ("=cmd|' :C calc'!A0", "'=cmd|' :C calc'!A0"),
        ("+x", "'+x"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("-n + 1", "'-n + 1"),
        ("\tx", "'\tx"),
        ("-1", "-1"),
        ("-1.5e-07", "-1.5e-07"),
        ("-4; 8; -inf", "-4; 8; -inf"),
        ("-4; =x", "'-4; =x"),
        ("-", "-"),
        ("a=b", "a=b"),
        ("", ""),
    ],
)
def test_cells_are_no_formulas_and_numbers_stay_numbers(cell, written):
    assert plain_text(cell) == written


@pytest.fixture
def formula(tmp_path, monkeypatch):
    """A launch file of a module whose name is a formula."""
    name = "=cmd|' :C calc'!A0.ptx"
    (tmp_path / name).write_bytes((SAMPLES / "vecadd" / "vecadd.sm_80.ptx").read_bytes())
    (tmp_path / "launch.toml").write_bytes((CASES / CASE / "csv_formula.toml").read_bytes())
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("command", ["inspect", "run", "trace"])
def test_no_command_writes_formulas(formula, command, capsys):
    assert main([command, "launch.toml", "-f", "csv"]) == 0
    cells = [c for row in csv.reader(io.StringIO(capsys.readouterr().out)) for c in row]
    assert "'=cmd|' :C calc'!A0.ptx" in cells
    assert not any(c.startswith(("=", "@")) for c in cells)


EVIL = {
    "markup": (r"a\22<script>&amp;]]>-->", 'a"<script>&amp;]]>-->'),
    "ends": (r"x\5C};\0A {{7*7}}{% raise %}*/ //", "x\\};\n {{7*7}}{% raise %}*/ //"),
}


@pytest.mark.slow
@pytest.mark.parametrize("evil", EVIL)
def test_names_break_out_of_no_format(evil, tmp_path, monkeypatch, capsys):
    """LLVM's names may have any bytes."""
    written, name = EVIL[evil]
    text = (SAMPLES / "reduce" / "reduce.ll").read_text("utf-8")
    (tmp_path / "e.ll").write_text(text.replace("@reduce(", f'@"{written}"('))
    monkeypatch.chdir(tmp_path)
    launch = ["--grid", "2", "--block", "256", "--arg", "buffer=f32:1024", "--arg", "buffer=f32:2"]
    launch += ["--arg", "1024"]

    def out(*words):
        assert main([*words]) == 0, capsys.readouterr().err
        return capsys.readouterr().out

    kernel = json.loads(out("inspect", "e.ll", "-f", "json"))["files"][0]["kernels"][0]
    assert kernel["name"] == name
    rows = list(csv.DictReader(io.StringIO(out("inspect", "e.ll", "-f", "csv"))))
    assert [row["kernel"] for row in rows] == [name]
    assert "\x1b" not in out("inspect", "e.ll")
    for command in (["analyze", "e.ll"], ["dfsg", "e.ll", *launch]):
        dot = out(*command, "-f", "dot")
        outside = re.sub(r'"(?:[^"\\]|\\.)*"', "", dot)  # what no quotes hold
        assert not re.search(r'"|script|raise|7\*7', outside), outside
    out("simulate", "e.ll", *launch, "-m", "a100", "--plot", "p.svg", "--timeline", "t.json")
    assert "script" not in {e.tag.rpartition("}")[2] for e in ElementTree.parse("p.svg").iter()}
    json.loads((tmp_path / "t.json").read_text())
    out("clone", "e.ll", *launch, "--out", "clone")
    assert "raise" not in (tmp_path / "clone" / "clone.cu").read_text()


# ------------------------------------------------------------- threads, forks and interruptions


def estimated(n):
    job = warpmill.prepare(SAMPLES / "reduce" / "launch.toml", None, LaunchOptions(sizes={"n": n}))
    return warpmill.estimate(job, "a100").time_us, warpmill.simulate(job, "a100").cycles


def test_threads_and_forks_compute_what_one_thread_does():
    sizes = (500, 1500, 2500)
    with ThreadPoolExecutor(3) as threads:
        found = list(threads.map(estimated, sizes))
    assert found == [estimated(n) for n in sizes]
    child = os.fork()
    if child == 0:
        os._exit(0 if estimated(1500) == found[1] else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_an_interrupted_run_leaves_nothing_and_the_next_one_works(tmp_path, monkeypatch):
    launch = SAMPLES / "reduce" / "launch.toml"
    sizes = LaunchOptions(sizes={"n": 1500})

    def interrupted(*_, **__):
        # what Ctrl-C raises, also where a shell starts this in the background and ignores it
        raise KeyboardInterrupt

    for name in ("save", "savez"):
        with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
            patched.setattr(f"numpy.{name}", interrupted)
            place = tmp_path / ("a.npz" if name == "savez" else "folder")
            main_raises(["run", str(launch), "--size", "n=1500", "--save", str(place)])
        assert list(tmp_path.iterdir()) == []
    with pytest.raises(KeyboardInterrupt):
        warpmill.run(launch, None, sizes, RunOptions(progress=interrupted))
    assert warpmill.run(launch, None, sizes).launches


def main_raises(words):
    """Run a command; where it was interrupted, say so as the API does."""
    if main(words) == 130:
        raise KeyboardInterrupt


def checkpoint(*words):
    launch = str(SAMPLES / "reduce" / "launch.toml")
    return main(["simulate", launch, "--size", "n=1024", "-m", "a100", *map(str, words)])


@pytest.mark.slow
def test_a_checkpoint_stays_whole_under_kills_and_on_a_full_disk(
    kept, tmp_path, capsys, monkeypatch
):
    file = tmp_path / "c.wmsim"
    file.write_bytes(kept)
    again = ("--until", "900", "--checkpoint", str(file), "--resume", str(file))
    hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, hard))  # a disk that has no room for it
    try:
        assert checkpoint(*again) == 2
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    assert "c.wmsim cannot be written: File too large" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == [file]
    child = os.fork()
    if child == 0:  # killed when all is written and nothing is in its place
        Path.chmod = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
        os._exit(checkpoint(*again))
    assert os.waitpid(child, 0)[1] == signal.SIGKILL
    assert file.read_bytes() == kept
    assert len(list(tmp_path.iterdir())) == 2
    monkeypatch.setattr("warpmill.analyzer.base.whole_files._YOUNG_S", 0.0)
    assert checkpoint(*again) == 0
    assert list(tmp_path.iterdir()) == [file]


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A checkpoint."""
    file = tmp_path_factory.mktemp("kept") / "c.wmsim"
    assert checkpoint("--until", 500, "--checkpoint", file) == 0
    return file.read_bytes()


@pytest.mark.parametrize("damage", ["empty", "bomb", "missing", "short"])
def test_a_damaged_checkpoint_is_refused(damage, kept, tmp_path, capsys, monkeypatch):
    file = tmp_path / "c.wmsim"
    magic, packed = kept[:8], kept[8:]
    if damage == "bomb":
        monkeypatch.setenv("WARPMILL_MAX_INPUT", str(1 << 20))
        packed = zstd.compress(bytes(1 << 22))
    elif damage == "missing":
        with np.load(io.BytesIO(zstd.decompress(packed))) as arrays:
            held = io.BytesIO()
            np.savez(held, **{n: a for n, a in arrays.items() if n != "armed"})
        packed = zstd.compress(held.getvalue())
    else:
        packed = packed[:-100] if damage == "short" else b""
    file.write_bytes(magic + packed)
    assert checkpoint("--resume", file) == (3 if damage == "bomb" else 2)
    assert "c.wmsim" in capsys.readouterr().err


def test_memory_that_is_not_enough_is_a_limit(capsys, monkeypatch):
    def command(*_, **__):
        raise MemoryError("Unable to allocate 187. MiB")

    monkeypatch.setattr("warpmill.cli.main._command", lambda: command)
    assert main(["inspect", "x.ptx"]) == 3
    assert "not enough: Unable to allocate 187. MiB" in capsys.readouterr().err


def test_processes_that_share_a_store_know_what_each_has_measured(tmp_path, capsys):
    points = [StudyPoint({"n": n}, str(n)) for n in range(12)]

    def measured(_inputs):
        time.sleep(0.03)
        return PointOutcome({"time_us": 1.0})

    def here():
        return run(Store(tmp_path / "s.db").study("shared"), points, measured)

    Store(tmp_path / "s.db").study("shared").add(points)
    child = os.fork()
    if child == 0:
        os._exit(here())
    own, other = here(), os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert own + other == len(points)
    assert own > 0
    assert other > 0
    tell_of_others(own, other, 0)
    words = f"{own} measured here, {other} by other processes on this store, 0 known before"
    assert words in capsys.readouterr().err


@pytest.mark.parametrize("n", [1, 2**64 - 1])
@pytest.mark.parametrize(
    "command", ["analyze", "trace", "estimate --machine a100", "simulate --machine quadro_k620"]
)
def test_offsets_and_arguments_at_the_edge_of_64_bits_go_round(warpmill, command, n):
    word, *options = command.split()
    launch = f"--grid 1 --block 32 --arg buffer=u32:64 --arg {n} --max-instructions 10000"
    ended = warpmill(CASE, word, "far-offsets.ptx", "" if word == "analyze" else launch, *options)
    assert ended.code in (0, 2), ended.err
    never_ends = "kernel far: loop LOOP (line 20) never ends with this launch"
    assert ended.code == 0 or never_ends in ended.said or "far-offsets.ptx:1" in ended.said


def test_sizes_and_counts_that_nothing_has_are_refused_where_they_stand(warpmill):
    ended = warpmill(CASE, "inspect", "odd-counts.ptx")
    assert ended.code == 2
    for words in (
        "4:1: error: an array has at most 140737488355328 bytes, not 9223372036854775808",
        "5:1: error: an alignment is a power of two up to 2147483648, not 9223372036854775808",
        "error: an array has at most 140737488355328 bytes, not 9223372036854775807",
        "error: `.reqntid` takes counts from 1 to 4294967295, not 0, 0, 0",
    ):
        assert words in ended.said


@pytest.mark.parametrize("command", ["inspect", "analyze", "trace"])
def test_addresses_of_more_than_64_bits_are_said_to_be_unknown(warpmill, command):
    launch = "" if command == "inspect" else "--grid 1 --block 32 --arg buffer=u32:64"
    ended = warpmill(CASE, command, "wide-addresses.ll", launch)
    assert ended.code == 0, ended.err
    for words in (
        "4:1: warning: the variable's initialiser or type: a variable has at most 140737488355328",
        "9:3: warning: an address of 160 bits",
        "11:3: warning: an address of more than 64 bits",
        "12:3: warning: an address of more than 64 bits",
    ):
        assert words in ended.said


@pytest.mark.parametrize(
    ("command", "code", "words"),
    [
        ("run", 3, "a CTA needs 2199023257536 bytes, over the limit"),
        ("estimate --machine a100", 0, "slots"),
    ],
)
def test_a_slot_of_minus_one_elements_is_as_large_as_llvm_has_it(warpmill, command, code, words):
    word, *options = command.split()
    launch = "--grid 1 --block 32 --arg buffer=i32:64:zeros --arg 8"
    limits = ["--max-memory", str(1 << 30)] if word == "run" else []
    ended = warpmill(CASE, word, "odd-slots.ll", launch, *options, *limits)
    assert ended.code == code, ended.err
    assert words in ended.said


def test_an_argument_of_no_type_behind_its_parameter_is_refused(warpmill):
    given = "--grid 1 --block 32 --arg p=table=f32:-1 --arg n=1"
    ended = warpmill(CASE, "run", "far-offsets.ptx", given)
    assert ended.code == 2
    assert "argument `table=f32:-1`: `table` is no type" in ended.said


def test_a_terminal_of_any_width_is_written_to(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "9" * 20)
    assert main(["inspect", str(CASES / CASE / "far-offsets.ptx")]) == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) < 10_000
