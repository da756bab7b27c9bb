"""The TypeScript example with the real AI SDK and its mock model."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from agent_memory import Memory
from conformance import install
from kit import project

pytestmark = [pytest.mark.conformance, pytest.mark.slow]

PACKAGES = ("ai@6.0.324", "esbuild@0.28.2", "typescript@5.9.3", "@types/node@20.19.25")
EXAMPLE = Path(__file__).parents[2] / "examples" / "ai-sdk" / "agent-memory.ts"
CALL = """
import { generateText, wrapLanguageModel } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { agentMemory } from "./agent-memory.mjs";
const [cwd, command, ...system] = process.argv.slice(2);
const model = new MockLanguageModelV3({
  doGenerate: async () => ({
    content: [{ type: "text", text: "ok" }],
    finishReason: { unified: "stop", raw: undefined },
    usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
    warnings: [],
  }),
});
const wrapped = wrapLanguageModel({ model, middleware: agentMemory(cwd, command) });
const options = system[0] ? { system: system[0] } : {};
await generateText({ model: wrapped, prompt: "hello", ...options });
console.log(JSON.stringify(model.doGenerateCalls[0].prompt));
"""


@pytest.fixture(scope="module")
def node():
    """Return the folder with the packages and the compiled example."""
    folder = install.HOME / "ai-sdk"
    done = folder / "installed.txt"
    if not (done.is_file() and done.read_text() == "\n".join(PACKAGES)):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "package.json").write_text('{"private": true, "type": "module"}')
        npm = ["npm", "install", "--no-fund", "--no-audit", "--loglevel=error", *PACKAGES]
        made = subprocess.run(npm, cwd=folder, capture_output=True, text=True, check=False)
        if made.returncode:
            pytest.fail(f"the AI SDK cannot be installed: {made.stderr[-300:]}")
        done.write_text("\n".join(PACKAGES))
    shutil.copy(EXAMPLE, folder)
    (folder / "call.mjs").write_text(CALL)
    return folder


def run(node, *args, **env):
    return subprocess.run(
        args, cwd=node, env={**os.environ, **env}, capture_output=True, text=True, check=False
    )


def test_the_example_has_valid_types(node):
    options = [
        "--noEmit",
        "--strict",
        "--skipLibCheck",
        "--module",
        "nodenext",
        "--target",
        "es2022",
    ]
    checked = run(node, "node_modules/.bin/tsc", *options, EXAMPLE.name)
    assert checked.returncode == 0, checked.stdout


@pytest.mark.parametrize("system", ["", "BASE"])
def test_the_model_gets_the_block_in_its_system_message(node, system, tmp_path):
    built = run(node, "node_modules/.bin/esbuild", EXAMPLE.name, "--outfile=agent-memory.mjs")
    assert built.returncode == 0, built.stderr
    memory = {".deepagents/agent.md": "- Use `pnpm`, \u00e9\u4e16 $HOME\n"}
    ctx = project(tmp_path, memory, {".deepagents/agent/agent.md": "- mine\n"})
    command = str(Path(sys.executable).with_name("agent-memory"))
    called = run(node, "node", "call.mjs", str(ctx.cwd), command, system, HOME=str(ctx.home))
    assert called.returncode == 0, called.stderr
    first, second = json.loads(called.stdout)
    assert first["role"] == "system"
    assert first["content"] == Memory(ctx.cwd, home=ctx.home).prompt(base=system).text
    assert (second["role"], second["content"]) == ("user", [{"type": "text", "text": "hello"}])
