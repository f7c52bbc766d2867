"""Selections in files: what is read is what was written, and what is wrong is pointed at."""

import copy
import json

import pytest

from warpmill.analyzer.base.diagnostics import InputError
from warpmill.report.base import Mark
from warpmill.sampling.methods import stratified
from warpmill.sampling.saved_selections import digest, load_selection, save_selection
from warpmill.session.sampled_launches import SampledApplication
from warpmill.simulator.sampling.model import CountedLaunch


class Code:
    """A kernel whose text is all that is looked at."""


class Block:
    def __init__(self, warps, threads):
        self.warps, self.threads = warps, threads


class Counted:
    dynamic_shared_bytes = 0

    def __init__(self, kernel, warps):
        self.kernel, self.blocks = kernel, (Block(warps, 32 * warps),)
        self.warp_instructions = 10 * warps


CODES = {"a": Code(), "b": Code()}


@pytest.fixture(autouse=True)
def printed(monkeypatch):
    texts = {id(code): name for name, code in CODES.items()}
    monkeypatch.setattr(
        "warpmill.sampling.saved_selections.print_function", lambda code: texts[id(code)]
    )


def launch(number, kernel="a", warps=4, **others):
    facts = {"arguments": ("64",), "grid": (2, 1, 1), "block": (64, 1, 1), "interval": 0}
    profile = Counted(CODES[kernel], warps)
    facts |= {"warp_instructions": profile.warp_instructions, **others}
    return CountedLaunch(number=number, kernel=kernel, profile=profile, **facts)


LAUNCHES = (launch(0), launch(1), launch(2, warps=40), launch(3, "b"), launch(4))


def application(launches=LAUNCHES):
    return SampledApplication("app", launches, ())


@pytest.fixture
def saved(tmp_path):
    path = tmp_path / "app.json"
    save_selection(path, application(), stratified(LAUNCHES), inside=True)
    return path


def test_what_is_read_is_what_was_written(saved):
    found = load_selection(saved)
    assert found.of(application()) == stratified(LAUNCHES)
    assert (found.report.selection.method, found.report.inside) == ("stratified", True)
    data = json.loads(saved.read_text())
    assert data["selection"]["marks"]["strata.weight"] == Mark.EXACT
    assert [one["warp_instructions"] for one in data["launches"]] == [40, 40, 400, 40, 40]


@pytest.mark.parametrize(
    ("place", "other", "told"),
    [
        (1, launch(1, arguments=("65",)), "code, arguments or blocks"),
        (1, launch(1, interval=1), "code, arguments or blocks"),
        (1, launch(1, "b"), "launch 1 has the kernel b, and a here"),
        (1, launch(1, grid=(4, 1, 1)), "launch 1 has grid 4 x 1 x 1, and 2 x 1 x 1 here"),
        (2, launch(2, block=(32, 2, 1)), "launch 2 has block 32 x 2 x 1"),
        (4, launch(4, warps=5), "launch 4 has warp instructions 50, and 40 here"),
        (4, launch(5), "launch 5 has the number 5, and 4 here"),
    ],
)
def test_any_difference_makes_another_application(place, other, told, saved):
    changed = (*LAUNCHES[:place], other, *LAUNCHES[place + 1 :])
    assert digest(changed) != digest(LAUNCHES)
    with pytest.raises(InputError) as error:
        load_selection(saved).of(application(changed))
    (found,) = error.value.diagnostics
    assert told in found.message
    assert found.file == str(saved)
    assert found.span is not None


def test_more_or_fewer_launches_are_another_application(saved):
    for launches in (LAUNCHES[:4], (*LAUNCHES, launch(5))):
        with pytest.raises(InputError, match=f"has {len(launches)} launches, and 5 are here"):
            load_selection(saved).of(application(launches))


def put(path, value):
    """Make a change of the data: a value at a path, or none there."""

    def change(data):
        *outer, last = path
        for key in outer:
            data = data[key]
        if value is None:
            del data[last]
        else:
            data[last] = value

    return change


UNITS, STRATA = ("selection", "units"), ("selection", "strata")

