"""One SKILL.md: its front matter, as the Python runtimes read it, or why they do not.

The runtimes take the front matter with one regular expression and hand it to PyYAML, which
speaks YAML 1.1: `yes` is True, and ``str`` makes text of every value. A skill that fails any of
this is left out with no more than a line in the log, so each way of failing is named here.
"""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Self

from agent_memory.base.text import BOM
from agent_memory.fs.reader import Failure
from agent_memory.l10n import on_language_change, t, untranslated

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent_memory.fs.reader import FileText

MAX_CHARS = 10 * 1024 * 1024
MAX_NAME = 64
MAX_DESCRIPTION = 1024
MAX_COMPATIBILITY = 500

_FRONT = re.compile(r"^---\s*\n(.*?)\n---\s*\n", re.DOTALL)
_FLOAT = re.compile(r"[-+]?(?:\d[\d_]*)?\.[\d_]*(?:[eE][-+]\d+)?|[-+]?\.(?:inf|nan)", re.IGNORECASE)
_UNREADABLE = untranslated("SKILL.md cannot be read")
_FAILED = {
    Failure.MISSING: untranslated("there is no SKILL.md in this folder"),
    Failure.DIRECTORY: untranslated("a folder stands in the place of SKILL.md"),
    Failure.SPECIAL: untranslated(
        "SKILL.md is a pipe, socket or device, which the agent waits for"
    ),
    Failure.UNDECODABLE: untranslated("SKILL.md is not valid UTF-8"),
    Failure.TOO_LARGE: untranslated("SKILL.md is over 10 MiB"),
}


class Trouble(str):
    """Why a runtime leaves a skill out, in words.

    ``about`` is ``yaml``, the key that is missing or empty, or '' for all else; ``line`` (from 0)
    is the line of the file that it is about.
    """

    __slots__ = ("about", "line")
    about: str
    line: int

    def __new__(cls, words: str, about: str = "", line: int = 0) -> Self:
        """Return ``words`` with what they are about."""
        made = super().__new__(cls, words)
        made.about, made.line = about, line
        return made


@dataclass(frozen=True, slots=True)
class SkillFile:
    """The front matter of a SKILL.md that a runtime reads. ``line`` is that of ``description``."""

    name: str
    description: str
    license: str = ""
    compatibility: str = ""
    tools: tuple[str, ...] = ()
    tools_listed: bool = False  # ``allowed-tools`` is a YAML list, which older versions ignore
    line: int = 0


def parse(content: FileText, *, tidies: bool = True) -> SkillFile | Trouble:
    """Return what a runtime reads from ``content``, or in words why it leaves the skill out.

    ``tidies``: white space around name and description is cut, and a value such as ``null`` or
    ``no`` becomes text; else it counts as none (deepagents-cli).
    """
    if content.failure:
        return Trouble(t(_FAILED.get(content.failure, _UNREADABLE)))
    if len(content.text) > MAX_CHARS:
        return Trouble(t(_FAILED[Failure.TOO_LARGE]))
    return _parse(content.text, tidies)


@lru_cache(maxsize=512)
def _parse(text: str, tidies: bool) -> SkillFile | Trouble:  # noqa: FBT001
    match = _FRONT.match(text)
    if match is None:
        return Trouble(_why_no_front_matter(text))
    values = _yaml(match[1])
    if isinstance(values, Trouble):
        return values
    read = _text if tidies else _as_it_is
    name, description = read(values, "name"), read(values, "description")
    if not name or not description:
        empty = "name" if not name else "description"
        return Trouble(t("its front matter has no `{0}`, or an empty one", empty), empty)
    tools = values.get("allowed-tools")
    return SkillFile(
        name,
        description,
        _text(values, "license"),
        _text(values, "compatibility"),
        _tools(tools),
        isinstance(tools, list),
        _line_of(match[1], "description"),
    )


on_language_change(_parse.cache_clear)


def _why_no_front_matter(text: str) -> str:
    if text.startswith(BOM):
        return t("a byte order mark stands before the first `---`")
    if not text.startswith("---"):
        if text.lstrip().startswith("---"):
            return t("a blank stands before the first `---`, which must begin the file")
        return t("it does not begin with front matter (a line `---`)")
    if re.search(r"\n---[^\S\n]*\Z", text):
        return t("no line ending follows the closing `---`")
    return t("its front matter is not closed by a line `---`")


def _yaml(front: str) -> dict[str, Any] | Trouble:
    """Return the top level of ``front``; of a key given twice the last value, as PyYAML does."""
    from ruamel.yaml import YAML  # noqa: PLC0415 -- heavy, and few projects have skills
    from ruamel.yaml.error import YAMLError  # noqa: PLC0415
    from ruamel.yaml.nodes import MappingNode  # noqa: PLC0415

    reader = YAML(typ="safe", pure=True)
    reader.version = (1, 1)
    reader.allow_duplicate_keys = True
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            reader.load(front)  # tags that a safe reader refuses fail here
            root = reader.compose(front)
            if not isinstance(root, MappingNode):
                return Trouble(t("its front matter is no list of `key: value` lines"))
            return {key.value: _value(reader, value) for key, value in root.value}
    except YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark else 0
        problem = getattr(error, "problem", None) or t("it cannot be parsed")
        words = (
            t("its front matter is not valid YAML (line {0}): {1}", line + 1, problem)
            if mark
            else t("its front matter is not valid YAML: {0}", problem)
        )
        return Trouble(words, "yaml", line)
    except (ValueError, RecursionError, TypeError) as error:
        return Trouble(t("its front matter is not valid YAML: {0}", error), "yaml")


def _value(reader: Any, node: Any) -> Any:
    plain = getattr(node, "style", None) is None and isinstance(node.value, str)
    if plain and str(node.tag).endswith(":float") and not _FLOAT.fullmatch(node.value):
        return node.value  # PyYAML wants a dot and a signed exponent
    return reader.constructor.construct_object(node, deep=True)


def _text(values: Mapping[str, Any], key: str) -> str:
    return str(values.get(key, "")).strip()


def _as_it_is(values: Mapping[str, Any], key: str) -> str:
    return str(values.get(key) or "")


def _tools(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return tuple(tool for tool in re.split(r"[\s,]+", value) if tool)
    if isinstance(value, list):
        return tuple(item.strip() for item in value if isinstance(item, str) and item.strip())
    return ()


def _line_of(front: str, key: str) -> int:
    for number, line in enumerate(front.split("\n"), 1):
        if line.startswith(f"{key}:"):
            return number
    return 0


def name_warning(name: str, folder: str, *, ascii_only: bool) -> str:
    """Return what the runtime's log says against ``name``; '' where it is as it should be."""
    if len(name) > MAX_NAME:
        return t("the name has {0} characters; {1} are the most", len(name), MAX_NAME)
    letters = name.replace("-", "")
    spelled = all(
        char.isdigit() or (char.isalpha() and char.islower()) for char in letters
    ) and not (ascii_only and not name.isascii())
    if not letters or not spelled or name.startswith("-") or name.endswith("-") or "--" in name:
        return t("the name should be lower-case letters and digits, joined by single hyphens")
    if name != folder:
        return t("the name is {0!r}, but its folder is {1!r}", name, folder)
    return ""
