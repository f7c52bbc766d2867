"""docs/validation.md, written from a result of benchmarks.simulate that was kept."""

from __future__ import annotations

from pathlib import Path
from statistics import fmean, median

from jinja2 import Environment, StrictUndefined

from benchmarks.execution_parts import gpgpusim

TEMPLATE = Path(__file__).with_name("page.md.j2")
MOST_OFF = 20
NAMES = {
    "thread_insts": "thread instructions",
    "warp_insts": "warp instructions",
    "global_read_transactions": "sectors read from L2",
    "global_write_transactions": "sectors written to L2",
    "l1d_accesses": "sectors at L1",
}


def page(result):
    """Write the page from a result as ``kept`` gives it."""
    found = result["gpgpusim"]
    template = Environment(undefined=StrictUndefined, keep_trailing_newline=True)
    return template.from_string(TEMPLATE.read_text("utf-8")).render(
        date=result["date"],
        version=result["version"],
        summary=_summary(found),
        programs=_programs(found),
        racing=f"{max(gpgpusim.RACING.values()):.0%}",
        counts=_counts(found),
        counts_off=_counts_off(found["counts_off"]),
        rows=_rows(found["agreement_rows"]),
        processor=result["computer"]["processor"],
        python=result["computer"]["python"],
        cores=result["computer"]["cores"],
        speeds=_speeds(result),
        theirs=_their_speed(),
        growth=_growth(result),
        peak_insts=f"{result['peak_warp_insts']:,}",
        peak=f"{result['peak_bytes'] / 1e6:,.0f} MB",
        before=f"{result['peak_bytes_before_simulating'] / 1e6:,.0f} MB",
    )


def _summary(found):
    worst = found["worst"]
    where = f"{worst['program']} {worst['input']}, {worst['config']}, {worst['suite']}"
    return _table(
        ("what", "figure"),
        [
            ("launches", f"{found['rows']}"),
            ("mean error of cycles", f"{found['mape']:.1%}"),
            ("mean error with its sign, over launches", f"{found['bias']:+.1%}"),
            ("worst launch", f"{worst['error']:+.1%} ({where})"),
            ("correlation of log cycles (Pearson)", f"{found['pearson']:.4f}"),
            ("hit rate of L1 off by", _points(found["l1_hit_error_points"])),
            ("hit rate of L2 off by", _points(found["l2_hit_error_points"])),
            ("as many CTAs an SM", _of(found["ctas_per_sm_equal"])),
            ("limited by the same resources", _of(found["limiters_equal"])),
        ],
    )


def _points(off):
    return "-" if off is None else f"{off:.3f} points"


def _of(pair):
    return f"{pair[0]} of {pair[1]}"


def _programs(found):
    rows = [(name, *_program(found, name)) for name in found["mape_by_program"]]
    return _table(("program", "launches", "mean error", "with its sign", "from", "to"), rows)


def _program(found, name):
    errors = [row["error"] for row in found["agreement_rows"] if row["program"] == name]
    signed = (f"{e:+.1%}" for e in (fmean(errors), min(errors), max(errors)))
    return (f"{len(errors)}", f"{found['mape_by_program'][name]:.1%}", *signed)


def _counts(found):
    rows = [
        (words, _of(found["counts_equal"][name]), _of(found["counts_exact"][name]))
        for name, words in NAMES.items()
    ]
    return _table(("count", "equal", "without any difference"), rows)


def _counts_off(rows):
    """Tell the counts that are not equal, the worst first."""
    if not rows:
        return "All are equal."
    told = [
        (
            r["program"],
            r["input"],
            f"{r['config']}, {r['suite']}",
            f"{r['launch']}",
            NAMES[r["count"]],
            f"{r['ours']:,}",
            f"{r['reference']:,}",
            f"{(r['ours'] - r['reference']) / max(1, r['reference']):+.2%}",
        )
        for r in rows[:MOST_OFF]
    ]
    header = ("program", "input", "where", "launch", "count", "here", "there", "off")
    more = f"\n\nand {len(rows) - MOST_OFF} that are less off." if len(rows) > MOST_OFF else ""
    return f"Not equal:\n\n{_table(header, told)}{more}"


def _rows(rows):
    header = (
        "suite", "program", "input", "configuration", "launch", "cycles", "GPGPU-Sim", "error",
        "L1 hits", "L2 hits", "reads", "writes", "CTAs",
    )  # fmt: skip
    return _table(header, map(_row, rows))


def _row(row):
    counts = row["counts"]
    return (
        row["suite"],
        row["program"],
        row["input"],
        row["config"],
        f"{row['launch']}",
        *(f"{n:,}" for n in row["cycles"]),
        f"{row['error']:+.1%}",
        _rates(row["l1_hit_rate"]),
        _rates(row["l2_hit_rate"]),
        _pair(counts["global_read_transactions"]),
        _pair(counts["global_write_transactions"]),
        _pair(row["ctas_per_sm"]),
    )


def _rates(pair):
    return " / ".join("-" if rate is None else f"{rate:.1%}" for rate in pair)


def _pair(pair):
    """Show two figures; one where they are equal."""
    return f"{pair[0]:,}" if pair[0] == pair[1] else f"{pair[0]:,} / {pair[1]:,}"


def _speeds(result):
    header = ("program", "launches", "warp instructions", "engine", "in all", "engine s", "load")
    rows = [
        (
            r["name"],
            f"{r['launches']}",
            f"{r['warp_insts']:,}",
            f"{r['warp_inst_per_s']:,.0f}",
            f"{r['total_warp_inst_per_s']:,.0f}",
            f"{r['engine_s']:.2f}",
            f"{r['load']:.1f}",
        )
        for r in result["speed_rows"]
    ]
    rates = [f"{result[name]:,.0f}" for name in ("warp_inst_per_s", "total_warp_inst_per_s")]
    return _table(header, [*rows, ("geometric mean", "", "", *rates, "", "")])


def _their_speed():
    rows = gpgpusim.reference_rows()
    rates = [float(r["warp_inst_per_cpu_s"]) for r in rows if r["warp_inst_per_cpu_s"]]
    return f"{median(rates):,.0f} warp instructions (median of its rows)"


def _growth(result):
    header = ("program", "SMs", "warp instructions", "engine s", "over linear")
    rows = [
        (
            f"{r['program']} {r['input']}{', the same work' if r.get('same_work') else ''}",
            f"{r['sms']}",
            f"{r['warp_insts']:,}",
            f"{r['engine_s']:.2f}",
            f"{r['over_linear']:.2f}",
        )
        for r in (*result["longer_rows"], *result["wider_rows"])
    ]
    return _table(header, rows)


def _table(header, rows):
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
