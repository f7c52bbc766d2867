"""What the benchmark prints: applications, figures, goals."""

from __future__ import annotations

from benchmarks.gtpin_parts.figures import WAYS


def table(result):
    """The result as lines."""
    for name, why in result["unknown"]:
        yield f"{name:24}{why}"
    if not result["rows"]:
        return
    yield (f"{'application':24}{'launches':>9}{'least error':>26}{'error':>9}{'speedup':>9}"
           f"{'under 10 %':>26}{'error':>9}{'speedup':>9}{'for all':>9}{'speedup':>9}")  # fmt: skip
    for row in result["rows"]:
        least, threshold, universal = (row[way] for way in WAYS)
        yield (f"{row['application']:24}{row['launches']:9,}{_name(least):>26}"
               f"{least['error']:8.2f}%{least['speedup']:9.1f}{_name(threshold):>26}"
               f"{threshold['error']:8.2f}%{threshold['speedup']:9.1f}"
               f"{universal['error']:8.2f}%{universal['speedup']:9.1f}")  # fmt: skip
    yield from _ways(result)
    yield from _validation(result)
    yield from (f"{key:16}{result[key]}" for key in ("intervals", "estimate", "cost"))
    for goal in result["goals"]:
        words = "reached" if goal["reached"] else "NOT reached"
        yield f"{goal['what']:60}{goal['wanted']:>9}{figure(goal['here']):>10}  {words}"


def _name(one):
    return f"{one['division']} x {one['feature']}"


def _ways(result):
    for way in WAYS:
        one = result[way]
        yield (f"{way:12} error {one['error']:.2f} %, worst {one['worst_error']:.2f} %, speedup "
               f"{one['speedup']:.1f}, geometric mean {one['speedup_geomean']:.1f}, least "
               f"{one['speedup_min']:.1f}")  # fmt: skip
    for one in result["thresholds"]:
        yield (f"  under {one['threshold'] or 'least'}: error {one['error']:.2f} %, speedup "
               f"{one['speedup']:.1f}, geometric mean {one['speedup_geomean']:.1f}")  # fmt: skip


def _validation(result):
    for way in WAYS:
        for kind, one in result["validation"][way].items():
            yield (f"{way:12} {kind:9} {one['known']} of {one['pairs']} pairs known, under 3 %: "
                   f"{figure(one['under_share'])} %, worst {one['worst']}")  # fmt: skip


def figure(value):
    """Write a figure; what is unknown is a dash."""
    return "-" if value is None else f"{value:,.2f}"
