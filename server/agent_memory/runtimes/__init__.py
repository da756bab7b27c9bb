"""The table of runtimes, in display order. A new runtime is one module and one line here."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from agent_memory.base.errors import UsageError
from agent_memory.l10n import t
from agent_memory.runtimes.agents.claude_code import ClaudeCode
from agent_memory.runtimes.agents.cline import Cline
from agent_memory.runtimes.agents.codex import Codex
from agent_memory.runtimes.agents.copilot.copilot_cli import CopilotCli
from agent_memory.runtimes.agents.deepagents_js import DeepagentsJs
from agent_memory.runtimes.agents.gemini_cli import GeminiCli
from agent_memory.runtimes.agents.mistral_vibe import MistralVibe
from agent_memory.runtimes.agents.opencode import Opencode
from agent_memory.runtimes.agents.qwen.qwen_code import QwenCode
from agent_memory.runtimes.claude_mpm import ClaudeMpm
from agent_memory.runtimes.deepagents import Deepagents
from agent_memory.runtimes.deepagents_cli import DeepagentsCli
from agent_memory.runtimes.deepagents_code import DeepagentsCode
from agent_memory.runtimes.deepagentsdk import Deepagentsdk
from agent_memory.runtimes.drover import Drover

if TYPE_CHECKING:
    from agent_memory.runtimes.base import Runtime

RUNTIMES: tuple[Runtime, ...] = (
    DeepagentsCode(),
    DeepagentsCli(),
    Deepagents(),
    Deepagentsdk(),
    Drover(),
    ClaudeMpm(),
    ClaudeCode(),
    Codex(),
    GeminiCli(),
    Opencode(),
    CopilotCli(),
    QwenCode(),
    MistralVibe(),
    Cline(),
    DeepagentsJs(),
)
BY_ID: dict[str, Runtime] = {runtime.id: runtime for runtime in RUNTIMES}
FALLBACK = BY_ID[Deepagentsdk.id]
"""What `auto` chooses if no runtime is installed, has a file or is a dependency of the project."""


def get(runtime_id: str) -> Runtime:
    """Return the runtime ``runtime_id``.

    Raises:
        UsageError: it is unknown; the message lists the known ids.

    """
    try:
        return BY_ID[runtime_id]
    except KeyError:
        near = difflib.get_close_matches(runtime_id, BY_ID, 1)
        known = ", ".join(BY_ID)
        raise UsageError(
            t("unknown runtime '{0}'. Did you mean '{1}'? Known: {2}", runtime_id, near[0], known)
            if near
            else t("unknown runtime '{0}'. Known: {1}", runtime_id, known)
        ) from None
