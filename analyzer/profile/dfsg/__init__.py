"""The divergence flow statistics graph (DFSG) of a launch, and how far two of them are apart.

The modules are imported by name, as some of them need networkx and this package shall stay light.
"""
