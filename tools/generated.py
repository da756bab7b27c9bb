"""Command line of the generators: write their files, or check that they are up to date."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


def run(outputs: Mapping[Path, str], description: str) -> int:
    """Write ``outputs`` (path to text), or with ``--check`` list the files that differ.

    Returns the exit code: 1 if a checked file differs, else 0.
    """
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--check", action="store_true", help="write nothing, fail on a difference")
    check = parser.parse_args().check
    stale = [path for path, text in outputs.items() if path.read_text("utf-8") != text]
    for path in stale:
        print(f"{path}: {'not up to date' if check else 'written'}")
        if not check:
            path.write_text(outputs[path], "utf-8")
    return int(check and bool(stale))
