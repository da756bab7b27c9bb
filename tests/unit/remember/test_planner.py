"""Remember: one tidy item in the right place, said once, without secrets."""

from __future__ import annotations

import random
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_memory.base.errors import UsageError
from agent_memory.base.text import apply_edits, slice_span, split_lines
from agent_memory.fs.reader import FileText
from agent_memory.remember import planner
from agent_memory.remember.plan import Outcome
from agent_memory.remember.snippet import Snippet, tidy
from kit import project, with_settings

MEMORY = "# Project\n\n## Commands\n\n- Run `make test`\n\n## Style\n\n- Tabs\n"


@pytest.fixture
def ctx(tmp_path):
    return project(tmp_path, {".deepagents/agent.md": MEMORY}, {})


def filed(ctx, text, **options):
    plan = planner.plan(ctx, Snippet(text), "project", **options)
    assert plan.outcome is Outcome.READY, plan.message
    planner.apply(plan)
    return plan.path.read_text()


def a_token():
    rng = random.Random(7)
    return "gh" + "p_" + "".join(rng.choice(string.ascii_letters) for _ in range(36))


def test_prose_becomes_one_bullet_in_the_section_that_fits(ctx):
    text = filed(ctx, "  Install with\n  pnpm, never with npm.  ")
    assert text == MEMORY.replace(
        "- Run `make test`\n", "- Run `make test`\n- Install with pnpm, never with npm\n"
    )


@pytest.mark.parametrize("language", ["", "plaintext", "text", "fundamental", "gitcommit"])
def test_prose_is_prose_in_every_editor(language, tmp_path):
    made = Snippet("Install with pnpm", tmp_path / "notes.txt", language=language)
    assert tidy(made, "notes.txt:1").bullets == ("Install with pnpm",)


def test_the_plan_names_the_sections_and_the_suggested_one(ctx):
    plan = planner.plan(ctx, Snippet("Indent with four spaces, the house style"), "project")
    assert plan.sections == (("Commands", False), ("Style", True))
    assert (plan.section, plan.line) == ("Style", 9)
    assert plan.message == "Filed under 'Style' of agent.md, line 10"


def test_a_section_can_be_chosen_and_a_new_one_is_made(ctx):
    assert filed(ctx, "One", section="commands").count("- Run `make test`\n- One\n") == 1
    assert filed(ctx, "Two", section="Naming").endswith("- Tabs\n\n## Naming\n\n- Two\n")


def test_an_underlined_heading_is_a_section(tmp_path):
    text = "# A\n\n- x\n\nB\n===\n\n- y\n\nCommands\n--------\n"
    ctx = project(tmp_path, {".deepagents/agent.md": text}, {})
    assert filed(ctx, "Tabs", section="A") == text.replace("- x\n", "- x\n- Tabs\n")
    assert filed(ctx, "Run make", section="Commands").endswith(
        "- y\n\nCommands\n--------\n\n- Run make\n"
    )


def test_a_section_is_found_behind_a_byte_order_mark(tmp_path):
    text = "\ufeff## Commands\n\n- x\n\n## Notes\n\n- y\n"
    ctx = project(tmp_path, {".deepagents/agent.md": text}, {})
    assert filed(ctx, "Run make lint", section="Commands") == text.replace(
        "- x\n", "- x\n- Run make lint\n"
    )


def test_a_heading_with_a_limit_note_is_found_by_its_name(tmp_path):
    text = "## Common Mistakes to Avoid (Max: 15 items)\n<!-- none yet -->\n"
    ctx = project(tmp_path, {".deepagents/agent.md": text}, {})
    assert filed(ctx, "No globals", section="Common mistakes to avoid") == text + "- No globals\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("# A\n\n* one\n", "# A\n\n* one\n* new\n"),
        ("# A\n\n+   one\n", "# A\n\n+   one\n+   new\n"),
        ("# A\n\n1. one\n2. two\n", "# A\n\n1. one\n2. two\n3. new\n"),
        ("# A\n- one\n  - nested\n", "# A\n- one\n  - nested\n- new\n"),
        ("# A\r\n\r\n- one\r\n", "# A\r\n\r\n- one\r\n- new\r\n"),
        ("# A\n\n- one", "# A\n\n- one\n- new"),
        ("# A\n\nWords.\n", "# A\n\nWords.\n\n- new\n"),
        ("# A\n", "# A\n\n- new\n"),
        ("words", "words\n\n- new"),
        ("\ufeff# A\n\n- one\n", "\ufeff# A\n\n- one\n- new\n"),
        ("\ufeff- one\n", "\ufeff- one\n- new\n"),
        ("---\na: b\n---\n", "---\na: b\n---\n\n- new\n"),
        ("# A\n\n```\nx\n```\n", "# A\n\n```\nx\n```\n\n- new\n"),
        ("", "# Project memory\n\n- new\n"),
    ],
)
def test_the_style_of_the_file_is_kept(tmp_path, before, after):
    ctx = project(tmp_path, {".deepagents/agent.md": before}, {})
    plan = planner.plan(ctx, Snippet("new"), "project")
    planner.apply(plan)
    assert plan.path.read_bytes().decode() == after


