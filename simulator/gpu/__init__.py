"""The timing simulator: a whole GPU, cycle by cycle, driven by the traces of its warps."""
