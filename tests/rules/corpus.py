"""Real memory and skill files of public repositories, read in place, not copied into this one.

The folder is that of AGENT_MEMORY_CORPUS, else ``shared/corpus`` beside the checkout. It holds
index.csv, files/<repository>/<path>, and trees/<repository>.txt: every path of that repository,
so that references can be judged without its files.
"""

from __future__ import annotations

import csv
import hashlib
import os
import shutil
from collections import defaultdict
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from agent_memory.config.context import Context
from agent_memory.config.settings import Settings
from agent_memory.fs.file_index import index_of
from agent_memory.lint.engine import check, file_findings, project_findings
from agent_memory.lint.open_project import open_project
from agent_memory.runtimes.classify import MEMORY_NAMES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.base.model import Finding

CHECKOUT = Path(__file__).resolve().parents[2]
LABELS = Path(__file__).with_name("corpus_labels.csv")
IN_PROMPT = frozenset({"AM104", "AM106", "AM112", "AM113", "AM114", "AM602"})
"""Rules for files in the prompt only: each memory file is checked as the root's."""


def location() -> Path | None:
    """Return the folder of the corpus, None if it is missing."""
    given = os.environ.get("AGENT_MEMORY_CORPUS")
    places = [Path(given)] if given else [base / "shared" / "corpus" for base in CHECKOUT.parents]
    return next((place for place in places if (place / "index.csv").is_file()), None)


@dataclass(frozen=True)
class Labeled:
    """A finding in the form of the label file; ``line`` is 1-based."""

    path: str  # repository and path
    code: str
    line: int
    digest: str  # the first 16 hex digits of the line's SHA-256

    @property
    def key(self) -> tuple[str, str, int, str]:
        return (self.path, self.code, self.line, self.digest)


def repositories(corpus: Path) -> dict[str, list[str]]:
    """Return the files of each repository that are memory or skills."""
    out: dict[str, list[str]] = defaultdict(list)
    with (corpus / "index.csv").open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            if row["local_path"]:
                folder, _, path = row["local_path"].partition("/")
                out[folder].append(path)
    return dict(out)


def findings(corpus: Path, tmp: Path) -> Iterator[tuple[Labeled, Finding, str]]:
    """Check every file as its owner would; yield each finding with the text of its line."""
    for repository, paths in repositories(corpus).items():
        root = tmp / repository
        lay_out(corpus, repository, paths, root)
        ctx = _context(tmp, root)
        for item in _as_listed(ctx, corpus, repository, [root / path for path in paths]):
            path = item.path.relative_to(root).as_posix()
            if item.code not in IN_PROMPT:
                yield _labeled(ctx, f"{repository}/{path}", item)
        for number, path in enumerate(paths):
            if Path(path).name in MEMORY_NAMES:
                alone = tmp / "alone" / repository / str(number)
                (alone / ".git").mkdir(parents=True)
                shutil.copyfile(root / path, alone / "AGENTS.md")
                ctx = _context(tmp, alone)
                for item in check(ctx).findings:
                    if item.code in IN_PROMPT:
                        yield _labeled(ctx, f"{repository}/{path}", item)


def _context(tmp: Path, root: Path) -> Context:
    return Context(tmp / "home", root, settings=Settings(runtime="deepagents-code"), env={})


def _labeled(ctx: Context, path: str, item: Finding) -> tuple[Labeled, Finding, str]:
    lines = ctx.store.read(item.path).lines
    text = lines[item.span.line].rstrip("\r\n") if item.span.line < len(lines) else ""
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return Labeled(path, item.code, item.span.line + 1, digest), item, text


def _as_listed(ctx: Context, corpus: Path, repository: str, paths: list[Path]) -> Iterator[Finding]:
    """Check ``paths`` in a project whose file index is the list; its files are not created."""
    listed = (corpus / "trees" / f"{repository}.txt").read_text("utf-8").splitlines()
    project = replace(open_project(ctx, None, paths), files_there=index_of(ctx.cwd, listed))
    across = project_findings(project)
    for path in paths:
        yield from file_findings(project, path, across.get(path, ()))


def lay_out(corpus: Path, repository: str, paths: list[str], root: Path) -> None:
    """Copy the memory and skill files of the repository to their paths below ``root``."""
    (root / ".git").mkdir(parents=True)
    for path in paths:
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(corpus / "files" / repository / path, target)
