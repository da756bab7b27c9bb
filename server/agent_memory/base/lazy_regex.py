"""Regular expressions that are compiled when they are first used.

Compiling all of them is a fifth of what a check of one file costs; such a check uses few.
"""

from __future__ import annotations

import re
from typing import Any, cast


class _Late:
    """Stands for a pattern; each of its methods is the pattern's own from the first use on."""

    def __init__(self, pattern: str, flags: int) -> None:
        self._made = (pattern, flags)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        value = self.__dict__[name] = getattr(re.compile(*self._made), name)
        return value


def lazy_compile(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Return what acts as ``re.compile(pattern, flags)``, compiled when it is first used."""
    return cast("re.Pattern[str]", _Late(pattern, flags))
