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
    import subprocess
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
"""Variables that lead git to another repository, or change what a path or an object means."""
_OURS = {"LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1"} | {
    "GIT_ALLOW_PROTOCOL": "none"  # a git without GIT_NO_LAZY_FETCH fetches missing objects
}
"""Variables for messages in English, without locks that only save time, without downloads."""


def run(folder: Path, *args: str, given: bytes = b"") -> bytes:
    """Return the output of ``git args`` in ``folder``; ``given`` is its standard input.

    Raises:
        UsageError: git is not installed, takes too long or fails; the message has the reason.

    """
    import subprocess  # noqa: PLC0415 -- a tenth of the start-up time, and rarely needed

    try:
        completed = subprocess.run(
            _command(folder, args),
            input=given,
            capture_output=True,
            check=False,
            timeout=TIMEOUT,
            env=_environment(),
        )
    except subprocess.TimeoutExpired:
        raise UsageError(t("git took longer than {0:g} seconds; try again", TIMEOUT)) from None
    except OSError as error:
        raise UsageError(t("this needs git, which cannot be run ({0})", error.strerror)) from error
    if completed.returncode:
        errors = completed.stderr.decode("utf-8", "replace").strip().splitlines()
        raise UsageError(f"git: {errors[0].removeprefix('fatal: ') if errors else 'failed'}")
    return completed.stdout


def read_some(
    folder: Path, *args: str, given: bytes = b"", seconds: float, limit: int
) -> bytes | None:
    """Return at most the first ``limit`` bytes of the output of ``git args`` in ``folder``.

    ``given`` is the standard input of git. After ``seconds`` git is killed; the result is what it
    has written by then. None if git is not installed, fails, or is killed before it has written
    anything.
    """
    import subprocess  # noqa: PLC0415 -- as in run
    import tempfile  # noqa: PLC0415

    # `given` in a file: writing a long one to a pipe would hang, because git stops reading it while
    # nobody reads its output.
    with tempfile.TemporaryFile() as stdin:
        stdin.write(given)
        stdin.seek(0)
        try:
            git = subprocess.Popen(
                _command(folder, args),
                stdin=stdin,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=_environment(),
            )
        except OSError:
            return None
        return _read_limited(git, seconds, limit)


def _read_limited(git: subprocess.Popen[bytes], seconds: float, limit: int) -> bytes | None:
    """Return at most ``limit`` bytes of the output of the running ``git``, and wait for its end.

    The process is killed after ``seconds``, and when it has written ``limit`` bytes. None if it
    fails, or is killed before it has written anything.
    """
    from threading import Event, Timer  # noqa: PLC0415

    is_late = Event()

    def kill() -> None:
        """End git, which has run for ``seconds``."""
        is_late.set()
        git.kill()

    with git:
        timer = Timer(seconds, kill)
        timer.start()
        out = git.stdout.read(limit) if git.stdout else b""  # a pipe, so never None
        is_cut = len(out) == limit
        if is_cut:
            git.kill()
        git.wait()
        timer.cancel()
    if is_cut or is_late.is_set():  # the exit code of a killed process says nothing
        return out or None
    return out if git.returncode == 0 else None


def _command(folder: Path, args: tuple[str, ...]) -> list[str]:
    """Return the command line of ``git args`` in ``folder``, without the repository's monitor."""
    return ["git", "-C", str(folder), "-c", "core.fsmonitor=false", *args]


def _environment() -> dict[str, str]:
    """Return the variables for git: ``_OURS``, and those of this process but ``_REDIRECTING``."""
    return {name: text for name, text in os.environ.items() if name not in _REDIRECTING} | _OURS
