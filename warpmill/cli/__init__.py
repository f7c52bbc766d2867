"""The command line: what commands share of options, output and progress, and how it can end.

Modules here import typer and nothing heavy; a command imports what it needs when it runs.
"""
