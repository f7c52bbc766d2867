"""Put launch configurations to NVIDIA's cuda_occupancy.h and keep its answers as a table.

    python tools/make_occupancy_table.py            # writes tests/reference/occupancy/table.csv.gz
    python tools/make_occupancy_table.py --check    # compares the table with the header instead
    python tools/make_occupancy_table.py --header FOLDER    # that of this folder

The header comes with CUDA toolkits and with the wheel nvidia-cuda-runtime (from 13.0 on it is found
where that is installed); a C compiler is needed. Nothing of the header is kept.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.reference.occupancy import header, table
from tests.reference.occupancy.capabilities import capabilities
from tests.reference.occupancy.configurations import configurations

PER_CAPABILITY = 2000


Asked = tuple[table.Configuration, ...]


def answered(folder: Path, asked: Asked) -> tuple[table.Answer | None, ...]:
    """What the header of a folder says of each configuration; None: of no such device."""
    compiler = header.find_compiler()
    if compiler is None:
        sys.exit("a C compiler (cc, gcc or clang) is needed")
    with tempfile.TemporaryDirectory() as place:
        program = Path(place) / "ask_header"
        header.build(folder, compiler, program)
        return header.ask(program, asked)


def chosen() -> Asked:
    """The configurations of the table, those of one capability after those of another."""
    return tuple(
        each for known in capabilities().values() for each in configurations(known, PER_CAPABILITY)
    )


def _write(folder: Path) -> int:
    asked = chosen()
    answers = zip(asked, answered(folder, asked), strict=True)
    rows = [(each, told) for each, told in answers if told is not None]
    if len(rows) < len(asked):
        sys.exit("the header does not know every compute capability: a newer one is needed")
    table.write(rows)
    print(f"{len(rows)} configurations, {table.FILE.stat().st_size} B")
    return 0


def _compare(folder: Path) -> int:
    asked, kept = zip(*table.read(), strict=True)
    now = answered(folder, asked)
    known = [each for each in zip(asked, kept, now, strict=True) if each[2]]
    different = [each for each in known if each[1] != each[2]]
    for each, told, answer in different[:10]:
        print(f"{each}\n  kept {told}\n  now  {answer}")
    print(f"{len(known)} of {len(asked)} configurations compared, {len(different)} differ")
    return 1 if different else 0


def main() -> int:
    """Write or check the table: 1 where it differs from the header."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--header", type=Path, help="the folder that has cuda_occupancy.h")
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    options = parser.parse_args()
    folder = options.header or header.find_folder()
    if folder is None or not (folder / header.HEADER).is_file():
        sys.exit(f"no {header.HEADER}: name its folder with --header")
    digest = hashlib.sha256((folder / header.HEADER).read_bytes()).hexdigest()
    print(f"{folder / header.HEADER}, SHA-256 {digest}")
    return _compare(folder) if options.check else _write(folder)


if __name__ == "__main__":
    sys.exit(main())
