"""How long compiling all lazy patterns takes: ``python benchmarks/lazy_regex.py``."""

from __future__ import annotations

import importlib
import pkgutil
import re
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "server"))

import agent_memory
from agent_memory.base import lazy_regex


def patterns() -> list[tuple[str, int]]:
    """Return the pattern and flags of each lazy pattern that is imported."""
    found = {}
    for module in pkgutil.walk_packages(agent_memory.__path__, "agent_memory."):
        if module.name.endswith("__main__") or "integrations" in module.name:
            continue
        for value in vars(importlib.import_module(module.name)).values():
            for item in value if isinstance(value, tuple) else (value,):
                if isinstance(item, lazy_regex._LazyPattern):  # noqa: SLF001
                    found[id(item)] = item._arguments  # noqa: SLF001
    return list(found.values())


def main() -> None:
    all_patterns = patterns()
    re.purge()
    start = time.process_time()
    for pattern, flags in all_patterns:
        re.compile(pattern, flags)
    milliseconds = (time.process_time() - start) * 1e3
    print(f"{len(all_patterns)} patterns: {milliseconds:.0f} ms")


if __name__ == "__main__":
    main()
