"""The machines of Figures 12 and 13: warps an SM, SMs."""

BASE = "W48 S14"
"""The paper's own machine (Table V)."""
OTHERS = {
    "W24 S14": {"sm.max_threads": 768},
    "W48 S7": {"sm.count": 7},
    "W24 S7": {"sm.max_threads": 768, "sm.count": 7},
}
"""Those with other system occupancies."""
