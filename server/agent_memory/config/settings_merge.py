"""Merging settings of several files.

An invalid value does not override and is reported with file, key and what is accepted.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from agent_memory import secrets
from agent_memory.base.errors import UsageError
from agent_memory.config.agent_id import check_agent
from agent_memory.config.settings import KEYS, PATHS, SEVERITIES, Settings
from agent_memory.l10n import t

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from pathlib import Path


_COMBINED = frozenset({"allowed_secrets", "write_folders"})
"""Fields whose lists are combined: each file or editor adds to the list of the base."""


class KnownNames(NamedTuple):
    """The names that settings may refer to, looked up only when a setting uses one.

    ``runtimes()`` returns the runtime ids. ``why_unknown_rule(name)`` returns None for the code or
    name of a rule, else the message that it is unknown.
    """

    runtimes: Callable[[], Collection[str]]
    why_unknown_rule: Callable[[str], str | None]


class SettingProblem(NamedTuple):
    """An ignored setting. ``where`` is a file or the name of the editor's settings.

    ``key`` is the dotted key, or `file` for a whole file; ``message`` says why it is ignored.
    """

    where: str
    key: str
    message: str

    def __str__(self) -> str:
        return f"{self.where}: {self.key}: {self.message}"


def merge(
    base: Settings,
    values: Mapping[str, Any],
    where: str,
    known: KnownNames,
    folder: Path | None = None,
) -> tuple[Settings, list[SettingProblem]]:
    """Return ``base`` overridden by ``values`` (nested tables or dotted keys), and the problems.

    An unknown key or invalid value gives a problem and does not override. Relative paths start at
    ``folder``, by default at the working folder. ``where`` is the file or editor that a problem
    names. The secret scanner accepts the allowed secrets from now on.
    """
    changes, problems = _valid_fields(base, values, where, known)
    if "rules" in changes:
        severities, invalid = _valid_severities(changes["rules"], where, known)
        changes["rules"] = {**base.rules, **severities}
        problems += invalid
    for name in _COMBINED & changes.keys():
        combined = (*getattr(base, name), *changes[name])
        changes[name] = list(dict.fromkeys(combined))
    if "allowed_secrets" in changes:
        secrets.accept(changes["allowed_secrets"])
    paths = PATHS & changes.keys()
    if paths:  # a changed path no longer starts at the folder of `base`
        unchanged = {name: start for name, start in base.folders.items() if name not in paths}
        changed = dict.fromkeys(paths, folder) if folder else {}
        changes["folders"] = unchanged | changed
    return replace(base, **changes), problems


def _valid_fields(
    base: Settings, values: Mapping[str, Any], where: str, known: KnownNames
) -> tuple[dict[str, Any], list[SettingProblem]]:
    """Return the valid ones of ``values`` by field, and a problem for each of the others.

    A known key with the value None is not set: it gives neither a value nor a problem.
    """
    valid: dict[str, Any] = {}
    problems: list[SettingProblem] = []
    metadata = {field.name: field.metadata for field in fields(Settings)}
    for key, value in flatten(values):
        name = KEYS.get(key)
        if name is None:
            problems.append(SettingProblem(where, key, _why_unknown_setting(key)))
            continue
        if value is None:  # clients send null for an unset value
            continue
        why = _why_invalid(getattr(base, name), value, metadata[name])
        why = why or _why_unknown_name(name, value, known) or _why_no_folder(name, value)
        if why:
            problems.append(SettingProblem(where, key, why))
        else:
            valid[name] = value
    return valid, problems


def flatten(values: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Return (dotted key, value) of nested tables; a table that is a setting is not split."""
    flat: list[tuple[str, Any]] = []
    # A stack, the next item last: tables may be nested deeper than Python's recursion limit.
    pending = [(str(key), value) for key, value in reversed([*values.items()])]
    while pending:
        dotted, value = pending.pop()
        is_table = isinstance(value, Mapping) and dotted not in KEYS
        if is_table:
            pending += [(f"{dotted}.{key}", inner) for key, inner in reversed([*value.items()])]
        else:
            flat.append((dotted, value))
    return flat


