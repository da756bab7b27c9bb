"""Install dist/ into empty environments without a network, and use it: ``make smoke``.

Wheel and sdist are installed for every Python from 3.11 on that this machine has (on PATH, or of
pyenv), and run as ``agent-memory`` and ``agent-memory-ls``, and by ``uvx`` if uv is on PATH. The
dependencies are downloaded to .cache/wheels before, once for each Python.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[1]
WHEELS = ROOT / ".cache" / "wheels"
PIP = ("-m", "pip", "--disable-pip-version-check", "-q")
BUILD = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["build-system"]["requires"]


def pythons() -> Iterator[tuple[str, Path]]:
    """Yield version and path of one interpreter of each minor version from 3.11 on."""
    folders = [*os.environ["PATH"].split(os.pathsep)]
    folders += map(str, sorted(Path.home().glob(".pyenv/versions/*/bin")))
    ask = "import sys; print('%d.%d' % sys.version_info[:2], sys.executable)"
    seen: dict[str, Path] = {}
    for minor in range(11, 20):
        for folder in folders:
            path = Path(folder, f"python3.{minor}")
            if not path.exists() or f"3.{minor}" in seen:
                continue
            done = subprocess.run([path, "-c", ask], capture_output=True, text=True, check=False)
            if done.returncode == 0:  # a shim of pyenv may have no version
                version, _, program = done.stdout.strip().partition(" ")
                seen[version] = Path(program)
    yield from seen.items()


def download(version: str, python: Path) -> Path:
    """Return the folder with the dependencies for ``version``; download it the first time."""
    folder = WHEELS / version
    if not (folder / "complete").exists():
        folder.mkdir(parents=True, exist_ok=True)
        requirements = ROOT / "requirements" / "run.txt"
        run(python, *PIP, "download", "--require-hashes", "-r", requirements, "-d", folder)
        run(python, *PIP, "download", *BUILD, "-d", folder)
        (folder / "complete").touch()
    return folder


def run(*command: object, **options: object) -> str:
    """Return the output of ``command``; raise if it fails."""
    words = list(map(str, command))
    done = subprocess.run(words, capture_output=True, text=True, check=False, **options)
    if done.returncode:
        sys.exit(f"smoke: {' '.join(words)} failed\n{done.stdout}{done.stderr}")
    return done.stdout


def offline(*command: object, **options: object) -> str:
    """Return the output of ``command``, which has no network where the system allows that."""
    return run(*_NAMESPACE, *command, **options)


_UNSHARE = ("unshare", "--user", "--net", "--map-root-user")
_NAMESPACE = (
    _UNSHARE
    if shutil.which("unshare")
    and subprocess.run([*_UNSHARE, "true"], capture_output=True, check=False).returncode == 0
    else ()
)


def use(program: Path, folder: Path) -> None:
    """Run the installed ``program`` in a new project below ``folder``."""
    home, project = folder / "home", folder / "project"
    for path in (home, project / ".git"):
        path.mkdir(parents=True)
    (project / "AGENTS.md").write_text("- See [a](gone.md).\n", "utf-8")
    env = {"HOME": str(home), "PATH": "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1"}
    place = {"cwd": project, "env": env}
    wanted = (ROOT / "server/agent_memory/base/version.py").read_text("utf-8")
    for name in (program, program.with_name("agent-memory-ls")):
        version = offline(name, "--version", **place).split()[-1]
        assert f'"{version}"' in wanted, version
    report = json.loads(
        offline(program, "check", "--format", "json", "--fail-on", "never", **place)
    )
    assert [item["code"] for item in report["findings"]] == ["AM502"], report
    assert "# AM502" in offline(program, "rules", "AM502", **place)
    offline(program, "remember", "Amounts are cents", "--runtime", "codex", **place)
    assert "- Amounts are cents" in offline(program, "prompt", "--runtime", "codex", **place)
    _initialize(program, place)


def _initialize(program: Path, place: dict[str, object]) -> None:
    """Start the language server, and ask for its capabilities."""
    messages = [
        {"id": 1, "method": "initialize", "params": {"capabilities": {}, "processId": None}},
        {"id": 2, "method": "shutdown"},
        {"method": "exit"},
    ]
    bodies = [json.dumps({"jsonrpc": "2.0", **message}) for message in messages]
    text = "".join(f"Content-Length: {len(body)}\r\n\r\n{body}" for body in bodies)
    assert '"capabilities"' in offline(program, "serve", input=text, **place)


def main() -> int:
    """Test every package with every Python; return the exit code."""
    packages = [*(ROOT / "dist").glob("*.whl"), *(ROOT / "dist").glob("*.tar.gz")]
    if len(packages) != 2:
        sys.exit("smoke: run `make packages` before")
    for version, python in pythons():
        found = download(version, python)
        options = ("--no-index", "--find-links", found)
        for package in packages:
            start = time.monotonic()
            with tempfile.TemporaryDirectory() as folder:
                env = Path(folder, "env")
                run(python, "-m", "venv", env)
                offline(env / "bin/python", *PIP, "install", *options, package)
                use(env / "bin/agent-memory", Path(folder))
            print(f"Python {version}, {package.name}: {time.monotonic() - start:.0f} s")
        if uvx := shutil.which("uvx"):
            command = (uvx, "--offline", *options, "--python", python, "--from", packages[0])
            print(
                f"Python {version}, uvx:", offline(*command, "agent-memory-ls", "--version"), end=""
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
