"""Control flow of one function: graph, dominators, loops, reconvergence.

The modules are imported by name, as they need networkx and this package shall stay light.
"""
