"""Write the JSON copy of the secret kinds and their page: ``python tools/secret_kinds.py``.

The kinds are written as TOML in server/agent_memory/secrets/kinds/. With ``--check`` nothing is
written, and the exit code is 1 where a file is not as it should be.
"""

from __future__ import annotations

import json
import sys
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "server" / "agent_memory" / "secrets" / "kinds"
COPY = SOURCES.with_suffix(".json")
PAGE = ROOT / "docs" / "secret-kinds.md"
INTRO = """# Secrets that are recognised

Written by `tools/secret_kinds.py` from the data in `server/agent_memory/secrets/kinds/`.

{shapes} kinds have a shape of their own and are found anywhere ([AM201](rules/AM201.md)). {names}
more have none and are found by the vendor's name beside them ([AM202](rules/AM202.md)), as is
any random value with a telling name. Private keys ([AM203](rules/AM203.md)) and passwords in
URLs ([AM204](rules/AM204.md)) have rules of their own. *Described in* names the page of the
vendor's documentation that describes the value.
"""


def tables() -> list[tuple[str, dict[str, Any]]]:
    """Return the heading and the content of each TOML file, in the order of their names."""
    found = []
    for path in sorted(SOURCES.glob("*.toml")):
        text = path.read_text("utf-8")
        heading = text.splitlines()[0].removeprefix("# ").rstrip(".")
        found.append((heading, tomllib.loads(text)))
    return found


def as_json() -> str:
    """Return the copy: all kinds in one object, a line for each."""
    parts = []
    for table in ("kind", "named"):
        rows = [row for _, content in tables() for row in content.get(table, ())]
        lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
        parts.append(f'"{table}": [\n{lines}\n]')
    return "{" + ",\n".join(parts) + "}\n"


def as_page() -> str:
    """Return the page with a table for each file."""
    kinds = [row for _, content in tables() for row in content.get("kind", ())]
    named = [row for _, content in tables() for row in content.get("named", ())]
    out = [INTRO.format(shapes=len(kinds), names=len(named))]
    for heading, content in tables():
        shaped = "kind" in content
        out.append(f"## {heading}\n")
        out.append(f"| id | what | {'marked by' if shaped else 'name has'} | described in |")
        out.append("|---|---|---|---|")
        for row in content.get("kind", content.get("named")):
            marks = ", ".join(f"`{mark}`" for mark in row["anchors" if shaped else "names"])
            out.append(f"| {row['id']} | {row['title']} | {marks} | {row['doc']} |")
        out.append("")
    return "\n".join(out)


def main() -> int:
    """Write both files, or compare them."""
    wrong = 0
    for path, text in ((COPY, as_json()), (PAGE, as_page())):
        if not path.exists() or path.read_text("utf-8") != text:
            wrong += 1
            if "--check" in sys.argv:
                print(f"{path.relative_to(ROOT)} is not what tools/secret_kinds.py writes")
            else:
                path.write_text(text, "utf-8")
    return int(wrong > 0 and "--check" in sys.argv)


if __name__ == "__main__":
    sys.exit(main())
