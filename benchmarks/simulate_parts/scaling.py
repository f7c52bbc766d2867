"""How time grows with instructions and with SMs, and how much memory a long simulation takes."""

from __future__ import annotations

import subprocess
import sys
from statistics import median

from benchmarks.simulate_parts.programs import QV100, record, reference_machine
from benchmarks.simulate_parts.speed import ROUNDS, simulated

LONGER = {
    "fma_sfu": ("131072 64", "131072 128", "131072 256"),
    "vecadd": ("524288", "1048576", "2097152"),
}
"""Inputs that execute once, twice and four times as much: longer warps, and more of them."""

SMS = (10, 20, 40, 80)
PER_SM = {"fma_sfu": lambda sms: f"{1536 * sms} 256", "vecadd": lambda sms: f"{24576 * sms}"}
"""Inputs that give each SM as much to do, however many there are."""


def longer(say, *, quick):
    """Simulate one, two and four times as much; seconds and those of an instruction."""
    rows = []
    for program, inputs in LONGER.items():
        chosen = inputs[:2] if quick else inputs
        rows += _beside_the_first(
            [_timed(program, each, say, quick=quick) for each in chosen], "warp_insts"
        )
    return rows


def wider(say, *, quick):
    """Simulate on more and more SMs, with as much work for each; seconds, and those of an SM.

    And with the same work for all of them together.
    """
    rows, counts = [], SMS[:2] if quick else SMS
    for program, of_sms in PER_SM.items():
        for same in (False, True):
            inputs = [of_sms(counts[-1] if same else sms) for sms in counts]
            own = [
                {**_timed(program, each, say, sms, quick=quick), "same_work": same}
                for sms, each in zip(counts, inputs, strict=True)
            ]
            rows += _beside_the_first(own, "sms")
    return rows


def _timed(program, input_, say, sms=80, *, quick):
    say(f"scaling: {program} {input_} on {sms} SMs")
    machine = reference_machine(QV100, sm__count=sms)
    recording = record(program, input_).recording
    runs = [simulated(program, recording, machine) for _ in range(1 if quick else ROUNDS)]
    return {
        "program": program,
        "input": input_,
        "sms": sms,
        "warp_insts": runs[0]["warp_insts"],
        "cycles": runs[0]["cycles"],
        "engine_s": median(run["engine_s"] for run in runs),
        "total_s": median(run["total_s"] for run in runs),
    }


def _beside_the_first(rows, key):
    """Add how much longer each took than the first, over how much more it is of ``key``."""
    first = rows[0]
    return [
        {**r, "over_linear": r["engine_s"] / first["engine_s"] / (r[key] / first[key])}
        for r in rows
    ]


def peak():
    """Simulate 10^8 warp instructions in a fresh process: its instructions, bytes and seconds."""
    command = [sys.executable, "-m", "benchmarks.simulate_parts.peak"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    instructions, before, most, seconds = done.stdout.split()
    return {
        "peak_bytes": int(most),
        "peak_bytes_before_simulating": int(before),
        "peak_warp_insts": int(instructions),
        "peak_run_s": float(seconds),
    }


def figures(say, *, quick):
    """Measure all of it; ``quick``: without the memory."""
    along, across = longer(say, quick=quick), wider(say, quick=quick)
    if not quick:
        say("memory: 10^8 warp instructions")
    return {**growth(along, across), **({} if quick else peak())}


def growth(along, across):
    """Sum up how time grows; what is 1 grows in a line, what is above faster."""

    def worst(rows):
        each = (row["over_linear"] for row in rows)
        return max(over for over in each if over != 1)  # the first is 1 by itself

    return {
        "time_over_instructions": worst(along),
        "time_over_sms": worst(row for row in across if row["same_work"]),
        "time_over_sms_and_work": worst(row for row in across if not row["same_work"]),
        "longer_rows": along,
        "wider_rows": across,
    }
