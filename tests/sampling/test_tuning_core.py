"""Tuning as a whole, with an engine that says times that are easy to know."""

from dataclasses import replace
from pathlib import Path

import pytest

from warpmill.analyzer.base.diagnostics import InputError
from warpmill.session.options import EvaluationOptions, LaunchOptions
from warpmill.studies.model import PointOutcome
from warpmill.sweeps import sweep as sweeping
from warpmill.sweeps.launches import SweepTarget
from warpmill.sweeps.points import EvaluationConfig
from warpmill.sweeps.space import Axis, SweepSpace
from warpmill.tuning.comparing import Comparer
from warpmill.tuning.model import Running, TuneRequest
from warpmill.tuning.tune import tune
from warpmill.tuning.variants import variants_of
from warpmill.tuning.verdicts import Verdict

SAMPLES = Path(__file__).parents[2] / "samples"
VECADD = SweepTarget(
    str(SAMPLES / "vecadd" / "launch.toml"), options=LaunchOptions(sizes={"n": 4096})
)
CLANG = f"clang={SAMPLES / 'vecadd' / 'vecadd.sm_80.clang.ptx'}"
BLOCKS = SweepSpace((Axis("block", (32, 64, 128, 256, 512)),))
TWO = EvaluationConfig(machines=("a100", "v100"))


class Told(Comparer):
    """A comparer that has been told what is wrong, and notes what it is asked."""

    def __init__(self, wrong=(), unknown=()):
        super().__init__(VECADD)
        self.wrong, self.unknown, self.asked = wrong, unknown, []

    def compare(self, target, configuration, **_):
        block = configuration["block"]
        self.asked.append((target.code is not None, block))
        if block in self.unknown:
            return Verdict(None, "odd", "it is odd")
        return Verdict(block not in self.wrong, "bad", f"{block} is bad")


@pytest.fixture
def times(monkeypatch):
    """Say times: by machine, block and whether clang has made the code; None cannot be measured."""
    table, simulated = {}, {}

    def said(known, job, machine):
        launch = job.required_launch()
        time = known(launch.threads_per_cta, machine.name, "clang" in str(launch.module))
        if time is None:
            raise InputError("it does not fit")
        shape = {"grid": list(launch.grid), "block": list(launch.block)}
        return PointOutcome({"time_us": time}, shape)

    monkeypatch.setattr(sweeping, "estimated", lambda each, m: said(table["f"], each[0].job, m))
    monkeypatch.setattr(sweeping, "simulated", lambda jobs, m, *_: said(simulated["f"], jobs[0], m))

    def say(estimates, simulations=None):
        table["f"], simulated["f"] = estimates, simulations

    return say


def tuned(comparer=None, texts=(), running=None, **more):
    asked = {
        "space": BLOCKS,
        "how": EvaluationConfig(machines=("a100",)),
        "comparer": comparer,
        **more,
    }
    return tune(TuneRequest(variants_of(VECADD, texts), **asked), running)


def blocks(choices):
    return [choice.row.configuration["block"] for choice in choices]


def test_the_best_come_first_beside_the_default(times):
    times(lambda b, *_: {32: 9, 64: 4, 128: 5, 256: 8, 512: 16}[b])
    (one,) = tuned(Told()).machines
    assert blocks(one.choices) == [64, 128, 256, 32, 512]
    assert [one.speedup(c) for c in one.choices] == [2.0, 1.6, 1.0, 8 / 9, 0.5]
    assert [c.is_default for c in one.choices] == [False, False, True, False, False]
    assert (one.outcome, one.best) == ("faster", one.choices[0])
    assert one.default.row.configuration["block"] == 256


@pytest.mark.parametrize(
    ("time", "outcome"), [(9.7, "faster"), (9.8, "faster"), (9.9, "as good"), (11, "as good")]
)
def test_a_lead_that_models_cannot_tell_is_none(times, time, outcome):
    times(lambda b, *_: time if b == 64 else 10)
    (one,) = tuned(Told()).machines
    assert one.outcome == outcome
    assert (blocks(one.choices)[0] == 64) == (time < 10)  # of equal ones the default comes first


def test_a_default_that_is_no_choice_is_measured_too(times):
    times(lambda b, *_: float(b))
    found = tuned(space=SweepSpace((Axis("block", (64, 512)),)))
    (one,) = found.machines
    assert blocks(one.choices) == [64, 512]
    assert (one.default.row.figures["time_us"], one.speedup(one.choices[0])) == (256, 4)
    assert found.default == {"variant": "default", "block": 256}


