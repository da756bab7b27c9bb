"""Regular expressions that are compiled on first use.

Compiling all 100 at import would take 29 to 48 ms of CPU (see
benchmarks/lazy_regex.py). A check of one small file takes 240 ms and uses few of them.
"""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast


class _LazyPattern:
    """Compiles a pattern on first use; has the methods and attributes of the compiled pattern."""

    def __init__(self, pattern: Any, flags: int) -> None:
        self._arguments = (pattern, flags)
        self.pattern = pattern

    def __getattr__(self, name: str) -> Any:
        """Return the attribute ``name`` of the compiled pattern, and store it in this object.

        Python calls this method only for names that are not stored yet.
        """
        if name.startswith("_"):  # pickle asks for such names before `_arguments` exists
            raise AttributeError(name)
        compiled = re.compile(*self._arguments)  # compiled once: ``re`` has a cache
        value = self.__dict__[name] = getattr(compiled, name)
        return value


def lazy_compile(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return a regex like ``re.compile(pattern, flags)``, compiled on first use."""
    return cast("re.Pattern[AnyStr]", _LazyPattern(pattern, flags))
