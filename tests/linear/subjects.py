"""Everything that reads the content of a file, as functions that prepare work for a text."""

from __future__ import annotations

import atexit
import shutil
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING

from agent_memory import secrets
from agent_memory.base.text import split_lines
from agent_memory.config.context import Context
from agent_memory.config.settings import Settings
from agent_memory.config.settings_files import load_project
from agent_memory.entries import entry_file, yaml_reader
from agent_memory.fs import gitignore, gitignore_pattern
from agent_memory.fs.reader import decode
from agent_memory.language import imperatives, similarity, token_estimate, tokenize
from agent_memory.learnings import eviction, export, extract, memory_file, sections
from agent_memory.lint import engine, suppressions
from agent_memory.lint.known_names import KNOWN_NAMES
from agent_memory.lint.open_project import open_project
from agent_memory.lint.rule import FileRule, LineRule, ProjectRule, Registry, SuppressionRule
from agent_memory.lint.rules import BY_KEY, RULES
from agent_memory.lint.shared.runners import gradle, just, make
from agent_memory.markdown import front_matter, parser
from agent_memory.prompt.compose import compose
from agent_memory.remember import planner
from agent_memory.remember.comment_text import comment_text
from agent_memory.remember.snippet import Snippet
from agent_memory.runtimes.segments import outside_comments
from agent_memory.skills import skill_file

if TYPE_CHECKING:
    from collections.abc import Callable

    from agent_memory.lint.project import Project
    from agent_memory.lint.rule import Rule

    Subject = Callable[[str], Callable[[], object]]

NOW = datetime(2026, 1, 2, tzinfo=UTC)
LIMITS = eviction.Limits()
ROOT = Path(mkdtemp(prefix="linear-"))
atexit.register(shutil.rmtree, ROOT, ignore_errors=True)
_FILES = {
    "project/.git/HEAD": "ref: refs/heads/main\n",
    "project/Makefile": "lint:\n\techo\n",
    "project/justfile": "build:\n\techo\n",
    "project/package.json": '{"scripts": {"test": "x"}}',
    "project/src/lib/main.py": "",
    "home/.keep": "",
}
ULID = "01" + "A" * 24
_MEMORY = {
    "deepagents-code": ("project/AGENTS.md", "home/.deepagents/agent/AGENTS.md"),
    "deepagentsdk": (
        "project/.deepagents/skills/s/SKILL.md",
        "home/.deepagents/agent/agent.md",
    ),
    "drover": (f"project/.memory/global/{ULID}.md", "project/AGENTS.md"),
    "claude-mpm": (
        "project/.claude-mpm/memories/qa_agent.md",
        "project/.claude-mpm/memories/pm_agent.md",
    ),
}


def _project(text: str, runtime: str) -> Project:
    """Return a project with two memory files: ``text`` and a short one."""
    for name, content in {**_FILES, **dict.fromkeys(_MEMORY[runtime], "- a\n")}.items():
        path = ROOT / runtime / name
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)
    root = ROOT / runtime
    ctx = Context(root / "home", root / "project", settings=Settings(runtime), env={})
    for name, content in zip(_MEMORY[runtime], (text, "- a\n"), strict=True):
        whole = decode(root / name, content.encode("utf-8", "replace"))
        ctx.store.overlay(root / name, lambda whole=whole: whole)
    return open_project(ctx, runtime)


def _rule(rule: Rule, runtime: str, text: str) -> Callable[[], object]:
    project = _project(text, runtime)
    file = project.files[ROOT / runtime / _MEMORY[runtime][0]]
    _ = file.markdown, project.prompt
    match rule:
        case LineRule():
            checked = rule
            return lambda: (
                [list(checked.check(line)) for line in file.lines]
                + [list(rule.in_file(file, project)) if rule.in_file else []]
            )
        case FileRule():
            return lambda: list(rule.check(file, project))
        case ProjectRule():
            return lambda: list(rule.check(project))
        case SuppressionRule():
            directives = suppressions.coverage_of(file).directives
            registry = Registry(BY_KEY, frozenset(BY_KEY))
            return lambda: list(rule.check(file, directives, registry))
    raise AssertionError(rule)


def _prompt(text: str) -> Callable[[], object]:
    project = _project(text, "deepagents-code")

    def work() -> None:
        prompt = compose(project.ctx, "deepagents-code")
        secrets.mask_parts([segment.text for segment in prompt.segments])

    return work


def _whole_check(runtime: str, text: str) -> Callable[[], object]:
    project = _project(text, runtime)
    path = ROOT / runtime / _MEMORY[runtime][0]

    def work() -> None:
        across = engine.project_findings(project)
        engine.file_findings(project, path, across.get(path, ()))

    return work