def test_code_is_fenced_with_its_origin(ctx):
    snippet = Snippet("    x = 1\n    y = '''```'''\n", ctx.cwd / "src" / "a.py", 9, 10, "python")
    plan = planner.plan(ctx, snippet, "project", section="Commands")
    planner.apply(plan)
    block = "`src/a.py:10-11`\n\n````python\nx = 1\ny = '''```'''\n````\n"
    assert f"- Run `make test`\n\n{block}\n## Style" in plan.path.read_text()


def test_an_origin_outside_of_home_is_named_whole_and_one_without_a_line_without(ctx, tmp_path):
    origin = tmp_path / "elsewhere" / "a.ts"
    plan = planner.plan(ctx, Snippet("let a = 1", origin, 3), "user")
    assert f"`{origin.as_posix()}:4`" in plan.item
    plan = planner.plan(ctx, Snippet("let a = 1", ctx.cwd / "src" / "a.ts"), "project")
    assert "`src/a.ts`\n" in plan.item


def test_in_user_memory_an_origin_says_which_project(ctx):
    origin = ctx.home / "work" / "a.ts"
    plan = planner.plan(ctx, Snippet("let a = 1", origin, 3), "user")
    assert "`~/work/a.ts:4`\n\n```ts\nlet a = 1\n```\n" in plan.creates[0][1]


@pytest.mark.parametrize(
    ("text", "bullet"),
    [
        ("# Always lint first,", "Always lint first"),
        ("Really!!! ", "Really!"),
        ("> - quoted item;", "quoted item"),
        ("Lists, maps etc.", "Lists, maps etc."),
        ("The timeout has to be\n> 30 seconds", "The timeout has to be > 30 seconds"),
        ("> The timeout has\n> to be long", "The timeout has to be long"),
        ("> > Twice\n> > quoted", "Twice quoted"),
        ("2024. A good year", "2024. A good year"),
        ("We began in\n2024. A good year", "We began in 2024. A good year"),
        ("# of workers: 4", "# of workers: 4"),
        ("## of workers: 4", "of workers: 4"),
        ("Set the\n# of workers to 4", "Set the # of workers to 4"),
        ("never write `<!--` alone", "never write `<!--` alone"),
        ("a `<!--` b <!-- open", "a `<!--` b &lt;!-- open"),
        ("a ``` b ``` c", "a ``` b ``` c"),
        ("First. Second.", "First. Second."),
        ("a <!-- open", "a &lt;!-- open"),
        ("a ``` b", "a `` b"),
    ],
)
def test_noise_is_stripped(text, bullet):
    assert tidy(Snippet(text)).bullets == (bullet,)


def test_the_numbers_of_a_selected_list_go_and_those_in_it_stay():
    text = "1. Install\n2. In\n   2024. A good year\n3) Run\n"
    assert tidy(Snippet(text)).bullets == ("Install", "In 2024. A good year", "Run")
    assert tidy(Snippet("> - one\n> - two\n")).bullets == ("one", "two")


def test_a_comment_selected_in_code_is_prose(tmp_path):
    text = "    # Sort by id first:\n    # the index needs it."
    item = tidy(Snippet(text, tmp_path / "a.py", 1, 2, "python"))
    assert item.bullets == ("Sort by id first: the index needs it",)


