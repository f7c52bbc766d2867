"""Workloads of the papers: a folder each, with sources, modules and a host program."""
