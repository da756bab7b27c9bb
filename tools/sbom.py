"""Print what the packages contain from others, as CycloneDX 1.6 JSON; `--licenses`: as a list.

The Python packages are those of requirements/run.txt, which the extension bundles. The npm packages
are what the extension's sources import, with their dependencies. The output depends only on these
files and on the metadata of the installed packages.
"""

from __future__ import annotations

import json
import re
import sys
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).parents[1]
_IMPORTED = re.compile(r"""from ["']((?:@[\w.-]+/)?[\w.-]+)""")
_PINNED = re.compile(r"^([\w.-]+)==([\w.!+-]+)", re.MULTILINE)


def python_packages() -> list[dict]:
    """Return the components of requirements/run.txt."""
    text = (ROOT / "requirements" / "run.txt").read_text("utf-8")
    return [
        component(name, version, f"pkg:pypi/{name.lower()}@{version}", license_of(name))
        for name, version in _PINNED.findall(text)
    ]


def license_of(name: str) -> str:
    """Return the license in the metadata of an installed package, '' if it is not installed."""
    try:
        found = metadata.metadata(name)
    except metadata.PackageNotFoundError:  # for another system
        return ""
    classifiers = found.get_all("Classifier") or []
    titles = [item.rpartition(" :: ")[2] for item in classifiers if item.startswith("License ::")]
    named = found.get("License-Expression") or found.get("License") or ""
    return named if named and "\n" not in named else " AND ".join(titles)


def npm_packages() -> list[dict]:
    """Return the components in the extension's bundle: what its sources import, and their needs."""
    folder = ROOT / "vscode-extension"
    lock = json.loads((folder / "package-lock.json").read_text("utf-8"))["packages"]
    texts = [path.read_text("utf-8") for path in sorted((folder / "src").rglob("*.ts"))]
    pending = [name for text in texts for name in _IMPORTED.findall(text)]
    found = {}
    while pending:
        name = pending.pop()
        item = lock.get(f"node_modules/{name}")
        if item and name not in found:
            found[name] = item
            pending += item.get("dependencies", {})
    return [
        component(
            name,
            item["version"],
            f"pkg:npm/{name.replace('@', '%40')}@{item['version']}",
            item.get("license", ""),
        )
        for name, item in sorted(found.items())
    ]


def component(name: str, version: str, purl: str, license_name: str) -> dict:
    """Return a component of CycloneDX."""
    out = {"type": "library", "bom-ref": purl, "name": name, "version": version, "purl": purl}
    if license_name:
        out["licenses"] = [{"license": {"name": license_name}}]
    return out


def main() -> None:
    """Print the SBOM or the list."""
    found = [*python_packages(), *npm_packages()]
    if "--licenses" in sys.argv[1:]:
        for item in found:
            names = [one["license"]["name"] for one in item.get("licenses", [])]
            print(f"{item['name']} {item['version']}: {', '.join(names) or 'unknown'}")
        return
    version = re.search(
        '= "(.+)"', (ROOT / "server/agent_memory/base/version.py").read_text("utf-8")
    )
    product = {"type": "application", "name": "agent-memory", "version": version[1]}
    sbom = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": {**product, "licenses": [{"license": {"id": "MIT"}}]}},
        "components": found,
    }
    print(json.dumps(sbom, indent=2))


if __name__ == "__main__":
    main()
