"""Options of ``check`` for rules, the report and accepted findings."""

from __future__ import annotations

import json
import sys

import pytest

from agent_memory.lint import baseline
from agent_memory.report import FORMATS
from kit import cli, project, write

MEMORY = "# A\n\n- hidden \u200b here\n- TODO later, see [x](docs/gone.md)\n"


@pytest.fixture
def ctx(tmp_path):
    return project(tmp_path, {"AGENTS.md": MEMORY, "pkg/AGENTS.md": "- hidden \u200b too\n"}, {})


def codes(ctx, *args):
    done = cli(ctx, "check", ".", "--format", "json", *args)
    return sorted({item["code"] for item in json.loads(done.out)["findings"]})


def test_rules_are_selected_and_ignored_by_code_prefix_and_name(ctx):
    every = codes(ctx)
    assert {"AM107", "AM502"} <= set(every)
    assert codes(ctx, "--select", "AM107") == ["AM107"]
    assert codes(ctx, "--select", "AM5") == [code for code in every if code.startswith("AM5")]
    assert codes(ctx, "--ignore", "hidden-unicode") == [code for code in every if code != "AM107"]
    assert codes(ctx, "--select", "AM107,AM5", "--ignore", "AM107") == codes(ctx, "--select", "AM5")


def test_an_unknown_rule_is_an_error_with_a_suggestion(ctx):
    done = cli(ctx, "check", "--select", "hidden-unicde")
    assert done.code == 2
    assert "unknown rule 'hidden-unicde'. Did you mean 'hidden-unicode'?" in done.err


def test_a_selected_rule_runs_although_the_settings_switch_it_off(ctx):
    write(ctx.cwd, {".deepagents/agent-memory.toml": '[rules]\nhidden-unicode = "off"\n'})
    assert "AM107" not in codes(ctx)
    assert codes(ctx, "--select", "AM107") == ["AM107"]


def test_statistics_count_the_findings_of_each_rule(ctx):
    done = cli(ctx, "check", ".", "--select", "AM107", "--statistics")
    assert (done.code, done.out) == (1, "2  AM107  hidden-unicode\n")
    assert cli(ctx, "check", "--statistics", "--format", "json").code == 2


def test_quiet_prints_findings_only(ctx):
    assert "checked" in cli(ctx, "check", ".").out
    assert "checked" not in cli(ctx, "check", ".", "--quiet").out
    clean = cli(ctx, "check", ".", "--quiet", "--select", "AM201")
    assert (clean.code, clean.out, clean.err) == (0, "", "")


def test_the_report_goes_to_a_file(ctx, tmp_path):
    place = tmp_path / "out" / "memory.sarif"
    done = cli(ctx, "check", ".", "--format", "sarif", "--output", str(place))
    assert (done.code, done.out) == (1, "")
    assert json.loads(place.read_text("utf-8"))["version"] == "2.1.0"


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such a name")
@pytest.mark.parametrize("form", FORMATS)
def test_the_report_file_escapes_a_name_that_is_not_utf8(ctx, tmp_path, form):
    memory = "caf\udce9/AGENTS.md"  # Python's form of the byte 0xE9
    write(ctx.cwd, {memory: "- hidden \u200b here\n"})
    done = cli(ctx, "check", memory, "--format", form)
    saved = cli(ctx, "check", memory, "--format", form, "--output", str(tmp_path / "report"))
    assert (saved.code, saved.err) == (1, "")
    assert (tmp_path / "report").read_text("utf-8") == done.out


