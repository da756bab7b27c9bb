"""AM501, AM502 and AM506 about paths that git deleted, in real repositories."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agent_memory.config.context import Context
from agent_memory.lint.engine import check
from git_kit import commit, git
from kit import write

if TYPE_CHECKING:
    from pathlib import Path

    from agent_memory.base.model import Finding

SKILL = ".agents/skills/ci/SKILL.md"
BEFORE = {
    "src/old/parser.py": "1\n",
    "src/old/reader.py": "2\n",
    "src/words/list.py": "22\n",
    "src/words.json": "{}\n",
    "src/app.py": "3\n",
    "src/lexer.py": "13\n",
    "docs/guide.md": "guide\n" * 9,
    "api/src/engine.py": "4\n",
    "api/handlers.py": "5\n",
    "api/catalog.json": "{}\n",
    "api/src/server.py": "server\n" * 9,
    "web/src/engine.py": "6\n",
    "web/src/engine.js": "6\n",
    "src/engine.js": "6\n" * 3,
    "tests/test_catalog.py": "7\n",
    "build.log": "8\n",
    "tests/cart/ExampleTest.php": "14\n",
    "tests/example_test.rb": "15\n",
    "news/123.fixed.md": "23\n",
    "news/hints.md": "24\n",
    "tests/ExampleDataTest.php": "16\n",
    "api/(v2)/src/engine.py": "18\n",
    "src/appley.py": "19\n",
    "src/amodule.py": "20\n",
    ".github/checks/lint.json": "17\n",
    "deploy/shop_charts.ts/a.txt": "18\n",
    "deploy/shop_prices.ts": "19\n",
    "data/notes/a.md": "8\n",
    "package-lock.json": "{}\n",
    "README.md": "9\n",
    "shop.db": "21\n",
    "unpacked/word/document.xml": "22\n",
    ".pier.build.yml": "25\n",
    **dict.fromkeys(["piers/north/berths/a.py", "quays/notes/a.py", "quays/app.py"], "26\n"),
    **dict.fromkeys(["rates/gold/a.json", "rates/tin/b.csv"], "24\n"),
    "api/.env.example": "A=1\n",
    ".github/workflows/test.yml": "10\n",
    "tests/data/a/catalog.csv": "11\n",
    f"{SKILL[:-8]}assets/catalog.csv": "12\n",
}
GONE = [
    "shop.db",
    "unpacked/word/document.xml",
    "data/notes/a.md",
    "package-lock.json",
    "src/engine.js",
    *("src/lexer.py", "src/words/list.py", ".pier.build.yml"),
    *("piers/north/berths/a.py", "quays/notes/a.py"),
    *("news/123.fixed.md", "news/hints.md"),
    *("src/old/parser.py", "src/old/reader.py", "api/src/engine.py", "api/handlers.py"),
    "api/catalog.json",
    "api/.env.example",
    *("tests/test_catalog.py", "build.log", ".github/workflows/test.yml"),
    "tests/data/a/catalog.csv",
    *("tests/cart/ExampleTest.php", "tests/example_test.rb", "tests/ExampleDataTest.php"),
    ".github/checks/lint.json",
    *("deploy/shop_charts.ts/a.txt", "deploy/shop_prices.ts"),
]


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project whose files ``GONE`` were deleted and two others were moved."""
    folder = write(tmp_path_factory.mktemp("with_history") / "project", BEFORE)
    git(folder, "init", "-q", "-b", "main")
    commit(folder)
    git(folder, "rm", "-q", *GONE)
    (folder / "guide").mkdir()
    (folder / "docs" / "guide.md").rename(folder / "guide" / "guide.md")
    (folder / "api" / "src" / "core").mkdir()
    (folder / "api" / "src" / "server.py").rename(folder / "api" / "src" / "core" / "server.py")
    write(folder, {".gitignore": "*.log\n", "api/.gitignore": "catalog.json\n"})
    commit(folder)
    return folder


def findings(repository: Path, text: str, place: str = "AGENTS.md") -> tuple[Finding, ...]:
    """Return the findings in a file with ``text`` at ``place``."""
    file = write(repository, {place: text}) / place
    try:
        ctx = Context(repository.parent / "home", repository, env={})
        return check(ctx, [file], "deepagents-code").findings
    finally:
        file.unlink()