@pytest.mark.parametrize(
    ("selected", "block"),
    [
        ("Build:\n```sh\nmake", "Build:\n```sh\nmake\n```"),
        ("~~~~\nmake\n~~~", "~~~~\nmake\n~~~\n~~~~"),
        ("- Build:\n\n  ```\n  make", "- Build:\n\n  ```\n  make\n  ```"),
        ("- a\n- ```\n  make", "- a\n- ```\n  make\n  ```"),
        ("```\na\n```\n<!-- b\n\nc", "```\na\n```\n<!-- b\n\nc -->"),
    ],
)
def test_a_block_that_was_selected_in_part_is_closed(ctx, selected, block):
    assert tidy(Snippet(selected)).block == block
    planner.apply(planner.plan(ctx, Snippet(selected), "project", section="Commands"))
    assert filed(ctx, "Spaces", section="Style").endswith("\n\n## Style\n\n- Tabs\n- Spaces\n")


def test_tabs_in_a_selected_block_stay_tabs():
    text = "\tBuild:\n\t```make\n\tall:\n\t\tcc a.c\n\t```\n"
    assert tidy(Snippet(text)).block == "Build:\n```make\nall:\n\tcc a.c\n```"


MARKS = st.sampled_from(["--", "//", "#", ";", "%", "*/", "*", "/*", "-->", "rem", "C#", "a--b"])
SAID = st.lists(st.lists(MARKS | st.from_regex(r"[a-z:;%#/*.,-]{1,9}", fullmatch=True)), min_size=1)


@given(
    st.sampled_from(["# {}", "// {}", "-- {}", "; {}", " * {}", "/* {} */", "<!-- {} -->"]), SAID
)
def test_what_a_comment_says_comes_through_whole(comment, said):
    lines = [" ".join(["Say", *words, "so"]) for words in said]
    selected = "\n".join(map(comment.format, lines))
    assert tidy(Snippet(selected, language="c")).bullets == (" ".join(lines),)


def test_the_end_of_a_block_comment_is_no_part_of_it():
    text = "/**\n * Pass --no-cache, see https://a.test/x\n * and more **/\n"
    item = tidy(Snippet(text, language="typescript"))
    assert item.bullets == ("Pass --no-cache, see https://a.test/x and more",)


def test_rem_begins_a_comment_in_batch_files_only(tmp_path):
    assert tidy(Snippet("rem = a % b", language="python")).block == "```python\nrem = a % b\n```"
    assert tidy(Snippet("REM Set it", tmp_path / "a.cmd")).bullets == ("Set it",)


def test_half_a_character_is_filed_as_one_that_is_not_known(ctx):
    assert "- x\ufffdy\n" in filed(ctx, "x\ud83dy")


def test_a_selected_list_stays_a_list():
    assert tidy(Snippet("- one\n  more\n- two\n")).bullets == ("one more", "two")


@pytest.mark.parametrize(
    ("text", "exact"),
    [
        ("run `make test`.", True),
        ("RUN make   test", False),
        ("tabs", True),
    ],
)
def test_what_is_already_said_is_pointed_to(ctx, text, exact):
    plan = planner.plan(ctx, Snippet(text), "project")
    if plan.outcome is Outcome.READY:
        assert not exact
        return
    assert plan.outcome is Outcome.DUPLICATE
    assert plan.line == (8 if text == "tabs" else 4)
    assert plan.edits == ()
    assert f"line {plan.line + 1}" in plan.message


def test_a_near_duplicate_can_be_filed_anyway(tmp_path):
    text = "# A\n\n- Always run the whole test suite with make before a commit\n"
    ctx = project(tmp_path, {".deepagents/agent.md": text}, {})
    snippet = Snippet("always run the whole test suite with make before you commit")
    plan = planner.plan(ctx, snippet, "project")
    assert (plan.outcome, plan.line) == (Outcome.DUPLICATE, 2)
    assert "almost the same in line 3" in plan.message
    assert planner.plan(ctx, snippet, "project", anyway=True).outcome is Outcome.READY


@pytest.mark.parametrize(
    "other",
    [
        "The dev server listens on port 8081 of the loopback",
        "The dev server never listens on port 8080 of the loopback",
        "The dev server 8080 listens on port of the loopback 1",
    ],
)
def test_another_number_or_a_negation_is_another_fact(tmp_path, other):
    text = "- The dev server listens on port 8080 of the loopback\n"
    ctx = project(tmp_path, {".deepagents/agent.md": text}, {})
    assert planner.plan(ctx, Snippet(other), "project").outcome is Outcome.READY