@pytest.mark.parametrize(
    ("option", "env", "colored"),
    [
        ("always", {}, True),
        ("auto", {}, False),
        ("auto", {"FORCE_COLOR": "1"}, True),
        ("auto", {"CLICOLOR_FORCE": "1"}, True),
        ("auto", {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ("auto", {"FORCE_COLOR": "0"}, False),
        ("never", {"FORCE_COLOR": "1"}, False),
    ],
)
def test_color_is_chosen_by_option_then_environment(ctx, monkeypatch, option, env, colored):
    for name in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    assert ("\x1b[" in cli(ctx, "check", ".", "--color", option).out) == colored


def test_files_are_listed_without_a_check(ctx):
    done = cli(ctx, "check", ".", "--list-files")
    names = ("AGENTS.md", "pkg/AGENTS.md")
    assert (done.code, done.out.splitlines()) == (0, [str(ctx.cwd / name) for name in names])


def test_a_hyphen_is_standard_input_as_agents_md(ctx):
    done = cli(ctx, "check", "-", "--select", "AM107", stdin="- a\u200b\n".encode())
    assert done.code == 1
    assert done.out.startswith("AGENTS.md:1:")


def test_an_unknown_command_gets_a_suggestion(ctx):
    done = cli(ctx, "chekc")
    assert done.code == 2
    assert "unknown command 'chekc'. Did you mean 'check'?" in done.err
    assert "usage:" not in done.err


def test_accepted_findings_are_counted_and_shown_on_request(ctx):
    cli(ctx, "check", ".", "--write-baseline")
    done = cli(ctx, "check", ".")
    assert done.code == 0
    assert "accepted in the baseline" in done.out
    assert json.loads(cli(ctx, "check", ".", "--format", "json").out)["accepted"] > 2
    assert cli(ctx, "check", ".", "--no-baseline").code == 1
    assert cli(ctx, "check", ".", "--no-baseline", "--baseline", "x").code == 2


def test_the_baseline_can_be_another_file(ctx, tmp_path):
    place = str(tmp_path / "accepted.toml")
    assert cli(ctx, "check", ".", "--baseline", place, "--write-baseline").code == 0
    assert not (ctx.cwd / baseline.FILE).exists()
    assert cli(ctx, "check", ".").code == 1
    assert cli(ctx, "check", ".", "--baseline", place).code == 0


def test_stale_entries_are_reported_and_dropped(ctx):
    cli(ctx, "check", ".", "--write-baseline")
    write(ctx.cwd, {"pkg/AGENTS.md": "- plain now\n"})
    done = cli(ctx, "check", ".")
    assert (done.code, "1 accepted finding in the baseline no longer occurs;" in done.err) == (
        0,
        True,
    )
    cli(ctx, "check", ".", "--write-baseline")
    assert cli(ctx, "check", ".").err == ""
    assert "pkg/AGENTS.md" not in (ctx.cwd / baseline.FILE).read_text("utf-8")


def test_a_broken_baseline_of_another_project_is_reported_and_kept(ctx):
    broken = "version = 2\n"
    write(ctx.cwd, {".git/HEAD": "x", "other/.git/HEAD": "x", "other/AGENTS.md": MEMORY})
    write(ctx.cwd, {f"other/{baseline.FILE}": broken})
    for options in ((), ("--write-baseline",)):
        done = cli(ctx, "check", "other", *options)
        assert done.code == 2
        assert done.err.count("the baseline was ignored") == 1
    assert (ctx.cwd / "other" / baseline.FILE).read_text("utf-8") == broken
    assert "remove it and recreate it with --write-baseline" in done.err
    (ctx.cwd / "other" / baseline.FILE).unlink()
    assert cli(ctx, "check", "other", "--write-baseline").code == 0
    assert cli(ctx, "check", "other").code == 0


def test_accepted_findings_of_a_renamed_folder_stay_accepted(ctx):
    cli(ctx, "check", ".", "--write-baseline")
    (ctx.cwd / "pkg").rename(ctx.cwd / "package")
    done = cli(ctx, "check", ".")
    assert (done.code, done.err) == (0, "")


@pytest.mark.parametrize("form", ["github", "gitlab", "sarif"])
def test_paths_of_annotations_start_at_the_repository(ctx, form):
    below = ctx.with_(cwd=ctx.cwd / "pkg")
    done = cli(below, "check", ".", "--format", form, "--select", "AM107")
    assert "pkg/AGENTS.md" in done.out


def test_gitlab_issues_have_the_required_fields(ctx):
    write(ctx.cwd, {"pkg/AGENTS.md": "- a\u200b\n- a\u200b\n"})
    issues = json.loads(cli(ctx, "check", ".", "--format", "gitlab", "--select", "AM107").out)
    assert len({issue["fingerprint"] for issue in issues}) == len(issues) == 3
    assert issues[0]["check_name"] == "AM107 hidden-unicode"
    assert issues[0]["severity"] == "critical"
    assert issues[0]["location"] == {"path": "AGENTS.md", "lines": {"begin": 3, "end": 3}}


def test_markdown_is_a_table_whose_cells_are_plain_text(ctx):
    write(ctx.cwd, {"a|b `c/AGENTS.md": "- [x](go_ne.md)\n"})
    lines = cli(ctx, "check", ".", "--format", "markdown", "--select", "AM502").out.splitlines()
    assert lines[2:4] == ["| place | severity | rule | finding |", "|---|---|---|---|"]
    (row,) = [line for line in lines if "/AGENTS.md:1" in line and "b " in line]
    assert row.startswith("| a&#124;b \\`c/AGENTS.md:1 | warning | [AM502](https://")
    assert "go\\_ne.md" in row
