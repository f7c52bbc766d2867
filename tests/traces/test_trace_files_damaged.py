"""Trace files that are cut off, changed or made to deceive: refused, never believed."""

import random
from itertools import pairwise
from zlib import crc32

import msgspec
import pytest

from tests.reference.saved_traces import job_of, read, saved
from warpmill.analyzer.base.diagnostics import InputError
from warpmill.analyzer.traces.file_format import (
    MAGIC,
    Chunk,
    Corrupt,
    Index,
    decoded,
    encoded,
    packed,
    unpacked,
)
from warpmill.analyzer.traces.model import Repeat, UnknownAddresses, Visit, visits_with_counts
from warpmill.analyzer.traces.static.plan import access_widths
from warpmill.session.options import TraceOptions
from warpmill.session.traces import trace_source


@pytest.fixture
def reduce(tmp_path):
    """A job, and the path of its saved traces."""
    job, path = job_of("reduce"), tmp_path / "traces"
    saved(job, path)
    return job, path


def outcome(job, path, data):
    """Read what the bytes hold: the traces, or None where they are refused."""
    path.write_bytes(data)
    try:
        source = read(job, path)
        return [source.warps(cta) for cta in source.ctas]
    except InputError as error:
        assert str(path) in str(error)
        return None


def test_a_file_of_a_newer_version_says_so(reduce):
    job, path = reduce
    data = path.read_bytes()
    newer = MAGIC[:7] + bytes([MAGIC[7] + 1])
    path.write_bytes(newer + data[8:-8] + newer)
    with pytest.raises(InputError, match="it is of version 3, and this warpmill reads 2"):
        read(job, path)


@pytest.mark.parametrize("data", [b"", b"x", MAGIC, 2 * MAGIC, MAGIC + bytes(8) + MAGIC, b"P" * 99])
def test_what_is_no_trace_file_is_refused(data, reduce):
    job, path = reduce
    assert outcome(job, path, data) is None


def test_a_file_that_is_cut_off_anywhere_is_refused(reduce):
    job, path = reduce
    data = path.read_bytes()
    assert all(outcome(job, path, data[:n]) is None for n in range(len(data)))


