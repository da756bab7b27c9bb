"""Qwen Code: which files in which order, their imports and rules."""

from __future__ import annotations

import pytest

from agent_memory.base.model import Exactness, Scope, Status
from agent_memory.prompt.compose import compose
from agent_memory.runtimes import BY_ID
from agents_more import install_qwen
from kit import project, write


@pytest.fixture
def make(tmp_path):
    """Return a function that builds a project with Qwen Code and returns its context."""

    def build(files, home=None, cwd="."):
        ctx = install_qwen(tmp_path, project(tmp_path, files, home or {}))
        (ctx.cwd / cwd).mkdir(parents=True, exist_ok=True)
        return ctx.with_(cwd=(ctx.cwd / cwd).resolve())

    return build


def text_of(ctx):
    (block,) = compose(ctx, "qwen-code").blocks()
    assert block.role == "system"
    return block.text


def item(path, text):
    return f"<< {path} >>\n{text}\nEND {path} ."


def test_all_files_of_a_name_then_those_of_the_next(make, tmp_path):
    write(tmp_path, {"AGENTS.md": "above"})
    files = {"QWEN.md": "q", "AGENTS.md": "a", "sub/QWEN.md": " sq\n", ".qwen/QWEN.local.md": "l"}
    home = {".qwen/QWEN.md": "me", ".qwen/output-language.md": "English"}
    assert text_of(make(files, home, "sub")) == "\n\n".join(
        (
            item("../../home/.qwen/QWEN.md", "me"),
            item("../QWEN.md", "q"),
            item("QWEN.md", "sq"),
            item("../../AGENTS.md", "above"),
            item("../AGENTS.md", "a"),
            item("../../home/.qwen/output-language.md", "English"),
            item("../.qwen/QWEN.local.md", "l"),
        )
    )


def test_the_same_real_file_is_sent_once(make):
    ctx = make({"AGENTS.md": "a"})
    (ctx.cwd / "QWEN.md").symlink_to("AGENTS.md")
    prompt = compose(ctx, "qwen-code")
    assert prompt.text == item("QWEN.md", "a")
    assert Status.SHADOWED in {source.status for source in prompt.sources}


def test_an_import_is_replaced_and_a_missing_one_stays(make):
    ctx = make({"AGENTS.md": "@a.md @gone.md @../out.md x@a.md", "a.md": "A @AGENTS.md"})
    inside = "IN a.md:\nA SEEN AGENTS.md !\nOUT a.md;"
    expected = item("AGENTS.md", f"{inside} @gone.md BAD ../out.md OUT x@a.md")
    assert text_of(ctx) == expected


@pytest.mark.parametrize(
    "text",
    ["`@a.md x`", "```\n @a.md\n```", "x\n\n    @a.md", "# `` @a.md ``", "> `see @a.md`"],
)
def test_code_imports_nothing(text, make):
    assert text_of(make({"AGENTS.md": text, "a.md": "A"})) == item("AGENTS.md", text)


@pytest.mark.parametrize("text", ["- `see @a.md `", "> a\n> `see @a.md `", "`see\n\n@a.md `"])
def test_code_in_lists_is_not_seen_as_code(text, make):
    assert "IN a.md:" in text_of(make({"AGENTS.md": text, "a.md": "A"}))


def test_five_imports_in_a_row_are_followed(make):
    files = {f"i{number}.md": f"{number} @i{number + 1}.md" for number in range(1, 9)}
    assert "5 @i6.md\nOUT i5.md" in text_of(make({"AGENTS.md": "@i1.md", **files}))


def test_rules_follow_without_front_matter_and_comments(make):
    files = {
        "AGENTS.md": "a",
        ".qwen/rules/b.md": "---\r\ndescription: d\r\n---\r\n\r\nb <!-- c --> c\r\n",
        ".qwen/rules/a/x.md": "---\npaths: '*.py'\n---\npython\n",
        ".qwen/rules/c.md": "<!-- only a comment -->",
        ".qwen/rules/d.md": "---\npaths: [unclosed\n---\nd",
    }
    prompt = compose(make(files, {".qwen/rules/u.md": "u"}, "sub"), "qwen-code")
    rules = (
        ("../home/.qwen/rules/u.md", "u"),
        (".qwen/rules/b.md", "b  c"),
        (".qwen/rules/d.md", "d"),
    )
    expected = [f"RULE {path}:\n{text}\nEND RULE {path}." for path, text in rules]
    assert prompt.text == "\n\n".join([item("../AGENTS.md", "a"), *expected])
    states = {source.path.name: source.status for source in prompt.sources}
    assert (states["x.md"], states["c.md"]) == (Status.LISTED, Status.EMPTY)


def test_lines_of_a_rule_are_those_of_its_file(make):
    ctx = make({".qwen/rules/a.md": "---\nx: y\n---\n\n<!-- c -->\nfirst\n"})
    (segment,) = (part for part in compose(ctx, "qwen-code").segments if part.path)
    assert (segment.text, segment.line) == ("first", 5)


def test_names_and_the_list_of_imports_can_be_configured(make):
    config = '{"context": {"fileName": "MINE.md", "importFormat": "flat"}}'
    prompt = compose(
        make({"MINE.md": "m", "AGENTS.md": "a"}, {".qwen/settings.json": config}), "qwen-code"
    )
    assert prompt.text == item("MINE.md", "m")
    assert prompt.exactness is Exactness.UNVERIFIED
    assert "importFormat" in prompt.problems[0].message


def test_in_the_home_folder_only_its_own_files_count(make):
    ctx = make({}, {"AGENTS.md": "h", ".qwen/QWEN.md": "me"})
    prompt = compose(ctx.with_(cwd=ctx.home), "qwen-code")
    assert prompt.text == f"{item('.qwen/QWEN.md', 'me')}\n\n{item('AGENTS.md', 'h')}"


def test_files_to_write_to(make):
    ctx = make({}, {".qwen/output-language.md": "x"})
    runtime = BY_ID["qwen-code"]
    assert runtime.memory_path(ctx, Scope.PROJECT) == ctx.cwd / "QWEN.md"
    assert runtime.memory_path(ctx, Scope.USER) == ctx.home / ".qwen/QWEN.md"


def test_a_broken_link_in_the_program_is_skipped(tmp_path):
    ctx = install_qwen(tmp_path, project(tmp_path, {"QWEN.md": "q"}, {}))
    (tmp_path / "lib/node_modules/@qwen-code/qwen-code/chunks/c.js").symlink_to("nowhere")
    assert compose(ctx, "qwen-code").exactness is not Exactness.OWN_WORDING
