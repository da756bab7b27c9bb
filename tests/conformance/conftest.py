from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from conformance import install
from conformance.trees import TREES

DRIVER = Path(__file__).with_name("driver.py")


PAGE = Path(__file__).parents[2] / "docs" / "runtimes.md"
BEGIN, END = "<!-- written by the conformance tests -->", "<!-- end -->"


class Driver:
    """A long-lived process in a runtime's environment that answers one task after another."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.kind = install.ENVIRONMENTS[name].kind
        self.process = subprocess.Popen(
            [install.python(name), "-W", "ignore", DRIVER, self.kind],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={"PATH": os.environ["PATH"], "HOME": str(install.HOME), "LANG": "C.UTF-8"},
            text=True,
            encoding="utf-8",
        )

    def ask(self, **task: object) -> dict[str, str]:
        self.process.stdin.write(json.dumps(task) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        assert line, f"{self.name}: the driver ended"
        return json.loads(line)

    def close(self) -> None:
        self.process.stdin.close()
        self.process.wait(timeout=30)


@pytest.fixture(scope="session")
def drivers():
    """Start a runtime's driver when it is first asked for; install it where it is missing."""
    running: dict[str, Driver] = {}

    def get(name: str) -> Driver:
        if name not in running:
            failed = install.install(name)
            if failed:
                pytest.skip(failed)
            running[name] = Driver(name)
        return running[name]

    yield get
    for driver in running.values():
        driver.close()


@pytest.fixture(scope="session")
def outcomes():
    """Collect (tree, runtime) -> outcome; a complete run writes the table of the documentation."""
    seen: dict[tuple[str, str], str] = {}
    yield seen
    names = [name for name in install.ENVIRONMENTS if any(name == it for _, it in seen)]
    if seen.keys() == {(tree, name) for tree in TREES for name in names}:
        write_table(names, seen)


def write_table(names: list[str], seen: dict[tuple[str, str], str]) -> None:
    rows = [
        "| tree | " + " | ".join(name.replace("-0", " 0") for name in names) + " |",
        "|---|" + "---|" * len(names),
        *(f"| {tree} | " + " | ".join(seen[tree, name] for name in names) + " |" for tree in TREES),
    ]
    before, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    text = "\n".join([f"{before}{BEGIN}", "", *rows, "", f"{END}{after}"])
    if text != PAGE.read_text("utf-8"):
        PAGE.write_text(text, "utf-8")
