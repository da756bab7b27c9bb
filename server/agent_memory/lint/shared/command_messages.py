"""The messages of AM503, by the tool of a command."""

from __future__ import annotations

from agent_memory.l10n import t, untranslated

_FILES = {
    "composer": "composer.json",
    "mise": "mise.toml",
    "task": "Taskfile.yml",
    "deno": "deno.json",
}
"""By the tool: the file that defines its scripts or tasks. That of npm can be in any folder."""
_MESSAGES = {
    "make": (
        untranslated("The Makefile has no target '{0}'\nThis command fails. Did you mean '{1}'?"),
        untranslated(
            "The Makefile has no target '{0}'\nThis command fails. Correct it, or remove it."
        ),
    ),
    "npm": (
        untranslated("{2} has no script '{0}'\nThis command fails. Did you mean '{1}'?"),
        untranslated("{2} has no script '{0}'\nThis command fails. Correct it, or remove it."),
    ),
    "pnpm": (
        untranslated("No package is called '{0}'\nThe filter selects nothing. Did you mean '{1}'?"),
        untranslated(
            "No package is called '{0}'\nThe filter selects nothing. Correct it, or remove it."
        ),
    ),
    "just": (
        untranslated("The justfile has no recipe '{0}'\nThis command fails. Did you mean '{1}'?"),
        untranslated(
            "The justfile has no recipe '{0}'\nThis command fails. Correct it, or remove it."
        ),
    ),
    "python": (
        untranslated("No module '{0}' in this project\nThis command fails. Did you mean '{1}'?"),
        untranslated(
            "No module '{0}' in this project\nThis command fails. Correct it, or remove it."
        ),
    ),
    "task": (
        untranslated("{2} has no task '{0}'\nThis command fails. Did you mean '{1}'?"),
        untranslated("{2} has no task '{0}'\nThis command fails. Correct it, or remove it."),
    ),
    "gradle": (
        untranslated("Gradle has no project '{0}'\nThis command fails. Did you mean '{1}'?"),
        untranslated("Gradle has no project '{0}'\nThis command fails. Correct it, or remove it."),
    ),
    "cargo": (
        untranslated("Cargo finds no '{2} {0}'\nThis command fails. Did you mean '{1}'?"),
        untranslated("Cargo finds no '{2} {0}'\nThis command fails. Correct it, or remove it."),
    ),
}
"""By the kind of tool: the message with a similar name, and without one.

{0} is the missing name, {1} the similar one, {2} the file that defines tasks and scripts, or an
option of cargo.
"""


def message(tool: str, manifest: str, name: str, similar_name: str) -> str:
    """Return the message for a command of ``tool`` with the missing target or script ``name``.

    ``similar_name`` is an existing name, '' without one. ``manifest`` is the path of the
    package.json whose script is called; tools other than npm do not use it.
    """
    kind, file_or_option = tool, ""
    if tool == "npm":
        file_or_option = manifest
    elif tool == "composer":  # its scripts are like those of npm
        kind, file_or_option = "npm", _FILES[tool]
    elif tool in _FILES:  # mise, task or deno, which call them tasks
        kind, file_or_option = "task", _FILES[tool]
    elif tool.startswith("cargo-"):  # cargo-bin: the option --bin
        kind, file_or_option = "cargo", tool.replace("cargo-", "--")
    with_name, without_name = _MESSAGES[kind]
    return t(with_name if similar_name else without_name, name, similar_name, file_or_option)
