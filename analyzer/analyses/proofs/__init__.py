"""Proofs about a kernel's accesses for every size of its launch, by z3."""
