"""Print the answer of ``agent-memory prompt --format json`` with the origin of every segment."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

LINES = 12
COLORS = {"user": 34, "project": 32, "root": 33, "skills": 35, "entries": 36}


def show(prompt: dict[str, Any], *, color: bool) -> None:
    """Print every segment below a line that says where it comes from and what it costs."""
    for segment in prompt["segments"]:
        paint = COLORS.get(segment["kind"], 90) if color else None
        print(_painted(f"-- {_origin(segment)}, {segment['tokens']} tokens", paint))
        lines = segment["text"].strip("\n").split("\n")
        # Of the runtime's own words a few lines are enough; memory is shown whole.
        few = lines if segment["path"] else lines[:LINES]
        for line in few:
            print(_painted("|", paint), line)
        if len(few) < len(lines):
            print(_painted("|", paint), f"... {len(lines) - len(few)} more lines")
    print(
        f"\n{prompt['title']}, agent {prompt['agent']}: {prompt['tokens']} of "
        f"{prompt['budget']} tokens (estimated), {prompt['bytes']:,} bytes, "
        f"template {prompt['exactness']}"
    )
    for problem in prompt["problems"]:
        print(f"note: {problem['message']}")


def _origin(segment: dict[str, Any]) -> str:
    if not segment["path"]:
        return f"{segment['kind']} {segment['label']}".rstrip()
    path = Path(segment["path"])
    shown = Path(*path.parts[-3:])
    return f"{segment['kind']} {shown}:{segment['startLine'] + 1}-{segment['endLine'] + 1}"


def _painted(text: str, paint: int | None) -> str:
    return text if paint is None else f"\033[{paint}m{text}\033[0m"


if __name__ == "__main__":
    show(json.load(sys.stdin), color=sys.stdout.isatty())
