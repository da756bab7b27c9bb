"""All benchmarks one after the other: python benchmarks/run.py. Needs an idle machine."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
ENV = {**os.environ, "PYTHONPATH": str(HERE.parent / "server")}


def main() -> None:
    load = os.getloadavg()[0]
    print(f"load {load:.1f} on {os.cpu_count()} processors, Python {sys.version.split()[0]}")
    for name in ("lsp.py", "check.py", "recall.py"):
        print(f"\n{name}")
        sys.stdout.flush()
        subprocess.run([sys.executable, HERE / name], env=ENV, check=True)


if __name__ == "__main__":
    main()
