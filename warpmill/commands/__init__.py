"""The commands: a folder each, with its options, result and page (``manifest`` lists them)."""
