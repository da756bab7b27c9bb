"""Completion scripts, and options that mean the same in every command."""

from __future__ import annotations

import argparse
import shutil
import subprocess

import pytest

from agent_memory.cli import COMMANDS, main
from agent_memory.cli.completion import completed, parsers

PROJECT = {"--runtime", "--agent", "--cwd", "--home"}
ELSEWHERE = {"completion", "learn", "rules", "serve"}
"""Commands that are not about a project and an agent; `learn` is about one runtime."""


def script(capsys, shell):
    assert main(["completion", shell]) == 0
    return capsys.readouterr().out


@pytest.mark.skipif(not shutil.which("bash"), reason="needs bash")
@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (["che"], ["check"]),
        (["check", "--format", "s"], ["sarif"]),
        (["check", "--fail-on", ""], ["error", "warning", "info", "never"]),
        (["check", "--baseline", ""], []),
        (["move", "x.md:1", "--sc"], ["--scope"]),
        (["learn", "extr"], ["extract"]),
        (["learn", "extract", "--nat"], ["--natural"]),
        (["entries", "list", "--format", "j"], ["json"]),
        (["completion", "z"], []),
    ],
)
def test_bash_completes(capsys, line, expected):
    if line[0] == "completion":
        expected = ["zsh"]
    words = " ".join(f"'{word}'" for word in ["agent-memory", *line])
    ask = f"COMP_WORDS=({words}); COMP_CWORD={len(line)}; _agent_memory; echo ${{COMPREPLY[@]}}"
    code = f"{script(capsys, 'bash')}\n{ask}"
    done = subprocess.run(["bash", "-c", code], capture_output=True, text=True, check=True)
    assert (done.stdout.split(), done.stderr) == (expected, "")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_scripts_are_valid_and_name_every_command_and_option(capsys, shell):
    text = script(capsys, shell)
    for item in completed():
        assert [word for word in item.words if word.lstrip("-") not in text] == []
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=text.encode(), check=True)


def leaves(parser):
    """Yield the parser, or those of its actions."""
    nested = [one for one in parser._actions if isinstance(one, argparse._SubParsersAction)]
    if nested:
        for sub in nested[0].choices.values():
            yield from leaves(sub)
    else:
        yield parser


EVERY = {leaf.prog: leaf for parser in parsers().values() for leaf in leaves(parser)}


@pytest.mark.parametrize("name", sorted(set(COMMANDS) - ELSEWHERE))
def test_commands_about_a_project_have_the_same_four_options(name):
    for leaf in leaves(parsers()[name]):
        assert leaf._option_string_actions.keys() >= PROJECT, leaf.prog


@pytest.mark.parametrize("prog", EVERY)
def test_options_have_help_or_a_list_of_values(prog):
    shown = [one for one in EVERY[prog]._actions if one.option_strings]
    assert [one.option_strings[-1] for one in shown if not one.help and not one.choices] == []


def test_an_option_takes_a_value_everywhere_or_nowhere():
    kinds = {}
    for leaf in EVERY.values():
        for action in leaf._actions:
            for option in action.option_strings:
                kinds.setdefault(option, set()).add(action.nargs == 0)
    # `check --diff` shows what --fix would change, `prompt --diff REV` what has changed
    assert {option for option, seen in kinds.items() if len(seen) > 1} == {"--diff"}
