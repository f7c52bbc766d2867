"""Where the lanes of a warp that a branch parted come together again."""

from __future__ import annotations

from warpmill.analyzer.analyses.cfg.dominators import DomTree
from warpmill.analyzer.analyses.cfg.graph import Cfg


def reconvergence(cfg: Cfg, pdom: DomTree) -> tuple[int | None, ...]:
    """Give the reconvergence point of each block: its immediate post-dominator.

    A block with a single successor has none (None). The virtual exit means that the lanes do not
    meet again before they end. In an endless loop the virtual edges stand for its end.
    """
    return tuple(
        pdom.idom[block] if len(cfg.successors[block]) > 1 else None for block in range(cfg.exit_id)
    )
