"""AM501: a row of a list or table of files that names one that git never had."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agent_memory.config.context import Context
from agent_memory.lint.engine import check
from git_kit import commit, git
from kit import write

if TYPE_CHECKING:
    from pathlib import Path

FILES = {
    "shop/cart.py": "1\n",
    "shop/prices.py": "2\n",
    "shop/orders.py": "3\n",
    "shop/stock.py": "4\n",
    "shop/pages/home.py": "5\n",
    "shop/forms/login.py": "6\n",
    "shop/mails/welcome.py": "7\n",
    "shop/old.py": "8\n",
    "shop/moved.py": "9\n" * 9,
    "bank/old.py": "10\n",
    "bank/money.py": "11\n",
    "packages/web/src/api/orders.ts": "12\n",
    "packages/web/src/api/stock.ts": "13\n",
    "packages/web/src/ui/menu.ts": "14\n",
    "packages/web/src/ui/form.ts": "15\n",
    ".gitignore": "shop/secrets.py\nshop/dumps/\n",
}


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with ``FILES`` in git, of which one was deleted and one was moved."""
    folder = write(tmp_path_factory.mktemp("with_layout") / "project", FILES)
    git(folder, "init", "-q", "-b", "main")
    commit(folder)
    git(folder, "rm", "-q", "shop/old.py")
    git(folder, "mv", "shop/moved.py", "bank/moved.py")
    commit(folder)
    return folder


def missing(repository: Path, text: str, place: str = "AGENTS.md") -> list[str]:
    """Return the fact of each finding of AM501 in a file with ``text`` at ``place``."""
    file = write(repository, {place: f"# A\n\n{text}\n"}) / place
    try:
        ctx = Context(repository.parent / "home", repository, env={})
        found = check(ctx, [file], "deepagents-code").findings
    finally:
        file.unlink()
    return [f"{item.severity} {item.fact}" for item in found if item.code == "AM501"]


LIST = "- `cart.py` - the cart\n- `prices.py` - prices\n"
TABLE = "| What | File |\n|---|---|\n| Cart | `cart.py` |\n| Prices | `prices.py` |\n"
FOLDERS = "- `pages/` - pages\n- `forms/` - forms\n"


@pytest.mark.parametrize(
    ("text", "place", "name"),
    [
        (f"{LIST}- `refunds.py` - refunds", "shop/AGENTS.md", "refunds.py"),
        (f"{LIST}- **`refunds.py`** - refunds", "shop/AGENTS.md", "refunds.py"),
        (f"{TABLE}| Money | `refunds.py` |", "shop/AGENTS.md", "refunds.py"),
        (f"{FOLDERS}- `mails/` - mails\n- `faxes/` - faxes", "shop/AGENTS.md", "faxes/"),
        (f"## Files in `shop/`\n\n{LIST}- `refunds.py` - refunds", "AGENTS.md", "refunds.py"),
        (f"**Shop** (`shop/`):\n\n{LIST}- `refunds.py` - refunds", "AGENTS.md", "refunds.py"),
        (f"**Shop** (`shop/`):\n{FOLDERS}- `faxes/` - faxes", "AGENTS.md", "faxes/"),
        (
            "- `shop/` - the shop\n  - `pages/`, `forms/` - views\n  - `faxes/` - faxes",
            "AGENTS.md",
            "faxes/",
        ),
        (
            "- `shop/cart.py` - cart\n- `shop/stock.py` - stock\n- `faxes/inbox/` - faxes",
            "AGENTS.md",
            "faxes/inbox/",
        ),
    ],
)
def test_a_row_of_a_list_of_existing_files_is_reported(repository, text, place, name):
    assert missing(repository, text, place) == [f"warning {name} does not exist in this project"]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("- `cart.py` - cart\n- `refunds.py` - refunds", "shop/AGENTS.md"),  # one exists
        (f"{LIST}- `a.py` - a\n- `b.py` - b\n- `c.py` - c", "shop/AGENTS.md"),  # most are missing
        (f"{LIST}- `refunds.py` - planned", "shop/AGENTS.md"),
        (f"{LIST}- Refunds: `refunds.py`", "shop/AGENTS.md"),  # no row begins with it
        (f"{FOLDERS}- `faxes/` - faxes\n- `calls/` - calls", "shop/AGENTS.md"),  # may come
        (f"{LIST}- `secrets.py` - keys", "shop/AGENTS.md"),  # git ignores it
        (f"## Files in `shop/`\n\n{LIST}- `secrets.py` - keys", "AGENTS.md"),
        (f"**Shop** (`shop/`):\n{FOLDERS}- `dumps/` - dumps", "AGENTS.md"),
        (f"## Example\n\n{LIST}- `refunds.py` - refunds", "shop/AGENTS.md"),
        (f"{LIST}- `refunds.py` - refunds", ".cursor/rules/shop.mdc"),  # shared by projects
        (f"{LIST}\n## Next\n\n- `refunds.py` - refunds", "shop/AGENTS.md"),  # another list
    ],
)
def test_a_row_is_not_reported_without_enough_existing_files(repository, text, place):
    assert missing(repository, text, place) == []


