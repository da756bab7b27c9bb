"""All rules in the order of their codes.

AM1xx what the runtime makes of the file; AM2xx secrets; AM3xx size; AM4xx structure;
AM5xx references; AM6xx content; AM7xx skills; AM8xx learned entries and Claude MPM;
AM9xx suppressions and settings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.l10n import t
from agent_memory.lint.rules import (
    both_generations,
    byte_order_mark,
    chain_too_large,
    comment_invisible,
    conflict,
    credentials_in_url,
    cut_off,
    delimiter_breakout,
    duplicate_across_scopes,
    duplicate_heading,
    duplicate_in_file,
    empty,
    empty_section,
    entry_limits,
    entry_misfiled,
    entry_reason,
    entry_skipped,
    entry_starved,
    file_too_large,
    front_matter_in_memory,
    heading_jump,
    heading_only_file,
    hidden_unicode,
    mpm_block,
    mpm_line,
    mpm_required_section,
    mpm_sections,
    mpm_size,
    name_case,
    not_a_file,
    not_loaded_name,
    overlong_line,
    private_key,
    prompt_too_large,
    secret_contextual,
    secret_token,
    shadowed,
    skill_description_cut,
    skill_file_name,
    skill_front_matter,
    skill_incomplete,
    skill_name,
    skill_place,
    skill_yaml,
    stale_command,
    stale_link,
    stale_path,
    symlink_refused,
    transient,
    unclosed_fence,
    undecodable,
    unknown_suppression,
    unreadable,
    unused_suppression,
)
from agent_memory.lint.rules.unknown_suppression import nearest_of

if TYPE_CHECKING:
    from agent_memory.lint.rule import Rule

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
    comment_invisible.RULE,
    byte_order_mark.RULE,
    secret_token.RULE,
    secret_contextual.RULE,
    private_key.RULE,
    credentials_in_url.RULE,
    file_too_large.RULE,
    prompt_too_large.RULE,
    cut_off.RULE,
    chain_too_large.RULE,
    unclosed_fence.RULE,
    duplicate_heading.RULE,
    duplicate_in_file.RULE,
    heading_jump.RULE,
    empty_section.RULE,
    heading_only_file.RULE,
    overlong_line.RULE,
    stale_path.RULE,
    stale_link.RULE,
    stale_command.RULE,
    duplicate_across_scopes.RULE,
    conflict.RULE,
    transient.RULE,
    skill_front_matter.RULE,
    skill_yaml.RULE,
    skill_incomplete.RULE,
    skill_file_name.RULE,
    skill_place.RULE,
    skill_name.RULE,
    skill_description_cut.RULE,
    entry_skipped.RULE,
    entry_misfiled.RULE,
    entry_limits.RULE,
    entry_reason.RULE,
    entry_starved.RULE,
    mpm_size.RULE,
    mpm_sections.RULE,
    mpm_line.RULE,
    mpm_required_section.RULE,
    mpm_block.RULE,
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
    return t("did you mean '{0}'?", near) if near else t("`agent-memory rules` lists them")