def _on_disk(name: str, read: Callable[[Path], object], text: str) -> Callable[[], object]:
    path = ROOT / "disk" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode("utf-8", "replace"))
    return lambda: read(ROOT / "disk")


def _remember(runtime: str, text: str) -> Callable[[], object]:
    ctx = _project("# A\n\n- b\n", runtime).ctx
    return lambda: planner.plan(ctx, Snippet(text), "project", runtime_id=runtime)


def _plain(read: Callable[[str], object]) -> Subject:
    return lambda text: partial(read, text)


def _quiet(read: Callable[[str], object], *errors: type[Exception]) -> Subject:
    def work(text: str) -> object:
        try:
            return read(text)
        except errors:
            return None

    return lambda text: partial(work, text)


def _lines(read: Callable[[list[str]], object]) -> Subject:
    return lambda text: partial(read, split_lines(text))


_RULES_OF = {
    "deepagents-code": ("AM",),
    "claude-mpm": ("AM82", "AM402", "AM405"),
    "deepagentsdk": ("AM50", "AM7"),
    "drover": ("AM81",),
}
RULE_SUBJECTS: dict[str, Subject] = {
    f"{rule.code} {rule.name} {runtime}": partial(_rule, rule, runtime)
    for rule in RULES
    for runtime in _MEMORY
    if rule.code.startswith(_RULES_OF[runtime])
}
READERS: dict[str, Subject] = {
    "check deepagents-code": partial(_whole_check, "deepagents-code"),
    "check claude-mpm": partial(_whole_check, "claude-mpm"),
    "check of a skill": lambda text: _whole_check(
        "deepagentsdk", f"---\nname: s\ndescription: d\n---\n{text}"
    ),
    "check of an entry": lambda text: _whole_check(
        "drover", f"---\nid: {ULID}\nscope: global\nkind: project\nsummary: a\n---\n{text}"
    ),
    "check of a raw skill": partial(_whole_check, "deepagentsdk"),
    "check of a raw entry": partial(_whole_check, "drover"),
    "prompt": _prompt,
    "comments": _plain(outside_comments),
    "differences": lambda text: partial(
        export.differences, {"a": {"s": text.split("\n")}}, {"a": {"s": text[1:].split("\n")}}
    ),
    "remember deepagents-code": partial(_remember, "deepagents-code"),
    "remember claude-mpm": partial(_remember, "claude-mpm"),
    "split lines": _plain(split_lines),
    "Markdown": _lines(parser.scan),
    "Markdown of a skill": _lines(partial(parser.scan, mapping=False)),
    "front matter": _lines(lambda lines: front_matter.find(lines, mapping=True)),
    "tokens": _plain(token_estimate.count),
    "words": _plain(tokenize.words),
    "gist": _plain(similarity.gist),
    "normalized": _plain(similarity.normalized),
    "claims": _plain(lambda text: imperatives.claims_in(similarity.normalized(text))),
    "plain claim": _plain(lambda text: imperatives.plain_claim(similarity.normalized(text))),
    "secrets": _plain(secrets.find),
    "masked": _plain(secrets.mask),
    "Makefile": _plain(make._targets),
    "justfile": _plain(just._recipes),
    "settings.gradle": _plain(gradle._projects),
    "pattern of .gitignore": _plain(
        lambda text: (
            (found := gitignore_pattern.parse(text.replace("\n", "")))
            and found.matches(("a" * 100, "b"))
        )
    ),
    ".gitignore": partial(
        _on_disk, ".gitignore", lambda root: gitignore.Ignored(root).covers("a/b/c")
    ),
    ".gitmodules": partial(
        _on_disk, ".gitmodules", lambda root: gitignore.Ignored(root).covers("a/b/c")
    ),
    "settings": partial(
        _on_disk,
        ".deepagents/agent-memory.toml",
        lambda root: load_project(root, Settings(), KNOWN_NAMES),
    ),
    "SKILL.md": _plain(
        lambda text: skill_file.parse(decode(Path("SKILL.md"), text.encode("utf-8", "replace")))
    ),
    "YAML": _quiet(yaml_reader.load_mapping, yaml_reader.YamlError),
    "entry": _quiet(
        lambda text: entry_file.parse(text, entry_file.EntryPlace("global")), entry_file.Skipped
    ),
    "learn extract": _plain(partial(extract.extract, natural=True)),
    "learnings": _plain(sections.items_of),
    "learn clean": _quiet(
        lambda text: memory_file.repair(
            memory_file.tidied(text, LIMITS).text, "qa", "p", LIMITS, NOW
        ),
        eviction.NotAdded,
    ),
    "learn add": _quiet(
        lambda text: memory_file.add(text, "Notes", "a fact", LIMITS, NOW), eviction.NotAdded
    ),
    "comment": _plain(comment_text),
}
SUBJECTS = {**READERS, **RULE_SUBJECTS}
