"""Stand-ins for installed agents that fewer people use."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from agents_kit import install
from kit import with_settings, write

if TYPE_CHECKING:
    from pathlib import Path

    from agent_memory.config.context import Context

COPILOT = (
    b"\0&lt;imported_custom_instructionAll of these.Read them.Now.Then.Go.| P | F |"
    b"| --- | --- |Here\0"
)
QWEN = b"""
function concatenateInstructions(a, b) { return `<< ${displayPath} >>\n${trimmedContent}
END ${displayPath} .`; }
if (!validateImportPath(importPath, basePath, [])) { r += `BAD ${importPath} OUT`; continue; }
if (state.processedFiles.has(fullPath)) { r += `SEEN ${importPath} !`; continue; }
r += `IN ${importPath}:\n${imported.content}\nOUT ${importPath};`;
log(`Failed to import ${importPath}: ${message}`); r += `BAD ${importPath} - ${message} !`;
return `RULE ${displayPath}:
${rule.content}
END RULE ${displayPath}.`;
"""
CLINE = b"x`\n\n# Head\n${Z.map(($)=>`## ${$.name}\n${$.instructions}`).join(`\n\n`)}`\0"
VIBE_TEMPLATE = "Head.\n\n$sections\n\nTail.\n"
VIBE_CODE = """
        sections.append(
            f"# User\\n\\nFrom {VIBE_HOME.path}/AGENTS.md (user):\\n\\n{user_doc.strip()}"
        )
    elif project_docs:
        doc_sections.append("# Project")
        doc_sections.append(f"From {doc_dir}/AGENTS.md:\\n\\n{doc_content.strip()}")
"""
DEEPAGENTS = (
    b"const MEMORY_SYSTEM_PROMPT = context`\n  <m>\n  {memory_contents}\n  </m>\n\n"
    b"  Use \\`edit\\`.\n    More.\n`;\n"
)


def install_copilot(tmp_path: Path, ctx: Context, version: str = "1.0.102") -> Context:
    """Return ``ctx`` with a Copilot CLI on PATH that has unpacked its module."""
    ctx = install(tmp_path, ctx, "copilot", "@github/copilot", "npm-loader.js", version)
    module = f"copilot/pkg/linux-x64/{version}/prebuilds/linux-x64/runtime.node"
    write(tmp_path / "cache", {module: COPILOT})
    return ctx


def install_qwen(tmp_path: Path, ctx: Context, version: str = "0.24.4") -> Context:
    """Return ``ctx`` with a Qwen Code on PATH, its texts in one of several files."""
    ctx = install(tmp_path, ctx, "qwen", "@qwen-code/qwen-code", "cli-entry.js", version)
    chunks = tmp_path / "lib/node_modules/@qwen-code/qwen-code/chunks"
    write(chunks, {"a.js": "// small\n", "b.js": QWEN})
    return ctx


def install_cline(tmp_path: Path, ctx: Context, version: str = "3.0.65") -> Context:
    """Return ``ctx`` with a Cline on PATH, a link to the package of the platform."""
    return install(tmp_path, ctx, "cline", "@cline/cli-linux-x64", "bin/cline", version, CLINE)


def install_vibe(tmp_path: Path, ctx: Context, version: str = "3.0.2") -> Context:
    """Return ``ctx`` with a Mistral Vibe on PATH, in an environment of its own."""
    packages = "lib/python3.12/site-packages"
    files = {
        "bin/vibe": "#!python\n",
        f"{packages}/mistral_vibe-{version}.dist-info/METADATA": "Name: mistral-vibe\n",
        f"{packages}/vibe/core/prompts/agents_doc.md": VIBE_TEMPLATE,
        f"{packages}/vibe/core/system_prompt.py": VIBE_CODE,
    }
    write(tmp_path / "venv", files)
    (tmp_path / "bin").mkdir(exist_ok=True)
    (tmp_path / "bin" / "vibe").symlink_to(tmp_path / "venv/bin/vibe")
    env = {"PATH": str(tmp_path / "bin"), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    return ctx.with_(env=env)


def install_deepagents(tmp_path: Path, ctx: Context, version: str = "1.14.1") -> Context:
    """Return ``ctx`` with the npm package deepagents, named by the setting."""
    manifest = json.dumps({"name": "deepagents", "version": version})
    folder = write(tmp_path / "pkg", {"package.json": manifest, "dist/x.js": DEEPAGENTS})
    env = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    return with_settings(ctx, deepagents_js_path=str(folder)).with_(env=env)
