"""docs/workloads.md, written from a result of benchmarks.workloads."""

from __future__ import annotations

from pathlib import Path

from jinja2 import Environment, StrictUndefined

TEMPLATE = Path(__file__).with_name("page.md.j2")


def page(result):
    """Write the page: the tables of a result, and where its pictures are."""
    template = Environment(undefined=StrictUndefined, keep_trailing_newline=True)
    return template.from_string(TEMPLATE.read_text("utf-8")).render(
        machine=result["machine"],
        python=result["python"],
        right=result["workloads_right"],
        engines=result["engines_right"],
        small=_small_table(result["rows"]),
        targets=_targets_table(result["targets"]),
        figure_13=_figure_13(result["figure_13"]),
        figure_8=_figure_8_table(result["figure_8"]),
        words=_words_on_types(result["figure_8"]),
        presets=_presets_table(result["rows"]),
        minibench=_minibench_table(result["minibench"]),
        figure_7=_figure_7_table(result["figure_7"]),
        gtpin=_gtpin_table(result["gtpin"]),
        gtpin_calls=_gtpin_calls_table(result["gtpin"]),
        gtpin_summary=result["gtpin_summary"],
        graphics=_graphics_words(result["rows"]),
    )


def _small_table(rows):
    header = (
        "workload", "right", "launches", "threads", "by warps", "a thread", "blocks", "branches",
        "memory", "lanes", "lines", "conflicts", "s",
    )  # fmt: skip
    small = [r for r in rows if r["preset"] == "small"]
    return _table(header, [_small(r, small) for r in small if r["build"] == "sm_80"])


def _small(row, small):
    builds = [r for r in small if r["workload"] == row["workload"]]
    return (
        row["workload"],
        _yes(all(r["passed"] for r in builds)),
        f"{row['launches']:,}",
        f"{row['threads']:,}",
        f"{row['warp_instructions']:,}",
        f"{row['instructions_per_thread']:.0f}",
        f"{row['static_blocks']:,}",
        f"{row['branch_share']:.1%}",
        f"{row['memory_share']:.1%}",
        f"{row['lane_utilization']:.1%}",
        "-" if row["memory_divergence"] is None else f"{row['memory_divergence']:.2f}",
        "-" if row["bank_conflict_share"] is None else f"{row['bank_conflict_share']:.1%}",
        f"{row['seconds']['run']:.1f}",
    )


def _targets_table(targets):
    rows = [
        (
            t["workload"],
            t["paper"],
            t["figure"].replace("_", " "),
            f"{t['paper_says']:,}",
            f"{t['here']:,}",
            f"{t['off']:+.1%}",
            _yes(t["within"]),
        )
        for t in targets
    ]
    return _table(("workload", "paper", "figure", "it says", "here", "off", "within"), rows)


def _figure_13(entry):
    theirs, here = ([f"{n:,}" for n in entry[key]] for key in ("paper_says", "here"))
    same = "the same" if entry["paper_says"] == entry["here"] else "NOT the same"
    said = f"{theirs[0]} threads come to block 0, {theirs[1]} go on and {theirs[2]} leave"
    return f"{said};\nhere {', '.join(here)}: {same}."


def _figure_8_table(rows):
    header = ("workload", "type in the paper", "within a launch", "between launches")
    return _table(
        header,
        [
            (
                v["workload"],
                v["type"],
                f"{v['within_launch']:.1%}",
                f"{v['between_launches']:.1%}",
            )
            for v in sorted(rows, key=lambda v: (v["type"], v["workload"]))
        ],
    )


def _words_on_types(rows):
    """Which workloads vary least for a type I, and most for a type II."""
    least = min((r["within_launch"], r["workload"]) for r in rows if r["type"] == "I")
    most = max((r["within_launch"], r["workload"]) for r in rows if r["type"] == "II")
    return (
        f"Of type I, {least[1]} varies least within a launch ({least[0]:.1%}); of type II,\n"
        f"{most[1]} varies most ({most[0]:.1%})."
    )


def _minibench_table(rows):
    header = (
        "in the paper", "workload", "launches", "threads", "instructions a thread", "in all",
        "by warps", "blocks", "branches", "loops",
    )  # fmt: skip
    return _table(
        header,
        [
            (
                r["name"],
                r["workload"],
                f"{r['launches']:,}",
                f"{r['threads']:,}",
                f"{r['instructions_per_thread']:,.0f}",
                f"{r['thread_instructions']:,}",
                f"{r['warp_instructions']:,}",
                f"{r['static_blocks']:,}",
                f"{r['branch_share']:.1%}",
                "yes" if r["loops"] else "no",
            )
            for r in rows
        ],
    )


def _figure_7_table(points):
    header = ("workload", "sizes", "threads of the largest launch", "warp instructions a cycle")
    return _table(
        header,
        [
            (
                p["workload"],
                ", ".join(f"{name} {value:,}" for name, value in p["sizes"].items()),
                f"{p['threads']:,}",
                f"{p['ipc']:.2f}",
            )
            for p in points
        ],
    )


def _graphics_words(rows):
    wanted = ("graphics", "small", "sm_80")
    shares = [r["branch_share"] for r in rows if (r["area"], r["preset"], r["build"]) == wanted]
    if not shares:
        return "There are none."
    return f"From {min(shares):.1%} to {max(shares):.1%} of their warp instructions are branches."


def _gtpin_table(rows):
    header = (
        "application", "workload", "right", "launches", "kernels", "intervals", "by warps",
        "second input", "kernels whose launches differ", "read", "written",
    )  # fmt: skip
    return _table(
        header,
        [
            (
                r["application"],
                f"{r['workload']}:{r['preset']}",
                _yes(r["passed"] and r["second"]["passed"]),
                f"{r['calls']['kernel']:,}",
                f"{r['kernels']}",
                f"{r['intervals']:,}",
                f"{r['warp_instructions']:,}",
                f"{r['second']['warp_instructions']:,}",
                ", ".join(r["differing_kernels"]) or "none",
                f"{r['bytes_read'] / 1e6:,.0f} MB",
                f"{r['bytes_written'] / 1e6:,.0f} MB",
            )
            for r in rows
        ],
    )


def _gtpin_calls_table(rows):
    header = (
        "application", "kernel calls", "synchronisation", "other", "blocks", "block executions",
        "move", "logic", "control", "computation", "send",
    )  # fmt: skip
    return _table(
        header,
        [
            (
                r["application"],
                *(_part(r["calls"], kind) for kind in ("kernel", "synchronisation", "other")),
                f"{r['static_blocks']:,}",
                f"{r['block_executions']:,}",
                *(f"{share:.1%}" for share in r["groups"].values()),
            )
            for r in rows
        ],
    )


def _part(counts, key):
    return f"{counts[key] / sum(counts.values()):.0%}"


def _presets_table(rows):
    header = ("workload", "preset", "right", "launches", "CTAs", "by warps", "by threads", "s")
    chosen = [
        (
            r["workload"],
            r["preset"],
            _yes(r["passed"]),
            f"{r['launches']:,}",
            f"{r['ctas']:,}",
            f"{r['warp_instructions']:,}",
            f"{r['thread_instructions']:,}",
            f"{r['seconds']['run']:.1f}",
        )
        for r in rows
        if r["preset"].startswith("paper-")
    ]
    return _table(header, chosen)


def _yes(passed):
    return "yes" if passed else "NO"


def _table(header, rows):
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
