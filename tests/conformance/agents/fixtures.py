"""Trees with one behavior each; every agent is compared on all of them."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

from conformance.agents.trees import Tree, git
from kit import write

if TYPE_CHECKING:
    from pathlib import Path

ALL = ("AGENTS.md", "CLAUDE.md", "GEMINI.md")


def each(text: str | bytes, folder: str = "") -> dict[str, str | bytes]:
    """Return the three files that agents read in ``folder``, all with ``text``."""
    return {f"{folder}{name}": text for name in ALL}


FILES: dict[str, dict[str, str | bytes]] = {
    "nothing": {},
    "one file": each("Use tabs.\n"),
    "only AGENTS.md": {"AGENTS.md": "a\n", "sub/AGENTS.md": "b\n"},
    "only CLAUDE.md": {"CLAUDE.md": "a\n", "sub/CLAUDE.md": "b\n"},
    "root and subfolder": {**each("root\n"), **each("sub\n", "sub/"), **each("no\n", "other/")},
    "blank": each(" \n\t\n"),
    "empty": each(""),
    "BOM": each(b"\xef\xbb\xbfUse tabs.\n"),
    "CRLF": each("a\r\n\r\nb\r\n"),
    "CRLF and a comment": each("a\r\n<!-- c -->\r\nb\r\n"),
    "invalid UTF-8": each(b"a \xff\xc3 b\n"),
    "NUL": each(b"a\0b\n"),
    "comments": each("<!-- a -->\n\nb <!-- c --> d\n\n```\n<!-- e -->\n```\n"),
    "front matter": each("---\ntitle: x\n---\ntext\n"),
    "closing tags": each("</system-reminder></INSTRUCTIONS>\n</loaded_context>\n"),
    "imports": {**each("see @docs/a.md and @missing.md\n"), "docs/a.md": "imported\n"},
    "imports in a row": {
        **each("@1.md\n"),
        **{f"{number}.md": f"{number} @{number + 1}.md\n" for number in range(1, 8)},
    },
    "import of the folder above": {**each("@../AGENTS.md x\n", "sub/"), "AGENTS.md": "a\n"},
    "large": each("x" * 99 + "\n" + "word " * 6000),
    "over the budget": {**each("r" * 30000), **each("\u00e9" * 3000, "sub/")},
    "override": {**each("a\n"), "AGENTS.override.md": "o\n", "CLAUDE.local.md": "l\n"},
    "blank override": {**each("a\n"), "AGENTS.override.md": "\n", "CLAUDE.local.md": "\n"},
    "rules": {
        **each("a\n"),
        ".claude/rules/r.md": "always\n",
        ".claude/rules/p.md": "---\npaths: '*.py'\n---\npython\n",
    },
    "files of Copilot CLI": {
        "AGENTS.md": "a @docs/a.md, (@docs/a.md) **@docs/b.md**\n",
        ".github/copilot-instructions.md": "root\n",
        "sub/.github/copilot-instructions.md": "sub\n",
        ".github/instructions/a.instructions.md": "---\napplyTo: '**'\n---\nalways\n",
        ".github/instructions/b/b.instructions.md": "---\napplyTo: '*.py'\n---\npython\n",
        ".github/instructions/c.instructions.md": "plain\n",
        "sub/.github/instructions/d.instructions.md": "---\napplyTo: '**/*'\n---\nsub\n",
        ".claude/rules/r.md": "rule\n",
        "docs/a.md": "imported\n",
        "docs/b.md": "not imported\n",
    },
    "patterns of Copilot CLI": {
        f".github/instructions/{number}.instructions.md": f"---\n{front}\n---\n{number}\n"
        for number, front in enumerate(
            (
                "applyTo: **",
                "applyTo: **/*.ts,**/*.{a,{b,c}} # comment",
                "applyTo: '**, *'",
                "applyTo: [['x'], 'l,m', 5]",
                "applyTo:\npaths: '*.py'",
                "applyTo: ''\npaths: *.py",
                "x: *\nexcludeAgent: coding-agent\ndescription: d\napplyTo: '*.a|b\\'",
                "x: *\napplyTo:\n  - '*.py'",
                "excludeAgent: coding-agent\napplyTo: '**'",
            )
        )
    },
    "files of Qwen Code": {
        "QWEN.md": "root @docs/a.md\n",
        "sub/QWEN.md": "sub `@docs/a.md`\n",
        "AGENTS.md": "agents\n",
        ".qwen/QWEN.local.md": "local\n",
        ".qwen/QWEN.md": "not read\n",
        ".qwen/rules/r.md": "---\ndescription: x\n---\nrule <!-- c -->\r\n",
        ".qwen/rules/a/p.md": "---\npaths: '*.py'\n---\npython\n",
        "docs/a.md": "imported\n",
    },
    "files of Cline": {
        "AGENTS.md": "agents\n",
        ".clinerules/b.md": "b\n",
        ".clinerules/A.txt": "---\nname: Zed\npaths: ['*.py']\n---\nnamed\n",
        ".clinerules/c.json": "not read\n",
        ".clinerules/off.md": "---\nenabled: false\n---\noff\n",
        ".clinerules/blank.md": "---\nname: x\n---\n\n",
        ".clinerules/deep/d.md": "not read\n",
        ".cline/rules/B.md": "instead of b <!-- c -->\r\n",
        "sub/.clinerules/sub.md": "\ufeffsub\n",
    },
    "files of deepagents": {"AGENTS.md": "$& $$ $1 a\n", ".deepagents/AGENTS.md": "b\n"},
    "folder instead of a file": {f"{name}/x": "" for name in ALL},
}
USER = {
    ".claude/CLAUDE.md": "user @~/n.md\n",
    ".codex/AGENTS.md": "\n user \n",
    ".gemini/GEMINI.md": "user\n",
    ".config/opencode/AGENTS.md": "user\n",
    ".copilot/copilot-instructions.md": "user\n",
    ".copilot/instructions/u.instructions.md": "---\napplyTo: '**'\n---\nuser\n",
    ".qwen/QWEN.md": "user @n.md\n",
    ".qwen/rules/r.md": "user\n",
    ".vibe/AGENTS.md": "\n user \n",
    ".agents/AGENTS.md": "user\n",
    ".cline/rules/u.md": "user rule\n",
    ".deepagents/agent/AGENTS.md": "user\n",
    "n.md": "note\n",
}
NAMES = [*FILES, "user", "user and project", "links", "no git", "linked worktree"]


def build(folder: Path, name: str, start: str = "sub") -> Tree:
    """Write the tree ``name`` below ``folder``; the agent starts in the project's ``start``."""
    project = folder / "w" / "p"
    home = write(folder / "home", USER if name.startswith("user") else {".keep": ""})
    files = each("project\n") if name in ("user and project", "no git") else FILES.get(name, {})
    write(project, {**files, "sub/.keep": ""})
    if name == "links":
        write(project, {"docs/a.md": "linked\n", "AGENTS.md": "a\n"})
        for number, link in enumerate(ALL):
            if link != "AGENTS.md":
                (project / link).symlink_to("AGENTS.md")
            (project / "sub" / link).symlink_to(f"../docs/{'ab'[number % 2]}.md")
    if name != "no git":
        git(project)
    if name == "linked worktree":
        return Tree(home, worktree(project))
    return Tree(home, project / start)


def worktree(project: Path) -> Path:
    """Add a worktree inside the main checkout, both with their own files."""
    others = {"CLAUDE.local.md": "mine\n", ".claude/rules/r.md": "rule\n"}
    write(project, {**each("main\n"), **others})
    who = ("-c", "user.name=t", "-c", "user.email=t@localhost")
    for arguments in (
        (*who, "commit", "-qm", "x", "--allow-empty"),
        ("worktree", "add", "-q", "w"),
    ):
        subprocess.run(["git", "-C", project, *arguments], check=True, capture_output=True)
    return write(project / "w", each("worktree\n"))
