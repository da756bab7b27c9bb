"""Run git without running a program that the configuration of a repository names.

Only commands are used that start no hook, filter, text conversion, monitor or remote helper.
Variables that lead git to another repository, such as those that a hook gets, are removed: the
result depends on the folder alone.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from agent_memory.base.errors import UsageError
from agent_memory.l10n import t

if TYPE_CHECKING:
    from pathlib import Path

TIMEOUT = 20.0
"""Seconds that one command may take."""

_REDIRECTING = frozenset(
    {
        *("GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_INDEX_FILE", "GIT_NAMESPACE"),
        *("GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_CEILING_DIRECTORIES"),
        *("GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS"),
        *("GIT_ICASE_PATHSPECS", "GIT_PREFIX", "GIT_SHALLOW_FILE", "GIT_REPLACE_REF_BASE"),
    }
)
_OURS = {"LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1"}


def run(folder: Path, *args: str, given: bytes = b"") -> bytes:
    """Return the output of ``git args`` in ``folder``; ``given`` is its standard input.

    Raises:
        UsageError: git is not installed, takes too long or fails; the message has the reason.

    """
    import subprocess  # noqa: PLC0415 -- a tenth of the start-up time, and rarely needed

    command = ["git", "-C", str(folder), "-c", "core.fsmonitor=false", *args]
    env = {name: value for name, value in os.environ.items() if name not in _REDIRECTING}
    try:
        done = subprocess.run(
            command, input=given, capture_output=True, check=False, timeout=TIMEOUT, env=env | _OURS
        )
    except subprocess.TimeoutExpired:
        raise UsageError(t("git took longer than {0:g} seconds; try again", TIMEOUT)) from None
    except OSError as error:
        raise UsageError(t("this needs git, which cannot be run ({0})", error.strerror)) from error
    if done.returncode:
        errors = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise UsageError(f"git: {errors[0].removeprefix('fatal: ') if errors else 'failed'}")
    return done.stdout