def facts(repository: Path, text: str, place: str = "AGENTS.md") -> list[str]:
    """Return `severity code fact` of each finding in a file with ``text`` at ``place``."""
    found = findings(repository, text, place)
    head = git(repository, "rev-parse", "--short=7", "HEAD").strip()
    return [f"{item.severity} {item.code} {item.fact}".replace(head, "HEAD") for item in found]


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("Parsing is done by `src/old/parser.py`.", "src/old/parser.py"),
        ("- The importer reads src/old/parser.py first.", "src/old/parser.py"),
        ("- It may fail if the format is local (see `src/old/parser.py`).", "src/old/parser.py"),
        ("- All importers live below `src/old/`.", "src/old/"),
        ("- Run `just test tests/test_catalog.py` often.", "tests/test_catalog.py"),
        ("```bash\njust test tests/test_catalog.py\n```", "tests/test_catalog.py"),
        ("```python\n# src/old/parser.py\nimport x\n```", "src/old/parser.py"),
        ("| a | b |\n|---|---|\n| `x` | `src/old/reader.py` |", "src/old/reader.py"),
        ("- It uses `src/old/parser.py`; reports are generated.", "src/old/parser.py"),
        ("- Use `src/old/parser.py`, not `src/app.py`.", "src/old/parser.py"),
        ("- `src/old/parser.py`, `src/app.py` - writes reports.", "src/old/parser.py"),
        ("- `src/app.py` / `src/old/parser.py` - writes reports.", "src/old/parser.py"),
        ("- `src/old/parser.py` - one of the per-day importers.", "src/old/parser.py"),
        ("- `src/old/parser.py` - commands (start, stop, etc.)", "src/old/parser.py"),
        ("- **Parser** (`src/old/parser.py`) - writes reports.", "src/old/parser.py"),
        ("- `src/old/parser.py` - opened from an empty cell.", "src/old/parser.py"),
        ("- `src/old/` - the cluster artifacts.", "src/old/"),
        ("| `src/app.py` | `~/.shop` |\n| `src/old/reader.py` | x |", "src/old/reader.py"),
        ("- `src/old/parser.py` - reads soft-deleted steps.", "src/old/parser.py"),
        ("- The schema comes from the migrations in `src/old/`.", "src/old/"),
        ("- `src/old/parser.py` turns an order → its items.", "src/old/parser.py"),
        ("| A → B | `src/old/parser.py` |\n|---|---|\n| x | y |", "src/old/parser.py"),
        ("- Two files exist (`app.py`, `lexer.py`).", "lexer.py"),
        ("- Linted by `src/old/parser.py` (in this repo).", "src/old/parser.py"),
        ("- The parser (added in PR #12: `src/old/parser.py`).", "src/old/parser.py"),
        ("## Tests per package\n\n- `src/old/parser.py`", "src/old/parser.py"),
        ("## When things go wrong\n\n- `src/old/parser.py` logs.", "src/old/parser.py"),
        ("- The default reader is `src/old/reader.py`.", "src/old/reader.py"),
        ("- Run `read --fast`, then `src/old/reader.py` by default.", "src/old/reader.py"),
        ("- Steps are in modules (e.g. `src/app.py`, `src/old/reader.py`).", "src/old/reader.py"),
        ("- Readers such as `src/old/reader.py` return lists.", "src/old/reader.py"),
        ("- No unit tests (`src/old/parser.py` has some).", "src/old/parser.py"),
        ("- Checks are in `.github/checks/*.json`.", ".github/checks/"),
        ("## Files to add to the chat\n\n- `src/old/parser.py`", "src/old/parser.py"),
        ("- In the previous step (`src/old/parser.py`), it reads.", "src/old/parser.py"),
        ("- A replacement for tables, as `src/old/parser.py` says.", "src/old/parser.py"),
        ("## Reading (when a price is ready)\n\n- `src/old/parser.py`", "src/old/parser.py"),
        ("- Rows: `pest tests/ExampleDataTest.php`.", "tests/ExampleDataTest.php"),
        ("| Prices | `src/old/reader.py` | Reading and deletion |", "src/old/reader.py"),
        ("- The removal of prices is in `src/old/parser.py`.", "src/old/parser.py"),
        ("- Add `src/old/parser.py` to the imports of the page.", "src/old/parser.py"),
        ("**Templates** (`src/old/`)\n\n- Layouts of a page.", "src/old/"),
        ("- No part fails: each has a line in `src/old/parser.py`.", "src/old/parser.py"),
        ("- The page imports `src/old/parser.py` directly.", "src/old/parser.py"),
        ("- `src/old/parser.py` reads and does not import `src/app.py`.", "src/old/parser.py"),
        ("- Lists of words are in `src/words/`.", "src/words/"),
        ('Use `import { a } from "~/a"`.\n\nSee `src/old/parser.py`.', "src/old/parser.py"),
        ("Read `~/env.ts`:\n\n- `src/old/parser.py` does.", "src/old/parser.py"),
        ("- Used by `src/old/` (`Order`, `Route`, types).", "src/old/"),
        ("| `src/old/reader.py` | Prices that do not exist |", "src/old/reader.py"),
        ("Readers (2024-03-09):\n\n- `src/old/parser.py` reads orders.", "src/old/parser.py"),
        ("- Change the flags of the hooks in `.pier.build.yml`.", ".pier.build.yml"),
        ("1. Create a page in `piers/north/berths/`", "piers/north/berths/"),
        ("- Prices come from `/src/old/parser.py`.", "src/old/parser.py"),
        ("- Prices come from ``src/old/parser.py``.", "src/old/parser.py"),
    ],
)
def test_a_deleted_path_is_a_warning_in_any_form(repository, text, path):
    found = facts(repository, f"# A\n\n{text}\n")
    assert found == [f"warning AM501 {path} was deleted in commit HEAD"]


