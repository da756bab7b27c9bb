"""Edge cases of rules that the examples do not cover."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from agent_memory.base.text import apply_edits, split_lines
from agent_memory.fs import file_index
from agent_memory.lint.engine import check
from agent_memory.lint.pages import page
from kit import cli, project, with_settings, write
from unit.secrets.generate import Maker

if TYPE_CHECKING:
    from agent_memory.base.model import Finding

MEMORY = "AGENTS.md"


def found(tmp_path, files, *, home=None, runtime="deepagents-code", **settings) -> list[Finding]:
    ctx = with_settings(project(tmp_path, files, home or {}), **settings)
    return list(check(ctx, runtime_id=runtime).findings)


def codes(findings: list[Finding]) -> list[str]:
    return [item.code for item in findings]


def fixed(finding: Finding) -> str:
    """Return the text of the file after the only fix."""
    (fix,) = finding.fixes
    (path,) = {edit.path for edit in fix.edits}
    edits = [(edit.span, edit.text) for edit in fix.edits]
    return apply_edits(split_lines(path.read_text()), edits)


BOTH = {".deepagents/AGENTS.md": "- read\n", ".deepagents/agent.md": "- left behind\n"}


def test_migration_into_an_empty_file(tmp_path):
    findings = found(tmp_path, {**BOTH, ".deepagents/AGENTS.md": ""})
    (finding,) = [item for item in findings if item.code == "AM110"]
    assert fixed(finding) == "- left behind\n"


def test_migration_leaves_the_bom_out(tmp_path):
    findings = found(tmp_path, {**BOTH, ".deepagents/agent.md": "\ufeff- left behind\n"})
    (finding,) = [item for item in findings if item.code == "AM110"]
    assert fixed(finding) == "- read\n\n- left behind\n"


@pytest.mark.parametrize(
    "more", [{".deepagents/agent.md": b"\xff"}, {".deepagents/agent.md.migrated": "- earlier\n"}]
)
def test_no_migration_fix_if_text_could_be_lost(tmp_path, more):
    findings = found(tmp_path, {**BOTH, **more})
    (finding,) = [item for item in findings if item.code == "AM110"]
    assert finding.fixes == ()


def test_link_to_an_ignored_file_is_not_stale(tmp_path):
    files = {".gitignore": "out/\n", MEMORY: "- See [the report](out/report.md)\n"}
    assert codes(found(tmp_path, files)) == []
    files[".gitignore"] = "other/\n"
    assert codes(found(tmp_path / "other", files)) == ["AM502"]


@pytest.mark.parametrize(
    "more",
    [
        {"docs/x.txt": ""},
        {"Makefile": "build:\n\ttrue\n$(NAMES):\n\ttrue\n"},
        {"Makefile": ""},
    ],
)
def test_make_target_that_may_exist_is_not_stale(tmp_path, more):
    files = {"Makefile": "build:\n\ttrue\n", MEMORY: "- Run `make docs` first\n"}
    assert codes(found(tmp_path / "sure", files)) == ["AM503"]
    assert codes(found(tmp_path, {**files, **more})) == []


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("NOW=$(shell date +%H:%M)", ["AM503"]),
        ("NOW := $(shell date +%H:%M)", ["AM503"]),
        ("export NOW ?= 100%: all of it", ["AM503"]),
        ("%.html: %.md", []),
        ("$(PAGES): %.html: %.md", []),
        ("page-%: a.md", []),
    ],
)
def test_a_pattern_rule_is_no_variable_with_a_percent_sign(tmp_path, line, expected):
    files = {"Makefile": f"{line}\nbuild:\n\ttrue\n", MEMORY: "- Run `make docs` first\n"}
    assert codes(found(tmp_path, files)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Helpers such as `make up`, `make down`, `make drain`.", ["AM503"]),
        ("Helpers such as `make up`, `make drain`.", []),
        ("Helpers such as `make drain`, `make flood`, `make up`.", []),
        ("Helpers such as `make up`, `make down`. Add `make drain`.", []),
    ],
)
def test_examples_of_commands_two_of_which_exist_are_those_of_the_project(tmp_path, text, expected):
    files = {"Makefile": "up:\n\ttrue\ndown:\n\ttrue\n", MEMORY: f"- {text}\n"}
    assert codes(found(tmp_path, files)) == expected


UNREAD = (  # the file of a tool, its text, and a command that it does not define
    ("Makefile", "build:\n\ttrue\n", "make docs"),
    ("justfile", "build:\n  true\n", "just docs"),
    ("composer.json", '{"scripts": {"build": "x"}}', "composer run docs"),
    ("mise.toml", '[tasks.build]\nrun = "x"\n', "mise run docs"),
    ("Taskfile.yml", "tasks:\n  build:\n    cmd: x\n", "task docs"),
    ("deno.json", '{"tasks": {"build": "x"}}', "deno task docs"),
    ("settings.gradle", 'include ":app"\n', "gradle :docs:build"),
    ("Cargo.toml", '[package]\nname = "app"\n', "cargo test -p docs"),
)


@pytest.mark.parametrize(("name", "text", "command"), UNREAD)
def test_command_is_not_stale_if_a_file_of_its_tool_cannot_be_read(tmp_path, name, text, command):
    files = {name: text, MEMORY: f"- Run `{command}` first\n"}
    assert codes(found(tmp_path / "read", files)) == ["AM503"]
    unread = {**files, f"sub/{name}": b"\xff"}
    assert codes(found(tmp_path / "unread", unread)) == []


def test_deno_task_is_not_stale_if_package_json_cannot_be_parsed(tmp_path):
    files = {"deno.json": '{"tasks": {"build": "x"}}', MEMORY: "- Run `deno task docs` first\n"}
    assert codes(found(tmp_path / "none", files)) == ["AM503"]
    files["package.json"] = '{"scripts": '
    assert codes(found(tmp_path / "broken", files)) == []


@pytest.mark.parametrize("count", [200, 201])
def test_cargo_package_is_not_stale_among_too_many_manifests(tmp_path, count):
    files = {f"p{at}/Cargo.toml": f'[package]\nname = "p{at}"\n' for at in range(count - 1)}
    files |= {"Cargo.toml": "[workspace]\n", MEMORY: "- Run `cargo test -p docs` first\n"}
    assert codes(found(tmp_path, files)) == (["AM503"] if count == 200 else [])


def test_command_of_another_folder_is_not_stale_if_the_project_is_too_large_to_list(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(file_index, "_MAX_FILES", 1)
    files = {"justfile": "build:\n  true\n", "web/justfile": "deploy:\n  true\n"}
    files[MEMORY] = "- Run `just deploy` first\n"
    assert codes(found(tmp_path, files)) == []


def test_link_with_an_invalid_character_is_skipped(tmp_path):
    assert "AM502" not in codes(found(tmp_path, {MEMORY: "- See [x](a\0b.md)\n"}))


def test_entry_in_the_folder_of_another_agent_is_reported(tmp_path):
    name = "01HZX3KQ7M8N9P0R1S2T3V4W5X"
    head = f"id: {name}\nscope: agent\nagentId: two\nkind: user\nsummary: s\ncreatedAt: 1.5e3"
    files = {f"memory/agents/one/{name}.md": f"---\n{head}\n---\n\nb\n"}
    ctx = project(tmp_path, files, {})
    ctx = ctx.with_(entries=ctx.cwd / "memory")
    findings = check(ctx, [ctx.cwd / path for path in files], "drover").findings
    (finding,) = [item for item in findings if item.code == "AM802"]
    assert "belongs to 'two' but is in the folder of 'one'" in finding.message


def test_no_finding_if_the_template_alone_exceeds_the_budget(tmp_path):
    assert codes(found(tmp_path, {}, budget_tokens=10)) == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("- a\n<!-- agent-memory: disable AM107 --> text\n", "- a\n text\n"),
        ("- a <!-- agent-memory: disable AM107 -->\n", "- a\n"),
        ("- a\n<!-- agent-memory: disable AM107 -->", "- a\n"),
    ],
)
def test_fix_removes_only_the_unused_suppression(tmp_path, before, after):
    (finding,) = found(tmp_path, {MEMORY: before})
    assert finding.code == "AM902"
    assert fixed(finding) == after


def test_suppression_without_action_is_reported(tmp_path):
    (finding,) = found(tmp_path, {MEMORY: "- a <!-- agent-memory: -->\n"})
    assert (finding.code, finding.span[:4]) == ("AM901", (0, 4, 0, 26))


def test_enable_ends_only_the_rules_it_names(tmp_path):
    hidden = "- a\u200bb\n"
    text = (
        f"<!-- agent-memory: disable AM107 -->\n\n{hidden}\n"
        f"<!-- agent-memory: enable AM403 -->\n\n{hidden}\n"
        f"<!-- agent-memory: enable AM107 -->\n\n{hidden}"
    )
    lines = [item.span.line for item in found(tmp_path, {MEMORY: text}) if item.code == "AM107"]
    assert lines == [10]


def test_multiline_annotation_has_no_columns(tmp_path):
    text = "- a <!-- agent-memory: disable-next-line\nAM403 -->\n"
    ctx = project(tmp_path, {MEMORY: text}, {})
    out = cli(ctx, "check", "--runtime", "deepagents-code", "--format", "github").out
    (line,) = [line for line in out.splitlines() if "AM901" in line]
    assert "line=1,endLine=2,title=" in line


def test_choice_without_the_word_use_conflicts(tmp_path):
    findings = found(tmp_path, {MEMORY: "- Use tabs\n- Avoid tabs\n"})
    assert [item.name for item in findings] == ["conflict"]


def test_text_between_fields_does_not_end_a_learning_block(tmp_path):
    block = "# Add To Memory:\nType: patern\nsome words\nContent: One writer per file\n#\n"
    ctx = project(tmp_path, {"pyproject.toml": "", ".claude-mpm/memories/qa_agent.md": block}, {})
    findings = check(ctx, [ctx.cwd / ".claude-mpm/memories/qa_agent.md"], "claude-mpm").findings
    assert any(
        "unknown type 'patern'. Did you mean 'pattern'?" in item.message for item in findings
    )
    assert not any("it has no line" in item.message for item in findings)


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="there is no /proc")
def test_io_error_is_reported(tmp_path):
    ctx = project(tmp_path, {".deepagents/notes.md": "# N\n"}, {})
    (ctx.cwd / ".deepagents/agent.md").symlink_to("/proc/self/mem")
    (finding,) = check(ctx, runtime_id="deepagentsdk").findings
    assert (finding.code, "input/output error" in finding.message) == ("AM103", True)


@pytest.mark.parametrize("front", ["name: x\ndescription: [", "name: x\n\tdescription: y"])
def test_no_quoting_fix_for_other_yaml_errors(tmp_path, front):
    files = {".deepagents/skills/x/SKILL.md": f"---\n{front}\n---\n\nSteps.\n"}
    findings = found(tmp_path, files)
    assert findings
    assert not any(
        fix.title == "Put the value in quotes" for item in findings for fix in item.fixes
    )


def test_accepted_secret_is_identified_by_its_value(tmp_path):
    maker = Maker("baseline")
    one, two = (maker.make("ghp_{crc:30}") for _ in range(2))
    ctx = project(tmp_path, {MEMORY: f"- key {one}\n", ".deepagents/notes.md": "# N\n"}, {})
    runtime = ("--runtime", "deepagents-code")
    assert cli(ctx, "check", *runtime, "--write-baseline").code == 0
    (ctx.cwd / MEMORY).write_text(f"# Keys\n\n- another text around {one}\n")
    assert cli(ctx, "check", *runtime).code == 0
    (ctx.cwd / MEMORY).write_text(f"- key {two}\n")
    assert cli(ctx, "check", *runtime).code == 1
    assert one not in (ctx.cwd / ".deepagents/agent-memory.baseline.toml").read_text()


def test_findings_outside_the_project_are_not_accepted(tmp_path):
    ctx = project(
        tmp_path,
        {".deepagents/agent.md": "- a\u200bb\n"},
        {".deepagents/agent/agent.md": "- c\u200bd\n"},
    )
    done = cli(ctx, "check", "--write-baseline", "--runtime", "deepagentsdk")
    assert "1 finding accepted" in done.out
    assert "1 finding outside the project not accepted" in done.out
    again = cli(ctx, "check", "--runtime", "deepagentsdk")
    assert (again.code, again.out.count("AM107")) == (1, 1)


def test_random_text_is_not_reported_as_token(tmp_path):
    def part(text: str) -> str:
        return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")

    mark = part(hashlib.sha256(b"signed").hexdigest()[:32])
    no_header = ".".join((part('{"typ": "no algorithm"}'), part('{"sub": "1"}'), mark))
    text = f"- {no_header}\n- cvs://:pserver:n4me@cvs.sourceforge.net/root\n"
    assert codes(found(tmp_path, {MEMORY: text})) == []


def test_unknown_code_has_no_page():
    assert page("AM999") is None
    assert page("AM107").startswith("# ")


@pytest.mark.parametrize(("runtime", "said"), [("drover", "AM303"), ("deepagents-code", "AM301")])
def test_truncated_file_is_not_reported_as_too_large(tmp_path, runtime, said):
    text = "".join(f"- Fact {number} is kept here.\n" for number in range(1700))
    findings = found(tmp_path, {MEMORY: text}, runtime=runtime)
    assert [code for code in codes(findings) if code in ("AM301", "AM303")] == [said]


def test_a_file_that_excludes_an_agent_is_not_reported_for_that_agent(tmp_path):
    text = '---\napplyTo: "**"\nexcludeAgent: {0}\n---\n\n# Review\n\n- Read the whole diff.\n'
    files = {".github/instructions/review.instructions.md": text.format("coding-agent")}
    assert "AM109" not in codes(found(tmp_path, files, runtime="copilot-cli"))


def test_a_rule_for_a_folder_that_comes_later_is_not_reported(tmp_path):
    rule = '---\napplyTo: "server/**"\n---\n\n# Servers\n\n- Answer in time.\n'
    files = {".github/instructions/server.instructions.md": rule, "src/app.py": "run()\n"}
    hits = found(tmp_path, files, runtime="copilot-cli")
    assert "AM135" not in codes(hits)


def test_a_copy_of_a_skill_for_another_agent_is_reported_if_the_runtime_was_chosen(tmp_path):
    text = "---\nname: tidy\ndescription: tidies\n---\n\n# Tidy\n\n" + "".join(
        f"- Step {{0}}{number}.\n" for number in range(9)
    )
    files = {f".{name}/skills/tidy/SKILL.md": text.format(name) for name in ("agents", "claude")}
    files[MEMORY] = "# A\n\n- Use b.\n"
    for runtime, expected in (("auto", []), ("deepagents-code", ["warning"])):
        ctx = with_settings(project(tmp_path / runtime, files, {}), runtime=runtime)
        hits = [item.severity for item in check(ctx).findings if item.code == "AM111"]
        assert hits == expected


def test_memory_of_another_agent_is_information_if_nobody_chose_the_runtime(tmp_path):
    files = {
        MEMORY: "# A\n\n- Use b.\n",
        "CLAUDE.md": "# C\n\n- Use c for the site.\n",
        "opencode.json": "{}\n",
    }
    assert _shadowed(tmp_path, files) == ["info"]


def test_parallel_memory_of_another_agent_is_not_shadowed(tmp_path):
    lines = "".join(f"- Fact {number}.\n" for number in range(8))
    files = {MEMORY: f"# A\n\n{lines}", "CLAUDE.md": f"# C\n\n{lines}", "opencode.json": "{}\n"}
    assert _shadowed(tmp_path, files) == []


@pytest.mark.parametrize(
    ("text", "severities"),
    [
        ("# C\n\n@AGENTS.md\n\n---\n\nTo change the rules, edit that file.\n", []),
        ("@./AGENTS.md\n", []),
        ("# C\n\nWrite to us@AGENTS.md for access.\n", ["info"]),
        ("@AGENTS.md\n\n" + "".join(f"- Deploy to zone {n}.\n" for n in range(12)), ["info"]),
    ],
)
def test_a_short_file_that_imports_the_one_that_is_read_loses_nothing(tmp_path, text, severities):
    rules = "".join(f"- Rule {number}.\n" for number in range(30))
    files = {MEMORY: f"# A\n\n{rules}", "CLAUDE.md": text, "opencode.json": "{}\n"}
    assert _shadowed(tmp_path, files) == severities


def _shadowed(tmp_path, files):
    ctx = with_settings(project(tmp_path, files, {}), runtimes=["deepagents-code", "opencode"])
    return [item.severity for item in check(ctx).findings if item.code == "AM111"]


def test_an_item_that_separates_others_is_no_duplicate(tmp_path):
    twice = "- First line\n- Blank line\n- A line per value\n- Blank line\n"
    assert codes(found(tmp_path / "twice", {MEMORY: f"# A\n\n{twice}"})) == ["AM403"]
    assert codes(found(tmp_path, {MEMORY: f"# A\n\n{twice}- The result\n- Blank line\n"})) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The checkout is `D:\\repos\\shop`", ["AM504"]),
        ("The log is `C:\\temp\\shop.txt`", []),
        ("## Machines\n\n- The checkout is `D:\\repos\\shop`", []),
        ("| Work laptop | `C:\\Users\\ann\\shop` |", ["AM504"]),
    ],
)
def test_a_path_on_a_drive_is_of_one_machine_in_a_folder_of_checkouts(tmp_path, text, expected):
    assert codes(found(tmp_path, {MEMORY: f"# A\n\n{text}\n"})) == expected


@pytest.mark.parametrize(("globs", "expected"), [("", []), (' "*.py"', ["AM136"])])
def test_an_empty_condition_of_another_editor_is_none(tmp_path, globs, expected):
    rule = f"---\ndescription: a\nglobs:{globs}\n---\n- a\n"
    files = {"CLAUDE.md": "- a\n", "a.py": "", ".claude/rules/a.md": rule}
    findings = found(tmp_path, files, runtime="claude-code")
    assert [code for code in codes(findings) if code == "AM136"] == expected


@pytest.mark.parametrize(("place", "expected"), [(".claude/skills", ["AM708"]), ("app/priv", [])])
def test_a_long_skill_of_an_application_is_not_loaded_by_agents(tmp_path, place, expected):
    body = "".join(f"- fact {number}\n" for number in range(501))
    skill = f"---\nname: s\ndescription: d\n---\n{body}"
    files = {MEMORY: "- a\n", f"{place}/s/SKILL.md": skill}
    ctx = project(tmp_path, files, {})
    paths = [ctx.cwd / place / "s/SKILL.md"]
    assert codes(list(check(ctx, paths).findings)) == expected


def test_a_rule_above_the_project_is_not_for_it_alone(tmp_path):
    rule = '---\npaths: ["src/zzz/*.qq"]\n---\n- a\n'
    files = {"CLAUDE.md": "- a\n", "src/a.py": "", ".claude/rules/b.md": rule}
    ctx = project(tmp_path, files, {})
    write(tmp_path, {".claude/rules/a.md": rule})
    found_in = [item.path for item in check(ctx, runtime_id="claude-code").findings]
    assert found_in == [ctx.cwd / ".claude/rules/b.md"]


def test_a_pattern_in_an_ignored_folder_is_for_files_of_other_machines(tmp_path):
    rule = '---\npaths: ["src/gone/*.py"]\n---\n- a\n'
    files = {"CLAUDE.md": "- a\n", "src/a.py": "", ".claude/rules/b.md": rule}
    assert codes(found(tmp_path / "sure", files, runtime="claude-code")) == ["AM135"]
    files[".gitignore"] = "/src\n"
    assert codes(found(tmp_path, files, runtime="claude-code")) == []


def test_a_folder_next_to_the_tests_is_not_a_test(tmp_path):
    files = {
        "Cargo.toml": '[package]\nname = "a"\n',
        "tests/login.rs": "",
        "tests_gone/main.rs": "",
        MEMORY: "- Run `cargo test --test gone`\n",
    }
    assert codes(found(tmp_path, files)) == ["AM503"]


def test_an_entry_in_the_folder_of_another_run(tmp_path):
    entry = "id: {0}\nscope: run\nrunId: r2\nkind: reference\nsummary: a\ncreatedAt: 1\n"
    name = "01" + "A" * 24
    files = {f".memory/runs/r1/{name}.md": f"---\n{entry.format(name)}---\n\na\n"}
    findings = found(tmp_path, files, runtime="drover")
    (finding,) = [item for item in findings if item.code == "AM802"]
    assert finding.span.line == 3
    assert finding.fact == "The entry of run 'r2' is in the folder of run 'r1'"


@pytest.mark.parametrize(
    ("submodule", "expected"), [(".github/skills", ["AM503"]), ("crates/b", [])]
)
def test_a_submodule_of_a_cargo_workspace_may_have_a_test(tmp_path, submodule, expected):
    files = {
        ".gitmodules": f'[submodule "a"]\n\tpath = {submodule}\n',
        "Cargo.toml": '[workspace]\nmembers = ["crates/*"]\n',
        "crates/a/Cargo.toml": '[package]\nname = "a"\n',
        "crates/a/tests/login.rs": "",
        MEMORY: "- Run `cargo test --test gone`\n",
    }
    assert codes(found(tmp_path, files)) == expected


@pytest.mark.parametrize("character", ["\x01", "\x7f"])
def test_a_control_character_can_be_copied_text(tmp_path, character):
    (finding,) = found(tmp_path, {MEMORY: f"# A\n\n- b{character}c\n"})
    assert (finding.code, finding.severity) == ("AM107", "warning")


def test_a_tree_that_fits_two_folders_is_one_of_the_folder_of_its_file(tmp_path):
    tree = "src/\n├── x.py\n├── y.py\n├── parser.py\n"
    names = [f"web{number}" for number in range(8)]  # several, since a set orders them by chance
    paths = [
        f"{folder}src/{file}.py" for folder in ("", *(f"{n}/" for n in names)) for file in "xy"
    ]
    memory = {f"{name}/AGENTS.md": f"# A\n\n```\n{tree}```\n" for name in names}
    ctx = project(tmp_path, {**dict.fromkeys(paths, ""), **memory}, {})
    findings = check(ctx, [ctx.cwd / path for path in memory], "deepagents-code").findings
    assert sorted(item.fact.split(" ")[0] for item in findings if item.code == "AM506") == [
        f"{name}/src/parser.py" for name in names
    ]


def test_a_link_that_the_system_cannot_look_up_ends_no_rule(tmp_path):
    too_long = f"/{'a' * 300}/b.md"
    assert codes(found(tmp_path, {MEMORY: f"# A\n\n- See [b]({too_long}) first\n"})) == []


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_any_newline_before_front_matter_is_removed(tmp_path, newline):
    lines = ["", " ", "---", "name: x", "description: Parses logs.", "---", "", "Text.", ""]
    skill = newline.join(lines).encode()
    findings = found(tmp_path, {".deepagents/skills/x/SKILL.md": skill})
    (finding,) = [item for item in findings if item.code == "AM701"]
    assert fixed(finding) == "\n".join(lines[2:])


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_a_comment_that_is_sent_is_not_reported_with_any_newline(tmp_path, newline):
    lines = ["# A", "", "Text <!-- Always run the linter before every commit. --> here.", ""]
    files = {"CLAUDE.md": newline.join(lines).encode()}
    assert codes(found(tmp_path, files, runtime="claude-code")) == []
