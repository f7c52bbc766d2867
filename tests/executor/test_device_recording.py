"""Recordings of devices: every call in order, saved and replayed with the same results."""

import tracemalloc
from contextlib import suppress
from dataclasses import replace

import msgspec
import numpy as np
import pytest

from tests.executor.test_device_api import SCALE, TEXTURES, VARIABLES
from warpmill.analyzer.base.diagnostics import InputError, LimitError, UsageError, WarpmillError
from warpmill.analyzer.base.zstd import zstd
from warpmill.executor.host.backend import TextureSpec
from warpmill.executor.host.cpu_device import CpuBackend, CpuOptions
from warpmill.executor.host.device import Device
from warpmill.executor.host.recording import (
    CALLS,
    MAGIC,
    AllocateCall,
    LaunchCall,
    ReadCall,
    Recording,
    WriteCall,
    content_hash,
    load_recording,
    save_recording,
)
from warpmill.executor.host.replay import replay


def program(device, values):
    """Do a bit of everything; give what the host reads."""
    scale = device.load(SCALE, "scale.ptx")["scale"]
    variables = device.load(VARIABLES, "variables.ptx")
    stream, event = device.stream(), device.event()
    a = device.array(values, name="a", stream=stream)
    b = device.zeros(values.shape, values.dtype, name="b")
    gone = device.empty(100)
    event.record(stream)
    stream.wait(event)
    device.launch(scale, 4, 32, [a, 2.0, values.size], stream=stream)
    device.copy(b, a)
    gone.free()
    device.launch(scale, 4, 32, [b[1:], 3.0, values.size - 1])
    variables.symbol("weights").set(np.array([4, 5, 6], np.float32))
    out = device.zeros(2, np.uint32)
    device.launch(variables["k"], 1, 1, [out])
    surface = device.surface(np.zeros((3, 8), np.uint32))
    drawing = device.load(TEXTURES, "textures.ptx")
    device.launch(drawing["draw"], 1, 8, [surface])
    stream.flush()
    drawn = device.zeros((3, 8), np.uint32)
    device.copy(drawn, surface)
    seen = device.zeros(8)
    device.launch(drawing["look"], 1, 8, [device.texture(np.ones((3, 4), np.float32)), seen])
    device.synchronize()
    return [
        a.get(), b.get(), out.get(), variables.symbol("total").get(), surface.get(), seen.get(),
        drawn.get(),
    ]  # fmt: skip


@pytest.fixture(scope="module")
def recorded():
    device = Device()
    values = np.arange(100, dtype=np.float32)
    return program(device, values), device.recording, values


def test_results_are_those_of_numpy(recorded):
    (a, b, out, total, surface, seen, drawn), _, values = recorded
    np.testing.assert_array_equal(a, values * 2)
    wanted = values * 2
    wanted[1:] *= 3
    np.testing.assert_array_equal(b, wanted)
    assert (out.view(np.float32)[0], out[1], total) == (6, 6, 6)
    assert surface[1].tolist() == list(range(8))
    assert seen.tolist() == [1] * 8
    np.testing.assert_array_equal(drawn, surface)


def test_calls_are_in_order_with_what_they_did(recorded):
    _, recording, values = recorded
    assert [c.index for c in recording.calls] == list(range(len(recording.calls)))
    words = [c.call for c in recording.calls]
    assert set(words) == set(CALLS) - {"fill"}
    first = recording.launches[0]
    assert (first.kernel, first.grid, first.block) == ("scale", (4, 1, 1), (32, 1, 1))
    assert first.stream == 1
    assert [(a.parameter, a.offset, a.bytes, a.kind) for a in first.arguments] == [
        ("out", 0, 8, "buffer"), ("factor", 8, 4, "value"), ("n", 12, 4, "value"),
    ]  # fmt: skip
    assert first.arguments[0].content == content_hash(values.tobytes())
    assert [a.value for a in first.arguments] == ["", "2.0", "100"]
    assert first.warp_instructions == 4 * 10 + 4 * 5
    assert first.thread_instructions == 128 * 10 + 100 * 5
    made = next(c for c in recording.calls if isinstance(c, AllocateCall))
    assert (made.bytes, made.dtype, made.shape, made.name) == (400, "<f4", (100,), "a")


def test_contents_are_kept_once():
    device = Device()
    same = np.arange(1000, dtype=np.int32)
    for _ in range(5):
        device.array(same)
    writes = [c for c in device.recording.calls if isinstance(c, WriteCall)]
    assert len(writes) == 5
    assert {c.content for c in writes} == set(device.recording.contents)
    assert device.recording.contents[writes[0].content] == same.tobytes()


