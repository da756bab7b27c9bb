"""Random trees with the memory files of all agents, each from one seed."""

from __future__ import annotations

import json
import random
import re
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

WORDS = (
    *("use", "tabs", "never", "spaces", "run", "tests", "first", "keep", "it", "short"),
    *("caf\u00e9", "\U0001f600", "\u65e5\u672c"),
)
NAMES = ("AGENTS.md", "CLAUDE.md", "GEMINI.md", ".claude/CLAUDE.md", "CLAUDE.local.md")
RARE = (".claude/AGENTS.md", "AGENTS.override.md", ".claude/rules/one.md", ".claude/rules/a/two.md")
USER = (
    ".claude/CLAUDE.md",
    ".claude/rules/mine.md",
    ".codex/AGENTS.md",
    ".codex/AGENTS.override.md",
    ".gemini/GEMINI.md",
    ".config/opencode/AGENTS.md",
)
IMPORTED = ("docs/a.md", "docs/b.md", "notes.txt", "x.png")
TARGETS = ("AGENTS.md", "CLAUDE.md", "docs/a.md", "docs/b.md", "notes.txt", "missing.md", "x.png")


@dataclass
class Tree:
    """A home and a working folder."""

    home: Path
    cwd: Path


def text(rng: random.Random, depth: int = 0) -> str:
    """Return a few blocks of Markdown."""
    return "".join(block(rng, depth) for _ in range(rng.choice([0, 1, 2, 3, 5])))


def line(rng: random.Random) -> str:
    """Return some words, sometimes with an import or other markup."""
    words = rng.choices(WORDS, k=rng.randint(1, 6))
    if rng.random() < 0.4:
        words.insert(rng.randint(0, len(words)), reference(rng))
    return " ".join(words)


def reference(rng: random.Random) -> str:
    """Return an import or something that looks like one."""
    name = rng.choice(TARGETS)
    up = "../" * rng.randint(0, 2)
    forms = (
        "@{}",
        "@./{}",
        "@~/{}",
        "@{}",
        "@" + up + "{}",
        "`@{}`",
        "`see @{}`",
        "(@{})",
        "**@{}**",
        "_@{}_",
        "[@{}](x)",
        "@{}.",
        "@{}#part",
        "a@{}",
        "\\@{}",
        "<!-- @{} -->",
        "<b>@{}</b>",
    )
    return rng.choice(forms).format(name)


def block(rng: random.Random, depth: int) -> str:
    """Return one block with its blank line."""
    kind = rng.randrange(20)
    one, two = line(rng), line(rng)
    comment = f"<!-- {one}{rng.choice(['', chr(10), chr(10) * 2])} {two} -->"
    blocks = (
        f"# {one}\n\n",
        f"{one}\n{two}\n\n",
        f"- {one}\n- {two}\n\n",
        f"1. {one}\n\n   {two}\n\n",
        f"> {one}\n\n",
        f"```\n{one}\n<!-- {two} -->\n```\n\n",
        f"~~~md\n{one}\n~~~\n",
        f"    {one}\n\n",
        f"{comment}\n\n",
        f"{comment}\n",
        f"{one} {comment} {two}\n\n",
        f"{comment} {two}\n\n",
        f"- {one}\n  {comment}\n",
        f"<div>\n{one}\n</div>\n\n",
        f"\n{one}\n{'-' * rng.randint(3, 5)}\n\n",
        f"  {comment}\n\n\n{two}\n",
        f"- {one}\n</{rng.choice(['div', 'rules'])}>\n{comment}\n{two}\n\n",
        f"{one}\n{comment}\n{two}\n===\n\n",
        f"- {one}\n  {comment}\n{two}\n\n  {comment}\n\n",
        f"{one}\n\n\n\n{two}\n\n",
    )
    odd = ("<!-- open\n", "```\n", "---\n", "\n\n \n", "\t\n", "\u2028\n")
    return rng.choice(odd) if rng.random() < 0.06 else blocks[kind]