@pytest.mark.parametrize(
    "text",
    [
        "- `src/old/parser.py` was removed.",
        "- Words are in `src/words`.",
        "Stored in `~/.shop/`:\n\n- `src/old/parser.py`",
        "- `src/old/parser.py` does not exist.",
        "| `src/old/parser.py` | 12 lines | **Does not exist** | none |",
        "- `src/old/` - doesn't exist, in spite of the README",
        "- The route `src/old/` lists all orders.",
        "- `--grammar=<path>, -g`: Another grammar (default: 'src/old/parser.py')",
        "- `--grammar`: path of the grammar, default `src/old/parser.py`",
        "| `--grammar` | the grammar (default: src/old/parser.py) |",
        "- Create one file for each format, e.g. `src/old/parser.py`.",
        "- A path ends with the name, e.g. `old/reader.py`.",
        "- Treat `src/old/` as historical vocabulary.",
        "Inside `web`:\n\n- `src/engine.js` runs.",
        "- Folders (as needed):\n  - `src/old/` for parsers.",
        "- Do not reintroduce `src/old/parser.py`.",
        "- We used to have `src/old/parser.py`.",
        "- Create `src/old/parser.py` if it is missing.",
        "- The log is in `build.log`.",
        "- Notes are in `data/notes/`.",
        "- Ignored by the formatter: `package-lock.json`.",
        "- Ignored: `docs/*`, `package-lock.json`, `yarn.lock`.",
        "- `src/old/` was removed in June.\n- `src/old/parser.py` | parses",
        "- `src/old/`는 삭제됨.\n- `src/old/parser.py` | parses",
        "- No separate src/old/parser.py or src/old/reader.py files needed.",
        "Present changes as:\n\n## Proposed Changes\n\n### Files\n\n- `src/old/parser.py`: x",
        "- `src/old/` | pasta vazia",
        "- `src/old/` | build artifacts",
        "The parsers are copied to `~/.shop`:\n\n- `src/old/parser.py`",
        "- Save the rules to `src/old/parser.py`.\n\nRead `src/old/parser.py` first.",
        "| Kind | Example |\n|---|---|\n| code | `src/old/parser.py` |",
        "### Phase 3 (week 2)\n\n#### Parsing\n\n- `src/old/parser.py`",
        "- Contoh: `src/old/parser.py`",
        "| Kind | Place | WRONG place |\n|---|---|---|\n| reader | `src/` | `src/old/` |",
        "| Good | Bad |\n|---|---|\n| `src/app.py` | `src/old/parser.py` |",
        "- Mirror the sources. No catch-all folders (`src/old/`, `src/misc/`).",
        "- No shared modules (`src/misc/`, `src/old/`).",
        "| Import | Old (deprecated) |\n|---|---|\n| code | `src/old/parser.py` |",
        "Download this file to your project.\n\n- Run `src/old/parser.py`.",
        "- In the sibling repo, `src/old/parser.py` does this.",
        "```python\nopen('src/old/parser.py')\n```",
        "- A client/server design, src/app.py and `src/`.",
        "- Reports are generated; `src/old/parser.py` was removed.",
        "- Use `src/app.py`, not `src/old/parser.py`.",
        "- Two files exist (`a.py`, `lexer.py`).",
        "- One file: `pest tests/cart/ExampleTest.php`.",
        "- Each night `src/old/parser.py` (in tooling repo) runs.",
        "| script | `src/old/parser.py` (nightly job on tooling repo) |",
        "- All steps of the PR #12 retrospective (`src/old/parser.py`).",
        "It converges (verified in PR #12, two runs of `src/old/parser.py`).",
        "## Expected files (per plugin)\n\n- `src/old/parser.py`",
        "## Mandatory layout for each plugin\n\n- `src/old/parser.py`",
        "| Agent | A | B |\n|---|---|---|\n| Checks | `.github/checks/*.json` | `.cursor/x.json` |",
        "## Files to create\n\n### 1. `src/old/parser.py` (parser)\n\n- Place: `src/old/parser.py`",
        "## Step 2: Create the following files\n\n### `src/old/parser.py`\n\nIt reads.",
        "## Files (per plugin)\n\n- `src/old/parser.py`\n\n## Steps\n\n- Edit `src/old/parser.py`.",
        "- One file: `rspec tests/example_test.rb`.",
        "- 共享的夹具放到 `src/old/parser.py`。",
        "- 共享的夹具放入 `src/old/parser.py` 或 `src/old/reader.py`。",
        "- テストの補助関数は `src/old/parser.py` に配置する。",
        "- Le client est à placer dans `src/old/parser.py`.",
        "- Las fechas: colocar en `src/old/parser.py`.",
        "- Гости: поместить в `src/old/parser.py`.",
        "- Weitere Filter in `src/old/parser.py` ablegen.",
        "- `src/old/parser.py` is up for deletion.",
        "- `src/old/parser.py` awaits its removal.",
        "# [Project Name] Design\n\n## Tests\n\n- Integration tests: some, in `src/old/`.",
        "- Development: SQLite (`shop.db`)",
        "- A run of the pipeline dumps `tests/data/a/catalog.csv` for the page.",
        "- It searches for `x.py` in the home folder, `src/old/parser.py`, and one more.",
        "- A weak check cost `src/old/` its life.\n- In June, a commit removed `src/old/`.",
        "- The parsers are one package: no part ships a `src/old/parser.py`.",
        "- **Add `src/old/parser.py`** to the public folder, or the page logs an error.",
        "- The template for `src/old/parser.py` has three parts.",
        "- It marks changes in the body (`word/document.xml`) of a letter.",
        "- **Changes to reading (March 2024)**:\n  - Updated the steps in `src/old/parser.py`.",
        "Fixes (2024-03-09):\n\n- Orders are read in parts by `src/old/parser.py`.",
        "- Your own settings are in `.pier.build.yml`.",
        "- Files that end with `.pier.yml` are read.",
        "1. Create a page in `quays/notes/`",
        "- The page `/src/old/` lists all prices.",
        "- The page loads `/src/engine.js` and https://a.org/src/old/parser.py first.",
        "- The image has it at /src/old/parser.py.",
        "- It is the direct replacement for the old two-part\n  import (`src/old/parser.py`).",
        "- A drop-in replacement for both (`src/app.py` + `src/old/parser.py`,\n  which read).",
        "- It does the work of the old\n  import steps (`src/app.py`, `src/old/parser.py`).",
        "- Unlike the previous\n  layout (`src/old/parser.py`), it is fast.",
        "## Price import (when ready)\n\n```sh\npython src/old/parser.py\n```",
        "## Price import (once it is implemented)\n\n- `src/old/parser.py`",
        "- The check only finds paths in backticks (e.g. `` `src/old/parser.py` ``).",
    ],
)
def test_a_deleted_path_that_need_not_exist_is_not_reported(repository, text):
    assert facts(repository, f"# A\n\n{text}\n") == []


@pytest.mark.parametrize(
    ("title", "is_reported"),
    [
        ("Price import — ARCHIVED", False),
        ("Price import (deprecated)", False),
        ("Archived prices", True),  # what the program is about
    ],
)
def test_a_file_about_an_archived_part_is_about_the_past(repository, title, is_reported):
    found = facts(repository, f"# {title}\n\n## Needs\n\n- `src/old/parser.py` for prices.\n")
    assert bool(found) == is_reported


@pytest.mark.parametrize(("name", "is_reported"), [("123.fixed.md", False), ("hints.md", True)])
def test_fragments_of_a_changelog_come_and_go(repository, name, is_reported):
    text = f"# News\n\n- A note has the number of its issue: `{name}`.\n"
    assert bool(facts(repository, text, "news/AGENTS.md")) == is_reported


@pytest.mark.parametrize(
    ("name", "text", "is_reported"),
    [
        ("LOAD_REPORT_2.md", "**Date**: 2025-01-17", False),
        ("report.md", "- Date: May 7, 2025", False),
        ("report.md", "Date: YYYY-MM-DD", True),  # a form to fill in
        ("load.md", "Date: 2025-01-17", True),
        ("reporting.md", "Date: 2025-01-17", True),
    ],
)
def test_a_dated_report_is_about_the_past(repository, name, text, is_reported):
    text = f"# Load\n\nOf: all\n{text}\n\n## Slow\n\n- `src/old/parser.py` reads twice.\n"
    assert bool(facts(repository, text, f".claude/rules/{name}")) == is_reported


