"""Our middleware in a real ``create_deep_agent``: the model receives the prompt that we show."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from agent_memory.cli import main
from conformance import install
from kit import project

pytestmark = [pytest.mark.conformance, pytest.mark.slow]

NAME = install.FIRST
AGENT = """
import asyncio, json, pathlib, sys
from deepagents import create_deep_agent
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from agent_memory.integrations.langchain import AgentMemory

task = json.load(sys.stdin)
seen = []

class Model(GenericFakeChatModel):
    def bind_tools(self, tools, **kwargs):
        return self
    def _generate(self, messages, stop=None, run_manager=None, **kwargs):
        seen.append(messages[0].text if messages[0].type == "system" else "")
        return super()._generate(messages, stop, run_manager, **kwargs)

model = Model(messages=iter(AIMessage(content="done") for _ in range(9)))
memory = AgentMemory(task["cwd"], home=task["home"], runtime=task["runtime"])
agent = create_deep_agent(model=model, system_prompt="BASE PROMPT", middleware=[memory])
hello = {"messages": [{"role": "user", "content": "hello"}]}
agent.invoke(hello)
path = pathlib.Path(task["path"])
path.write_text(path.read_text() + "- Written while it runs\\n")
asyncio.run(agent.ainvoke(hello))
print(json.dumps(seen))
"""


@pytest.mark.parametrize(
    ("runtime", "name"), [("deepagents-code", "AGENTS.md"), ("deepagentsdk", "agent.md")]
)
def test_the_model_receives_our_block_and_an_edit_applies_at_once(
    tmp_path, drivers, capsys, runtime, name
):
    drivers(NAME)
    ctx = project(tmp_path, {f".deepagents/{name}": "# Rules\n\n- Use {braces} as they are\n"}, {})
    path = ctx.cwd / ".deepagents" / name
    task = {"cwd": str(ctx.cwd), "home": str(ctx.home), "runtime": runtime, "path": str(path)}
    place = ["--cwd", str(ctx.cwd), "--home", str(ctx.home), "--runtime", runtime]
    assert main(["prompt", *place, "--format", "json", "--reveal"]) == 0
    block = json.loads(capsys.readouterr().out)["text"]
    source = next(item for item in sys.path if item.endswith("server"))
    run = subprocess.run(
        [install.python(NAME), "-W", "ignore", "-c", AGENT],
        input=json.dumps(task),
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONPATH": source},
    )
    assert run.returncode == 0, run.stderr
    first, second = json.loads(run.stdout)
    assert block.strip() in first
    assert "BASE PROMPT" in first
    assert first.count("- Use {braces} as they are") == 1
    assert "- Written while it runs" in second
    assert "- Written while it runs" not in first


def test_a_tilde_is_the_home_of_the_user(tmp_path, drivers):
    """As in the Python API: nothing else would expand it."""
    drivers(NAME)
    mine = {".deepagents/agent/AGENTS.md": "- Mine\n"}
    ctx = project(tmp_path, {".deepagents/AGENTS.md": "- Ours\n"}, mine)
    cwd, home = (f"~/{path.relative_to(tmp_path)}" for path in (ctx.cwd, ctx.home))
    call = (
        "from agent_memory.integrations.langchain import AgentMemory\n"
        f"print(AgentMemory({cwd!r}, home={home!r}, runtime='deepagents-code').block())"
    )
    source = next(item for item in sys.path if item.endswith("server"))
    run = subprocess.run(
        [install.python(NAME), "-W", "ignore", "-c", call],
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONPATH": source},
    )
    assert "- Ours" in run.stdout, run.stderr
    assert "- Mine" in run.stdout