@pytest.mark.parametrize(
    ("said", "other"),
    [
        ("Use pnpm, never npm", "Use npm, never pnpm"),
        ("Use spaces, not tabs", "Use tabs, not spaces"),
        ("Copy from staging to production", "Copy from production to staging"),
        ("Run lint before test", "Run test before lint"),
        ("Merge main into release branches", "Merge release branches into main"),
        ("billing reviews the requests of shipping", "shipping reviews the requests of billing"),
        ("The billing service calls shipping", "The shipping service calls billing"),
        ("Use tabs in Python and spaces in Go", "Use spaces in Python and tabs in Go"),
        ("Tabs in Python, spaces in Go", "In Python spaces, in Go tabs"),
        (
            "Run the lint step of the pipeline before the unit test step",
            "Run the lint step of the pipeline after the unit test step",
        ),
        ("Nutze pnpm, nie npm", "Nutze npm, nie pnpm"),
        (
            "Den Release-Zweig nach jedem Merge in der Pipeline bauen",
            "Den Release-Zweig vor jedem Merge in der Pipeline bauen",
        ),
        (
            "Die Tabellen der Testdatenbank beim Start löschen",
            "Die Tabellen der Testdatenbank beim Start nicht löschen",
        ),
    ],
)
def test_the_same_words_the_other_way_round_are_another_fact(tmp_path, said, other):
    for first, second in ((said, other), (other, said)):
        ctx = project(tmp_path / str(first == said), {"AGENTS.md": f"# A\n\n- {first}\n"}, {})
        plan = planner.plan(ctx, Snippet(second), "project", create=True)
        assert plan.outcome is Outcome.READY


@pytest.mark.parametrize(
    "again",
    [
        "Before you commit, run the tests with make test",
        "Always run our tests with `make test` before the commit.",
        "Run the tests with `make test`",
    ],
)
def test_a_clause_put_elsewhere_or_left_out_makes_no_other_fact(tmp_path, again):
    ctx = project(tmp_path, {".deepagents/agent.md": TEST_FIRST}, {})
    plan = planner.plan(ctx, Snippet(again), "project")
    assert (plan.outcome, plan.line) == (Outcome.DUPLICATE, 0)


def test_a_list_between_rules_is_looked_into(tmp_path):
    ctx = project(tmp_path, {"AGENTS.md": "---\n\n## Rules\n\n- Use pnpm here\n\n---\n"}, {})
    plan = planner.plan(ctx, Snippet("use pnpm here"), "project", create=True)
    assert (plan.outcome, plan.line) == (Outcome.DUPLICATE, 4)


TEST_FIRST = "- Run the tests with `make test` before you commit.\n"


@pytest.mark.parametrize(
    "again",
    [
        "Always run the tests with make test before committing",
        "Run tests with 'make test' before you commit!",
        "running the test with `make test`, before commits",
    ],
)
def test_other_endings_and_marks_make_no_other_fact(tmp_path, again):
    ctx = project(tmp_path, {".deepagents/agent.md": TEST_FIRST}, {})
    plan = planner.plan(ctx, Snippet(again), "project")
    assert (plan.outcome, plan.line) == (Outcome.DUPLICATE, 0)


@pytest.mark.parametrize("other", ["make lint", "make", "npm test"])
def test_another_command_is_another_fact(tmp_path, other):
    ctx = project(tmp_path, {".deepagents/agent.md": TEST_FIRST}, {})
    text = f"Run the tests with `{other}` before you commit"
    assert planner.plan(ctx, Snippet(text), "project").outcome is Outcome.READY


