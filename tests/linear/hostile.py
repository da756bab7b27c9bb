"""Texts that grow: a token repeated between a prefix and a suffix, in several arrangements."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

TOKENS = (
    # white space and newlines
    *("\n", " ", "\t", "\r", "\r\n", " \n", "\u00a0", "\u2028", "\ufeff", "\u200b"),
    # blocks of Markdown
    *("# a\n", "## a\n", "#", "# ", "- ", "- a\n", "  - a\n", "* a\n\n", "1. ", "2. a\n", "> "),
    *(
        "> a\n",
        "```\n",
        "~~~\n",
        "```md\n",
        "---\n",
        "===\n",
        "a\n===\n",
        "- [ ] a\n",
        "| a ",
        "|-",
    ),
    *("| a |\n", "    a\n", "a <!--\n", "<!-- ", "-->", "<!-- a -->\n", "<!--\n-->\n", "a\\\n"),
    # inline Markdown
    *("`", "``", "` `", "`a` ", "`make a`", "`a/b.c` ", "*", "**a", "_", "a_", "[", "]", "[a](<"),
    *("[a](", "[a](b ", "[a](b.c) ", "![", "](", "<", ">", "<a", "<a>", "\\", "@a/", "@a.b ", "!"),
    # text
    *(
        "a",
        "a ",
        "a.",
        ".",
        ". ",
        ": ",
        "; ",
        "?!",
        "-",
        "--",
        "=",
        "a-",
        "1",
        "1.",
        "é",
        "字",
        '"',
        "'",
    ),
    *(
        "a, ",
        "never ",
        "use a ",
        "use a over b, ",
        "is ",
        "not ",
        "(",
        ")",
        "(a) ",
        "I ",
        "currently ",
    ),
    *("until friday ", "today ", "must ", "please ", "# remember: "),
    # secrets
    *("password ", "password: ", "login: a ", "token=", "x_key", "://", "u:p@", "http://a:b@c "),
    *(
        "-----BEGIN ",
        f"{'-' * 5}BEGIN PRIVATE KEY{'-' * 5}\n",
        "eyJ",
        "a1B2c3D4",
        "mysql -p",
        "|x1y2z3w4",
    ),
    # formats of other files
    *(
        "key: ",
        "key: a\n",
        "type: ",
        "content: a ",
        "# Add To Memory:\n",
        "#\n",
        "path = a\n",
        "path",
    ),
    *("include ", ".PHONY: a", "a: b\n", "a:", "a=", "%", "$(", "alias a := b\n", "set ", "{", "}"),
    *("[a]\n", "a.", "a = 1\n", "*a", "**/", "[:", "[!", "&a ", "*a, ", "|", "? ", "- -", "\\n"),
    *("<!-- agent-memory: disable AM107 -->\n", "<!-- agent-memory: enable -->\n", "AM107 "),
)
PREFIXES = (
    "",
    "- ",
    "# a",
    "`",
    "---\n",
    "<!-- a",
    "<!-- agent-memory: ",
    "a\n",
    "```\n",
    "> a\n\n",
    "- `",
    "|x|-|\n",
    "# Add To Memory:\ntype: a",
)
SUFFIXES = ("", "x", "\n", "\nb\n", "`", ")", " -->", "\n---\n", ".py`", "x|")
PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~ \t\na1"
ARRANGEMENTS = ("run", "lines", "numbered")


class Shape(NamedTuple):
    """A text for every size: ``run`` is one run of the token, ``lines`` has one token per line."""

    token: str
    prefix: str = ""
    suffix: str = ""
    arrangement: str = "run"

    def __call__(self, size: int) -> str:
        """Return the text of about ``size`` characters."""
        unit = len(self.token)
        if self.arrangement == "run":
            return self.prefix + self.token * (size // unit) + self.suffix
        unit += len(self.prefix) + len(self.suffix) + 1
        if self.arrangement == "lines":
            return f"{self.prefix}{self.token}{self.suffix}\n" * (size // unit)
        numbers = range(size // (unit + 4))
        return "".join(f"{self.prefix}{self.token}{at}{self.suffix}\n" for at in numbers)


def shapes() -> Iterator[Shape]:
    """Yield every token in every arrangement, with the prefixes and suffixes."""
    for token, prefix, suffix in product(TOKENS, PREFIXES, SUFFIXES):
        yield Shape(token, prefix, suffix)
    for token, arrangement in product(TOKENS, ARRANGEMENTS[1:]):
        yield Shape(token, arrangement=arrangement)


def pairs() -> Iterator[Shape]:
    """Yield every pair of punctuation marks, white space, a letter and a digit."""
    for one, other in product(PUNCTUATION, repeat=2):
        yield Shape(one + other)
        yield Shape(one + other + "\n")
