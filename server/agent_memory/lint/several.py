"""Findings for every listed runtime (set or found): one finding per place.

Only rules with ``per_runtime`` are run for the other runtimes. Their findings join those of the
chosen one: the same finding in the same place becomes one, and says for which runtimes it holds.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from agent_memory.base.model import Status
from agent_memory.l10n import t
from agent_memory.lint.rule import FileRule, ProjectRule
from agent_memory.runtimes import BY_ID

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from agent_memory.base.model import Finding
    from agent_memory.lint.project import Project
    from agent_memory.lint.rule import Hit, Rule

_SHADOWED = "AM111"
"""The rule about a file that a runtime does not read because another one replaces it."""
RUNTIMES = "runtimes"
"""Key in the data of a finding: the ids of the runtimes that it holds for."""


def hits_of_others(
    open_other: Callable[[str], Project | None], project: Project, rules: Sequence[Rule]
) -> Iterator[tuple[Rule, str, Hit]]:
    """Yield (rule, runtime id, hit) for each other listed runtime, of ``rules`` with `per_runtime`.

    ``open_other`` returns the project of a runtime, None if it cannot be opened.
    """
    rules_per_runtime = [rule for rule in rules if rule.per_runtime]
    if not rules_per_runtime or not project.others:
        return
    read_by_chosen = _read_by_chosen(project)
    for runtime_id in project.others:
        other = open_other(runtime_id)
        if other is None:
            continue
        for rule in rules_per_runtime:
            for hit in _hits(rule, other):
                # The other runtime ignores a file, but the chosen one reads it: nothing is lost.
                need_not_read = rule.code == _SHADOWED and hit.path in read_by_chosen
                if not need_not_read:
                    yield rule, runtime_id, hit


def _read_by_chosen(project: Project) -> frozenset[Path]:
    """Return the files that the chosen runtime reads, so that another one need not read them.

    Many projects have AGENTS.md for most agents and CLAUDE.md for one. If the settings list the
    runtimes, each of them should read every file, so the result is empty.
    """
    if not project.ctx.settings.is_default("runtimes"):
        return frozenset()
    read = (Status.LOADED, Status.TRUNCATED, Status.LISTED)
    return frozenset(item.path for item in project.sources if item.status in read)


def _hits(rule: Rule, project: Project) -> Iterator[Hit]:
    """Yield the hits of ``rule`` in all files of ``project``, each with its path.

    Nothing is yielded for a rule that is neither a project rule nor a file rule: such a rule does
    not have `per_runtime`.
    """
    if isinstance(rule, ProjectRule):
        yield from rule.check(project)
    elif isinstance(rule, FileRule):
        for path, file in project.files.items():
            if file.source.role in rule.roles and (file.is_text or not rule.needs_text):
                yield from (replace(hit, path=path) for hit in rule.check(file, project))


def joined(
    findings: Sequence[Finding], project: Project, rules: Mapping[str, Rule]
) -> list[Finding]:
    """Return ``findings`` of one file; equal ones of several runtimes become one that names them.

    Two findings are equal if rule and span are, but only those of rules with `per_runtime` are
    joined. A finding that another rule ``replaces`` on its line is left out for the same runtimes.
    If no other runtime is listed, no finding names runtimes.
    """
    reporting = [rules[code] for code in {finding.code for finding in findings}]
    if not any(rule.per_runtime or rule.replaces for rule in reporting):
        return list(findings)
    if not project.others:
        return list(_without_replaced(findings, project, rules))
    merged = _merged(findings, project, rules)
    return [
        _with_runtimes(finding, project) if rules[finding.code].per_runtime else finding
        for finding in _without_replaced(merged, project, rules)
    ]


def _merged(
    findings: Sequence[Finding], project: Project, rules: Mapping[str, Rule]
) -> list[Finding]:
    """Return ``findings``, in which equal ones of rules with `per_runtime` are one.

    The data of such a finding has the ids of all runtimes that it holds for (:data:`RUNTIMES`).
    """
    listed = {project.choice.runtime.id, *project.others}
    merged: dict[object, Finding] = {}
    for finding in findings:
        if not rules[finding.code].per_runtime:
            merged[len(merged), finding.code] = finding  # a key of its own: it is not joined
            continue
        # A deferred rule repeats findings of its last run, perhaps for a runtime listed only then.
        runtime_ids = [each for each in _runtime_ids(finding, project) if each in listed]
        if not runtime_ids:
            continue
        key = (finding.code, finding.span)
        earlier = merged.get(key)
        if earlier:
            runtime_ids = [*_runtime_ids(earlier, project), *runtime_ids]
        data = {**finding.data, RUNTIMES: list(dict.fromkeys(runtime_ids))}
        merged[key] = replace(earlier or finding, data=data)
    return list(merged.values())


def _runtime_ids(finding: Finding, project: Project) -> list[str]:
    """Return the ids of the runtimes that ``finding`` holds for; without data, the chosen one."""
    runtime_ids: list[str] = finding.data.get(RUNTIMES, [project.choice.runtime.id])
    return runtime_ids


def _without_replaced(
    findings: Sequence[Finding], project: Project, rules: Mapping[str, Rule]
) -> Iterator[Finding]:
    """Yield ``findings`` without those that another one on their line replaces.

    A finding that holds for several runtimes remains for those that no replacing finding holds for.
    """
    replacing_codes = {code for code in {each.code for each in findings} if rules[code].replaces}
    if not replacing_codes:
        yield from findings
        return
    replacing = [finding for finding in findings if finding.code in replacing_codes]
    for finding in findings:
        covered: set[str] = set()  # the runtimes for which another finding replaces it
        for other in replacing:
            on_its_line = other.span.line == finding.span.line
            if on_its_line and finding.code in rules[other.code].replaces:
                covered.update(_runtime_ids(other, project))
        if RUNTIMES not in finding.data:  # its rule does not run for each runtime
            if not covered:
                yield finding
            continue
        left = [each for each in _runtime_ids(finding, project) if each not in covered]
        if left:
            yield replace(finding, data={**finding.data, RUNTIMES: left})


def _with_runtimes(finding: Finding, project: Project) -> Finding:
    """Return ``finding`` with a sentence about the runtimes it holds for, and does not hold for."""
    every_id = [project.choice.runtime.id, *project.others]
    holds = [runtime_id for runtime_id in every_id if runtime_id in finding.data[RUNTIMES]]
    others = [runtime_id for runtime_id in every_id if runtime_id not in holds]
    if not others:
        text = t("{0}. This holds for {1}", finding.fact, _titles(holds))
    else:
        text = t(
            "{0}. This holds for {1}, not for {2}",
            finding.fact,
            _titles(holds),
            _titles(others),
        )
    return replace(finding, fact=text)


def _titles(runtime_ids: Sequence[str]) -> str:
    """Return the titles of the runtimes as a phrase: "A, B and C"."""
    titles = [t(BY_ID[runtime_id].title) for runtime_id in runtime_ids]
    return titles[0] if len(titles) == 1 else t("{0} and {1}", ", ".join(titles[:-1]), titles[-1])