@pytest.mark.parametrize(
    ("place_of_user", "is_reported"),
    [("~/.shop/handlers.py", False), ("~/.shop/all.py", True)],
)
def test_a_script_in_a_folder_of_the_user_is_not_of_the_project(
    repository, place_of_user, is_reported
):
    text = f"# A\n\n| job | script |\n|---|---|\n| night | `{place_of_user}` |\n"
    text += "\n## Runs\n\n- At night: `handlers.py` counts.\n"
    found = facts(repository, text, "api/AGENTS.md")
    assert bool(found) == is_reported


def test_a_moved_file_is_replaced_by_where_it_is(repository):
    found = facts(repository, "# A\n\n- Style: `docs/guide.md`\n- See [it](docs/guide.md).\n")
    assert found == [
        "warning AM501 docs/guide.md was moved to guide/guide.md (commit HEAD)",
        "warning AM502 Broken link: docs/guide.md does not exist",
    ]


def test_another_file_of_the_name_of_a_deleted_one_is_only_probably_meant(tmp_path):
    old = {"src/prices.py": "1\n" * 9, "src/index.ts": "2\n" * 9}
    root = write(tmp_path / "project", old)
    git(root, "init", "-q", "-b", "main")
    commit(root)
    git(root, "rm", "-q", *old)
    write(root, {"web/prices.py": "3\n", "web/index.ts": "4\n"})
    commit(root)
    found = findings(root, "# A\n\n- It uses `src/prices.py` and `src/index.ts`.\n")
    assert [" was deleted in commit " in item.fact for item in found] == [True, True]
    assert "web/prices.py now has this name" in found[0].message
    assert [fix.certain for fix in found[0].fixes] == [False]
    assert not found[1].fixes


@pytest.mark.parametrize(
    ("name", "main"), [("cart.rs", "mod.rs"), ("cart.py", "__init__.py"), ("cart.tsx", "index.ts")]
)
def test_a_file_that_was_split_into_a_folder_is_the_main_file_of_it(tmp_path, name, main):
    root = write(tmp_path / "project", {f"src/{name}": "1\n" * 9, f"tests/{name}": "2\n"})
    git(root, "init", "-q", "-b", "main")
    commit(root)
    git(root, "rm", "-q", f"src/{name}")
    write(root, {f"src/cart/{main}": "3\n", "src/cart/prices.txt": "4\n"})
    commit(root)
    (found,) = findings(root, f"# A\n\n- Orders are in `src/{name}`.\n")
    assert f"Did you mean src/cart/{main}?" in found.message


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("- Styles: [docs](apps/docs/colors.css), [web](apps/web/colors.css)", "AM502"),
        ("- Styles: [docs](mdc:apps/docs/colors.css) and [web](mdc:apps/web/colors.css)", "AM502"),
        ("- Styles are in `apps/docs/colors.css` and `apps/web/colors.css`.", "AM501"),
    ],
)
def test_a_file_that_the_line_names_too_is_not_meant(tmp_path, text, code):
    styles = {"apps/docs/colors.css": "1\n", "apps/web/colors.css": "2\n", "apps/docs/a.md": "3\n"}
    root = write(tmp_path / "project", styles)
    git(root, "init", "-q", "-b", "main")
    commit(root)
    git(root, "rm", "-q", "apps/docs/colors.css")
    commit(root)
    (found,) = findings(root, f"# A\n\n{text}\n")
    assert found.code == code
    assert "apps/docs/colors.css was deleted in commit" in found.fact
    assert "web" not in found.message
    assert not found.fixes


def test_the_text_of_a_link_may_name_the_file_that_is_meant(tmp_path):
    root = write(tmp_path / "project", {"docs/Guide.md": "1\n"})
    git(root, "init", "-q", "-b", "main")
    (found,) = findings(root, "# A\n\n- [docs/Guide.md](docs/guide.md)\n")
    assert "Did you mean docs/Guide.md?" in found.message


def test_a_path_of_a_nested_file_is_one_of_its_folder(repository):
    text = "# A\n\n- `src/engine.py` runs, `handlers.py` answers.\n- `src/app.py` is elsewhere.\n"
    assert facts(repository, text, "api/AGENTS.md") == [
        "warning AM501 src/engine.py was deleted in commit HEAD",
        "warning AM501 handlers.py was deleted in commit HEAD",
    ]


@pytest.mark.parametrize(
    ("names", "is_reported"),
    [
        (["app.py", "appley.py", "amodule.py"], True),
        (["app.py", "appley.py"], False),  # too few
        (["app.py", "appley.py", "amodule.py", "x1.py", "x2.py"], False),  # of several projects
    ],
)
def test_a_list_of_a_shared_file_is_one_of_this_project_if_most_names_exist(
    repository, names, is_reported
):
    rows = "".join(f"| `{name}` | it runs |\n" for name in [*names, "lexer.py"])
    text = f"# Scripts\n\n| Script | What |\n|---|---|\n{rows}"
    found = facts(repository, text, ".github/instructions/scripts.instructions.md")
    assert found == ["warning AM501 lexer.py was deleted in commit HEAD"] * is_reported


@pytest.mark.parametrize(
    ("text", "is_reported"),
    [
        ("- The steps of a release: `/RELEASING.md`", True),
        ("- `/RELEASING.md` was removed.", False),
        ("- The server answers `/prices.json`.", False),  # an address
        ("- The page is at /RELEASING.md of the site.", False),
        ("- It is in `/HINTS.md`.", False),  # perhaps the one of another folder
        ("- `/NOTES.md` has all notes.", False),  # git never had it
    ],
)
def test_a_document_of_the_root_with_a_slash_before_it(tmp_path, text, is_reported):
    old = {"RELEASING.md": "1\n", "prices.json": "2\n", "HINTS.md": "3\n"}
    root = write(tmp_path / "project", {**old, "docs/HINTS.md": "4\n"})
    git(root, "init", "-q", "-b", "main")
    commit(root)
    git(root, "rm", "-q", *old)
    commit(root)
    fact = "warning AM501 RELEASING.md was deleted in commit HEAD"
    assert facts(root, f"# A\n\n{text}\n") == [fact] * is_reported