def content(rng: random.Random, *, rule: bool = False) -> bytes:
    """Return a file: text with front matter, newlines and bytes of all sorts."""
    out = text(rng)
    if rng.random() < (0.5 if rule else 0.1):
        paths = rng.choice(
            ["src/**", '"**"', '["*.py", "a/{b,c}.ts"]', "[]", '"**/*"', "a.md, b.md", "[unclosed"]
        )
        key = rng.choice(["paths", "paths", "globs", "title"])
        out = f"---\n{key}: {paths}\n---\n{out}"
    if rng.random() < 0.1:
        out = out.replace("\n", "\r\n")
    if rng.random() < 0.1:
        out = out.rstrip("\n")
    raw = out.encode()
    if rng.random() < 0.06:
        raw = b"\xef\xbb\xbf" + raw
    if rng.random() < 0.04:
        raw = raw[: len(raw) // 2] + rng.choice([b"\xff", b"\xc3", b"\0"]) + raw[len(raw) // 2 :]
    return rng.choice([b"", b" \n", b"\n"]) if rng.random() < 0.05 else raw


def build(folder: Path, seed: int) -> Tree:
    """Write the tree of ``seed`` below ``folder``, an empty folder."""
    rng = random.Random(seed)
    home, project = folder / "home", folder / "w" / "p"
    folders = [project.parent, project, project / "sub", project / "sub" / "deep"]
    for path in (home, project / "sub" / "deep"):
        path.mkdir(parents=True)
    if rng.random() < 0.8:
        git(rng.choice(folders[:3]))
    some = rng.choice([0.15, 0.3, 0.5])
    places = [(inside / name, some) for inside in folders for name in NAMES]
    places += [(inside / name, some / 3) for inside in folders for name in RARE]
    places += [(base / name, 0.4) for base in (*folders, home) for name in IMPORTED]
    places += [(home / name, some) for name in USER]
    for path, share in places:
        if rng.random() < share:
            put(rng, path)
    link(rng, folders)
    rules(rng, folders, home)
    tree = Tree(home, rng.choice(folders[1:]))
    configure(rng, tree)
    return tree


def put(rng: random.Random, path: Path) -> None:
    """Write random content to ``path``."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content(rng, rule="rules" in path.parts))


def link(rng: random.Random, folders: list[Path]) -> None:
    """Make one memory file a link to another, sometimes."""
    if rng.random() < 0.2:
        place = rng.choice(folders) / rng.choice(NAMES)
        target = rng.choice(folders) / rng.choice(("docs/a.md", *NAMES))
        if not place.exists() and not place.is_symlink():
            place.parent.mkdir(parents=True, exist_ok=True)
            place.symlink_to(target)


def rules(rng: random.Random, folders: list[Path], home: Path) -> None:
    """Add rules of Claude Code, sometimes as links."""
    for folder in (*folders, home):
        for name in ("x.md", "b/y.md", "z.txt"):
            if rng.random() < 0.15:
                put(rng, folder / ".claude" / "rules" / name)
        if rng.random() < 0.1:
            target = rng.choice([*folders, home]) / rng.choice(["docs", "docs/a.md", "docs/b.md"])
            place = folder / ".claude" / "rules" / rng.choice(["linked", "linked.md"])
            place.parent.mkdir(parents=True, exist_ok=True)
            place.symlink_to(target)


def configure(rng: random.Random, tree: Tree) -> None:
    """Write settings of the agents, and what Claude Code remembers by itself."""
    if rng.random() < 0.3:
        limit = rng.choice([0, 1, 20, 100, 1000])
        names = rng.choice(['["CLAUDE.md"]', '["docs/a.md", "notes.txt"]', "[]"])
        config = tree.home / ".codex" / "config.toml"
        config.parent.mkdir(exist_ok=True)
        config.write_text(
            f"project_doc_max_bytes = {limit}\nproject_doc_fallback_filenames = {names}\n"
        )
    if rng.random() < 0.2:
        key = str(rng.choice([tree.cwd, *tree.cwd.parents[:2]]))
        state = {"projects": {key: {"hasClaudeMdExternalIncludesApproved": True}}}
        (tree.home / ".claude.json").write_text(json.dumps(state))
    if rng.random() < 0.2:
        slug = re.sub("[^a-zA-Z0-9]", "-", str(rng.choice([tree.cwd, *tree.cwd.parents[:2]])))
        put(rng, tree.home / ".claude" / "projects" / slug / "memory" / "MEMORY.md")


def git(folder: Path) -> None:
    """Make ``folder`` a git repository."""
    subprocess.run(["git", "init", "-q", folder], check=True)
