"""Parse the front matter of one SKILL.md as the Python runtimes do, or return why they reject it.

The runtimes find the front matter with one regular expression and parse it with PyYAML (YAML 1.1:
``yes`` is True); ``str`` converts each value to text. They skip a skill that fails at any step and
only log it, so each failure has its own message here.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.text import BOM
from agent_memory.formats import yaml_limits
from agent_memory.formats.limits import FormatError
from agent_memory.fs.reader import Failure
from agent_memory.l10n import on_language_change, t, untranslated

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent_memory.fs.reader import FileText

MAX_CHARS = 10 * 1024 * 1024
"""Characters of a SKILL.md; a runtime skips a larger one."""
MAX_NAME = 64
"""Characters; a runtime warns of a longer name."""
MAX_DESCRIPTION = 1024
MAX_COMPATIBILITY = 500
"""Characters of the description and of the compatibility that a prompt contains."""

# As the runtimes' `^---\s*\n(.*?)\n---\s*\n`, but in linear time: without the atomic group, each of
# n blank lines below the first `---` is tried as the start. The second alternative is front matter
# of one blank line.
_FRONT = lazy_compile(r"(?>---\s*\n)(.*?)\n---\s*\n|---\s*\n([^\S\n]*)\n---\s*\n", re.DOTALL)
_VALUE_ERRORS = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError)
"""PyYAML raises these, not YAMLError, for some malformed values such as the date 2026-02-30."""
_UNREADABLE = untranslated("SKILL.md cannot be read")
_FAILED = {
    Failure.MISSING: untranslated("there is no SKILL.md in this folder"),
    Failure.DIRECTORY: untranslated("SKILL.md is a folder"),
    Failure.SPECIAL: untranslated(
        "SKILL.md is a pipe, socket or device; the agent would hang while reading it"
    ),
    Failure.UNDECODABLE: untranslated("SKILL.md is not valid UTF-8"),
    Failure.TOO_LARGE: untranslated("SKILL.md is over 10 MiB"),
}
"""Why a runtime does not load a file that cannot be read; others: ``_UNREADABLE``."""


class Trouble(str):
    """A message: why a runtime does not load a skill.

    ``about`` is ``yaml``, the name of the missing or empty key, or '' for other reasons. ``line``
    is the affected line of the file, from 0; it is 0 as well if the line is not known.
    """

    __slots__ = ("about", "line")
    about: str
    line: int

    def __new__(cls, message: str, about: str = "", line: int = 0) -> Self:
        """Return ``message`` with its subject and line."""
        trouble = super().__new__(cls, message)
        trouble.about, trouble.line = about, line
        return trouble


class SkillFile(NamedTuple):
    """The parsed front matter of a SKILL.md.

    ``line`` is the line of ``description``, from 0, and 0 if no line begins with this key.
    """

    name: str
    description: str
    license: str = ""
    compatibility: str = ""
    tools: tuple[str, ...] = ()
    tools_listed: bool = False  # ``allowed-tools`` is a YAML list; older versions ignore it
    line: int = 0


def parse(content: FileText, *, tidies: bool = True) -> SkillFile | Trouble:
    """Return the front matter of ``content``, or why a runtime does not load the skill.

    ``tidies``: the runtime trims name and description, and values such as ``null`` and ``no``
    become the texts "None" and "False". Else such a value counts as missing (deepagents-cli).
    """
    if content.failure:
        return Trouble(t(_FAILED.get(content.failure, _UNREADABLE)))
    if len(content.text) > MAX_CHARS:
        return Trouble(t(_FAILED[Failure.TOO_LARGE]))
    return _parse(content.text, tidies)


@lru_cache(maxsize=512)
def _parse(text: str, tidies: bool) -> SkillFile | Trouble:  # noqa: FBT001
    """Return the result of :func:`parse` for the ``text`` of a file that was read."""
    match = _FRONT.match(text)
    if match is None:
        return Trouble(_why_no_front_matter(text))
    # group 2 is the front matter if it is one blank line, else group 1
    front = match[1] if match[2] is None else match[2]
    values = _yaml(front)
    if isinstance(values, Trouble):
        return values
    try:
        return _skill(values, front, tidies=tidies)
    except ValueError as error:  # a number with too many digits for `str`
        return Trouble(t("its front matter is not valid YAML: {0}", error), "yaml")


def _skill(values: Mapping[Any, Any], front: str, *, tidies: bool) -> SkillFile | Trouble:
    """Return the skill whose front matter ``front`` was parsed to ``values``.

    Return a Trouble if name or description is missing or empty.
    """
    read = _text if tidies else _raw_text
    name, description = read(values, "name"), read(values, "description")
    if not name or not description:
        empty = "name" if not name else "description"
        return Trouble(t("`{0}` is missing or empty in its front matter", empty), empty)
    tools = values.get("allowed-tools")
    return SkillFile(
        name,
        description,
        _text(values, "license"),
        _text(values, "compatibility"),
        _tools(tools),
        isinstance(tools, list),
        _line_of(front, "description"),
    )


on_language_change(_parse.cache_clear)


def _why_no_front_matter(text: str) -> str:
    """Return why ``text`` has no front matter, which ``_FRONT`` would match."""
    if text.startswith(BOM):
        return t("a byte order mark precedes the first `---`")
    if not text.startswith("---") and text.lstrip().startswith("---"):
        return t("whitespace precedes the first `---`, which must start the file")
    first_line = text.partition("\n")[0]
    if first_line.rstrip() != "---":  # also `--- # comment`
        return t("it does not begin with front matter (a `---` line)")
    if re.search(r"\n---[^\S\n]*\Z", text):  # the last line closes it
        return t("no newline follows the closing `---`")
    return t("its front matter is not closed by a `---` line")


def _yaml(front: str) -> dict[Any, Any] | Trouble:
    """Return the mapping in the front matter ``front``, or why the runtimes cannot parse it.

    They use PyYAML's safe loader, the pure Python one.
    """
    import yaml  # noqa: PLC0415 -- few projects have skills

    try:
        yaml_limits.ensure_size(front)
        values = yaml.load(front, _loader())  # noqa: S506 -- a subclass of the safe loader
    except FormatError as error:
        error = error.moved(1)  # line 0 of the file is the opening ---
        message = t("its front matter cannot be parsed: {0}", error)
        return Trouble(message, "yaml", error.line or 0)
    except yaml.reader.ReaderError as error:
        return _invalid(front, error.position, error.reason)
    except yaml.MarkedYAMLError as error:
        return _invalid(front, error.problem_mark.index if error.problem_mark else 0, error.problem)
    except _VALUE_ERRORS as error:
        return Trouble(t("its front matter is not valid YAML: {0}", error), "yaml")
    if not isinstance(values, dict):
        return Trouble(t("its front matter is not a mapping (lines of the form `key: value`)"))
    return values


@cache
def _loader() -> Any:
    """Return the class of a loader: PyYAML's safe loader with the limits on values."""
    import yaml  # noqa: PLC0415 -- few projects have skills

    class BoundedLoader(yaml_limits.BoundedScanner, yaml_limits.BoundedComposer, yaml.SafeLoader):
        """A safe loader with limits."""

    return BoundedLoader


