"""The task runners whose tasks are read from files, one module for each."""

from __future__ import annotations

from agent_memory.lint.shared.runners import (
    cargo,
    composer,
    deno,
    gradle,
    just,
    make,
    mise,
    taskfile,
)

RUNNERS = {
    "make": make.RUNNER,
    "just": just.RUNNER,
    "mise": mise.RUNNER,
    "task": taskfile.RUNNER,
    "composer": composer.RUNNER,
    "deno": deno.RUNNER,
    "gradle": gradle.RUNNER,
    **cargo.RUNNERS,
}
"""By the tool of a command."""
