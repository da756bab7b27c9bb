"""A soak of the language server: memory, descriptors and threads under thousands of changes.

Usage: python benchmarks/soak.py [--minutes 10] [--edits 20000] [--changes 2000] [--seed N]
One client types into open documents and uses every common request, while other programs change
files on disk. A line with figures is printed every 10 seconds. The run fails if, after the first
fifth of the time, resident memory grows by more than 5 %, or the number of descriptors or threads
changes, or if the server's text differs from the client's at the end.
"""

from __future__ import annotations

import argparse
import random
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from lsp import Client, memory

EVERY = 10.0
"""Seconds between two lines of figures."""
FLAT = 0.05
TEXTS = (
    *(
        "x",
        "e",
        "st ",
        "`src/a.py` ",
        "always use tabs. ",
        "\n- run `make test{0}`\n",
        "[a](b{0}.md)",
    ),
    *(
        "\n\n## More {0}\n\n",
        "\n- module {0} is checked after every change of its schema, by hand\n",
    ),
)
OPEN = (".deepagents/agent.md", "AGENTS.md", "docs/AGENTS.md")
SIZE = 8192
"""Bytes of an open document."""


class Document:
    """The client's copy of an open document. Its text is ASCII, so units are characters."""

    def __init__(self, client: Client, path: Path) -> None:
        self.client, self.path, self.version = client, path, 1
        self.lines = memory(8).split("\n")
        client.open(path, "\n".join(self.lines))

    def edit(self, rng: random.Random) -> None:
        """Insert or delete text at a random position; the size stays near 8 KB."""
        line = rng.randrange(len(self.lines))
        column = rng.randrange(len(self.lines[line]) + 1)
        end_line, end = line, column
        text = rng.choice(TEXTS).format(self.version)
        if sum(map(len, self.lines)) > SIZE:
            end_line = min(line + rng.randrange(3), len(self.lines) - 1)
            end, text = len(self.lines[end_line]), "z"
        new = self.lines[line][:column] + text + self.lines[end_line][end:]
        self.lines[line : end_line + 1] = new.split("\n")
        self.version += 1
        start, stop = {"line": line, "character": column}, {"line": end_line, "character": end}
        self.client.send(
            "textDocument/didChange",
            {
                "textDocument": {"uri": self.path.as_uri(), "version": self.version},
                "contentChanges": [{"range": {"start": start, "end": stop}, "text": text}],
            },
        )

    def reopen(self) -> None:
        """Close the document and open it with the same text."""
        self.client.send("textDocument/didClose", {"textDocument": {"uri": self.path.as_uri()}})
        self.version = 1
        self.client.open(self.path, "\n".join(self.lines))


def requests(uri: str, line: int) -> tuple[tuple[str, Any], ...]:
    """Return the requests that an editor sends while someone types on ``line``."""
    shown, position = {"textDocument": {"uri": uri}}, {"line": line, "character": 1}
    where, at = {"start": position, "end": position}, {**shown, "position": position}
    return (
        ("textDocument/hover", at),
        ("textDocument/completion", at),
        ("textDocument/definition", at),
        ("textDocument/documentSymbol", shown),
        ("textDocument/foldingRange", shown),
        ("textDocument/codeLens", shown),
        ("textDocument/codeAction", {**shown, "range": where, "context": {"diagnostics": []}}),
        ("workspace/symbol", {"query": "Section"}),
        ("workspace/diagnostic", {"previousResultIds": []}),
        ("agentMemory/prompt", {"uri": uri}),
        ("agentMemory/sources", {"uri": uri}),
        ("agentMemory/remember", {"text": "deploys run at night", "uri": uri, "scope": "project"}),
        ("agentMemory/status", {}),
    )


def change_disk(root: Path, number: int, rng: random.Random) -> None:
    """Change a file as another program would."""
    way = number % 5
    skill = root / ".deepagents" / "skills" / f"skill-{rng.randrange(20)}"
    if way == 0:
        (root / "CLAUDE.md").write_text(memory(2) + f"- change {number}\n", "utf-8")
    elif way == 1:
        skill.mkdir(parents=True, exist_ok=True)
        text = f"---\nname: {skill.name}\ndescription: change {number}\n---\n\n# Steps\n"
        (skill / "SKILL.md").write_text(text, "utf-8")
    elif way == 2:
        shutil.rmtree(skill, ignore_errors=True)
    elif way == 3:
        temporary = root / "docs" / "new.tmp"
        temporary.write_text(f"# Nested\n\n- change {number}\n", "utf-8")
        temporary.replace(root / "docs" / "CLAUDE.md")
    else:
        (root / "Makefile").write_text(f"target{number}:\n\techo\n", "utf-8")


