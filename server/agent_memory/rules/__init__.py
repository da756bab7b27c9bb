"""All rules in the order of their codes.

AM1xx what the runtime makes of the file; AM2xx secrets; AM3xx size; AM4xx structure;
AM5xx references; AM6xx content; AM7xx skills; AM8xx learned entries and Claude MPM;
AM9xx suppressions and settings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.rules import (
    both_generations,
    byte_order_mark,
    credentials_in_url,
    delimiter_breakout,
    duplicate_heading,
    duplicate_in_file,
    empty,
    file_too_large,
    front_matter_in_memory,
    hidden_unicode,
    name_case,
    not_a_file,
    not_loaded_name,
    private_key,
    prompt_too_large,
    secret_contextual,
    secret_token,
    shadowed,
    symlink_refused,
    unclosed_fence,
    undecodable,
    unknown_suppression,
    unreadable,
    unused_suppression,
)
from agent_memory.rules.unknown_suppression import nearest_of

if TYPE_CHECKING:
    from agent_memory.rules.base import Rule

RULES: tuple[Rule, ...] = (
    undecodable.RULE,
    not_a_file.RULE,
    unreadable.RULE,
    empty.RULE,
    symlink_refused.RULE,
    delimiter_breakout.RULE,
    hidden_unicode.RULE,
    name_case.RULE,
    not_loaded_name.RULE,
    both_generations.RULE,
    shadowed.RULE,
    front_matter_in_memory.RULE,
    byte_order_mark.RULE,
    secret_token.RULE,
    secret_contextual.RULE,
    private_key.RULE,
    credentials_in_url.RULE,
    file_too_large.RULE,
    prompt_too_large.RULE,
    unclosed_fence.RULE,
    duplicate_heading.RULE,
    duplicate_in_file.RULE,
    unknown_suppression.RULE,
    unused_suppression.RULE,
)
BY_KEY: dict[str, Rule] = {key: rule for rule in RULES for key in (rule.code, rule.name)}


def nearest(word: str) -> str | None:
    """Return the code or name of a rule that ``word`` was probably meant as."""
    return nearest_of(word, BY_KEY)


def hint(word: str) -> str:
    """Return the half sentence that helps with ``word``, which is no rule."""
    near = nearest(word)
    return f"did you mean '{near}'?" if near else "`agent-memory rules` lists them"