BAD = {
    "another report": (put(["report"], "clone"), "this is a report of `clone`", None),
    "no report": (put(["report"], None), "this is no report of warpmill", None),
    "a later version": (put(["schema_version"], 3), "schema_version is 3", '"schema_version": 3'),
    "a key more": (put(["extra"], 1), "`extra`: unexpected keyword", '"extra": 1'),
    "a key less": (put(["digest"], None), "`digest`: field required", "{"),
    "a text": (put([*UNITS, 1, "first"], "x"), "units.1.first`: input", '"first": "x"'),
    "a fraction": (put([*UNITS, 1, "end"], 1.5), "units.1.end`: input", '"end": 1.5'),
    "a method": (put(["selection", "method"], "best"), "no method `best`", '"method": "best"'),
    "a feature": (
        put(["selection", "options", "feature"], "XX"), "no feature vector `XX`", '"feature": "XX"',
    ),
    "a grid": (put(["launches", 0, "grid"], [1, 2]), "grid.2`: field required", '"grid": ['),
    "less than nothing": (
        put(["launches", 1, "warp_instructions"], -1), "0 or more", '"warp_instructions": -1',
    ),
    "numbers that go down": (
        put(["launches", 2, "number"], 1), "the numbers of launches go up", '"number": 1',
    ),
    "a gap": (put([*UNITS, 2, "first"], 3), "2 is expected", '"first": 3'),
    "an empty unit": (put([*UNITS, 2, "end"], 2), "behind its first launch", '"end": 2'),
    "a unit too far": (put([*UNITS, 4, "end"], 9), "5 at most", '"end": 9'),
    "a unit less": (put([*UNITS], []), "launches from 0 on are in no unit", '"units": []'),
    "instructions": (
        put([*UNITS, 2, "warp_instructions"], 7), "have 400 warp", '"warp_instructions": 7',
    ),
    "a unit that is not there": (put([*STRATA, 0, "members", 1], 7), "no unit 7", "7,"),
    "a member twice": (put([*STRATA, 0, "members", 1], 0), "in stratum 0 already", "0,"),
    "a member less": (put([*STRATA, 1, "members"], []), "is measured for a stratum", "2"),
    "nothing chosen": (put([*STRATA, 0, "chosen"], []), "at least one unit", '"chosen": []'),
    "chosen twice": (put([*STRATA, 0, "chosen"], [0, 0]), "measured once", '"chosen": ['),
    "no member": (put([*STRATA, 0, "chosen"], [3]), "that it is not in", "3"),
    "a weight": (put([*STRATA, 0, "weight"], 0.9), "execute 0.2142857", '"weight": 0.9'),
    "no strata": (put([*STRATA], []), "unit 0 is in no stratum", '"strata": []'),
}  # fmt: skip


@pytest.mark.one_in(12)
@pytest.mark.parametrize("name", BAD)
def test_files_that_are_wrong(name, saved):
    """The error points at the line that is wrong."""
    change, told, line = BAD[name]
    data = copy.deepcopy(json.loads(saved.read_text()))
    change(data)
    saved.write_text(json.dumps(data, indent=2))
    with pytest.raises(InputError) as error:
        load_selection(saved)
    (found,) = error.value.diagnostics
    assert told.lower() in found.message.lower()
    assert found.file == str(saved)
    if line is not None:
        pointed = saved.read_text().splitlines()[found.span.line - 1]
        assert pointed.strip().startswith(line)
        assert found.excerpt == pointed


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (b"", "1:1: error: this is no JSON: expecting value"),
        (b'{"report": ', "1:12: error: this is no JSON"),
        (b"[1, 2]", "this is no report of warpmill"),
        (b"\xff\xfe", "this is no UTF-8 text"),
        (b'{"report": NaN}', "NaN is no number"),
        (b"[" * 100_000, "nested too deep"),
    ],
)
def test_files_that_are_no_selections(text, told, tmp_path):
    path = tmp_path / "x.json"
    path.write_bytes(text)
    with pytest.raises(InputError) as error:
        load_selection(path)
    assert told in str(error.value)


def test_a_file_on_one_line_is_not_shown_whole(saved):
    data = json.loads(saved.read_text())
    data["selection"]["strata"] = []
    saved.write_text(json.dumps(data))
    with pytest.raises(InputError) as error:
        load_selection(saved)
    assert len(str(error.value)) < 300


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(InputError, match="the file cannot be read: No such file"):
        load_selection(tmp_path / "x.json")
    with pytest.raises(InputError, match="Is a directory"):
        load_selection(tmp_path)
