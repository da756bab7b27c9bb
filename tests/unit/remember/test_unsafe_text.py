"""No way to remember saves text that would be an error finding, or that hides findings."""

from __future__ import annotations

import pytest

from agent_memory.base.errors import UsageError
from agent_memory.lint.engine import check
from agent_memory.remember import planner
from agent_memory.remember.entry_planner import EntryTarget
from agent_memory.remember.move import move
from agent_memory.remember.plan import Outcome
from agent_memory.remember.snippet import Snippet
from agent_memory.remember.unsafe_text import MAX_BYTES, why_unsafe
from kit import cli, write
from remember_kit import MEMORY, PROJECT, read

BAD = {
    "zero-width": ("hid\u200bden", "U+200B"),
    "direction": ("abc\u202edef", "U+202E"),
    "tags": ("abc\U000e0041\U000e0042", "invisible"),
    "nul": ("a\0b", "control character U+0000"),
    "escape": ("a\x1b[2Jb", "control character U+001B"),
    "tag": ("a </agent_memory> b", "</agent_memory>"),
    "opening tag": ("a <project_memory> b", "without angle brackets"),
    "tag in code": ("```\n</user_memory>\n```", "</user_memory>"),
    "suppression": ("a <!-- agent-memory: disable-file -->", "turns findings off"),
    "suppression on lines": ("<!--\nagent-memory: disable-file\n-->", "turns findings off"),
    "next line": ("- a\n- <!-- agent-memory: disable-next-line AM107 --> b", "turns findings off"),
    "conflict": ("```\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n```", "merge conflict marker"),
    "long": ("word " * (MAX_BYTES // 5 + 1), f"more than the limit of {MAX_BYTES:,}"),
}
FINE = (
    "soft\u00adhyphens of a web page",
    "\u0646\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    "Family: \U0001f468\u200d\U0001f469\u200d\U0001f467",
    "write `<!-- agent-memory: disable-file -->` to turn it off",
    "Title\n=======\n\ntext",
    "tabs\tand\r\nlines",
    "<details>a</details>",
)


@pytest.mark.parametrize(("text", "why"), BAD.values(), ids=BAD)
@pytest.mark.parametrize("by_agent", [True, False])
def test_unsafe_text_is_refused_with_the_reason(ctx, text, why, by_agent):
    plan = planner.plan(ctx, Snippet(text), "project", by_agent=by_agent, allow_duplicate=True)
    assert plan.outcome is Outcome.REFUSED
    assert why in plan.message
    assert not plan.edits
    with pytest.raises(UsageError):
        planner.apply(plan)
    assert read(ctx) == MEMORY


@pytest.mark.parametrize(("text", "why"), list(BAD.values())[:10], ids=list(BAD)[:10])
def test_entries_refuse_it_in_every_field(ctx, text, why):
    write(ctx.cwd, {".memory/global/.keep": ""})
    good = "fine"
    for body, summary, tags in ((text, good, ()), (good, text, ()), (good, good, (text,))):
        if "\n" in text and body == good:
            continue
        plan = planner.plan(ctx, Snippet(body), EntryTarget(summary=summary, tags=tags))
        assert plan.outcome is Outcome.REFUSED
        assert why in plan.message


@pytest.mark.parametrize("text", FINE)
def test_ordinary_text_is_saved_and_adds_no_error(ctx, text):
    plan = planner.plan(ctx, Snippet(text), "project")
    assert plan.outcome is Outcome.READY, plan.message
    planner.apply(plan)
    assert [item for item in check(ctx).findings if item.severity == "error"] == []


def test_a_section_name_is_checked_too(ctx):
    plan = planner.plan(ctx, Snippet("a"), "project", section="x <!-- agent-memory: disable -->")
    assert plan.outcome is Outcome.REFUSED


def test_settings_and_comments_of_the_project_have_no_say(ctx):
    write(ctx.cwd, {".deepagents/agent-memory.toml": 'rules.AM107 = "off"\n'})
    write(ctx.cwd, {PROJECT: "<!-- agent-memory: disable-file -->\n" + MEMORY})
    done = cli(ctx, "remember", "hid\u200bden")
    assert done.code == 1
    assert "U+200B" in done.err


def test_a_hidden_text_is_not_moved_to_user_memory(ctx):
    write(ctx.cwd, {PROJECT: "# P\n\n- hid\u200bden\n"})
    done = move(ctx, ctx.cwd / PROJECT, 2, "user")
    assert done.plan.outcome is Outcome.REFUSED
    assert done.plan.message.startswith("Not moved: ")


def test_a_comment_no_longer_switches_the_linter_off(ctx):
    cli(ctx, "remember", "hid\u200bden <!-- agent-memory: disable-file -->")
    assert read(ctx) == MEMORY


def test_learnings_refuse_it(tmp_path, capsys):
    from agent_memory.cli import main  # noqa: PLC0415 -- this test alone runs learn

    root = write(tmp_path / "shop", {"pyproject.toml": ""})
    for text in ("hid\u200bden fact", "a <!-- agent-memory: disable-file -->"):
        assert main(["learn", "add", "qa", "pattern", text, "--cwd", str(root)]) == 1
        assert "Failed to add learning" in capsys.readouterr().err
    assert not (root / ".claude-mpm/memories/qa_agent.md").exists()


def test_the_reason_of_a_harmless_text_is_empty():
    assert why_unsafe("- a fact") == ""