def test_two_runs_of_a_program_have_equal_recordings(recorded):
    _, recording, values = recorded
    again = Device()
    program(again, values)
    assert again.recording == recording


def test_a_replay_gives_the_same(recorded):
    results, recording, _ = recorded
    replayed = replay(recording)
    assert replayed.differing == ()
    raw = [r.tobytes() for r in results]
    assert [r.tobytes() for r in replayed.reads.values()] == raw


def test_a_replay_may_have_other_addresses(recorded):
    """As on a GPU, or where memory was made before."""
    results, recording, _ = recorded
    backend = CpuBackend()
    other = backend.allocate(12345, None, zeroed=True)
    backend.texture(TextureSpec("u8", (7,)), other, None)
    backend.stream()
    replayed = replay(recording, backend)
    wanted = [r.tobytes() for r in results]
    assert [r.tobytes() for r in replayed.reads.values()] == wanted
    assert replayed.differing == ()


def test_a_replay_notices_other_results(recorded):
    _, recording, _ = recorded
    calls = list(recording.calls)
    place = next(c.index for c in calls if isinstance(c, LaunchCall))
    params = bytearray(calls[place].params)
    params[8:12] = np.float32(2.5).tobytes()
    calls[place] = replace(calls[place], params=bytes(params))
    reads = [c.index for c in calls if isinstance(c, ReadCall)]
    assert replay(replace(recording, calls=tuple(calls))).differing == tuple(reads[:2])


def test_a_recording_survives_a_file(recorded, tmp_path):
    _, recording, _ = recorded
    path = tmp_path / "program.record"
    size = save_recording(recording, path)
    assert path.stat().st_size == size
    assert load_recording(path) == recording
    assert load_recording(path).contents == recording.contents
    assert [p.name for p in tmp_path.iterdir()] == ["program.record"]
    again = tmp_path / "again"
    save_recording(load_recording(path), again)
    assert again.read_bytes() == path.read_bytes()


def test_a_recording_that_kept_nothing_is_not_replayed():
    device = Device(record=False)
    array = device.array(np.ones(4, np.float32))
    device.launch(device.load(SCALE)["scale"], 1, 32, [array, 2.0, 4])
    assert device.recording.contents == {}
    assert len(device.recording.launches) == 1
    with pytest.raises(InputError, match="has not kept"):
        replay(device.recording)


def test_contents_of_arguments_are_known_or_asked_for():
    def contents(device):
        kernel = device.load(SCALE)["scale"]
        array = device.array(np.ones(4, np.float32))
        for _ in range(2):
            device.launch(kernel, 1, 32, [array, 2.0, 4])
        return [launch.arguments[0].content for launch in device.recording.launches]

    ones, twos = (content_hash(np.full(4, v, np.float32).tobytes()) for v in (1, 2))
    assert contents(Device()) == [ones, None]
    assert contents(Device(hash_arguments=True)) == [ones, twos]


def test_a_write_to_a_part_makes_the_whole_unknown():
    device = Device()
    array = device.array(np.ones(4, np.float32))
    array[1:2].fill(3)
    device.launch(device.load(SCALE)["scale"], 1, 32, [array, 2.0, 4])
    assert device.recording.launches[0].arguments[0].content is None


def test_limits_hold_in_a_replay(recorded):
    with pytest.raises(LimitError, match="--max-instructions"):
        replay(recorded[1], options=CpuOptions(max_instructions=2000))


# ----------------------------------------------------------------------------- damaged files


def compressed(data):
    return MAGIC + zstd.compress(data)


def packed(form):
    return compressed(msgspec.msgpack.encode(form))


EMPTY = {"version": 1, "device": "cpu", "calls": [], "contents": {}}
LOAD = {"call": "load", "index": 0, "module": 0, "name": "a"}


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "does not start as one"),
        (b"PK\x03\x04 something", "does not start as one"),
        (MAGIC, "this is no recording"),
        (MAGIC + b"garbage", "this is no recording"),
        (packed([1, 2]), "this is no recording"),
        (packed({**EMPTY, "version": 9}), "version 9"),
        (packed({**EMPTY, "more": 1}), "more"),
        (packed({**EMPTY, "calls": [{"call": "dance"}]}), "dance"),
        (packed({**EMPTY, "calls": [{"index": 0}]}), "call"),
        (packed({**EMPTY, "calls": [{"call": [], "index": 0}]}), "there is no call []"),
        (compressed(msgspec.msgpack.encode(EMPTY).replace(b"cpu", b"\xff" * 3)), "utf-8"),
        (packed({**EMPTY, "calls": [{**LOAD, "extra": 1}]}), "extra"),
        (packed({**EMPTY, "calls": [{**LOAD, "module": "x"}]}), "module"),
        (packed({**EMPTY, "calls": [{**LOAD, "index": 4}]}), "call 0 says"),
        (packed({**EMPTY, "contents": {"00": b"abc"}}), "hash"),
    ],
)
def test_a_damaged_file_is_an_input_error(data, words, tmp_path):
    path = tmp_path / "broken"
    path.write_bytes(data)
    with pytest.raises(InputError) as error:
        load_recording(path)
    assert words in str(error.value).replace("UTF", "utf")
    assert error.value.diagnostics[0].file == str(path)