class Figures:
    """Samples of the server's process."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.samples: list[tuple[float, float, int, int]] = []
        self.times: list[float] = []

    def take(self, seconds: float, edits: int, changes: int) -> None:
        """Add a sample and print it."""
        sample = (seconds, self.client.rss(), self._least("fd"), self._least("task"))
        self.samples.append(sample)
        median, worst = statistics.median(self.times or [0]), max(self.times or [0])
        self.times.clear()
        print(
            f"{sample[0]:5.0f} s  {edits:6} edits {changes:5} changes  {sample[1]:6.1f} MiB"
            f"  {sample[2]} descriptors {sample[3]} threads"
            f"  answers {median:.0f} ms, worst {worst:.0f} ms",
            flush=True,
        )

    def _least(self, kind: str) -> int:
        """Return the least of some counts: the watcher has a folder open while it reads it."""
        folder = Path(f"/proc/{self.client.process.pid}/{kind}")
        counts = []
        for _ in range(10):
            counts.append(len(list(folder.iterdir())))
            time.sleep(0.005)
        return min(counts)

    def verdict(self, total: float) -> list[str]:
        """Return what is wrong with the samples after the first fifth of the time."""
        late = [item for item in self.samples if item[0] >= total / 5]
        first, most = late[0][1], max(item[1] for item in late)
        print(f"memory {first:.1f} MiB after {late[0][0]:.0f} s, at most {most:.1f} MiB later")
        wrong = [] if most <= first * (1 + FLAT) else [f"memory grew by {most / first - 1:.1%}"]
        for name, column in (("descriptors", 2), ("threads", 3)):
            counts = {item[column] for item in late}
            wrong += [f"{name}: {sorted(counts)}"] if len(counts) > 1 else []
        return wrong


def soak(client: Client, root: Path, args: argparse.Namespace) -> list[str]:
    """Run the soak; return what is wrong."""
    rng = random.Random(args.seed)
    total = args.minutes * 60
    client.initialize(root)
    documents = [Document(client, root / name) for name in OPEN]
    figures = Figures(client)
    begin, edits, changes, shown = time.monotonic(), 0, 0, 0.0
    while (now := time.monotonic() - begin) < total or edits < args.edits:
        if now >= shown:
            figures.take(now, edits, changes)
            shown += EVERY
        if changes < args.changes * min(1, now / total):
            change_disk(root, changes, rng)
            changes += 1
        if edits >= args.edits * now / total:
            time.sleep(0.005)
            continue
        document = rng.choice(documents)
        document.edit(rng)
        edits += 1
        uri = document.path.as_uri()
        method, params = "textDocument/diagnostic", {"textDocument": {"uri": uri}}
        if edits % 5 == 0:
            every = requests(uri, rng.randrange(len(document.lines)))
            method, params = every[edits // 5 % len(every)]
        if edits % 400 == 0:
            document.reopen()
        asked = time.perf_counter()
        client.request(method, params)
        figures.times.append((time.perf_counter() - asked) * 1000)
    figures.take(time.monotonic() - begin, edits, changes)
    text = client.request("agentMemory/prompt", {"uri": documents[0].path.as_uri()})["text"]
    same = "\n".join(documents[0].lines).strip() in text
    client.end()
    return figures.verdict(total) + ([] if same else ["the server's text is another one"])


def main() -> int:
    """Run one soak and print the verdict."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--edits", type=int, default=20_000)
    parser.add_argument("--changes", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("command", nargs="*")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        root = Path(name) / "project"
        for folder in (root / ".git", root / ".deepagents", root / "docs", root.parent / "home"):
            folder.mkdir(parents=True)
        for path in OPEN:
            (root / path).write_text(memory(8), "utf-8")
        command = args.command or [sys.executable, "-m", "agent_memory", "serve"]
        wrong = soak(Client(command, root), root, args)
    print("not flat: " + "; ".join(wrong) if wrong else "flat")
    return bool(wrong)


if __name__ == "__main__":
    raise SystemExit(main())
