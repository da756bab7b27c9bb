"""The copy that runs and the page are what the TOML files say."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_the_copy_and_the_page_are_up_to_date():
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "secret_kinds.py", "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
