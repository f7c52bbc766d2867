"""The commands: a folder each."""