def test_a_default_that_does_not_fit(times):
    times(lambda b, m, *_: None if b == 256 and m == "a100" else float(b))
    found = tuned(Told(), how=TWO)
    one, other = found.machines
    assert (one.outcome, one.speedup(one.choices[0])) == ("no default", None)
    assert one.default.row.problem == "it does not fit"
    assert [row.configuration["block"] for row in one.failures] == [256]
    assert other.outcome == "faster"


def test_a_machine_on_which_nothing_runs(times):
    times(lambda b, m, *_: None if m == "a100" else float(b))
    one, other = tuned(how=TWO, comparer=Told()).machines
    assert (one.outcome, one.best, len(one.failures)) == ("nothing", None, 5)
    assert other.outcome == "faster"
    times(lambda *_: None)
    with pytest.raises(InputError, match="none of 10 choices could be measured: it does not fit"):
        tuned(how=TWO)


def test_as_many_are_executed_as_are_asked_for(times):
    times(lambda b, *_: float(b))
    comparer = Told(wrong={32, 128})
    (one,) = tuned(comparer, top=2).machines
    assert [b for _, b in comparer.asked] == [32, 64, 128]  # the default is right without
    assert blocks(one.choices) == [64, 256, 512]
    assert [c.verdict and c.verdict.same for c in one.choices] == [True, True, None]
    assert blocks(one.different) == [32, 128]
    assert [c.verdict.reason for c in one.different] == ["32 is bad", "128 is bad"]


def test_what_is_unknown_is_not_set_apart(times):
    times(lambda b, *_: float(b))
    comparer = Told(unknown={32})
    (one,) = tuned(comparer, top=1).machines
    assert comparer.asked == [(False, 32)]
    assert blocks(one.choices)[0] == 32
    assert one.choices[0].verdict.same is None


@pytest.mark.parametrize(("time", "told"), [(50, True), (100, True), (100.5, False)])
def test_a_faster_one_of_which_nothing_is_known_is_told_from_two_percent_on(times, time, told):
    times(lambda b, *_: {32: time, 256: 102}.get(b, 200))
    (one,) = tuned(Told(unknown={32}), top=1).machines
    assert blocks([one.best]) == [256]
    assert one.uncompared_rank == (1 if told else None)


def test_what_is_wrong_is_wrong_on_all_machines(times):
    order = {"a100": [32, 64, 128, 256, 512], "v100": [512, 256, 128, 64, 32]}
    times(lambda b, m, *_: 1.0 + order[m].index(b))
    comparer = Told(wrong={32, 512})
    found = tuned(comparer, how=TWO, top=1)
    assert [blocks(one.different) for one in found.machines] == [[32, 512], [32, 512]]
    assert sorted(b for _, b in comparer.asked) == [32, 64, 512]  # each once
    assert found.common.choice == {"block": 64}


def test_the_common_choice_is_executed(times):
    """One that is second on each machine is best over all, and executed though top is 1."""
    table = {"a100": {32: 1.0, 128: 1.1, 64: 9.0}, "v100": {64: 1.0, 128: 1.1, 32: 9.0}}
    times(lambda b, m, *_: table[m].get(b, 5.0))
    comparer = Told()
    assert tuned(comparer, how=TWO, top=1).common.choice == {"block": 128}
    assert (False, 128) in comparer.asked
    comparer = Told(wrong={128})
    found = tuned(comparer, how=TWO, top=1)
    assert found.common.choice["block"] != 128
    assert [blocks(one.different) for one in found.machines] == [[128], [128]]


def test_all_may_be_wrong(times):
    times(lambda b, *_: float(b))
    (one,) = tuned(Told(wrong={64, 512}), space=SweepSpace((Axis("block", (64, 512)),))).machines
    assert (one.outcome, one.best, blocks(one.different)) == ("nothing", None, [64, 512])


def test_nothing_is_executed_where_nobody_asks(times):
    times(lambda b, *_: float(b))
    found = tuned(how=TWO)
    assert found.runs == 0
    for one in found.machines:
        assert all((c.verdict is None) is not c.is_default for c in one.choices)
        assert (one.outcome, one.best.is_default, blocks([one.uncompared])) == (
            "not compared", True, [32],
        )  # fmt: skip
    assert found.common is None


