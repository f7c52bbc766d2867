"""The hybrid estimate: one round of active CTAs on an instruction pipeline (hybrid paper, §IV)."""
