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
        f"{row['lane_utilisation']:.1%}",
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
    """Say which workloads vary least for a type I, and most for a type II."""
    least = min((r["within_launch"], r["workload"]) for r in rows if r["type"] == "I")
    most = max((r["within_launch"], r["workload"]) for r in rows if r["type"] == "II")
    return (
        f"Of type I, {least[1]} varies least within a launch ({least[0]:.1%}); of type II,\n"
        f"{most[1]} varies most ({most[0]:.1%})."
    )


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
