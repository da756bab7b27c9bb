"""Blocks of a memory file that a program writes, such as ``<!-- usage-rules-start -->``.

The program replaces them when it runs again, so that an edit inside of them is lost.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.lint.shared.word_lists import says

if TYPE_CHECKING:
    from agent_memory.lint.memory_file import MemoryFile


def generated_lines(file: MemoryFile) -> frozenset[int]:
    """Return the numbers of the lines in generated blocks, with those of their markers."""
    return file.content.once(_generated_lines, file.lines)


def _generated_lines(lines: list[str]) -> frozenset[int]:
    """Return :func:`generated_lines` without its cache.

    A start without its end does not count, nor do the blocks below it.
    """
    found: list[int] = []
    start = 0  # the line that opens the block
    end_marker = ""  # the line that will close it, "" outside of a block
    for number, line in enumerate(lines):
        if not line.startswith("<"):
            continue
        marker = line.strip().lower()
        if end_marker and marker == end_marker:
            found += range(start, number + 1)
            end_marker = ""
        elif not end_marker and says(("generated_blocks", marker)):
            start, end_marker = number, _end_of(marker)
    return frozenset(found)


def _end_of(marker: str) -> str:
    """Return the line that ends the block which begins with ``marker``; both are in lower case.

    It is the closing tag, or the marker with "end" in place of "begin" or of its last "start".
    """
    if not marker.startswith("<!--"):
        return marker.replace("<", "</")
    if "start" not in marker:
        return marker.replace("begin", "end", 1)
    name, _, end = marker.rpartition("start")
    return f"{name}end{end}"