def _invalid(front: str, index: int, problem: str | None) -> Trouble:
    """Return the trouble for a YAML ``problem`` at character ``index`` of the front matter."""
    line = front.count("\n", 0, index) + 1  # line 0 of the file is the opening ---
    problem = problem or t("it cannot be parsed")
    message = t("its front matter is not valid YAML (line {0}): {1}", line + 1, problem)
    return Trouble(message, "yaml", line)


def _text(values: Mapping[str, Any], key: str) -> str:
    """Return the trimmed value of ``key`` as text, '' without the key.

    ``null`` and ``no`` are "None" and "False", as in the SDK.
    """
    return str(values.get(key, "")).strip()


def _raw_text(values: Mapping[str, Any], key: str) -> str:
    """Return the value of ``key`` as text, not trimmed.

    It is '' without the key and for values that are false in Python: ``null``, ``no``, 0, [].
    """
    return str(values.get(key) or "")


def _tools(value: object) -> tuple[str, ...]:
    """Return the names in the value of ``allowed-tools``, () if it is neither text nor a list."""
    if isinstance(value, str):
        return tuple(tool for tool in re.split(r"[\s,]+", value) if tool)
    if isinstance(value, list):
        return tuple(item.strip() for item in value if isinstance(item, str) and item.strip())
    return ()


def _line_of(front: str, key: str) -> int:
    """Return the line of the file that begins with ``key`` and a colon, from 0.

    It is 0, the line of the opening ---, if no line does. The front matter begins on line 1.
    """
    for number, line in enumerate(front.split("\n"), 1):
        if line.startswith(f"{key}:"):
            return number
    return 0


def _is_hyphenated(name: str) -> bool:
    """Whether ``name`` is lowercase letters and digits separated by single hyphens."""
    words = name.split("-")
    if not all(words):  # a hyphen at an end, or two in a row
        return False
    letters = "".join(words)
    return all(char.isdigit() or (char.isalpha() and char.islower()) for char in letters)


def name_warning(name: str, folder: str, *, ascii_only: bool) -> str:
    """Return the runtime's warning about the ``name`` of a skill, '' if it is valid.

    ``folder`` is the name of the skill's folder. ``ascii_only``: other letters are not allowed.
    """
    if len(name) > MAX_NAME:
        return t("the name has {0} characters; the limit is {1}", len(name), MAX_NAME)
    if not _is_hyphenated(name) or (ascii_only and not name.isascii()):
        return t("the name should be lowercase letters and digits separated by single hyphens")
    if name != folder:
        return t("the name is {0!r}, but the folder is {1!r}", name, folder)
    return ""
