"""Fuzz the readers, the rules, the server and the command line.

Usage: make fuzz [FUZZ="--documents 1000000"]; python -m fuzz [--documents N] [--messages N]
[--yaml N] [--files N] [--seconds S] [--seed N]. Without numbers all targets share S seconds
(60). Each distinct finding is printed once, as a line for tests/fuzz/cases.py.
"""

from __future__ import annotations

import argparse
import random
import secrets
import sys
import tempfile
import time
import warnings
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fuzz.guard import Finding

TARGETS = {
    "documents": "Documents",
    "yaml": "Yaml",
    "messages": "Messages",
    "files": "Files",
}
"""The class of each target, in the module of that name."""
_REPORT_SECONDS = 60.0


class Run:
    """One run of a target. ``steps`` is the number of inputs, ``seconds`` its limit."""

    def __init__(self, name: str, seed: str) -> None:
        self.name = name
        self.rng = random.Random(f"{seed} {name}")
        self.done = 0
        self.findings: dict[str, Finding] = {}
        self.began = time.monotonic()

    def go(self, steps: float, seconds: float) -> None:
        """Run until either limit is reached."""
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            target: Any = getattr(import_module(f"fuzz.{self.name}"), TARGETS[self.name])
            target = target(Path(folder))
            shown = self.began + _REPORT_SECONDS
            while self.done < steps and time.monotonic() - self.began < seconds:
                found = target.run(self.rng)
                self.done += 1
                if found and found.error not in self.findings:
                    self.findings[found.error] = found
                    _say(found)
                if time.monotonic() > shown:
                    self.show()
                    shown += _REPORT_SECONDS
            if hasattr(target, "close"):
                target.close()
        self.show()

    def show(self) -> None:
        """Print the figures so far."""
        seconds = time.monotonic() - self.began
        _say(f"{self.name}: {self.done:,} in {seconds:.0f} s, {len(self.findings)} findings")


def _say(what: object) -> None:
    print(what, flush=True)  # noqa: T201 -- a program


def main() -> int:
    """Run the requested targets; return 1 if there is a finding."""
    parser = argparse.ArgumentParser(prog="fuzz", description=__doc__)
    for name in TARGETS:
        parser.add_argument(f"--{name}", type=int, metavar="N")
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--seed", default=str(secrets.randbelow(10**9)))
    args = vars(parser.parse_args())
    warnings.simplefilter("error")  # they quote the text, and nobody expects them
    wanted = {name: args[name] for name in TARGETS if args[name]}
    seconds = args["seconds"] or (float("inf") if wanted else 60.0)
    _say(f"seed {args['seed']}, Python {sys.version.split()[0]}")
    runs = []
    for name in wanted or TARGETS:
        run = Run(name, args["seed"])
        run.go(wanted.get(name, float("inf")), seconds / len(wanted or TARGETS))
        runs.append(run)
    return int(any(run.findings for run in runs))


if __name__ == "__main__":
    raise SystemExit(main())
