"""The search for a reduction: what is tried, and what is chosen of it."""

from pathlib import Path

import pytest

from warpmill.cloning.clone import clone_studied, study
from warpmill.cloning.fidelity import simulate_original
from warpmill.cloning.options import CloneOptions
from warpmill.cloning.search import LoopFactor, Trial, search
from warpmill.commands.clone.page import _factors
from warpmill.session.options import LaunchOptions, SimulationSetup
from warpmill.simulator.machines import load_machine

MATMUL = Path(__file__).parents[2] / "samples" / "matmul" / "launch.toml"


def arguments(studied, options=None):
    machine = load_machine("v100")
    options = options or CloneOptions()
    return studied, options, machine, simulate_original(studied, machine, SimulationSetup())


@pytest.fixture(scope="module")
def searched():
    studied = study(MATMUL, None, LaunchOptions(sizes={"n": 64}))
    return arguments(studied, CloneOptions(min_instructions=1))


@pytest.mark.slow
def test_the_largest_factor_inside_is_found(searched):
    tried = search(*searched, max_error=0.0).search.trials
    assert [trial.factor for trial in tried] == [4, 2, 1]
    within = abs(tried[1].ipc_difference)
    found = search(*searched, max_error=within).search
    assert found.met
    assert found.chosen == next(t for t in tried if abs(t.ipc_difference) <= within)
    assert found.trials == tried[: tried.index(found.chosen) + 1]


@pytest.mark.slow
def test_where_nothing_is_inside_the_nearest_is_taken(searched):
    found = search(*searched, max_error=0.0)
    least = min(found.search.trials, key=lambda trial: abs(trial.ipc_difference))
    assert not found.search.met
    assert found.search.chosen == least
    assert {model.reduction for model in found.cloned.models} == {least.factor}


# -- the clone that is made without factors --------------------------------------------------------


def first_and_rest(found):
    first, *rest = found.search.trials
    assert first.factor is None
    return first, rest


def test_loops_that_are_reduced_unlike_are_tried_so_first(kernels):
    """Its factors say how it is made: given as such, they make the same files."""
    studied = kernels("nested")
    own = clone_studied(studied, CloneOptions())
    first, rest = first_and_rest(search(*arguments(studied), max_error=0.0))
    assert [(one.kernel, one.block) for one in first.factors] == [
        (studied.subjects[0].structure.kernel.name, loop.header) for loop in own.models[0].loops
    ]
    assert len({one.factor for one in first.factors}) > 1
    again = clone_studied(studied, CloneOptions(reductions=first.reductions))
    assert again.files.files == own.files.files
    assert [trial.factor for trial in rest] == [1]


def test_it_is_not_taken_where_its_ipc_is_too_far_off(kernels):
    """What is found then is what would be found without it."""
    both = search(*arguments(kernels("nested")), max_error=0.0)
    first, rest = first_and_rest(both)
    within = min(abs(trial.ipc_difference) for trial in rest)
    assert within < abs(first.ipc_difference)
    chosen = search(*arguments(kernels("nested")), max_error=within).search.chosen
    assert chosen == rest[0]


@pytest.mark.slow
def test_it_is_not_taken_where_something_smaller_is_inside(kernels):
    found = search(*arguments(kernels("nested")), max_error=9.0)
    first, rest = first_and_rest(found)
    assert found.search.chosen == min(rest, key=lambda trial: trial.thread_instructions)
    assert found.search.chosen.thread_instructions < first.thread_instructions


@pytest.mark.slow
def test_it_is_taken_where_it_is_inside_and_the_smallest():
    """Of its launches that are alike there is one; no factor for all loops makes that here."""
    given = arguments(study("hotspot:tiny"))
    first, rest = first_and_rest(search(*given, max_error=0.0))
    assert first.thread_instructions < min(trial.thread_instructions for trial in rest)
    within = max(abs(trial.ipc_difference) for trial in (first, *rest))
    found = search(*given, max_error=within)
    assert found.search.met
    assert found.search.chosen == first
    assert found.cloned.files.files == clone_studied(given[0], CloneOptions()).files.files
    assert abs(rest[-1].ipc_difference) <= within  # the other one is inside as well


def test_a_loop_of_launches_that_differ_has_several_factors():
    factors = (("k", 3, 2), ("k", 3, 8), ("k", 5, 1), ("other", 3, 4))
    trial = Trial(None, tuple(LoopFactor(*one) for one in factors), 0.0, 1)
    assert trial.reductions == {"k": {3: 2, 5: 1}, "other": {3: 4}}


@pytest.mark.parametrize(
    ("factor", "factors", "words"),
    [
        (4, [], "all by 4"),
        (None, [("k", 3, 2), ("k", 3, 8), ("k", 5, 1), ("o", 3, 4)], "k B3 by 2 to 8, o B3 by 4"),
        (None, [("k", 5, 1)], "no loop; launches that are alike once"),
        (None, [], "no loop; launches that are alike once"),
    ],
)
def test_what_the_page_calls_a_trial(factor, factors, words):
    loops = tuple(LoopFactor(*one) for one in factors)
    assert _factors(Trial(factor, loops, 0.0, 1)) == words
