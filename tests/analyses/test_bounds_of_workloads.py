"""What bounds a workload is what its time goes to, and changes within noise are no advice."""

from __future__ import annotations

import json
import random

import pytest

from tests.timing.test_bound_agrees import agrees
from warpmill.analyzer.base.diagnostics import WarpmillError
from warpmill.cli.main import main
from warpmill.report.estimate_sections import WHAT_IF
from warpmill.session.applications import application, largest_of_each_kernel
from warpmill.session.estimates import Estimator
from warpmill.session.what_if import changes
from warpmill.session.workloads import workloads
from warpmill.simulator.machines import load_machine, machine_names

MACHINES = 4
WORDS = {2.0: "twice", 0.5: "half"}


@pytest.mark.slow
@pytest.mark.one_in(21)
@pytest.mark.parametrize("workload", sorted(workloads()))
def test_workloads_are_bound_by_what_their_time_goes_to_on_any_machine(workload, capsys):
    draw = random.Random(workload)
    app = application(f"{workload}:tiny")
    fitting = []
    for number in largest_of_each_kernel(app.launches):
        made = Estimator(app.job(number))
        for machine in draw.sample(machine_names(), MACHINES):
            try:
                found = made.on(load_machine(machine))
            except WarpmillError:
                continue  # does not fit
            agrees(found)
            fitting.append((number, machine))
    assert fitting
    launch, machine = draw.choice(fitting)
    what_if_lists_what_is_beyond_noise(f"{workload}:tiny", launch, machine, capsys)


def what_if_lists_what_is_beyond_noise(target, launch, machine, capsys):
    """The rows of the text are the changes of the report that make a difference."""
    words = ["estimate", target, "--launch", str(launch), "-m", machine, "--what-if"]
    assert main([*words, "-f", "json"]) == 0
    (one,) = json.loads(capsys.readouterr().out)["launches"]
    (estimate,) = one["estimates"]
    noise = estimate["what_if_noise_fraction"]
    told = [c for c in estimate["what_if"] if c["ratio"] is not None]
    assert all(c["within_noise"] == (abs(c["ratio"] - 1) <= noise) for c in told)
    assert main(words) == 0
    text = capsys.readouterr().out
    first, *rest = estimate["bound"].split()  # in a column, beside nothing else
    assert [first, *rest] == text[text.index("Bound by") :].split()[2 : 3 + len(rest)]
    listed = _names(text[text.index(WHAT_IF[0].title) :].splitlines()[1:])
    names = {change.name.key: change.name for change in changes()}
    expected = {
        f"{WORDS[c['factor']]} the {names[c['name']]}" for c in told if not c["within_noise"]
    }
    assert listed == expected


def _names(lines):
    """The names of a page's facts: two blanks stand before what each is."""
    told = [line for line in lines[: [*lines, ""].index("")] if line.startswith("  ")]
    rows = (line.strip().rpartition("  ")[0].strip() for line in told)
    return {row for row in rows if row and row != "noise"}
