"""``agent-memory completion SHELL``: a script that completes commands, options and values."""

from __future__ import annotations

import argparse
import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agent_memory.cli import COMMANDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

PROGRAMS = ("agent-memory", "agent-memory-ls")

_BASH = """_agent_memory() {{
    local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}} key= words=
    if ((COMP_CWORD > 1)); then key=${{COMP_WORDS[1]}}; fi
    if ((COMP_CWORD > 2)); then
        case "$key" in {nested}) key="$key ${{COMP_WORDS[2]}}" ;; esac
    fi
{cases}
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
}}
complete -o default -F _agent_memory {programs}
"""
_ZSH = """#compdef {programs}
_agent_memory() {{
    local prev=$words[CURRENT-1] key=
    local -a list
    if ((CURRENT > 2)); then key=$words[2]; fi
    if ((CURRENT > 3)); then
        case "$key" in {nested}) key="$key $words[3]" ;; esac
    fi
    local words=
{cases}
    list=(${{=words}})
    compadd -a list || _files
}}
compdef _agent_memory {programs}
"""


@dataclass(frozen=True, slots=True)
class Completed:
    """What can follow a command.

    ``command`` is such as ``learn add``, '' before a command is named. ``words`` are its options,
    actions and arguments with fixed values. ``values`` are those of each option that has one; none
    if any text is possible.
    """

    command: str
    words: tuple[str, ...]
    values: dict[str, tuple[str, ...]]


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("shell", choices=("bash", "zsh", "fish"), metavar="bash|zsh|fish")


def run(args: argparse.Namespace) -> int:
    """Print the script."""
    commands = list(completed())
    if args.shell == "fish":
        print("\n".join(_fish(commands)))
        return 0
    frame = _BASH if args.shell == "bash" else _ZSH
    # The commands with actions: their key in the script has two words.
    nested = "|".join(
        dict.fromkeys(item.command.split()[0] for item in commands if " " in item.command)
    )
    cases = "\n".join(f"    {line}" for line in _cases(commands))
    print(frame.format(nested=nested, cases=cases, programs=" ".join(PROGRAMS)), end="")
    return 0


def completed() -> Iterator[Completed]:
    """Yield every command and action."""
    yield Completed("", tuple(COMMANDS), {})
    for name, parser in parsers().items():
        yield from _of(name, parser)


def parsers() -> dict[str, argparse.ArgumentParser]:
    """Return the parser of each command."""
    found = {}
    for name in COMMANDS:
        found[name] = argparse.ArgumentParser(f"agent-memory {name}")
        importlib.import_module(f"agent_memory.cli.{name}").configure(found[name])
    return found


def _of(name: str, parser: argparse.ArgumentParser) -> Iterator[Completed]:
    """Yield the command ``name`` with what its ``parser`` accepts, then its actions."""
    words: list[str] = []
    values: dict[str, tuple[str, ...]] = {}
    nested: dict[str, argparse.ArgumentParser] = {}
    for action in parser._actions:  # noqa: SLF001 -- argparse has no other list of them
        choices = tuple(map(str, action.choices or ()))
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001 -- as above
            nested = action.choices
        if not action.option_strings:  # an argument, or the actions
            words += choices
        elif action.help != argparse.SUPPRESS:
            words += action.option_strings
            if action.nargs != 0:  # it has a value
                values |= dict.fromkeys(action.option_strings, choices)
    yield Completed(name, tuple(words), values)
    for action_name, sub in nested.items():
        yield from _of(f"{name} {action_name}", sub)


def _cases(commands: Iterable[Completed]) -> Iterator[str]:
    """Yield the lines that set ``words``; nothing for a free value, so that files are completed."""
    yield 'case "$key $prev" in'
    for item in commands:
        for option, choices in item.values.items():
            yield f"    '{item.command} {option}') words='{' '.join(choices)}' ;;"
    yield '    *) case "$key" in'
    for item in commands:
        yield f"        '{item.command}') words='{' '.join(item.words)}' ;;"
    yield "    esac ;;"
    yield "esac"


def _fish(commands: Iterable[Completed]) -> Iterator[str]:
    """Yield the lines of the script for fish: one per option, one for all other words."""
    for program in PROGRAMS:
        for item in commands:
            seen = [f"__fish_seen_subcommand_from {word}" for word in item.command.split()]
            test = "; and ".join(seen) or "__fish_use_subcommand"
            start = f"complete -c {program} -n '{test}'"
            plain = [word for word in item.words if not word.startswith("-")]
            if plain:  # -f: no files where a command is expected
                yield f"{start} -a '{' '.join(plain)}'" + " -f" * (not item.command)
            for option in (word for word in item.words if word.startswith("-")):
                flag = f"-l {option[2:]}" if option.startswith("--") else f"-s {option[1:]}"
                if option in item.values:
                    choices = item.values[option]
                    flag += f" -xa '{' '.join(choices)}'" if choices else " -r"  # -r: any value
                yield f"{start} {flag}"