def test_a_moved_document_of_the_root_gets_its_new_path(tmp_path):
    root = write(tmp_path / "project", {"RELEASING.md": "1\n" * 9})
    git(root, "init", "-q", "-b", "main")
    commit(root)
    (root / "docs").mkdir()
    (root / "RELEASING.md").rename(root / "docs" / "HOW_TO_RELEASE.md")
    commit(root)
    (found,) = findings(root, "# A\n\n- The steps of a release: `/RELEASING.md`\n")
    assert [fix.edits[0].text for fix in found.fixes] == ["docs/HOW_TO_RELEASE.md"]


@pytest.mark.parametrize(
    ("text", "is_reported"),
    [
        ("Prices come from `lexer.py`.\n\n- Use the tables of `lexer.py` for orders.", True),
        ("Prices come from `lexer.py`.", False),  # only once, in any folder
        (
            "Names are in snake_case (`lexer.py`).\n\n- Each part has a `lexer.py`.",
            False,
        ),
        (
            "Create `lexer.py` for prices.\n\n- Use the tables of `lexer.py` for orders.",
            False,
        ),
    ],
)
def test_a_deleted_name_that_the_memory_repeats(repository, text, is_reported):
    """Git deleted one file of this name, so an example is unlikely."""
    found = facts(repository, f"# A\n\n{text}\n")
    fact = "warning AM501 lexer.py was deleted in commit HEAD (also in 1 other place)"
    assert found == [fact] * is_reported


@pytest.mark.parametrize(
    ("target", "is_reported"),
    [
        ("mdc:north/berths/", True),
        ("north/berths/", False),  # an address may end like this
        ("mdc:south/berths/", False),  # git never had it
    ],
)
def test_a_folder_that_a_link_of_cursor_leads_to(repository, target, is_reported):
    found = facts(repository, f"# A\n\n- Piers are in [berths]({target}).\n")
    fact = "warning AM502 Broken link: north/berths does not exist"
    assert found == [fact] * is_reported


@pytest.mark.parametrize(
    ("rows", "reported"),
    [
        (["app.py", "appley.py", "lexer.py", "parser.py", "reader.py"], 3),
        (["app.py", "lexer.py", "parser.py", "reader.py"], 0),  # only one exists
        (["app.py", "appley.py", "lexer.py", "x1.py", "x2.py", "x3.py"], 0),  # most never did
    ],
)
def test_deleted_names_show_that_a_list_is_one_of_this_project(repository, rows, reported):
    table = "".join(f"| `{name}` | it runs |\n" for name in rows)
    found = facts(repository, f"# Scripts\n\n| Script | What |\n|---|---|\n{table}")
    assert len(found) == reported


@pytest.mark.parametrize(
    ("note", "is_reported"),
    [
        ("the page of downloads and prices", True),
        ("After builds | Update the page of downloads", True),
        ("downloaded prices", False),
        ("price downloads", False),
        ("download it first", False),
    ],
)
def test_a_note_may_be_about_downloads_that_a_file_does(repository, note, is_reported):
    found = facts(repository, f"# A\n\n| File | What |\n|---|---|\n| `src/lexer.py` | {note} |\n")
    assert bool(found) == is_reported


@pytest.mark.parametrize(
    ("text", "is_reported"),
    [
        ("The page of `web` shows this\npart. Its `src/shop/cart.ts` lists the orders.", False),
        ("- The page of `web/` shows this part,\n  and `src/shop/cart.ts` lists them.", False),
        ("The page of `web` shows this.\n\nThe file `src/shop/cart.ts` lists orders.", True),
        ("The file `src/shop/cart.ts` lists the orders of `web`.", True),
        ("The page of `site` shows it. Its `src/shop/cart.ts` lists the orders.", True),
        ("| `api` | Unlike `web`, it has `src/shop/cart.ts` |", True),
    ],
)
def test_a_code_span_before_names_the_folder_of_a_file(tmp_path, text, is_reported):
    files = {"web/src/shop/cart.ts": "1\n", "api/src/shop/order.ts": "2\n", "site/a.ts": "3\n"}
    root = write(tmp_path / "project", files)
    found = facts_without_git(root, text, "api/AGENTS.md")
    assert bool(found) == is_reported


def test_a_nested_file_names_an_import_from_the_root(repository):
    text = "# A\n\n- The page imports `src/old/parser.py` directly.\n"
    text += "- A file to read first (e.g. `src/old/reader.py`).\n"
    fact = "warning AM501 src/old/parser.py was deleted in commit HEAD"
    assert facts(repository, text, "api/AGENTS.md") == [fact]


def test_a_name_that_git_ignores_next_to_the_file_is_not_reported(repository):
    assert facts(repository, "# A\n\n- `catalog.json` lists all parts.\n", "api/AGENTS.md") == []


def test_a_name_without_a_folder_is_that_of_a_file(repository):
    text = "# A\n\n- Read `shop_prices.ts` first.\n- Read `shop_charts.ts` first.\n"
    assert facts(repository, text) == [
        "warning AM501 shop_prices.ts was deleted in commit HEAD",
        "warning AM501 shop_charts.ts does not exist in this project",  # git had a folder
    ]


@pytest.mark.parametrize("place", ["AGENTS.md", ".claude/skills/hosts/SKILL.md"])
@pytest.mark.parametrize(
    ("text", "is_reported"),
    [
        ("Hosts are in `mail.yml`, `Shop.yml`,\n`taxes.yml`, `prices.yml`.", True),
        ("Hosts are in `mail.yml`, `Shop.yml`,\n`taxes.yml`, `carts.yml`.", False),
        ("Hosts are in `mail.yml`,\n`Shop.yml`.\n\n\nMore: `taxes.yml`, `prices.yml`.", False),
        ("No host is in `mail.yml`, `Shop.yml`, `prices.yml` or `taxes.yml` yet.", False),
        ("`mail.yml`, `Shop.yml`, `taxes.yml`, `prices.yml` and `other.yml`", True),
    ],
)
def test_a_deleted_name_beside_others_of_its_folder(tmp_path, place, text, is_reported):
    """Two folders had the deleted file; the names around it show which one is meant."""
    others = {f"hosts/{name}.yml": "a: 1\n" for name in ("mail", "Shop", "prices")}
    deleted = {"hosts/taxes.yml": "b: 1\n", "plays/taxes.yml": "c: 1\n"}
    root = write(tmp_path / "p", {**others, **deleted})
    git(root, "init", "-q", "-b", "main")
    commit(root)
    git(root, "rm", "-q", *deleted)
    commit(root)
    text = f"---\nname: hosts\ndescription: Add a host to the list.\n---\n\n# A\n\n{text}\n"
    found = [fact for fact in facts(root, text, place) if "AM501" in fact]
    assert found == ["warning AM501 taxes.yml was deleted in commit HEAD"] * is_reported


