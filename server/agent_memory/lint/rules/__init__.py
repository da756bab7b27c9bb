"""All rules in the order of their codes; a new rule is a module here and a line in `_MODULES`.

AM1xx how the runtime reads the file; AM2xx secrets; AM3xx size; AM4xx structure;
AM5xx references; AM6xx content; AM7xx skills; AM8xx learned entries and Claude MPM;
AM9xx suppressions and settings.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from agent_memory.l10n import t
from agent_memory.lint.rules.unknown_suppression import nearest_of

if TYPE_CHECKING:
    from agent_memory.lint.rule import Rule

_MODULES = (
    "undecodable",  # AM101
    "not_a_file",  # AM102
    "unreadable",  # AM103
    "empty",  # AM104
    "symlink_refused",  # AM105
    "delimiter_breakout",  # AM106
    "hidden_unicode",  # AM107
    "name_case",  # AM108
    "not_loaded_name",  # AM109
    "both_generations",  # AM110
    "shadowed",  # AM111
    "front_matter_in_memory",  # AM112
    "comment_invisible",  # AM113
    "byte_order_mark",  # AM114
    "identical_copy",  # AM115
    "import_not_followed",  # AM131
    "personal_file_hides",  # AM132
    "blank_override",  # AM133
    "budget_cut",  # AM134
    "rule_never_matches",  # AM135
    "rule_condition",  # AM136
    "comment_dropped",  # AM137
    "secret_token",  # AM201
    "secret_contextual",  # AM202
    "private_key",  # AM203
    "credentials_in_url",  # AM204
    "file_too_large",  # AM301
    "prompt_too_large",  # AM302
    "cut_off",  # AM303
    "chain_too_large",  # AM304
    "unclosed_fence",  # AM401
    "duplicate_heading",  # AM402
    "duplicate_in_file",  # AM403
    "heading_jump",  # AM404
    "empty_section",  # AM405
    "heading_only_file",  # AM406
    "overlong_line",  # AM407
    "merge_conflict",  # AM408
    "stale_path",  # AM501
    "stale_link",  # AM502
    "stale_command",  # AM503
    "machine_path",  # AM504
    "version_mismatch",  # AM505
    "stale_tree",  # AM506
    "framework_version",  # AM507
    "wrong_package_manager",  # AM508
    "duplicate_across_scopes",  # AM601
    "conflict",  # AM602
    "transient",  # AM603
    "skill_front_matter",  # AM701
    "skill_yaml",  # AM702
    "skill_incomplete",  # AM703
    "skill_file_name",  # AM704
    "skill_place",  # AM705
    "skill_name",  # AM706
    "skill_description_cut",  # AM707
    "skill_too_long",  # AM708
    "entry_skipped",  # AM801
    "entry_misfiled",  # AM802
    "entry_limits",  # AM803
    "entry_reason",  # AM804
    "entry_starved",  # AM805
    "mpm_size",  # AM821
    "mpm_sections",  # AM822
    "mpm_line",  # AM823
    "mpm_required_section",  # AM824
    "mpm_block",  # AM825
    "unknown_suppression",  # AM901
    "unused_suppression",  # AM902
)
RULES: tuple[Rule, ...] = tuple(import_module(f"{__name__}.{name}").RULE for name in _MODULES)
BY_KEY: dict[str, Rule] = {key: rule for rule in RULES for key in (rule.code, rule.name)}
"""Each rule by its code, and by its name."""


def nearest(word: str) -> str | None:
    """Return the code or name of the rule most similar to ``word``, None if no rule is similar."""
    return nearest_of(word, BY_KEY)


def why_unknown(word: str) -> str:
    """Return a message about the unknown rule ``word``, with a similar rule or how to list all."""
    near = nearest(word)
    if near:
        return t("unknown rule '{0}'. Did you mean '{1}'?", word, near)
    return t("unknown rule '{0}'. `agent-memory rules` lists all rules", word)
