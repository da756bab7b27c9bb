"""A page of the documentation site for each agent: its columns of docs/runtimes.md."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "server"))

from agent_memory.runtimes import RUNTIMES  # noqa: E402

if TYPE_CHECKING:
    from agent_memory.runtimes.base import Runtime

_TABLE = re.compile(r"^\| \|.*\n\|[-| ]+\|\n(?:\|.*\n)+", re.MULTILINE)
_CELL = re.compile(r"(?<!\\)\|")
_LINK = re.compile(r"\]\((?!#|[a-z]+:)")


def pages() -> dict[str, str]:
    """Return the text of each page by its path below ``docs``."""
    facts = columns((ROOT / "docs" / "runtimes.md").read_text("utf-8"))
    return {f"agents/{item.id}.md": _page(item, facts[item.id]) for item in RUNTIMES}


def columns(markdown: str) -> dict[str, dict[str, str]]:
    """Return what the tables with a column for each agent say, by the agent's id and the row.

    "the same" is replaced by the cell to the left. ``version`` is from the head of the column.
    """
    found: dict[str, dict[str, str]] = {item.id: {} for item in RUNTIMES}
    for table in _TABLE.finditer(markdown):
        head, _, *rows = [_cells(line) for line in table[0].splitlines()]
        agents = [_agent(title) for title in head[1:]]
        for name, *cells in rows:
            value = ""
            for agent, title, cell in zip(agents, head[1:], cells, strict=True):
                value = value if cell == "the same" else cell
                found[agent.id]["version"] = title.removeprefix(agent.id).removeprefix(agent.title)
                found[agent.id][name] = value
    return found


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in _CELL.split(line.strip().strip("|"))]


def _agent(title: str) -> Runtime:
    """Return the agent whose column has this title, such as ``Codex 0.169.0``."""
    names = [(name, item) for item in RUNTIMES for name in (item.title, item.id)]
    found = [(len(name), item) for name, item in names if f"{title} ".startswith(f"{name} ")]
    return max(found, key=lambda pair: pair[0])[1]


def _page(agent: Runtime, facts: dict[str, str]) -> str:
    """Return the page of ``agent``."""
    markers = sorted(agent.markers, key=agent.markers.__getitem__, reverse=True)
    detected = [f"`{name}`" for name in (*agent.packages, *agent.node_packages, *markers)]
    version = facts.pop("version", "").strip()
    rows = [
        ("Compared with" if version[:1].isdigit() else "", version),
        ("Detected by", ", ".join(detected)),
        *(
            (name[:1].upper() + name[1:], _LINK.sub("](../", value))
            for name, value in facts.items()
        ),
        ("Own settings", ", ".join(f"[`{key}`](../settings.md)" for key in agent.settings)),
    ]
    table = [f"| {name} | {value} |" for name, value in rows if name and value not in ("", "-")]
    commands = [
        f"$ agent-memory sources --runtime {agent.id}    # what it reads here, and why not",
        f"$ agent-memory prompt --runtime {agent.id}     # what it receives",
        f"$ agent-memory check --runtime {agent.id}      # what is wrong with that",
    ]
    return "\n".join(
        [
            f"# {agent.title}",
            "",
            f"Reads {agent.summary}.",
            "",
            "| | |",
            "|---|---|",
            *table,
            "",
            "```console",
            *commands,
            "```",
            "",
            "[All agents](../runtimes.md), with the notes about single ones.",
            "",
        ]
    )