@pytest.mark.parametrize(
    ("text", "is_reported"),
    [
        ("- Parsers are in `src/` (e.g., `old/parser.py`).", True),
        ("- Parsers are in `./src` (for example `old/parser.py`).", True),
        ("- Parsers are in `web/` (e.g., `old/parser.py`).", False),  # git had none there
        ("- Parsers of `src/` are like those in `web/` (e.g., `old/parser.py`).", False),
        ("- Parsers are in src (e.g., `old/parser.py`), as `web/` says.", False),
        ("- Create a parser in `src/` (e.g., `old/parser.py`).", False),
    ],
)
def test_an_example_below_the_folder_before_it_was_one_of_the_project(
    repository, text, is_reported
):
    fact = "warning AM501 old/parser.py was deleted in commit HEAD"
    assert facts(repository, f"# A\n\n{text}\n") == [fact] * is_reported


@pytest.mark.parametrize(
    ("heading", "is_reported"),
    [
        ("## (v2)", False),
        ("## (v2): engines\n\n### Reading", False),
        ("## Engines `v2`", True),  # another folder
    ],
)
def test_a_heading_names_the_folder_of_its_files(repository, heading, is_reported):
    """The path is one of the folder in the heading, and not the deleted one of the same end."""
    text = f"# A\n\n{heading}\n\n- `src/engine.py` runs.\n"
    found = facts(repository, text, "api/AGENTS.md")
    fact = "warning AM501 src/engine.py was deleted in commit HEAD"
    assert found == [fact] * is_reported


@pytest.mark.parametrize(
    ("above", "is_reported"),
    [
        ("**Engines** (under `api/(v2)/`):", False),
        ("**Engines** (under `(v2)`):", False),
        ("Engines (in web/):", False),
        ("- Engines of `(v2)`:\n", False),
        ("The engines of the web:", True),  # a word, not a folder
        ("**Engines** (under `(v3)/`):", True),  # not the folder of an existing file
        ("**Engines** (under `api/(v2)/`)", True),  # introduces no list
    ],
)
def test_the_text_above_a_list_names_the_folder_of_its_files(repository, above, is_reported):
    """The path is one of that folder, and not the deleted one of the same end."""
    indent = "  " if above.startswith("-") else ""
    text = f"# A\n\n{above}\n{indent}- `src/engine.py` runs.\n"
    found = facts(repository, text, "api/AGENTS.md")
    fact = "warning AM501 src/engine.py was deleted in commit HEAD"
    assert found == [fact] * is_reported


@pytest.mark.parametrize(
    ("above", "other", "is_reported"),
    [
        ("The importer finds its parsers in:", "src", False),
        ("Search order:", "src/app.py", False),
        ("Search order:", "lib", True),  # nothing of the list exists
        ("Look for parsers in:", "src", True),  # told to the agent
    ],
)
def test_a_program_skips_missing_places_of_a_list(repository, above, other, is_reported):
    text = f"# A\n\n{above}\n\n- `{other}`\n- `src/old/`\n"
    fact = "warning AM501 src/old/ was deleted in commit HEAD"
    assert facts(repository, text) == [fact] * is_reported


@pytest.mark.parametrize(
    ("row", "is_reported"),
    [
        ("| `karma.config.js`, `vitest.config.js`, `jasmine.config.js` | tests |", False),
        ("| `vitest.config.js` | tests |", True),
        ("| `vitest.config.js`, `app.py`, `guide.md` | tests |", True),
        ("| `setup.py`, `pom.xml`, `build.gradle` | builds |", False),
        ("| `build.gradle` | builds |", True),
    ],
)
def test_names_that_tools_define_are_those_of_any_project(tmp_path, row, is_reported):
    deleted = {"vitest.config.js": "1\n", "build.gradle": "4\n"}
    root = write(tmp_path / "p", {**deleted, "app.py": "2\n", "guide.md": "3\n"})
    git(root, "init", "-q", "-b", "main")
    commit(root)
    git(root, "rm", "-q", *deleted)
    commit(root)
    text = f"# A\n\n| File | Kind |\n|---|---|\n{row}\n"
    (name,) = [each for each in deleted if each in row]
    fact = f"warning AM501 {name} was deleted in commit HEAD"
    assert facts(root, text, ".github/copilot-instructions.md") == [fact] * is_reported


@pytest.mark.parametrize(
    ("text", "is_reported"),
    [
        ("- Also check the checks of the project: `.github/checks/*.json`.", False),
        ("- Find each check with Glob: `.github/checks/**/x.json`.", False),
        ("- The checks are `.github/checks/*.json`.", True),
        ("- Check them with `.github/checks/lint.json`.", True),
    ],
)
def test_a_search_in_a_folder_of_a_tool_may_find_nothing(repository, text, is_reported):
    found = facts(repository, f"# A\n\n{text}\n")
    assert bool(found) == is_reported


@pytest.mark.parametrize(
    ("place", "text", "is_reported"),
    [
        ("api/skills/ci/SKILL.md", "Tests need `src/old/parser.py`.", False),
        ("api/skills/ci/SKILL.md", "See `src/old/parser.py` for the rest.", True),
        ("api/skills/ci/SKILL.md", "The style: `docs/guide.md`.", True),  # it was moved
        (".claude/skills/ci/SKILL.md", "Tests need `src/old/parser.py`.", True),
    ],
)
def test_a_skill_outside_of_the_folder_of_an_agent_is_for_others(
    repository, place, text, is_reported
):
    """A package ships it to its users, whose project it speaks of."""
    found = facts(repository, f"---\nname: ci\ndescription: d\n---\n\n{text}\n", place)
    assert bool(found) == is_reported


