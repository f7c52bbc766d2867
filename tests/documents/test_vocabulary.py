"""One vocabulary for both engines, and docs/vocabulary.md, which ``pytest --bless`` renews."""

import copy
import pickle
from pathlib import Path

from warpmill.report.fields import plain
from warpmill.session.what_if import changes
from warpmill.simulator.assembler.costs import cost_table
from warpmill.simulator.assembler.values import expansion_table
from warpmill.simulator.machine_limits import CAUSES
from warpmill.simulator.resources import CAUSES as CAUSES_OF_TIME
from warpmill.simulator.resources import (
    ESTIMATED_STALLS,
    PIPES,
    RESOURCES,
    SIMULATED_STATES,
    TERMS,
    WARP_STATES,
)

PAGE = Path(__file__).parents[2] / "docs" / "vocabulary.md"


def test_a_thing_has_one_name_and_a_name_is_of_one_thing():
    labels = [term.lower() for term in TERMS.values()]
    assert len(set(labels)) == len(labels)
    assert all(key == term.key for key, term in TERMS.items())


def test_pipes_of_the_tables_of_costs_have_names():
    units = expansion_table().units.values()
    used = {*cost_table().pipes, *(u.pipe for u in units), *(u.also for u in units)}
    assert used - {"none", ""} <= PIPES.keys()


def test_names_of_our_own_say_which_warp_states_have_their_cycles():
    own = [TERMS[key] for key in ESTIMATED_STALLS if key not in WARP_STATES]
    assert len(own) == 11
    for term in own:
        assert term.states and set(term.states) <= set(SIMULATED_STATES), term


def test_causes_of_waiting_are_stall_reasons_or_resources():
    told_by_resource = {"not_selected": "issue_slots"}
    assert [c.key for c in CAUSES] == [told_by_resource.get(k, k) for k in ESTIMATED_STALLS]


def test_people_read_labels_and_data_has_keys():
    term = TERMS["dram_latency"]
    for same in (term, pickle.loads(pickle.dumps(term)), copy.deepcopy(term)):
        assert (f"{same}", plain(same), same.states) == (
            "DRAM latency", "dram_latency", ("long_scoreboard",),
        )  # fmt: skip


def test_changes_of_machines_have_the_names_of_what_they_change():
    assert all(TERMS[c.name.key] == c.name for c in changes() if c.name.key in TERMS)
    assert len({c.name.key for c in changes()}) == len(changes())
    assert {c.busy for c in changes()} - {""} <= set(RESOURCES.values())


def rows(terms, *more):
    for term in terms:
        cells = [term, f"`{term.key}`", f"`{term.metric}`" if term.metric else "–"]
        yield f"| {' | '.join([*cells, term.meaning, *(cell(term) for cell in more)])} |"


def engines(term):
    told = {"`simulate`": SIMULATED_STATES, "`estimate`": ESTIMATED_STALLS}
    return ", ".join(name for name, keys in told.items() if term.key in keys) or "neither"


def counted(term):
    return ", ".join(WARP_STATES[key] for key in term.states) or "–"


TEXT = """\
# Vocabulary of time

Both engines, and all commands, have one name for one thing (`simulator/resources.py`): the label in
text, the key in JSON. Names and metrics are those of Nsight Compute, where it has them. This page
is made from the table.

## Warp states

What a resident warp does in a cycle. `selected` is no stall: the warp issues.

| label | key | metric of Nsight Compute | the warp waits | told by |
|---|---|---|---|---|
{states}

## Resources

What a launch keeps busy. Where one is short, warps have more cycles in the states beside it.

| label | key | metric of Nsight Compute | what it carries | warp states |
|---|---|---|---|---|
{resources}

## Other causes of time

Each resource is a cause of time, too. An estimate tells apart what the warp states of Nsight
Compute have together: the level of memory that answers, and whether warps wait for its latency or
in its queue; these keep names of their own. What it has together, for arithmetic, Nsight Compute
divides by whether the latency is fixed.

| label | key | metric of Nsight Compute | what warps wait for | warp states |
|---|---|---|---|---|
{causes}

## Hit rates

A simulation counts a sector as a miss of L1 or L2 where it goes on to the next level, or would
have to, and as a hit where it does not: where its data are there, and where they are on their way
already for an earlier request (`pending`, counted beside the hits). The hit rate is one less
misses over requests.

Nsight Compute's guide calls a sector a hit where its tag and its data are in the cache, and all
else a miss (`l1tex__t_sector_hit_rate`, `lts__t_sector_hit_rate`); it does not name sectors that
are on their way. Accel-Sim puts these to the hits of L1, and not to those of L2, where it
compares its counts with that tool's. What is meant by the guide's words alone is `hits` over
`accesses` of a cache in JSON.

NVIDIA says of L2 that stores are always hits in that tool, and so they are here. `write_hits` over
`write_accesses` is the share that found their sector there; output in GPGPU-Sim's form
(`simulate --stats-format gpgpusim`) counts the others as misses, as GPGPU-Sim does. The L2 hit
rate of an estimate is one less what loads and atomics read from DRAM (`l2_missed_bytes`) over L2
traffic.
"""


def text():
    causes = [term for key, term in CAUSES_OF_TIME.items() if key not in RESOURCES]
    return TEXT.format(
        states="\n".join(rows(WARP_STATES.values(), engines)),
        resources="\n".join(rows(RESOURCES.values(), counted)),
        causes="\n".join(rows(causes, counted)),
    )


def test_the_page_is_that_of_the_table(bless):
    if bless:
        PAGE.write_text(text(), "utf-8")
    assert PAGE.read_text("utf-8") == text()
