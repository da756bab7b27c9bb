"""Asking git, without running anything that a repository's own configuration names.

Only questions are asked that start no hook, filter, text conversion, monitor or remote helper.
Variables that lead git to another repository, such as those a hook is started with, are left
out: the answer depends on the folder alone. Callers that need this are few and seldom come to
it, so what it takes to start a program is imported when it is.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from agent_memory.base.errors import UsageError
from agent_memory.l10n import t

if TYPE_CHECKING:
    from pathlib import Path

TIMEOUT = 20.0
"""Seconds one question may take."""

_LEADING_ASTRAY = frozenset(
    {
        *("GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_INDEX_FILE", "GIT_NAMESPACE"),
        *("GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_CEILING_DIRECTORIES"),
        *("GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS"),
        *("GIT_ICASE_PATHSPECS", "GIT_PREFIX", "GIT_SHALLOW_FILE", "GIT_REPLACE_REF_BASE"),
    }
)
_OURS = {"LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1"}


def ask(folder: Path, *args: str, given: bytes = b"") -> bytes:
    """Return what ``git args`` prints in ``folder``; ``given`` is its standard input.

    Raises:
        UsageError: git is not there, takes too long or refuses; the message has its reason.

    """
    import subprocess  # noqa: PLC0415 -- a tenth of the start-up, and seldom needed

    command = ["git", "-C", str(folder), "-c", "core.fsmonitor=false", *args]
    env = {name: value for name, value in os.environ.items() if name not in _LEADING_ASTRAY}
    try:
        done = subprocess.run(
            command, input=given, capture_output=True, check=False, timeout=TIMEOUT, env=env | _OURS
        )
    except subprocess.TimeoutExpired:
        raise UsageError(t("git took longer than {0:g} seconds; try again", TIMEOUT)) from None
    except OSError as error:
        raise UsageError(t("this needs git, which cannot be run ({0})", error.strerror)) from error
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise UsageError(f"git: {said[0].removeprefix('fatal: ') if said else 'failed'}")
    return done.stdout