@pytest.mark.parametrize("seed", range(4))
def test_a_file_with_wrong_bytes_is_refused_or_says_the_same(seed, reduce):
    job, path = reduce
    rng, data = random.Random(seed), path.read_bytes()
    right = outcome(job, path, data)
    for _ in range(250):
        changed = bytearray(data)
        match rng.randrange(3):
            case 0:
                changed[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
            case 1:
                a, b, n = (rng.randrange(len(data)) for _ in range(3))
                changed[a : a + n % 40] = data[b : b + n % 40]
            case 2:
                a, b = sorted(rng.randrange(len(data)) for _ in range(2))
                del changed[a:b]
        assert outcome(job, path, bytes(changed)) in (None, right)


def frames(data):
    """Take a file apart: its frames in order and its index."""
    start = int.from_bytes(data[-16:-8], "little")
    index = msgspec.msgpack.decode(unpacked(data[start:-16]), type=Index)
    places = sorted((*index.trees, *index.chunks))
    assert all(a[0] + a[1] == b[0] for a, b in pairwise(places))
    return [data[s : s + n] for s, n, _ in places], index


def with_index(data, index):
    start = int.from_bytes(data[-16:-8], "little")
    frame = packed(msgspec.msgpack.encode(index))
    return data[:start] + frame + data[-16:]


def test_parts_that_change_places_are_noticed(reduce):
    job, path = reduce
    data = path.read_bytes()
    _, index = frames(data)
    swapped = msgspec.structs.replace(
        index,
        trees=tuple(
            (*other[:2], own[2])
            for own, other in zip(index.trees, reversed(index.trees), strict=True)
        ),
    )
    assert outcome(job, path, with_index(data, swapped)) is None
    frame = packed(b"of one file")
    with pytest.raises(Corrupt, match="damaged or another one"):
        unpacked(frame, crc32(packed(b"of another")))
    assert unpacked(frame, crc32(frame)) == b"of one file"


@pytest.mark.one_in(3)
@pytest.mark.parametrize("seed", range(5))
def test_an_index_with_wrong_numbers_is_refused_or_says_the_same(seed, reduce):
    job, path = reduce
    data = path.read_bytes()
    right = outcome(job, path, data)
    rng = random.Random(seed)
    start = int.from_bytes(data[-16:-8], "little")
    for _ in range(40):
        changed = mutated(unpacked(data[start:-16]), rng)
        found = outcome(job, path, data[:start] + packed(changed) + data[-16:])
        assert found is None or all(warps in right for warps in found)


def mutated(data, rng):
    changed = bytearray(data)
    for _ in range(rng.randint(1, 3)):
        changed[rng.randrange(len(changed))] = rng.choice([0, 1, 127, 128, 192, 207, 211, 220, 255])
    return bytes(changed)


@pytest.mark.one_in(12)
@pytest.mark.parametrize("seed", range(30))
def test_a_tree_with_wrong_bytes_is_refused_or_makes_sense(seed):
    """What passes the checks of a reader can be summed up and unfolded without surprise."""
    job = job_of("reduce")
    source = trace_source(job, TraceOptions("static"))
    tree = encoded(source.warps((0, 0, 0))[0].nodes)
    lengths = [len(b.instructions) for b in job.kernel.blocks]
    widths = access_widths(job.kernel)
    rng = random.Random(seed)
    for _ in range(100):
        try:
            nodes, slots = decoded(mutated(tree, rng), lengths, widths)
        except ValueError:
            continue
        check(nodes, slots, lengths, widths)


def check(nodes, slots, lengths, widths):
    seen = 0
    for visit, counts in visits_with_counts(nodes):
        assert visit.mask > 0
        assert 0 <= visit.block < len(lengths)
        assert all(c.first >= 0 for c in counts)
        for index, mask in visit.guards:
            assert 0 <= index < lengths[visit.block]
            assert mask >= 0
            assert mask & ~visit.mask == 0
        for access in visit.accesses:
            assert access.mask > 0
            assert access.mask & ~visit.mask == 0
            assert access.width_bytes in (None, widths[visit.block, access.instruction])
            if not isinstance(access.addresses, UnknownAddresses):
                assert access.addresses.slot == seen
                assert len(access.addresses.loop_strides) == len(counts)
                seen += 1
    assert seen == slots


@pytest.mark.parametrize(("place", "width"), [(1, 4), (0, 8), (0, 1 << 40), (0, 0)])
def test_an_access_that_the_kernel_has_not_is_refused(place, width):
    tree = msgspec.msgpack.encode([[0, 0, 3, [], [[place, 3, [0, 0, [], 4], width, 0]]]])
    with pytest.raises(ValueError, match=f"an access (in block 0, instruction 1|of {width} bytes)"):
        decoded(tree, [2], {(0, 0): 4})


@pytest.mark.parametrize("region", [("data", 1 << 62, 1 << 62), ("data", -4, 4), ("data", 4, -1)])
def test_regions_that_no_memory_has_are_refused(region, tmp_path):
    job, path = job_of("reduce"), tmp_path / "executed"
    saved(job, path, 1, "executed")
    data = path.read_bytes()
    _, index = frames(data)
    tables = msgspec.structs.replace(index.tables, regions=(region,))
    end = packed(msgspec.msgpack.encode(msgspec.structs.replace(index, tables=tables)))
    start = int.from_bytes(data[-16:-8], "little")
    assert outcome(job, path, data[:start] + end + data[-16:]) is None


def test_a_part_that_would_grow_beyond_all_bounds_is_refused():
    bomb = packed(bytes(1 << 20))
    header = bytearray(bomb[:9])
    assert unpacked(bomb) == bytes(1 << 20)
    header[5:9] = (1 << 30).to_bytes(4, "little")  # what the frame says that it unpacks to
    with pytest.raises(Corrupt, match="would unpack to 1073741824 bytes"):
        unpacked(bytes(header) + bomb[9:])


def test_a_nest_deeper_than_any_kernels_is_refused():
    nodes = (Visit(0, 1),)
    for _ in range(150):
        nodes = (Repeat(2, nodes),)
    data = encoded(nodes)
    assert decoded(data, [1], {})[0] == nodes
    deep = b"\x91\x94\x01\x02\x90" * 5_000 + b"\x90"
    with pytest.raises(ValueError, match="cannot be read"):
        decoded(deep, [1], {})


def test_a_chunk_that_claims_more_warps_than_it_has_is_refused(reduce):
    job, path = reduce
    data = path.read_bytes()
    _, index = frames(data)
    (place,) = index.chunks
    chunk = msgspec.msgpack.decode(unpacked(data[place[0] : place[0] + place[1]]), type=Chunk)
    for changed in [
        msgspec.structs.replace(chunk, warps=(10**9, *chunk.warps[1:])),
        msgspec.structs.replace(chunk, warps=(-8, *chunk.warps[1:-1], chunk.warps[-1] + 16)),
        msgspec.structs.replace(chunk, trees=(10**9, *chunk.trees[1:])),
        msgspec.structs.replace(chunk, trees=(-1, *chunk.trees[1:])),
        msgspec.structs.replace(chunk, bases=chunk.bases[:-8]),
        msgspec.structs.replace(chunk, bases=chunk.bases[:-1]),
        msgspec.structs.replace(chunk, bases=chunk.bases + bytes(8)),
        msgspec.structs.replace(chunk, ctas=((9, 9, 9), *chunk.ctas[1:])),
    ]:
        frame = packed(msgspec.msgpack.encode(changed))
        moved = msgspec.structs.replace(index, chunks=((8, len(frame), crc32(frame)),))
        made = MAGIC + frame + data[8:]
        shift = len(frame)
        moved = msgspec.structs.replace(
            moved, trees=tuple((s + shift, n, c) for s, n, c in index.trees)
        )
        end = packed(msgspec.msgpack.encode(moved))
        whole = made + end + len(made).to_bytes(8, "little") + MAGIC
        assert outcome(job, path, whole) is None


@pytest.mark.parametrize("where", [[0, 0, [], 1 << 63], [1, 0, [], [0, (1 << 64) - 1]]])
def test_offsets_of_lanes_beyond_64_bits_go_round(where):
    tree = msgspec.msgpack.encode([[0, 0, 3, [], [[0, 3, where, 4, 0]]]])
    (visit,), _ = decoded(tree, [1], {(0, 0): 4})
    (access,) = visit.accesses
    assert all(-(1 << 63) <= o < 1 << 63 for o in access.addresses.pattern.offsets(3))