def test_any_cut_is_noticed(recorded, tmp_path):
    path = tmp_path / "cut"
    save_recording(recorded[1], path)
    whole = path.read_bytes()
    for size in (8, 9, 20, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:size])
        with pytest.raises(InputError):
            load_recording(path)


def test_what_is_too_big_is_a_limit(recorded, tmp_path):
    path = tmp_path / "big"
    save_recording(recorded[1], path)
    with pytest.raises(LimitError):
        load_recording(path, max_bytes=100)


def test_a_small_file_that_unpacks_to_much_takes_little_memory(tmp_path):
    path = tmp_path / "bomb"
    path.write_bytes(compressed(b"\x84" + bytes(256 << 20)))
    assert path.stat().st_size < 1 << 16
    tracemalloc.start()
    try:
        with pytest.raises(LimitError, match="--max-memory"):
            load_recording(path, max_bytes=1 << 20)
        assert tracemalloc.get_traced_memory()[1] < 32 << 20
    finally:
        tracemalloc.stop()


def test_a_file_that_cannot_be_written_is_told(recorded, tmp_path):
    with pytest.raises(UsageError, match="cannot be written"):
        save_recording(recorded[1], tmp_path / "no" / "folder")


def changed(recording, kind, **words):
    calls = list(recording.calls)
    place = next(c.index for c in calls if c.call == kind)
    calls[place] = replace(calls[place], **words)
    return replace(recording, calls=tuple(calls))


@pytest.mark.parametrize(
    ("kind", "words", "reason"),
    [
        ("write", {"address": 5}, "no memory at 0x5"),
        ("write", {"content": "00"}, "has not kept"),
        ("kernel", {"text": "00"}, "has not kept"),
        ("kernel", {"format": "COBOL"}, "COBOL"),
        ("kernel", {"kernel": "other"}, "other"),
        ("launch", {"kernel": "other"}, "never taken"),
        ("launch", {"params": b"abc"}, "bytes, not 3"),
        ("launch", {"addresses": (12,)}, "no address at byte 12"),
        ("launch", {"stream": 77}, "number 77"),
        ("symbol", {"name": "none"}, "no variable `none`"),
        ("event", {"action": "dance"}, "number 1 was never made"),
        ("free", {"address": 5}, "no memory"),
    ],
)
def test_a_recording_that_contradicts_itself_is_an_input_error(recorded, kind, words, reason):
    with pytest.raises((InputError, UsageError), match=reason):
        replay(changed(recorded[1], kind, **words))


def spoilt(rng, value):
    """Another value of the same kind, often one that makes no sense."""
    match value:
        case bool():
            return not value
        case int():
            return int(rng.choice([-1, 0, 1, value + 1, -value, 1 << 40, (1 << 63) - 1]))
        case str():
            return str(rng.choice(["", "x", "linear", "surface", value[::-1]]))
        case bytes():
            return value[::-1] + b"x" * int(rng.integers(0, 2))
        case tuple():
            return tuple(spoilt(rng, v) for v in value)
    return value


@pytest.mark.one_in(2)
@pytest.mark.parametrize("seed", range(40))
def test_spoilt_recordings_end_in_words(recorded, seed):
    """Whatever is wrong with a call, the replay finishes or says so; it never crashes."""
    rng = np.random.default_rng(seed)
    calls = list(recorded[1].calls)
    place = int(rng.integers(len(calls)))
    names = [
        n for n in calls[place].__dataclass_fields__ if n not in ("index", "call", "arguments")
    ]
    name = str(rng.choice(names))
    calls[place] = replace(calls[place], **{name: spoilt(rng, getattr(calls[place], name))})
    limits = CpuOptions(max_memory_bytes=1 << 24, max_instructions=1_000_000)
    with suppress(WarpmillError):
        replay(replace(recorded[1], calls=tuple(calls)), options=limits)


def test_an_empty_recording_replays():
    assert replay(Recording(())).reads == {}