def test_registers_decide_nothing_that_is_computed(times):
    times(lambda b, *_: float(b))
    comparer = Told()
    space = SweepSpace((Axis("block", (128, 256)), Axis("regs", (32, 64))))
    (one,) = tuned(comparer, space=space).machines
    assert comparer.asked == [(False, 128)]
    assert [c.verdict.same for c in one.choices] == [True] * 4
    assert not any(c.is_default for c in one.choices)  # it has no registers of its own


def test_variants_in_all_configurations(times):
    times(lambda b, _, c: b / (3 if c else 1))
    comparer = Told(wrong={32})
    found = tuned(comparer, [CLANG])
    (one,) = found.machines
    names = [(c.variant, c.row.configuration["block"]) for c in one.choices[:3]]
    assert names == [("clang", 64), ("clang", 128), ("default", 64)]
    assert {c.variant for c in one.different} == {"default", "clang"}
    assert found.axes[0] == Axis("variant", ("default", "clang"))
    assert (True, 64) in comparer.asked
    assert (False, 64) in comparer.asked
    assert found.choices == 10


def test_the_best_are_simulated_and_ranked_by_that(times):
    times(lambda b, *_: float(b), lambda b, *_: {32: 9.0, 64: 5.0, 256: 6.0}.get(b))
    told = []
    (one,) = tuned(refine=3, running=Running(simulated=lambda n, of: told.append((n, of)))).machines
    assert blocks(one.choices) == [64, 256, 32, 128, 512]
    assert [c.is_simulated for c in one.choices] == [True, True, True, False, False]
    assert one.choices[3].simulated.problem == "it does not fit"  # of the three best, unlike 512
    assert one.choices[4].simulated is None
    assert [one.speedup(c) for c in one.choices] == [6 / 5, 1.0, 6 / 9, 2.0, 0.5]
    assert told == [(n, 4) for n in range(5)]  # with the default


def test_a_default_that_cannot_be_simulated(times):
    times(lambda b, *_: float(b), lambda b, *_: None if b == 256 else 5.0)
    (one,) = tuned(Told(), refine=1).machines
    assert (one.outcome, one.speedup(one.choices[0])) == ("no default", None)
    assert one.speedup(one.choices[1]) == 4.0  # by estimates


def test_the_common_choice_is_of_what_was_simulated_on_all(times):
    times(lambda b, *_: float(b), lambda b, m, *_: 600.0 / b if m == "v100" else 500.0 / b)
    found = tuned(Told(), refine=2, how=TWO)
    assert found.common.choice == {"block": 256}  # 512 was not simulated


def test_the_rest_of_what_is_wanted_reaches_the_engines(times, monkeypatch):
    times(lambda b, *_: float(b), lambda *_: 1.0)
    seen = []
    own = sweeping.simulated
    monkeypatch.setattr(sweeping, "simulated", lambda *given: seen.append(given[2:]) or own(*given))
    how = EvaluationConfig(
        EvaluationOptions(registers=40), machines=("a100",), overrides={"sm.count": 7}
    )
    tuned(refine=1, how=how)
    assert [(h.engine, h.machines, h.overrides, r) for h, r in seen] == [
        ("simulate", ("a100",), {"sm.count": 7}, 40),
    ] * 2  # fmt: skip


def test_a_store_knows_choices_again(times, tmp_path):
    times(lambda b, *_: float(b), lambda *_: 1.0)
    running = Running(store=tmp_path / "s.db")
    first = tuned(refine=1, running=running)
    times(lambda *_: None, lambda *_: None)
    again = tuned(refine=1, running=running)
    assert (first.known, again.known) == (0, 5)
    assert first.machines == again.machines


def test_who_hears(times):
    times(lambda b, *_: float(b))
    begun, executed, told = [], [], []
    tuned(
        Told(wrong={32}),
        [CLANG],
        Running(told=told.append, begun=begun.append, executed=executed.append),
    )
    assert begun == ["default", "clang"]
    assert executed == list(range(10))
    assert told[-1].over == 5


@pytest.mark.slow
def test_workers_change_nothing():
    wanted = TuneRequest(
        variants_of(replace(VECADD, options=LaunchOptions(sizes={"n": 2048})), [CLANG]),
        SweepSpace((Axis("block", (64, 256)),)),
        EvaluationConfig(machines=("v100",)),
        refine=1,
    )
    one, two = (
        tune(replace(wanted, comparer=Comparer(VECADD, {"n": 512}, workers=n)), Running(workers=n))
        for n in (1, 2)
    )
    assert one.machines == two.machines
    assert one.common == two.common
