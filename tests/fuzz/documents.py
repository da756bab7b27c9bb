"""Documents through every reader, rule, fix, mask and the formatting of ``remember``."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from agent_memory import secrets
from agent_memory.base.text import apply_edits, split_lines
from agent_memory.config.context import Context
from agent_memory.config.settings import Settings
from agent_memory.entries import entry_file
from agent_memory.fs import gitignore_pattern
from agent_memory.fs.reader import FileText
from agent_memory.learnings import extract, sections
from agent_memory.lint.engine import file_findings, new_line_cache, project_findings
from agent_memory.lint.fixes import edits_together
from agent_memory.lint.memory_file import MemoryFile
from agent_memory.lint.open_project import open_project
from agent_memory.lint.rules import RULES
from agent_memory.markdown import parser
from agent_memory.markdown.open_blocks import UnclosedBlockError
from agent_memory.remember import formatting, placement
from agent_memory.remember.snippet import Snippet
from agent_memory.skills import skill_file
from fuzz.guard import Finding as Broken
from fuzz.guard import broken, smallest
from fuzz.texts import TEMPLATES, document
from kit import write

if TYPE_CHECKING:
    import random

    from agent_memory.base.model import Finding, Span
    from agent_memory.lint.project import Project

KINDS = {
    "agent.md": ("deepagentsdk", ".deepagents/agent.md"),
    "AGENTS.md": ("deepagents-code", "AGENTS.md"),
    "SKILL.md": ("deepagents-code", ".deepagents/skills/web/SKILL.md"),
    "entry": ("drover", ".memory/global/" + "01" + "A" * 24 + ".md"),
    "learnings": ("claude-mpm", ".claude-mpm/memories/qa_memories.md"),
}
"""Runtime and path of each kind of document."""
_IN_FULL = 8
"""One of so many documents is also read by what is not on the path of a check."""


class Documents:
    """Checks documents in a project below ``folder``, with all rules on."""

    def __init__(self, folder: Path) -> None:
        files = {path: TEMPLATES[0] for _, path in KINDS.values()}
        files |= {".git/HEAD": "x", "Makefile": "all:\n", "src/a.py": ""}
        root = write(folder / "project", files)
        settings = Settings(rules={rule.code: "warning" for rule in RULES})
        ctx = Context(write(folder / "home", {".keep": ""}), root, settings=settings, env={})
        self._projects: dict[str, tuple[Project, Path]] = {}
        for kind, (runtime, name) in KINDS.items():
            path = root / name
            project = open_project(ctx, runtime, [path])
            self._projects[kind] = (project, path)
        self._lines = new_line_cache()
        self._done = 0

    def run(self, rng: random.Random) -> Broken | None:
        """Check one generated document."""
        kind, text = rng.choice(list(KINDS)), document(rng)
        self._done += 1
        error = broken(lambda: self.check(kind, text, full=self._done % _IN_FULL == 0))
        if not error:
            return None
        text = smallest(text, lambda part: bool(broken(lambda: self.check(kind, part))))
        return Broken("documents", f"{kind!r}, {text!r}", error)

    def check(self, kind: str, text: str, *, full: bool = True) -> None:
        """Run everything on ``text`` as a document of ``kind``."""
        base, path = self._projects[kind]
        file = _file(path, text, base)
        base.ctx.store.overlay(path, lambda: file.content)
        project = replace(base, files={path: file})
        across = project_findings(project)
        found = file_findings(project, path, across.get(path, ()), line_cache=self._lines)
        for item in found:
            _check_finding(item, file.lines)
        edits, _ = edits_together(found, file.lines, unsafe=True)
        fixed = apply_edits(file.lines, [(edit.span, edit.text) for edit in edits])
        assert "".join(split_lines(fixed)) == fixed, "lines are lost"
        masked = secrets.mask(text)
        assert masked.count("\n") == text.count("\n"), "masking changes the lines"
        if full:
            _read(text)


def _file(path: Path, text: str, project: Project) -> MemoryFile:
    content = FileText(path, text, len(text.encode("utf-8", "surrogatepass")))
    old = project.files[path]
    return MemoryFile(path, content, old.source)


def _check_finding(item: Finding, lines: list[str]) -> None:
    """Check that all spans are in the file, and that the message is one of a sentence."""
    assert item.message, item.code
    _check_span(item.span, lines, item.code)
    for fix in item.fixes:
        for edit in fix.edits:
            if edit.path == item.path:
                _check_span(edit.span, lines, item.code)


def _check_span(span: Span, lines: list[str], code: str) -> None:
    assert (span.line, span.start) <= (span.end_line, span.end), f"{code}: the span is reversed"
    for line, column in ((span.line, span.start), (span.end_line, span.end)):
        length = len(lines[line]) if line < len(lines) else 0
        assert 0 <= line <= len(lines), f"{code}: the span is outside the file"
        assert 0 <= column <= length, f"{code}: the span is outside its line"


def _read(text: str) -> None:
    """Hand ``text`` to the readers and to ``remember``."""
    lines = split_lines(text)
    cache = parser.ScanCache()
    assert parser.scan(lines, cache=cache) == parser.scan(lines, cache=cache), "the scan differs"
    for line in lines:
        gitignore_pattern.parse(line)
    sections.items_of(text)
    extract.extract(text, natural=True)
    skill_file.parse(FileText(Path("SKILL.md"), text))
    try:
        entry = entry_file.parse(text, entry_file.EntryPlace("global"))
        entry_file.render(entry)
    except entry_file.Skipped:
        pass
    item = formatting.format_snippet(Snippet(text))
    item.text.encode()
    formatting.format_snippet(Snippet(text, language="python")).text.encode()
    with contextlib.suppress(UnclosedBlockError):
        placement.place(lines, item, None)
