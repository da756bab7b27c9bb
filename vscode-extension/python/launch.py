# ruff: noqa: INP001 -- a script of its own, copied beside its libraries
"""Start Agent Memory from the libraries that come with the extension.

usage: launch.py useBundled|fromEnvironment ARGUMENT...

With ``useBundled`` the libraries beside this file come first; with ``fromEnvironment`` they only
fill in what the interpreter's own environment lacks.
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
    from agent_memory.cli import main as run  # noqa: PLC0415 -- found only on the path set above

    return run(arguments)


if __name__ == "__main__":
    sys.exit(main())
