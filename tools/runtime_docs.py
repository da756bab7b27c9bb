"""Generate what lists the runtimes from their table: docs, README, and files of the extension.

Usage: python tools/runtime_docs.py [--check]
"""

from __future__ import annotations

import json
import re
import sys
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "server"), str(ROOT / "tools")]

import generated  # noqa: E402

from agent_memory import l10n  # noqa: E402
from agent_memory.runtimes import RUNTIMES  # noqa: E402
from agent_memory.runtimes.classify import PROJECT_FOLDERS  # noqa: E402
from agent_memory.verify.requests import REQUESTS  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agent_memory.runtimes.base import Runtime

EXTENSION = ROOT / "vscode-extension"
_KEY = "setting.runtime."
_AUTO = f"{_KEY}auto"
_AGENT_KEY = "setting.agents."
_AGENT_TEXTS: dict[str | None, dict[str, str]] = {
    None: {
        "npm": "The executable of {0}, or the folder of its npm package. Its texts are read, it is "
        "never run. Leave empty to find it on `PATH` or in the project's `node_modules`.",
        "python": "The executable of {0}, or the folder of its Python environment. Its texts are "
        "read, it is never run. Leave empty to find it on `PATH`.",
        "library": "The folder of the npm package of {0}. Its texts are read, it is never run. "
        "Leave empty to find it in the project's `node_modules`.",
    },
    "de": {
        "npm": "Das Programm {0} oder der Ordner seines npm-Pakets. Seine Texte werden gelesen, es "
        "wird nie ausgef\u00fchrt. Leer lassen, um es im `PATH` oder in `node_modules` des "
        "Projekts zu finden.",
        "python": "Das Programm {0} oder der Ordner seiner Python-Umgebung. Seine Texte werden "
        "gelesen, es wird nie ausgef\u00fchrt. Leer lassen, um es im `PATH` zu finden.",
        "library": "Der Ordner des npm-Pakets von {0}. Seine Texte werden gelesen, es wird nie "
        "ausgef\u00fchrt. Leer lassen, um es in `node_modules` des Projekts zu finden.",
    },
}
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
    manifest, source = EXTENSION / "package.json", EXTENSION / "src"
    english, german = EXTENSION / "package.nls.json", EXTENSION / "package.nls.de.json"
    return {
        page: _replaced(page, f"\n{table()}"),
        readme: _replaced(readme, f"\n{sentence()}\n"),
        manifest: _json(_manifest(json.loads(manifest.read_text("utf-8")))),
        english: _json(_descriptions(json.loads(english.read_text("utf-8")), None)),
        german: _json(_descriptions(json.loads(german.read_text("utf-8")), "de")),
        **_typescript(source / "filePatterns.ts", {"FILES": _stems(), "FOLDERS": PROJECT_FOLDERS}),
        **_typescript(source / "preview" / "exactness.ts", _template_sources()),
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
    """Return the paragraph of README.md that counts the agents and names them."""
    *names, last = [item.title for item in sorted(RUNTIMES, key=lambda item: not item.program)]
    text = f"{_NUMBERS[len(RUNTIMES)]} agents: {', '.join(names)} and {last}."
    return textwrap.fill(text, 100, break_on_hyphens=False)


def _manifest(manifest: dict[str, Any]) -> dict[str, Any]:
    """Return package.json with the runtimes as values of the setting, and their folders."""
    settings = {
        key: value
        for group in manifest["contributes"]["configuration"]
        for key, value in group["properties"].items()
    }
    ids = ["auto", *(runtime.id for runtime in RUNTIMES)]
    for value in (settings["agentMemory.runtime"], settings["agentMemory.runtimes"]["items"]):
        value["enum"] = ids
    settings["agentMemory.runtime"]["markdownEnumDescriptions"] = [
        f"%{_KEY}{name}%" for name in ids
    ]
    _agent_settings(manifest)
    contains = "workspaceContains:"
    others = [item for item in manifest["activationEvents"] if not item.startswith(contains)]
    names = [*PROJECT_FOLDERS, *(f"{_FOLDER_OF.get(stem, '')}{stem}.md" for stem in _stems())]
    manifest["activationEvents"] = [*(f"{contains}{name}" for name in names), *others]
    return manifest


def _agents() -> list[Runtime]:
    """Return the runtimes that have a setting with the path of their program."""
    return [runtime for runtime in RUNTIMES if runtime.program]


def _agent_settings(manifest: dict[str, Any]) -> None:
    """Replace the settings of programs in package.json, each where the first one was."""
    keys = [f"agentMemory.{item.program.key}" for item in _agents() if item.program]
    texts = [f"%setting.{item.program.key}%" for item in _agents() if item.program]
    ours = {
        key: {
            "type": "string",
            "default": "",
            "scope": "machine-overridable",
            "order": number,
            "markdownDescription": text,
        }
        for number, (key, text) in enumerate(zip(keys, texts, strict=True), 1)
    }
    for group in manifest["contributes"]["configuration"]:
        group["properties"] = {
            name: value
            for key, old in group["properties"].items()
            for name, value in (
                ours.items() if key == keys[0] else () if _is_agent(key) else [(key, old)]
            )
        }
    trust = manifest["capabilities"]["untrustedWorkspaces"]
    trust["restrictedConfigurations"] = [
        name
        for key in trust["restrictedConfigurations"]
        for name in (keys if key == keys[0] else () if _is_agent(key) else [key])
    ]


def _is_agent(key: str) -> bool:
    return key.startswith("agentMemory.agents.")


def _agent_text(runtime: Runtime, locale: str | None) -> str:
    program = runtime.program
    kind = "python" if program and program.is_python else "npm"
    kind = kind if program and program.command else "library"
    return _AGENT_TEXTS[locale][kind].replace("{0}", runtime.title)


def _descriptions(messages: dict[str, str], locale: str | None) -> dict[str, str]:
    """Return the messages of the manifest with a description of each runtime, after `auto`."""
    l10n.use(locale)
    described = {
        f"{_KEY}{runtime.id}": f"{runtime.title}: {l10n.t(runtime.summary)}."
        for runtime in RUNTIMES
    }
    l10n.use(None)
    paths = {f"{_AGENT_KEY}{item.id}.path": _agent_text(item, locale) for item in _agents()}
    out: dict[str, str] = {}
    for key, text in messages.items():
        if key == _AUTO or not key.startswith((_KEY, _AGENT_KEY)):
            out[key] = text
        if key == _AUTO:
            out |= {**described, **paths}
    return out


def _typescript(path: Path, lists: dict[str, Sequence[str]]) -> dict[Path, str]:
    """Return {path: text}: the file ``path`` with new items in its constant arrays or sets."""
    text = path.read_text("utf-8")
    for name, items in lists.items():
        listed = json.dumps(items)
        text, count = re.subn(
            rf"(const {name} = (?:new Set\()?)\[.*\]",
            lambda match, listed=listed: f"{match[1]}{listed}",
            text,
        )
        if count != 1:
            sys.exit(f"{path}: expected one constant {name} on a line, found {count}")
    return {path: text}


def _template_sources() -> dict[str, list[str]]:
    """Return the lists of exactness.ts: where the template of a runtime comes from."""
    without = [runtime for runtime in RUNTIMES if not runtime.program]
    return {
        "IN_PYTHON": [runtime.id for runtime in without if runtime.packages],
        "WITHOUT_PROGRAM": [runtime.id for runtime in without if not runtime.packages],
        "STARTABLE": list(REQUESTS),
    }


_FOLDER_OF = {"copilot-instructions": ".github/"}
"""The folder of names that are not read in the root."""


def _stems() -> list[str]:
    """Return the names of memory files without `.md`, for the patterns of the extension."""
    names = {Path(name).stem for runtime in RUNTIMES for name in runtime.memory_names}
    return [*sorted(names, key=lambda name: (name.lower(), name)), "SKILL"]


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.exit(generated.run(outputs(), "Generate what lists the runtimes."))
