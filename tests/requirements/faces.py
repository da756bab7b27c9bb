"""The command line and the Python API, asked the same questions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agent_memory import EntryTarget, Memory, UsageError
from agent_memory.serialize import hit_json
from kit import cli
from requirements.face import Answer, Face, RefusedError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.config.context import Context
    from requirements.face import Fact


def answer(value: dict[str, Any]) -> Answer:
    """Return a prompt in the form of the protocol."""
    says = [row["reason"] for row in value["sources"]]
    says += [row["message"] for row in value.get("problems", ())]
    statuses = {Path(row["path"]): row["status"] for row in value["sources"]}
    return Answer(value["text"], statuses, says)


class CommandLine(Face):
    """``agent-memory``."""

    name = "command line"

    def json(self, *args: str) -> Any:
        """Return the answer of a command as JSON.

        Raises:
            RefusedError: it printed only an error.

        """
        ran = cli(self.ctx, *args, "--format", "json")
        if not ran.out:
            raise RefusedError(ran.err)
        return json.loads(ran.out)

    async def prompt(self) -> Answer:
        return answer(self.json("prompt", "--reveal"))

    async def codes(self, path: Path) -> set[str]:
        """Return the codes of the findings in a file."""
        found = self.json("check", str(path))["findings"]
        return {row["code"] for row in found if row["path"] == str(path)}

    async def save(self, text: str, scope: str) -> tuple[str, str]:
        """Return the outcome of a plan to save, and its words."""
        plan = self.json("remember", text, "--scope", scope, "--dry-run")
        return plan["outcome"], f"{plan['message']} {plan['item']}"

    async def write(self, text: str, section: str | None = None) -> None:
        under = ["--section", section] if section else []
        plan = self.json("remember", text, "--scope", "project", "--yes", *under)
        if plan["outcome"] != "ready":
            raise RefusedError(plan["message"])

    async def put(self, fact: Fact) -> Path:
        given = {"scope": fact.scope, "kind": fact.kind, "summary": fact.summary}
        given |= {"agent": fact.agent, "run": fact.run, "id": fact.id, "tags": fact.tags}
        saved = self.json("remember", fact.body, "--yes", *_options(given))
        if saved.get("outcome", "ready") != "ready":
            raise RefusedError(saved["message"])
        return Path(saved["path"])

    async def forget(self, entry_id: str) -> None:
        self.json("forget", entry_id)

    async def recall(self, query: str, **options: Any) -> list[dict[str, Any]]:
        return self.json("recall", query, *_options(options))["entries"]


def _options(values: dict[str, Any]) -> Iterator[str]:
    for key, given in values.items():
        for value in given if isinstance(given, list | tuple) else [given]:
            if value is not None:
                yield from (f"--{key.removesuffix('s')}", str(value))


class LearnCommand(CommandLine):
    """``agent-memory learn add``, the other command that saves a learning."""

    name = "learn"

    async def write(self, text: str, section: str | None = None) -> None:
        self.json("learn", "add", self.agent, section or "", text)


class Api(Face):
    """``agent_memory.Memory``: one object for a project, as a program would keep it."""

    name = "API"

    def __init__(self, ctx: Context) -> None:
        super().__init__(ctx)
        self.opened()

    def opened(self) -> None:
        self.memory = Memory(self.ctx.cwd, home=self.ctx.home)

    async def prompt(self) -> Answer:
        prompt = self.memory.prompt()
        says = [item.reason for item in prompt.sources] + [item.message for item in prompt.problems]
        statuses = {item.path: str(item.status) for item in prompt.sources}
        return Answer(prompt.text, statuses, says)

    async def codes(self, path: Path) -> set[str]:
        """Return the codes of the findings in a file."""
        report = self.memory.check([path])
        return {item.code for item in report.findings if item.path == path}

    async def save(self, text: str, scope: str) -> tuple[str, str]:
        """Return the outcome of a plan to save, and its words."""
        plan = self.memory.remember(text, scope, dry_run=True)
        return str(plan.outcome), f"{plan.message} {plan.item}"

    async def write(self, text: str, section: str | None = None) -> None:
        self._remembered(text, section=section, create=True)

    async def put(self, fact: Fact) -> Path:
        target = EntryTarget(
            fact.scope, fact.kind, fact.summary, fact.tags, fact.agent, fact.run, fact.id
        )
        return self._remembered(fact.body, entry=target, create=True)

    def _remembered(self, text: str, **options: Any) -> Path:
        try:
            plan = self.memory.remember(text, **options)
        except UsageError as error:
            raise RefusedError(str(error)) from error
        if plan.outcome != "ready":
            raise RefusedError(plan.message)
        return plan.path

    async def forget(self, entry_id: str) -> None:
        try:
            self.memory.forget(entry_id)
        except UsageError as error:
            raise RefusedError(str(error)) from error

    async def recall(self, query: str, **options: Any) -> list[dict[str, Any]]:
        names = {name: options.pop(name) for name in ("agent", "run") if name in options}
        memory = Memory(self.ctx.cwd, home=self.ctx.home, **names) if names else self.memory
        try:
            return [hit_json(hit) for hit in memory.recall(query, **options)]
        except UsageError as error:
            raise RefusedError(str(error)) from error
