"""Hostile documents, from a random generator: markup, limits, controls and damaged templates."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random

TOKENS = (
    *(
        "#",
        "##",
        "- ",
        "* ",
        "1. ",
        "> ",
        "```",
        "~~~",
        "---",
        "===",
        "***",
        "\t",
        "    ",
        "`",
        "``",
    ),
    *(
        "<!--",
        "-->",
        "<!",
        "<",
        ">",
        "[",
        "](",
        "](<",
        ")",
        "![",
        "*",
        "**",
        "_",
        "\\",
        "|",
        ":",
        "@",
    ),
    *("\n", "\n", "\n", "\n\n", "\r\n", "\r", "\0", "\x7f", "\x85", "\u2028", "\ufeff", "\u200b"),
    *(
        "\u202e",
        "\ud800",
        "\U0001f600",
        "e\u0301",
        "\u00df",
        "\u0130",
        "\x1b[31m",
        "\x0c",
        " ",
        "  ",
    ),
    *(
        "agent-memory: disable-file",
        "agent-memory: disable-next-line AM107",
        "agent-memory: enable",
    ),
    *("</agent_memory>", "<user_memory>", "{agent_memory}", "<<<<<<< HEAD", ">>>>>>> x", "======="),
    *(
        "name: ",
        "description: ",
        "id: ",
        "scope: global",
        "kind: project",
        "summary: ",
        "tags:\n  - ",
    ),
    *(
        "createdAt: ",
        "&a ",
        "*a",
        "!!python/object:x ",
        "|-\n  ",
        ">\n  ",
        '"',
        "'",
        "{",
        "}",
        "? ",
        "~",
    ),
    *(
        "# Add To Memory:\n",
        "Type: pattern\n",
        "Content: ",
        "#\n",
        "## Recent Learnings\n",
        "%YAML 1.2\n",
    ),
    *(
        "always use tabs",
        "never use tabs",
        "prefer a over b",
        "currently",
        "as of today",
        "we use npm",
    ),
    *(
        "`make all`",
        "`npm run x`",
        "`src/a.py`",
        "[a](docs/b.md)",
        "@docs/c.md",
        "https://u:p@h/",
        "0x1F",
    ),
    *(
        "password = ",
        "token: ",
        f"{'AK'}IA",
        *(f"{'-' * 5}{word} PRIVATE KEY{'-' * 5}" for word in ("BEGIN", "END")),
    ),
    *(
        "a",
        "word ",
        "more words here",
        "1" * 40,
        "x" * 100,
        "/" * 20,
        "..",
        "%41",
        "\\UFFFFFFFF",
        "1e999",
    ),
)
TEMPLATES = (
    "# Notes\n\n- run `make test` before a commit\n- see [docs](docs/a.md)\n\n## Style\n\n- tabs\n",
    "---\nname: web\ndescription: Search the web\nallowed-tools: a b\n---\n\n# Steps\n\n1. one\n",
    "---\nid: {id}\nscope: global\nkind: project\nsummary: a fact\ncreatedAt: 1\n---\n\nBody.\n",
    "# Agent Memory: qa\n\n## Project Architecture\n\n- one\n\n## Recent Learnings\n\n- two\n",
    "# Add To Memory:\nType: guideline\nContent: use tabs\n#\n",
    "runtime = 'drover'\n[rules]\nempty = 'off'\n[secrets]\nallowed = ['x']\n",
    "all: test\n\ttest\n.PHONY: all\n*.log\n!keep/\nbuild/**/x\n[submodule 'a']\n\tpath = b\n",
)
_ID = "01" + "A" * 24
_MOST = 24
_SOMETIMES = 0.03


def document(rng: random.Random) -> str:
    """Return a document, mostly of some hundred characters."""
    if rng.random() < 0.4:
        return _damaged(rng.choice(TEMPLATES).replace("{id}", _ID), rng)
    pieces = [rng.choice(TOKENS) for _ in range(rng.randrange(1, _MOST))]
    if rng.random() < _SOMETIMES:
        at = rng.randrange(len(pieces))
        pieces[at] *= rng.choice((10, 100, 400))
    return "".join(pieces)


def _damaged(text: str, rng: random.Random) -> str:
    """Return ``text`` after some insertions, deletions and repetitions."""
    for _ in range(rng.randrange(1, 6)):
        start = rng.randrange(len(text) + 1)
        end = min(len(text), start + rng.randrange(12))
        way = rng.randrange(4)
        if way == 0:
            text = text[:start] + text[end:]
        elif way == 1:
            text = text[:end] + text[start:]
        else:
            text = text[:start] + rng.choice(TOKENS) + text[start if way == 2 else end :]
    return text


def name(rng: random.Random) -> str:
    """Return a file name of at most 255 bytes; it can be odd, but has no slash."""
    text = "".join(rng.choice(TOKENS) for _ in range(rng.randrange(1, 4)))
    raw = text.encode("utf-8", "surrogatepass").replace(b"/", b"").replace(b"\0", b"")
    shown = raw[: rng.choice((8, 40, 200))].decode("utf-8", "surrogateescape")
    return shown if shown.strip(".") else "odd"
