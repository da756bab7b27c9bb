"""Installs the real runtimes, each in its own environment below ``.cache/conformance``.

The newest runtime is installed with its dependencies. The others contain only their own package
and use the dependencies of the first through a ``.pth`` file, which saves space. Run as a program,
this module installs all of them.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

HOME = Path(__file__).resolve().parents[2] / ".cache" / "conformance"
FIRST = "deepagents-code-0.1.57"


@dataclass(frozen=True)
class Environment:
    """An environment: the runtime's id and the packages to install."""

    kind: str
    pins: tuple[str, ...]


ENVIRONMENTS = {
    FIRST: Environment("deepagents-code", ("deepagents-code==0.1.57",)),
    "deepagents-0.3.4": Environment("deepagents", ("deepagents==0.3.4",)),
    "deepagents-0.4.12": Environment("deepagents", ("deepagents==0.4.12",)),
    "deepagents-0.6.12": Environment("deepagents", ("deepagents==0.6.12",)),
    "deepagents-0.7.32": Environment("deepagents", ("deepagents==0.7.32",)),
    "deepagents-cli-0.0.12": Environment(
        "deepagents-cli", ("deepagents-cli==0.0.12", "deepagents==0.2.8")
    ),
    "claude-mpm-3.2.1": Environment("claude-mpm", ("claude-mpm==3.2.1",)),
}


def python(name: str) -> Path:
    """Return the interpreter of environment ``name``."""
    return HOME / name / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def packages(name: str) -> Path:
    """Return the package folder of environment ``name``."""
    return next((HOME / name).glob("lib*/python3*/site-packages"))


@contextlib.contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Hold the lock of ``folder``: several test processes may install the same program."""
    import fcntl  # noqa: PLC0415 -- POSIX only

    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.with_name(f"{folder.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def install(name: str) -> str:
    """Install environment ``name`` if it is missing; return why it failed, or ''."""
    failed = "" if name == FIRST else install(FIRST)
    if failed:
        return failed
    with alone(HOME / name):
        return _install(name)


def create(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Create an environment and install packages with the pip of this one, which is a fast one."""
    venv.create(folder, clear=True)
    pip = [sys.executable, "-m", "pip", "--python", str(folder)]
    command = [*pip, "install", "-q", "--no-compile", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=900)


def _install(name: str) -> str:
    pins = ENVIRONMENTS[name].pins
    done = HOME / name / "installed.txt"
    if done.is_file() and done.read_text("utf-8") == "\n".join(pins):
        return ""
    result = create(HOME / name, *([] if name == FIRST else ["--no-deps"]), *pins)
    if result.returncode:
        lines = [line for line in result.stderr.splitlines() if "ERROR" in line]
        return f"{name} cannot be installed: {' '.join(lines)[-500:]}"
    if name != FIRST:
        shared = packages(name) / "shared.pth"
        shared.write_text(f"{packages(FIRST)}\n", "utf-8")
    done.write_text("\n".join(pins), "utf-8")
    return ""


if __name__ == "__main__":
    failed = [why for why in map(install, ENVIRONMENTS) if why]
    sys.exit("\n".join(failed) or 0)
