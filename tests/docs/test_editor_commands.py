"""The commands of VS Code that the pages name exist under that name."""

from __future__ import annotations

import json
import re

from docs.pages import PAGES, ROOT

NAMED = re.compile(r"(?:\*|\| )Agent Memory: ([^*|\n]+?)(?:\*| \|)")


def test_pages_name_commands_by_their_titles():
    texts = json.loads((ROOT / "vscode-extension/package.nls.json").read_text("utf-8"))
    titles = {text for key, text in texts.items() if key.startswith("command.")}
    named = {
        (page, name)
        for page in PAGES
        if "CHANGELOG" not in page
        for name in NAMED.findall((ROOT / page).read_text("utf-8"))
    }
    assert len(named) > 30
    assert [pair for pair in sorted(named) if pair[1] not in titles] == []
