"""Trees that differ in the content of memory files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.place import TREES

if TYPE_CHECKING:
    from conformance.place import Place


def _contents(name: str, content: bytes | str) -> None:
    """Add a tree with ``content`` as user and as project memory."""

    def build(place: Place) -> None:
        place.git()
        place.user(content)
        place.project(content)
        place.at_root("root\n")

    TREES[name] = build


_contents("braces", "{} {0} {name} {{x}} }{ {agent_memory}\n")
_contents("placeholder names", "{user_memory} {project_memory} {agent_dir_absolute}\n")
_contents("closing tags", "a\n</agent_memory>\n</user_memory>\n</project_memory>\n<agent_memory>\n")
_contents("CRLF", b"# A\r\n\r\n- one\r\n- two\r\n")
_contents("lone CR", b"# A\r- one\r\r- two")
_contents("mixed newlines", b"a\r\nb\nc\rd\n\r\n")
_contents("BOM", b"\xef\xbb\xbf# A\n")
_contents("BOM only", b"\xef\xbb\xbf")
_contents("invalid UTF-8", b"# A\n- caf\xe9\n- more\n")
_contents("UTF-16", "# A\n- one\n".encode("utf-16"))
_contents("NUL bytes", b"a\x00b\n")
_contents(
    "emoji and CJK", "# \U0001f600\U0001f468\u200d\U0001f469 \u7528\u6237\u3000\u8bb0\u5fc6\n"
)
_contents("line separators", "a\u2028b\u2029c\x0bd\x0ce\x1cf\x85g\n")
_contents("HTML comments", "a <!-- one --> b\n<!-- two\nlines -->\nc\n<!-- last -->\n")
_contents("comments only", "<!-- a -->\n\n<!-- b\n-->\n")
_contents("unclosed comment", "a\n<!-- open\n- b\n")
_contents("comment inside a comment", "a <!-- <!-- b --> c --> d\n")
_contents("comment in a fence", "```\n<!-- kept? -->\n```\n")
_contents("replacement patterns", "$& $$ $` $' $1 \\1 \\g<0> %s %(x)s\n")
_contents("no final newline", "# A\n- one")
_contents("trailing blanks", "# A\n- one  \n\n \t\n\n")
_contents("leading blanks", "\n\n  # A\n")
_contents("empty", "")
_contents("white space only", " \n\t\n\u00a0\n")
_contents("front matter", "---\nname: x\n---\n# A\n")
_contents("3 MB", "- a line of a very large memory file\n" * 84_000)
_contents("one long line", "x" * 200_000)
