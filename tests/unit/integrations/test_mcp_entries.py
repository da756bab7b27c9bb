"""Learned entries over MCP: listed, read, changed, promoted; never those of another agent."""

from __future__ import annotations

import pytest
from mcp import Client
from mcp_types import ElicitResult

from agent_memory.entries.markdown_store import MarkdownEntries
from agent_memory.entries.validation import Draft
from agent_memory.integrations.mcp_server import server
from agent_memory.recall import usage
from kit import github_token, project, with_settings, write

pytestmark = pytest.mark.asyncio
FIRST = {"summary": "no friday deploys", "body": "Never on Fridays.", "tags": ["ops"]}


@pytest.fixture
def ctx(tmp_path):
    found = project(tmp_path, {".deepagents/agent.md": "# A\n"}, {})
    (found.cwd / ".memory/global").mkdir(parents=True)
    return found.with_(agent="w", env={"XDG_CACHE_HOME": str(tmp_path / "cache")})


def store(ctx):
    return MarkdownEntries(ctx.cwd / ".memory")


def put(ctx, summary, scope="global", agent=None, run=None):
    return store(ctx).put(Draft(scope, "project", summary, "A body.", agent, run))


async def call(client, name, **arguments):
    result = await client.call_tool(name, arguments)
    assert not result.is_error, result.content
    return result.structured_content


async def refusal(client, name, **arguments):
    result = await client.call_tool(name, arguments)
    assert result.is_error
    return result.content[0].text


async def test_an_agent_can_neither_see_nor_change_what_is_not_its_own(ctx):
    hidden = [
        put(ctx, "of another", "agent", "other"),
        put(ctx, "of a run", "run", "other", "r1"),
    ]
    mine = put(ctx, "my own", "agent", "w")
    everything = {"user", "create", "evict", "forget"}
    for agent, expected in (("w", {mine.id}), (None, set())):
        async with Client(server(ctx.with_(agent=agent), "deepagentsdk", everything)) as client:
            listed = (await call(client, "list_entries"))["entries"]
            assert {item["id"] for item in listed} == expected
            for entry in hidden + ([mine] if agent is None else []):
                for name, more in (
                    ("get_entry", {}),
                    ("update_entry", {"summary": "taken over"}),
                    ("promote_entry", {}),
                    ("forget", {}),
                    ("remember_entry", {"summary": "taken over", "body": "b"}),
                ):
                    message = await refusal(client, name, id=entry.id, **more)
                    assert message.startswith(f"no memory '{entry.id}'. Call list_entries"), name
    assert len(store(ctx).load()) == 3


async def test_entries_are_listed_by_what_they_are_and_by_use(ctx, tmp_path):
    async with Client(server(ctx, "deepagentsdk")) as client:
        first = await call(client, "remember_entry", **FIRST)
        await call(client, "remember_entry", summary="indent", body="Tabs.", kind="feedback")
        every = await call(client, "list_entries")
        assert every["count"] == 2
        assert "body" not in every["entries"][0]
        ops = await call(client, "list_entries", tags=["OPS"])
        assert [item["id"] for item in ops["entries"]] == [first["id"]]
        one = await call(client, "list_entries", limit=1)
        assert (len(one["entries"]), one["count"]) == (1, 2)
        assert (await call(client, "list_entries", older_days=1))["entries"] == []
        assert ops["entries"][0]["recalled"] is None
        await call(client, "recall", query="friday")
        ops = await call(client, "list_entries", tags=["ops"])
    assert ops["entries"][0]["recalled"]
    assert list(usage.read(store(ctx).root, ctx.env).last) == [first["id"]]


async def test_a_weak_match_is_marked_and_the_agent_is_told_to_search_again(ctx):
    async with Client(server(ctx, "deepagentsdk")) as client:
        await call(client, "remember_entry", **FIRST)
        good = await call(client, "recall", query="deploy on friday")
        weak = await call(client, "recall", query="which database never needs a password on Mars")
    (hit,) = good["entries"]
    assert hit["relevant"] is True
    assert hit["relevance"] > 0.25
    assert "advice" not in good
    assert not any(item["relevant"] for item in weak["entries"])
    assert "Search again with other words" in weak["advice"]


