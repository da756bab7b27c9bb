"""List messages without a translation, and translations without a message.

Usage: python tools/l10n_check.py. It checks the catalogs of the server and of the extension. The
exit code is 1 if there are any. `make release-check` runs it; the test suite does not, since a
message without a translation is shown in English.
"""

from __future__ import annotations

import ast
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "server"))

from agent_memory import l10n  # noqa: E402
from agent_memory.base.model import Scope, Severity, Status  # noqa: E402
from agent_memory.fs.reader import Failure  # noqa: E402
from agent_memory.lint.rules import RULES  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

PACKAGE = ROOT / "server" / "agent_memory"
CATALOGS = PACKAGE / "l10n"
EXTENSION = ROOT / "vscode-extension"


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
    return _texts(CATALOGS / f"{language}.json")


def _texts(path: Path) -> dict[str, str]:
    """Return the texts of the JSON file ``path`` by key."""
    texts: dict[str, str] = json.loads(path.read_text("utf-8"))
    return texts


def problems(wanted: Collection[str], translated: Collection[str]) -> Iterator[str]:
    """Yield a line for each key that only one of ``wanted`` and ``translated`` has."""
    yield from (f"not translated: {key}" for key in sorted({*wanted} - {*translated}))
    yield from (f"translated but not used: {key}" for key in sorted({*translated} - {*wanted}))


def main() -> int:
    """Print what differs; return the exit code."""
    wanted, lines = messages(), []
    for language in l10n.LANGUAGES:
        name = f"{CATALOGS.relative_to(ROOT).as_posix()}/{language}.json"
        lines += [f"{name}: {line}" for line in problems(wanted, catalog(language))]
        for stem in ("l10n/bundle.l10n", "package.nls"):
            english = _texts(EXTENSION / f"{stem}.json")
            name = f"{stem}.{language}.json"
            lines += [f"{name}: {line}" for line in problems(english, _texts(EXTENSION / name))]
    print("\n".join(lines), end="\n" if lines else "")
    return int(bool(lines))


if __name__ == "__main__":
    sys.exit(main())
