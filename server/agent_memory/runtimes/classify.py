"""One resolver from a path to what the file is: scope and role (decisions X17, X41)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from agent_memory.base.model import (
    Role,
    Scope,
    Source,
    Status,
)
from agent_memory.l10n import t

if TYPE_CHECKING:
    from pathlib import Path

    from agent_memory.config.context import Context

MEMORY_NAMES = frozenset({"agent.md", "agents.md", "claude.md"})
_ULID_FILE = re.compile(r"[0-9A-HJKMNP-TV-Z]{26}\.md\Z")


def classify(path: Path, ctx: Context) -> Source:
    """Return ``path`` as a source that the chosen runtime does not read."""
    scope = Scope.USER if path.is_relative_to(ctx.user_folder) else Scope.PROJECT
    role = role_of(path)
    reason = t("the chosen runtime does not read this file")
    return Source(path, scope, role or Role.NOTE, Status.IGNORED, reason, str(path))


def role_of(path: Path) -> Role | None:
    """Return what a file of this name and place is for; None: it is no memory file."""
    name = path.name.lower()
    if name in MEMORY_NAMES:
        return Role.MEMORY
    if name == "skill.md":
        return Role.SKILL
    if path.suffix.lower() != ".md":
        return None
    if path.parent.name == "memories" and path.parent.parent.name == ".claude-mpm":
        return Role.NOTE if name == "readme.md" else Role.MEMORY
    if _ULID_FILE.match(path.name):
        return Role.ENTRY
    if path.parent.name == ".deepagents":
        return Role.NOTE
    return None
