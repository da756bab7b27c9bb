"""Hook of mkdocs.yml: generated pages, pages of the repository's root, and links to other files.

``cli-reference.md`` is generated from the parsers, ``api-reference.md`` from docstrings, the pages
of agents by tools/site_agents.py.
"""

from __future__ import annotations

import argparse
import importlib
import os
import posixpath
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "server"), str(ROOT / "tools")]

import site_agents  # noqa: E402

import agent_memory  # noqa: E402
from agent_memory.base.version import REPOSITORY  # noqa: E402
from agent_memory.cli import COMMANDS  # noqa: E402
from agent_memory.lint.rules import RULES  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterator

FROM_ROOT = ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")
_EXTERNAL = re.compile(
    r"<(?:script|img|iframe)[^>]+src=.?https?:[^>]*|<link[^>]+stylesheet[^>]+https?:[^>]*"
)
_LINK = re.compile(r"(\]\()(?!#|[a-z][a-z0-9+.-]*:)([^)\s#]+)(#[^)\s]*)?\)")


def on_config(config: Any) -> Any:
    """Replace the folders in the navigation by their pages."""
    config["nav"] = [
        {title: list(_pages(title, pages)) if isinstance(pages, str) else pages}
        for section in config["nav"]
        for title, pages in section.items()
    ]
    return config


def _pages(title: str, folder: str) -> Iterator[Any]:
    """Yield the navigation entries of the pages in ``docs/folder``, its index first."""
    if folder == "agents":
        yield {title: "runtimes.md"}
        yield from site_agents.pages()
        return
    yield {title: f"{folder}/README.md"}
    names = {rule.code: f"{rule.code} {rule.name}" for rule in RULES}
    for path in sorted((ROOT / "docs" / folder).glob("*.md")):
        if path.name != "README.md":
            page = f"{folder}/{path.name}"
            yield {names[path.stem]: page} if path.stem in names else page


def on_files(files: Any, *, config: Any) -> Any:
    """Add the generated pages and those of the repository's root."""
    from mkdocs.structure.files import File  # noqa: PLC0415 -- tests run without mkdocs

    texts = {name: (ROOT / name).read_text("utf-8") for name in FROM_ROOT}
    texts |= site_agents.pages()
    texts |= {"cli-reference.md": cli_reference(), "api-reference.md": api_reference()}
    for name, text in texts.items():
        files.append(File.generated(config, name, content=text))
    return files


def on_post_page(output: str, *, page: Any, **_: Any) -> str:
    """Return the page; raise if a reader's browser would load something from another site."""
    from mkdocs.exceptions import PluginError  # noqa: PLC0415

    if found := _EXTERNAL.search(output):
        raise PluginError(f"{page.file.src_uri} loads {found[0]}")
    return output


def on_page_markdown(markdown: str, *, page: Any, files: Any, **_: Any) -> str:
    """Return the page with its links to files outside of the site leading to the repository."""
    source = page.file.src_uri
    return linked(markdown, source, {file.src_uri for file in files})


def linked(markdown: str, source: str, pages: set[str]) -> str:
    """Return ``markdown`` with the links of the page ``source`` as the site needs them.

    ``source`` and ``pages`` are relative to ``docs``, or name a page of the repository's root.
    """
    home = "" if source in FROM_ROOT else "docs"
    here = posixpath.dirname(source)

    def link(match: re.Match[str]) -> str:
        path = posixpath.normpath(posixpath.join(home, here, match[2]))
        target = path.removeprefix("docs/")
        if target in pages and (path in FROM_ROOT or path.startswith("docs/")):
            new = posixpath.relpath(target, here or ".")
        elif (ROOT / path).exists():
            new = f"{REPOSITORY}/blob/main/{path}"
        else:
            return match[0]  # reported by mkdocs
        return f"{match[1]}{new}{match[3] or ''})"

    return _LINK.sub(link, markdown)


def cli_reference() -> str:
    """Return the page of all commands with their options, as ``--help`` prints them."""
    os.environ["COLUMNS"] = "92"
    about = "[Command line](cli.md) explains the commands, with examples. This page is their help."
    out = ["# Options of every command", about]
    for name, about in COMMANDS.items():
        parser = argparse.ArgumentParser(f"agent-memory {name}", description=about)
        importlib.import_module(f"agent_memory.cli.{name}").configure(parser)
        out += [f"## {name}", _help(parser)]
        for action in parser._actions:  # noqa: SLF001 -- argparse has no other access to them
            if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001
                for sub, its_parser in action.choices.items():
                    out += [f"### {name} {sub}", _help(its_parser)]
    return "\n\n".join(out) + "\n"


def _help(parser: argparse.ArgumentParser) -> str:
    return f"```text\n{parser.format_help().rstrip()}\n```"


def api_reference() -> str:
    """Return the page of all public names, which mkdocstrings fills from their docstrings."""
    names = "\n\n".join(f"::: agent_memory.{name}" for name in sorted(agent_memory.__all__))
    return (
        "# Python reference\n\nEvery public name, generated from its docstring. "
        f"[Python API](api.md) explains them, with examples.\n\n{names}\n"
    )
