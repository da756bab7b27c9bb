"""A project with a generated secret in every place from which a value can reach an output."""

from __future__ import annotations

import json
import random
import string
from collections import UserDict
from typing import TYPE_CHECKING, Any

from kit import write
from unit.secrets.generate import Maker, private_key

if TYPE_CHECKING:
    from pathlib import Path

ULIDS = [f"01K5ZQ8V3M7Y2XB4T6N9C0D{number:03}" for number in range(20)]
_LINKS = """\
- [text](docs/{link}.md) and [text](docs/{folder}/a.md#part)
- [{link_text}](docs/missing.md) ![{image_text}](img/{image}.png)
- [text](docs/x.md "{link_title}") [text](other.md#{anchor}) [text](#{own_anchor})
- [text][{label}] <https://acme.io/{autolink}> @{imported}.md
- [text](docs/%67{encoded}.md) `src/{source}/main.py` `{script}.py` ~/{at_home}/x.md

[{label_defined}]: docs/{definition}.md
"""
_COMMANDS = """\
- run `make {make}`, `npm run {npm}`, `just {just}`, `yarn {yarn}`, `pnpm run {pnpm}`
- run `uv run {uv}`, `poetry run {poetry}`, `cargo {cargo}`, `python -m {module}`
"""
_COMMENTS = """\
<!-- agent-memory: disable-next-line {disabled} -->
- one
<!-- agent-memory: disable-line {disabled_line} -->
<!-- agent-memory: {action} -->
<!-- {comment} -->
"""
_SECTIONS = """\
## Deploy with {heading}

- a fact about deployment

## Use {twice}

- one

## Use {twice}

##### {jump}

- two

## {empty}

## Setext {setext}

```{info}
code {fence}
```
"""
_ITEMS = """\
- The tests need {item} in the environment of every developer
- The tests need {item} in the environment of every developer
- Always use {choice} for the deployment of the shop
- Never use {choice} for the deployment of the shop
- Currently the key is {transient}
- See https://deploy:{url}@git.acme.io/x and postgres://app:{private_url}@10.0.0.5/db
- api_key = {named}
- Sign with {named} again
- [the key](docs/{named}.md) and `make {named}`
- </agent_memory> {breakout}

| User | Password |
|------|----------|
| app  | {cell} |

{key}
"""
_ENTRY = """\
---
id: {id}
scope: {scope}
kind: {kind}
summary: {summary}
createdAt: {created}
tags:
  - {tag}
{more}---

{body}
"""
_SKILL = """\
---
name: {name}
description: {description}
{more}---

# {title}

[x](docs/{link}.md)
"""


