"""Runs inside a runtime's environment: builds its real middleware and returns its prompt.

Reads one JSON request per line from standard input and writes one JSON answer per line:
``{"home", "cwd", "agent", "base", "options"}`` -> ``{"text"}`` or ``{"error"}``. Nothing of
Agent Memory is imported, and no model is called: the request passed to the middleware is a mock
that records the system prompt.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import io
import json
import os
import sys
import types
from pathlib import Path


def system_text(request):
    message = request.system_message
    if message is None:
        return ""
    content = message.content
    if isinstance(content, str):
        return content
    return "".join(block["text"] for block in content)


def run_middleware(layers, base):
    """Return the system prompt after each of ``layers`` loaded its state and wrapped the call."""
    from langchain.agents.middleware.types import ModelRequest
    from langchain_core.messages import SystemMessage

    state = {"messages": []}
    for layer in layers:
        hook = layer.before_agent
        takes_config = "config" in hook.__code__.co_varnames[: hook.__code__.co_argcount]
        runtime = types.SimpleNamespace(context=None, stream_writer=None, store=None)
        state.update(hook(state, runtime, *([{}] if takes_config else [])) or {})
    request = ModelRequest(
        model=None,
        messages=[],
        system_message=SystemMessage(base) if base else None,
        tools=[],
        state=state,
        runtime=None,
    )
    seen = []

    def call(number, current):
        if number == len(layers):
            seen.append(system_text(current))
            return None
        return layers[number].wrap_model_call(current, lambda later: call(number + 1, later))

    call(0, request)
    return seen[0]


class Captured(Exception):  # noqa: N818 -- transports the middleware, not an error
    pass


def deepagents_code(task):
    from deepagents_code import agent
    from deepagents_code.config import settings
    from deepagents_code.project_utils import ProjectContext
    from langchain_core.language_models.fake_chat_models import GenericFakeChatModel

    def capture(**options):
        raise Captured(options["middleware"])

    agent.create_deep_agent = capture
    options = task["options"]
    project = ProjectContext.from_user_cwd(task["cwd"])
    settings.project_root = project.project_root  # set once per process
    try:
        agent.create_cli_agent(
            GenericFakeChatModel(messages=iter(())),
            task["agent"],
            project_context=project,
            cwd=task["cwd"],
            memory_auto_save=options.get("auto_save", True),
            enable_skills=options.get("skills", True),
        )
    except Captured as found:
        layers = found.args[0]
    wanted = ("MemoryMiddleware", "PluginSkillsMiddleware")
    return run_middleware([item for item in layers if type(item).__name__ in wanted], task["base"])


def deepagents_sdk(task):
    from importlib.metadata import version

    from deepagents.backends.filesystem import FilesystemBackend
    from deepagents.middleware.memory import MemoryMiddleware
    from deepagents.middleware.skills import SkillsMiddleware

    backend = FilesystemBackend(root_dir=task["cwd"], virtual_mode=False)
    layers = [MemoryMiddleware(backend=backend, sources=task["options"]["sources"])]
    skills = task["options"].get("skill_sources")
    if skills:
        layers.append(SkillsMiddleware(backend=backend, sources=skills))
        if not version("deepagents").startswith(("0.3.", "0.4.")):
            layers.reverse()  # the order of create_deep_agent
    return run_middleware(layers, task["base"])


def deepagents_cli(task):
    from deepagents_cli.agent_memory import AgentMemoryMiddleware
    from deepagents_cli.config import Settings
    from deepagents_cli.skills.middleware import SkillsMiddleware

    settings = Settings.from_environment(start_path=Path(task["cwd"]))
    layers = [AgentMemoryMiddleware(settings=settings, assistant_id=task["agent"])]
    if task["options"].get("skills", True):
        layers.append(
            SkillsMiddleware(
                skills_dir=settings.get_user_skills_dir(task["agent"]),
                assistant_id=task["agent"],
                project_skills_dir=settings.get_project_skills_dir(),
            )
        )
    return run_middleware(layers, task["base"])


def claude_mpm(task):
    from claude_mpm.hooks.base_hook import HookContext, HookType
    from claude_mpm.hooks.memory_integration_hook import MemoryPreDelegationHook
    from claude_mpm.utils.paths import PathResolver

    PathResolver.get_project_root.cache_clear()
    hook = MemoryPreDelegationHook()
    context = HookContext(
        hook_type=HookType.PRE_DELEGATION,
        data={"agent": task["agent"]},
        metadata={},
        timestamp=dt.datetime.now(dt.UTC),
    )
    found = hook.execute(context).data.get("context", {})
    return task["base"] + found.get("agent_memory", "")


KINDS = {
    "claude-mpm": claude_mpm,
    "deepagents-code": deepagents_code,
    "deepagents": deepagents_sdk,
    "deepagents-cli": deepagents_cli,
}


def answer(kind, task):
    os.environ["HOME"] = task["home"]
    os.chdir(task["cwd"])
    noise = io.StringIO()
    try:
        with contextlib.redirect_stdout(noise):
            return {"text": KINDS[kind](task)}
    except Exception as error:  # noqa: BLE001 -- any failure is an answer
        return {"error": f"{type(error).__name__}: {error}"}


def main():
    kind = sys.argv[1]
    for line in sys.stdin:
        print(json.dumps(answer(kind, json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
