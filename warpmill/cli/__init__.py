"""The command line: options in, the Python API in the middle, a view of a report out.

Modules here import typer and nothing heavy; a command imports what it needs when it runs.
"""