@pytest.mark.parametrize(
    ("new", "told"),
    [
        ("Use spaces for indentation", "line 2 of agent.md"),
        ("Push to main", "line 3 of agent.md"),
        ("Never write to the log", "line 5 of agent.md"),
        ("Prefer inheritance over composition", "line 4 of agent.md"),
        ("Respond in English", "line 1 of agent.md"),
        ("Use spaces around operators", ""),
    ],
)
def test_what_contradicts_memory_is_filed_and_said(tmp_path, new, told):
    text = "# A\n- Use tabs for indentation.\n- Never push to main.\n"
    text += "- Prefer composition over inheritance\n- Write to the log\n"
    home = {".deepagents/agent/agent.md": "- Respond in German\n"}
    ctx = project(tmp_path, {".deepagents/agent.md": text}, home)
    plan = planner.plan(ctx, Snippet(new), "project")
    assert plan.outcome is Outcome.READY
    assert plan.message.endswith(f"It contradicts {told}: keep one") == bool(told)


def test_the_other_file_the_agent_reads_is_looked_into(tmp_path):
    home = {".deepagents/agent/agent.md": "- I like short answers\n"}
    ctx = project(tmp_path, {".deepagents/agent.md": "# A\n"}, home)
    plan = planner.plan(ctx, Snippet("I like short answers"), "project")
    assert plan.outcome is Outcome.DUPLICATE
    assert plan.path == ctx.home / ".deepagents/agent/agent.md"


def test_the_same_code_is_a_duplicate_wherever_it_was_selected(ctx):
    first = planner.plan(ctx, Snippet("x = 1\ny = 2", ctx.cwd / "a.py", 1, 2), "project")
    planner.apply(first)
    again = planner.plan(ctx, Snippet("x = 1\ny = 2", ctx.cwd / "b.py", 7, 8), "project")
    assert again.outcome is Outcome.DUPLICATE


def test_a_secret_is_refused_and_its_value_is_nowhere(ctx):
    token = a_token()
    plan = planner.plan(ctx, Snippet(f"use {token} for the api"), "project")
    assert plan.outcome is Outcome.SECRET
    assert len(plan.secrets) == 1
    assert token not in repr(plan)


def test_a_secret_can_be_filed_redacted(ctx):
    token = a_token()
    plan = planner.plan(ctx, Snippet(f"use {token} for the api"), "project", redact=True)
    assert plan.outcome is Outcome.READY
    planner.apply(plan)
    assert token not in plan.path.read_text()
    assert "for the api" in plan.path.read_text()


def test_a_secret_in_the_heading_is_one_of_the_text(ctx):
    section = f"Key {a_token()}"
    plan = planner.plan(ctx, Snippet("Use tabs"), "project", section=section)
    assert plan.outcome is Outcome.SECRET
    assert section not in repr(plan)
    text = filed(ctx, "Use tabs at last", section=section, redact=True)
    assert "## Key $" in text
    assert section not in text


def test_a_project_without_memory_needs_consent(tmp_path):
    ctx = project(tmp_path, {}, {})
    plan = planner.plan(ctx, Snippet("x y z"), "project")
    assert plan.outcome is Outcome.CONSENT
    assert plan.creates == ()
    folder = ctx.cwd / ".deepagents"
    assert plan.message.endswith(
        f"The project has no .deepagents folder yet: may {folder} be made?"
    )
    made = planner.plan(ctx, Snippet("x y z"), "project", create=True)
    planner.apply(made)
    assert made.path.read_text() == "# Project memory\n\n- x y z\n"


def test_the_users_folder_needs_no_consent(tmp_path):
    ctx = project(tmp_path, {}, {})
    made = planner.plan(ctx, Snippet("x y z"), "user")
    planner.apply(made)
    assert (ctx.home / ".deepagents/agent/agent.md").read_text() == "# User memory\n\n- x y z\n"


def test_the_roots_file_is_written_where_it_is_the_one_that_is_read(tmp_path):
    ctx = project(tmp_path, {"agent.md": "- a\n"}, {})
    assert planner.plan(ctx, Snippet("b"), "project").path == ctx.cwd / "agent.md"


@pytest.mark.parametrize("text", ["", "  \n\t\n"])
def test_nothing_is_refused(ctx, text):
    assert planner.plan(ctx, Snippet(text), "project").outcome is Outcome.REFUSED


@pytest.mark.parametrize("text", ["# A\n\n```\ncode\n", "# A\n\n<!-- open\n- a\n"])
def test_a_place_that_would_be_swallowed_is_refused(tmp_path, text):
    ctx = project(tmp_path, {".deepagents/agent.md": text}, {})
    plan = planner.plan(ctx, Snippet("b"), "project")
    assert plan.outcome is Outcome.REFUSED
    assert "line 3 opens a" in plan.message


