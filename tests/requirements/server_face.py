"""The language server, asked the same questions; it answers with edits, which are applied here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pygls.exceptions import JsonRpcException

from agent_memory.base.text import Span, apply_edits, split_lines
from agent_memory.lsp.protocol.convert import to_path
from requirements.face import Answer, Face, RefusedError
from requirements.faces import answer

if TYPE_CHECKING:
    from pathlib import Path

    from agent_memory.config.context import Context
    from lsp_kit import Editor
    from requirements.face import Fact


class Server(Face):
    """The language server; a probe's folder need not be one of the workspace."""

    name = "server"

    def __init__(self, ctx: Context, editor: Editor) -> None:
        super().__init__(ctx)
        self.editor = editor

    async def ask(self, method: str, **params: Any) -> Any:
        """Return the answer to one of our requests about the project.

        Raises:
            RefusedError: it is an error.

        """
        near = {"uri": (self.ctx.cwd / "x.md").as_uri()}
        try:
            return await self.editor.request(f"agentMemory/{method}", {**near, **params})
        except JsonRpcException as error:
            raise RefusedError(str(error)) from error

    async def run(self, command: str, **params: Any) -> Any:
        """Return the answer of a command about the project.

        Raises:
            RefusedError: it is an error.

        """
        given = {"uri": (self.ctx.cwd / "x.md").as_uri(), **params}
        asked = {"command": f"agentMemory.server.{command}", "arguments": [given]}
        try:
            return await self.editor.request("workspace/executeCommand", asked)
        except JsonRpcException as error:
            raise RefusedError(str(error)) from error

    async def prompt(self) -> Answer:
        return answer(await self.ask("prompt", reveal=True))

    async def codes(self, path: Path) -> set[str]:
        """Return the codes of the findings in a file."""
        return {item["code"] for item in await self.editor.pull(path.as_uri())}

    async def save(self, text: str, scope: str) -> tuple[str, str]:
        """Return the outcome of a plan to save, and its words."""
        plan = await self.ask("remember", text=text, scope=scope)
        return plan["outcome"], f"{plan['message']} {plan['item']}"

    async def write(self, text: str, section: str | None = None) -> None:
        under = {"section": section} if section else {}
        await self._remember(text=text, scope="project", create=True, **under)

    async def put(self, fact: Fact) -> Path:
        assert fact.id is None, "the server saves new entries only"
        given = {"scope": fact.scope, "kind": fact.kind, "summary": fact.summary}
        given |= {"tags": list(fact.tags), "agent": fact.agent, "run": fact.run}
        used = {key: value for key, value in given.items() if value is not None}
        return await self._remember(text=fact.body, create=True, **used)

    async def _remember(self, **asked: Any) -> Path:
        plan = await self.ask("remember", **asked)
        if plan["outcome"] != "ready":
            raise RefusedError(plan["message"])
        for change in plan["edit"]["documentChanges"]:
            _apply(change)
        path = to_path(plan["target"]["uri"])
        assert path
        return path

    async def forget(self, entry_id: str) -> None:
        await self.run("forget", id=entry_id)

    async def recall(self, query: str, **options: Any) -> list[dict[str, Any]]:
        return (await self.ask("recall", query=query, **options))["entries"]


def _apply(change: dict[str, Any]) -> None:
    """Apply one change of an edit to the disk, as an editor does."""
    if change.get("kind") == "create":
        path = to_path(change["uri"])
        assert path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        return
    path = to_path(change["textDocument"]["uri"])
    assert path
    edits = [(_span(item["range"]), item["newText"]) for item in change["edits"]]
    path.write_bytes(apply_edits(split_lines(path.read_bytes().decode()), edits).encode())


def _span(value: dict[str, Any]) -> Span:
    ends = (value["start"], value["end"])
    return Span(*(ends[at][key] for at in (0, 1) for key in ("line", "character")))
