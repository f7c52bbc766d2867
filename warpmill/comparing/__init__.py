"""Two builds of a kernel side by side: blocks, loops, accesses that correspond, and their runs."""