def test_a_copied_file_of_a_nested_file_is_one_of_its_folder(repository):
    found = facts(repository, "# A\n\n- Run `cp .env.example .env` first.\n", "api/AGENTS.md")
    assert found == ["warning AM501 .env.example was deleted in commit HEAD"]


def test_code_of_a_skill_is_for_any_project(repository):
    text = "---\nname: ci\ndescription: d\n---\n\n```python\n# src/old/parser.py\nimport x\n```\n"
    assert facts(repository, text, SKILL) == []


def test_the_prompt_of_a_task_may_tell_to_create_a_file(repository):
    text = "# A\n\n- Run `src/old/parser.py`.\n- Read `src/old/reader.py`.\n"
    found = facts(repository, text, ".github/prompts/x.prompt.md")
    assert found == ["warning AM501 src/old/reader.py was deleted in commit HEAD"]


@pytest.mark.parametrize(
    ("name", "is_reported"),
    [
        ("src/001-parts/app.py", True),
        ("src/00x-parts/app.py", False),  # of any numbered part
        ("src/applet.py", True),
        ("src/mymodule.py", False),  # any module, though the name is close to that of a file
    ],
)
def test_a_placeholder_is_no_file_of_a_similar_name(repository, name, is_reported):
    found = facts(repository, f"# A\n\n- Default path: `{name}`.\n")
    fact = f"warning AM501 {name} does not exist in this project"
    assert found == [fact] * is_reported


def test_a_name_that_git_never_had_is_no_information(repository):
    text = "# A\n\n- For each page of the shop, `src/never.py` renders it.\n"
    assert facts(repository, text) == []


@pytest.mark.parametrize(
    ("text", "is_reported"),
    [
        ("| Prices | `src/` | `app.py` starts, `never.py` counts |", True),
        ("- `api/src/core`: `server.py` starts, `never.py` counts.", True),
        ("- `api/src/core/`: `app.py` starts, `never.py` counts.", False),  # it is in src
        ("- `src/`: `app.py` starts (target: `app.py`, `never.py`).", False),
        ("- `src/`: `app.py` starts; create `never.py` for prices.", False),
        ("- `app.py` starts, `never.py` counts (`src/`).", False),
    ],
)
def test_a_name_next_to_a_file_of_its_folder_must_exist(repository, text, is_reported):
    fact = "info AM501 never.py does not exist in this project"
    assert facts(repository, f"# A\n\n{text}\n") == [fact] * is_reported


@pytest.mark.parametrize("text", ["Plans live in `docs/plans/`.", "- Icons: `assets/icons/`"])
def test_a_folder_of_texts_that_git_never_had_may_come_later(repository, text):
    assert facts(repository, f"# A\n\n{text}\n") == []


def test_a_document_that_the_text_says_to_read_must_exist(repository):
    found = facts(repository, "# A\n\n- See `docs/plans/overview.md` first.\n")
    assert found == ["warning AM501 docs/plans/overview.md does not exist in this project"]


def test_a_rule_for_deleted_files_is_outdated(repository):
    text = '---\npaths: "{}"\n---\n\nUse types.\n'
    for pattern, severity in (("src/old/**", "warning"), ("src/new/**", "info")):
        file = write(repository, {".claude/rules/a.md": text.format(pattern)})
        ctx = Context(repository.parent / "home", repository, env={})
        found = check(ctx, [file / ".claude/rules/a.md"], "claude-code").findings
        assert [(item.code, str(item.severity)) for item in found] == [("AM135", severity)]
    (repository / ".claude/rules/a.md").unlink()


def test_a_deleted_link_names_the_commit(repository):
    found = facts(repository, "# A\n\n- [parser](src/old/parser.py)\n")
    assert found == ["warning AM502 Broken link: src/old/parser.py was deleted in commit HEAD"]


def test_settings_that_a_skill_is_about_are_those_of_any_project(repository):
    table = "| Plugins | `.github/workflows/test.yml` |"
    text = f"---\nname: other\ndescription: plugins\n---\n\n{table}\n"
    assert facts(repository, text, ".agents/skills/other/SKILL.md") == []


def test_a_skill_writes_files_that_it_has_a_copy_of(repository):
    text = (
        "---\nname: ci\ndescription: adds CI\n---\n\n`.github/workflows/test.yml` — see assets.\n"
    )
    assert facts(repository, text, SKILL) == []


def test_deleted_entries_show_that_a_tree_is_one_of_this_project(repository):
    tree = "src/\n├── app.py\n├── old/\n│   ├── parser.py\n├── plan.py\nguide/\n└── guide.md\n"
    assert facts(repository, f"# A\n\n```\n{tree}```\n") == [
        "warning AM506 src/old was deleted in commit HEAD",
        "warning AM506 src/plan.py does not exist in this project",
    ]


@pytest.mark.parametrize(
    ("note", "is_reported"),
    [
        ("Historical prices of the berths", True),
        ("historical quote files", True),
        ("historical", False),
        ("historical parsers, now in app.py", False),
    ],
)
def test_historical_data_of_a_tree_below_the_name_of_the_project_exists(
    repository, note, is_reported
):
    tree = f"project/\n├── src/app.py\n├── src/old/  # {note}\n├── guide/\n└── quays/app.py\n"
    fact = "warning AM506 src/old was deleted in commit HEAD"
    assert facts(repository, f"# A\n\n```\n{tree}```\n") == [fact] * is_reported


@pytest.mark.parametrize(
    ("name", "severity"), [("queue/", "info"), ("tasks", "info"), ("plan.py", "warning")]
)
def test_a_folder_of_a_tree_that_git_never_had_is_information(repository, name, severity):
    tree = f"src/\n├── app.py\n├── {name}\nguide/\n└── guide.md\n"
    path = f"src/{name.rstrip('/')}"
    assert facts(repository, f"# A\n\n```\n{tree}```\n") == [
        f"{severity} AM506 {path} does not exist in this project"
    ]


@pytest.mark.parametrize(
    ("inner", "is_reported"),
    [
        ("├── test_catalog.py\n└── data/\n", True),
        ("├── test_boats.py\n└── piers/\n", False),  # only `tests` may be of this project
    ],
)
def test_deleted_entries_of_a_deleted_folder_count_too(repository, inner, is_reported):
    tree = f"src/\ntests/\n{inner}"
    fact = "warning AM506 tests was deleted in commit HEAD"
    assert facts(repository, f"# A\n\n```\n{tree}```\n") == [fact] * is_reported