def _why_invalid(overridden: Any, value: Any, meta: Mapping[str, Any]) -> str:
    """Return why ``value`` is not valid in place of the value ``overridden``, '' if it is valid.

    ``meta`` is the metadata of the field, with the ``minimum`` of a number.
    """
    if type(value) is not type(overridden):
        wanted, got = _type_name(overridden), _type_name(value)
        return t("expected {0}, got {1}; the value is ignored", wanted, got)
    if isinstance(value, int) and not isinstance(value, bool) and value < meta["minimum"]:
        return t("must be at least {0}, got {1}; the value is ignored", meta["minimum"], value)
    if isinstance(value, list) and not all(isinstance(item, str) for item in value):
        return t("every item must be a string; the value is ignored")
    return ""


def _why_unknown_name(field_name: str, value: Any, known: KnownNames) -> str:
    """Return why ``value`` of a field does not name a runtime or an agent, '' if it does.

    Only the fields ``runtime``, ``runtimes`` and ``agent`` are checked; ``auto`` is valid in each.
    A runtime must be a known one. An agent need not exist: only the form of its id is checked.
    """
    if field_name in ("runtime", "runtimes"):
        ids = [value] if field_name == "runtime" else value
        for runtime in ids:
            if runtime == "auto":
                continue
            runtimes = known.runtimes()
            if runtime not in runtimes:
                return _why_unknown_runtime(runtime, ("auto", *runtimes))
    if field_name == "agent" and value != "auto":
        try:
            check_agent(value)
        except UsageError as error:
            return str(error)
    return ""


def _why_no_folder(field_name: str, value: Any) -> str:
    """Return why one of the folders ``value`` is invalid, '' if all are valid.

    Only the field ``write_folders`` is checked. ``~name/notes`` is invalid, because the home folder
    of another user is not looked up.
    """
    if field_name != "write_folders":
        return ""
    for folder in value:
        is_of_other_user = folder.startswith("~") and folder[1:2] not in ("", "/", "\\")
        if is_of_other_user:
            return t("'{0}' must be an absolute path; the value is ignored", folder)
    return ""


def _valid_severities(
    values: Mapping[str, Any], where: str, known: KnownNames
) -> tuple[dict[str, str], list[SettingProblem]]:
    """Return the valid severities in ``values``, and a problem for each of the others.

    The keys are codes or names of rules, as they are written.
    """
    severities: dict[str, str] = {}
    problems: list[SettingProblem] = []
    for rule, value in values.items():
        unknown = known.why_unknown_rule(rule)
        if unknown is not None:
            problems.append(SettingProblem(where, f"rules.{rule}", unknown))
        elif value not in SEVERITIES:
            why = t("must be one of {0}; the value is ignored", ", ".join(SEVERITIES))
            problems.append(SettingProblem(where, f"rules.{rule}", why))
        else:
            severities[rule] = value
    return severities, problems


def _why_unknown_setting(key: str) -> str:
    """Return a message with the setting that is most similar to ``key``, else with all."""
    near = difflib.get_close_matches(key, KEYS, 1)
    if near:
        return t("unknown setting. Did you mean '{0}'?", near[0])
    return t("unknown setting. Known: {0}", ", ".join(KEYS))


def _why_unknown_runtime(runtime: str, known: Sequence[str]) -> str:
    """Return a message with the ``known`` id that is most similar to ``runtime``, else with all."""
    near = difflib.get_close_matches(runtime, known, 1)
    if near:
        return t("unknown runtime '{0}'. Did you mean '{1}'?", runtime, near[0])
    return t("unknown runtime '{0}'. Known: {1}", runtime, ", ".join(known))


def _type_name(value: Any) -> str:
    """Return the type of ``value`` in words."""
    names = {
        bool: t("true or false"),
        int: t("a whole number"),
        float: t("a number with a fraction"),
        str: t("text"),
        list: t("a list"),
        dict: t("a table"),
    }
    return names.get(type(value), t("a value of type {0}", type(value).__name__))
