"""List messages without a translation, and translations without a message.

Usage: python tools/l10n_check.py. The exit code is 1 if there are any. `make release-check` runs
it; the test suite does not, since a message without a translation is shown in English.
"""

from __future__ import annotations

import ast
import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "server"))

from agent_memory import l10n  # noqa: E402
from agent_memory.base.model import Scope, Severity, Status  # noqa: E402
from agent_memory.fs.reader import Failure  # noqa: E402
from agent_memory.lint.rules import RULES  # noqa: E402

PACKAGE = ROOT / "server" / "agent_memory"
CATALOGUES = PACKAGE / "l10n"


def in_source() -> set[str]:
    """Return the literal first argument of each call of ``t`` and ``untranslated``."""
    return {
        str(node.args[0].value)
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("t", "untranslated")
        and isinstance(node.args[0], ast.Constant)
    }


def messages() -> set[str]:
    """Return all messages: those in the source, rule summaries and the words of enumerations."""
    words = {rule.summary for rule in RULES} | {item.words for item in Failure}
    return in_source() | words | {str(item) for kind in (Scope, Status, Severity) for item in kind}


def catalog(language: str) -> dict[str, str]:
    """Return the translations into ``language`` by English message."""
    words: dict[str, str] = json.loads((CATALOGUES / f"{language}.json").read_text("utf-8"))
    return words


def main() -> int:
    """Print what differs; return the exit code."""
    wanted = messages()
    problems = 0
    for language in l10n.LANGUAGES:
        known = catalog(language)
        for title, found in (
            ("not translated", wanted - known.keys()),
            ("translated but not used", known.keys() - wanted),
        ):
            for message in sorted(found):
                problems += 1
                print(f"{language}: {title}: {message}")
    return int(problems > 0)


if __name__ == "__main__":
    sys.exit(main())
