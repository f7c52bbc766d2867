"""Control flow of one function: graph, dominators, loops, reconvergence."""
