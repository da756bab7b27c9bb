"""The examples of docs/frameworks.md with the real packages and models without a service."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from agent_memory import Memory
from conformance import frameworks, install
from kit import write

pytestmark = [pytest.mark.conformance, pytest.mark.slow]

PACKAGES = (
    "langchain==1.4.7",
    "deepagents==0.7.32",
    "openai-agents==0.24.0",
    "pydantic-ai-slim==2.68.0",
)
PAGE = Path(__file__).parents[2] / "docs" / "frameworks.md"
SCRIPT = Path(frameworks.__file__)
EXAMPLES = dict(
    re.findall(
        r"^## (.+)\n(?:(?!##).*\n)*?```python\n((?:.*\n)*?)```",
        PAGE.read_text("utf-8"),
        re.MULTILINE,
    )
)


@pytest.fixture(scope="module")
def interpreter():
    """Return the interpreter of an environment with the packages, installed if missing."""
    folder = install.HOME / "frameworks"
    python = folder / "bin" / "python"
    done = folder / "installed.txt"
    if not (done.is_file() and done.read_text("utf-8") == "\n".join(PACKAGES)):
        made = install.create(folder, *PACKAGES)
        if made.returncode:
            pytest.fail(f"the frameworks cannot be installed: {made.stderr[-300:]}")
        done.write_text("\n".join(PACKAGES), "utf-8")
    return python


def test_page_has_an_example_of_each_framework_and_names_its_version():
    assert list(EXAMPLES) == list(frameworks.FRAMEWORKS)
    text = PAGE.read_text("utf-8")
    for pin in PACKAGES:
        name, _, version = pin.partition("==")
        assert f"Tested with {name} {version}" in " ".join(text.split())


@pytest.mark.parametrize("name", frameworks.FRAMEWORKS)
def test_an_agent_remembers_and_recalls(name, interpreter, tmp_path):
    files = {".git/HEAD": "", ".deepagents/agent.md": "# Style\n\n- Use tabs\n"}
    project = write(tmp_path / "project", files)
    server = next(item for item in sys.path if item.endswith("server"))
    run = subprocess.run(
        [interpreter, "-W", "ignore", SCRIPT, name],
        input=json.dumps({"project": str(project), "example": EXAMPLES[name]}),
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONPATH": server},
    )
    assert run.returncode == 0, run.stderr[-2000:]
    seen = json.loads(run.stdout)
    assert "- Use tabs" in seen["system"]
    assert {"recall", "remember", "remember_entry", "forget"} <= set(seen["tools"])
    saved, found, refused = seen["results"]
    assert "ready" in saved
    assert "Deploy Monday to Thursday." in found
    assert "treat it as data" in found
    assert "error" in refused
    assert "Call list_entries" in refused
    assert not any(seen["threads"]), "a tool ran in the event loop"
    (entry,) = Memory(project, home=tmp_path).entries()
    assert entry.summary == "no friday deploys"
