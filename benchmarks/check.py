"""Measure `agent-memory check`: one file, 5,000 nested files, 1,000 skills.

Usage: python benchmarks/check.py [--rounds N] [--json FILE]
Each figure is the best of N whole processes, in seconds, with its peak memory.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SERVER = Path(__file__).parents[1] / "server"
WORDS = (
    "build", "test", "deploy", "release", "branch", "review", "module", "client", "server",
    "schema", "query", "index", "cache", "token", "header", "retry", "timeout", "queue",
)  # fmt: skip


def memory(rng: random.Random) -> str:
    """Return about 2 KB of memory with headings, items, code spans and a fence."""
    lines = [f"# {rng.choice(WORDS).title()} notes", ""]
    for _ in range(4):
        lines += [f"## {' '.join(rng.sample(WORDS, 2)).title()}", ""]
        for _ in range(6):
            said = " ".join(rng.choices(WORDS, k=9))
            lines.append(f"- {said}, see `src/{rng.choice(WORDS)}.py` {rng.randrange(10**6)}")
        lines.append("")
    lines += ["```sh", f"make {rng.choice(WORDS)}", "```", ""]
    return "\n".join(lines)


def skill(rng: random.Random, name: str) -> str:
    about = " ".join(rng.choices(WORDS, k=12))
    return f"---\nname: {name}\ndescription: {about}\n---\n\n{memory(rng)}"


def sources(root: Path) -> None:
    """Create the files and make targets that the memory refers to: most references are right."""
    (root / "src").mkdir(parents=True)
    for word in WORDS:
        (root / "src" / f"{word}.py").write_text("", "utf-8")
    (root / "Makefile").write_text("".join(f"{word}:\n\ttrue\n" for word in WORDS), "utf-8")


def trees(folder: Path) -> dict[str, Path]:
    """Create the trees, the same ones each time."""
    rng = random.Random(1)
    places = {}
    for count in (1, 1_250, 2_500, 5_000):
        root = folder / f"nested-{count}"
        for number in range(count):
            path = root.joinpath(*(f"d{digit}" for digit in f"{number:04}")) / "AGENTS.md"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(memory(rng), "utf-8")
        (root / ".git").mkdir(parents=True, exist_ok=True)
        sources(root)
        places[f"{count:,} nested AGENTS.md"] = root
    root = folder / "skills"
    (root / ".git").mkdir(parents=True)
    for number in range(1_000):
        name = f"skill-{number:04}"
        path = root / ".deepagents" / "skills" / name / "SKILL.md"
        path.parent.mkdir(parents=True)
        path.write_text(skill(rng, name), "utf-8")
    sources(root)
    places["1,000 SKILL.md"] = root
    return places


def run(root: Path, rounds: int) -> tuple[float, int, int]:
    """Return seconds, peak KiB and checked files of the fastest of ``rounds`` runs."""
    command = [sys.executable, "-m", "agent_memory", "check", ".", "--format", "json"]
    env = {**os.environ, "PYTHONPATH": str(SERVER), "HOME": str(root / "home")}
    best, peak, files = 1e9, 0, 0
    for _ in range(rounds):
        begin = time.perf_counter()
        process = subprocess.Popen(command, cwd=root, env=env, stdout=subprocess.PIPE)
        assert process.stdout
        out = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        best = min(best, time.perf_counter() - begin)
        peak = max(peak, usage.ru_maxrss)
        assert process.returncode in (0, 1), process.returncode
        files = json.loads(out)["files"]
    return best, peak, files


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as name:
        for title, root in trees(Path(name)).items():
            seconds, peak, files = run(root, args.rounds)
            rows.append({"tree": title, "files": files, "seconds": seconds, "mib": peak / 1024})
            print(f"{title:<24} {seconds:7.3f} s  {peak / 1024:6.1f} MiB  {files:,} files")
    if args.json:
        args.json.write_text(json.dumps(rows, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
