"""``agent-memory prompt``: the block that an agent receives, byte for byte."""

from __future__ import annotations

import os
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from agent_memory import serialize
from agent_memory.base.errors import UsageError
from agent_memory.cli import entry_options, options, prompt_view
from agent_memory.fs.reader import Failure, decode, read_file
from agent_memory.prompt.compose import compose, compose_reading
from agent_memory.secrets import Exact, mask_parts

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence

    from agent_memory.config.context import Context
    from agent_memory.prompt.compose import Prompt


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    options.add_project(parser)
    options.add_format(parser, "markdown")
    parser.add_argument("--run", metavar="ID", help="the run's id (drover)")
    parser.add_argument("--store", type=Path, metavar="DIR", help="the folder of entries (drover)")
    parser.add_argument("--base", metavar="FILE", help="show the block inside this system prompt")
    parser.add_argument(
        "--stdin-filename",
        type=Path,
        metavar="PATH",
        help="read the unsaved text of PATH from standard input",
    )
    parser.add_argument(
        "--diff",
        metavar="REV",
        help="show the changes since a git revision; 'saved': since PATH was last saved; "
        "A...B: in a branch, for all listed agents and changed folders",
    )
    parser.add_argument(
        "--reading",
        type=Path,
        metavar="PATH",
        help="show the block that is added when the agent reads this file",
    )
    parser.add_argument(
        "--origins", action="store_true", help="show the source and the tokens of each piece"
    )
    parser.add_argument(
        "--reveal", action="store_true", help="show secrets unmasked (json, --diff, --origins)"
    )


def run(args: argparse.Namespace) -> int:
    """Compose and print the prompt, problems to standard error; return the exit code, always 0.

    With ``--diff``, the changes are printed instead.

    Raises:
        UsageError: options exclude each other, a file of an option cannot be read, or the runtime
            or agent is not valid.

    """
    _check_combination(args)
    ctx = options.context(args)
    store = entry_options.store_folder(args.store) if args.store else ctx.entries
    ctx = ctx.with_(run=args.run, entries=store)
    base = _base(args.base, ctx.cwd)
    saved_ctx = ctx  # without the unsaved text, for --diff saved
    if args.stdin_filename:
        ctx = _unsaved(ctx, args.stdin_filename)
    if args.diff:
        from agent_memory.cli import prompt_diff  # noqa: PLC0415 -- rarely needed

        return prompt_diff.run(args, ctx, saved_ctx, base)
    prompt = _composed(ctx, args, base)
    mask = None if args.reveal else partial(mask_parts, allowed=ctx.settings.allowed_secrets)
    if args.format == "json":
        _print_json(ctx, prompt, mask)
    elif args.origins:
        text = prompt_view.origins(prompt, mask)
        options.print_text(text, reveal=args.reveal)
    else:
        _print_bytes(prompt)
    for problem in prompt.problems:
        print(f"agent-memory prompt: {problem.message}", file=sys.stderr)
    return 0


def _check_combination(args: argparse.Namespace) -> None:
    """Raise ``UsageError`` for options that exclude or require each other."""
    if args.diff == "saved" and not args.stdin_filename:
        raise UsageError("--diff saved requires --stdin-filename PATH with the unsaved text")
    if args.base == "-" and args.stdin_filename:
        raise UsageError("--base - and --stdin-filename both read standard input: use only one")
    if args.reading and (args.base or args.diff):
        raise UsageError("--reading shows only the added block: omit --base and --diff")
    if args.format == "markdown" and not args.diff:
        raise UsageError("--format markdown requires --diff")


def _composed(ctx: Context, args: argparse.Namespace, base: str) -> Prompt:
    """Return the prompt, or with ``--reading`` what is added when the agent reads that file.

    ``base`` is the text of ``--base``, '' for none.
    """
    if not args.reading:
        return compose(ctx, args.runtime, base)
    path = Path(os.path.abspath(ctx.cwd / args.reading.expanduser()))  # noqa: PTH100 -- keeps symlinks
    added = compose_reading(ctx, path, args.runtime)
    if not added.segments:
        message = f"{added.choice.runtime.title} adds nothing when it reads {args.reading}"
        print(f"agent-memory prompt: {message}", file=sys.stderr)
    return added


def _base(name: str | None, cwd: Path) -> str:
    """Return the text of the file ``name`` (``-``: standard input); '' if ``name`` is None.

    A relative path starts at ``cwd``. In standard input, bytes that are not UTF-8 are replaced.

    Raises:
        UsageError: it cannot be read.

    """
    if name is None:
        return ""
    if name == "-":
        return sys.stdin.buffer.read().decode("utf-8", "replace")
    content = read_file(cwd / name)
    if content.failure:
        why = content.failure.words
        if content.failure is Failure.SPECIAL:  # `words` says only "special"
            why = "not a regular file"
        raise UsageError(f"--base: cannot read {name} ({why})")
    return content.text


def _unsaved(ctx: Context, path: Path) -> Context:
    """Return ``ctx`` with standard input as the content of ``path``, which may be relative."""
    path = (ctx.cwd / path).absolute()
    content = decode(path, sys.stdin.buffer.read())
    store = type(ctx.store)()  # a new one: that of ``ctx`` stays without the unsaved text
    store.overlay(path, lambda: content)
    return ctx.with_(store=store)


def _print_json(
    ctx: Context, prompt: Prompt, mask: Callable[[Sequence[str]], list[str]] | None
) -> None:
    """Print the prompt as JSON; ``mask`` None shows secrets.

    ``print_json`` masks strings, but not those that ``prompt_json`` marks as exact.
    """
    read = ctx.store.read
    options.print_json(
        serialize.prompt_json(
            prompt, lambda path: read(path).lines, ctx.settings.budget_tokens, mask
        )
    )


def _print_bytes(prompt: Prompt) -> None:
    """Print the prompt as the agent receives it; secrets are printed unmasked.

    A terminal gets a newline after it, and control characters as escapes.
    """
    if sys.stdout.isatty():
        sys.stdout.write(Exact(f"{prompt.text}\n"))
    else:  # bytes bypass the masking of standard output
        sys.stdout.buffer.write(prompt.text.encode("utf-8", "surrogatepass"))
    sys.stdout.flush()
