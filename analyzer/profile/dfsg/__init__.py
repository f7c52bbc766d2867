"""The divergence flow statistics graph (DFSG) of a launch, and how far two of them are apart."""
