"""Projects in which an agent reads a file: files, files of the user, where it starts, the file."""

from __future__ import annotations


def rule(paths: str) -> str:
    """Return a conditional rule of Claude Code."""
    return f"---\npaths: '{paths}'\n---\nrule for {paths}\n"


CLAUDE = {
    "every kind of file": (
        {
            "CLAUDE.md": "root",
            "sub/CLAUDE.md": "s @x.md\n<!-- c -->\nend\n",
            "sub/x.md": "imported",
            "sub/.claude/CLAUDE.md": "d",
            "sub/CLAUDE.local.md": "l",
            "sub/.claude/rules/always.md": "always",
            "sub/.claude/rules/py.md": rule("*.py"),
            ".claude/rules/py.md": rule("sub/*.py"),
        },
        {".claude/rules/u.md": rule("**/*.py")},
        ".",
        "sub/a.py",
    ),
    "AGENTS.md is never added": (
        {"AGENTS.md": "root", "sub/AGENTS.md": "a", "sub/deep/.claude/AGENTS.md": "b"},
        {},
        ".",
        "sub/deep/a.py",
    ),
    "patterns": (
        {
            ".claude/rules/a.md": rule("src/**/*.{py,ts}"),
            ".claude/rules/b.md": rule("src"),
            ".claude/rules/c.md": rule("other/**"),
            ".claude/rules/d.md": rule("**/*"),
            ".claude/rules/e.md": rule("*.md, *.py"),
        },
        {},
        ".",
        "src/x/a.py",
    ),
    "nested braces": (
        {
            ".claude/rules/a.md": rule("{a,{src,c}}/*.py"),
            ".claude/rules/b.md": rule("{{src,b},c}/*.py, other"),
            ".claude/rules/c.md": rule("{a,{b,src}}/*.py"),
            ".claude/rules/d.md": rule("{ src , b}/*.py"),
            ".claude/rules/e.md": rule("{src/**,b}"),
            ".claude/rules/f.md": rule("x}, src"),
            ".claude/rules/g.md": rule("src/a{}.py"),
        },
        {},
        ".",
        "src/a.py",
    ),
    "started in a subfolder": (
        {".claude/rules/a.md": rule("sub/*.py"), "sub/.claude/rules/b.md": rule("*.py")},
        {},
        "sub",
        "sub/a.py",
    ),
    "an empty file and one with front matter": (
        {"sub/CLAUDE.md": "", "sub/deep/CLAUDE.md": "---\nx: 1\n---\n  text  \n"},
        {},
        ".",
        "sub/deep/a.py",
    ),
}
NAMES = '{"context": {"fileName": ["AGENTS.md", "GEMINI.md"]}}'
GEMINI = {
    "two folders with an import": (
        {
            "GEMINI.md": "root",
            "sub/GEMINI.md": "\ufeff s @x.md\n<!-- c -->\nend\n\n",
            "sub/x.md": "imported",
            "sub/deep/GEMINI.md": "one\r\ntwo\n\n\n\nthree",
        },
        {".gemini/GEMINI.md": "user"},
        ".",
        "sub/deep/a.py",
    ),
    "empty and blank files": (
        {"sub/GEMINI.md": "", "sub/deep/GEMINI.md": "\n \n"},
        {},
        ".",
        "sub/deep/a.py",
    ),
    "an empty file and one with text": (
        {"sub/GEMINI.md": "", "sub/deep/GEMINI.md": "text"},
        {},
        ".",
        "sub/deep/a.py",
    ),
    "two names": (
        {"sub/AGENTS.md": "a", "sub/GEMINI.md": "g", "sub/deep/AGENTS.md": "deep"},
        {".gemini/settings.json": NAMES},
        ".",
        "sub/deep/a.py",
    ),
    "the memory file itself is read": ({"sub/GEMINI.md": "g"}, {}, ".", "sub/GEMINI.md"),
    "a file in the folder where it starts": ({"GEMINI.md": "g"}, {}, ".", "a.py"),
    "started in a subfolder": (
        {"GEMINI.md": "root", "sub/GEMINI.md": "s", "sub/deep/GEMINI.md": "deep"},
        {},
        "sub",
        "sub/deep/a.py",
    ),
    "the user's settings are not those of the folder": (
        {"sub/GEMINI.md": "g", "sub/NOTES.md": "n", ".gemini/settings.json": NAMES},
        {},
        ".",
        "sub/a.py",
    ),
}
OPENCODE = {
    "two folders": (
        {
            "AGENTS.md": "root",
            "sub/AGENTS.md": "\ufeffs @x.md\n<!-- c -->\nend\n",
            "sub/deep/AGENTS.md": "one\r\ntwo",
        },
        {},
        ".",
        "sub/deep/a.py",
    ),
    "one name per folder": (
        {
            "AGENTS.md": "root",
            "sub/AGENTS.md": "a",
            "sub/CLAUDE.md": "c",
            "sub/deep/CLAUDE.md": "dc",
            "sub/deep/CONTEXT.md": "dx",
        },
        {},
        ".",
        "sub/deep/a.py",
    ),
    "empty and blank files": (
        {"sub/AGENTS.md": "", "sub/CLAUDE.md": "c", "sub/deep/AGENTS.md": "\n"},
        {},
        ".",
        "sub/deep/a.py",
    ),
    "the memory file itself is read": (
        {"sub/AGENTS.md": "a", "sub/deep/AGENTS.md": "b"},
        {},
        ".",
        "sub/deep/AGENTS.md",
    ),
    "a file in the folder where it starts": ({"AGENTS.md": "a"}, {}, ".", "a.py"),
    "started in a subfolder": (
        {"AGENTS.md": "root", "sub/AGENTS.md": "s", "sub/deep/AGENTS.md": "deep"},
        {},
        "sub",
        "sub/deep/a.py",
    ),
    "listed in `instructions`": (
        {
            "opencode.json": '{"instructions": ["sub/AGENTS.md"]}',
            "sub/AGENTS.md": "listed",
            "sub/deep/AGENTS.md": "deep",
        },
        {},
        ".",
        "sub/deep/a.py",
    ),
}
TREES = {"claude-code": CLAUDE, "gemini-cli": GEMINI, "opencode": OPENCODE}
