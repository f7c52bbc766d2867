"""Results of ``dfsg`` and ``dfsg diff``: the graph of each launch, and the distance of two."""

from warpmill.session.dfsgs import DfsgDiffReport, DfsgReport

__all__ = ["DfsgDiffReport", "DfsgReport"]
