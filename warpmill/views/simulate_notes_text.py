"""What the page of ``simulate`` says its figures rest on."""

from __future__ import annotations

from warpmill.reports.simulate_machine import MachineSimulation
from warpmill.views.assumed_words import add_assumed_values
from warpmill.views.page import Page, figure
from warpmill.views.simulate_time_text import sm_section
from warpmill.views.words import plural

_ASSUMPTIONS = 5


def notes(one: MachineSimulation, page: Page) -> None:
    """Say what the figures rest on; with everything, each SM and the events too."""
    if page.style.verbose:
        sm_section(one, page)
        _events(one, page)
    most = None if page.style.verbose else _ASSUMPTIONS
    page.heading("what this rests on")
    traces = dict.fromkeys(f"{x.trace}: {x.trace_reason}" for x in one.launches)
    page.facts([("traces", "; ".join(traces))])
    page.line(f"assumptions of the traces: {len(one.assumptions) or 'none'}")
    page.items(one.assumptions, most, " (--verbose)")
    if one.unknown_accesses:
        number = figure(one.unknown_accesses, one.marks["unknown_accesses"])
        page.line(f"accesses of warps at unknown addresses, spread over their buffer: {number}")
    page.line(f"classes without a model: {_unmodelled(one)}")
    page.line("left out of the model:")
    page.items(one.simplifications)
    for words in one.beyond_machine:
        page.line(f"warning: {words}, so this simulation is wrong: please report it")
    for note in dict.fromkeys(n for x in one.launches for n in x.occupancy.notes):
        page.line(f"note: {note}")
    add_assumed_values(one.machine, one.assumed_values, page)


def _unmodelled(one: MachineSimulation) -> str:
    found = [
        f"{u.op_class} ({plural(u.warp_instructions, 'warp instruction')})" for u in one.unmodelled
    ]
    return ", ".join(found) or "none"


def _events(one: MachineSimulation, page: Page) -> None:
    page.heading("events, as an energy model needs them")
    mark = one.marks["events"]
    rows = [(name.replace("_", " "), figure(n, mark)) for name, n in one.events.items()]
    page.table(("event", "number"), rows)
