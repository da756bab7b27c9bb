"""The rows of the specification as questions, each with the answer that every interface must give.

``{root}`` and ``{home}`` stand for the folders of the probe, ``{agent}`` for its agent. A probe is
data: what is on disk, and what the prompt, the sources, the findings, a plan to save and a search
must contain.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

NO_USER, NO_PROJECT = "(No user agent.md)", "(No project agent.md)"
SKILL = "---\nname: {name}\ndescription: {text}\n---\n\nSteps\n"
MPM = ".claude-mpm/memories"
IDS = [f"01HZX3KQ7M8N9P0R1S2T3V4W5{end}" for end in "XYZABC"]


@dataclass(frozen=True)
class Save:
    """A text to save: the outcome, and words of the message or of the written line."""

    text: str
    scope: str
    outcome: str
    says: str = ""


@dataclass(frozen=True)
class Recall:
    """A search: the summaries of the entries, best first; ``options`` as in the protocol."""

    query: str
    found: tuple[str, ...]
    options: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Probe:
    """One project, and what the interfaces must answer about it.

    ``clean`` are files without the finding of a code, or without any.
    """

    rows: str
    runtime: str
    files: Mapping[str, str | bytes] = field(default_factory=dict)
    home: Mapping[str, str] = field(default_factory=dict)
    settings: str = ""
    git: str = "folder"
    cwd: str = ""
    contains: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    sources: Mapping[str, str] = field(default_factory=dict)
    says: tuple[str, ...] = ()
    findings: Mapping[str, str] = field(default_factory=dict)
    clean: Mapping[str, str] = field(default_factory=dict)
    save: tuple[Save, ...] = ()
    recall: tuple[Recall, ...] = ()


def skill(name: str, text: str = "does it") -> str:
    """Return a SKILL.md."""
    return SKILL.format(name=name, text=text)


def entry(
    at: int, summary: str, scope: str = "global", more: str = "", kind: str = "project"
) -> str:
    """Return the file of an entry; later ones of :data:`IDS` changed later."""
    return (
        f"---\nid: {IDS[at]}\nscope: {scope}\nkind: {kind}\nsummary: {summary}\n"
        f"createdAt: {at + 1}\n{more}---\n\nBody of {summary}.\n"
    )


OWNER, OTHER = "agentId: {agent}\n", "agentId: other\n"
USER = ".deepagents/{agent}/agent.md"
MINE = f"{MPM}/{{agent}}_agent.md"
CONFIG = ".claude-mpm/config.yml"
OVERRIDE = "memory:\n  agent_overrides:\n    {agent}_agent:\n      size_kb: 16\n"
FULL = "# T\n\n" + "\n".join(
    f"## {name} (Max: 15 items)\n" + "".join(f"- {name} fact {at}\n" for at in range(15))
    for name in ("Project Architecture", "Implementation Guidelines", "Common Mistakes to Avoid",
                 "Current Technical Context")
)  # fmt: skip
PLAIN = (
    "# Shop\n\nSells tea.\n\n## Build and test\n\n- Run `make test`\n\n## Style\n\n"
    "- Four spaces\n\n## Architecture\n\nThree layers.\n"
)
BOTH = {"files": {".deepagents/agent.md": "- theirs\n"}, "home": {USER: "- mine\n"}}
SNIPPET = (
    "<user_memory>\n- mine\n\n</user_memory>\n\n<project_memory>\n- theirs\n\n</project_memory>"
)

PROBES = (
    # The plan of deepagentsdk
    Probe("A1 A2 A6 A15 A31 A41 A42", "deepagentsdk", **BOTH,
          contains=(f"## Agent Memory\n\n{SNIPPET}",),
          sources={"{home}/" + USER: "loaded", ".deepagents/agent.md": "loaded"}),
    Probe("A3 A45", "deepagentsdk", {"agent.md": "- of the root\n"},
          contains=("- of the root",), sources={"agent.md": "loaded"}),
    Probe("X3 A3", "deepagentsdk", {".deepagents/agent.md": "- first\n", "agent.md": "- second\n"},
          contains=("- first",), lacks=("- second",), sources={"agent.md": "shadowed"},
          says=(".deepagents/agent.md is read instead",)),
    Probe("A4 B20", "deepagentsdk",
          {".deepagents/agent.md": "a\n", ".deepagents/architecture.md": "three layers\n"},
          contains=("{root}/.deepagents/*.md",), lacks=("three layers",),
          sources={".deepagents/architecture.md": "listed"}),
    Probe("A5 A32 A34 A7", "deepagentsdk", {".deepagents/skills/b/SKILL.md": skill("b")},
          {".deepagents/{agent}/skills/a/SKILL.md": skill("a")},
          sources={".deepagents/skills/b/SKILL.md": "listed",
                   "{home}/.deepagents/{agent}/skills/a/SKILL.md": "listed"}),
    Probe("A33 A35 A37 X10 X11", "deepagentsdk", {"old/b/SKILL.md": skill("b")},
          settings='skillFolders = ["old"]',
          sources={"old/b/SKILL.md": "listed"},
          says=("userSkillsDir is deprecated", "from version 1.0 on",
                "~/.deepagents/{agent}/skills/")),
    Probe("A36", "deepagentsdk", {".deepagents/skills/a/SKILL.md": "no front matter\n"},
          contains=(NO_PROJECT,), sources={".deepagents/skills/a/SKILL.md": "unreadable"}),
    Probe("A8 X13", "deepagentsdk", {".deepagents/agent.md": "- lost\n"}, git="file",
          contains=("None (not in a git project)",), lacks=("- lost",),
          sources={".deepagents/agent.md": "ignored"},
          says=("is a file (worktree or submodule)", "Set projectRoot to {root}"),
          findings={".deepagents/agent.md": "AM109"}),
    Probe("A11 A12", "deepagentsdk", {"app/.deepagents/agent.md": "- of the app\n", "sub/x": ""},
          settings='projectRoot = "app"', cwd="sub",
          contains=("- of the app", "`{root}/app` (detected)")),
    Probe("A11 B3 B9 X7", "deepagentsdk", **BOTH,
          settings="memoryTemplate = '''U={user_memory} P={project_memory} }{'''",
          contains=("U=- mine\n P=- theirs\n }{",)),
    Probe("A13", "deepagentsdk", {".deepagents/agent.md/x": ""},
          contains=(NO_PROJECT,), says=("this is a folder", "silently treats it as missing")),
    Probe("A44 X13", "deepagentsdk", {".deepagents/agent.md": "- theirs\n", "a/b/x": ""},
          cwd="a/b", contains=("- theirs", "`{root}` (detected)")),
    Probe("A14 A40 A46 B10", "deepagentsdk", {".deepagents/agent.md": ""},
          contains=(NO_USER, NO_PROJECT)),
    Probe("A16 B11", "deepagentsdk", contains=("`{root}` (no agent.md found)",)),
    Probe("A17 X1 B22", "deepagentsdk", git="none",
          contains=("None (not in a git project)",
                    "[project-root]/.deepagents (not in a project)")),
    Probe("A18 B2", "deepagentsdk", contains=("(shown as `~/.deepagents/{agent}`)",
                                             "`{home}/.deepagents/{agent}`")),
    Probe("A19 A22 B21 X8 A26", "deepagentsdk", contains=(
        "## Long-term Memory", "**When to CHECK/READ memories:**",
        "**Memory-first response pattern:**", "**When to update memories:**",
        "**Learning from feedback:**", "## Deciding Where to Store Memory", "## File Operations",
        "## Important", "Use absolute paths", "Ask before you create `.deepagents/`",
        '"you should remember" and "be careful about"')),
    Probe("A20", "deepagentsdk", contains=(
        "`{home}/.deepagents/{agent}/agent.md`: personality, style and behavior",
        "`{root}/.deepagents/agent.md`: how this project works",
        "`{root}/.deepagents/*.md`: reference notes")),
    Probe("A21", "deepagentsdk", contains=(
        "1. List the project's memory folder.\n2. Read the notes that fit with `read_file`.\n3.",
        "3. Look into the user's folder if they do not settle it.")),
    Probe("A25 A48 B15", "deepagentsdk", save=(
        Save("Prefer tabs", "user", "ready", "Prefer tabs"),
        Save("Run make lint", "project", "consent", "Create the .deepagents folder"))),
    Probe("A28 X2 X15", "deepagentsdk",
          {".deepagents/agent.md": "---\nname: x\n---\n\n- words\n"},
          contains=("---\nname: x\n---\n\n- words",),
          findings={".deepagents/agent.md": "AM112"}),
    Probe("A38", "deepagentsdk", {".deepagents/agent.md": "# A\n\n" + "many words here\n" * 3000},
          findings={".deepagents/agent.md": "AM301"}),
    Probe("A47", "deepagentsdk", home={USER: "- mine\n"}, contains=("- mine",)),
    # deepagents-cli
    Probe("B1", "deepagents-cli", {"agent.md": "- of the root\n"}, contains=(NO_PROJECT,),
          lacks=("- of the root",), sources={"agent.md": "ignored"},
          says=("never reads the root's agent.md",)),
    Probe("B5", "deepagents-cli", {".deepagents/agent.md": b"- caf\xe9\n"}, {USER: "- mine\n"},
          contains=("- mine", NO_PROJECT), lacks=("- caf",),
          sources={".deepagents/agent.md": "unreadable"}, says=("silently treats it as missing",)),
    Probe("B5", "deepagents-cli", {".deepagents/agent.md/x": ""}, contains=(NO_PROJECT,),
          says=("this is a folder", "silently treats it as missing")),
    Probe("B8 B12", "deepagents-cli", **BOTH,
          contains=(f"{SNIPPET}\n\n\n\n## Long-term Memory",)),
    Probe("B13", "deepagents-cli", {".deepagents/agent.md": "- theirs\n"}, git="file",
          contains=("- theirs", "`{root}` (detected)")),
    Probe("B14", "deepagents-cli", {".deepagents/agent.md": "- theirs\n", "a/b/x": ""},
          {USER: "u"}, cwd="a/b", contains=("- theirs", "<user_memory>\nu\n</user_memory>")),
    Probe("B16", "deepagents-cli",
          says=("the first start of deepagents-cli creates this file",)),
    Probe("B18 B23", "deepagents-cli", {".deepagents/skills/a/SKILL.md": skill("a", "ships it")},
          contains=("- **a**: ships it\n  \u2192 Read `{root}/.deepagents/skills/a/SKILL.md`",
                    "credentials in memory.\n\n\n## Skills System")),
    # deepagents with AGENTS.md
    Probe("C1 C10 C11", "deepagents", {"two.md": "second\n", "one.md": "first\n"},
          settings='sources = ["two.md", "one.md"]',
          contains=("<agent_memory>\ntwo.md\n\nsecond\n\none.md\n\nfirst\n\n</agent_memory>\n\n<mem",
                    "</agent_memory>\n\n<memory_guidelines>\n", "\n</memory_guidelines>")),
    Probe("C2", "deepagents-code", {"AGENTS.md": PLAIN, "Makefile": "test:\n"},
          contains=(f"\n\n{PLAIN.strip()}\n\n",), clean={"AGENTS.md": ""}),
    Probe("C2 C8", "deepagents-code", {"AGENTS.md": "- na\u00efve \u2713 \U0001f600\n"},
          contains=("- na\u00efve \u2713 \U0001f600",), sources={"AGENTS.md": "loaded"}),
    Probe("C8", "deepagents-code", {"AGENTS.md": b"- caf\xe9\n"}, lacks=("- caf",),
          says=("not valid UTF-8: the agent exits",), findings={"AGENTS.md": "AM101"}),
    Probe("C9 C12", "deepagents-code", {"AGENTS.md": " \n"},
          contains=("(No memory loaded)",)),
    Probe("C3 B17", "deepagents-code",
          {"AGENTS.md": "- always\n", ".deepagents/skills/a/SKILL.md": skill("a")},
          contains=("- always", "- **a**: does it"), lacks=("Steps",)),
    Probe("C7 X18", "deepagents-code", {"AGENTS.md/x": ""},
          says=("the agent exits with an error",)),
    Probe("C14", "deepagents-code", {"AGENTS.md": "{agent_memory} {{x}}\n"},
          contains=("{agent_memory} {{x}}",)),
    Probe("C15 C16 C17 C18 C19 C24", "deepagents-code", contains=(
        "**Write first:**", "save it before you answer", "**Save** what the user asks",
        "**Do not save** what is true only now", "API keys, tokens, passwords", "`edit_file`",
        "**Examples:**")),
    Probe("C21 C23", "deepagents", {"notes/AGENTS.md": "- listed\n", "AGENTS.md": "- not listed\n"},
          settings='sources = ["notes/AGENTS.md", "~/x/AGENTS.md"]',
          contains=("notes/AGENTS.md\n\n- listed",), lacks=("- not listed",),
          says=("the SDK does not expand",)),
    Probe("X17", "deepagents-code", {".deepagents/agent.md": "- the other generation\n"},
          lacks=("- the other generation",), findings={".deepagents/agent.md": "AM109"}),
    # drover
    Probe("D1 D2 D3 D10 D15 D35", "drover",
          {"AGENTS.md": "Whole rules.\n", f".memory/global/{IDS[0]}.md": entry(0, "a fact"),
           "skills/s/SKILL.md": skill("s"), "a/AGENTS.md": "Nearer.\n", "b/AGENTS.md": "Off.\n"},
          settings='skillFolders = ["skills"]', cwd="a",
          contains=("## Project instructions\n", "### (repo root) \u2014 AGENTS.md\n\nWhole rules.",
                    "### a \u2014 AGENTS.md\n\nNearer.", "## Available skills\n\n- **s**: does it",
                    "## Recalled memory\n", "- [project] a fact"),
          lacks=("Off.", "Body of a fact")),
    Probe("D34 D37", "drover",
          {"AGENTS.md": "Deploy with blue.\n", f".memory/global/{IDS[0]}.md": entry(0, "a fact")},
          contains=("- [reference] Project instructions \u2014 (repo root) (AGENTS.md)",),
          recall=(Recall("blue", ("Project instructions \u2014 (repo root) (AGENTS.md)",),
                         {"tags": ["instructions"], "kinds": ["reference"]}),)),
    Probe("D11 X22", "drover",
          {f".memory/global/{IDS[at]}.md": entry(at, f"fact {at}") for at in range(3)},
          settings="drover.maxIndexEntries = 2",
          contains=("- [project] fact 2\n- [project] fact 1",), lacks=("fact 0",),
          says=("the index is full (limit: 2)",)),
    Probe("D4 D5 D6 D16 D19 D24 D25 X20", "drover",
          {f".memory/global/{IDS[0]}.md": entry(0, "shared fact"),
           f".memory/agents/{{agent}}/{IDS[1]}.md": entry(1, "own fact", "agent", OWNER),
           f".memory/agents/other/{IDS[2]}.md": entry(2, "their fact", "agent", OTHER),
           f".memory/runs/r1/{IDS[3]}.md": entry(3, "fact of a run", "run", "runId: r1\n")},
          contains=("### Global\n- [project] shared fact\n\n### Agent ({agent})\n- [project] own",),
          lacks=("their fact", "fact of a run"),
          recall=(Recall("", ("own fact", "shared fact")),
                  Recall("", ("fact of a run", "own fact", "shared fact"), {"run": "r1"}),
                  Recall("", ("own fact", "shared fact"), {"run": "r2"}))),
    Probe("D22", "drover",
          {f".memory/global/{IDS[0]}.md": entry(0, "the build, which is currently broken")},
          findings={f".memory/global/{IDS[0]}.md": "AM603"}),
    Probe("D22", "drover", {f".memory/global/{IDS[0]}.md": entry(0, "builds with four workers")},
          clean={f".memory/global/{IDS[0]}.md": "AM603"}),
    Probe("D30", "auto", {"AGENTS.md": "- rules\n"}, contains=("- rules",),
          lacks=("## Project instructions",)),
    Probe("D30", "drover", {"AGENTS.md": "- rules\n"}, contains=("## Project instructions\n",)),
    Probe("X24 X22", "drover",
          {"AGENTS.md": "- rules\n", f".memory/global/{IDS[0]}.md": entry(0, "a fact")},
          settings="drover.maxIndexEntries = 1", lacks=("a fact",),
          contains=("- [reference] Project instructions \u2014 (repo root) (AGENTS.md)",),
          sources={f".memory/global/{IDS[0]}.md": "ignored"},
          says=("the index is full (limit: 1)",)),
    Probe("D50", "drover",
          {f".memory/global/{IDS[0]}.md": entry(0, "a fact").replace(IDS[0], IDS[0].lower()),
           ".memory/global/notes.md": entry(1, "a file of another name")},
          lacks=("a fact", "another name"), says=("not a ULID",),
          sources={f".memory/global/{IDS[0]}.md": "unreadable"}),
    Probe("D9", "drover", {"AGENTS.md": "a\n"}, lacks=("## Recalled memory",)),
    Probe("D17", "drover", {f"one/global/{IDS[0]}.md": entry(0, "of one"),
                            f"two/global/{IDS[1]}.md": entry(1, "of two")},
          settings='drover.entries = "one"', contains=("of one",), lacks=("of two",),
          recall=(Recall("of", ()), Recall("", ("of one",)))),
    Probe("D20 D26 D27", "drover",
          {f".memory/global/{IDS[0]}.md": entry(0, "deploy on monday", more="tags:\n  - Ops\n"),
           f".memory/global/{IDS[1]}.md": entry(1, "monday is quiet", kind="user")},
          recall=(Recall("monday", ("deploy on monday",), {"tags": ["ops", "none"]}),
                  Recall("monday", ("monday is quiet",), {"kinds": ["user"]}))),
    Probe("D21", "drover", {f".memory/global/{IDS[0]}.md": entry(0, "a fact", kind="feedback")},
          findings={f".memory/global/{IDS[0]}.md": "AM804"}),
    Probe("D31", "drover", {"RULES.md": "rules\n", "AGENTS.md": "no\n"},
          settings='drover.filenames = ["RULES.md"]',
          contains=("### (repo root) \u2014 RULES.md\n\nrules",), lacks=("AGENTS.md",)),
    Probe("D32 X19", "drover", {"AGENTS.md": "- upper words\n", "a/AGENTS.md": "here\n"},
          git="none", cwd="a", contains=("### (repo root) \u2014 AGENTS.md\n\nhere",),
          lacks=("- upper words",)),
    Probe("D33 D57", "drover", {"AGENTS.md": "x" * 16385},
          contains=("[...truncated \u2014 file exceeds 16384 bytes]",),
          sources={"AGENTS.md": "truncated"}),
    Probe("D7", "drover", {f".memory/global/{IDS[0]}.md": "no front matter\n"},
          sources={f".memory/global/{IDS[0]}.md": "unreadable"},
          says=("drover silently skips it",)),
    # Claude MPM
    Probe("E46 E39", "claude-mpm", {MINE: " \n\n"}, contains=("## Project Architecture",),
          says=("only the sections that Claude MPM adds",), sources={MINE: "loaded"}),
    Probe("E46", "claude-mpm", {MINE: FULL}, contains=(f"KNOWLEDGE:\n{FULL}",), clean={MINE: ""}),
    Probe("E46", "claude-mpm", {MINE: f"{FULL}- one too many\n"}, findings={MINE: "AM822"}),
    Probe("E46 E39", "claude-mpm", {MINE: b"- caf\xe9\n"}, sources={MINE: "unreadable"},
          says=("overwrites it with its default",)),
    Probe("E49 E45", "claude-mpm",
          {MINE: "# T\n\n- known\n", f"{MPM}/ops_agent.md": "- of ops\n"}, contains=("- known",),
          lacks=("- of ops", "## PROJECT-SPECIFIC MEMORY"),
          sources={f"{MPM}/ops_agent.md": "listed"},
          says=("added to the tasks of the agent ops",)),
    Probe("E35 X29 X32", "claude-mpm", {CONFIG: OVERRIDE, MINE: "# T\n\n" + "- item\n" * 1500},
          clean={MINE: "AM821"}),
    Probe("E1 E3 E26 E52 X26", "claude-mpm", {MINE: "# T\n\n- known\n"},
          contains=("AGENT MEMORY - PROJECT-SPECIFIC KNOWLEDGE:\n# T\n\n- known", "INSTRUCTIONS: "),
          sources={MINE: "loaded"}),
    Probe("E14 E17", "claude-mpm", {MINE: "# T\n\n## Recent Learnings\n- b\n"},
          contains=("## Project Architecture (Max: 15 items)", "## Implementation Guidelines",
                    "## Common Mistakes to Avoid", "## Current Technical Context",
                    "<!-- Section added by repair -->", "## Recent Learnings\n- b"),
          findings={MINE: "AM824"}),
    Probe("E4", "claude-mpm",
          {MINE: "# T\n\n" + "- item\n" * 1500},
          says=("exceed the limit of 8 KB",), findings={MINE: "AM821"}),
    Probe("E7", "claude-mpm", {MINE: "# T\n\n## A\n- a\n"},
          save=(Save("x" * 119, "project", "refused", "the limit of a line is 118"),)),
    Probe("E12 E18", "claude-mpm", {MINE: "# T\n\n## A\n- a\n"},
          save=(Save("b is new", "project", "ready", "b is new"),
                Save("A", "project", "duplicate", "already in line 4"))),
    Probe("E35 E51", "claude-mpm",
          {".claude-mpm/config.yml": "memory:\n  enabled: false\n",
           MINE: "# T\n\n- known\n"},
          lacks=("- known",), says=("memory.enabled is false in config.yml",)),
    Probe("E39", "claude-mpm",
          {".claude-mpm/config.yml": "memory: [\n", MINE: "# T\n\n- known\n"},
          contains=("- known",), says=("invalid YAML", "the defaults apply")),
    Probe("X40 C18", "claude-mpm", {MINE: "# T\n\n## A\n- a\n"},
          save=(Save("the token is {token}", "project", "secret"),)),
    # Contradictions
    Probe("A41", "deepagentsdk", {".deepagents/agent.md": "- Always use tabs for indentation.\n"},
          {USER: "- Never use tabs for indentation.\n"},
          contains=("- Never use tabs", "- Always use tabs"),
          findings={".deepagents/agent.md": "AM602"}),
)  # fmt: skip
