"""The machines of Figures 12 and 13: warps an SM, SMs."""

BASE = "W48 S14"
"""The paper's own machine (Table V)."""
OTHERS = {
    "W32 S14": {"sm.max_threads": 1024},
    "W48 S7": {"sm.count": 7},
    "W32 S7": {"sm.max_threads": 1024, "sm.count": 7},
}
"""Those with other system occupancies. A CTA of sssp and mst has 32 warps, so no SM has fewer."""
