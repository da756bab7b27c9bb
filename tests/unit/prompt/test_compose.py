from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory import serialize
from agent_memory.base.model import Segment
from agent_memory.base.text import Span
from agent_memory.prompt.compose import around_base, compose
from agent_memory.runtimes import RUNTIMES
from agent_memory.runtimes.segments import MessageBlock, in_blocks
from kit import project

IDS = [runtime.id for runtime in RUNTIMES]
TEXT = "# Notes\r\n\n- caf\u00e9 \U0001f600 {braces} <!-- a comment -->\n- end"


@pytest.fixture
def ctx(tmp_path):
    files = {f".deepagents/{name}": TEXT for name in ("agent.md", "AGENTS.md")}
    home = {f".deepagents/agent/{name}": "- mine\n" for name in ("agent.md", "AGENTS.md")}
    return project(tmp_path, files, home)


def everything(root: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}


@pytest.mark.parametrize("runtime", IDS)
def test_composing_again_gives_the_same_prompt_and_writes_nothing(ctx, runtime):
    before = everything(ctx.cwd.parent)
    first, second = compose(ctx, runtime), compose(ctx, runtime)
    assert first == second
    assert first.text == "".join(item.text for item in first.segments)
    assert everything(ctx.cwd.parent) == before


@pytest.mark.parametrize("runtime", IDS)
def test_the_sizes_are_those_of_the_text(ctx, runtime):
    prompt = compose(ctx, runtime)
    raw = prompt.text.encode()
    assert (prompt.size, prompt.hash) == (len(raw), hashlib.sha256(raw).hexdigest())
    value = serialize.prompt_json(prompt, lambda path: ctx.store.read(path).lines, 4000)
    assert value["bytes"] == sum(part["bytes"] for part in value["segments"]) == len(raw)
    assert value["tokens"] == sum(part["tokens"] for part in value["segments"])
    assert value["text"] == "".join(part["text"] for part in value["segments"])
    assert value["masked"] is False
    assert json.loads(json.dumps(value)) == value


@pytest.mark.parametrize("runtime", IDS)
def test_a_base_prompt_is_inserted_unchanged(ctx, runtime):
    base = "You are helpful.\n{not a field}"
    prompt = compose(ctx, runtime, base)
    assert base in prompt.text
    assert "base" in {item.kind for item in prompt.segments}


@pytest.mark.parametrize("runtime", IDS)
def test_sources_are_numbered_in_load_order(ctx, runtime):
    orders = [item.order for item in compose(ctx, runtime).sources if item.order]
    assert orders == list(range(1, len(orders) + 1))


def test_a_mask_changes_only_the_displayed_text(ctx):
    prompt = compose(ctx)
    hide = lambda texts: [text.replace("mine", "****") for text in texts]  # noqa: E731
    value = serialize.prompt_json(prompt, lambda path: ctx.store.read(path).lines, 1, hide)
    assert value["masked"] is True
    assert "- mine" not in json.dumps(value["segments"]) + value["text"]
    assert (value["hash"], value["bytes"]) == (prompt.hash, prompt.size)


@given(st.integers(0, 3), st.integers(0, 12), st.sampled_from(["utf-8", "utf-16", "utf-32"]))
def test_a_range_never_points_past_the_end_of_a_line(line, column, encoding):
    lines = ["caf\u00e9\n", "\U0001f600x\r\n", "end"]
    place = serialize.range_json(Span(line, column, line, column), lines, encoding)["start"]
    raw, size = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}[
        encoding
    ]
    full = len(lines[line].rstrip("\r\n").encode(raw)) // size if line < len(lines) else 0
    assert place["line"] == line
    assert 0 <= place["character"] <= full


def test_a_segment_names_its_file_and_lines():
    path = Path("agent.md").absolute()
    value = serialize.segment_json(Segment("a\nb\n", "user", path, 4), "a\nb\n", 4)
    assert (value["startLine"], value["endLine"], value["uri"]) == (4, 6, path.as_uri())
    template = serialize.segment_json(Segment("x"), "x", 1)
    assert (template["path"], template["uri"], template["startLine"]) == (None, None, None)


@pytest.mark.parametrize("runtime", IDS)
def test_the_text_is_that_of_the_blocks_with_a_blank_line_between(ctx, runtime):
    prompt = compose(ctx, runtime)
    assert "\n\n".join(block.text for block in prompt.blocks()) == prompt.text
    value = serialize.prompt_json(prompt, lambda path: ctx.store.read(path).lines, 4000)
    assert value["blocks"] == [block._asdict() for block in prompt.blocks()]
    for number, block in enumerate(value["blocks"]):
        inside = [part["text"] for part in value["segments"] if part["block"] == number]
        assert "".join(inside) == block["text"]


def test_blocks_are_masked_as_the_text_is(ctx):
    prompt = compose(ctx)
    hide = lambda texts: [text.replace("mine", "****") for text in texts]  # noqa: E731
    value = serialize.prompt_json(prompt, lambda path: ctx.store.read(path).lines, 1, hide)
    assert [block["text"] for block in value["blocks"]] == [value["text"]]
    assert "****" in value["text"]


def test_blocks_of_several_roles_are_numbered_and_empty_ones_left_out():
    segments, roles = in_blocks(
        [
            MessageBlock("system", [Segment("a"), Segment("b")]),
            MessageBlock("user", [Segment("")]),
            MessageBlock("user", [Segment("c")]),
        ]
    )
    assert roles == ("system", "user")
    assert [(item.text, item.block) for item in segments] == [("ab", 0), ("\n\n", None), ("c", 1)]


@pytest.mark.parametrize("runtime", IDS)
def test_texts_around_the_base_prompt_may_contain_it(tmp_path, runtime):
    text = "# A\n\n- nul \0 and BASE\n"
    names = (".deepagents/agent.md", ".deepagents/AGENTS.md", "AGENTS.md", "CLAUDE.md")
    prompt = compose(project(tmp_path, dict.fromkeys(names, text), {}), runtime, "BASE")
    before, after = around_base(prompt.segments)
    assert before + "BASE" + after == prompt.text
    if text in prompt.text:
        assert text in before or text in after


def test_texts_around_a_missing_base_prompt_are_all_after_it(ctx):
    prompt = compose(ctx, "deepagents-code")
    assert around_base(prompt.segments) == ("", prompt.text)
