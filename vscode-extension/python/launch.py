# ruff: noqa: INP001 -- a standalone script, copied next to its libraries
"""Start Agent Memory from the libraries bundled with the extension.

usage: launch.py useBundled|fromEnvironment ARGUMENT...

With ``useBundled`` the bundled libraries come first; with ``fromEnvironment`` they are the fallback
for packages missing in the interpreter's environment.
"""

import sys
from pathlib import Path

LIBS = str(Path(__file__).resolve().parent / "libs")


def main() -> int:
    """Run the command line of Agent Memory."""
    strategy, *arguments = sys.argv[1:]
    if strategy == "useBundled":
        sys.path.insert(0, LIBS)
    else:
        sys.path.append(LIBS)
    from agent_memory.cli import main as run  # noqa: PLC0415 -- importable only with the path set above

    return run(arguments)


if __name__ == "__main__":
    sys.exit(main())
