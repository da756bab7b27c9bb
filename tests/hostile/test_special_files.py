"""Links to devices, pipes, sockets and huge files in place of every file that is read.

Git stores symlinks, so a clone is enough for a link to /dev/zero.
"""

from __future__ import annotations

import json
import os
import socket
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from agent_memory.fs.reader import SIZE_CAP
from effort import alternating
from kit import cli, project, write
from lsp_wire import Wire

ULID = "01" + "A" * 24
PACKAGES = ".venv/lib/python3.11/site-packages"
SKILL = "---\nname: s\ndescription: d\n---\n"
FILES = {
    "AGENTS.md": "# A\n\n- see [x](docs/gone.md), run `make lint` and `npm run lint`\n",
    ".git": "gitdir: elsewhere\n",
    ".gitignore": "out/\n",
    "docs/.gitignore": "gone.md\n",
    ".gitmodules": "path = sub\n",
    "package.json": "{}",
    "Makefile": "test:\n",
    "justfile": "test:\n",
    "pyproject.toml": "",
    ".deepagents/agent-memory.toml": "",
    ".deepagents/agent-memory.baseline.toml": "version = 1\n",
    ".deepagents/AGENTS.md": "# B\n",
    ".deepagents/agent.md": "# B\n",
    ".deepagents/skills/s/SKILL.md": SKILL,
    ".agents/skills/s/SKILL.md": SKILL,
    "CLAUDE.md": "# C\n",
    "node_modules/deepagentsdk/package.json": '{"version": "1.0.0"}',
    f"{PACKAGES}/deepagents_code-0.1.57.dist-info/METADATA": "",
    f"{PACKAGES}/deepagents_code-0.1.57.dist-info/direct_url.json": "{}",
    f"{PACKAGES}/deepagents_code/agent.py": "",
    f"{PACKAGES}/deepagents/middleware/memory.py": "",
    ".claude-mpm/config.yml": "memory: {}\n",
    ".claude-mpm/memories/qa_memories.md": "# QA\n",
    f".memory/global/{ULID}.md": f"---\nid: {ULID}\nkind: project\nsummary: s\n---\n",
}
HOME = {
    ".deepagents/agent/AGENTS.md": "# U\n",
    ".deepagents/agent-memory.toml": "",
    ".deepagents/.state/plugin_state.json": "{}",
}
RUNTIMES = ["deepagents-code", "deepagentsdk", "claude-mpm", "drover", "deepagents"]
COMMANDS = ["check", "prompt", "sources", "skills"]
KINDS = ["device", "fifo", "socket", "huge"]
NAMES = [*FILES, *(f"~/{name}" for name in HOME)]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no such files on Windows")
_special: set[str] = set()


def _refuse_special(event: str, args: tuple[object, ...]) -> None:
    """Fail if a file of this test is opened, instead of reading it without end."""
    if event == "open" and _special and isinstance(args[0], str | bytes | Path):
        name = os.path.realpath(os.fsdecode(args[0]))
        if name in _special and not stat.S_ISREG(Path(name).stat().st_mode):
            raise RuntimeError(f"{args[0]!r} was opened")


@pytest.fixture(scope="module", autouse=True)
def _watch_opens():
    """Add the hook, which cannot be removed, only where these tests run: it slows down others."""
    sys.addaudithook(_refuse_special)


def replace(path: Path, kind: str) -> None:
    """Put a special file of ``kind`` in place of ``path``."""
    path.unlink()
    if kind == "device":
        path.symlink_to("/dev/zero")
    elif kind == "fifo":
        os.mkfifo(path)
    elif kind == "socket":
        before = Path.cwd()
        os.chdir(path.parent)  # the path of a socket must be short
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(path.name)
        os.chdir(before)
    else:
        with path.open("wb") as stream:
            stream.truncate(SIZE_CAP * 64)


def places(ctx):
    """Return every file of the test project and home."""
    return [ctx.cwd / name for name in FILES] + [ctx.home / name for name in HOME]


@pytest.fixture
def ctx(tmp_path):
    ctx = project(tmp_path, {"git/HEAD": "x"}, HOME)
    (ctx.cwd / ".git" / "HEAD").unlink()
    (ctx.cwd / ".git").rmdir()
    write(ctx.cwd, FILES)
    yield ctx
    _special.clear()


@pytest.mark.parametrize(("name", "kind"), alternating(NAMES, KINDS[:2]))
def test_commands_neither_hang_nor_open_it(ctx, name, kind):
    path = ctx.home / name[2:] if name.startswith("~/") else ctx.cwd / name
    replace(path, kind)
    _special.update((os.path.realpath(path), "/dev/zero"))
    for runtime in RUNTIMES:
        for command in COMMANDS:
            done = cli(ctx, command, "--runtime", runtime)
            assert "internal error" not in done.err + done.out, (runtime, command)
    done = cli(ctx, "check", ".", "--format", "json")
    assert {item["code"] for item in json.loads(done.out)["findings"]} or "AGENTS.md" in name


@pytest.mark.parametrize("kind", KINDS)
def test_imports_and_migrations_refuse_it(ctx, kind):
    write(ctx.cwd, {"export.json": "{}"})
    replace(ctx.cwd / "export.json", kind)
    replace(ctx.cwd / ".deepagents/agent.md", kind)
    _special.update(
        ("/dev/zero", *(str(ctx.cwd / x) for x in ("export.json", ".deepagents/agent.md")))
    )
    for command in ("import", "diff", "extract"):
        done = cli(ctx, "learn", command, str(ctx.cwd / "export.json"))
        assert done.code == 2, command
        assert "internal error" not in done.err
    done = cli(ctx, "migrate", "--yes")
    assert "internal error" not in done.err


@pytest.mark.parametrize("kind", KINDS)
def test_all_at_once_stay_within_little_memory(ctx, kind):
    import resource  # noqa: PLC0415 -- POSIX only

    for path in places(ctx):
        if path != ctx.cwd / "AGENTS.md":
            replace(path, kind)
    most = 2 << 30
    for command in COMMANDS:
        done = subprocess.run(
            [sys.executable, "-m", "agent_memory", command, "--home", str(ctx.home)],
            cwd=ctx.cwd,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (most, most)),
        )
        assert "Error" not in done.stderr, done.stderr
        assert done.returncode in (0, 1, 2)


@pytest.mark.parametrize("kind", KINDS)
def test_the_server_answers_every_request(ctx, kind):
    for path in places(ctx):
        if path != ctx.cwd / "AGENTS.md":
            replace(path, kind)
    wire = Wire(ctx.home)
    wire.initialize(ctx.cwd, workspace={"diagnostics": {}}, textDocument={"diagnostic": {}})
    uri = (ctx.cwd / "AGENTS.md").as_uri()
    answers = [
        wire.request("textDocument/diagnostic", {"textDocument": {"uri": uri}}),
        wire.request("workspace/diagnostic", {"previousResultIds": []}),
        wire.request("agentMemory/status"),
        *(wire.request("agentMemory/prompt", {"runtime": runtime}) for runtime in RUNTIMES),
    ]
    assert [answer.get("error") for answer in answers] == [None] * len(answers)
    assert answers[0]["result"]["items"]
    assert wire.leave()[0] == 0