def test_a_folder_is_not_reported_without_a_history(tmp_path):
    project = write(tmp_path / "project", FILES)
    text = "- `pages/`, `forms/`, `mails/` - seen\n- `dumps_of_a_day/` - written by a program"
    assert missing(project, text, "shop/AGENTS.md") == []


@pytest.mark.parametrize(
    ("text", "place", "fact"),
    [
        (
            f"{LIST}- `old.py` - the first one",
            "shop/AGENTS.md",
            "old.py was deleted in commit HEAD",
        ),
        (
            f"{LIST}- `moved.py` - it moves",
            "shop/AGENTS.md",
            "moved.py was moved to bank/moved.py (commit HEAD)",
        ),
        (
            f"{LIST}- `orders.py` - orders\n- `money.py` - money",
            "shop/AGENTS.md",
            "money.py does not exist in this project",
        ),
        (f"{LIST}- `money.py` - money", "shop/AGENTS.md", ""),  # too few to know the folder
        ("- `cart.py` - cart\n- `old.py` - the first one", "shop/AGENTS.md", ""),
        (f"{LIST}- `orders.py` - orders\n- `home.py` - home", "shop/AGENTS.md", ""),  # below
        (f"## Files of `bank/`\n\n{LIST}- `old.py` - the first one", "shop/AGENTS.md", ""),
        (f"{LIST}- `old.py` - the first one", "AGENTS.md", ""),
        (f"{LIST}\nSee `old.py` too.", "shop/AGENTS.md", ""),
    ],
)
def test_a_name_in_a_list_of_a_folder_is_not_one_of_another_folder(repository, text, place, fact):
    head = git(repository, "rev-parse", "--short=7", "HEAD").strip()
    found = [item.replace(head, "HEAD") for item in missing(repository, text, place)]
    assert found == ([f"warning {fact}"] if fact else [])


def test_the_fix_of_a_name_in_another_folder_is_its_path(repository):
    file = write(repository, {"shop/AGENTS.md": f"# A\n\n{LIST}- `moved.py` - it moves\n"})
    ctx = Context(repository.parent / "home", repository, env={})
    found = check(ctx, [file / "shop/AGENTS.md"], "deepagents-code").findings
    assert [fix.title for item in found for fix in item.fixes] == ["Replace with bank/moved.py"]
    (file / "shop/AGENTS.md").unlink()


@pytest.mark.parametrize(
    ("text", "is_reported"),
    [
        ("- **`login.py`** - login\n- **`first.py`** - the first one", True),
        ("- **`login.py`** - login\n- **`first.py`** - to be written", False),
        ("- `login.py` - login\n- `welcome.py` - mails\n- It begins with `first.py`", False),
        ("- `a.py` - a\n- `b.py` - b\n- `c.py` - c\n- `first.py` - the first one", False),
    ],
)
def test_a_row_names_a_file_that_git_deleted_in_any_folder(tmp_path, text, is_reported):
    """Unlike for one that git never had, the folder need not be named, but half must exist."""
    root = write(tmp_path / "project", {**FILES, "old/bank/first.py": "12\n"})
    git(root, "init", "-q", "-b", "main")
    commit(root)
    git(root, "rm", "-q", "old/bank/first.py")
    commit(root)
    head = git(root, "rev-parse", "--short=7", "HEAD").strip()
    text = f"- `home.py` - start\n{text}"
    fact = f"warning first.py was deleted in commit {head}"
    assert missing(root, text, "shop/AGENTS.md") == [fact] * is_reported


def test_a_name_in_passing_that_git_never_had_is_information(repository):
    text = "In `shop/`, `cart.py` adds an item and `refunds.py` takes it back."
    assert missing(repository, text) == ["info refunds.py does not exist in this project"]


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("Read first", ["warning notes/prices.md does not exist in this project"]),
        ("**See**", ["warning notes/prices.md does not exist in this project"]),
        ("Read-only", []),
        ("Writes", []),
    ],
)
def test_a_column_of_files_to_read(repository, head, expected):
    text = f"| You touch | {head} |\n|---|---|\n| the prices | `notes/prices.md` |\n"
    assert missing(repository, text) == expected


DEEP = "- `src/api/orders.ts` - orders\n- `src/api/stock.ts` - stock\n- `src/ui/menu.ts` - menu\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            f"{DEEP}- `src/ui/form.ts` - form\n- `src/mail/welcome.ts` - mail",
            ["warning src/mail/welcome.ts does not exist in this project"],
        ),
        (f"{DEEP}- `src/mail/welcome.ts` - mail", []),  # three exist
        (f"{DEEP}- `src/ui/form.ts` - form\n- `mail/welcome.ts` - mail", []),  # of any project
        (f"{DEEP}- `src/ui/form.ts` - form\n\n## Next\n\n- `src/mail/welcome.ts` - mail", []),
    ],
)
def test_a_list_of_deep_paths_in_a_file_for_several_projects(repository, text, expected):
    assert missing(repository, text, ".cursor/rules/shop.mdc") == expected