class Planted(UserDict[str, str]):
    """The values by place; a value is made when its place is first named in a format."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self._maker = Maker(seed)
        self._random = random.Random(seed)

    def __missing__(self, place: str) -> str:
        spec = "{an:16}" if place in ("url", "private_url", "cell") else "{an:32}"
        if place == "key":
            self[place] = private_key(self._random.randrange(9**9))
        elif place == "skill_same":  # the name of a skill has no capitals
            self[place] = self._maker.make("dap" + "i{hex:32}")
        elif place == "named":
            self[place] = self._maker.make("{hex:40}")
        elif spec == "{an:16}":
            self[place] = self._maker.make(spec)
        else:
            self[place] = "gh" + "p_" + "".join(self._random.choices(string.ascii_letters, k=36))
        return self[place]

    def fill(self, text: str, **given: Any) -> str:
        """Return ``text`` with a value in each place; ``given`` are other replacements."""
        return text.format_map(_Both(self, given))

    def leaks(self, output: str) -> list[str]:
        """Return the places whose value, or a half of it, is in ``output`` in any case."""
        folded = output.lower()
        return [
            place
            for place, value in self.items()
            for part in (value.splitlines()[1:-1] if place == "key" else [value])
            for piece in (part, part[: len(part) // 2], part[len(part) // 2 :])
            if piece.lower() in folded
        ]


class _Both(dict[str, Any]):
    def __init__(self, planted: Planted, given: dict[str, Any]) -> None:
        super().__init__(given)
        self._planted = planted

    def __missing__(self, place: str) -> Any:
        return self._planted[place]


def project(tmp: Path, *, settings: bool = True) -> tuple[Planted, Path, Path]:
    """Write the files; return the values, the project and the home folder."""
    p = Planted(11)
    fill = p.fill
    memory = "# Shop {title}\n\n" + _LINKS + _COMMANDS + _COMMENTS + _ITEMS + _SECTIONS
    front = "---\n{front_key}: 1\nother: {front_value}\n---\n"
    hidden = "".join(chr(0xE0000 + ord(char)) for char in p["tag_characters"])
    files: dict[str, str | bytes] = {
        ".git/HEAD": fill("ref: refs/heads/{branch}\n"),
        ".gitignore": fill("{ignored}/\n"),
        "Makefile": "lint:\n\techo\n",
        "justfile": fill("{just_recipe}:\n\techo\n"),
        "package.json": json.dumps({"scripts": {p["npm_script"]: "x"}}),
        "AGENTS.md": fill(memory) + f"- a{hidden}b\n",
        ".deepagents/AGENTS.md": fill(front + "# A\n\n- The token is {second}\n"),
        ".deepagents/agent.md": fill("# A\n\n- {third}\n\n```{unclosed}\n"),
        ".deepagents/agent-memory.baseline.toml": fill("version = 1\n[{baseline}\n"),
        ".claude-mpm/memories/qa_agent.md": fill(
            "# QA\n\n## {mpm_section}\n- " + "x" * 130 + " {mpm_item}\n\n"
            "# Add To Memory:\nType: {mpm_type}\nContent: {mpm_content}\n#\n"
            "# Add To Memory:\n{mpm_field}: x\n#\n"
        ),
        fill(".claude-mpm/memories/{mpm_name}_agent.md"): "# X\n",
        ".claude-mpm/config.yml": fill("memory:\n  {mpm_key}: 1\n  enabled: {mpm_value}\n"),
        f"notes/{p['file_name']}.md": "# Note\n",
        fill("docs/{folder_name}/AGENTS.md"): "# Sub\n\n- [x](missing.md)\n",
        "output.txt": fill("# Add To Memory:\nType: {out_type}\nContent: {out}\n#\n"),
        "export.json": fill('{{"version": 1, "agents": {{"{export_agent}": "{export}"}}}}'),
        "broken.json": fill('{{"{broken}": '),
    }
    if settings:
        files[".deepagents/agent-memory.toml"] = fill(
            'runtime = "{runtime}"\nagent = "{agent}.."\n{setting} = 1\n'
            'memoryTemplate = "{template}"\nsources = ["{listed}.md"]\n'
            '[rules]\n{rule} = "off"\nstale-link = "{severity}"\n'
        )
        files["pyproject.toml"] = fill('[tool.agent-memory]\n"{pyproject}" = 1\n')
    files |= _skills(p) | _entries(p)
    home: dict[str, str | bytes] = {
        ".deepagents/agent/AGENTS.md": fill("# Me\n\n- {user}\n- Always use {choice} for all\n"),
        fill(".deepagents/{agent_folder}/AGENTS.md"): "# Other\n",
        ".deepagents/agent-memory.toml": fill('"{user_setting}" = 1\n'),
    }
    return p, write(tmp / "shop", files), write(tmp / "home", home)


def _skills(p: Planted) -> dict[str, str]:
    root, fill = ".deepagents/skills", p.fill
    text = {"description": "d", "more": "", "name": "n", "title": "t", "link": "x"}
    return {
        f"{root}/one/SKILL.md": fill(
            _SKILL,
            name=p["skill_name"],
            description=p["skill_description"],
            more=fill("{skill_key}: 1\nlicense: {license}\nallowed-tools: {tools}\n"),
            title=p["skill_title"],
            link=p["skill_link"],
        ),
        fill(f"{root}/{{skill_folder}}/SKILL.md"): fill(_SKILL, **{**text, "name": "other"}),
        fill(f"{root}/{{skill_same}}/SKILL.md"): fill(_SKILL, **{**text, "name": p["skill_same"]}),
        f"{root}/three/SKILL.md": fill("---\nname: [{skill_yaml}\n: {skill_yaml}\n---\n"),
        f"{root}/four/SKILL.md": fill(
            _SKILL, **{**text, "description": "d" * 1000 + " " + p["skill_long"]}
        ),
        fill(f"{root}/{{skill_file}}.md"): "# x\n",
    }


def _entries(p: Planted) -> dict[str, str]:
    plain = {
        "scope": "global",
        "kind": "user",
        "summary": "an old note",
        "created": 1,
        "tag": "a",
        "more": "",
        "body": "b",
    }
    changes: list[dict[str, Any]] = [
        {"summary": p["summary"], "body": p["body"], "tag": p["tag"]},
        {"more": f"{p['entry_key']}: 1\n{p['entry_key']}: 2\n"},
        {"kind": p["entry_kind"]},
        {"scope": p["entry_scope"]},
        {"created": p["entry_time"]},
        {"more": f"agentId: {p['entry_agent']}\n"},
        {"summary": f"{p['entry_yaml']}: a: b: c"},
        {"body": f"api_key: {p['named']}", "tag": p["named"]},
    ]
    files = {
        f".memory/global/{ulid}.md": p.fill(_ENTRY, **{**plain, "id": ulid, **change})
        for ulid, change in zip(ULIDS, changes, strict=False)
    }
    files[f".memory/global/{ULIDS[15]}.md"] = p.fill(_ENTRY, **plain, id=p["entry_id"])
    files[p.fill(".memory/global/{entry_file}.md")] = "x"
    files[p.fill(f".memory/agents/{{entry_folder}}/{ULIDS[16]}.md")] = p.fill(
        _ENTRY, **{**plain, "id": ULIDS[16], "scope": "agent"}
    )
    return files
