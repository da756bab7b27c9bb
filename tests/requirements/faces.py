"""The command line, the language server and the Python API, asked the same questions."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agent_memory import Memory
from kit import cli

if TYPE_CHECKING:
    from agent_memory.config.context import Context
    from lsp_kit import Editor


@dataclass
class Answer:
    """What one interface answers: the prompt, and by path the status of its sources."""

    text: str
    sources: dict[Path, str]
    says: list[str] = field(default_factory=list)


def _answer(value: dict[str, Any]) -> Answer:
    says = [row["reason"] for row in value["sources"]]
    says += [row["message"] for row in value["problems"]]
    statuses = {Path(row["path"]): row["status"] for row in value["sources"]}
    return Answer(value["text"], statuses, says)


class CommandLine:
    """``agent-memory``."""

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx

    def _json(self, *args: str) -> Any:
        ran = cli(self._ctx, *args, "--format", "json")
        assert ran.out, ran.err
        return json.loads(ran.out)

    async def prompt(self) -> Answer:
        return _answer(self._json("prompt", "--reveal"))

    async def codes(self, path: Path) -> set[str]:
        found = self._json("check", str(path))["findings"]
        return {row["code"] for row in found if row["path"] == str(path)}

    async def save(self, text: str, scope: str) -> tuple[str, str]:
        plan = self._json("remember", text, "--scope", scope, "--dry-run")
        return plan["outcome"], f"{plan['message']} {plan['item']}"

    async def recall(self, query: str, agent: str, options: dict[str, Any]) -> list[str]:
        args = ["--agent", agent]
        for key, values in options.items():
            name = key.removesuffix("s")
            for value in [values] if isinstance(values, str) else values:
                args += [f"--{name}", value]
        return [row["summary"] for row in self._json("recall", query, *args)["entries"]]


class Server:
    """The language server, in a workspace with the folder of ``ctx``."""

    def __init__(self, ctx: Context, editor: Editor) -> None:
        self._near = {"uri": (ctx.cwd / "x.md").as_uri()}
        self._editor = editor

    async def prompt(self) -> Answer:
        return _answer(
            await self._editor.request("agentMemory/prompt", {**self._near, "reveal": True})
        )

    async def codes(self, path: Path) -> set[str]:
        return {item["code"] for item in await self._editor.pull(path.as_uri())}

    async def save(self, text: str, scope: str) -> tuple[str, str]:
        asked = {**self._near, "text": text, "scope": scope}
        plan = await self._editor.request("agentMemory/remember", asked)
        return plan["outcome"], f"{plan['message']} {plan['item']}"

    async def recall(self, query: str, agent: str, options: dict[str, Any]) -> list[str]:
        asked = {**self._near, "query": query, "agent": agent, **options}
        found = await self._editor.request("agentMemory/recall", asked)
        return [row["summary"] for row in found["entries"]]


class Api:
    """``agent_memory.Memory``. It has no search."""

    def __init__(self, ctx: Context) -> None:
        self._memory = Memory(ctx.cwd, home=ctx.home)

    async def prompt(self) -> Answer:
        prompt = self._memory.prompt()
        says = [item.reason for item in prompt.sources] + [item.message for item in prompt.problems]
        statuses = {item.path: str(item.status) for item in prompt.sources}
        return Answer(prompt.text, statuses, says)

    async def codes(self, path: Path) -> set[str]:
        report = self._memory.check([path])
        return {item.code for item in report.findings if item.path == path}

    async def save(self, text: str, scope: str) -> tuple[str, str]:
        plan = self._memory.remember(text, scope, dry_run=True)
        return str(plan.outcome), f"{plan.message} {plan.item}"

    async def recall(self, query: str, agent: str, options: dict[str, Any]) -> None:
        return None