def test_an_unreadable_target_is_refused(tmp_path):
    ctx = project(tmp_path, {".deepagents/agent.md": b"\xff"}, {})
    plan = planner.plan(ctx, Snippet("b"), "project")
    assert plan.outcome is Outcome.REFUSED
    assert "undecodable" in plan.message


def test_a_file_over_the_users_limit_is_told(ctx):
    plan = planner.plan(with_settings(ctx, file_bytes=20), Snippet("b"), "project")
    assert "over your limit of 20" in plan.message


def test_an_unknown_scope_is_refused(ctx):
    with pytest.raises(UsageError, match="use user or project"):
        planner.plan(ctx, Snippet("b"), "global")


def test_a_file_that_changed_since_the_plan_keeps_both(ctx):
    plan = planner.plan(ctx, Snippet("new fact"), "project", section="Style")
    plan.path.write_text("# Project\n\n## Style\n\n- Spaces\n")
    planner.apply(plan)
    assert plan.path.read_text() == "# Project\n\n## Style\n\n- Spaces\n- new fact\n"


def test_what_another_program_filed_meanwhile_is_not_filed_twice(ctx):
    plan = planner.plan(ctx, Snippet("new fact"), "project")
    plan.path.write_text(MEMORY + "- New fact.\n")
    done = planner.apply(plan)
    assert done.outcome is Outcome.READY
    assert plan.path.read_text() == MEMORY + "- New fact.\n"


def test_a_place_that_is_swallowed_meanwhile_is_left_alone(ctx):
    plan = planner.plan(ctx, Snippet("new fact"), "project")
    plan.path.write_text("# A\n\n```\nnever closed\n")
    with pytest.raises(UsageError, match="not filed, because meanwhile line 3 opens a code block"):
        planner.apply(plan)
    assert plan.path.read_text() == "# A\n\n```\nnever closed\n"


def test_a_buffer_that_was_never_saved_takes_an_item(tmp_path):
    ctx = project(tmp_path, {".deepagents/notes.md": "# N\n"}, {})
    path = ctx.cwd / ".deepagents/agent.md"
    ctx.store.overlay(path, lambda: FileText(path, "# A\n"))
    plan = planner.plan(ctx, Snippet("new fact"), "project")
    (edit,) = plan.edits
    assert (edit.path, edit.text) == (path, "\n- new fact\n")


def test_a_runtime_without_such_memory_is_named(ctx):
    with pytest.raises(UsageError, match=r"Claude MPM has no user memory here"):
        planner.plan(ctx, Snippet("x y z"), "user", runtime_id="claude-mpm")


def test_only_a_ready_plan_is_applied(ctx):
    plan = planner.plan(ctx, Snippet(""), "project")
    with pytest.raises(UsageError, match="nothing to file"):
        planner.apply(plan)


LINES = st.sampled_from(
    ["# A", "## B", "- x", "  - y", "* z", "1. n", "", "text", "```", "<!-- c -->", "---", "> q"]
)
FILES = st.builds(
    lambda lines, newline, last: newline.join(lines) + (newline if last else ""),
    st.lists(LINES, max_size=12),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
)


@settings(deadline=None)
@given(FILES, st.text(max_size=60), st.sampled_from([None, "B", "New"]))
def test_remember_then_undo_gives_the_same_bytes(tmp_path_factory, before, words, section):
    ctx = project(tmp_path_factory.mktemp("undo"), {".deepagents/agent.md": before}, {})
    plan = planner.plan(ctx, Snippet(words), "project", section=section)
    if plan.outcome is not Outcome.READY:
        assert plan.edits == ()
        return
    (edit,) = plan.edits
    lines = split_lines(before)
    after = apply_edits(lines, [(edit.span, edit.text)])
    at = len(apply_edits(lines, [(edit.span, "\x00")]).split("\x00")[0])
    undone = after[:at] + slice_span(lines, edit.span) + after[at + len(edit.text) :]
    assert undone == before
    item = plan.item.removeprefix("- ").split("\n")[0]
    assert item in after
    planner.apply(plan)
    assert plan.path.read_bytes().decode("utf-8", "surrogatepass") == after
