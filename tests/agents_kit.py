"""Stand-ins for installed agents: programs with other texts at the places the real ones have."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from kit import write

if TYPE_CHECKING:
    from pathlib import Path

    from agent_memory.config.context import Context

CLAUDE = (
    b'\0var A="Head";function B(e){switch(e){case"Project":return" (project)";'
    b'case"Local":return" (local)";case"AutoMem":return" (notes)";'
    b'case"Managed":return" (managed)";case"User":return" (user)"}}'
    b"x=y?z:`File ${o.path}${B(o.type)}:\n\n`;\0"
)
CODEX = (
    b"\0\n\n--- docs ---\n\nagents_md.load\0agents_md.instructions# AGENTS.md Heading</TAG>next\0"
)
GEMINI = b"""
function concatenateInstructions(a) { return `<< ${item.filePath} >>\n${trimmedContent}
END ${item.filePath} .`; }
if (!validateImportPath(importPath, basePath, [])) { r += `BAD ${importPath} OUT`; continue; }
if (state.processedFiles.has(fullPath)) { r += `SEEN ${importPath} !`; continue; }
r += `IN ${importPath}:\n${imported.content}\nOUT ${importPath};`;
log(`Failed to import ${importPath}: ${message}`); r += `BAD ${importPath} - ${message} !`;
"""
OPENCODE = b'\0fn("Instruction.system")(f(d){return[`Read ${q}:\n${O[R]}`]});\0'
CONTENT = {"claude": CLAUDE, "gemini": GEMINI, "opencode": OPENCODE}


def install_claude(tmp_path: Path, ctx: Context, version: str = "2.1.330") -> Context:
    """Return ``ctx`` with a Claude Code on PATH."""
    return install(tmp_path, ctx, "claude", "@anthropic-ai/claude-code", "bin/claude.exe", version)


def install_codex(tmp_path: Path, ctx: Context, version: str = "0.169.0") -> Context:
    """Return ``ctx`` with a Codex on PATH, its binary in the package of the platform."""
    ctx = install(tmp_path, ctx, "codex", "@openai/codex", "bin/codex.js", version)
    native = "@openai/codex-linux-x64/vendor/x86_64/bin/codex"
    write(tmp_path / "lib" / "node_modules", {native: CODEX})
    return ctx


def install_gemini(tmp_path: Path, ctx: Context, version: str = "0.61.0") -> Context:
    """Return ``ctx`` with a Gemini CLI on PATH."""
    return install(tmp_path, ctx, "gemini", "@google/gemini-cli", "bundle/gemini.js", version)


def install_opencode(tmp_path: Path, ctx: Context, version: str = "1.18.33") -> Context:
    """Return ``ctx`` with an opencode on PATH."""
    return install(tmp_path, ctx, "opencode", "opencode-ai", "bin/opencode.exe", version)


def install(  # noqa: PLR0913, PLR0917 -- test data
    tmp_path: Path,
    ctx: Context,
    command: str,
    package: str,
    file: str,
    version: str,
    content: bytes = b"// starts the native program\n",
) -> Context:
    """Return ``ctx`` with the npm package of an agent and its ``command`` on PATH."""
    content = CONTENT.get(command, content)
    manifest = json.dumps({"name": package, "version": version})
    modules = tmp_path / "lib" / "node_modules"
    write(modules, {f"{package}/package.json": manifest, f"{package}/{file}": content})
    (tmp_path / "bin").mkdir(exist_ok=True)
    (tmp_path / "bin" / command).symlink_to(modules / package / file)
    env = {"PATH": f"/nowhere:{tmp_path / 'bin'}", "XDG_CACHE_HOME": str(tmp_path / "cache")}
    return ctx.with_(env=env)
