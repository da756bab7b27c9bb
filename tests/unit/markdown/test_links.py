"""Links and their targets."""

from pathlib import Path

import pytest

from agent_memory.base.model import (
    Role,
    Scope,
    Source,
    Status,
)
from agent_memory.base.text import split_lines
from agent_memory.fs.reader import FileText
from agent_memory.lint.memory_file import MemoryFile
from agent_memory.markdown.links import (
    heading_of,
    slug,
    target_of,
)
from agent_memory.markdown.parser import scan

HERE = Path("/project/AGENTS.md")
HOME = Path("/home/user")


def links(text):
    source = Source(HERE, Scope.PROJECT, Role.MEMORY, Status.LOADED)
    return MemoryFile(HERE, FileText(HERE, text, len(text)), source).links


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("see [a](docs/a.md#part)\n", [("docs/a.md", "part")]),
        ("see [a](<docs/a b.md>)\n", [("docs/a b.md", "")]),
        ("see @docs/a.md and @~/b.md\n", [("docs/a.md", ""), ("~/b.md", "")]),
        ("mail me@example.com or `@code.md` or `[x](y.md)`\n", []),
        ("`see @code.md now` @d.md\n", [("d.md", "")]),
        ("```\n[a](b.md)\n@c.md\n```\n", []),
        ("[web](https://example.com/a.md)\n", [("https://example.com/a.md", "")]),
        ("[a](app.py:12) [b](<src/a b.py:3-9>)\n", [("app.py", ""), ("src/a b.py", "")]),
        ("[a](localhost:80) [b](tel:12)\n", [("localhost:80", ""), ("tel:12", "")]),
        ("[a](example.com:80/a.md)\n", [("example.com:80/a.md", "")]),
        ("[up](#above) then [b](b.md)\n", [("", "above"), ("b.md", "")]),
    ],
)
def test_links_and_imports_are_found_outside_of_code(text, found):
    assert [(link.path, link.anchor) for link in links(text)] == found


def test_a_link_covers_just_its_target():
    text = "\U0001f600 see [a](docs/a.md)\n"
    [link] = links(text)
    assert text[link.start : link.end] == "docs/a.md"


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("[a](docs/a.md)", "/project/docs/a.md"),
        ("[a](docs/a%20b.md)", "/project/docs/a b.md"),
        ("[a](#here)", "/project/AGENTS.md"),
        ("@~/notes.md", "/home/user/notes.md"),
        ("[a](mailto:a.md)", None),
        ("[a](app.py:12)", "/project/app.py"),
        ("[a](app.py:12:5)", "/project/app.py"),
        ("[a](tel:12)", None),
    ],
)
def test_the_target_of_a_link_is_a_file_or_none(text, target):
    [link] = links(text + "\n")
    assert target_of(link, HERE, HOME, HERE.parent) == (Path(target) if target else None)


def test_leading_slash_is_the_root_of_the_project_before_that_of_the_disk(tmp_path):
    root, outside = tmp_path / "project", tmp_path / "outside.md"
    root.mkdir()
    outside.write_text("x")
    source = root / "docs" / "AGENTS.md"

    def target(text, project=root):
        [link] = links(text + "\n")
        return target_of(link, source, HOME, project)

    written = outside.as_posix()
    assert target("[a](/docs/x.md)") == root / "docs/x.md"
    assert target(f"[a]({written})") == outside
    assert target("@/docs/x.md") == Path("/docs/x.md")
    assert target("[a](/docs/x.md)", None) == Path("/docs/x.md")
    inside = root / written[1:]
    inside.parent.mkdir(parents=True)
    inside.write_text("x")
    assert target(f"[a]({written})") == inside


def test_anchors_are_those_of_editors():
    scanned = scan(split_lines("# Set up, please!\n## Set up please\n## \xc4rger\n"))
    assert slug("Set up, please!") == "set-up-please"
    lines = [
        found.line if (found := heading_of(scanned, anchor)) else None
        for anchor in ("set-up-please", "set-up-please-1", "%C3%A4rger", "none")
    ]
    assert lines == [0, 1, 2, None]
