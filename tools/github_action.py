"""The GitHub Action after the installation: check, annotate, write the summary and the outputs.

Standard library only: it runs on every runner's Python. Inputs are environment variables, so no
shell executes them.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections import Counter
from pathlib import Path

OWN = ("--format", "--output", "--fail-on")
"""Options of `check` that the action itself sets."""


def main() -> int:
    """Run all steps; return the exit code of the check."""
    options = shlex.split(value("CHECK_ARGS"))
    taken = [item for item in options if item.partition("=")[0] in OWN]
    if taken:
        print(f"::error::`args` contains {taken[0]}, which the action sets. Use its inputs instead")
        return 2
    paths = [line.strip() for line in value("CHECK_PATHS").splitlines() if line.strip()]
    given = [*options, "--", *(paths or ["."])]
    fails = ["--fail-on", value("CHECK_FAIL_ON") or "warning"]
    code = run("check", "--format", "github", *fails, *given).returncode
    if code == 2:
        return code
    quiet = ["check", "--fail-on", "never"]
    report = run(*quiet, "--format", "json", *given, capture=True).stdout
    summary = run(*quiet, "--format", "markdown", *given, capture=True).stdout
    if value("CHECK_SARIF"):
        run(*quiet, "--format", "sarif", "--output", value("CHECK_SARIF"), *given)
    prompt = changes(value("CHECK_BASE"))
    outputs = counts(json.loads(report)) | {"exit-code": code}
    append("GITHUB_OUTPUT", "".join(f"{key}={number}\n" for key, number in outputs.items()))
    text = f"### Agent Memory\n\n{summary}\n{prompt}"
    append("GITHUB_STEP_SUMMARY", text)
    if value("CHECK_COMMENT") == "true" and value("CHECK_PULL_REQUEST"):
        comment(value("CHECK_PULL_REQUEST"), text)
    return code


def counts(report: dict) -> dict[str, int]:
    """Return the number of findings, by severity too, and of accepted ones."""
    severities = Counter(item["severity"] for item in report["findings"])
    by_severity = {f"{name}s": severities[name] for name in ("error", "warning", "info")}
    accepted = report.get("accepted", 0)
    return {"findings": len(report["findings"]), **by_severity, "accepted": accepted}


def changes(base: str) -> str:
    """Return what changes in the prompts since the merge base with ``base``, as Markdown."""
    if not base:
        return ""
    done = run("prompt", "--diff", f"{base}...HEAD", "--format", "markdown", capture=True)
    if done.returncode:
        print("::warning::no prompt difference: use actions/checkout with `fetch-depth: 0`")
    return done.stdout


def comment(number: str, text: str) -> None:
    """Post ``text`` to the pull request, in place of the comment of the last run."""
    gh = ["gh", "pr", "comment", number, "--body-file", "-", "--edit-last", "--create-if-none"]
    if subprocess.run(gh, input=text, encoding="utf-8", check=False).returncode:
        print("::warning::no comment: the job needs `permissions: pull-requests: write`")


def run(*args: str, capture: bool = False) -> subprocess.CompletedProcess[str]:
    """Run ``agent-memory`` of the action's environment."""
    folder = Path(os.environ["RUNNER_TEMP"]) / "agent-memory"
    places = folder / "bin" / "agent-memory", folder / "Scripts" / "agent-memory.exe"
    program = next(place for place in places if place.exists())
    sys.stdout.flush()
    return subprocess.run(
        [program, *args], stdout=subprocess.PIPE if capture else None, encoding="utf-8", check=False
    )


def append(variable: str, text: str) -> None:
    """Append ``text`` to the file that the environment variable names."""
    if value(variable):
        with Path(value(variable)).open("a", encoding="utf-8", newline="\n") as file:
            file.write(text)


def value(name: str) -> str:
    """Return the environment variable ``name``, '' if it is not set."""
    return os.environ.get(name, "")


if __name__ == "__main__":
    sys.exit(main())
