"""Selects the rules that the settings turn on, and the check of a rule for a file or a project."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from agent_memory.base.model import Severity
from agent_memory.lint.rule import FileRule, LineRule, ProjectRule
from agent_memory.lint.rules import RULES

if TYPE_CHECKING:
    from agent_memory.base.model import Role
    from agent_memory.config.settings import Settings
    from agent_memory.lint.rule import FileCheck, ProjectCheck, Rule


def active_rules(settings: Settings) -> tuple[tuple[Rule, Severity | None], ...]:
    """Return the active rules, each with its severity in the settings (None: the rule's own)."""
    # Without a role, `is_text` is ignored.
    return rules_for(tuple(settings.rules.items()), None, is_text=True)


@lru_cache(maxsize=64)
def rules_for(
    configured: tuple[tuple[str, str], ...],
    role: Role | None,
    *,
    is_text: bool,
) -> tuple[tuple[Rule, Severity | None], ...]:
    """Return the rules that are on for files of ``role`` (None: any role), with their severities.

    ``configured`` are the settings: (code or name of a rule, severity or "off"). For a rule with
    two settings, the one by code wins. The severity of a rule without a setting is None.
    ``is_text``: the file was read as text; else only rules without ``needs_text`` check it. If
    ``role`` is None, ``is_text`` is ignored.
    """
    settings = dict(configured)
    out: list[tuple[Rule, Severity | None]] = []
    for rule in RULES:
        setting = settings.get(rule.code, settings.get(rule.name))
        if setting == "off" or (setting is None and not rule.on):
            continue
        if role is None or (role in rule.roles and (is_text or not rule.needs_text)):
            out.append((rule, Severity(setting) if setting else None))
    return tuple(out)


def project_check(rule: Rule) -> ProjectCheck | None:
    """Return what the rule does once per project; None for a rule without such a check."""
    if isinstance(rule, ProjectRule):
        return rule.check
    return rule.in_project if isinstance(rule, FileRule) else None


def file_check(rule: Rule) -> FileCheck | None:
    """Return what the rule does once per file; None for a rule without such a check.

    The checks of lines and of suppressions run separately.
    """
    if isinstance(rule, FileRule):
        return rule.check
    return rule.in_file if isinstance(rule, LineRule) else None
