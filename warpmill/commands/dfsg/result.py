"""What ``dfsg`` and ``dfsg diff`` answer: the graph of each launch, and how far two are apart."""

from warpmill.session.dfsgs import DfsgDiffReport, DfsgReport

__all__ = ["DfsgDiffReport", "DfsgReport"]
