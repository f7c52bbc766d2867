"""The fast path of statements on scalars gives what the opcodes' handlers give."""

from pathlib import Path

import pytest

from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.frontends.llvm import parse, plans, read_bitcode

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
MODULES = sorted(SAMPLES.glob("*/*.bc"))


@pytest.mark.one_in(12)
@pytest.mark.parametrize("path", MODULES, ids=lambda p: p.name)
def test_both_roads_give_the_same_module(path, monkeypatch):
    source = read_bitcode(path.read_bytes(), path.name)
    direct = parse(source).module
    monkeypatch.setattr(plans, "plan_of", lambda *_: None)
    assert parse(source).module == direct


def test_the_direct_road_is_taken(monkeypatch):
    taken = []
    plan_of = plans.plan_of
    monkeypatch.setattr(
        plans, "plan_of", lambda m, t: taken.append((t.opcode, plan_of(m, t))) or taken[-1][1]
    )
    parse(Source("t.ll", (SAMPLES / "vecadd" / "vecadd.ll").read_text()))
    direct = {opcode for opcode, run in taken if run is not None}
    assert {"load", "store", "getelementptr", "fadd", "icmp", "br", "call"} <= direct
