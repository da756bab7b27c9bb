"""Generate what lists the runtimes from their table: docs, README and the extension's manifest.

Usage: python tools/runtime_docs.py [--check]
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "server"), str(ROOT / "tools")]

import generated  # noqa: E402

from agent_memory import l10n  # noqa: E402
from agent_memory.runtimes import RUNTIMES  # noqa: E402
from agent_memory.runtimes.classify import PROJECT_FOLDERS  # noqa: E402

if TYPE_CHECKING:
    from agent_memory.runtimes.base import Runtime

EXTENSION = ROOT / "vscode-extension"
_KEY = "setting.runtime."
_AUTO = f"{_KEY}auto"
_NUMBERS = (
    *("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten"),
    *("Eleven", "Twelve", "Thirteen", "Fourteen", "Fifteen", "Sixteen", "Seventeen"),
)
_HEAD = """| runtime | reads | detected by | settings of its own |
|---|---|---|---|
"""


def outputs() -> dict[Path, str]:
    """Return each generated file with its text."""
    page, readme = ROOT / "docs" / "runtimes.md", ROOT / "README.md"
    manifest, places = EXTENSION / "package.json", EXTENSION / "src" / "filePatterns.ts"
    english, german = EXTENSION / "package.nls.json", EXTENSION / "package.nls.de.json"
    return {
        page: _replaced(page, f"\n{table()}"),
        readme: _replaced(readme, sentence()),
        manifest: _json(_manifest(json.loads(manifest.read_text("utf-8")))),
        english: _json(_descriptions(json.loads(english.read_text("utf-8")), None)),
        german: _json(_descriptions(json.loads(german.read_text("utf-8")), "de")),
        places: _places(places.read_text("utf-8")),
    }


def _replaced(path: Path, text: str) -> str:
    """Return the text of ``path`` with ``text`` between its two markers."""
    marked = re.compile(r"(<!-- runtimes -->).*?(<!-- end of runtimes -->)", re.DOTALL)
    new, count = marked.subn(lambda match: f"{match[1]}{text}{match[2]}", path.read_text("utf-8"))
    if count != 1:
        sys.exit(f"{path}: expected one pair of markers <!-- runtimes -->, found {count}")
    return new


def table() -> str:
    """Return the table of runtimes for docs/runtimes.md."""
    return _HEAD + "".join(map(_row, RUNTIMES))


def _row(runtime: Runtime) -> str:
    packages = [f"`{name}`" for name in (*runtime.packages, *runtime.node_packages)]
    heaviest_first = sorted(runtime.markers.items(), key=lambda item: -item[1])
    markers = [f"`{path}` ({weight})" for path, weight in heaviest_first]
    keys = [f"`{key}`" for key in runtime.settings]
    cells = [f"`{runtime.id}`", runtime.summary, ", ".join([*packages, *markers])]
    return f"| {' | '.join([*cells, ', '.join(keys) or '-'])} |\n"


def sentence() -> str:
    """Return the sentence of README.md that counts the runtimes and names them."""
    *names, last = [runtime.title for runtime in RUNTIMES]
    return f"{_NUMBERS[len(RUNTIMES)]} runtimes: {', '.join(names)} and {last}."


def _manifest(manifest: dict[str, Any]) -> dict[str, Any]:
    """Return package.json with the runtimes as values of the setting, and their folders."""
    settings = manifest["contributes"]["configuration"]["properties"]
    ids = ["auto", *(runtime.id for runtime in RUNTIMES)]
    for value in (settings["agentMemory.runtime"], settings["agentMemory.runtimes"]["items"]):
        value["enum"] = ids
    settings["agentMemory.runtime"]["markdownEnumDescriptions"] = [
        f"%{_KEY}{name}%" for name in ids
    ]
    contains = "workspaceContains:**/"
    others = [item for item in manifest["activationEvents"] if not item.startswith(contains)]
    manifest["activationEvents"] = [
        *(f"{contains}{folder}/**" for folder in PROJECT_FOLDERS),
        f"{contains}{{{','.join(_stems())}}}.md",
        *others,
    ]
    return manifest


def _descriptions(messages: dict[str, str], locale: str | None) -> dict[str, str]:
    """Return the messages of the manifest with a description of each runtime, after `auto`."""
    l10n.use(locale)
    described = {
        f"{_KEY}{runtime.id}": f"{runtime.title}: {l10n.t(runtime.summary)}."
        for runtime in RUNTIMES
    }
    l10n.use(None)
    out: dict[str, str] = {}
    for key, text in messages.items():
        if key == _AUTO or not key.startswith(_KEY):
            out[key] = text
        if key == _AUTO:
            out |= described
    return out


def _places(source: str) -> str:
    """Return filePatterns.ts with the file names and folders of all runtimes."""
    source = re.sub(r"const FILES = .*;", f"const FILES = {json.dumps(_stems())};", source)
    folders = json.dumps(PROJECT_FOLDERS)
    return re.sub(r"const FOLDERS = .*;", f"const FOLDERS = {folders};", source)


def _stems() -> list[str]:
    """Return the names of memory files without `.md`, for the patterns of the extension."""
    names = {Path(name).stem for runtime in RUNTIMES for name in runtime.memory_names}
    return [*sorted(names, key=lambda name: (name.lower(), name)), "SKILL"]


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.exit(generated.run(outputs(), "Generate what lists the runtimes."))
