"""Files of texts with names: a line `== NAME` before each; lines that start with `# ` say more."""

from pathlib import Path


def named_texts(path: Path) -> dict[str, str]:
    """The texts of a file by their names, in its order."""
    texts: dict[str, list[str]] = {}
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("== "):
            lines = texts.setdefault(line.removeprefix("== "), [])
        elif line and not line.startswith("# "):
            lines.append(line)
    return {name: "\n".join(lines) for name, lines in texts.items()}
