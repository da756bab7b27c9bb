"""The pages that the documentation site generates, and its links."""

from __future__ import annotations

import importlib.util
import re

import pytest
from markdown_it import MarkdownIt

import agent_memory
from agent_memory.cli import COMMANDS
from agent_memory.lint.pages import href
from agent_memory.lint.rules import RULES
from agent_memory.runtimes import RUNTIMES
from docs.console import Console, blocks, steps
from docs.pages import PAGES, ROOT, make_shop

SPEC = importlib.util.spec_from_file_location("site_pages", ROOT / "tools" / "site_pages.py")
assert SPEC
assert SPEC.loader
site_pages = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(site_pages)


def test_reference_has_every_command_with_its_options():
    page = site_pages.cli_reference()
    titles = re.findall("^## (.+)$", page, re.MULTILINE)
    assert titles == list(COMMANDS)
    assert "### entries promote" in page
    assert "--write-baseline" in page


def test_reference_has_every_public_name():
    assert all(
        f"::: agent_memory.{name}\n" in site_pages.api_reference() for name in agent_memory.__all__
    )


@pytest.mark.parametrize(
    ("source", "link", "expected"),
    [
        ("api.md", "../CONTRIBUTING.md#release", "CONTRIBUTING.md#release"),
        ("rules/AM101.md", "../cli.md", "../cli.md"),
        ("CONTRIBUTING.md", "docs/cli.md", "cli.md"),
        ("CONTRIBUTING.md", "#release", "#release"),
        ("api.md", "https://example.org/a.md", "https://example.org/a.md"),
        ("api.md", "gone.md", "gone.md"),
    ],
)
def test_links_between_pages(source, link, expected):
    pages = {"cli.md", "api.md", "rules/AM101.md", *site_pages.FROM_ROOT}
    assert site_pages.linked(f"[a]({link})", source, pages) == f"[a]({expected})"


def test_links_to_other_files_lead_to_the_repository():
    linked = site_pages.linked("[a](../examples/home)", "api.md", set())
    assert linked == f"[a]({site_pages.REPOSITORY}/blob/main/examples/home)"


def _relative_links(page):
    for block in MarkdownIt("commonmark").enable("table").parse((ROOT / page).read_text("utf-8")):
        for token in block.children or ():
            link = str(token.attrGet("href") or token.attrGet("src") or "")
            if link and not re.match("[a-z]+:|#", link):
                yield link.partition("#")[0]


@pytest.mark.parametrize("page", PAGES)
def test_every_relative_link_leads_to_a_file(page):
    folder = (ROOT / page).parent
    assert [link for link in _relative_links(page) if not (folder / link).exists()] == []


def test_the_address_of_every_rule_has_a_page():
    prefix = f"{site_pages.REPOSITORY}/blob/main/"
    assert [
        rule.code for rule in RULES if not (ROOT / href(rule.code).removeprefix(prefix)).is_file()
    ] == []


def test_navigation_contains_every_rule():
    (section,) = site_pages.on_config({"nav": [{"Rules": "rules"}]})["nav"]
    assert section["Rules"][0] == {"Rules": "rules/README.md"}
    assert len(section["Rules"]) == len(RULES) + 1


def test_every_agent_has_a_page_with_what_it_reads():
    pages = site_pages.site_agents.pages()
    assert list(pages) == [f"agents/{item.id}.md" for item in RUNTIMES]
    assert all("\n| Comments | " in page for page in pages.values())
    assert "| Compared with | 0.169.0 |" in pages["agents/codex.md"]


def test_the_same_means_the_cell_to_the_left():
    table = "| | Codex 1 | drover |\n|---|---|---|\n| limit | a \\| b | the same |\n"
    found = site_pages.site_agents.columns(table)
    assert found["codex"] == {"version": " 1", "limit": "a \\| b"}
    assert found["drover"] == {"version": "", "limit": "a \\| b"}


def test_commands_of_the_pages_of_agents_work(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    console = Console(tmp_path, make_shop(tmp_path))
    failed = []
    for page in site_pages.site_agents.pages().values():
        (block,) = blocks(page)
        for step in steps(block.body):
            console.run(step.command)
            failed += [step.command] if console.code > ("check" in step.command) else []
    assert failed == []
