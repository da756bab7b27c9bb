"""The package's description: the README with absolute links, as the package index needs them."""

from __future__ import annotations

import re
from pathlib import Path

from hatchling.metadata.plugin.interface import MetadataHookInterface

_LINK = re.compile(r"(!?\[[^\]]*\])\((?![a-z]+:|#)([^)\s]+)\)")


def absolute(markdown: str, home: str, revision: str) -> str:
    """Return ``markdown`` with its relative links leading to ``revision`` of the repository."""

    def link(match: re.Match[str]) -> str:
        kind = "raw" if match[1].startswith("!") else "blob"
        return f"{match[1]}({home}/{kind}/{revision}/{match[2]})"

    return _LINK.sub(link, markdown)


class Metadata(MetadataHookInterface):
    """Sets ``readme``."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict) -> None:
        """Set the description in ``metadata``."""
        text = (Path(self.root) / "README.md").read_text("utf-8")
        home = metadata["urls"]["Repository"]
        readme = absolute(text, home, f"v{metadata['version']}")
        metadata["readme"] = {"content-type": "text/markdown", "text": readme}