async def test_an_update_changes_the_given_fields_and_keeps_the_earlier_version(ctx):
    async with Client(server(ctx, "deepagentsdk")) as client:
        saved = await call(client, "remember_entry", **FIRST)
        await call(client, "update_entry", id=saved["id"], body="Never on Fridays or holidays.")
        entry = (await call(client, "get_entry", id=saved["id"]))["entry"]
        assert "Nothing to change" in await refusal(client, "update_entry", id=saved["id"])
        await call(client, "remember_entry", id=saved["id"], summary="s", body="b")
    assert entry["body"] == "Never on Fridays or holidays."
    assert (entry["summary"], entry["tags"]) == (FIRST["summary"], FIRST["tags"])
    trash = store(ctx).trash()
    bodies = {item.entry.body: item.entry.id for item in trash.entries()}
    assert set(bodies) == {"Never on Fridays.", "Never on Fridays or holidays."}
    assert (ctx.cwd / ".memory/.trash/.gitignore").read_text() == "*\n"
    restored = trash.restore(bodies["Never on Fridays."])
    assert restored.id != saved["id"]
    assert restored.summary == FIRST["summary"]


async def test_promotion_moves_the_entry_with_permission_and_copies_it_without(ctx):
    memory = ctx.cwd / ".deepagents/agent.md"
    async with Client(server(ctx, "deepagentsdk")) as client:
        saved = await call(client, "remember_entry", **FIRST)
        message = await refusal(client, "promote_entry", id=saved["id"])
        assert "--allow forget" in message
        assert memory.read_text() == "# A\n"
        done = await call(client, "promote_entry", id=saved["id"], keep=True)
        assert (done["kept"], done["path"]) == (True, str(memory))
    assert "Never on Fridays" in memory.read_text()
    assert store(ctx).with_id(saved["id"])
    async with Client(server(ctx, "deepagentsdk", {"forget"})) as client:
        done = await call(client, "promote_entry", id=saved["id"])
        assert (done["outcome"], done["kept"]) == ("duplicate", False)
        assert "--allow user" in await refusal(
            client, "promote_entry", id=put(ctx, "two").id, to="user"
        )
    assert not store(ctx).with_id(saved["id"])


async def test_instruction_files_are_left_to_the_person(ctx):
    write(ctx.cwd, {"AGENTS.md": "# Rules\n"})
    async with Client(server(ctx, "drover", {"forget"})) as client:
        saved = await call(client, "remember_entry", **FIRST)
        message = await refusal(client, "promote_entry", id=saved["id"])
        assert f"agent-memory entries promote {saved['id']}" in message
        listed = await call(client, "recall", query="Rules")
        (mirror,) = (item for item in listed["entries"] if "instructions" in item["tags"])
        assert "loaded project-instruction file" in await refusal(client, "forget", id=mirror["id"])
    asked = []

    async def allowed(_context, params):
        asked.append(params.message)
        return ElicitResult(action="accept", content={"allow": True})

    async with Client(server(ctx, "drover"), elicitation_callback=allowed) as client:
        await refusal(client, "forget", id=mirror["id"])
    assert asked == []  # no answer of a person could change the refusal
    assert (ctx.cwd / "AGENTS.md").read_text() == "# Rules\n"


async def test_a_secret_can_be_saved_redacted(ctx):
    token = github_token(6)
    async with Client(server(ctx, "deepagentsdk")) as client:
        for name, arguments in (
            ("remember", {"text": f"The token is {token}"}),
            ("remember_entry", {"summary": "s", "body": f"The token is {token}"}),
            ("remember_entry", {"summary": f"The token is {token}", "body": "b"}),
        ):
            message = await refusal(client, name, **arguments)
            assert "pass redact=true to save the text without the value" in message
            assert "--" not in message
            await call(client, name, **arguments, redact=True)
    for path in ctx.cwd.rglob("*.md"):
        assert token not in path.read_text()


async def test_needed_options_of_the_server_are_named(ctx):
    async with Client(server(ctx.with_(agent=None), "deepagentsdk")) as client:
        for scope, option in (("agent", "--agent NAME"), ("run", "--run ID")):
            message = await refusal(client, "remember_entry", **{**FIRST, "scope": scope})
            assert option in message
        assert "Call list_entries" in await refusal(client, "forget", id="x")


async def test_writes_are_limited_only_where_drover_is_chosen(ctx):
    for runtime, settings, limited in (
        (None, {}, False),
        ("claude-code", {"runtime": "drover"}, False),
        ("drover", {}, True),
        (None, {"runtime": "drover"}, True),
    ):
        async with Client(server(with_settings(ctx, **settings), runtime)) as client:
            one = {"summary": f"one {runtime} {settings}", "body": "b"}
            await call(client, "remember_entry", **one)
            again = await client.call_tool(
                "remember_entry", {"summary": f"two {runtime} {settings}", "body": "b"}
            )
            assert again.is_error is limited