@pytest.mark.parametrize(
    ("tree", "found"),
    [
        ("rates/\n├── gold/\n│   └── a.json\n└── silver/\n", None),
        ("rates/\n├── gold/\n│   └── a.json\n└── day.json\n", "warning AM506 rates/day.json"),
        ("src/\n├── app.py\n├── appley.py\n└── piers/\n", "info AM506 src/piers"),
    ],
)
def test_a_folder_of_data_comes_with_its_first_file(repository, tree, found):
    fact = f"{found} does not exist in this project"
    assert facts(repository, f"# A\n\n```\n{tree}```\n") == ([fact] if found else [])


@pytest.mark.parametrize(
    ("first", "second", "is_reported"),
    [
        ("# Before (one file)", "# After (a folder)", False),
        ("// BEFORE", "// after: split", False),
        ("Before:", "After the split:", False),
        ("# Now", "# After", True),
    ],
)
def test_a_comparison_is_no_tree_of_now(repository, first, second, is_reported):
    tree = f"src/\n├── app.py\n├── lexer.py\n\n{second}\nguide/\n└── guide.md\n"
    text = f"# A\n\n```\n{first}\n{tree}```\n"
    assert bool(facts(repository, text)) == is_reported


def test_an_entry_of_a_tree_for_any_resource_is_not_reported(repository):
    tree = "src/\n├── app.py\n├── appley.py\n├── foos.py\nguide/\n└── guide.md\n"
    assert facts(repository, f"# A\n\n```\n{tree}```\n") == []


def test_without_git_the_same_texts_need_other_evidence(tmp_path):
    root = write(tmp_path / "p", {"src/app.py": "", ".git/HEAD": "x"})
    assert facts_without_git(root, "- All importers live below `src/old/`.") == []


def facts_without_git(root: Path, text: str, place: str = "AGENTS.md") -> list[str]:
    file = write(root, {place: f"# A\n\n{text}\n"}) / place
    ctx = Context(root.parent / "home", root, env={})
    return [item.fact for item in check(ctx, [file], "deepagents-code").findings]


@pytest.mark.parametrize(
    ("place", "written", "replacement"),
    [
        ("api/AGENTS.md", "src/server.py", "src/core/server.py"),
        ("api/AGENTS.md", "api/src/server.py", "api/src/core/server.py"),
        ("api/AGENTS.md", "../docs/guide.md", "../guide/guide.md"),
        ("api/docs/AGENTS.md", "../src/server.py", "../src/core/server.py"),
        ("AGENTS.md", "./api/src/server.py", "./api/src/core/server.py"),
        ("AGENTS.md", "api/src/server.py", "api/src/core/server.py"),
    ],
)
def test_replacement_begins_where_the_written_path_does(repository, place, written, replacement):
    (finding,) = findings(repository, f"- The server is in `{written}`.\n", place)
    (fix,) = finding.fixes
    assert fix.edits[0].text == replacement


@pytest.mark.parametrize(
    ("name", "text", "is_reported"),
    [
        ("shop.yaml", "The settings (`shop.yaml`) list all prices.", False),
        ("shop.local.yaml", "The settings (`shop.local.yaml`) list all prices.", False),
        ("prices.yaml", "The settings (`prices.yaml`) list all prices.", True),
        ("shop.go", "The start (`shop.go`) lists all prices.", True),
    ],
)
def test_settings_of_the_program_are_files_of_its_users(tmp_path, name, text, is_reported):
    root = write(tmp_path / "p", {"cmd/shop/run.go": "1\n", name: "2\n"})
    git(root, "init", "-q", "-b", "main")
    commit(root)
    git(root, "rm", "-q", name)
    commit(root)
    fact = f"warning AM501 {name} was deleted in commit HEAD"
    assert facts(root, f"# A\n\n{text}\n") == [fact] * is_reported


@pytest.mark.parametrize(
    ("text", "is_reported"),
    [
        ("- Readers of prices differ (`shop/readers/`).", True),
        ("- Readers of prices differ (`shop/pages/`).", False),  # that of web
        ("- Readers of prices differ (`shop/helpers/`).", False),  # one of two deleted folders
        ("- Readers of prices differ (`readers/`).", False),  # any project may have one
        ("- Create `shop/readers/` for prices.", False),
    ],
)
def test_a_deleted_folder_may_lack_its_first_folders(tmp_path, text, is_reported):
    old = [f"lib/shop/{name}/a.py" for name in ("readers", "pages", "helpers")]
    files = [*old, "old/shop/helpers/a.py", "web/shop/pages/a.py", "lib/b.py"]
    root = write(tmp_path / "p", {name: f"{name}\n" for name in files})
    git(root, "init", "-q", "-b", "main")
    commit(root)
    git(root, "rm", "-q", *old, "old/shop/helpers/a.py")
    commit(root)
    fact = "warning AM501 shop/readers/ was deleted in commit HEAD"
    assert facts(root, f"# A\n\n{text}\n") == [fact] * is_reported


@pytest.mark.parametrize(
    ("target", "fact"),
    [
        ("src/old/parser.py", "Broken link: src/old/parser.py was deleted in commit HEAD"),
        ("refs/own.md", None),  # ignored, so each user has other ones
        ("./src/old/parser.py", None),  # a path of the ignored folder
        ("src/new/parser.py", None),
    ],
)
def test_a_link_from_the_root_leads_to_a_deleted_file_also_in_an_ignored_folder(
    tmp_path, target, fact
):
    root = write(tmp_path / "p", {"src/old/parser.py": "1\n", "src/app.py": "2\n"})
    git(root, "init", "-q", "-b", "main")
    commit(root)
    git(root, "rm", "-q", "src/old/parser.py")
    write(root, {".gitignore": ".agents/*\n"})
    commit(root)
    text = f"---\nname: ci\ndescription: runs it\n---\n\n- [it]({target})\n"
    assert facts(root, text, SKILL) == ([f"warning AM502 {fact}"] if fact else [])
