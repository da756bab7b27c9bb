"""All rules in the order of their codes.

AM1xx what the runtime makes of the file; AM2xx secrets; AM3xx size; AM4xx structure;
AM5xx references; AM6xx content; AM7xx skills; AM8xx learned entries and Claude MPM;
AM9xx suppressions and settings.
"""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from agent_memory.rules import (
    credentials_in_url,
    file_too_large,
    hidden_unicode,
    private_key,
    secret_contextual,
    secret_token,
    shadowed,
)

if TYPE_CHECKING:
    from agent_memory.rules.base import Rule

RULES: tuple[Rule, ...] = (
    hidden_unicode.RULE,
    shadowed.RULE,
    secret_token.RULE,
    secret_contextual.RULE,
    private_key.RULE,
    credentials_in_url.RULE,
    file_too_large.RULE,
)
BY_KEY: dict[str, Rule] = {key: rule for rule in RULES for key in (rule.code, rule.name)}


def nearest(word: str) -> str | None:
    """Return the code or name of a rule that ``word`` was probably meant as."""
    folded = word.upper() if word[:2].upper() == "AM" else word.lower().replace("_", "-")
    near = difflib.get_close_matches(folded, BY_KEY, 1)
    return near[0] if near else None


def hint(word: str) -> str:
    """Return the half sentence that helps with ``word``, which is no rule."""
    near = nearest(word)
    return f"did you mean '{near}'?" if near else "`agent-memory rules` lists them"
