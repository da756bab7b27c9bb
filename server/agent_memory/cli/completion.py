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

# In both scripts, `key` is the command before the cursor and its action, if it has one. Words are
# counted from 0 in bash and from 1 in zsh. `words` is what can follow: _cases sets it.
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
    actions and the fixed values of its arguments. ``values`` has for each option that takes a value
    its fixed values, () if any text is possible; options without a value are missing in it.
    """

    command: str
    words: tuple[str, ...]
    values: dict[str, tuple[str, ...]]


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("shell", choices=("bash", "zsh", "fish"), metavar="bash|zsh|fish")


def run(args: argparse.Namespace) -> int:
    """Print the script of the shell; return the exit code, always 0."""
    commands = list(completed())
    if args.shell == "fish":
        print("\n".join(_fish(commands)))
        return 0
    script = _BASH if args.shell == "bash" else _ZSH
    # The commands with actions, such as `learn`, each once: their key in the script has two words.
    names_of_two_words = [item.command for item in commands if " " in item.command]
    nested = "|".join(dict.fromkeys(name.split()[0] for name in names_of_two_words))
    cases = "\n".join(f"    {line}" for line in _cases(commands))
    print(script.format(nested=nested, cases=cases, programs=" ".join(PROGRAMS)), end="")
    return 0


def completed() -> Iterator[Completed]:
    """Yield what can follow the program's name, then what can follow each command and action."""
    yield Completed("", tuple(COMMANDS), {})
    for name, parser in parsers().items():
        yield from _command_and_actions(name, parser)


def parsers() -> dict[str, argparse.ArgumentParser]:
    """Return the parser of each command."""
    out = {}
    for name in COMMANDS:
        out[name] = argparse.ArgumentParser(f"agent-memory {name}")
        importlib.import_module(f"agent_memory.cli.{name}").configure(out[name])
    return out


def _command_and_actions(name: str, parser: argparse.ArgumentParser) -> Iterator[Completed]:
    """Yield what can follow the command ``name`` of ``parser``, then the same for its actions.

    argparse calls every argument and option of a parser an action. The actions of a command, such
    as ``add`` of ``learn``, are its subparsers.
    """
    words: list[str] = []
    values: dict[str, tuple[str, ...]] = {}
    subparsers: dict[str, argparse.ArgumentParser] = {}
    for accepted in parser._actions:  # noqa: SLF001 -- argparse has no other list of them
        choices = tuple(map(str, accepted.choices or ()))
        if isinstance(accepted, argparse._SubParsersAction):  # noqa: SLF001 -- as above
            subparsers = accepted.choices
        if not accepted.option_strings:  # an argument, or the subparsers
            words += choices
        elif accepted.help != argparse.SUPPRESS:
            words += accepted.option_strings
            if accepted.nargs != 0:  # the option takes a value
                values |= dict.fromkeys(accepted.option_strings, choices)
    yield Completed(name, tuple(words), values)
    for action, subparser in subparsers.items():
        yield from _command_and_actions(f"{name} {action}", subparser)


def _cases(commands: Iterable[Completed]) -> Iterator[str]:
    """Yield the lines of bash and zsh that set ``words``: what can follow a command or option.

    In the script, ``key`` is the command with its action, and ``prev`` the word before the cursor.
    ``words`` is empty after an option with a free value, so that files are completed.
    """
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
    """Yield the lines of the script for fish.

    Each program and command has one line for its actions and the fixed values of its arguments, if
    any, and one line per option.
    """
    for program in PROGRAMS:
        for item in commands:
            tests = [f"__fish_seen_subcommand_from {word}" for word in item.command.split()]
            test = "; and ".join(tests) or "__fish_use_subcommand"  # true before any command
            start = f"complete -c {program} -n '{test}'"
            not_options = [word for word in item.words if not word.startswith("-")]
            if not_options:
                no_files = "" if item.command else " -f"  # files only after a command
                yield f"{start} -a '{' '.join(not_options)}'{no_files}"
            for option in (word for word in item.words if word.startswith("-")):
                yield f"{start} {_fish_flags(option, item.values.get(option))}"


def _fish_flags(option: str, choices: tuple[str, ...] | None) -> str:
    """Return the flags of fish's ``complete`` for ``option``.

    ``choices`` are the fixed values of the option, () if any text is possible, None if the option
    takes no value.
    """
    name = f"-l {option[2:]}" if option.startswith("--") else f"-s {option[1:]}"
    if choices is None:
        return name
    # -xa: one of these values, no files; -r: any value.
    return f"{name} -xa '{' '.join(choices)}'" if choices else f"{name} -r"
