"""All rules in the order of their codes.

AM1xx what the runtime makes of the file; AM2xx secrets; AM3xx size; AM4xx structure;
AM5xx references; AM6xx content; AM7xx skills; AM8xx learned entries and Claude MPM;
AM9xx suppressions and settings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.rules import file_too_large, hidden_unicode, shadowed

if TYPE_CHECKING:
    from agent_memory.rules.base import Rule

RULES: tuple[Rule, ...] = (
    hidden_unicode.RULE,
    shadowed.RULE,
    file_too_large.RULE,
)
BY_KEY: dict[str, Rule] = {key: rule for rule in RULES for key in (rule.code, rule.name)}
