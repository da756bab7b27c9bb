"""The formats for programs, with difficult paths and texts."""

from __future__ import annotations

import hashlib
import json
import os
import re
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

import pytest

from agent_memory.lint import baseline
from agent_memory.report import FORMATS
from kit import cli, project, write
from unit.secrets.generate import Maker

if TYPE_CHECKING:
    from agent_memory.config.context import Context

TOKEN = Maker("formats").make("ghp_{crc:30}")
MEMORY = (
    "# One\n\n"
    f"- \U0001f600 hidden \u200b here, {TOKEN}\n"
    "- the same is said here: 100 %, <a & b>, x::y\n"
    "- the same is said here: 100 %, <a & b>, x::y\n"
    "\n# A \x1b[31m bell \x07\n\n# A \x1b[31m bell \x07\n"
)


@pytest.fixture
def ctx(tmp_path):
    files = {".deepagents/agent.md": MEMORY, "agent.md": "- other\n", "a b,c:d/agent.md": "\u200b"}
    return project(tmp_path, files, {".deepagents/agent/agent.md": "- mine\n"})


def check(ctx: Context, form: str, *args: str) -> str:
    done = cli(ctx, "check", ".", str(ctx.home / ".deepagents"), "--format", form, *args)
    assert done.code == 1
    assert TOKEN not in done.out + done.err
    return done.out


def test_json_has_the_documented_fields(ctx):
    value = json.loads(check(ctx, "json"))
    assert list(value) == ["version", "files", "findings", "accepted", "stale"]
    assert (value["version"], value["files"]) == (1, 4)
    assert {item["code"] for item in value["findings"]} >= {"AM107", "AM111", "AM201", "AM403"}
    for item in value["findings"]:
        assert list(item) == [
            *("code", "name", "severity", "message", "path", "range"),
            *("fixable", "fixes", "related", "url"),
        ]
        assert item["severity"] in ("error", "warning", "info")
        assert isinstance(item["fixable"], bool)
        for end in ("start", "end"):
            assert list(item["range"][end]) == ["line", "character"]


def test_characters_count_utf16_units(ctx):
    found = json.loads(check(ctx, "json"))["findings"]
    (hidden,) = [f for f in found if f["code"] == "AM107" and "U+200B" in f["message"]][:1]
    line = MEMORY.splitlines()[2]
    before = line[: line.index("\u200b")]
    assert hidden["range"]["start"] == {
        "line": 2,
        "character": len(before.encode("utf-16-le")) // 2,
    }


def test_json_lines_equal_the_findings_of_json(ctx):
    lines = [json.loads(line) for line in check(ctx, "jsonl").splitlines()]
    assert lines == json.loads(check(ctx, "json"))["findings"]


def test_github_commands_have_level_position_and_rule(ctx):
    out = check(ctx, "github")
    commands = re.findall(
        r"^::(error|warning|notice) ([^:]*(?:%3A[^:]*)*)::(.*)$", out, re.MULTILINE
    )
    assert len(commands) == len(out.splitlines()) == len(check(ctx, "jsonl").splitlines())
    (strange,) = [place for _, place, _ in commands if place.startswith("file=a b")]
    assert strange.startswith("file=a b%2Cc%3Ad/agent.md,line=1,endLine=1,col=1,endColumn=2,")
    assert strange.endswith("title=AM107 hidden-unicode")
    assert all("\r" not in message for *_, message in commands)


def test_github_omits_columns_of_multiline_findings(ctx):
    (ctx.cwd / ".deepagents/agent.md").write_text("- one\n- \u202eone\n  two\n- \u202eone\n  two\n")
    for line in check(ctx, "github").splitlines():
        start, end = re.findall(r"(?:line|endLine)=(\d+)", line)
        assert ("col=" in line) == (start == end)


def test_junit_has_a_case_per_finding(ctx):
    root = ET.fromstring(check(ctx, "junit"))
    found = json.loads(check(ctx, "json"))["findings"]
    failing = [item for item in found if item["severity"] != "info"]
    assert root.get("failures") == str(len(failing)) == str(len(root.findall(".//failure")))
    assert root.get("tests") == str(len(root.findall(".//testcase")))
    suites = {suite.get("name"): suite for suite in root}
    assert "a b,c:d/agent.md" in suites
    clean = suites[str(ctx.home / ".deepagents/agent/agent.md")]
    assert [case.get("name") for case in clean] == ["no findings"]


def test_junit_passes_findings_below_the_severity(ctx):
    root = ET.fromstring(check(ctx, "junit", "--fail-on", "error"))
    found = json.loads(check(ctx, "json"))["findings"]
    errors = sum(item["severity"] == "error" for item in found)
    assert len(root.findall(".//failure")) == errors < len(found)
    assert len(root.findall(".//system-out")) == len(found) - errors


def test_text_shows_source_lines_and_counts(ctx):
    out = check(ctx, "text")
    assert "hidden <U+200B> here" in out
    assert "\x1b" not in out
    assert "\x07" not in out
    assert re.search(r"^4 files checked: \d+ errors, \d+ warnings", out.splitlines()[-1])
    assert "= --fix: Remove the hidden characters" in out
    assert "= see .deepagents/agent.md:4:" in out
    accept = hashlib.sha256(TOKEN.encode()).hexdigest()
    assert f"= Not a secret? Add its SHA-256 to secrets.allowed: {accept}" in out


@pytest.fixture
def odd(tmp_path):
    """Return a project with a folder whose name is not UTF-8."""
    ctx = project(tmp_path, {".deepagents/x": ""}, {})
    try:
        write(ctx.cwd, {os.fsdecode(b"bad\xff/AGENTS.md"): "# A\n\n- see [x](docs/gone.md)\n"})
    except OSError:
        pytest.skip("this file system has only UTF-8 names")
    return ctx


@pytest.mark.parametrize("form", FORMATS)
def test_a_file_name_that_is_not_utf8_is_reported(odd, form):
    done = cli(odd, "check", ".", "--format", form)
    assert done.code == 1
    assert "AM502" in done.out
    assert "Traceback" not in done.err


def test_sarif_and_the_baseline_percent_encode_a_name_that_is_not_utf8(odd):
    log = json.loads(cli(odd, "check", ".", "--format", "sarif").out)
    place = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "bad%FF/AGENTS.md"
    assert cli(odd, "check", ".", "--write-baseline").code == 0
    assert "bad%FF/AGENTS.md" in (odd.cwd / baseline.FILE).read_text()
    assert cli(odd, "check", ".").code == 0
